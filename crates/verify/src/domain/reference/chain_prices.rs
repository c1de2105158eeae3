//! What the references of one chain said, and the prices that follow.

use super::pools::{Block, HELD_BLOCKS, Place, Pool, Price, is_deep};
use super::soft_float::SoftFloat;
use super::sources::{Feed, Sources, Why};
use alloy_primitives::{Address, U256};

/// How many seconds after its heartbeat a feed still testifies: one was seen 84 s late, and those of 27 s are a minute old.
const LATE_SECS: u64 = 900;

/// The answers of a chain's references. Prices are raw units for a raw unit; dollars are whole ones.
#[derive(Clone, Debug)]
pub struct ChainPrices {
    sources: Sources,
    /// The timestamp of the block that was read, unix seconds; of two, the earlier one.
    pub time: u64,
    /// The timestamp and number of the block in which pools were read.
    pub pools_read: Option<(u64, u64)>,
    pools: Vec<Pool>,
    /// Tokens with the dollars that feeds give for a whole one.
    feeds: Vec<(Address, SoftFloat)>,
    /// Why nothing was heard of its pools, and of its feeds; `None` if they were heard.
    unanswered: (Option<Why>, Option<Why>),
}

/// A way from one token to another over pools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    /// What it takes to move the thinner pool of it, in dollars.
    pub depth: SoftFloat,
    /// The price over all pools of the way.
    pub price: Price,
    /// The least that deep ways ask, and the most, of long and of recent prices.
    pub range: (Price, Price),
    /// The shortest window of its pools, in seconds; 0 if one of them cannot tell its past.
    pub window_secs: u64,
    /// For how many seconds its pools are known to be deep, the least of them.
    pub held_secs: u64,
    /// How many pools it goes over.
    pub pools: u8,
}

/// Which pools count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    /// Those that read_references: that can tell their past, and were deep in it.
    Past,
    /// Those, too, that are deep at this moment: a price that anybody may have moved.
    Now,
}

impl ChainPrices {
    /// Nothing was said yet.
    pub fn new(sources: &Sources) -> ChainPrices {
        let (sources, unanswered) = (sources.clone(), (None, None));
        ChainPrices { sources, time: 0, pools_read: None, pools: vec![], feeds: vec![], unanswered }
    }

    /// Nobody was heard, for that reason.
    pub fn unanswered(sources: &Sources, why: Why) -> ChainPrices {
        ChainPrices { unanswered: (Some(why), Some(why)), ..ChainPrices::new(sources) }
    }

    /// Pools were asked, and some of them did not answer.
    pub fn miss_pools(&mut self) {
        self.unanswered.0 = Some(Why::Silent);
    }

    /// Takes what pools said in a block.
    pub fn add_pools(&mut self, block: Block) {
        let (time, number) = self.pools_read.unwrap_or((block.time, block.number));
        self.pools_read = Some((time.min(block.time), number.min(block.number)));
        self.note_time(block.time);
        self.pools.extend(block.pools);
    }

    /// Takes what was heard of feeds.
    pub fn add_feeds(&mut self, heard: ChainPrices) {
        self.note_time(heard.time);
        self.feeds.extend(heard.feeds);
    }

    fn note_time(&mut self, time: u64) {
        self.time = if self.time == 0 { time } else { self.time.min(time) };
    }

    /// The pools that read_references, as far as is known by now.
    pub fn deep_pools(&self) -> Vec<Place> {
        let is_deep = |pool: &&Pool| {
            let Place { token0, token1, .. } = pool.place;
            let valued = self.valued(token0, token1, Sight::Past);
            // As long as no older block was read, either direction says the same.
            self.depth(pool, &valued, Sight::Past, true).is_some_and(is_deep)
        };
        self.pools.iter().filter(is_deep).map(|pool| pool.place).collect()
    }

    /// Takes what those pools were in older blocks; within a second, that counts as one. Blocks that are not older say
    /// nothing.
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
                // It was not deep, and is no deeper for what another pool turned out to be.
                false => pool.forget(),
            }
        }
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
        let pools = if has_pools { self.unanswered.0.unwrap_or(Why::None) } else { Why::None };
        (pools, if has_feed { self.unanswered.1.unwrap_or(Why::Silent) } else { Why::None })
    }

    /// Takes what a feed said, unless it has other decimals than it has to have (`decimals` is one more), no price, or was
    /// not written for longer than its heartbeat.
    pub fn read_feed(&mut self, feed: &Feed, decimals: U256, answer: U256, written: U256) {
        let is_known = decimals == U256::from(u64::from(feed.decimals).saturating_add(1));
        let until = u64::try_from(written).ok().map(|at| at.saturating_add(feed.heartbeat_secs.into()));
        let is_fresh = until.is_some_and(|until| until.saturating_add(LATE_SECS) >= self.time);
        if is_known && is_fresh && !answer.is_zero() && !answer.bit(255) {
            self.feeds.push((feed.token, SoftFloat::of(answer).over(SoftFloat::ten_to(feed.decimals.into()))));
        }
    }

    /// The price of `from` in `to`, both of this chain, by the deepest way: a pool of the two, or over one token between
    /// them. `None` if none is deep enough.
    pub fn by_pools(&self, from: Address, to: Address, sight: Sight) -> Option<Way> {
        let (from, to) = (self.sources.token(from), self.sources.token(to));
        // Of a way over a hub only the part varies that is of the token itself: else one odd pool between two hubs would
        // speak of every token.
        let hubs = self.sources.hubs();
        let hop = |from: Address, to: Address| {
            let way = self.hop(from, to, sight)?;
            Some(if hubs.contains(&from) && hubs.contains(&to) { way.alone() } else { way })
        };
        let over = |hub: Address| Some(hop(from, hub)?.then(&hop(hub, to)?));
        let ways = hubs.iter().copied().filter(|hub| *hub != from && *hub != to).filter_map(over);
        deepest(ways.chain(self.hop(from, to, sight)))
    }

    /// The dollars that pools give for a raw unit of a token: one for each whole unit of a dollar.
    pub fn dollars_by_pools(&self, token: Address, sight: Sight) -> Option<Way> {
        let token = self.sources.token(token);
        let to_dollars = |(dollar, decimals): &(Address, u8)| {
            let way = if *dollar == token { Way::NONE } else { self.by_pools(token, *dollar, sight)? };
            Some(way.times(one_by(*decimals)))
        };
        deepest(self.sources.dollars.iter().filter_map(to_dollars))
    }

    /// The raw units of a token that pools give for a dollar. It is asked that way round, because what a pool asks is not
    /// the same both ways.
    pub fn units_by_pools(&self, token: Address, sight: Sight) -> Option<Way> {
        let token = self.sources.token(token);
        let of_dollars = |(dollar, decimals): &(Address, u8)| {
            let way = if *dollar == token { Way::NONE } else { self.by_pools(*dollar, token, sight)? };
            Some(way.times(one_by(*decimals).reversed()))
        };
        deepest(self.sources.dollars.iter().filter_map(of_dollars))
    }

    /// The dollars that a feed gives for a raw unit of a token.
    pub fn dollars_by_feed(&self, token: Address, decimals: u8) -> Option<Price> {
        let token = self.sources.token(token);
        let (_, dollars) = self.feeds.iter().find(|(known, _)| *known == token)?;
        Some(Price::steady(*dollars).times(one_by(decimals)))
    }

    /// The deepest pool of two tokens, of which one is a hub.
    fn hop(&self, from: Address, to: Address, sight: Sight) -> Option<Way> {
        let valued = self.valued(from, to, sight);
        let between = self.pools.iter().filter(|pool| {
            let Place { token0, token1, .. } = pool.place;
            (token0, token1) == (from, to) || (token0, token1) == (to, from)
        });
        let ways = between.filter_map(|pool| {
            let is_first = from == pool.place.token0;
            let past = self.depth(pool, &valued, Sight::Past, is_first).filter(|depth| is_deep(*depth));
            let (depth, price, window_secs, held_secs) = match (past, sight) {
                (Some(depth), _) => (depth, pool.price(is_first), pool.window_secs(), pool.held_secs()),
                (None, Sight::Now) => (self.depth(pool, &valued, sight, is_first)?, pool.price_now(is_first), 0, 0),
                (None, Sight::Past) => return None,
            };
            // Where it asked for more than its mean whenever it was looked at, its mean is of another time.
            let seen = pool.least_seen(is_first);
            let most = if price.asks() < seen { Price::steady(seen) } else { price };
            Some(Way { depth, price, range: (price, most), window_secs, held_secs, pools: 1 })
        });
        deepest(ways.filter(|way| is_deep(way.depth)))
    }

    /// Which of two tokens is worth how many dollars, by a raw unit: the dollars among them, else the native token.
    fn valued(&self, from: Address, to: Address, sight: Sight) -> Vec<(Address, SoftFloat)> {
        let wrapped = self.sources.wrapped;
        let dollar = |token| Some((token, one_by(self.sources.dollar_decimals(token)?).long));
        let dollars: Vec<(Address, SoftFloat)> = [from, to].into_iter().filter_map(dollar).collect();
        if !dollars.is_empty() || (from != wrapped && to != wrapped) {
            return dollars;
        }
        // Its own depth is in dollars, so this goes no further.
        self.native_dollars(sight).map(|usd| (wrapped, usd)).into_iter().collect()
    }

    /// The dollars that move a pool, which is to read_references to the price of `token0`, or else of `token1`. Of two dollars, the one counts by which it is thinner: the other may have lost its
    /// worth.
    fn depth(&self, pool: &Pool, valued: &[(Address, SoftFloat)], sight: Sight, of_token0: bool) -> Option<SoftFloat> {
        let dollars = |(token, usd): &(Address, SoftFloat)| match (*token == pool.place.token1, sight) {
            (of_token1, Sight::Past) => pool.depth(*usd, of_token1, of_token0),
            (of_token1, Sight::Now) => Some(pool.depth_now(*usd, of_token1)),
        };
        valued.iter().map(dollars).min().flatten()
    }

    /// The dollars that a raw unit of the native token is worth, by the deepest pool with a dollar, else by its feed.
    fn native_dollars(&self, sight: Sight) -> Option<SoftFloat> {
        let wrapped = self.sources.wrapped;
        let by_dollar =
            |(dollar, decimals): &(Address, u8)| Some(self.hop(wrapped, *dollar, sight)?.times(one_by(*decimals)));
        let by_pool = deepest(self.sources.dollars.iter().filter_map(by_dollar));
        by_pool.map(|way| way.price.long).or_else(|| Some(self.dollars_by_feed(wrapped, 18)?.long))
    }
}

/// The deepest of several ways, with what all of them ask; of equals the last.
fn deepest(ways: impl IntoIterator<Item = Way>) -> Option<Way> {
    ways.into_iter().reduce(|one, other| {
        let join = |one: Price, other: Price, of: fn(SoftFloat, SoftFloat) -> SoftFloat| Price {
            long: of(one.long, other.long),
            recent: of(one.recent, other.recent),
        };
        let range =
            (join(one.range.0, other.range.0, SoftFloat::min), join(one.range.1, other.range.1, SoftFloat::max));
        Way { range, ..if other.depth >= one.depth { other } else { one } }
    })
}

impl Way {
    /// From a token to itself.
    pub const NONE: Way = Way {
        depth: SoftFloat::ONE,
        price: Price { long: SoftFloat::ONE, recent: SoftFloat::ONE },
        range: (
            Price { long: SoftFloat::ONE, recent: SoftFloat::ONE },
            Price { long: SoftFloat::ONE, recent: SoftFloat::ONE },
        ),
        window_secs: u64::MAX,
        held_secs: u64::MAX,
        pools: 0,
    };

    /// This way, and then another one.
    pub fn then(self, next: &Way) -> Way {
        Way {
            depth: self.depth.min(next.depth),
            price: self.price.times(next.price),
            range: (self.range.0.times(next.range.0), self.range.1.times(next.range.1)),
            window_secs: self.window_secs.min(next.window_secs),
            held_secs: self.held_secs.min(next.held_secs),
            pools: self.pools.saturating_add(next.pools),
        }
    }

    /// This way, whatever others ask.
    fn alone(self) -> Way {
        Way { range: (self.price, self.price), ..self }
    }

    /// This way, at that price of what it leads to.
    fn times(self, price: Price) -> Way {
        self.then(&Way { depth: self.depth, price, range: (price, price), ..Way::NONE })
    }
}

/// One for a whole unit of a token with these decimals: what a raw unit is.
fn one_by(decimals: u8) -> Price {
    Price::steady(SoftFloat::ten_to(0_i32.saturating_sub(decimals.into())))
}
