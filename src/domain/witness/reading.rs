//! What the witnesses of one chain said, and the prices that follow.

use super::pools::{Place, Pool, Price, RECENT_SECS, is_deep};
use super::real::Real;
use super::sources::{Feed, Sources, Why};
use alloy_primitives::{Address, U256};

/// How many seconds after its heartbeat a feed still testifies: one was seen 84 s late, and those of 27 s are a minute old.
const LATE_SECS: u64 = 900;

/// The answers of a chain's witnesses. Prices are raw units for a raw unit; dollars are whole ones.
#[derive(Clone, Debug)]
pub struct Reading {
    sources: Sources,
    /// The timestamp of the block that was read, unix seconds.
    pub time: u64,
    pools: Vec<Pool>,
    /// Tokens with the dollars that feeds give for a whole one.
    feeds: Vec<(Address, Real)>,
    /// Why nothing was heard of its pools, and of its feeds; `None` if they were heard.
    unheard: (Option<Why>, Option<Why>),
}

/// A way from one token to another over pools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    /// What it takes to move the thinner pool of it, in dollars.
    pub depth: Real,
    /// The price.
    pub price: Price,
    /// The shortest window of its pools, in seconds.
    pub window_secs: u64,
    /// How many pools it goes over.
    pub pools: u8,
}

impl Reading {
    /// Nothing was said yet.
    pub fn new(sources: &Sources, time: u64) -> Reading {
        Reading { sources: sources.clone(), time, pools: vec![], feeds: vec![], unheard: (None, None) }
    }

    /// Nobody was heard, for that reason.
    pub fn unheard(sources: &Sources, why: Why) -> Reading {
        Reading { unheard: (Some(why), Some(why)), ..Reading::new(sources, 0) }
    }

    /// This reading, of feeds alone: the pools were asked and did not answer.
    pub fn without_pools(mut self) -> Reading {
        self.unheard.0 = Some(Why::Silent);
        self
    }

    /// Whether a feed told the price of a token.
    pub fn has_feed(&self, token: Address) -> bool {
        self.dollars_by_feed(token, 0).is_some()
    }

    /// Why pools, and why feeds, say nothing of a token, if they do not. A feed that is pinned and said nothing that
    /// counts is silent; a token without one has none.
    pub fn silence(&self, token: Address) -> (Why, Why) {
        let token = self.sources.token(token);
        let has_pools = !self.sources.factory.is_zero();
        let has_feed = self.sources.feeds.iter().any(|feed| feed.token == token);
        let pools = if has_pools { self.unheard.0.unwrap_or(Why::None) } else { Why::None };
        (pools, if has_feed { self.unheard.1.unwrap_or(Why::Silent) } else { Why::None })
    }

    /// Takes what a pool said, if it had liquidity.
    pub fn hear_pool(&mut self, place: &Place, window: U256, said: [U256; 7]) {
        self.pools.extend(Pool::of(place, window, said));
    }

    /// Takes what a feed said, unless it has other decimals than it has to have (`decimals` is one more), no price, or was
    /// not written for longer than its heartbeat.
    pub fn hear_feed(&mut self, feed: &Feed, decimals: U256, answer: U256, written: U256) {
        let is_known = decimals == U256::from(u64::from(feed.decimals).saturating_add(1));
        let until = u64::try_from(written).ok().map(|at| at.saturating_add(feed.heartbeat_secs.into()));
        let is_fresh = until.is_some_and(|until| until.saturating_add(LATE_SECS) >= self.time);
        if is_known && is_fresh && !answer.is_zero() && !answer.bit(255) {
            self.feeds.push((feed.token, Real::of(answer).over(Real::ten_to(feed.decimals.into()))));
        }
    }

    /// The price of `from` in `to`, both of this chain, by the deepest way: a pool of the two, or over one token between
    /// them. `None` if none is deep enough.
    pub fn by_pools(&self, from: Address, to: Address) -> Option<Way> {
        let (from, to) = (self.sources.token(from), self.sources.token(to));
        let over = |hub: Address| Some(self.hop(from, hub)?.then(&self.hop(hub, to)?));
        let ways = self.sources.hubs().into_iter().filter(|hub| *hub != from && *hub != to).filter_map(over);
        ways.chain(self.hop(from, to)).max_by_key(|way| way.depth)
    }

    /// The dollars that pools give for a raw unit of a token: one for each whole unit of a dollar.
    pub fn dollars_by_pools(&self, token: Address) -> Option<Way> {
        let token = self.sources.token(token);
        let to_dollars = |(dollar, decimals): &(Address, u8)| {
            let way = if *dollar == token { Way::NONE } else { self.by_pools(token, *dollar)? };
            Some(Way { price: way.price.times(one_by(*decimals)), ..way })
        };
        self.sources.dollars.iter().filter_map(to_dollars).max_by_key(|way| way.depth)
    }

    /// The dollars that a feed gives for a raw unit of a token.
    pub fn dollars_by_feed(&self, token: Address, decimals: u8) -> Option<Price> {
        let token = self.sources.token(token);
        let (_, dollars) = self.feeds.iter().find(|(known, _)| *known == token)?;
        Some(Price::steady(*dollars).times(one_by(decimals)))
    }

    /// The deepest pool of two tokens, of which one is a hub. Of two dollars, the one counts by which it is thinner: the
    /// other may have lost its worth.
    fn hop(&self, from: Address, to: Address) -> Option<Way> {
        let wrapped = self.sources.wrapped;
        let dollar = |token| Some((token, one_by(self.sources.dollar_decimals(token)?).long));
        let mut valued: Vec<(Address, Real)> = [from, to].into_iter().filter_map(dollar).collect();
        if valued.is_empty() && (from == wrapped || to == wrapped) {
            // Its own depth is in dollars, so this goes no further.
            valued.push((wrapped, self.native_dollars()?));
        }
        let between = self.pools.iter().filter(|pool| {
            let Place { token0, token1, .. } = pool.place;
            (token0, token1) == (from, to) || (token0, token1) == (to, from)
        });
        let ways = between.filter_map(|pool| {
            let depths = valued.iter().map(|(token, usd)| pool.depth(*usd, *token == pool.place.token1));
            let price = pool.price(from == pool.place.token0);
            Some(Way { depth: depths.min()?, price, window_secs: pool.window_secs, pools: 1 })
        });
        ways.filter(|way| is_deep(way.depth)).max_by_key(|way| way.depth)
    }

    /// The dollars that a raw unit of the native token is worth, by the deepest pool with a dollar, else by its feed.
    fn native_dollars(&self) -> Option<Real> {
        let wrapped = self.sources.wrapped;
        let by_dollar = |(dollar, decimals): &(Address, u8)| {
            let way = self.hop(wrapped, *dollar)?;
            Some((way.depth, way.price.times(one_by(*decimals)).long))
        };
        let by_pool = self.sources.dollars.iter().filter_map(by_dollar).max_by_key(|(depth, _)| *depth);
        by_pool.map(|(_, price)| price).or_else(|| Some(self.dollars_by_feed(wrapped, 18)?.long))
    }
}

impl Way {
    /// From a token to itself.
    pub const NONE: Way = Way {
        depth: Real::ONE,
        price: Price { long: Real::ONE, recent: Real::ONE },
        window_secs: RECENT_SECS,
        pools: 0,
    };

    /// This way, and then another one.
    pub fn then(self, next: &Way) -> Way {
        Way {
            depth: self.depth.min(next.depth),
            price: self.price.times(next.price),
            window_secs: self.window_secs.min(next.window_secs),
            pools: self.pools.saturating_add(next.pools),
        }
    }

    /// This way, and back on another one: what it leads to, in what that one starts from.
    pub fn back(self, other: &Way) -> Way {
        self.then(&Way { price: other.price.reversed(), ..*other })
    }
}

/// One for a whole unit of a token with these decimals: what a raw unit is.
fn one_by(decimals: u8) -> Price {
    Price::steady(Real::ten_to(0_i32.saturating_sub(decimals.into())))
}
