//! The partner's fee, as it is on either path.

use super::bps::Bps;
use alloy_primitives::U256;

/// The highest fee that Delta contract and router take, in bps.
pub const CAP_BPS: u16 = 200;

/// What is left of an amount after the fee, rounded down.
pub fn after_fee(amount: U256, fee_bps: u16) -> U256 {
    Bps::new(fee_bps.into()).map_or(U256::ZERO, |fee| fee.below(amount))
}
