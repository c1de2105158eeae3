//! What a pool with Uniswap V3's interface says of its past: the mean price, and how much it takes to move it.
//!
//! Formulas: <https://uniswap.org/whitepaper-v3.pdf>, sections 5 and 6.2. Both means are over time, so that what is lent
//! or moved for one block does not count.

use super::real::Real;
use alloy_primitives::{Address, U256};

/// Behind how many seconds the recent price begins: five minutes, the shortest window that counts.
pub const RECENT_SECS: u64 = 300;
/// How many dollars must not move a pool's price by more than 2 %: what is thinner does not testify.
const DEPTH_USD: u64 = 50_000;

/// A pool that may exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The token that its tick counts in, whose address is the lower one.
    pub token0: Address,
    /// The other token. The price of a tick is raw units of this one for a raw unit of `token0`.
    pub token1: Address,
    /// Its contract.
    pub address: Address,
}

/// A pool's means over one window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mean {
    /// Raw units of `token1` for a raw unit of `token0`.
    price: Real,
    /// Its square root.
    root: Real,
    /// The harmonic mean of the liquidity, whose low moments count most.
    liquidity: Real,
}

/// A pool that answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pool {
    /// Which one.
    pub place: Place,
    /// How many seconds its long mean covers, 300 to 1800.
    pub window_secs: u64,
    long: Mean,
    recent: Mean,
    /// The liquidity around the present price: the mean over 2 % below it, or above it, whichever is less.
    around: Real,
}

/// A price by one witness, raw units for a raw unit: over the longest window that it has, and of late.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Price {
    /// Over the long window.
    pub long: Real,
    /// Over the last five minutes.
    pub recent: Real,
}

impl Price {
    /// The same price at both times.
    pub fn steady(price: Real) -> Price {
        Price { long: price, recent: price }
    }

    /// This price of a thing in another, at that price of the other: the first in the third.
    pub fn times(self, by: Price) -> Price {
        Price { long: self.long.times(by.long), recent: self.recent.times(by.recent) }
    }

    /// The price the other way round.
    pub fn reversed(self) -> Price {
        Price { long: Real::ONE.over(self.long), recent: Real::ONE.over(self.recent) }
    }
}

impl Pool {
    /// A pool by what it said of a window: its sum of ticks, and of seconds per liquidity, when the window began, five
    /// minutes ago, and now; and its liquidity around the price. `None` if no liquidity was there all the time.
    pub fn of(place: &Place, window: U256, said: [U256; 7]) -> Option<Pool> {
        let [ticks, late, now, seconds, later, latest, around] = said;
        let window_secs = u64::try_from(window).ok().filter(|secs| *secs >= RECENT_SECS)?;
        let long = Mean::of(window_secs, (ticks, now), (seconds, latest))?;
        let recent = Mean::of(RECENT_SECS, (late, now), (later, latest))?;
        Some(Pool { place: *place, window_secs, long, recent, around: Real::of(around) })
    }

    /// The price of `token0`, or else of `token1`, in the other one.
    pub fn price(&self, of_token0: bool) -> Price {
        let price = Price { long: self.long.price, recent: self.recent.price };
        if of_token0 { price } else { price.reversed() }
    }

    /// The dollars that are needed to move its price by 2 % either way, by its liquidity over the long window, of late, or
    /// around the price now, whichever is least. What was lent for this block is not in the first two; what lies in one
    /// tick, or on one side, is not in the last. `usd` is what a raw unit of `token1`, or else of `token0`, is worth.
    pub fn depth(&self, usd: Real, of_token1: bool) -> Real {
        // The root of the price moves by in / reserve: the root of 1.02 is 1.00995.
        let dollars = |mean: Mean| {
            let reserve = if of_token1 { mean.liquidity.times(mean.root) } else { mean.liquidity.over(mean.root) };
            reserve.times(usd).times(Real::of(U256::from(995))).over(Real::of(U256::from(100_000)))
        };
        let around = Mean { liquidity: self.around, ..self.recent };
        dollars(self.long).min(dollars(self.recent)).min(dollars(around))
    }
}

/// Whether so many dollars are enough to testify.
pub fn is_deep(dollars: Real) -> bool {
    dollars >= Real::of(U256::from(DEPTH_USD))
}

impl Mean {
    /// The means over so many seconds, from the sums when they began and now. `None` for a tick that no pool can have, or
    /// without liquidity.
    fn of(secs: u64, (ticks, ticks_now): (U256, U256), (seconds, seconds_now): (U256, U256)) -> Option<Mean> {
        // Sums of seconds per liquidity have 160 bits and start again at zero. Times 2^128.
        let passed = seconds_now.wrapping_sub(seconds) & U256::MAX.wrapping_shr(96);
        let tick = mean_tick(ticks_now.wrapping_sub(ticks), secs)?;
        let root = Real::root_of_tick(tick);
        let whole = Real::of(U256::from(secs)).times(Real::of(U256::from(1).wrapping_shl(128)));
        (!passed.is_zero()).then(|| Mean { price: root.times(root), root, liquidity: whole.over(Real::of(passed)) })
    }
}

/// The mean tick of a sum of ticks over so many seconds, rounded down, also below zero. `None` beyond the ticks that a
/// pool can have.
pub fn mean_tick(sum: U256, secs: u64) -> Option<i32> {
    let is_negative = sum.bit(255);
    let size = u64::try_from(if is_negative { sum.wrapping_neg() } else { sum }).ok()?;
    let up = if is_negative { secs.saturating_sub(1) } else { 0 };
    let tick = i32::try_from(size.saturating_add(up).checked_div(secs)?).ok().filter(|tick| *tick <= 887_272)?;
    Some(if is_negative { tick.saturating_neg() } else { tick })
}
