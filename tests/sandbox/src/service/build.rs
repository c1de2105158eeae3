//! POST /v2/delta/orders/build.

use alloy_primitives::{Address, Bytes, U256};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::Refusal;
use super::call::{Call, read_address, read_amount};
use super::route::Route;
use crate::app::App;
use crate::chain::{NATIVE, Order, ZERO_BRIDGE};
use crate::json::Json;
use crate::order::{ANON, MAX_FEE_BPS, PartnerFee, delta_domain, order_hash, order_types, value_json};
use crate::random;

/// Members this endpoint reads. Others are ignored, as the service does.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Body<'a> {
    /// Kept as text, to be compared with what was handed out.
    #[serde(borrow)]
    route: Option<&'a RawValue>,
    #[serde(default)]
    owner: Value,
    #[serde(default)]
    beneficiary: Value,
    #[serde(default)]
    deadline: Value,
    #[serde(default)]
    side: Value,
    #[serde(default)]
    nonce: Value,
    #[serde(default)]
    permit: Value,
    #[serde(default)]
    metadata: Value,
    #[serde(default)]
    slippage: Value,
    #[serde(default)]
    limit_amount: Value,
    #[serde(default)]
    partner: Value,
    #[serde(default)]
    partner_address: Value,
    #[serde(default)]
    partner_fee_bps: Value,
    #[serde(default)]
    partner_takes_surplus: Value,
    #[serde(default)]
    cap_surplus: Value,
    #[serde(default)]
    partially_fillable: Value,
    #[serde(default)]
    order_type: Value,
}

/// Builds the typed data of an order for a route.
pub async fn build(app: &App, call: &Call) -> Result<Json, Refusal> {
    let body: Body<'_> =
        serde_json::from_str(&call.body).map_err(|error| Refusal::invalid(format!("the body is not JSON: {error}")))?;
    require_supported(&body)?;
    let route = body.route.ok_or_else(|| Refusal::invalid("route is required"))?;
    let route = app.routes().take_back(route.get())?;
    let chain = app.chain(route.chain_id).ok_or_else(|| Refusal::unsupported_chain(route.chain_id))?;
    let now = chain.now().await?;
    route.require_fresh(now)?;
    let order = order(app, &body, &route, now, chain.height().await?)?;
    let value = value_json(&order);
    let hash = order_hash(chain.id, chain.delta, &value).map_err(|error| Refusal::new(500, "InternalError", error))?;
    let to_sign = json!({"domain": delta_domain(chain.id, chain.delta), "types": order_types(), "value": value});
    Ok(json!({"toSign": to_sign, "orderHash": hash}).into())
}

/// What later versions of this sandbox will serve is refused by name until then.
fn require_supported(body: &Body<'_>) -> Result<(), Refusal> {
    match optional(&body.order_type, "orderType", "a string", Value::as_str)? {
        None | Some("Order") => {}
        Some(other) => return Err(Refusal::invalid(format!("orderType {other} is not supported"))),
    }
    if optional(&body.partially_fillable, "partiallyFillable", "true or false", Value::as_bool)? == Some(true) {
        return Err(Refusal::invalid("partiallyFillable is not supported"));
    }
    match optional(&body.permit, "permit", "hex", hex)? {
        Some(permit) if !permit.is_empty() => Err(Refusal::invalid("permit is not supported: approve the spender")),
        _ => Ok(()),
    }
}

fn order(app: &App, body: &Body<'_>, route: &Route, now: u64, height: u64) -> Result<Order, Refusal> {
    let side = optional(&body.side, "side", "SELL or BUY", Value::as_str)?.unwrap_or("SELL");
    if side != if route.is_sell { "SELL" } else { "BUY" } {
        return Err(Refusal::invalid("side must be SELL or BUY, and the side the route was quoted for"));
    }
    if route.src_token == NATIVE {
        return Err(Refusal::invalid("orders that sell the native coin are not supported"));
    }
    let owner = required(&body.owner, "owner", "an address", address)?;
    let deadline = required(&body.deadline, "deadline", "unix seconds", Value::as_u64)?;
    if deadline <= now {
        return Err(Refusal::invalid("deadline must be in the future"));
    }
    let (src_amount, dest_amount, expected) = amounts(body, route)?;
    Ok(Order {
        owner,
        beneficiary: optional(&body.beneficiary, "beneficiary", "an address", address)?.unwrap_or(owner),
        srcToken: route.src_token,
        destToken: route.dest_token,
        srcAmount: src_amount,
        destAmount: dest_amount,
        expectedAmount: expected,
        deadline: U256::from(deadline),
        kind: u8::from(!route.is_sell),
        nonce: optional(&body.nonce, "nonce", "a decimal string", amount)?.unwrap_or_else(random::nonce),
        partnerAndFee: partner_fee(app, body)?.encode(),
        permit: Bytes::new(),
        metadata: optional(&body.metadata, "metadata", "hex", hex)?
            .filter(|metadata| !metadata.is_empty())
            .unwrap_or_else(|| metadata(height)),
        bridge: ZERO_BRIDGE,
    })
}

/// (srcAmount, destAmount, expectedAmount) after slippage or by the limit, rounded down.
fn amounts(body: &Body<'_>, route: &Route) -> Result<(U256, U256, U256), Refusal> {
    let limit = optional(&body.limit_amount, "limitAmount", "a decimal string of raw units", amount)?;
    let slippage = optional(&body.slippage, "slippage", "an integer from 0 to 10000", |value| {
        value.as_u64().filter(|bps| *bps <= 10_000)
    })?;
    let factor = match (limit, slippage) {
        (Some(limit), _) if limit.is_zero() => return Err(Refusal::invalid("limitAmount must be positive")),
        (Some(limit), _) if route.is_sell => return Ok((route.src_amount, limit, limit)),
        (Some(limit), _) => return Ok((limit, route.dest_amount, limit)),
        (None, Some(bps)) if route.is_sell => 10_000 - bps,
        (None, Some(bps)) => 10_000 + bps,
        (None, None) => return Err(Refusal::invalid("Slippage required: send slippage or limitAmount")),
    };
    let moved = |amount: U256| {
        let product = amount.checked_mul(U256::from(factor)).ok_or_else(|| Refusal::invalid("route: amount too large"));
        product.map(|product| product / U256::from(10_000))
    };
    Ok(if route.is_sell {
        (route.src_amount, moved(route.dest_amount)?, route.dest_amount)
    } else {
        (moved(route.src_amount)?, route.dest_amount, route.src_amount)
    })
}

fn partner_fee(app: &App, body: &Body<'_>) -> Result<PartnerFee, Refusal> {
    let name = optional(&body.partner, "partner", "a string", Value::as_str)?.unwrap_or(ANON);
    let what = format!("an integer from 0 to {MAX_FEE_BPS}");
    let bps = optional(&body.partner_fee_bps, "partnerFeeBps", &what, |value| {
        value.as_u64().filter(|bps| *bps <= MAX_FEE_BPS)
    })?;
    let payee = optional(&body.partner_address, "partnerAddress", "an address", address)?;
    let takes = optional(&body.partner_takes_surplus, "partnerTakesSurplus", "true or false", Value::as_bool)?;
    let cap = optional(&body.cap_surplus, "capSurplus", "true or false", Value::as_bool)?;
    let registered = app.control.settings().fee_bps;
    let fee = PartnerFee::new(name, bps.unwrap_or_default(), registered).map_err(Refusal::invalid)?;
    Ok(fee.with_terms(payee, takes.unwrap_or(false), cap.unwrap_or(true)))
}

/// What the service adds for itself: 16 random bytes and the block it was built at.
fn metadata(height: u64) -> Bytes {
    [&random::nonce().to_be_bytes::<32>()[..16], &u128::from(height).to_be_bytes()].concat().into()
}

/// A member that may be left out; null counts as left out.
fn optional<'v, T>(
    value: &'v Value,
    name: &str,
    what: &str,
    read: impl Fn(&'v Value) -> Option<T>,
) -> Result<Option<T>, Refusal> {
    if value.is_null() {
        return Ok(None);
    }
    read(value).map(Some).ok_or_else(|| Refusal::invalid(format!("{name} must be {what}")))
}

fn required<'v, T>(
    value: &'v Value,
    name: &str,
    what: &str,
    read: impl Fn(&'v Value) -> Option<T>,
) -> Result<T, Refusal> {
    optional(value, name, what, read)?.ok_or_else(|| Refusal::invalid(format!("{name} is required")))
}

fn address(value: &Value) -> Option<Address> {
    value.as_str().and_then(read_address).filter(|address| !address.is_zero())
}

fn amount(value: &Value) -> Option<U256> {
    value.as_str().and_then(read_amount)
}

fn hex(value: &Value) -> Option<Bytes> {
    value.as_str().filter(|text| text.starts_with("0x"))?.parse().ok()
}
