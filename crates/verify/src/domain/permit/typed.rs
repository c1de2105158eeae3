//! The structs that are signed for permits (EIP-712), by kind. Permit2's are those of its published interface:
//! <https://github.com/Uniswap/permit2>.

use super::{Grant, PermitKind};
use crate::domain::typed_struct::{TypedStruct, Value};

/// The struct of a permit by EIP-2612.
pub const EIP2612: &str = "Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)";
/// DAI's permit, which is older than EIP-2612 and has no amount.
pub const DAI: &str = "Permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed)";

/// The struct inside [`TRANSFER`].
macro_rules! permissions {
    () => {
        "TokenPermissions(address token,uint256 amount)"
    };
}

/// The struct inside [`ALLOWANCE`].
macro_rules! details {
    () => {
        "PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)"
    };
}

/// Permit2's permit for one transfer.
pub const TRANSFER: &str = concat!(
    "PermitTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline)",
    permissions!()
);
/// Permit2's permit for an allowance.
pub const ALLOWANCE: &str =
    concat!("PermitSingle(PermitDetails details,address spender,uint256 sigDeadline)", details!());

/// The `encodeType` text that is signed for a kind; `None` if nothing is signed.
pub fn type_text(kind: PermitKind) -> Option<&'static str> {
    Some(match kind {
        PermitKind::Eip2612 => EIP2612,
        PermitKind::Dai => DAI,
        PermitKind::Permit2Transfer => TRANSFER,
        PermitKind::Permit2Allowance => ALLOWANCE,
        PermitKind::Permit2Existing => return None,
    })
}

/// The struct that is signed for a grant; `None` if nothing is signed.
pub fn message(grant: &Grant) -> Option<TypedStruct> {
    let of = TypedStruct::of;
    let (owner, spender, token) = (grant.owner.into(), grant.spender.into(), grant.token.into());
    let (amount, nonce, deadline) = (grant.amount.into(), grant.nonce.into(), Value::from(grant.deadline));
    let text = type_text(grant.kind)?;
    let values = match grant.kind {
        PermitKind::Eip2612 => vec![owner, spender, amount, nonce, deadline],
        PermitKind::Dai => vec![owner, spender, nonce, deadline, true.into()],
        PermitKind::Permit2Transfer => {
            vec![Value::Struct(of(permissions!(), vec![token, amount])), spender, nonce, deadline]
        }
        PermitKind::Permit2Allowance => {
            let details = of(details!(), vec![token, amount, deadline.clone(), nonce]);
            vec![Value::Struct(details), spender, deadline]
        }
        PermitKind::Permit2Existing => return None,
    };
    Some(of(text, values))
}
