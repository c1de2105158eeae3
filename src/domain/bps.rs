//! Basis points, and the two directions a bound may be rounded in.

use super::amount::mul_div;
use alloy_primitives::U256;

/// Basis points, 0 to 10 000 (100 %).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bps(u16);

impl Bps {
    /// 100 %.
    pub const WHOLE: u16 = 10_000;

    /// Basis points, unless above 10 000.
    pub fn new(bps: u64) -> Option<Bps> {
        u16::try_from(bps).ok().filter(|bps| *bps <= Bps::WHOLE).map(Bps)
    }

    /// The number.
    pub fn get(self) -> u16 {
        self.0
    }

    /// `floor(amount x (10000 - bps) / 10000)`: the least that may come out.
    pub fn below(self, amount: U256) -> U256 {
        mul_div(amount, Bps::WHOLE.saturating_sub(self.0), Bps::WHOLE).map_or(amount, |(floor, _)| floor)
    }

    /// The least amount that is something: slippage of a few units may leave none, and only slippage of everything says so.
    pub fn least_unit(self) -> U256 {
        U256::from(u8::from(self.0 < Bps::WHOLE))
    }

    /// `ceil(amount x (10000 + bps) / 10000)`: the most that may go in. `None` above 256 bits.
    pub fn above(self, amount: U256) -> Option<U256> {
        let (floor, exact) = mul_div(amount, Bps::WHOLE.saturating_add(self.0), Bps::WHOLE)?;
        if exact { Some(floor) } else { floor.checked_add(U256::from(1)) }
    }
}
