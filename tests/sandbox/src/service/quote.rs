//! GET /v2/quote and GET /v2/delta/prices.

use std::sync::Arc;

use alloy_primitives::{Address, U256};
use serde_json::{Value, json};

use super::call::{Call, Query};
use super::crosschain::{self, BridgeTerms};
use super::market::PriceRequest;
use super::offering::require_offered;
use super::price::{Price, Trade};
use super::{Refusal, usd};
use crate::app::App;
use crate::chain::Chain;
use crate::json::Json;
use crate::order::{ANON, MAX_FEE_BPS, PartnerFee};
use crate::random;

/// How far a trade may move the price before it is refused, in percent, unless the request sets another limit.
const MAX_IMPACT_PERCENT: f64 = 15.0;

/// The unified quote.
pub async fn unified(app: &App, call: &Call) -> Result<Json, Refusal> {
    let mode = call.query.get("mode").unwrap_or("ALL").to_ascii_uppercase();
    let request = Request::read(app, &call.query)?;
    match mode.as_str() {
        "DELTA" => Ok(Json::object([("delta", request.delta_block(app, &call.query).await?)])),
        "MARKET" => Ok(Json::object([("market", request.market_block(app, &call.query).await?)])),
        "ALL" => match request.delta_block(app, &call.query).await {
            Ok(block) => Ok(Json::object([("delta", block)])),
            Err(refusal) if refusal.status >= 500 => Err(refusal),
            Err(refusal) => {
                let market = request.market_block(app, &call.query).await?;
                Ok(Json::object([("market", market), ("fallbackReason", refusal.json())]))
            }
        },
        _ => Err(Refusal::invalid("mode must be ALL, DELTA or MARKET")),
    }
}

/// The delta block alone.
pub async fn bare(app: &App, call: &Call) -> Result<Json, Refusal> {
    let request = Request::read(app, &call.query)?;
    require_offered(&call.query)?;
    request.delta_block(app, &call.query).await
}

/// The quote's terms.
struct Request {
    chain: Arc<Chain>,
    trade: Trade,
    fee: PartnerFee,
    max_impact_bps: f64,
    max_usd_impact: Option<f64>,
    /// Where it is to arrive, when that is another chain.
    destination: Option<Arc<Chain>>,
}

impl Request {
    fn read(app: &App, query: &Query) -> Result<Self, Refusal> {
        query.required("chainId")?;
        let chain_id = query.number("chainId", 0, u64::MAX)?.unwrap_or_default();
        let chain = app.chain(chain_id).ok_or_else(|| Refusal::unsupported_chain(chain_id))?;
        let (src, dest) = (query.token("srcToken")?, query.token("destToken")?);
        let amount = query.amount("amount")?;
        for name in ["srcDecimals", "destDecimals"] {
            query.required(name)?;
            query.number(name, 0, 255)?;
        }
        let is_sell = match query.get("side") {
            None | Some("SELL") => true,
            Some("BUY") => false,
            Some(_) => return Err(Refusal::invalid("side must be SELL or BUY")),
        };
        let elsewhere = query.number("destChainId", 0, u64::MAX)?.filter(|id| *id != chain_id);
        if src == dest && elsewhere.is_none() {
            return Err(Refusal::invalid("srcToken and destToken must differ"));
        }
        query.account("userAddress")?;
        query.account("beneficiary")?;
        let fee_bps = query.number("partnerFeeBps", 0, MAX_FEE_BPS)?.unwrap_or_default();
        let partner = query.get("partner").unwrap_or(ANON);
        let fee = PartnerFee::new(partner, fee_bps, app.control.settings().fee_bps).map_err(Refusal::invalid)?;
        let max_impact = query.percent("maxImpact")?.unwrap_or(MAX_IMPACT_PERCENT);
        let destination = match elsewhere {
            Some(id) => {
                Some(app.chain(id).ok_or_else(|| Refusal::pricing("No bridge between these chains")).map(Arc::clone)?)
            }
            None => None,
        };
        chain.token(src).ok_or_else(unsupported_token)?;
        destination.as_ref().unwrap_or(chain).token(dest).ok_or_else(unsupported_token)?;
        let trade = Trade { src, dest, is_sell, amount };
        let chain = Arc::clone(chain);
        let max_usd_impact = query.dollars("maxUSDImpact")?;
        Ok(Self { chain, trade, fee, max_impact_bps: max_impact * 100.0, max_usd_impact, destination })
    }

    /// The market's price of the same trade.
    async fn market_block(&self, app: &App, query: &Query) -> Result<Json, Refusal> {
        let no_data = || Refusal::pricing("Error getting price data");
        if self.destination.is_some() {
            return Err(no_data());
        }
        let priced = async {
            let request = PriceRequest::of_quote(app, query, &self.chain, self.trade)?;
            request.price_route(&request.price().await?).await
        };
        priced.await.map_err(|refusal| if refusal.status >= 500 { refusal } else { no_data() })
    }

    async fn delta_block(&self, app: &App, query: &Query) -> Result<Json, Refusal> {
        let Trade { src, dest, .. } = self.trade;
        let refuses = app.control.settings().delta_refuses;
        if !refuses.is_empty() {
            return Err(Refusal::new(400, &refuses, "No solver prices this trade"));
        }
        self.chain.delta_token(src).ok_or_else(unsupported_token)?;
        self.destination.as_ref().unwrap_or(&self.chain).delta_token(dest).ok_or_else(unsupported_token)?;
        if let Some(to) = &self.destination {
            let mut routes = self.bridge(to, query, app.control.settings().gas_price_wei)?.routes().await?;
            let route = routes.remove(0);
            return Ok(self.block(to, route, routes));
        }
        let price = self.trade.price(&self.chain, app.control.settings().gas_price_wei).await?;
        #[expect(clippy::cast_precision_loss, reason = "at most 10 000")]
        let impact_bps = price.impact_bps as f64;
        if impact_bps > self.max_impact_bps {
            return Err(Refusal::pricing("Price impact too high"));
        }
        if let Some(most) = self.max_usd_impact
            && self.usd_impact(&price).await? > most
        {
            return Err(Refusal::pricing("USD price impact too high"));
        }
        let route = self.route(&price).await?;
        Ok(self.block(&self.chain, route, Vec::new()))
    }

    fn bridge<'a>(&'a self, to: &'a Chain, query: &'a Query, gas_price_wei: u64) -> Result<BridgeTerms<'a>, Refusal> {
        Ok(BridgeTerms {
            from: &self.chain,
            to,
            trade: self.trade,
            fee: &self.fee,
            include: query.list("includeBridges"),
            exclude: query.list("excludeBridges"),
            swaps: query.flag("allowBridgeAndSwap")?.unwrap_or(true),
            max_impact_bps: self.max_impact_bps,
            gas_price_wei,
        })
    }

    /// The block around its routes; `to` is the chain it arrives on.
    fn block(&self, to: &Chain, route: Json, alternatives: Vec<Json>) -> Json {
        let Trade { src, dest, is_sell, .. } = self.trade;
        let token = |chain: &Chain, token: Address| json!({"chainId": chain.id, "address": format!("{token:#x}")});
        let block = json!({
            "id": uuid::Uuid::new_v4().to_string(),
            "side": if is_sell { "SELL" } else { "BUY" },
            "inputToken": token(&self.chain, src),
            "outputToken": token(to, dest),
            "spender": self.chain.delta,
            "partner": {"name": self.fee.name, "feePercent": self.fee.percent()},
        });
        Json::from(block).with("route", route).with("alternatives", Json::Array(alternatives))
    }

    /// The trade's loss by the dollar values of its two sides.
    async fn usd_impact(&self, price: &Price) -> Result<f64, Refusal> {
        let from = usd::value_of(&self.chain, self.trade.src, price.spend).await?;
        let to = usd::value_of(&self.chain, self.trade.dest, price.promised).await?;
        Ok(usd::loss(&from, &to))
    }

    /// The route as text. Its last member is of no use to anybody: a client that parses the route and writes it again
    /// changes each of its members, and is found out.
    async fn route(&self, price: &Price) -> Result<Json, Refusal> {
        let Trade { src, dest, is_sell, .. } = self.trade;
        let fee = if is_sell { U256::ZERO } else { self.fee.on(price.spend) };
        let input = self.step(src, price.spend.saturating_add(fee)).await?;
        let output = self.step(dest, price.promised).await?;
        let gas = self.step(if is_sell { dest } else { src }, price.gas).await?;
        let text = format!(
            concat!(
                r#"{{"origin":{{"input":{input},"output":{output}}},"#,
                r#""destination":{{"input":{output},"output":{output}}},"bridge":null,"#,
                r#""fees":{{"gas":{gas},"bridge":[]}},"#,
                r#""auction":{{"solver":"Caf\u00e9","weight":1.0,"id":{auction},"round":0,"10":[]}}}}"#
            ),
            input = input,
            output = output,
            gas = gas,
            auction = auction_id(),
        );
        Json::parse(&text).map_err(|error| Refusal::new(500, "InternalError", error.to_string()))
    }

    async fn step(&self, token: Address, amount: U256) -> Result<Value, Refusal> {
        crosschain::step(&self.chain, token, amount).await
    }
}

/// More digits than a float holds.
pub fn auction_id() -> U256 {
    U256::from_be_slice(&random::nonce().to_be_bytes::<32>()[..7]) + U256::from(10).pow(U256::from(19))
}

fn unsupported_token() -> Refusal {
    Refusal::new(422, "UnsupportedToken", "Token not supported")
}
