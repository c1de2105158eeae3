//! The price route as the service writes it.

use alloy_primitives::{Address, U256, keccak256};
use serde_json::json;

use super::price::MarketPrice;
use super::request::PriceRequest;
use crate::json::Json;
use crate::random;
use crate::service::Refusal;

/// The legacy router, where a price is asked for its version: no transaction can be had for it here.
const LEGACY_ROUTER: &str = "0xdef171fe48cf0115b1d80b88dc8eab59176fee57";
const LEGACY_PROXY: &str = "0x216b4b4ba9f3e719726886d34a177484278bfcae";
/// Only this service can make an hmac.
const KEY: &str = "the sandbox's own key";

impl PriceRequest {
    /// The route as text. Parts of it are of no use to anybody: a client that parses the route and writes it again
    /// changes them, and is found out.
    ///
    /// # Errors
    /// When the node does not answer.
    pub async fn price_route(&self, price: &MarketPrice) -> Result<Json, Refusal> {
        let is_legacy = self.version == "5";
        let router = if is_legacy { LEGACY_ROUTER.to_owned() } else { lower(self.chain.router) };
        let proxy = if is_legacy { LEGACY_PROXY.to_owned() } else { router.clone() };
        let method = if is_legacy { "multiSwap" } else { self.choice.method.name() };
        let (src, dest) = (lower(self.src), lower(self.dest));
        let free = if self.is_sell { "destAmountAfterFee" } else { "srcAmountAfterFee" };
        let mut members = vec![
            ("blockNumber", number(self.chain.height().await?)),
            ("network", number(self.chain.id)),
            ("srcToken", Json::string(&src)),
            ("srcDecimals", number(self.decimals(self.src))),
            ("srcAmount", amount(price.src_amount)),
            ("destToken", Json::string(&dest)),
            ("destDecimals", number(self.decimals(self.dest))),
            ("destAmount", amount(price.dest_amount)),
        ];
        if self.fee.bps > 0 {
            members.push((free, amount(price.after_fee)));
        }
        members.push(("bestRoute", self.best_route(price)?));
        if !self.others.is_empty() {
            members.push(("others", self.others(price)));
        }
        members.extend([
            ("gasCostUSD", Json::string(&price.gas_usd)),
            ("gasCost", Json::string(&price.gas.to_string())),
            ("side", Json::string(if self.is_sell { "SELL" } else { "BUY" })),
            ("version", Json::string(self.version)),
            ("contractAddress", Json::string(&router)),
            ("tokenTransferProxy", Json::string(&proxy)),
            ("contractMethod", Json::string(method)),
            ("partnerFee", Json::Scalar(self.fee.percent().to_string())),
            ("srcUSD", Json::string(&price.src_usd)),
            ("destUSD", Json::string(&price.dest_usd)),
            ("partner", Json::string(&self.fee.name)),
            ("maxImpact", Json::Scalar(self.max_impact.to_string())),
            ("maxImpactReached", Json::Scalar(price.is_impact_reached.to_string())),
        ]);
        let route = Json::object(members);
        let hmac = keccak256(format!("{KEY}{route}")).to_string();
        Ok(route.with("hmac", Json::string(&hmac[2..42])))
    }

    fn best_route(&self, price: &MarketPrice) -> Result<Json, Refusal> {
        let mut swaps = Vec::new();
        let hops = if self.path.len() == 1 { vec![[self.path[0]; 2]] } else { self.hops() };
        let ends = |index: usize| price.amounts.get(index).copied().unwrap_or(price.dest_amount);
        for (index, hop) in hops.into_iter().enumerate() {
            let (sold, bought) = (ends(index), ends(index + 1));
            let data = format!(
                concat!(
                    r#"{{"router":"{pool}","path":["{from}","{to}"],"factory":"Caf\u00e9","feeFactor":1.0,"#,
                    r#""initCode":"\/","id":{id},"pools":[{{"address":"{pool}","fee":5e0,"direction":{direction}}}],"#,
                    r#""gasUSD":"0.10","10":-0}}"#
                ),
                pool = lower(self.chain.pool),
                from = lower(hop[0]),
                to = lower(hop[1]),
                id =
                    U256::from_be_slice(&random::nonce().to_be_bytes::<32>()[..7]) + U256::from(10).pow(U256::from(19)),
                direction = hop[0] < hop[1],
            );
            let data = Json::parse(&data).map_err(|error| Refusal::new(500, "InternalError", error.to_string()))?;
            let exchange = Json::from(json!({
                "exchange": self.choice.exchange,
                "srcAmount": sold.to_string(),
                "destAmount": bought.to_string(),
                "percent": 100,
                "poolAddresses": [lower(self.chain.pool)],
            }));
            let swap = json!({
                "srcToken": lower(hop[0]),
                "srcDecimals": self.decimals(hop[0]),
                "destToken": lower(hop[1]),
                "destDecimals": self.decimals(hop[1]),
            });
            swaps.push(Json::from(swap).with("swapExchanges", Json::Array(vec![exchange.with("data", data)])));
        }
        let percent = json!({"percent": 100});
        Ok(Json::Array(vec![Json::from(percent).with("swaps", Json::Array(swaps))]))
    }

    /// The same trade elsewhere, each a little worse than the last.
    fn others(&self, price: &MarketPrice) -> Json {
        let other = |(index, exchange): (usize, &&str)| {
            let worse = U256::from(10 * (index as u64 + 1));
            let share = |amount: U256| amount.saturating_mul(worse) / U256::from(10_000);
            let (src, dest) = (price.src_amount, price.dest_amount);
            let (src, dest) =
                if self.is_sell { (src, dest - share(dest)) } else { (src.saturating_add(share(src)), dest) };
            json!({"exchange": exchange, "srcAmount": src.to_string(), "destAmount": dest.to_string(), "unit": "1"})
        };
        Json::Array(self.others.iter().enumerate().map(other).map(Json::from).collect())
    }

    fn hops(&self) -> Vec<[Address; 2]> {
        self.path.windows(2).map(|hop| [hop[0], hop[1]]).collect()
    }

    fn decimals(&self, token: Address) -> u64 {
        self.chain.token(token).map_or(18, |token| token.decimals.into())
    }
}

fn lower(address: Address) -> String {
    format!("{address:#x}")
}

fn number(value: u64) -> Json {
    Json::Scalar(value.to_string())
}

fn amount(value: U256) -> Json {
    Json::string(&value.to_string())
}
