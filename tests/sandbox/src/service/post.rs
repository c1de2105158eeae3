//! POST /v2/delta/orders.

use std::time::Instant;

use alloy_primitives::{B256, Bytes, U256};
use uuid::Builder;

use super::call::Call;
use super::funding::require_permit;
use super::{Refusal, beside, bridges, owner};
use crate::app::App;
use crate::chain::{Chain, NATIVE};
use crate::control::{NativeReading, SignatureForm};
use crate::json::Json;
use crate::order::{MAX_FEE_BPS, OrderKind, SignedOrder, Status, StoredOrder, Terms, compact, order_hash, read_signed};

/// Takes a signed order in.
pub async fn post(app: &App, call: &Call) -> Result<Json, Refusal> {
    let body = call.json()?;
    let text = |name: &str| body.get(name).and_then(Json::as_str);
    let chain_id = body.get("chainId").and_then(Json::as_u64);
    let chain_id = chain_id.ok_or_else(|| Refusal::invalid("chainId must be an integer"))?;
    let chain = app.chain(chain_id).ok_or_else(|| Refusal::unsupported_chain(chain_id))?;
    let partner = text("partner").filter(|partner| !partner.is_empty());
    let partner = partner.ok_or_else(|| Refusal::missing("partner"))?;
    let market_type = beside::market_type(&body)?;
    let value = body.get("order").ok_or_else(|| Refusal::missing("order"))?;
    let in_parts = beside::is_in_parts(&body)?;
    let order = read_signed(value, in_parts).map_err(Refusal::invalid)?;
    beside::require_kind(&body, call, order.kind())?;
    beside::require_referrer(&body)?;
    let is_offered = beside::is_offered(&body)?;
    let terms = order.terms();
    require_supported(app, chain, &order, &terms)?;
    if market_type == "LIMIT" && !terms.permit.is_empty() {
        return Err(Refusal::invalid("order.permit: LIMIT orders need an approval"));
    }
    require_permit(chain, terms.src_token, order.kind(), &terms.permit)?;
    let hash = hash_of(app, chain, value, order.kind())?;
    let signature = text("signature").ok_or_else(|| Refusal::missing("signature"))?;
    let mut signature = owner::read(&signature)?;
    if app.control.settings().signature_form == SignatureForm::Any && !chain.has_code(terms.owner).await? {
        signature = compact(signature);
    }
    let is_signed = is_signed(chain, &terms, hash, &signature).await?;
    let now = chain.now().await?;
    let by_signature = app.control.settings().native_reading == NativeReading::Sign;
    let needs_deposit = chain.sells_native(terms.src_token) && !by_signature;
    let is_deposited = !needs_deposit || chain.deposited(terms.owner).await? >= terms.src_amount;
    if is_signed && is_deposited && app.book().sign(hash, &signature, now) {
        let bounds = app.control.settings().bounds;
        return app.book().by_hash(hash).map(|known| known.json(bounds)).ok_or_else(|| Refusal::not_found("Order"));
    }
    if let Some(known) = app.book().by_hash(hash) {
        return duplicate(app, known);
    }
    require_settleable(chain, order.kind(), &terms, hash, now, by_signature).await?;
    if order.kind() == OrderKind::Fillable && app.control.settings().named(order.kind()) == OrderKind::Order {
        chain.note_fillable(hash).await?;
    }
    // One lock after the other: both in one statement would wait for each other.
    let beneficiary = app.book().beneficiary(hash);
    let stored = StoredOrder {
        id: id_of(hash),
        chain_id,
        order,
        terms,
        value: value.clone(),
        signature,
        hash,
        partner,
        market_type,
        is_offered,
        status: if is_signed && is_deposited { Status::Pending } else { Status::AwaitingSignature },
        settlements: Vec::new(),
        arrivals: Vec::new(),
        refunds: Vec::new(),
        arrival_expected: app.book().expected(hash),
        beneficiary,
        in_flight: None,
        created_at: now,
        updated_at: now,
        since: Instant::now(),
    };
    let answer = stored.json(app.control.settings().bounds);
    let added = app.book().add(stored);
    added.map_or_else(|known| duplicate(app, &known), |()| Ok(answer))
}

/// The same for the same order in each sandbox: what a browser has kept of one can then be found in another.
fn id_of(hash: B256) -> String {
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&hash[..16]);
    Builder::from_random_bytes(bytes).into_uuid().to_string()
}

/// The same signed order again: by the switch the same order, or an error; never a second order.
fn duplicate(app: &App, known: &StoredOrder) -> Result<Json, Refusal> {
    let settings = app.control.settings();
    match settings.duplicate_status {
        200 => Ok(known.json(settings.bounds)),
        status => Err(Refusal::new(status, "OrderAlreadyExists", "Order already exists")),
    }
}

fn require_supported(app: &App, chain: &Chain, order: &SignedOrder, terms: &Terms) -> Result<(), Refusal> {
    let known = |token| chain.delta_token(token).is_some();
    let sells_native = chain.sells_native(terms.src_token);
    let stays = terms.bridge == Default::default();
    let slices = U256::from(terms.slices);
    let wrong = if !(sells_native || known(terms.src_token)) || !known(terms.dest_token) {
        "Token not supported"
    } else if (sells_native && terms.dest_token == NATIVE) || (stays && terms.src_token == terms.dest_token) {
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

/// The hash under the name the order was built with. Whether it may be filled in parts has to be stated again.
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

/// Whether the owner signed already. An empty signature means that this is done on chain, by now or later.
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
    by_signature: bool,
) -> Result<(), Refusal> {
    if U256::from(now) > terms.deadline {
        return Err(Refusal::new(400, "OrderExpired", "Order expired"));
    }
    let (balance, used, filled) = tokio::join!(
        chain.balance(if chain.sells_native(terms.src_token) { NATIVE } else { terms.src_token }, terms.owner),
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
    if kind == OrderKind::External {
        // The needs of its handler are the handler's own.
        return Ok(());
    }
    let needed = terms.left_of_source(filled.filled);
    let short = |error_type: &str, what: String| {
        Err(Refusal::new(400, error_type, format!("{what} of {} is below {needed}", terms.src_token)))
    };
    let balance = balance?;
    if chain.sells_native(terms.src_token) {
        // A missing deposit may still come.
        let enough = !by_signature || balance.saturating_add(chain.deposited(terms.owner).await?) >= needed;
        return if enough { Ok(()) } else { short("InsufficientBalance", format!("balance {balance}")) };
    }
    if balance < needed {
        return short("InsufficientBalance", format!("balance {balance}"));
    }
    if chain.can_take(&terms.funding(filled.fills > 0), needed, now).await? {
        return Ok(());
    }
    if terms.permit.is_empty() {
        let allowance = chain.allowance(terms.src_token, terms.owner).await?;
        return short("InsufficientAllowance", format!("allowance {allowance}"));
    }
    short("InsufficientAllowance", "what order.permit allows".into())
}
