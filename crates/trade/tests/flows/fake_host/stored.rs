//! A posted order as the service tells it from then on.

use super::service::raw;
use super::tree::{at, json, text};
use alloy_primitives::{B256, hex};
use verify::internal::json::Json;

/// The id that the service gives the order of that hash.
pub fn id(hash: B256) -> String {
    let digits = hex::encode(&hash[..16]);
    let parts = [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]];
    parts.join("-")
}

/// The stored order as it is listed: with the names to put status and fills in place of.
pub fn stored(hash: B256, body: &str) -> String {
    let (value, body) = (raw(body, "order"), json(body));
    let order = at(&body, "order");
    let has = |name: &str| order.get(name).is_some();
    let first = |names: &[&str]| names.iter().find(|name| has(name)).map(|name| text(order, name).to_owned()).unwrap();
    let buys = has("totalDestAmount") || order.get("kind").is_some_and(|_| text(order, "kind") == "1");
    let kind = match () {
        () if has("totalSrcAmount") => "TWAPOrder",
        () if has("totalDestAmount") => "TWAPBuyOrder",
        () if has("handler") => "ExternalOrder",
        () if body.get("partiallyFillable") == Some(&Json::Bool(true)) => "FillableOrder",
        () => "Order",
    };
    let bridge = order.get("bridge").filter(|bridge| text(bridge, "destinationChainId") != "0");
    let chain = text(&body, "chainId");
    let side = |chain: &str, token: &str, more: String| {
        format!(r#"{{"chainId":{chain},"token":"{}",{more}}}"#, token.to_ascii_lowercase())
    };
    let spent = first(&["srcAmount", "totalSrcAmount", "maxSrcAmount"]);
    let paid = first(&["destAmount", "totalDestAmount", "destAmountPerSlice"]);
    let (fixed, free) = match buys {
        true => (format!(r#""expectedAmount":"{spent}","executedAmount":null,"maxAmount":"{spent}""#), paid.clone()),
        false => (format!(r#""amount":"{spent}""#), String::new()),
    };
    let free = match (buys, has("destAmount") && bridge.is_none()) {
        (true, _) => format!(r#""amount":"{free}""#),
        (false, true) => format!(r#""expectedAmount":"{paid}","executedAmount":null,"minAmount":"{paid}""#),
        (false, false) => format!(r#""expectedAmount":"{paid}","executedAmount":null,"minAmount":null"#),
    };
    let input = side(chain, text(order, "srcToken"), fixed);
    let output = match bridge {
        Some(bridge) => side(text(bridge, "destinationChainId"), text(bridge, "outputToken"), free),
        None => side(chain, text(order, "destToken"), free),
    };
    let owner = text(order, "owner").to_ascii_lowercase();
    let beneficiary = if has("beneficiary") { text(order, "beneficiary").to_ascii_lowercase() } else { owner.clone() };
    let (id, side) = (id(hash), if buys { "BUY" } else { "SELL" });
    let (market_type, partner) = (text(&body, "type"), text(&body, "partner"));
    format!(
        r#"{{"id":"{id}","status":"STATUS","side":"{side}","type":"{market_type}","onChainOrderType":"{kind}","input":{input},"output":{output},"owner":"{owner}","beneficiary":"{beneficiary}","orderHash":"{hash}","partner":"{partner}","order":{value},"transactions":FILLS,"refunds":[],"createdAt":"2027-01-15T08:00:00.000Z","updatedAt":"2027-01-15T08:00:00.000Z","expiresAt":"2027-01-15T08:20:00.000Z","extra":"Caf\u00e9"}}"#
    )
}
