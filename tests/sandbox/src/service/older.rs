//! The older interface, which release 9.5.4 of the operator's SDK speaks: prices in one level, orders that the client builds
//! itself, other names of the states. Each answer is one of today's, put in its words; crosschain prices are not.

use alloy_primitives::{Address, U256, hex};
use serde_json::{Value, json};

use super::call::Call;
use super::{Refusal, cancel as today_cancel, orders, post as today_post, quote, usd};
use crate::app::App;
use crate::chain::{Chain, FEE_VAULT};
use crate::json::{Json, read_address, read_amount};
use crate::order::{ANON, OrderKind, PartnerFee, Settlement, Status, StoredOrder};
use crate::random;

/// A percent is a hundred of them.
const BPS_OF_PERCENT: f64 = 100.0;
const BPS: u64 = 10_000;

/// GET /delta/prices: the price of a trade on one chain.
pub async fn prices(app: &App, call: &Call) -> Result<Json, Refusal> {
    if call.query.get("destChainId").is_some_and(|id| call.query.get("chainId") != Some(id)) {
        return Err(Refusal::pricing("No crosschain prices on the older interface"));
    }
    let block = quote::bare(app, call).await?;
    let id = call.query.number("chainId", 0, u64::MAX)?.unwrap_or_default();
    let chain = app.chain(id).ok_or_else(|| Refusal::unsupported_chain(id))?;
    let price = flat(chain, &block).await?.ok_or_else(|| Refusal::pricing("No route"))?;
    Ok(json!({"price": price, "deltaAddress": chain.delta}).into())
}

/// The members of a block of today's in one level. Amounts have the fee taken, and those before it beside them.
async fn flat(chain: &Chain, block: &Json) -> Result<Option<Value>, Refusal> {
    let text = |pointer: &str| block.at(pointer).and_then(Json::as_str);
    let step = |place: &str| {
        let token = read_address(&text(&format!("/route/{place}/token/address"))?)?;
        Some((token, read_amount(&text(&format!("/route/{place}/amount"))?)?))
    };
    let (Some(input), Some(output), Some(gas)) = (step("origin/input"), step("origin/output"), step("fees/gas")) else {
        return Ok(None);
    };
    let percent: f64 = block.at("/partner/feePercent").and_then(Json::as_scalar).unwrap_or_default();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 200")]
    let bps = U256::from((percent * BPS_OF_PERCENT).round() as u64);
    let is_sell = text("/side").as_deref() == Some("SELL");
    let dollars = async |(token, amount): (Address, U256)| usd::value_of(chain, token, amount).await;
    let gas_usd = text("/route/fees/gas/amountUSD");
    let mut price = json!({
        "srcToken": format!("{:#x}", input.0),
        "destToken": format!("{:#x}", output.0),
        "gasCost": gas.1.to_string(),
        "gasCostBeforeFee": gas.1.to_string(),
        "gasCostUSD": gas_usd,
        "gasCostUSDBeforeFee": gas_usd,
        "partner": text("/partner/name"),
        "partnerFee": percent,
        "hmac": hex::encode(random::nonce().to_be_bytes::<32>()),
        "bridge": {
            "protocolSelector": "0x00000000",
            "destinationChainId": 0,
            "outputToken": Address::ZERO,
            "scalingFactor": 0,
            "protocolData": "0x",
        },
    });
    let (input, output) = if is_sell {
        let before = output.1;
        for (name, value) in [("destAmount", before.to_string()), ("destUSD", dollars(output).await?)] {
            price[format!("{name}BeforeFee")] = json!(value);
            price[format!("{}BeforeFee", received(name))] = json!(value);
        }
        (input, (output.0, before - before * bps / U256::from(BPS)))
    } else {
        let before = input.1 * U256::from(BPS) / (U256::from(BPS) + bps);
        price["srcAmountBeforeFee"] = json!(before.to_string());
        price["srcUSDBeforeFee"] = json!(dollars((input.0, before)).await?);
        (input, output)
    };
    price["srcAmount"] = json!(input.1.to_string());
    price["srcUSD"] = json!(dollars(input).await?);
    for (name, value) in [("destAmount", output.1.to_string()), ("destUSD", dollars(output).await?)] {
        price[name] = json!(value);
        price[received(name)] = json!(value);
    }
    Ok(Some(price))
}

/// On one chain what is bought is what is received.
fn received(name: &str) -> &'static str {
    if name == "destUSD" { "receivedDestUSD" } else { "receivedDestAmount" }
}

/// GET /prices/partnerfee/{chainId}: what a partner takes in any case, and who is paid.
pub fn partner_fee(app: &App, call: &Call) -> Result<Json, Refusal> {
    let id = call.subject.as_deref().unwrap_or_default();
    id.parse().ok().and_then(|id| app.chain(id)).ok_or_else(|| Refusal::unsupported_chain(id))?;
    let partner = call.query.required("partner")?;
    let fee = PartnerFee::new(partner, 0, app.control.settings().fee_bps).map_err(Refusal::invalid)?;
    Ok(json!({"partnerFee": fee.percent(), "partnerAddress": FEE_VAULT, "takeSurplus": false}).into())
}

/// POST /delta/orders: as today, but `partner` may be left out.
pub async fn post(app: &App, call: &Call) -> Result<Json, Refusal> {
    let mut call = call.clone();
    let body = call.json()?;
    if body.get("partner").is_none() {
        call.body = body.with("partner", Json::string(ANON)).to_string();
    }
    said(app, &today_post::post(app, &call).await?)
}

/// GET /delta/orders/{orderId}.
pub fn by_id(app: &App, call: &Call) -> Result<Json, Refusal> {
    said(app, &orders::by_id(app, call)?)
}

/// POST /delta/orders/cancel.
pub async fn cancel(app: &App, call: &Call) -> Result<Json, Refusal> {
    today_cancel::cancel(app, call).await?;
    Ok(json!({"success": true}).into())
}

/// An order of today's in the older words.
fn said(app: &App, answer: &Json) -> Result<Json, Refusal> {
    let id = answer.get("id").and_then(Json::as_str).unwrap_or_default();
    let stored = app.book().by_id(&id).cloned().ok_or_else(|| Refusal::not_found("Order"))?;
    let member = |name: &str| answer.get(name).cloned().unwrap_or_else(Json::null);
    let bridge_status = match stored.status {
        _ if !stored.is_crosschain() => None,
        Status::Completed => Some("filled"),
        Status::Refunded => Some("refunded"),
        _ => Some("pending"),
    };
    let own = json!({
        "deltaVersion": "2.0",
        "user": stored.terms.owner,
        "status": status(stored.status),
        "chainId": stored.chain_id,
        "transactions": transactions(&stored),
        "referrerAddress": null,
        "partiallyFillable": stored.kind() == OrderKind::Fillable,
        "excludeAgents": null,
        "includeAgents": null,
        "bridgeMetadata": null,
        "bridgeStatus": bridge_status,
    });
    let same =
        ["id", "orderHash", "partner", "expiresAt", "createdAt", "updatedAt", "type", "onChainOrderType", "order"];
    Ok(same.into_iter().fold(Json::from(own), |json, name| json.with(name, member(name))))
}

fn status(status: Status) -> &'static str {
    match status {
        Status::Pending => "NOT_STARTED",
        Status::AwaitingSignature => "AWAITING_PRE_SIGNATURE",
        Status::Active => "RUNNING",
        // The bridge's progress stands beside it.
        Status::Bridging | Status::Refunding | Status::Completed => "EXECUTED",
        other => other.text(),
    }
}

/// Those members of a settlement that the sandbox has; the share is in bps.
fn transactions(order: &StoredOrder) -> Vec<Value> {
    let whole = order.terms.fixed().max(U256::from(1));
    let entry = |settlement: &Settlement| {
        let part = if order.terms.is_sell { settlement.spent } else { settlement.received };
        json!({
            "hash": settlement.transaction,
            "orderId": order.id,
            "spentAmount": settlement.spent.to_string(),
            "receivedAmount": settlement.received.to_string(),
            "filledPercent": (part.saturating_mul(U256::from(BPS)) / whole).saturating_to::<u64>(),
        })
    };
    order.settlements.iter().map(entry).collect()
}
