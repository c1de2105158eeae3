//! The partner's fee, which Delta orders and Market trades compute alike.

use super::bps::Bps;
use super::side::Side;
use crate::error::Result;
use crate::json::JsonAt;
use alloy_primitives::U256;

/// The highest fee in bps. The Delta contract and the router take no more, whatever the order or calldata states.
pub const CAP_BPS: u16 = 200;

/// Reads a fee in bps that the caller passed in, 0 to [`CAP_BPS`].
///
/// # Errors
/// INVALID_INPUT if it is no integer of that range.
pub fn fee_bps(at: &JsonAt<'_>) -> Result<u16> {
    Ok(u16::try_from(at.integer(CAP_BPS.into())?).unwrap_or(CAP_BPS))
}

/// `amount` after the fee, raw units, rounded down; 0 for a fee above 100 %.
///
/// ```
/// use alloy_primitives::U256;
/// use verified_swap_verify::internal::domain::fee::after_fee;
/// assert_eq!(after_fee(U256::from(1_000_000), 10), U256::from(999_000));
/// ```
pub fn after_fee(amount: U256, fee_bps: u16) -> U256 {
    Bps::new(fee_bps.into()).map_or(U256::ZERO, |fee| fee.below(amount))
}

/// The amount that the router pays out of `amount`, raw units. The fee of a purchase is taken from the source tokens
/// that its trade left, as the router's published source has it (`InsufficientBalanceToPayFees`).
pub fn paid_by_router(side: Side, amount: U256, fee_bps: u16) -> U256 {
    if side == Side::Buy { amount } else { after_fee(amount, fee_bps) }
}
