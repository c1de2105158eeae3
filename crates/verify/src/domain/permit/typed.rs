//! The structs that are signed for permits (EIP-712), by kind. Permit2's are those of its published interface:
//! <https://github.com/Uniswap/permit2>.

use super::{Grant, PermitKind};
use crate::domain::typed_struct::{TypedStruct, Value, part};

/// The struct of a permit by EIP-2612.
pub const EIP2612: &str = "Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)";
/// DAI's permit, which is older than EIP-2612 and has no amount.
pub const DAI: &str = "Permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed)";
/// Permit2's permit for one transfer.
pub const TRANSFER: &str = concat!(
    "PermitTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline)",
    "TokenPermissions(address token,uint256 amount)"
);
/// Permit2's permit for an allowance.
pub const ALLOWANCE: &str = concat!(
    "PermitSingle(PermitDetails details,address spender,uint256 sigDeadline)",
    "PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)"
);

/// The encoded type that is signed for a kind; `None` if nothing is signed.
pub fn encoded(kind: PermitKind) -> Option<&'static str> {
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
    encoded(grant.kind).map(|encoded| of(encoded, encoded, grant))
}

/// Fills any of the four types by the names of its members: each name means one thing in all of them.
fn of(encoded: &'static str, whole: &'static str, grant: &Grant) -> TypedStruct {
    TypedStruct::made(encoded, &|name, kind| match name {
        "owner" | "holder" => grant.owner.into(),
        "spender" => grant.spender.into(),
        "token" => grant.token.into(),
        "value" | "amount" => grant.amount.into(),
        "nonce" => grant.nonce.into(),
        "allowed" => true.into(),
        "permitted" | "details" => Value::Struct(of(part(whole, kind).unwrap_or_default(), whole, grant)),
        _ => grant.deadline.into(),
    })
}
