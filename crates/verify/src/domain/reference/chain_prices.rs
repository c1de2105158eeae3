//! The reference prices of one chain, from the answers of its pools and feeds.

use super::pools::{Block, HELD_BLOCKS, Place, Pool, Price, is_deep};
use super::price_float::PriceFloat;
use super::sources::{Feed, Sources, Why};
use alloy_primitives::{Address, U256};

/// How many seconds after its heartbeat a feed still counts: one was seen 84 s late, and feeds with 27 s are a minute
/// old.
const LATE_SECS: u64 = 900;

/// The answers of a chain's references. Prices are raw units for a raw unit; dollars are whole ones.
#[derive(Clone, Debug)]
pub struct ChainPrices {
    sources: Sources,
    /// The timestamp of the block that was read, unix seconds; the earlier one of two.
    pub time: u64,
    /// The timestamp and number of the block in which pools were read.
    pub pools_read: Option<(u64, u64)>,
    pools: Vec<Pool>,
    /// Tokens with their feeds' prices in dollars for a whole unit.
    feeds: Vec<(Address, PriceFloat)>,
    /// Why pools, and why feeds, gave no answer; `None` if they did.
    unanswered: (Option<Why>, Option<Why>),
}

/// A path from one token to another through pools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolPath {
    /// The dollars that move its thinnest pool.
    pub depth: PriceFloat,
    /// The price over all pools of the path.
    pub price: Price,
    /// The lowest and the highest price of the deep paths, of long and of recent prices.
    pub range: (Price, Price),
    /// The shortest window of its pools, in seconds; 0 if one of them has no history.
    pub window_secs: u64,
    /// The least number of seconds for which its pools are known to be deep.
    pub held_secs: u64,
    /// The number of its pools.
    pub pools: u8,
}

/// The pools that count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PoolFilter {
    /// Reference pools only: those that have a history, and were deep in it.
    DeepInHistory,
    /// Also those that are deep at this moment only: anybody may have moved their price.
    DeepNow,
}

impl ChainPrices {
    /// The state before any answer.
    pub fn new(sources: &Sources) -> ChainPrices {
        let (sources, unanswered) = (sources.clone(), (None, None));
        ChainPrices { sources, time: 0, pools_read: None, pools: vec![], feeds: vec![], unanswered }
    }

    /// The state without answers, for that reason.
    pub fn unanswered(sources: &Sources, why: Why) -> ChainPrices {
        ChainPrices { unanswered: (Some(why), Some(why)), ..ChainPrices::new(sources) }
    }

    /// Notes that some of the pools did not answer.
    pub fn miss_pools(&mut self) {
        self.unanswered.0 = Some(Why::Silent);
    }

    /// Adds the answers of pools in a block.
    pub fn add_pools(&mut self, block: Block) {
        let (time, number) = self.pools_read.unwrap_or((block.time, block.number));
        self.pools_read = Some((time.min(block.time), number.min(block.number)));
        self.note_time(block.time);
        self.pools.extend(block.pools);
    }

    /// Adds the answers of feeds.
    pub fn add_feeds(&mut self, heard: ChainPrices) {
        self.note_time(heard.time);
        self.feeds.extend(heard.feeds);
    }

    fn note_time(&mut self, time: u64) {
        self.time = if self.time == 0 { time } else { self.time.min(time) };
    }

    /// The pools that may count as references, as far as known by now.
    pub fn deep_pools(&self) -> Vec<Place> {
        let is_deep = |pool: &&Pool| {
            let Place { token0, token1, .. } = pool.place;
            let valued = self.valued(token0, token1, PoolFilter::DeepInHistory);
            // Before older blocks are read, both directions give the same result.
            self.depth(pool, &valued, PoolFilter::DeepInHistory, true).is_some_and(is_deep)
        };
        self.pools.iter().filter(is_deep).map(|pool| pool.place).collect()
    }

    /// Adds the state of those pools in older blocks; within a second, that counts as one. Blocks that are not older
    /// prove nothing.
    pub fn hold(&mut self, asked: &[Place], blocks: &[Block; HELD_BLOCKS]) {
        let Some((time, number)) = self.pools_read else { return };
        let oldest = blocks.iter().map(|block| block.time).min().unwrap_or_default();
        let is_older = blocks.iter().all(|block| block.number < number && block.time <= time);
        for pool in self.pools.iter_mut().filter(|_| is_older) {
            let place = pool.place;
            match asked.contains(&place) {
                true => pool.hold(
                    time.saturating_sub(oldest).max(1),
                    blocks.each_ref().map(|block| block.pools.iter().find(|then| then.place == place)),
                ),
                // The pool was not deep, and another pool's depth does not change that.
                false => pool.forget(),
            }
        }
    }

    /// Whether a feed reported the price of a token.
    pub fn has_feed(&self, token: Address) -> bool {
        self.dollars_by_feed(token, 0).is_some()
    }

    /// Why pools, and why feeds, have no price of a token, if they have none. A pinned feed without a usable answer is
    /// silent; a token without a feed has none.
    pub fn silence(&self, token: Address) -> (Why, Why) {
        let token = self.sources.token(token);
        let has_pools = !self.sources.factory.is_zero();
        let has_feed = self.sources.feeds.iter().any(|feed| feed.token == token);
        let pools = if has_pools { self.unanswered.0.unwrap_or(Why::None) } else { Why::None };
        (pools, if has_feed { self.unanswered.1.unwrap_or(Why::Silent) } else { Why::None })
    }

    /// Adds a feed's answer, unless it has other decimals than required (`decimals` is one more), no price, or is older
    /// than its heartbeat allows.
    pub fn read_feed(&mut self, feed: &Feed, decimals: U256, answer: U256, written: U256) {
        let is_known = decimals == U256::from(u64::from(feed.decimals).saturating_add(1));
        let until = u64::try_from(written).ok().map(|at| at.saturating_add(feed.heartbeat_secs.into()));
        let is_fresh = until.is_some_and(|until| until.saturating_add(LATE_SECS) >= self.time);
        if is_known && is_fresh && !answer.is_zero() && !answer.bit(255) {
            self.feeds.push((feed.token, PriceFloat::of(answer).over(PriceFloat::ten_to(feed.decimals.into()))));
        }
    }

    /// The price of `from` in `to`, both of this chain, by the deepest path: a pool of the two, or over one token
    /// between them. `None` if none is deep enough.
    pub fn by_pools(&self, from: Address, to: Address, filter: PoolFilter) -> Option<PoolPath> {
        let (from, to) = (self.sources.token(from), self.sources.token(to));
        // In a path over a hub only the part of the token itself may vary: otherwise one odd pool between two hubs
        // would affect every token.
        let hubs = self.sources.hubs();
        let hop = |from: Address, to: Address| {
            let path = self.hop(from, to, filter)?;
            Some(if hubs.contains(&from) && hubs.contains(&to) { path.alone() } else { path })
        };
        let over = |hub: Address| Some(hop(from, hub)?.then(&hop(hub, to)?));
        let paths = hubs.iter().copied().filter(|hub| *hub != from && *hub != to).filter_map(over);
        deepest(paths.chain(self.hop(from, to, filter)))
    }

    /// Whether two tokens of the chain are one asset: the native token and its ERC-20 form, as these references have it.
    pub fn is_one(&self, one: Address, other: Address) -> bool {
        self.sources.token(one) == self.sources.token(other)
    }

    /// The pools' price of a raw unit of a token in dollars: one for each whole unit of a dollar token.
    pub fn dollars_by_pools(&self, token: Address, filter: PoolFilter) -> Option<PoolPath> {
        let token = self.sources.token(token);
        let to_dollars = |(dollar, decimals): &(Address, u8)| {
            let path = if *dollar == token { PoolPath::NONE } else { self.by_pools(token, *dollar, filter)? };
            Some(path.times(one_by(*decimals)))
        };
        deepest(self.sources.dollars.iter().filter_map(to_dollars))
    }

    /// The pools' price of a dollar in raw units of a token. Computed in this direction, because a pool's price differs
    /// between directions.
    pub fn units_by_pools(&self, token: Address, filter: PoolFilter) -> Option<PoolPath> {
        let token = self.sources.token(token);
        let of_dollars = |(dollar, decimals): &(Address, u8)| {
            let path = if *dollar == token { PoolPath::NONE } else { self.by_pools(*dollar, token, filter)? };
            Some(path.times(one_by(*decimals).reversed()))
        };
        deepest(self.sources.dollars.iter().filter_map(of_dollars))
    }

    /// The feed's price of a raw unit of a token in dollars.
    pub fn dollars_by_feed(&self, token: Address, decimals: u8) -> Option<Price> {
        let token = self.sources.token(token);
        let (_, dollars) = self.feeds.iter().find(|(known, _)| *known == token)?;
        Some(Price::steady(*dollars).times(one_by(decimals)))
    }

    /// The deepest pool of two tokens, of which one is a hub.
    fn hop(&self, from: Address, to: Address, filter: PoolFilter) -> Option<PoolPath> {
        let valued = self.valued(from, to, filter);
        let between = self.pools.iter().filter(|pool| {
            let Place { token0, token1, .. } = pool.place;
            (token0, token1) == (from, to) || (token0, token1) == (to, from)
        });
        let paths = between.filter_map(|pool| {
            let is_first = from == pool.place.token0;
            let past = self.depth(pool, &valued, PoolFilter::DeepInHistory, is_first).filter(|depth| is_deep(*depth));
            let (depth, price, window_secs, held_secs) = match (past, filter) {
                (Some(depth), _) => (depth, pool.price(is_first), pool.window_secs(), pool.held_secs()),
                (None, PoolFilter::DeepNow) => {
                    (self.depth(pool, &valued, filter, is_first)?, pool.price_now(is_first), 0, 0)
                }
                (None, PoolFilter::DeepInHistory) => return None,
            };
            // If every look found it above its mean, the mean belongs to another time.
            let seen = pool.least_seen(is_first);
            let most = if price.asks() < seen { Price::steady(seen) } else { price };
            Some(PoolPath { depth, price, range: (price, most), window_secs, held_secs, pools: 1 })
        });
        deepest(paths.filter(|path| is_deep(path.depth)))
    }

    /// The dollar values of two tokens by a raw unit, as far as known: the dollar tokens among them, else the native
    /// token.
    fn valued(&self, from: Address, to: Address, filter: PoolFilter) -> Vec<(Address, PriceFloat)> {
        let wrapped = self.sources.wrapped;
        let dollar = |token| Some((token, one_by(self.sources.dollar_decimals(token)?).long));
        let dollars: Vec<(Address, PriceFloat)> = [from, to].into_iter().filter_map(dollar).collect();
        if !dollars.is_empty() || (from != wrapped && to != wrapped) {
            return dollars;
        }
        // Its own depth is in dollars, so the recursion ends here.
        self.native_dollars(filter).map(|usd| (wrapped, usd)).into_iter().collect()
    }

    /// The dollars that move a pool as the reference for the price of `token0`, or else of `token1`. If both are dollar
    /// tokens, the one in which the pool is thinner counts: the other may have lost its value.
    fn depth(
        &self,
        pool: &Pool,
        valued: &[(Address, PriceFloat)],
        filter: PoolFilter,
        of_token0: bool,
    ) -> Option<PriceFloat> {
        let dollars = |(token, usd): &(Address, PriceFloat)| match (*token == pool.place.token1, filter) {
            (of_token1, PoolFilter::DeepInHistory) => pool.depth(*usd, of_token1, of_token0),
            (of_token1, PoolFilter::DeepNow) => Some(pool.depth_now(*usd, of_token1)),
        };
        valued.iter().map(dollars).min().flatten()
    }

    /// The dollar value of a raw unit of the native token, by the deepest pool with a dollar, else by its feed.
    fn native_dollars(&self, filter: PoolFilter) -> Option<PriceFloat> {
        let wrapped = self.sources.wrapped;
        let by_dollar =
            |(dollar, decimals): &(Address, u8)| Some(self.hop(wrapped, *dollar, filter)?.times(one_by(*decimals)));
        let by_pool = deepest(self.sources.dollars.iter().filter_map(by_dollar));
        by_pool.map(|path| path.price.long).or_else(|| Some(self.dollars_by_feed(wrapped, 18)?.long))
    }
}

/// The deepest of several paths, with the range of all their prices; the last of equals.
fn deepest(paths: impl IntoIterator<Item = PoolPath>) -> Option<PoolPath> {
    paths.into_iter().reduce(|one, other| {
        let join = |one: Price, other: Price, of: fn(PriceFloat, PriceFloat) -> PriceFloat| Price {
            long: of(one.long, other.long),
            recent: of(one.recent, other.recent),
        };
        let range =
            (join(one.range.0, other.range.0, PriceFloat::min), join(one.range.1, other.range.1, PriceFloat::max));
        PoolPath { range, ..if other.depth >= one.depth { other } else { one } }
    })
}

impl PoolPath {
    /// The path from a token to itself.
    pub const NONE: PoolPath = PoolPath {
        depth: PriceFloat::ONE,
        price: Price { long: PriceFloat::ONE, recent: PriceFloat::ONE },
        range: (
            Price { long: PriceFloat::ONE, recent: PriceFloat::ONE },
            Price { long: PriceFloat::ONE, recent: PriceFloat::ONE },
        ),
        window_secs: u64::MAX,
        held_secs: u64::MAX,
        pools: 0,
    };

    /// This path, followed by another one.
    pub fn then(self, next: &PoolPath) -> PoolPath {
        PoolPath {
            depth: self.depth.min(next.depth),
            price: self.price.times(next.price),
            range: (self.range.0.times(next.range.0), self.range.1.times(next.range.1)),
            window_secs: self.window_secs.min(next.window_secs),
            held_secs: self.held_secs.min(next.held_secs),
            pools: self.pools.saturating_add(next.pools),
        }
    }

    /// This path without the range of others.
    fn alone(self) -> PoolPath {
        PoolPath { range: (self.price, self.price), ..self }
    }

    /// This path, with its destination valued at that price.
    fn times(self, price: Price) -> PoolPath {
        self.then(&PoolPath { depth: self.depth, price, range: (price, price), ..PoolPath::NONE })
    }
}

/// One for a whole unit of a token with these decimals: the value of a raw unit.
fn one_by(decimals: u8) -> Price {
    Price::steady(PriceFloat::ten_to(0_i32.saturating_sub(decimals.into())))
}
