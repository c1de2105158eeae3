//! A pool with Uniswap V3's interface and its history: the mean price, and the amount that moves it.
//!
//! Formulas: <https://uniswap.org/whitepaper-v3.pdf>, sections 5 and 6.2. Both means are over time, so that liquidity
//! lent or prices moved for one block do not count. Means cover only liquidity in range: its width is read now and in
//! older blocks.

use super::price_float::PriceFloat;
use crate::domain::bps::Bps;
use alloy_primitives::{Address, U256};

/// How many seconds back the recent price begins: five minutes, the shortest window that counts.
pub const RECENT_SECS: u64 = 300;
/// The dollars that must not move a pool's price by more than 2 %: a thinner pool is no reference.
const DEPTH_USD: u64 = 50_000;

/// The most that a pool's price in an older block may differ from its reference price, for its depth there to count.
const ELSEWHERE_BPS: u16 = 500;
/// The number of older blocks at which a pool is read: the oldest one, and one that cannot be predicted.
pub const HELD_BLOCKS: usize = 2;

/// A pool that may exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The token that its tick counts in, with the lower address.
    pub token0: Address,
    /// The other token. The price of a tick is raw units of this one for a raw unit of `token0`.
    pub token1: Address,
    /// The pool's contract.
    pub address: Address,
}

/// A pool over a window, or at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mean {
    /// Raw units of `token1` for a raw unit of `token0`.
    price: PriceFloat,
    /// Its square root.
    root: PriceFloat,
    /// The harmonic mean of the liquidity over the window, which low moments dominate; or the liquidity around the
    /// price.
    liquidity: PriceFloat,
}

/// A pool's history: sums over time at the start of a window, five minutes ago, and now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct History {
    /// How many seconds ago the window began.
    pub window: U256,
    /// `tickCumulative` at these three times.
    pub ticks: [U256; 3],
    /// `secondsPerLiquidityCumulativeX128` at these three times.
    pub seconds: [U256; 3],
}

/// A pool that exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pool {
    /// The pool's place, and its two tokens.
    pub place: Place,
    /// Its present state: its price, and the liquidity around it, the mean over 2 % below or above, whichever is less.
    now: Mean,
    /// Its means over the window and of late, and the seconds of its window, 300 to 1800; `None` without a history.
    past: Option<(u64, Mean, Mean)>,
    /// Its states in older blocks, in the form of `now`, and how many seconds ago the oldest of them was.
    held: Option<(u64, [Mean; HELD_BLOCKS])>,
}

/// The states of pools in one block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Its timestamp, unix seconds.
    pub time: u64,
    /// The block's number.
    pub number: u64,
    /// The pools that exist.
    pub pools: Vec<Pool>,
}

impl Block {
    /// Several answers as one; the block is the earliest. `None` without any.
    pub fn joined(blocks: Vec<Block>) -> Option<Block> {
        blocks.into_iter().reduce(|mut all, block| {
            (all.time, all.number) = (all.time.min(block.time), all.number.min(block.number));
            all.pools.extend(block.pools);
            all
        })
    }
}

/// A price by one reference, raw units for a raw unit: over its longest window, and of late.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Price {
    /// Over the long window.
    pub long: PriceFloat,
    /// Over the last five minutes.
    pub recent: PriceFloat,
}

impl Price {
    /// The lower one of both.
    pub fn asks(self) -> PriceFloat {
        self.long.min(self.recent)
    }

    /// The same price at both times.
    pub fn steady(price: PriceFloat) -> Price {
        Price { long: price, recent: price }
    }

    /// This price of a thing in another, times the other's price in a third: the first in the third.
    pub fn times(self, by: Price) -> Price {
        Price { long: self.long.times(by.long), recent: self.recent.times(by.recent) }
    }

    /// The price in the other direction.
    pub fn reversed(self) -> Price {
        Price { long: PriceFloat::ONE.over(self.long), recent: PriceFloat::ONE.over(self.recent) }
    }
}

impl Pool {
    /// A pool from its answer: its tick, the liquidity around it, and its history if it has one. `None` for a tick that
    /// no pool can have.
    pub fn of(place: &Place, tick: U256, around: U256, history: Option<History>) -> Option<Pool> {
        let root = PriceFloat::root_of_tick(mean_tick(tick, 1)?);
        let now = Mean { price: root.times(root), root, liquidity: PriceFloat::of(around) };
        Some(Pool { place: *place, now, past: history.and_then(History::means), held: None })
    }

    /// Adds its states in older blocks, of which the oldest was so many seconds ago. A pool that did not exist then had
    /// no liquidity.
    pub fn hold(&mut self, secs: u64, then: [Option<&Pool>; HELD_BLOCKS]) {
        let none = Mean { liquidity: PriceFloat::ZERO, ..self.now };
        self.held = Some((secs, then.map(|pool| pool.map_or(none, |pool| pool.now))));
    }

    /// The price of `token0`, or else of `token1`, in the other one: by its history, or without one at this moment.
    pub fn price(&self, of_token0: bool) -> Price {
        let (long, recent) = self.past.map_or((self.now, self.now), |(_, long, recent)| (long, recent));
        let price = Price { long: long.price, recent: recent.price };
        if of_token0 { price } else { price.reversed() }
    }

    /// [`Pool::price`] at this moment.
    pub fn price_now(&self, of_token0: bool) -> Price {
        Pool { past: None, ..*self }.price(of_token0)
    }

    /// The lowest price at each moment at which it was read: now, and in older blocks.
    pub fn least_seen(&self, of_token0: bool) -> PriceFloat {
        let then = self.held.iter().flat_map(|(_, then)| then);
        then.chain([&self.now]).map(|mean| mean.price_of(of_token0)).fold(self.now.price_of(of_token0), PriceFloat::min)
    }

    /// The dollars needed to move its price by 2 % either way: the least by its liquidity over the long window, of
    /// late, around the price now, and in each older block that was read. Liquidity lent for this block does not affect
    /// the first two; liquidity in one tick, or on one side, not the third; liquidity that was not there before, or lay
    /// at another price than the reference price, not the last. `usd` is the value of a raw unit of `token1`, or else
    /// of `token0`; the price is that of `token0`, or else of `token1`. `None` without a history.
    pub fn depth(&self, usd: PriceFloat, of_token1: bool, of_token0: bool) -> Option<PriceFloat> {
        let (_, long, recent) = self.past?;
        let asks = self.price(of_token0).asks();
        let is_elsewhere = |mean: &Mean| {
            let then = mean.price_of(of_token0);
            is_apart(then.min(asks), then.max(asks), ELSEWHERE_BPS)
        };
        let then = || self.held.iter().flat_map(|(_, then)| then);
        if then().any(is_elsewhere) {
            return Some(PriceFloat::ZERO);
        }
        let all = then().chain([&recent]).map(|mean| mean.dollars(usd, of_token1));
        Some(all.fold(long.dollars(usd, of_token1), PriceFloat::min).min(self.depth_now(usd, of_token1)))
    }

    /// [`Pool::depth`] at this moment alone.
    pub fn depth_now(&self, usd: PriceFloat, of_token1: bool) -> PriceFloat {
        self.now.dollars(usd, of_token1)
    }

    /// The seconds of its window; 0 without a history.
    pub fn window_secs(&self) -> u64 {
        self.past.map_or(0, |(secs, ..)| secs)
    }

    /// Drops its history, because no older blocks were read for it.
    pub fn forget(&mut self) {
        self.past = None;
    }

    /// For how many seconds its depth is known; 0 if only this moment was read.
    pub fn held_secs(&self) -> u64 {
        self.held.map_or(0, |(secs, _)| secs)
    }
}

impl History {
    /// The seconds of the window, and both means. `None` if it had no liquidity at times.
    fn means(self) -> Option<(u64, Mean, Mean)> {
        let History { window, ticks: [ticks, late, now], seconds: [seconds, later, latest] } = self;
        let secs = u64::try_from(window).ok().filter(|secs| *secs >= RECENT_SECS)?;
        let long = Mean::of(secs, (ticks, now), (seconds, latest))?;
        Some((secs, long, Mean::of(RECENT_SECS, (late, now), (later, latest))?))
    }
}

/// Whether one price is lower than the other by more than that many bps.
pub fn is_apart(less: PriceFloat, more: PriceFloat, bps: u16) -> bool {
    let whole = PriceFloat::of(U256::from(Bps::WHOLE));
    less < more.times(PriceFloat::of(U256::from(Bps::WHOLE.saturating_sub(bps)))).over(whole)
}

/// Whether a depth of so many dollars makes a reference.
pub fn is_deep(dollars: PriceFloat) -> bool {
    dollars >= PriceFloat::of(U256::from(DEPTH_USD))
}

impl Mean {
    /// The price of `token0`, or else of `token1`.
    fn price_of(&self, of_token0: bool) -> PriceFloat {
        if of_token0 { self.price } else { PriceFloat::ONE.over(self.price) }
    }

    /// The dollars that move the price by 2 %. The root of the price moves by in / reserve; the root of 1.02 is
    /// 1.00995.
    fn dollars(&self, usd: PriceFloat, of_token1: bool) -> PriceFloat {
        let reserve = if of_token1 { self.liquidity.times(self.root) } else { self.liquidity.over(self.root) };
        reserve.times(usd).times(PriceFloat::of(U256::from(995))).over(PriceFloat::of(U256::from(100_000)))
    }

    /// The means over so many seconds, from the sums at their start and now. `None` for a tick that no pool can have,
    /// or without liquidity.
    fn of(secs: u64, (ticks, ticks_now): (U256, U256), (seconds, seconds_now): (U256, U256)) -> Option<Mean> {
        // Sums of seconds per liquidity have 160 bits and wrap around. Times 2^128.
        let passed = seconds_now.wrapping_sub(seconds) & U256::MAX.wrapping_shr(96);
        let tick = mean_tick(ticks_now.wrapping_sub(ticks), secs)?;
        let root = PriceFloat::root_of_tick(tick);
        let whole = PriceFloat::of(U256::from(secs)).times(PriceFloat::of(U256::from(1).wrapping_shl(128)));
        (!passed.is_zero()).then(|| Mean {
            price: root.times(root),
            root,
            liquidity: whole.over(PriceFloat::of(passed)),
        })
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
