//! The structs that are signed for permits (EIP-712), by kind. Permit2's are those of its published interface:
//! <https://github.com/Uniswap/permit2>.

use super::{Grant, PermitKind};
use crate::domain::typed_struct::{TypedStruct, Value};
use alloy_primitives::{B256, U256};

/// The struct of a permit by EIP-2612.
pub const EIP2612: &str = "Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)";
/// DAI's permit, which is older than EIP-2612 and has no amount. The client signs none.
pub const DAI: &str = "Permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed)";

/// The struct inside [`TRANSFER`].
#[doc(hidden)]
#[macro_export]
macro_rules! permissions {
    () => {
        "TokenPermissions(address token,uint256 amount)"
    };
}

/// The struct inside [`ALLOWANCE`].
#[doc(hidden)]
#[macro_export]
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
        PermitKind::Permit2Transfer => TRANSFER,
        PermitKind::Permit2Allowance => ALLOWANCE,
        PermitKind::Permit2Existing => return None,
    })
}

/// The struct that is signed for a grant; `None` if nothing is signed. The values are in the order of the type.
pub fn message(grant: &Grant) -> Option<TypedStruct> {
    let (owner, spender, token) = (grant.owner.into_word(), grant.spender.into_word(), grant.token.into_word());
    let (amount, nonce) = (B256::from(grant.amount), B256::from(grant.nonce));
    let deadline = B256::from(U256::from(grant.deadline));
    let text = type_text(grant.kind)?;
    Some(match grant.kind {
        PermitKind::Eip2612 => of(text, None, &[owner, spender, amount, nonce, deadline]),
        PermitKind::Permit2Transfer => {
            of(text, Some(of(permissions!(), None, &[token, amount])), &[spender, nonce, deadline])
        }
        PermitKind::Permit2Allowance => {
            of(text, Some(of(details!(), None, &[token, amount, deadline, nonce])), &[spender, deadline])
        }
        PermitKind::Permit2Existing => return None,
    })
}

/// A struct of words, behind a struct inside it.
fn of(text: &'static str, inner: Option<TypedStruct>, words: &[B256]) -> TypedStruct {
    let mut values = Vec::new();
    if let Some(inner) = inner {
        values.push(Value::Struct(inner));
    }
    for word in words {
        values.push(Value::Word(*word));
    }
    TypedStruct::of(text, values)
}
