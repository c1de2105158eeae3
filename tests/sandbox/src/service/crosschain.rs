//! Quotes from one chain to the other: a trade on the first, a bridge, and a trade on the second if needed.

use alloy_primitives::{Address, U256};
use serde_json::{Value, json};

use super::price::{Price, Trade};
use super::{Refusal, usd};
use crate::bridge::{Passage, Protocol, fee_of, passages, scaled, unscaled_up};
use crate::chain::{Chain, RpcError};
use crate::json::Json;
use crate::order::PartnerFee;

/// The request. `trade.src` is on `from`, `trade.dest` on `to`.
pub struct BridgeTerms<'a> {
    pub from: &'a Chain,
    pub to: &'a Chain,
    pub trade: Trade,
    pub fee: &'a PartnerFee,
    /// Bridges to use alone, or to leave aside.
    pub include: Vec<&'a str>,
    pub exclude: Vec<&'a str>,
    /// Whether what arrives may be traded for what was asked for.
    pub swaps: bool,
    pub max_impact_bps: f64,
    /// The solver's price for a unit of gas.
    pub gas_price_wei: u64,
}

/// One route, priced.
struct Way {
    passage: Passage,
    price: Price,
    /// The bridge's fee, in the token that is bridged.
    bridge_fee: U256,
    arrives: U256,
    output: U256,
    /// For a purchase, what has to arrive; zero for a sale.
    exact: U256,
}

impl BridgeTerms<'_> {
    /// Every way as a route of the service: the recommended one first.
    ///
    /// # Errors
    /// PricingError where there is none.
    pub async fn routes(&self) -> Result<Vec<Json>, Refusal> {
        let takes = |protocol: &Protocol| {
            (self.include.is_empty() || self.include.contains(&protocol.slug)) && !self.exclude.contains(&protocol.slug)
        };
        let Trade { src, dest, is_sell, .. } = self.trade;
        let mut ways = Vec::new();
        let mut refusal = Refusal::pricing("No bridge between these chains");
        for passage in passages(self.from, self.to, src, dest, self.swaps && is_sell, takes) {
            match self.way(passage).await {
                Ok(way) => ways.push(way),
                Err(error) if error.status >= 500 => return Err(error),
                Err(error) => refusal = error,
            }
        }
        if ways.is_empty() {
            return Err(refusal);
        }
        let fastest = ways.iter().map(|way| way.passage.protocol.estimated_ms).min();
        let best = ways.iter().map(Way::worth).max();
        let mut routes = Vec::new();
        for (index, way) in ways.iter().enumerate() {
            let mut tags = Vec::new();
            for (tag, is_so) in [
                ("recommended", index == 0),
                ("fastest", Some(way.passage.protocol.estimated_ms) == fastest),
                ("best-return", Some(way.worth()) == best),
            ] {
                if is_so {
                    tags.push(tag);
                }
            }
            routes.push(self.route(way, &tags).await?);
        }
        Ok(routes)
    }

    async fn way(&self, passage: Passage) -> Result<Way, Refusal> {
        let Trade { src, is_sell, amount, .. } = self.trade;
        let bps = U256::from(passage.protocol.fee_bps);
        let base = U256::from(10_000);
        // A purchase has to send so much that after the fee no less than wanted arrives.
        let to_send = (unscaled_up(amount, passage.factor).saturating_mul(base)).div_ceil(base - bps);
        let traded = if is_sell { amount } else { to_send };
        let price =
            Trade { src, dest: passage.token, is_sell, amount: traded }.price(self.from, self.gas_price_wei).await?;
        #[expect(clippy::cast_precision_loss, reason = "at most 10 000")]
        let impact_bps = price.impact_bps as f64;
        if impact_bps > self.max_impact_bps {
            return Err(Refusal::pricing("Price impact too high"));
        }
        let bridge_fee = fee_of(price.promised, bps);
        let net = scaled(price.promised.saturating_sub(bridge_fee), passage.factor);
        let arrives = if is_sell { net } else { amount };
        if arrives.is_zero() {
            return Err(Refusal::new(400, "GasCostExceedsTradeAmount", "Gas cost exceeds trade amount"));
        }
        let output = if passage.swaps() {
            let (arrived, output) = (passage.arrives, self.to.asset(passage.output));
            self.to.amount_out(arrived, output, arrives).await.map_err(no_route)?
        } else {
            arrives
        };
        let exact = if is_sell { U256::ZERO } else { amount };
        Ok(Way { passage, price, bridge_fee, arrives, output, exact })
    }

    /// The route as text; see the route of one chain for its last member.
    async fn route(&self, way: &Way, tags: &[&str]) -> Result<Json, Refusal> {
        let Way { passage, price, .. } = way;
        let Trade { src, is_sell, .. } = self.trade;
        let fee = if is_sell { U256::ZERO } else { self.fee.on(price.spend) };
        let bridge = passage.bridge(self.to.id, way.exact);
        let gas = if is_sell { passage.token } else { src };
        let block = json!({
            "protocol": passage.protocol.slug,
            "estimatedTimeMs": passage.protocol.estimated_ms,
            "tags": tags,
            "contractParams": {
                "protocolSelector": bridge.protocolSelector,
                "outputToken": format!("{:#x}", bridge.outputToken),
                "scalingFactor": bridge.scalingFactor,
                "protocolData": bridge.protocolData,
            },
        });
        let text = format!(
            concat!(
                r#"{{"origin":{{"input":{input},"output":{sent}}},"#,
                r#""destination":{{"input":{arrives},"output":{output}}},"bridge":{block},"#,
                r#""fees":{{"gas":{gas},"bridge":[{fee}]}},"#,
                r#""auction":{{"solver":"Caf\u00e9","weight":1.0,"id":{id},"round":0,"10":[]}}}}"#
            ),
            input = step(self.from, src, price.spend.saturating_add(fee)).await?,
            sent = step(self.from, passage.token, price.promised).await?,
            arrives = step(self.to, passage.arrives, way.arrives).await?,
            output = step(self.to, passage.output, way.output).await?,
            block = block,
            gas = step(self.from, gas, price.gas).await?,
            fee = step(self.from, passage.token, way.bridge_fee).await?,
            id = super::quote::auction_id(),
        );
        Json::parse(&text).map_err(|error| Refusal::new(500, "InternalError", error.to_string()))
    }
}

impl Way {
    /// A sale's proceeds; for a purchase, what it leaves: only for comparing.
    fn worth(&self) -> U256 {
        if self.exact.is_zero() { self.output } else { U256::MAX - self.price.spend }
    }
}

/// An amount of a token of a chain, as the service writes it.
pub async fn step(chain: &Chain, token: Address, amount: U256) -> Result<Value, Refusal> {
    let usd = usd::value_of(chain, token, amount).await?;
    let token = json!({"chainId": chain.id, "address": format!("{token:#x}")});
    Ok(json!({"token": token, "amount": amount.to_string(), "amountUSD": usd}))
}

fn no_route(error: RpcError) -> Refusal {
    if error.refused { Refusal::pricing("No route") } else { error.into() }
}
