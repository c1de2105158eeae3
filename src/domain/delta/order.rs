//! The signed orders: their types, and the domain they are signed in.

use super::terms::Terms;
use crate::domain::eip712::Types;
use crate::domain::intent::Intent;
use crate::domain::member::Kinds;
use crate::domain::side::Side;
use crate::domain::typed_struct::{StructOf, TypedStruct, name};
use alloy_primitives::Address;

/// The signing domain's name (EIP-712) of the Delta contract.
pub const DOMAIN_NAME: &str = "Portikus";
/// The signing domain's version.
pub const DOMAIN_VERSION: &str = "2.0.0";

/// The encoded type of the signing domain.
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

/// An intent: `owner` gives at most `srcAmount`, `beneficiary` gets at least `destAmount`, before `deadline`.
pub const ORDER: &str = concat!("Order", order_members!());

/// The same, filled in parts. The service may as well sign it as an [`ORDER`].
pub const FILLABLE_ORDER: &str = concat!("FillableOrder", order_members!());

/// An intent in slices: each gives its share of `totalSrcAmount` and gets at least `destAmountPerSlice`.
pub const TWAP_ORDER: &str = concat!("TWAPOrder", twap_members!("destAmountPerSlice", "totalSrcAmount"));

/// An intent in slices: each gets its share of `totalDestAmount` for at most its share of `maxSrcAmount`.
pub const TWAP_BUY_ORDER: &str = concat!("TWAPBuyOrder", twap_members!("totalDestAmount", "maxSrcAmount"));

/// An intent that `handler` acts on, told by `data`.
pub const EXTERNAL_ORDER: &str = concat!(
    "ExternalOrder(address owner,address handler,address srcToken,address destToken,uint256 srcAmount,",
    "uint256 destAmount,uint256 expectedAmount,uint256 deadline,uint8 kind,uint256 nonce,uint256 partnerAndFee,",
    "bytes permit,bytes metadata,bytes data)"
);

/// The known order types (EIP-712, encoded).
pub const TYPES: [&str; 5] = [ORDER, FILLABLE_ORDER, TWAP_ORDER, TWAP_BUY_ORDER, EXTERNAL_ORDER];

/// The kinds of a [`DeltaOrder`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeltaKinds {}

impl Kinds for DeltaKinds {
    const TYPES: &'static [&'static str] = &TYPES;
}

/// A signed order.
pub type DeltaOrder = StructOf<DeltaKinds>;

/// The types that say what was asked for; the first is what the service calls it (`onChainOrderType`).
pub fn fitting_types(intent: &Intent, terms: &Terms) -> &'static [&'static str] {
    match (&intent.twap, intent.side) {
        (Some(_), Side::Sell) => &[TWAP_ORDER],
        (Some(_), Side::Buy) => &[TWAP_BUY_ORDER],
        // It does not say on which chain: none says it together with another one.
        _ if terms.external.is_some() && intent.is_crosschain() => &[],
        _ if terms.external.is_some() => &[EXTERNAL_ORDER],
        _ if terms.partially_fillable => &[FILLABLE_ORDER, ORDER],
        _ => &[ORDER],
    }
}

/// What the service calls an order of that kind.
pub fn kind_name(intent: &Intent, terms: &Terms) -> &'static str {
    fitting_types(intent, terms).first().map_or("Order", |encoded| name(encoded))
}

/// The order type that these are, to the letter; `None` for any other.
pub fn known_type(types: &Types<'_>, primary_type: Option<&str>) -> Option<&'static str> {
    let root = types.root()?;
    let encoded = types.encode_type(root)?;
    let domain = types.encode_type("EIP712Domain");
    let fits = primary_type.is_none_or(|primary| primary == root) && domain.is_none_or(|domain| domain == DOMAIN_TYPE);
    let known = TYPES.iter().copied().find(|known| *known == encoded).filter(|_| fits)?;
    let names = |wanted| wanted == "EIP712Domain" || known.split_inclusive(')').any(|part| name(part) == wanted);
    types.names().all(names).then_some(known)
}

/// The domain of a chain's Delta contract.
pub fn domain(chain_id: u64, delta: Address) -> TypedStruct {
    TypedStruct::of(DOMAIN_TYPE, vec![DOMAIN_NAME.into(), DOMAIN_VERSION.into(), chain_id.into(), delta.into()])
}
