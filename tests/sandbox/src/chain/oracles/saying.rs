//! The states of oracles.

use alloy_primitives::{Address, Bytes, I256, U256};
use serde_json::json;

use super::keeper::{Batch, IAggregator, IOraclePool, Segment};
use super::market::{Market, rounded, tick};
use super::{BLOCKS_BACK, FEED_DECIMALS, MEMORY_SECS, OraclePool, State};
use crate::chain::abi::IPool;
use crate::chain::deploy::DOLLARS_PER_PAIR;
use crate::chain::{Chain, RpcError};

/// How old the answer of a feed is that works.
const USUAL_AGE_SECS: u64 = 60;

/// The states; `docs/sandbox.md` has the meaning of each.
#[derive(Clone, Copy, Debug)]
pub enum Saying {
    Fresh,
    Stale {
        age_secs: u64,
    },
    Thin {
        dollars: u64,
    },
    /// The price of the token times 1.0001^ticks, for `secs` until `ago` seconds before now.
    Manipulated {
        ticks: i32,
        secs: u32,
        ago: u32,
    },
    /// Since `secs` seconds. With `lies` the market itself stays.
    Moved {
        bps: i64,
        secs: u32,
        lies: bool,
    },
    Missing,
    WrongDecimals {
        decimals: u8,
    },
    NoHistory {
        secs: u32,
    },
    /// All liquidity lies in a single tick.
    Narrow,
}

/// Which oracles.
#[derive(Clone, Copy, Debug)]
pub struct Which {
    /// All, or those that are about this token (never the placeholder).
    pub token: Option<Address>,
    pub pools: bool,
    pub feeds: bool,
    /// Pools of this fee alone, in millionths.
    pub fee: Option<u16>,
    /// Pools are that deep in the latest block alone: in older ones all lay in a single tick.
    pub sudden: bool,
}

impl Which {
    /// All of them.
    pub const ALL: Self = Self { token: None, pools: true, feeds: true, fee: None, sudden: false };

    fn means(&self, pool: &OraclePool) -> bool {
        self.pools && pool.is_about(self.token) && self.fee.is_none_or(|fee| fee == pool.fee)
    }
}

impl Saying {
    /// A pool's memory then, of a market that was the first and is the second.
    fn history(self, pool: &OraclePool, token: Address, (before, after): (Market, Market)) -> Vec<Segment> {
        let since = |ago: u32, market: Market| Segment { ago, tick: market.tick, liquidity: market.liquidity };
        let raised = |by: i32| {
            let by = if pool.tokens[0] == token { by } else { -by };
            Market { tick: tick(after.tick.as_i32().saturating_add(by)), ..after }
        };
        match self {
            Self::Thin { dollars } => {
                let shared = after.liquidity.saturating_mul(dollars.into());
                let liquidity = shared / u128::from(DOLLARS_PER_PAIR);
                vec![since(MEMORY_SECS, Market { liquidity, ..after })]
            }
            Self::Manipulated { ticks, secs, ago } => {
                let then = if ago > 0 { after } else { raised(ticks) };
                vec![since(MEMORY_SECS, after), since(ago.saturating_add(secs), raised(ticks)), since(ago, then)]
            }
            Self::Moved { bps, secs, lies } => {
                let moved = if lies { raised(ticks_of(bps)) } else { after };
                vec![since(secs.saturating_add(1).max(MEMORY_SECS), before), since(secs, moved)]
            }
            Self::NoHistory { secs } => vec![since(secs, after)],
            _ => vec![since(MEMORY_SECS, after)],
        }
    }

    /// A feed's answer then, of a token with that price.
    pub(super) fn answer(self, price: U256) -> IAggregator::setCall {
        match self {
            Self::Stale { age_secs } => set(price, FEED_DECIMALS, age_secs),
            Self::WrongDecimals { decimals } => set(price, decimals, USUAL_AGE_SECS),
            Self::Moved { bps, lies: true, .. } => set(scaled(price, bps), FEED_DECIMALS, USUAL_AGE_SECS),
            _ => set(price, FEED_DECIMALS, USUAL_AGE_SECS),
        }
    }
}

impl Chain {
    /// Oracles as they were at the start, save for the price.
    ///
    /// # Errors
    /// When the node does not answer.
    pub async fn reset_oracles(&self) -> Result<(), RpcError> {
        let state = self.oracles.state.lock().await;
        let is_as_new = state.held.is_empty() && !state.has_moved;
        drop(state);
        if is_as_new {
            return Ok(());
        }
        self.tell_oracles(Saying::Fresh, Which::ALL).await
    }

    /// Sets the state of oracles, and in a few older blocks as well. Those in another state than fresh do not follow the
    /// market until they are fresh.
    ///
    /// # Errors
    /// When the node does not answer.
    pub async fn tell_oracles(&self, saying: Saying, which: Which) -> Result<(), RpcError> {
        let mut state = self.oracles.state.lock().await;
        let before = self.market().await?;
        let is_true = matches!(saying, Saying::Fresh | Saying::Moved { lies: false, .. });
        if let (Saying::Moved { bps, lies: false, .. }, Some(token)) = (saying, which.token) {
            self.move_market(token, bps).await?;
        }
        let after = self.market().await?;
        let (mut batch, mut older) = (Batch::default(), Batch::default());
        let pools = self.oracles.pools.iter().zip(before.into_iter().zip(after));
        for (pool, markets) in pools.filter(|(pool, _)| which.means(pool)) {
            self.give_back(&mut state, pool.address).await?;
            if matches!(saying, Saying::Missing) {
                self.take_away(&mut state, pool.address).await?;
                continue;
            }
            let history = saying.history(pool, which.token.unwrap_or_default(), markets);
            let is_narrow = matches!(saying, Saying::Narrow);
            for (batch, to_narrow) in [(&mut older, is_narrow || which.sudden), (&mut batch, is_narrow)] {
                batch.add(pool.address, &IOraclePool::restartCall { history: history.clone() });
                batch.add(pool.address, &IOraclePool::narrowCall { toNarrow: to_narrow });
            }
            if !is_true {
                state.held.insert(pool.address, None);
            }
        }
        let feeds = self.oracles.feeds.iter().zip(self.prices().await?);
        for (feed, price) in feeds.filter(|_| which.feeds) {
            let is_meant = which.token.is_none_or(|token| token == self.asset(feed.token));
            // Feeds are in the first dollar: where that moves, all others do.
            let follows =
                matches!(saying, Saying::Moved { lies: false, .. }) && !state.held.contains_key(&feed.address);
            if !is_meant && !follows {
                continue;
            }
            self.give_back(&mut state, feed.address).await?;
            if matches!(saying, Saying::Missing) {
                self.take_away(&mut state, feed.address).await?;
                continue;
            }
            batch.add(feed.address, &saying.answer(price));
            if !is_true {
                state.held.insert(feed.address, None);
            }
        }
        state.has_moved = match saying {
            Saying::Moved { lies: false, .. } => true,
            Saying::Fresh if which.token.is_none() && which.pools && which.fee.is_none() => false,
            _ => state.has_moved,
        };
        if !older.is_empty() {
            self.keep(older).await?;
            let _mined: Option<serde_json::Value> = self.rpc.call("anvil_mine", json!([BLOCKS_BACK, 1])).await?;
        }
        self.keep(batch).await
    }

    /// Raises the price of a token in all pairs of the market: each gets more of the other token, or more of this one.
    async fn move_market(&self, token: Address, bps: i64) -> Result<(), RpcError> {
        let (now, base) = (scaled(U256::from(10_000), bps), U256::from(10_000));
        let others: Vec<Address> =
            self.tokens.iter().filter(|other| !other.is_native()).map(|other| other.address).collect();
        for other in others.into_iter().filter(|other| *other != token) {
            let reserves = self.reserves(token, other).await?;
            let (of, amount) = if now > base {
                (other, reserves.dest * (now - base) / base)
            } else {
                (token, reserves.src * (base - now) / now.max(U256::from(1)))
            };
            self.give(of, self.deployer(), amount).await?;
            let add = IPool::addCall {
                a: of,
                b: if of == token { other } else { token },
                amountA: amount,
                amountB: U256::ZERO,
            };
            self.write(self.deployer(), self.pool, add).await?;
        }
        Ok(())
    }

    async fn take_away(&self, state: &mut State, contract: Address) -> Result<(), RpcError> {
        let code: Bytes = self.rpc.call("eth_getCode", json!([contract, "latest"])).await?;
        state.held.insert(contract, Some(code));
        self.set_code(contract, Bytes::new()).await
    }

    async fn give_back(&self, state: &mut State, contract: Address) -> Result<(), RpcError> {
        match state.held.remove(&contract).flatten() {
            Some(code) => self.set_code(contract, code).await,
            None => Ok(()),
        }
    }

    async fn set_code(&self, contract: Address, code: Bytes) -> Result<(), RpcError> {
        let _done: Option<serde_json::Value> = self.rpc.call("anvil_setCode", json!([contract, code])).await?;
        Ok(())
    }
}

fn set(price: U256, decimals: u8, age_secs: u64) -> IAggregator::setCall {
    let price = I256::try_from(price).unwrap_or(I256::MAX);
    IAggregator::setCall { newAnswer: price, newDecimals: decimals, secondsOld: U256::from(age_secs) }
}

fn scaled(amount: U256, bps: i64) -> U256 {
    amount * U256::from(10_000_i64.saturating_add(bps).max(0).unsigned_abs()) / U256::from(10_000)
}

/// The tick of a price that is so many bps higher.
fn ticks_of(bps: i64) -> i32 {
    #[expect(clippy::cast_precision_loss, reason = "far from 2^52")]
    let factor = 1.0 + bps as f64 / 10_000.0;
    rounded(factor.ln() / 1.0001_f64.ln())
}
