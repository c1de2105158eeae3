//! The partner's fee, as it is on either path.

use super::bps::Bps;
use crate::error::Result;
use crate::json::JsonAt;
use alloy_primitives::U256;

/// The highest fee that Delta contract and router take, in bps.
pub const CAP_BPS: u16 = 200;

/// Reads a fee in bps, at most [`CAP_BPS`].
///
/// # Errors
/// Not such an integer.
pub fn fee_bps(at: &JsonAt<'_>) -> Result<u16> {
    Ok(u16::try_from(at.integer(CAP_BPS.into())?).unwrap_or(CAP_BPS))
}

/// What is left of an amount after the fee, rounded down.
pub fn after_fee(amount: U256, fee_bps: u16) -> U256 {
    Bps::new(fee_bps.into()).map_or(U256::ZERO, |fee| fee.below(amount))
}
