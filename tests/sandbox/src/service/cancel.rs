//! POST /v2/delta/orders/build/cancellation and POST /v2/delta/orders/cancel.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::json;

use super::call::Call;
use super::{Refusal, owner};
use crate::app::App;
use crate::chain::Chain;
use crate::control::CancelReply;
use crate::json::Json;
use crate::order::{StoredOrder, cancellation_types, delta_domain, digest_of};

/// How many orders one cancellation may name.
const MOST_ORDERS: usize = 100;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Body {
    order_ids: Vec<String>,
    signature: Option<String>,
}

/// The orders of one cancellation, and what their owner signs for it.
struct Cancellation {
    orders: Vec<StoredOrder>,
    chain: Arc<Chain>,
    to_sign: serde_json::Value,
}

/// The typed data of a cancellation, and its hash.
pub fn build(app: &App, call: &Call) -> Result<Json, Refusal> {
    let cancellation = Cancellation::of(app, &read(call)?)?;
    if !cancellation.orders.iter().any(|order| order.status.is_cancellable()) {
        return Err(Refusal::invalid("All orders are already finalized"));
    }
    let hash = digest_of(&cancellation.to_sign).map_err(Refusal::invalid)?;
    Ok(json!({"toSign": cancellation.to_sign, "hash": hash}).into())
}

/// Cancels what can be cancelled.
pub async fn cancel(app: &App, call: &Call) -> Result<Json, Refusal> {
    let body = read(call)?;
    let Cancellation { orders, chain, to_sign } = Cancellation::of(app, &body)?;
    let hash = digest_of(&to_sign).map_err(Refusal::invalid)?;
    let signature = body.signature.ok_or_else(|| Refusal::invalid("signature is required"))?;
    let signature = owner::read(&signature)?;
    let signer = orders.first().map(|order| order.terms.owner).unwrap_or_default();
    owner::require_signature(&chain, signer, hash, &signature, owner::Form::Any).await?;
    let now = chain.now().await?;
    let cancelled: Vec<String> = {
        let mut book = app.book();
        orders.into_iter().map(|order| order.id).filter(|id| book.cancel(id, now)).collect()
    };
    if cancelled.is_empty() {
        return Err(Refusal::invalid("Order already settled"));
    }
    Ok(match app.control.settings().cancel_reply {
        CancelReply::Cancelled => json!({"cancelled": cancelled}),
        CancelReply::Success => json!({"success": true}),
    }
    .into())
}

fn read(call: &Call) -> Result<Body, Refusal> {
    let body: Body = serde_json::from_str(&call.body).map_err(|error| Refusal::invalid(error.to_string()))?;
    if body.order_ids.is_empty() || body.order_ids.len() > MOST_ORDERS {
        return Err(Refusal::invalid(format!("orderIds must name 1 to {MOST_ORDERS} orders")));
    }
    Ok(body)
}

impl Cancellation {
    fn of(app: &App, body: &Body) -> Result<Self, Refusal> {
        let find = |id: &String| app.book().by_id(id).cloned();
        let orders: Option<Vec<StoredOrder>> = body.order_ids.iter().map(find).collect();
        let orders = orders.ok_or_else(|| Refusal::new(404, "NotFound", "Orders are not found"))?;
        let [first, others @ ..] = &orders[..] else { return Err(Refusal::not_found("Orders")) };
        if others.iter().any(|order| order.terms.owner != first.terms.owner || order.chain_id != first.chain_id) {
            return Err(Refusal::invalid("All orders must belong to the same user and chain"));
        }
        let chain = app.chain(first.chain_id).ok_or_else(|| Refusal::unsupported_chain(first.chain_id))?;
        let to_sign = json!({
            "domain": delta_domain(chain.id, chain.delta),
            "types": cancellation_types(),
            "value": {"orderIds": body.order_ids},
        });
        Ok(Self { chain: Arc::clone(chain), orders, to_sign })
    }
}
