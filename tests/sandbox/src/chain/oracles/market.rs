//! The sandbox's market as oracles see it, and how they follow it.

use std::sync::Arc;
use std::time::Duration;

use alloy_primitives::aliases::I24;
use alloy_primitives::{I256, U256};
use alloy_sol_types::SolCall;
use tokio::time::MissedTickBehavior;

use super::keeper::{Batch, IAggregator, IOraclePool};
use super::saying::Saying;
use super::{FEED_DECIMALS, Feed, SECOND_DIVISOR, SECOND_FEE};
use crate::chain::abi::IPool;
use crate::chain::{Chain, RpcError};

/// Oracles get a new price when it is this much off, in bps. Most trades of users move it by less.
const DEVIATION_BPS: f64 = 10.0;
/// How often it is looked whether there is a new block.
const PERIOD: Duration = Duration::from_millis(150);

/// A pair in the sandbox's market.
#[derive(Clone, Copy, Debug)]
pub(super) struct Market {
    pub tick: I24,
    pub liquidity: u128,
}

/// Has a chain's oracles follow its market until the program ends.
pub async fn run_oracles(chain: Arc<Chain>) {
    let mut ticks = tokio::time::interval(PERIOD);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        if let Err(error) = chain.follow_market().await {
            eprintln!("sandbox: the oracles of chain {}: {error}", chain.id);
        }
    }
}

impl Chain {
    /// The sandbox's market for each oracle pool.
    pub(super) async fn market(&self) -> Result<Vec<Market>, RpcError> {
        let mut batch = Batch::default();
        for [a, b] in self.oracles.pools.iter().map(|pool| pool.tokens) {
            batch.add(self.pool, &IPool::reserveCall { of: a, pairedWith: b });
            batch.add(self.pool, &IPool::reserveCall { of: b, pairedWith: a });
        }
        let answers = self.read_all(batch).await?;
        let reserves = answers.iter().map(|word| f64::from(U256::from_be_slice(word)));
        let reserves: Vec<f64> = reserves.collect();
        let pairs = self.oracles.pools.iter().zip(reserves.chunks(2));
        Ok(pairs.map(|(pool, of)| market(of[0], of[1], pool.fee)).collect())
    }

    /// The feeds' tokens' prices in the first dollar, as feeds answer them.
    pub(super) async fn prices(&self) -> Result<Vec<U256>, RpcError> {
        let dollar = &self.tokens[0];
        let mut batch = Batch::default();
        for asset in self.oracles.feeds.iter().map(|feed| self.asset(feed.token)) {
            batch.add(self.pool, &IPool::reserveCall { of: asset, pairedWith: dollar.address });
            batch.add(self.pool, &IPool::reserveCall { of: dollar.address, pairedWith: asset });
        }
        let reserves: Vec<_> = self.read_all(batch).await?.iter().map(|word| U256::from_be_slice(word)).collect();
        let whole = |decimals: u8| U256::from(10).pow(U256::from(decimals));
        let price = |(feed, of): (&Feed, &[U256])| {
            let decimals = self.token(feed.token).map_or(18, |token| token.decimals);
            let [dollars, tokens] = [of[1] * whole(FEED_DECIMALS) * whole(decimals), of[0] * whole(dollar.decimals)];
            // The dollar itself is in no pair with itself.
            dollars.checked_div(tokens).unwrap_or(whole(FEED_DECIMALS))
        };
        Ok(self.oracles.feeds.iter().zip(reserves.chunks(2)).map(price).collect())
    }

    /// Moves the oracles with the market, if there is a new block and a price in it that is off.
    ///
    /// # Errors
    /// When the node does not answer.
    pub async fn follow_market(&self) -> Result<(), RpcError> {
        let mut state = self.oracles.state.lock().await;
        let height = self.height().await?;
        if state.height == height {
            return Ok(());
        }
        let pools: Vec<_> = self.oracles.pools.iter().zip(self.market().await?).collect();
        let pools: Vec<_> = pools.into_iter().filter(|(pool, _)| !state.held.contains_key(&pool.address)).collect();
        let feeds: Vec<_> = self.oracles.feeds.iter().zip(self.prices().await?).collect();
        let feeds: Vec<_> = feeds.into_iter().filter(|(feed, _)| !state.held.contains_key(&feed.address)).collect();
        let mut said = Batch::default();
        for (pool, _) in &pools {
            said.add(pool.address, &IOraclePool::slot0Call {});
        }
        for (feed, _) in &feeds {
            said.add(feed.address, &IAggregator::latestRoundDataCall {});
        }
        let said = self.read_all(said).await?;
        let (of_pools, of_feeds) = said.split_at(pools.len());
        let mut batch = Batch::default();
        for ((pool, market), said) in pools.iter().zip(of_pools) {
            let tick = IOraclePool::slot0Call::abi_decode_returns(said).map_or(I24::ZERO, |slot| slot.tick);
            if f64::from((tick - market.tick).unsigned_abs().to::<u32>()) >= DEVIATION_BPS {
                batch.add(pool.address, &IOraclePool::moveCall { tick: market.tick, amount: market.liquidity });
                state.has_moved = true;
            }
        }
        for ((feed, price), said) in feeds.iter().zip(of_feeds) {
            let said =
                IAggregator::latestRoundDataCall::abi_decode_returns(said).map_or(I256::ZERO, |round| round.price);
            let (new, old) = (f64::from(*price), f64::from(said.unsigned_abs()));
            if (new - old).abs() * 10_000.0 >= old * DEVIATION_BPS {
                batch.add(feed.address, &Saying::Fresh.answer(*price));
            }
        }
        if batch.is_empty() {
            state.height = height;
            return Ok(());
        }
        self.keep(batch).await
    }
}

/// Rounded down, as ticks are.
pub(super) fn rounded(ticks: f64) -> i32 {
    #[expect(clippy::cast_possible_truncation, reason = "a float is cut to the range")]
    let ticks = ticks.floor() as i32;
    ticks
}

/// Within what a tick can be.
pub(super) fn tick(ticks: i32) -> I24 {
    I24::try_from(ticks.clamp(-887_272, 887_272)).unwrap_or_default()
}

fn market(of_0: f64, of_1: f64, fee: u16) -> Market {
    let divisor = if fee == SECOND_FEE { SECOND_DIVISOR } else { 1 };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a float is cut to the range")]
    let liquidity = ((of_0 * of_1).sqrt() / f64::from(divisor)) as u128;
    Market { tick: tick(rounded((of_1 / of_0).ln() / 1.0001_f64.ln())), liquidity }
}
