//! Basis points, and the bounds that are computed with them.
//!
//! A bound is always rounded so that the service gains nothing by it: one on the received amount is computed as the
//! service computes it, rounded down, one on the spent amount rounded up (docs/verification.md, "Typed data against
//! quote and request").

use crate::value::amount::mul_div;
use alloy_primitives::U256;

/// A share in basis points (hundredths of a percent), 0 to 10 000, which is 100 %.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bps(u16);

impl Bps {
    /// 100 % in basis points.
    pub const WHOLE: u16 = 10_000;

    /// The share; `None` above 10 000.
    pub fn new(bps: u64) -> Option<Bps> {
        u16::try_from(bps).ok().filter(|bps| *bps <= Bps::WHOLE).map(Bps)
    }

    /// The number of basis points, 0 to 10 000.
    pub fn get(self) -> u16 {
        self.0
    }

    /// `floor(amount x (10000 - bps) / 10000)`: the least that may come out at this slippage, or the amount after a
    /// fee.
    ///
    /// ```
    /// use alloy_primitives::U256;
    /// use verified_swap_verify::internal::domain::bps::Bps;
    /// let half_percent = Bps::new(50).unwrap();
    /// assert_eq!(half_percent.below(U256::from(999)), U256::from(994)); // 994.005
    /// assert_eq!(half_percent.above(U256::from(999)), Some(U256::from(1004))); // 1003.995
    /// ```
    pub fn below(self, amount: U256) -> U256 {
        mul_div(amount, Bps::WHOLE.saturating_sub(self.0), Bps::WHOLE).map_or(amount, |(floor, _)| floor)
    }

    /// The lowest floor that a slippage can mean, raw units: 1, or 0 at 100 %. For a small amount [`Bps::below`] can
    /// return 0, which is right only for a slippage of 100 %.
    pub fn least_unit(self) -> U256 {
        U256::from(u8::from(self.0 < Bps::WHOLE))
    }

    /// `ceil(amount x (10000 + bps) / 10000)`: the most that may go in at this slippage. `None` above 256 bits.
    pub fn above(self, amount: U256) -> Option<U256> {
        let (floor, exact) = mul_div(amount, Bps::WHOLE.saturating_add(self.0), Bps::WHOLE)?;
        if exact { Some(floor) } else { floor.checked_add(U256::from(1)) }
    }
}
