//! What a pool with Uniswap V3's interface says of its past: the mean price, and how much it takes to move it.
//!
//! Formulas: <https://uniswap.org/whitepaper-v3.pdf>, sections 5 and 6.2. Both means are over time, so that what is lent
//! or moved for one block does not count. Of liquidity they know only what is in range: how wide it lies is looked at now
//! and in older blocks.

use super::soft_float::SoftFloat;
use crate::domain::bps::Bps;
use alloy_primitives::{Address, U256};

/// Behind how many seconds the recent price begins: five minutes, the shortest window that counts.
pub const RECENT_SECS: u64 = 300;
/// How many dollars must not move a pool's price by more than 2 %: what is thinner does not read_references.
const DEPTH_USD: u64 = 50_000;

/// How far from the price that a pool testifies to its price in an older block may be, for its depth there to count.
const ELSEWHERE_BPS: u16 = 500;
/// In how many older blocks a pool is looked at: the oldest one, and one that nobody knows beforehand.
pub const HELD_BLOCKS: usize = 2;

/// A pool that may exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The token that its tick counts in, whose address is the lower one.
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
    price: SoftFloat,
    /// Its square root.
    root: SoftFloat,
    /// The harmonic mean of the liquidity over the window, whose low moments count most; or what is around the price.
    liquidity: SoftFloat,
}

/// What a pool said of its past: sums over time when a window began, five minutes ago, and now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct History {
    /// How many seconds ago the window began.
    pub window: U256,
    /// `tickCumulative` at these three times.
    pub ticks: [U256; 3],
    /// `secondsPerLiquidityCumulativeX128` at these three times.
    pub seconds: [U256; 3],
}

/// A pool that is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pool {
    /// Where the pool is, and its two tokens.
    pub place: Place,
    /// What it is now: its price, and the liquidity around it, the mean over 2 % below or above, whichever is less.
    now: Mean,
    /// What it was over its window and of late, and the seconds of its window, 300 to 1800; `None` if it cannot tell.
    past: Option<(u64, Mean, Mean)>,
    /// What it was in older blocks, as `now`, and how many seconds ago the oldest of them was.
    held: Option<(u64, [Mean; HELD_BLOCKS])>,
}

/// What pools say in one block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Its timestamp, unix seconds.
    pub time: u64,
    /// The block's number.
    pub number: u64,
    /// Those that are there.
    pub pools: Vec<Pool>,
}

impl Block {
    /// Several answers as one; of different blocks, as of the earliest. `None` without any.
    pub fn joined(blocks: Vec<Block>) -> Option<Block> {
        blocks.into_iter().reduce(|mut all, block| {
            (all.time, all.number) = (all.time.min(block.time), all.number.min(block.number));
            all.pools.extend(block.pools);
            all
        })
    }
}

/// A price by one reference, raw units for a raw unit: over the longest window that it has, and of late.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Price {
    /// Over the long window.
    pub long: SoftFloat,
    /// Over the last five minutes.
    pub recent: SoftFloat,
}

impl Price {
    /// The one of both that asks for less.
    pub fn asks(self) -> SoftFloat {
        self.long.min(self.recent)
    }

    /// The same price at both times.
    pub fn steady(price: SoftFloat) -> Price {
        Price { long: price, recent: price }
    }

    /// This price of a thing in another, at that price of the other: the first in the third.
    pub fn times(self, by: Price) -> Price {
        Price { long: self.long.times(by.long), recent: self.recent.times(by.recent) }
    }

    /// The price the other way round.
    pub fn reversed(self) -> Price {
        Price { long: SoftFloat::ONE.over(self.long), recent: SoftFloat::ONE.over(self.recent) }
    }
}

impl Pool {
    /// A pool by what it says of itself: its tick, the liquidity around it, and its past if it can tell. `None` for a tick
    /// that no pool can have.
    pub fn of(place: &Place, tick: U256, around: U256, history: Option<History>) -> Option<Pool> {
        let root = SoftFloat::root_of_tick(mean_tick(tick, 1)?);
        let now = Mean { price: root.times(root), root, liquidity: SoftFloat::of(around) };
        Some(Pool { place: *place, now, past: history.and_then(History::means), held: None })
    }

    /// Takes what it said of itself in older blocks, of which the oldest was so many seconds ago. One that was not there
    /// then had nothing.
    pub fn hold(&mut self, secs: u64, then: [Option<&Pool>; HELD_BLOCKS]) {
        let none = Mean { liquidity: SoftFloat::ZERO, ..self.now };
        self.held = Some((secs, then.map(|pool| pool.map_or(none, |pool| pool.now))));
    }

    /// The price of `token0`, or else of `token1`, in the other one: by its past, or without one that of this moment.
    pub fn price(&self, of_token0: bool) -> Price {
        let (long, recent) = self.past.map_or((self.now, self.now), |(_, long, recent)| (long, recent));
        let price = Price { long: long.price, recent: recent.price };
        if of_token0 { price } else { price.reversed() }
    }

    /// As [`Pool::price`], of this moment.
    pub fn price_now(&self, of_token0: bool) -> Price {
        Pool { past: None, ..*self }.price(of_token0)
    }

    /// The least that it asked at each moment at which it was looked at: now, and in older blocks.
    pub fn least_seen(&self, of_token0: bool) -> SoftFloat {
        let then = self.held.iter().flat_map(|(_, then)| then);
        then.chain([&self.now]).map(|mean| mean.price_of(of_token0)).fold(self.now.price_of(of_token0), SoftFloat::min)
    }

    /// The dollars that are needed to move its price by 2 % either way: of its liquidity over the long window, of late,
    /// around the price now, and in each older block that was read, the least. What was lent for this block is not in the
    /// first two; what lies in one tick, or on one side, is not in the third; what was not there before is not in the
    /// last, nor what lay at another price than it testifies to. `usd` is what a raw unit of `token1`, or else of
    /// `token0`, is worth; it testifies to the price of `token0`, or else of `token1`. `None` if it cannot tell its past.
    pub fn depth(&self, usd: SoftFloat, of_token1: bool, of_token0: bool) -> Option<SoftFloat> {
        let (_, long, recent) = self.past?;
        let asks = self.price(of_token0).asks();
        let is_elsewhere = |mean: &Mean| {
            let then = mean.price_of(of_token0);
            is_apart(then.min(asks), then.max(asks), ELSEWHERE_BPS)
        };
        let then = || self.held.iter().flat_map(|(_, then)| then);
        if then().any(is_elsewhere) {
            return Some(SoftFloat::ZERO);
        }
        let all = then().chain([&recent]).map(|mean| mean.dollars(usd, of_token1));
        Some(all.fold(long.dollars(usd, of_token1), SoftFloat::min).min(self.depth_now(usd, of_token1)))
    }

    /// As [`Pool::depth`], of this moment alone.
    pub fn depth_now(&self, usd: SoftFloat, of_token1: bool) -> SoftFloat {
        self.now.dollars(usd, of_token1)
    }

    /// The seconds of its window; 0 if it cannot tell its past.
    pub fn window_secs(&self) -> u64 {
        self.past.map_or(0, |(secs, ..)| secs)
    }

    /// Has it forget its past, because nobody looked at older blocks for it.
    pub fn forget(&mut self) {
        self.past = None;
    }

    /// For how many seconds it is known to be as deep as it is; 0 if only this moment was seen.
    pub fn held_secs(&self) -> u64 {
        self.held.map_or(0, |(secs, _)| secs)
    }
}

impl History {
    /// The seconds of the window, and both means. `None` without liquidity all the time.
    fn means(self) -> Option<(u64, Mean, Mean)> {
        let History { window, ticks: [ticks, late, now], seconds: [seconds, later, latest] } = self;
        let secs = u64::try_from(window).ok().filter(|secs| *secs >= RECENT_SECS)?;
        let long = Mean::of(secs, (ticks, now), (seconds, latest))?;
        Some((secs, long, Mean::of(RECENT_SECS, (late, now), (later, latest))?))
    }
}

/// Whether one price asks for more than that many bps less than the other.
pub fn is_apart(less: SoftFloat, more: SoftFloat, bps: u16) -> bool {
    let whole = SoftFloat::of(U256::from(Bps::WHOLE));
    less < more.times(SoftFloat::of(U256::from(Bps::WHOLE.saturating_sub(bps)))).over(whole)
}

/// Whether so many dollars are enough to read_references.
pub fn is_deep(dollars: SoftFloat) -> bool {
    dollars >= SoftFloat::of(U256::from(DEPTH_USD))
}

impl Mean {
    /// The price of `token0`, or else of `token1`.
    fn price_of(&self, of_token0: bool) -> SoftFloat {
        if of_token0 { self.price } else { SoftFloat::ONE.over(self.price) }
    }

    /// The dollars that move the price by 2 %. The root of the price moves by in / reserve: the root of 1.02 is 1.00995.
    fn dollars(&self, usd: SoftFloat, of_token1: bool) -> SoftFloat {
        let reserve = if of_token1 { self.liquidity.times(self.root) } else { self.liquidity.over(self.root) };
        reserve.times(usd).times(SoftFloat::of(U256::from(995))).over(SoftFloat::of(U256::from(100_000)))
    }

    /// The means over so many seconds, from the sums when they began and now. `None` for a tick that no pool can have, or
    /// without liquidity.
    fn of(secs: u64, (ticks, ticks_now): (U256, U256), (seconds, seconds_now): (U256, U256)) -> Option<Mean> {
        // Sums of seconds per liquidity have 160 bits and start again at zero. Times 2^128.
        let passed = seconds_now.wrapping_sub(seconds) & U256::MAX.wrapping_shr(96);
        let tick = mean_tick(ticks_now.wrapping_sub(ticks), secs)?;
        let root = SoftFloat::root_of_tick(tick);
        let whole = SoftFloat::of(U256::from(secs)).times(SoftFloat::of(U256::from(1).wrapping_shl(128)));
        (!passed.is_zero()).then(|| Mean {
            price: root.times(root),
            root,
            liquidity: whole.over(SoftFloat::of(passed)),
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
