//! POST /v2/delta/orders.

use std::time::Instant;

use alloy_primitives::{B256, Bytes, U256};

use super::Refusal;
use super::call::Call;
use crate::app::App;
use crate::chain::{Chain, NATIVE, Order, ZERO_BRIDGE};
use crate::json::Json;
use crate::order::{MAX_FEE_BPS, Status, StoredOrder, order_hash, read_order, recover_owner};
use crate::random;

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
    let order = read_order(value).map_err(Refusal::invalid)?;
    require_supported(chain, &order)?;
    let hash = hash_of(chain, value)?;
    let signature = text("signature").ok_or_else(|| Refusal::invalid("signature is required"))?;
    let signature = require_signature(chain, &order, hash, &signature).await?;
    if let Some(known) = app.book().by_hash(hash) {
        return duplicate(app, known);
    }
    let now = chain.now().await?;
    require_settleable(chain, &order, now).await?;
    let stored = StoredOrder {
        id: random::uuid(),
        chain_id,
        order,
        value: value.clone(),
        signature,
        hash,
        partner,
        market_type,
        status: Status::Pending,
        settlement: None,
        created_at: now,
        updated_at: now,
        since: Instant::now(),
    };
    let answer = stored.json();
    let added = app.book().add(stored);
    added.map_or_else(|known| duplicate(app, &known), |()| Ok(answer))
}

/// The same signed order again: by the switch the same order, or an error; never a second order.
fn duplicate(app: &App, known: &StoredOrder) -> Result<Json, Refusal> {
    match app.control.settings().duplicate_status {
        200 => Ok(known.json()),
        status => Err(Refusal::new(status, "OrderAlreadyExists", "Order already exists")),
    }
}

fn require_supported(chain: &Chain, order: &Order) -> Result<(), Refusal> {
    let known = |token| chain.token(token).is_some();
    let wrong = if !known(order.srcToken) || !known(order.destToken) {
        "Token not supported"
    } else if order.srcToken == NATIVE {
        "orders that sell the native coin are not supported"
    } else if order.srcToken == order.destToken {
        "order.destToken must differ from order.srcToken"
    } else if order.srcAmount.is_zero() || order.destAmount.is_zero() {
        "order.srcAmount and order.destAmount must be positive"
    } else if order.beneficiary.is_zero() {
        "order.beneficiary must not be zero"
    } else if !order.permit.is_empty() {
        "order.permit is not supported: approve the spender"
    } else if order.bridge != ZERO_BRIDGE {
        "order.bridge must be empty: crosschain orders are not supported"
    } else if order.partnerAndFee & U256::from(0xff) > U256::from(MAX_FEE_BPS) {
        "order.partnerAndFee carries more than 200 bps"
    } else {
        return Ok(());
    };
    Err(Refusal::invalid(wrong))
}

fn hash_of(chain: &Chain, value: &Json) -> Result<B256, Refusal> {
    let value = serde_json::from_str(&value.to_string()).map_err(|error| Refusal::invalid(error.to_string()))?;
    order_hash(chain.id, chain.delta, &value).map_err(|error| Refusal::invalid(format!("order: {error}")))
}

async fn require_signature(chain: &Chain, order: &Order, hash: B256, text: &str) -> Result<Bytes, Refusal> {
    let refuse = |why: String| Refusal::new(400, "InvalidSignature", format!("Invalid signature: {why}"));
    let bytes: Option<Bytes> = text.strip_prefix("0x").and_then(|digits| digits.parse().ok());
    let bytes = bytes.ok_or_else(|| refuse("it is not 0x-prefixed hex".into()))?;
    let signer = recover_owner(hash, &bytes).map_err(refuse)?;
    if signer != order.owner {
        return Err(refuse("it does not recover to order.owner".into()));
    }
    if chain.has_code(order.owner).await? {
        return Err(refuse("owners with code are not supported".into()));
    }
    Ok(bytes)
}

/// Whether the order could settle right now, its price aside.
async fn require_settleable(chain: &Chain, order: &Order, now: u64) -> Result<(), Refusal> {
    if U256::from(now) > order.deadline {
        return Err(Refusal::new(400, "OrderExpired", "Order expired"));
    }
    let (balance, allowance, used) = tokio::join!(
        chain.balance(order.srcToken, order.owner),
        chain.allowance(order.srcToken, order.owner),
        chain.is_nonce_used(order.owner, order.nonce),
    );
    if used? {
        return Err(Refusal::invalid("order.nonce is used"));
    }
    let short = |error_type: &str, what: &str, have: U256| {
        let details = format!("{what} {have} of {} is below {}", order.srcToken, order.srcAmount);
        Err(Refusal::new(400, error_type, details))
    };
    match (balance?, allowance?) {
        (balance, _) if balance < order.srcAmount => short("InsufficientBalance", "balance", balance),
        (_, allowance) if allowance < order.srcAmount => short("InsufficientAllowance", "allowance", allowance),
        _ => Ok(()),
    }
}
