//! Which permits an order may carry, and which it has to.

use alloy_primitives::{Address, Bytes};

use super::Refusal;
use crate::chain::{Chain, PermitKind, TokenKind};
use crate::order::OrderKind;

/// # Errors
/// When the permit has the length of no kind, or is none for such an order; and where there is none though the token
/// gives allowances by signature only.
pub fn require_permit(chain: &Chain, token: Address, kind: OrderKind, permit: &Bytes) -> Result<(), Refusal> {
    let signs_only = chain.token(token).is_some_and(|token| token.kind == TokenKind::SignOnly);
    let wrong = match PermitKind::of(permit) {
        None => "permit must have 0, 1, 96, 192 or 224 bytes",
        Some(PermitKind::None) if signs_only => "permit is required: the token takes allowances by signature only",
        Some(PermitKind::None) => return Ok(()),
        Some(_) if chain.sells_native(token) => "permit: the native token needs none",
        Some(_) if kind.is_twap() => "permit: orders in slices need an approval",
        Some(PermitKind::Transfer) if kind == OrderKind::Fillable => {
            "permit: an order in parts needs more than one transfer"
        }
        Some(_) => return Ok(()),
    };
    Err(Refusal::invalid(wrong))
}
