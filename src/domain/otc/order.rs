//! The order a maker signs (service, 2.6), and the domain it is signed in.

use crate::domain::delta::order::DOMAIN_TYPE;
use crate::domain::input::MAX_EXACT;
use crate::domain::member::Kinds;
use crate::domain::typed_struct::{StructOf, TypedStruct, Value};
use crate::error::Result;
use crate::json::{JsonAt, ObjectWriter};
use alloy_primitives::{Address, U256};

/// The encoded type (EIP-712) of an order. It has the name of Delta's, and nothing else of it.
pub const ORDER: &str = concat!(
    "Order(uint256 nonceAndMeta,uint128 expiry,address makerAsset,address takerAsset,address maker,address taker,",
    "uint256 makerAmount,uint256 takerAmount)"
);
/// The kind of an [`OtcOrder`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OtcKind {}

impl Kinds for OtcKind {
    const TYPES: &'static [&'static str] = &[ORDER];
}

/// A maker's order.
pub type OtcOrder = StructOf<OtcKind>;

/// The signing domain's name of the RFQ contract.
pub const DOMAIN_NAME: &str = "AUGUSTUS RFQ";
/// The signing domain's version.
pub const DOMAIN_VERSION: &str = "1";
/// The first nonce that has no room there.
pub const NONCES: U256 = U256::from_limbs([0, 1 << 32, 0, 0]);

/// The domain of an RFQ contract.
pub fn domain(chain_id: u64, rfq: Address) -> TypedStruct {
    TypedStruct::of(DOMAIN_TYPE, vec![DOMAIN_NAME.into(), DOMAIN_VERSION.into(), chain_id.into(), rfq.into()])
}

/// `nonceAndMeta` of a nonce below [`NONCES`] and the taker who is meant; the zero address where anybody is.
pub fn nonce_and_meta(nonce: U256, taker: Address) -> U256 {
    let mut word = taker.into_word();
    // The nonce has the 96 bits in front of the taker's.
    for (to, from) in word.iter_mut().zip(nonce.to_be_bytes::<32>().get(20..).unwrap_or_default()) {
        *to = *from;
    }
    word.into()
}

/// Reads an order's members; others beside them are left alone.
///
/// # Errors
/// Names the member that does not fit its type.
pub fn read(at: &JsonAt<'_>) -> Result<OtcOrder> {
    let order = OtcOrder::read(at)?;
    // Held by JavaScript, and posted, as a number.
    at.get("expiry").integer(MAX_EXACT)?;
    Ok(order)
}

/// Whether an order of that expiry can not be filled any more by the clock. At its last second it still can; 0 is
/// never.
pub fn has_expired(expiry: U256, now: U256) -> bool {
    !expiry.is_zero() && now > expiry
}

/// Writes an order's members as the service takes them: the expiry a number, addresses and amounts text.
pub fn write(order: &OtcOrder, out: &mut ObjectWriter) {
    for (name, text) in order.texts() {
        match name {
            "expiry" => out.raw(name, &text),
            _ => out.text(name, &text),
        }
    }
}

/// An order of those words.
pub fn from_words(words: [U256; 8]) -> OtcOrder {
    let mut values = Vec::new();
    for word in &words {
        values.push(Value::from(*word));
    }
    OtcOrder::made(values)
}
