//! A trade's worth on the pool, hop by hop.

use alloy_primitives::{Address, U256};

use super::request::{MAX_IMPACT_PERCENT, PriceRequest};
use crate::chain::{Chain, NATIVE, RpcError};
use crate::service::{Refusal, usd};

/// Above this many bits no token has amounts, and products with reserves could overflow.
const MOST_BITS: usize = 128;
/// A swap's gas.
const GAS_UNITS: u64 = 250_000;

/// A trade, priced. Amounts in raw units.
#[derive(Clone, Debug)]
pub struct MarketPrice {
    pub src_amount: U256,
    /// The amount that reaches the router, the partner's fee not taken yet.
    pub dest_amount: U256,
    /// The free side once the fee is counted in.
    pub after_fee: U256,
    /// At each token of the path.
    pub amounts: Vec<U256>,
    pub src_usd: String,
    pub dest_usd: String,
    pub gas: u64,
    pub gas_usd: String,
    pub is_impact_reached: bool,
}

impl PriceRequest {
    /// Asks the pool.
    ///
    /// # Errors
    /// PricingError where there is no liquidity, or the trade loses more than the request allows.
    pub async fn price(&self) -> Result<MarketPrice, Refusal> {
        let chain = &self.chain;
        let amounts = self.amounts().await?;
        let (Some(into), Some(out)) = (amounts.first(), amounts.last()) else { return Err(no_route()) };
        let (src_amount, dest_amount) =
            if self.is_sell { (self.amount, self.taxes.out_of_pool(*out)) } else { (*into, self.amount) };
        if dest_amount.is_zero() || src_amount.is_zero() {
            return Err(no_route());
        }
        let impact = impact_percent(chain, &self.path, *into, *out).await?;
        if impact > self.max_impact {
            return Err(Refusal::pricing("ESTIMATED_LOSS_GREATER_THAN_MAX_IMPACT"));
        }
        let src_usd = usd::value_of(chain, self.src, src_amount).await?;
        let dest_usd = usd::value_of(chain, self.dest, dest_amount).await?;
        if self.max_usd_impact.is_some_and(|most| usd::loss(&src_usd, &dest_usd) > most) {
            return Err(Refusal::pricing("ESTIMATED_LOSS_GREATER_THAN_MAX_IMPACT in USD"));
        }
        let (free, fee_bps) = (if self.is_sell { dest_amount } else { src_amount }, U256::from(self.fee.bps));
        let fee = free.saturating_mul(fee_bps) / U256::from(10_000);
        let gas_wei = chain.gas_price().await?.saturating_mul(U256::from(GAS_UNITS));
        Ok(MarketPrice {
            src_amount,
            dest_amount,
            after_fee: if self.is_sell { free.saturating_sub(fee) } else { free.saturating_add(fee) },
            amounts,
            src_usd,
            dest_usd,
            gas: GAS_UNITS,
            gas_usd: usd::value_of(chain, NATIVE, gas_wei).await?,
            is_impact_reached: impact > MAX_IMPACT_PERCENT,
        })
    }

    async fn amounts(&self) -> Result<Vec<U256>, Refusal> {
        if self.amount.bit_len() > MOST_BITS {
            return Err(no_route());
        }
        let hops = self.path.windows(2);
        if self.is_sell {
            let mut amounts = vec![self.taxes.into_pool(self.amount)];
            for hop in hops {
                let sold = amounts.last().copied().unwrap_or_default();
                amounts.push(found(self.chain.amount_out(hop[0], hop[1], sold).await)?);
            }
            return Ok(amounts);
        }
        let mut amounts = vec![self.amount];
        for hop in hops.rev() {
            let wanted = amounts.last().copied().unwrap_or_default();
            amounts.push(found(self.chain.amount_in(hop[0], hop[1], wanted).await)?);
        }
        amounts.reverse();
        Ok(amounts)
    }
}

/// By how much the trade is worse than the reserves' ratios.
async fn impact_percent(chain: &Chain, path: &[Address], sold: U256, bought: U256) -> Result<f64, Refusal> {
    let mut ideal = sold;
    for hop in path.windows(2) {
        let reserves = chain.reserves(hop[0], hop[1]).await?;
        ideal = ideal.saturating_mul(reserves.dest) / reserves.src.max(U256::from(1));
    }
    let lost = ideal.saturating_sub(bought).saturating_mul(U256::from(1_000_000));
    let millionths: u32 = lost.checked_div(ideal).map_or(0, |lost| lost.saturating_to());
    Ok(f64::from(millionths) / 10_000.0)
}

fn no_route() -> Refusal {
    Refusal::pricing("No routes found with enough liquidity")
}

/// The pool refuses what it has no liquidity for.
fn found(answer: Result<U256, RpcError>) -> Result<U256, Refusal> {
    answer.map_err(|error| if error.refused { no_route() } else { error.into() })
}
