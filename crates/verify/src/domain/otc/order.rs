//! The order that a maker signs, and the domain it is signed in (EIP-712, <https://eips.ethereum.org/EIPS/eip-712>).
//! For the known facts about the contract see docs/sandbox.md, "OTC".

use crate::domain::delta::order::DOMAIN_TYPE;
use crate::domain::input::MAX_EXACT;
use crate::domain::member::Kinds;
use crate::domain::typed_struct::{StructOf, TypedStruct, Value};
use crate::error::Result;
use crate::json::{JsonAt, ObjectWriter};
use alloy_primitives::{Address, U256};

/// The encoded type of an order. It shares its name with Delta's order and nothing else; only the domain separates
/// signatures of the two.
pub const ORDER: &str = concat!(
    "Order(uint256 nonceAndMeta,uint128 expiry,address makerAsset,address takerAsset,address maker,address taker,",
    "uint256 makerAmount,uint256 takerAmount)"
);
/// The type of an [`OtcOrder`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OtcKind {}

impl Kinds for OtcKind {
    const TYPES: &'static [&'static str] = &[ORDER];
}

/// A maker's order.
pub type OtcOrder = StructOf<OtcKind>;

/// The name of the RFQ contract's signing domain.
pub const DOMAIN_NAME: &str = "AUGUSTUS RFQ";
/// The version of the RFQ contract's signing domain.
pub const DOMAIN_VERSION: &str = "1";
/// One more than the highest nonce that fits [`nonce_and_meta`]: 2^96.
pub const NONCES: U256 = U256::from_limbs([0, 1 << 32, 0, 0]);

/// The signing domain of a chain's RFQ contract.
pub fn domain(chain_id: u64, rfq: Address) -> TypedStruct {
    TypedStruct::of(DOMAIN_TYPE, vec![DOMAIN_NAME.into(), DOMAIN_VERSION.into(), chain_id.into(), rfq.into()])
}

/// The member `nonceAndMeta`: a nonce below [`NONCES`] above the 160 bits of the intended taker; the zero address for
/// anybody.
pub fn nonce_and_meta(nonce: U256, taker: Address) -> U256 {
    let mut word = taker.into_word();
    // The nonce takes the 96 bits above the taker's 160.
    for (to, from) in word.iter_mut().zip(nonce.to_be_bytes::<32>().get(20..).unwrap_or_default()) {
        *to = *from;
    }
    word.into()
}

/// Reads an order; members that its type does not have are ignored.
///
/// # Errors
/// A fault at the member that is missing or does not fit its type, or at an `expiry` that JavaScript cannot hold
/// exactly.
pub fn read(at: &JsonAt<'_>) -> Result<OtcOrder> {
    let order = OtcOrder::read(at)?;
    // JavaScript has it as a number, and it is posted as one.
    at.get("expiry").integer(MAX_EXACT)?;
    Ok(order)
}

/// Whether an order of this expiry can no longer be filled at `now`, both in unix seconds. In its last second it still
/// can; an expiry of 0 never passes.
///
/// ```
/// use alloy_primitives::U256;
/// use verified_swap_verify::internal::domain::otc::order::has_expired;
/// let (expiry, next) = (U256::from(100), U256::from(101));
/// assert!(has_expired(expiry, next) && !has_expired(expiry, expiry) && !has_expired(U256::ZERO, next));
/// ```
pub fn has_expired(expiry: U256, now: U256) -> bool {
    !expiry.is_zero() && now > expiry
}

/// Writes an order's members as the service takes them: `expiry` as a number, all others as text.
pub fn write(order: &OtcOrder, out: &mut ObjectWriter) {
    for (name, text) in order.texts() {
        match name {
            "expiry" => out.raw(name, &text),
            _ => out.text(name, &text),
        }
    }
}

/// The order with these words as its members, in the order of the type.
pub fn from_words(words: [U256; 8]) -> OtcOrder {
    let mut values = Vec::new();
    for word in &words {
        values.push(Value::from(*word));
    }
    OtcOrder::made(values)
}
