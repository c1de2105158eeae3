//! POST /v2/delta/orders/build.

mod twap;

use alloy_primitives::{Address, Bytes, U256};
use serde_json::json;

use super::Refusal;
use super::call::Call;
use super::funding::require_permit;
use super::members::Members;
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
    let body = call.json()?;
    let body = Members(&body);
    let kind = kind(&body)?;
    let mut route = app.routes().take_back(call.verbatim("route")?, app.control.settings().routes)?;
    let chain = app.chain(route.chain_id).ok_or_else(|| Refusal::unsupported_chain(route.chain_id))?;
    let now = chain.now().await?;
    route.require_fresh(now)?;
    if route.src_token == NATIVE && app.control.settings().native_token == NativeToken::Wrapped {
        route.src_token = chain.delegated_native;
    }
    let draft = Draft::read(app, &body, kind, &route, now, chain.height().await?)?;
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
    if let Some((_, arrival)) = &route.bridge {
        app.book().note_expected(hash, *arrival);
    }
    let to_sign = json!({"domain": delta_domain(chain.id, chain.delta), "types": order_types(named), "value": value});
    Ok(json!({"toSign": to_sign, "orderHash": hash}).into())
}

/// Which kind of order is asked for.
fn kind(body: &Members<'_>) -> Result<OrderKind, Refusal> {
    let in_parts = body.flag("partiallyFillable")?;
    let kind = match body.text("orderType")?.as_deref() {
        None | Some("Order") if in_parts == Some(true) => return Ok(OrderKind::Fillable),
        None | Some("Order") => OrderKind::Order,
        Some("ExternalOrder") => OrderKind::External,
        Some("TWAPOrder") => OrderKind::Twap,
        Some("TWAPBuyOrder") => OrderKind::TwapBuy,
        Some("ProductiveOrder") => {
            let strategy =
                body.address("strategy").and_then(|strategy| strategy.ok_or_else(|| Refusal::missing("strategy")));
            strategy.map_err(|refusal| Refusal::new(400, "InvalidProductiveOrderParams", refusal.details))?;
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

/// The members of every kind.
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
    fn read(
        app: &App,
        body: &Members<'_>,
        kind: OrderKind,
        route: &Route,
        now: u64,
        height: u64,
    ) -> Result<Self, Refusal> {
        let side = body.text("side")?;
        // Orders in slices have the side of their type.
        let is_twap = kind.is_twap();
        let expected = if route.is_sell { "SELL" } else { "BUY" };
        if !is_twap && side.as_deref().unwrap_or("SELL") != expected {
            return Err(Refusal::invalid("side must be SELL or BUY, and the side the route was quoted for"));
        }
        let owner = body.address("owner")?.ok_or_else(|| Refusal::missing("owner"))?;
        let deadline = body.number("deadline", u64::MAX)?.ok_or_else(|| Refusal::missing("deadline"))?;
        if deadline <= now {
            return Err(Refusal::invalid("deadline must be in the future"));
        }
        Ok(Self {
            owner,
            beneficiary: body.address("beneficiary")?.unwrap_or(owner),
            deadline: U256::from(deadline),
            nonce: body.amount("nonce")?.unwrap_or_else(random::nonce),
            partner_and_fee: partner_fee(app, body)?.encode(),
            permit: body.bytes("permit")?.unwrap_or_default(),
            metadata: body
                .bytes("metadata")?
                .filter(|metadata| !metadata.is_empty())
                .unwrap_or_else(|| metadata(height)),
        })
    }

    fn order(self, body: &Members<'_>, route: &Route) -> Result<Order, Refusal> {
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

    async fn external(self, body: &Members<'_>, route: &Route, chain: &Chain) -> Result<ExternalOrder, Refusal> {
        let refuse = |why: String| Refusal::new(400, "InvalidExternalOrderParams", why);
        let read = || {
            let handler = body.address("handler")?.ok_or_else(|| Refusal::missing("handler"))?;
            Ok((handler, body.bytes("data")?.ok_or_else(|| Refusal::missing("data"))?))
        };
        let (handler, data) = read().map_err(|refusal: Refusal| refuse(refusal.details))?;
        if route.bridge.is_some() {
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

/// (srcAmount, destAmount, expectedAmount) after slippage (or the usual one) or by the limit, rounded down.
fn amounts(body: &Members<'_>, route: &Route) -> Result<(U256, U256, U256), Refusal> {
    let limit = body.amount("limitAmount")?;
    let bps = body.number("slippage", 10_000)?.unwrap_or(USUAL_SLIPPAGE_BPS);
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

fn partner_fee(app: &App, body: &Members<'_>) -> Result<PartnerFee, Refusal> {
    let name = body.text("partner")?;
    let bps = body.number("partnerFeeBps", MAX_FEE_BPS)?;
    let payee = body.address("partnerAddress")?;
    let takes = body.flag("partnerTakesSurplus")?;
    let cap = body.flag("capSurplus")?;
    let registered = app.control.settings().fee_bps;
    let fee = PartnerFee::new(name.as_deref().unwrap_or(ANON), bps.unwrap_or_default(), registered)
        .map_err(Refusal::invalid)?;
    Ok(fee.with_terms(payee, takes.unwrap_or(false), cap.unwrap_or(true)))
}

/// The service's own addition: 16 random bytes and the block it was built at.
fn metadata(height: u64) -> Bytes {
    [&random::nonce().to_be_bytes::<32>()[..16], &u128::from(height).to_be_bytes()].concat().into()
}
