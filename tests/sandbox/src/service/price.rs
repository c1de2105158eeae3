//! A trade's cost now, the solver's gas included.

use alloy_primitives::{Address, U256};

use super::Refusal;
use crate::chain::{Chain, RpcError};

/// A settlement's gas.
const GAS_UNITS: u64 = 200_000;
/// Above this many bits no token has amounts, and products with reserves could overflow.
const MOST_BITS: usize = 128;

/// A trade to price. `amount` is of `src` for a sale, of `dest` for a purchase.
#[derive(Clone, Copy, Debug)]
pub struct Trade {
    pub src: Address,
    pub dest: Address,
    pub is_sell: bool,
    pub amount: U256,
}

/// A solver's offer, in raw units.
#[derive(Clone, Copy, Debug)]
pub struct Price {
    /// The solver's demand, in `src`.
    pub spend: U256,
    /// How much of it it trades in the pool.
    pub trade_in: U256,
    /// Its delivery, in `dest`.
    pub promised: U256,
    /// Its gas: taken from `dest` in a sale, added to `src` in a purchase.
    pub gas: U256,
    /// How far the trade moves the pool's price, in bps.
    pub impact_bps: u64,
}

impl Trade {
    /// Asks the pool. The solver takes its gas to cost `gas_price_wei` a unit.
    ///
    /// # Errors
    /// PricingError where there is no such pair or not enough of it, GasCostExceedsTradeAmount for dust.
    pub async fn price(self, chain: &Chain, gas_price_wei: u64) -> Result<Price, Refusal> {
        if self.amount.bit_len() > MOST_BITS {
            return Err(Refusal::pricing("No route"));
        }
        let (src, dest) = (chain.asset(self.src), chain.asset(self.dest));
        let gas = gas_in(chain, if self.is_sell { dest } else { src }, gas_price_wei).await?;
        let price = if self.is_sell {
            let out = if src == dest { self.amount } else { found(chain.amount_out(src, dest, self.amount).await)? };
            let promised = out.checked_sub(gas).filter(|left| !left.is_zero()).ok_or_else(too_small)?;
            let impact_bps = impact(chain, src, dest, self.amount, out).await?;
            Price { spend: self.amount, trade_in: self.amount, promised, gas, impact_bps }
        } else {
            let trade_in =
                if src == dest { self.amount } else { found(chain.amount_in(src, dest, self.amount).await)? };
            if gas >= trade_in {
                return Err(too_small());
            }
            let impact_bps = impact(chain, src, dest, trade_in, self.amount).await?;
            Price { spend: trade_in.saturating_add(gas), trade_in, promised: self.amount, gas, impact_bps }
        };
        Ok(price)
    }
}

fn too_small() -> Refusal {
    Refusal::new(400, "GasCostExceedsTradeAmount", "Gas cost exceeds trade amount")
}

/// The gas of a settlement in units of `asset`.
async fn gas_in(chain: &Chain, asset: Address, gas_price_wei: u64) -> Result<U256, Refusal> {
    let wei = U256::from(GAS_UNITS) * U256::from(gas_price_wei);
    if asset == chain.wrapped_native {
        Ok(wei)
    } else {
        found(chain.amount_out(chain.wrapped_native, asset, wei).await)
    }
}

/// By how much the trade is worse than the reserves' ratio.
async fn impact(chain: &Chain, src: Address, dest: Address, sold: U256, bought: U256) -> Result<u64, Refusal> {
    if src == dest {
        return Ok(0);
    }
    let reserves = chain.reserves(src, dest).await?;
    let ideal = sold.saturating_mul(reserves.dest) / reserves.src.max(U256::from(1));
    let lost = ideal.saturating_sub(bought).saturating_mul(U256::from(10_000));
    Ok(lost.checked_div(ideal).map_or(0, |bps| bps.saturating_to()))
}

/// The pool refuses what it has no liquidity for.
fn found(answer: Result<U256, RpcError>) -> Result<U256, Refusal> {
    answer.map_err(|error| if error.refused { Refusal::pricing("No route") } else { error.into() })
}
