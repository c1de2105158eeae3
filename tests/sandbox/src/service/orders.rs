//! Reads of orders.

use std::str::FromStr;

use alloy_primitives::B256;
use serde_json::json;
use uuid::fmt::Hyphenated;

use super::Refusal;
use super::call::Call;
use crate::app::App;
use crate::json::Json;
use crate::order::{Filter, OrderKind, Status};

/// A status that the operator's published error resources name, and no list of statuses does.
const EXECUTING: &str = "EXECUTING";

/// GET /v2/delta/orders: an account's orders, the newest first.
pub fn list(app: &App, call: &Call) -> Result<Json, Refusal> {
    let query = &call.query;
    query.required("userAddress")?;
    let owner = query.account("userAddress")?.unwrap_or_default();
    let page = query.number("page", 1, u64::from(u32::MAX))?.unwrap_or(1);
    let limit = query.number("limit", 1, 1_000)?.unwrap_or(100);
    let chain_ids = query.list("chainId").into_iter().map(|id| id.parse::<u64>());
    let chain_ids = chain_ids.collect::<Result<Vec<_>, _>>();
    let chain_ids = chain_ids.map_err(|_| Refusal::invalid("chainId must be a list of chain ids"))?;
    let is_known =
        |text: &str| Status::from_str(text).is_ok() || (text == EXECUTING && app.control.settings().executing);
    let statuses: Vec<String> = query.list("status").into_iter().map(str::to_owned).collect();
    if let Some(text) = statuses.iter().find(|text| !is_known(text)) {
        return Err(Refusal::invalid(format!("status {text} is not known")));
    }
    let market_type = query.get("type").map(str::to_owned);
    if market_type.as_deref().is_some_and(|kind| !["MARKET", "LIMIT"].contains(&kind)) {
        return Err(Refusal::invalid("type must be MARKET or LIMIT"));
    }
    let on_chain_order_type = query.get("onChainOrderType").map(str::to_owned);
    if on_chain_order_type.as_deref().is_some_and(|kind| !OrderKind::is_known(kind)) {
        return Err(Refusal::invalid("onChainOrderType is not known"));
    }
    let filter = Filter { owner, chain_ids, statuses, market_type, on_chain_order_type };
    let bounds = app.control.settings().bounds;
    let book = app.book();
    let found = book.select(&filter);
    let (skip, take) = (usize::try_from((page - 1) * limit), usize::try_from(limit));
    let shown = found.iter().skip(skip.unwrap_or(usize::MAX)).take(take.unwrap_or(usize::MAX));
    let data = Json::Array(shown.map(|order| order.json(bounds)).collect());
    let total = found.len();
    let has_more = page * limit < total as u64;
    let counts = json!({"total": total, "page": page, "limit": limit, "hasMore": has_more});
    Ok(Json::from(counts).with("data", data))
}

/// GET /v2/delta/orders/{orderId}.
pub fn by_id(app: &App, call: &Call) -> Result<Json, Refusal> {
    let id = call.subject.as_deref().unwrap_or_default();
    let id: Hyphenated = id.parse().map_err(|_| Refusal::invalid("orderId must be a uuid"))?;
    let bounds = app.control.settings().bounds;
    let order = app.book().by_id(&id.to_string()).map(|order| order.json(bounds));
    order.ok_or_else(|| Refusal::not_found("Order"))
}

/// GET /v2/delta/orders/hash/{hash}.
pub fn by_hash(app: &App, call: &Call) -> Result<Json, Refusal> {
    let text = call.subject.as_deref().unwrap_or_default();
    let hash: Option<B256> = text.strip_prefix("0x").and_then(|digits| digits.parse().ok());
    let hash = hash.ok_or_else(|| Refusal::invalid("hash must be 32 bytes in 0x-prefixed hex"))?;
    let bounds = app.control.settings().bounds;
    app.book().by_hash(hash).map(|order| order.json(bounds)).ok_or_else(|| Refusal::not_found("Order"))
}
