//! The types of Delta orders, and the domain they are signed in (EIP-712, <https://eips.ethereum.org/EIPS/eip-712>).
//!
//! The types are written out here, and the service's type must equal one of them to the letter: a type with a member
//! more, or one renamed, would have the user sign something that no check reads.

use super::terms::Terms;
use crate::domain::eip712::Types;
use crate::domain::intent::Intent;
use crate::domain::member::Kinds;
use crate::domain::side::Side;
use crate::domain::typed_struct::{StructOf, TypedStruct, name, part};
use alloy_primitives::Address;

/// The name of the Delta contract's signing domain.
pub const DOMAIN_NAME: &str = "Portikus";
/// The version of the Delta contract's signing domain.
pub const DOMAIN_VERSION: &str = "2.0.0";

/// The encoded type of the signing domain, of the Delta and of the RFQ contract.
pub const DOMAIN_TYPE: &str = "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)";

macro_rules! bridge {
    () => {
        concat!(
            "Bridge(bytes4 protocolSelector,uint256 destinationChainId,address outputToken,int8 scalingFactor,",
            "bytes protocolData)"
        )
    };
}

macro_rules! twap_members {
    ($first:literal, $second:literal) => {
        concat!(
            "(address owner,address beneficiary,address srcToken,address destToken,uint256 nonce,",
            "uint256 partnerAndFee,uint64 deadline,uint64 interval,uint32 numSlices,uint256 ",
            $first,
            ",uint256 ",
            $second,
            ",bytes permit,bytes metadata,Bridge bridge)",
            bridge!()
        )
    };
}

macro_rules! order_members {
    () => {
        concat!(
            "(address owner,address beneficiary,address srcToken,address destToken,uint256 srcAmount,",
            "uint256 destAmount,uint256 expectedAmount,uint256 deadline,uint8 kind,uint256 nonce,",
            "uint256 partnerAndFee,bytes permit,bytes metadata,Bridge bridge)",
            bridge!()
        )
    };
}

/// An order for one trade: until `deadline`, `owner` pays at most `srcAmount` and `beneficiary` gets at least
/// `destAmount`.
pub const ORDER: &str = concat!("Order", order_members!());

/// An [`ORDER`] that may be filled in parts. The service may also send such an order under the name of [`ORDER`].
pub const FILLABLE_ORDER: &str = concat!("FillableOrder", order_members!());

/// A SELL in slices: each pays its share of `totalSrcAmount` and gets at least `destAmountPerSlice`.
pub const TWAP_ORDER: &str = concat!("TWAPOrder", twap_members!("destAmountPerSlice", "totalSrcAmount"));

/// A BUY in slices: each gets its share of `totalDestAmount` for at most its share of `maxSrcAmount`.
pub const TWAP_BUY_ORDER: &str = concat!("TWAPBuyOrder", twap_members!("totalDestAmount", "maxSrcAmount"));

/// An order whose proceeds the contract `handler` takes and uses by its `data`. It names no beneficiary.
pub const EXTERNAL_ORDER: &str = concat!(
    "ExternalOrder(address owner,address handler,address srcToken,address destToken,uint256 srcAmount,",
    "uint256 destAmount,uint256 expectedAmount,uint256 deadline,uint8 kind,uint256 nonce,uint256 partnerAndFee,",
    "bytes permit,bytes metadata,bytes data)"
);

/// All known order types, encoded.
pub const TYPES: [&str; 5] = [ORDER, FILLABLE_ORDER, TWAP_ORDER, TWAP_BUY_ORDER, EXTERNAL_ORDER];

/// The types that a [`DeltaOrder`] may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeltaKinds {}

impl Kinds for DeltaKinds {
    const TYPES: &'static [&'static str] = &TYPES;
}

/// A Delta order of one of [`TYPES`].
pub type DeltaOrder = StructOf<DeltaKinds>;

/// The order types that can express the request; empty if none can. The first is the service's name for it
/// (`onChainOrderType`).
pub fn fitting_types(intent: &Intent, terms: &Terms) -> &'static [&'static str] {
    match (&intent.twap, intent.side) {
        (Some(_), Side::Sell) => &[TWAP_ORDER],
        (Some(_), Side::Buy) => &[TWAP_BUY_ORDER],
        // An ExternalOrder has no bridge, so no type has both.
        _ if terms.external.is_some() && intent.is_crosschain() => &[],
        _ if terms.external.is_some() => &[EXTERNAL_ORDER],
        _ if terms.partially_fillable => &[FILLABLE_ORDER, ORDER],
        _ => &[ORDER],
    }
}

/// The service's name (`onChainOrderType`) for the requested order.
pub fn kind_name(intent: &Intent, terms: &Terms) -> &'static str {
    fitting_types(intent, terms).first().map_or("Order", |encoded| name(encoded))
}

/// The one of [`TYPES`] that these struct types spell to the letter.
///
/// # Errors
/// The types found in place of the known ones: another root than `primary_type`, another domain than [`DOMAIN_TYPE`],
/// other members, or a type beside it.
pub fn known_type(types: &Types<'_>, primary_type: Option<&str>) -> core::result::Result<&'static str, String> {
    let root = types.root().ok_or("no single root type")?;
    if let Some(primary) = primary_type.filter(|primary| *primary != root) {
        return Err(["primaryType ", primary].concat());
    }
    if let Some(domain) = types.encode_type(name(DOMAIN_TYPE)).filter(|domain| domain != DOMAIN_TYPE) {
        return Err(domain);
    }
    let encoded = types.encode_type(root).unwrap_or_default();
    let known = TYPES.iter().copied().find(|known| *known == encoded).ok_or(encoded)?;
    let is_signed = |wanted| [DOMAIN_TYPE, known].iter().any(|encoded| part(encoded, wanted).is_some());
    match types.names().find(|name| !is_signed(name)) {
        Some(other) => Err(["beside it the type ", other].concat()),
        None => Ok(known),
    }
}

/// The signing domain of a chain's Delta contract.
pub fn domain(chain_id: u64, delta: Address) -> TypedStruct {
    TypedStruct::of(DOMAIN_TYPE, vec![DOMAIN_NAME.into(), DOMAIN_VERSION.into(), chain_id.into(), delta.into()])
}
