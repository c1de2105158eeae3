//! Fills on command, and trades of others that move the price.

use alloy_primitives::{Address, B256};
use serde::Deserialize;
use serde_json::{Value, json};

use super::actions::{Amount, chain, known_token};
use crate::app::App;
use crate::chain::NATIVE;
use crate::service::Refusal;
use crate::solver::fill_now;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Fill {
    order_id: Option<String>,
    hash: Option<B256>,
    /// The share of the whole order.
    percent: Option<u64>,
    /// Only begins the fill.
    #[serde(default)]
    hold: bool,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PoolTrade {
    chain_id: u64,
    src_token: Address,
    dest_token: Address,
    amount: Amount,
}

/// Fills an order, a slice or a part of one at once; or only begins the fill, which the solver finishes when the
/// fill was under way for long enough. Answers the order as reads do.
pub async fn fill(app: &App, fill: Fill) -> Result<Value, Refusal> {
    if fill.percent.is_some_and(|percent| !(1..=100).contains(&percent)) {
        return Err(Refusal::invalid("percent must be from 1 to 100"));
    }
    let order = {
        let book = app.book();
        let by_id = fill.order_id.as_deref().and_then(|id| book.by_id(id));
        by_id.or_else(|| fill.hash.and_then(|hash| book.by_hash(hash))).cloned()
    };
    let order = order.ok_or_else(|| Refusal::not_found("Order"))?;
    if !fill.hold {
        fill_now(app, &order, fill.percent).await?;
    } else if !app.book().take_off(order.hash) {
        return Err(Refusal::invalid("hold: the order is not ACTIVE, or a fill is under way already"));
    }
    let bounds = app.control.settings().bounds;
    let json = app.book().by_hash(order.hash).map(|order| order.json(bounds).to_string()).unwrap_or_default();
    serde_json::from_str(&json).map_err(|error| Refusal::new(500, "InternalError", error.to_string()))
}

/// Trades in the pool as anybody might, with tokens made for it: the price moves. Answers what the trade got.
pub async fn trade(app: &App, trade: PoolTrade) -> Result<Value, Refusal> {
    let chain = chain(app, trade.chain_id)?;
    for token in [trade.src_token, trade.dest_token] {
        known_token(chain, token)?;
        if token == NATIVE {
            return Err(Refusal::invalid("the pool trades the wrapped native token"));
        }
    }
    let received = chain.trade_in_pool(trade.src_token, trade.dest_token, trade.amount.read()?).await?;
    chain.follow_market().await?;
    Ok(json!({"received": received.to_string()}))
}
