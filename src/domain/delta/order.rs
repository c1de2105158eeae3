//! The signed orders: their types, and the domain they are signed in.

use crate::domain::eip712::Types;
use crate::domain::typed_struct::{TypedStruct, name};
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

/// The known order types (EIP-712, encoded).
pub const TYPES: [&str; 1] = [ORDER];

/// The order type that these are, to the letter; `None` for any other.
pub fn known_type(types: &Types<'_>, primary_type: Option<&str>) -> Option<&'static str> {
    let root = types.root()?;
    let encoded = types.encode_type(root)?;
    let domain = types.encode_type("EIP712Domain");
    let fits = primary_type.is_none_or(|primary| primary == root) && domain.is_none_or(|domain| domain == DOMAIN_TYPE);
    let known = TYPES.into_iter().find(|known| *known == encoded).filter(|_| fits)?;
    let names = |wanted| wanted == "EIP712Domain" || known.split_inclusive(')').any(|part| name(part) == wanted);
    types.names().all(names).then_some(known)
}

/// The domain of a chain's Delta contract.
pub fn domain(chain_id: u64, delta: Address) -> TypedStruct {
    TypedStruct::of(DOMAIN_TYPE, vec![DOMAIN_NAME.into(), DOMAIN_VERSION.into(), chain_id.into(), delta.into()])
}
