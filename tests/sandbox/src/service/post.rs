//! POST /v2/delta/orders.

use std::time::Instant;

use alloy_primitives::{B256, Bytes, U256};

use super::call::{Call, read_address};
use super::funding::require_permit;
use super::{Refusal, bridges, owner};
use crate::app::App;
use crate::chain::{Chain, NATIVE, ZERO_BRIDGE};
use crate::json::Json;
use crate::order::{MAX_FEE_BPS, OrderKind, SignedOrder, Status, StoredOrder, Terms, order_hash, read_signed};
use crate::random;
use crate::solver::{IDLE_AGENT, TRADING_AGENT};

/// Takes a signed order in.
pub async fn post(app: &App, call: &Call) -> Result<Json, Refusal> {
    let body = Json::parse(&call.body).map_err(|error| Refusal::invalid(format!("the body is not JSON: {error}")))?;
    let text = |name: &str| body.get(name).and_then(Json::as_str);
    let chain_id = body.get("chainId").and_then(Json::as_u64);
    let chain_id = chain_id.ok_or_else(|| Refusal::invalid("chainId must be an integer"))?;
    let chain = app.chain(chain_id).ok_or_else(|| Refusal::unsupported_chain(chain_id))?;
    let partner = text("partner").filter(|partner| !partner.is_empty());
    let partner = partner.ok_or_else(|| Refusal::invalid("partner is required"))?;
    let market_type = match body.get("type").map(Json::as_str) {
        None => "MARKET",
        Some(Some(kind)) if kind == "MARKET" => "MARKET",
        Some(Some(kind)) if kind == "LIMIT" => "LIMIT",
        Some(_) => return Err(Refusal::invalid("type must be MARKET or LIMIT")),
    };
    let value = body.get("order").ok_or_else(|| Refusal::invalid("order is required"))?;
    let in_parts = flag(&body, "partiallyFillable")?;
    let order = read_signed(value, in_parts).map_err(Refusal::invalid)?;
    require_kind(&body, call, order.kind())?;
    let is_offered = is_offered(&body)?;
    if body.get("referrerAddress").is_some_and(|value| value.as_str().and_then(|text| read_address(&text)).is_none()) {
        return Err(Refusal::invalid("referrerAddress must be an address"));
    }
    let terms = order.terms();
    require_supported(app, chain, &order, &terms)?;
    if market_type == "LIMIT" && !terms.permit.is_empty() {
        return Err(Refusal::invalid("order.permit: LIMIT orders need an approval"));
    }
    require_permit(chain, terms.src_token, order.kind(), &terms.permit)?;
    let hash = hash_of(app, chain, value, order.kind())?;
    let signature = text("signature").ok_or_else(|| Refusal::invalid("signature is required"))?;
    let signature = owner::read(&signature)?;
    let is_signed = is_signed(chain, &terms, hash, &signature).await?;
    if let Some(known) = app.book().by_hash(hash) {
        return duplicate(app, known);
    }
    let now = chain.now().await?;
    require_settleable(chain, order.kind(), &terms, hash, now).await?;
    if order.kind() == OrderKind::Fillable && app.control.settings().named(order.kind()) == OrderKind::Order {
        chain.note_fillable(hash).await?;
    }
    let stored = StoredOrder {
        id: random::uuid(),
        chain_id,
        order,
        terms,
        value: value.clone(),
        signature,
        hash,
        partner,
        market_type,
        is_offered,
        status: if is_signed { Status::Pending } else { Status::AwaitingSignature },
        settlements: Vec::new(),
        arrivals: Vec::new(),
        refunds: Vec::new(),
        arrival_expected: app.book().expected(hash),
        in_flight: None,
        created_at: now,
        updated_at: now,
        since: Instant::now(),
    };
    let answer = stored.json(app.control.settings().bounds);
    let added = app.book().add(stored);
    added.map_or_else(|known| duplicate(app, &known), |()| Ok(answer))
}

/// The same signed order again: by the switch the same order, or an error; never a second order.
fn duplicate(app: &App, known: &StoredOrder) -> Result<Json, Refusal> {
    let settings = app.control.settings();
    match settings.duplicate_status {
        200 => Ok(known.json(settings.bounds)),
        status => Err(Refusal::new(status, "OrderAlreadyExists", "Order already exists")),
    }
}

/// A member that is true or false; false where it was left out.
fn flag(body: &Json, name: &str) -> Result<bool, Refusal> {
    match body.get(name).map(ToString::to_string).as_deref() {
        None | Some("false") => Ok(false),
        Some("true") => Ok(true),
        Some(_) => Err(Refusal::invalid(format!("{name} must be true or false"))),
    }
}

/// What is said about the order's kind beside the order: to be repeated for slices, to be true for all.
fn require_kind(body: &Json, call: &Call, kind: OrderKind) -> Result<(), Refusal> {
    let said = body.get("onChainOrderType").map(|value| value.as_str().unwrap_or_default());
    let fits = |said: &str| said == kind.text() || (kind == OrderKind::Fillable && said == "Order");
    match said {
        None if kind.is_twap() => return Err(Refusal::invalid(format!("onChainOrderType must be {}", kind.text()))),
        Some(said) if !fits(&said) => {
            return Err(Refusal::invalid(format!("onChainOrderType: the order is of the type {}", kind.text())));
        }
        _ => {}
    }
    match call.query.get("degenMode") {
        None | Some("false") => Ok(()),
        Some("true") if kind != OrderKind::External => Ok(()),
        Some("true") => Err(Refusal::invalid("degenMode is not for an ExternalOrder")),
        Some(_) => Err(Refusal::invalid("degenMode must be true or false")),
    }
}

/// Whether the agent that trades may take the order.
fn is_offered(body: &Json) -> Result<bool, Refusal> {
    let agents = |name: &str| -> Result<Option<Vec<String>>, Refusal> {
        let names = match body.get(name) {
            None => return Ok(None),
            Some(Json::Array(items)) => items.iter().map(Json::as_str).collect::<Option<Vec<_>>>(),
            Some(_) => None,
        };
        let names =
            names.filter(|names| names.iter().all(|agent| [TRADING_AGENT, IDLE_AGENT].contains(&agent.as_str())));
        names.map(Some).ok_or_else(|| Refusal::invalid(format!("{name} must be a list of agents of the chain")))
    };
    let trades = |names: &Vec<String>| names.iter().any(|agent| agent == TRADING_AGENT);
    let included = agents("includeAgents")?.filter(|names| !names.is_empty());
    let excluded = agents("excludeAgents")?;
    Ok(included.is_none_or(|names| trades(&names)) && !excluded.is_some_and(|names| trades(&names)))
}

fn require_supported(app: &App, chain: &Chain, order: &SignedOrder, terms: &Terms) -> Result<(), Refusal> {
    let known = |token| chain.delta_token(token).is_some();
    let stays = terms.bridge == ZERO_BRIDGE;
    let slices = U256::from(terms.slices);
    let wrong = if !known(terms.src_token) || !known(terms.dest_token) {
        "Token not supported"
    } else if terms.src_token == NATIVE {
        "orders that sell the native coin are not supported"
    } else if stays && terms.src_token == terms.dest_token {
        "order.destToken must differ from order.srcToken"
    } else if terms.src_amount.is_zero() || terms.dest_amount.is_zero() {
        "order.srcAmount and order.destAmount must be positive"
    } else if terms.src_amount < slices || terms.dest_amount < slices {
        "totalSrcAmount must be >= numSlices"
    } else if order.kind().is_twap() && terms.interval < 60 {
        "order.interval must be at least 60"
    } else if terms.beneficiary.is_zero() {
        "order.beneficiary must not be zero"
    } else if !stays && !bridges::is_usable(app, chain, terms) {
        "order.bridge is none of the bridges there are"
    } else if terms.partner_and_fee & U256::from(0xff) > U256::from(MAX_FEE_BPS) {
        "order.partnerAndFee carries more than 200 bps"
    } else {
        return Ok(());
    };
    Err(Refusal::invalid(wrong))
}

/// The hash under the name the order was built with. Whether it may be filled in parts has to be said again.
fn hash_of(app: &App, chain: &Chain, value: &Json, kind: OrderKind) -> Result<B256, Refusal> {
    let value = serde_json::from_str(&value.to_string()).map_err(|error| Refusal::invalid(error.to_string()))?;
    let under = |kind: OrderKind| {
        order_hash(chain.id, chain.delta, kind, &value).map_err(|error| Refusal::invalid(format!("order: {error}")))
    };
    if matches!(kind, OrderKind::Order | OrderKind::Fillable) {
        for name in [OrderKind::Order, OrderKind::Fillable] {
            if app.book().built(under(name)?).is_some_and(|built| built != kind) {
                return Err(Refusal::invalid("partiallyFillable must repeat what the order was built with"));
            }
        }
    }
    under(app.control.settings().named(kind))
}

/// Whether the owner signed already. An empty signature says that it is done on chain, by now or later.
async fn is_signed(chain: &Chain, terms: &Terms, hash: B256, signature: &Bytes) -> Result<bool, Refusal> {
    if !signature.is_empty() {
        return owner::require_signature(chain, terms.owner, hash, signature, owner::Form::Compact)
            .await
            .map(|()| true);
    }
    Ok(chain.is_pre_signed(terms.owner, hash).await?)
}

/// Whether the order could settle right now, its price aside.
async fn require_settleable(
    chain: &Chain,
    kind: OrderKind,
    terms: &Terms,
    hash: B256,
    now: u64,
) -> Result<(), Refusal> {
    if U256::from(now) > terms.deadline {
        return Err(Refusal::new(400, "OrderExpired", "Order expired"));
    }
    let (balance, used, filled) = tokio::join!(
        chain.balance(terms.src_token, terms.owner),
        chain.is_nonce_used(terms.owner, terms.nonce),
        chain.filled(hash),
    );
    if kind != OrderKind::Fillable && used? {
        return Err(Refusal::invalid("order.nonce is used"));
    }
    let filled = filled?;
    if filled.filled >= terms.fixed() {
        return Err(Refusal::invalid("Order already settled"));
    }
    let left = u64::from(terms.slices).saturating_sub(u64::from(filled.fills));
    if kind.is_twap() && U256::from(now.saturating_add(left.saturating_sub(1) * terms.interval)) > terms.deadline {
        return Err(Refusal::invalid("deadline must allow enough time for all slices to execute"));
    }
    let needed = terms.left_of_source(filled.filled);
    let short = |error_type: &str, what: String| {
        Err(Refusal::new(400, error_type, format!("{what} of {} is below {needed}", terms.src_token)))
    };
    let balance = balance?;
    if balance < needed {
        return short("InsufficientBalance", format!("balance {balance}"));
    }
    if chain.can_take(&terms.funding(), needed, now).await? {
        return Ok(());
    }
    if terms.permit.is_empty() {
        let allowance = chain.allowance(terms.src_token, terms.owner).await?;
        return short("InsufficientAllowance", format!("allowance {allowance}"));
    }
    short("InsufficientAllowance", "what order.permit allows".into())
}
