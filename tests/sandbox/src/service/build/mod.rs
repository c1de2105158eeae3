//! POST /v2/delta/orders/build.

mod body;
mod twap;

use alloy_primitives::{Address, Bytes, U256};
use serde_json::{Value, json};

use self::body::{Body, address, amount, hex, optional, required};
use super::Refusal;
use super::call::Call;
use super::funding::require_permit;
use super::route::Route;
use crate::app::App;
use crate::chain::{Chain, ExternalOrder, NATIVE, Order};
use crate::control::NativeToken;
use crate::json::Json;
use crate::order::{
    ANON, MAX_FEE_BPS, OrderKind, PartnerFee, SignedOrder, delta_domain, order_hash, order_types, value_json,
};
use crate::random;

/// The slippage of a build that names none.
const USUAL_SLIPPAGE_BPS: u64 = 100;

/// Builds the typed data of an order for a route.
pub async fn build(app: &App, call: &Call) -> Result<Json, Refusal> {
    let body: Body<'_> =
        serde_json::from_str(&call.body).map_err(|error| Refusal::invalid(format!("the body is not JSON: {error}")))?;
    let kind = kind(&body)?;
    let route = body.route.ok_or_else(|| Refusal::invalid("route is required"))?;
    let mut route = app.routes().take_back(route.get(), app.control.settings().routes)?;
    let chain = app.chain(route.chain_id).ok_or_else(|| Refusal::unsupported_chain(route.chain_id))?;
    let now = chain.now().await?;
    route.require_fresh(now)?;
    if route.src_token == NATIVE && app.control.settings().native_token == NativeToken::Wrapped {
        route.src_token = chain.delegated_native;
    }
    let draft = Draft::read(app, &body, &route, now, chain.height().await?)?;
    require_permit(chain, route.src_token, kind, &draft.permit)?;
    let beneficiary = draft.beneficiary;
    let order = match kind {
        OrderKind::Order => SignedOrder::Order(draft.order(&body, &route)?),
        OrderKind::Fillable => SignedOrder::Fillable(draft.order(&body, &route)?),
        OrderKind::External => SignedOrder::External(draft.external(&body, &route, chain).await?),
        OrderKind::Twap => twap::sale(&body, draft, &route, now)?,
        OrderKind::TwapBuy => twap::purchase(&body, draft, &route, now)?,
    };
    let value = value_json(&order);
    let named = app.control.settings().named(kind);
    let hash =
        order_hash(chain.id, chain.delta, named, &value).map_err(|error| Refusal::new(500, "InternalError", error))?;
    app.book().note_built(hash, kind);
    if kind == OrderKind::External {
        app.book().note_beneficiary(hash, beneficiary);
    }
    if let Some((_, arrival)) = &route.crossing {
        app.book().note_expected(hash, *arrival);
    }
    let to_sign = json!({"domain": delta_domain(chain.id, chain.delta), "types": order_types(named), "value": value});
    Ok(json!({"toSign": to_sign, "orderHash": hash}).into())
}

/// Which kind of order is asked for.
fn kind(body: &Body<'_>) -> Result<OrderKind, Refusal> {
    let in_parts = optional(&body.partially_fillable, "partiallyFillable", "true or false", Value::as_bool)?;
    let kind = match optional(&body.order_type, "orderType", "a string", Value::as_str)? {
        None | Some("Order") if in_parts == Some(true) => return Ok(OrderKind::Fillable),
        None | Some("Order") => OrderKind::Order,
        Some("ExternalOrder") => OrderKind::External,
        Some("TWAPOrder") => OrderKind::Twap,
        Some("TWAPBuyOrder") => OrderKind::TwapBuy,
        Some("ProductiveOrder") => {
            required(&body.strategy, "strategy", "an address", address)
                .map_err(|refusal| Refusal::new(400, "InvalidProductiveOrderParams", refusal.details))?;
            return Err(Refusal::invalid(
                "orderType ProductiveOrder is not served here: its typed data is not published",
            ));
        }
        Some(other) => return Err(Refusal::invalid(format!("orderType {other} is not known"))),
    };
    if in_parts == Some(true) {
        return Err(Refusal::invalid("partiallyFillable: only an Order can be filled in parts"));
    }
    Ok(kind)
}

/// What every kind of order has.
struct Draft {
    owner: Address,
    beneficiary: Address,
    deadline: U256,
    nonce: U256,
    partner_and_fee: U256,
    permit: Bytes,
    metadata: Bytes,
}

impl Draft {
    fn read(app: &App, body: &Body<'_>, route: &Route, now: u64, height: u64) -> Result<Self, Refusal> {
        let side = optional(&body.side, "side", "SELL or BUY", Value::as_str)?;
        // Orders in slices have the side of their type.
        let is_twap = matches!(body.order_type.as_str(), Some("TWAPOrder" | "TWAPBuyOrder"));
        let expected = if route.is_sell { "SELL" } else { "BUY" };
        if !is_twap && side.unwrap_or("SELL") != expected {
            return Err(Refusal::invalid("side must be SELL or BUY, and the side the route was quoted for"));
        }
        let owner = required(&body.owner, "owner", "an address", address)?;
        let deadline = required(&body.deadline, "deadline", "unix seconds", Value::as_u64)?;
        if deadline <= now {
            return Err(Refusal::invalid("deadline must be in the future"));
        }
        Ok(Self {
            owner,
            beneficiary: optional(&body.beneficiary, "beneficiary", "an address", address)?.unwrap_or(owner),
            deadline: U256::from(deadline),
            nonce: optional(&body.nonce, "nonce", "a decimal string", amount)?.unwrap_or_else(random::nonce),
            partner_and_fee: partner_fee(app, body)?.encode(),
            permit: optional(&body.permit, "permit", "hex", hex)?.unwrap_or_default(),
            metadata: optional(&body.metadata, "metadata", "hex", hex)?
                .filter(|metadata| !metadata.is_empty())
                .unwrap_or_else(|| metadata(height)),
        })
    }

    fn order(self, body: &Body<'_>, route: &Route) -> Result<Order, Refusal> {
        let (src_amount, dest_amount, expected) = amounts(body, route)?;
        Ok(Order {
            owner: self.owner,
            beneficiary: self.beneficiary,
            srcToken: route.src_token,
            destToken: route.dest_token,
            srcAmount: src_amount,
            destAmount: dest_amount,
            expectedAmount: expected,
            deadline: self.deadline,
            kind: u8::from(!route.is_sell),
            nonce: self.nonce,
            partnerAndFee: self.partner_and_fee,
            permit: self.permit,
            metadata: self.metadata,
            bridge: route.bridge(),
        })
    }

    async fn external(self, body: &Body<'_>, route: &Route, chain: &Chain) -> Result<ExternalOrder, Refusal> {
        let refuse = |why: String| Refusal::new(400, "InvalidExternalOrderParams", why);
        let handler = required(&body.handler, "handler", "an address", address);
        let handler = handler.map_err(|refusal| refuse(refusal.details))?;
        let data = required(&body.data, "data", "hex", hex).map_err(|refusal| refuse(refusal.details))?;
        if route.crossing.is_some() {
            return Err(refuse("route: an ExternalOrder stays on its chain".into()));
        }
        if !chain.has_code(handler).await? {
            return Err(refuse("handler must be a contract".into()));
        }
        let (src_amount, dest_amount, expected) = amounts(body, route)?;
        Ok(ExternalOrder {
            owner: self.owner,
            handler,
            srcToken: route.src_token,
            destToken: route.dest_token,
            srcAmount: src_amount,
            destAmount: dest_amount,
            expectedAmount: expected,
            deadline: self.deadline,
            kind: u8::from(!route.is_sell),
            nonce: self.nonce,
            partnerAndFee: self.partner_and_fee,
            permit: self.permit,
            metadata: self.metadata,
            data,
        })
    }
}

fn limit_amount(body: &Body<'_>) -> Result<Option<U256>, Refusal> {
    optional(&body.limit_amount, "limitAmount", "a decimal string of raw units", amount)
}

/// (srcAmount, destAmount, expectedAmount) after slippage (or the usual one) or by the limit, rounded down.
fn amounts(body: &Body<'_>, route: &Route) -> Result<(U256, U256, U256), Refusal> {
    let limit = limit_amount(body)?;
    let slippage = optional(&body.slippage, "slippage", "an integer from 0 to 10000", |value| {
        value.as_u64().filter(|bps| *bps <= 10_000)
    })?;
    let bps = slippage.unwrap_or(USUAL_SLIPPAGE_BPS);
    let factor = match limit {
        Some(limit) if limit.is_zero() => return Err(Refusal::invalid("limitAmount must be positive")),
        Some(limit) if route.is_sell => return Ok((route.src_amount, limit, limit)),
        Some(limit) => return Ok((limit, route.dest_amount, limit)),
        None if route.is_sell => 10_000 - bps,
        None => 10_000 + bps,
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
