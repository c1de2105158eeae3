//! `cancel`: cancelling orders by one signature, without gas.
//!
//! The owner signs the list of ids as typed data, in the domain of the Delta contract; the service verifies the
//! signature. This only asks the service to drop the orders. A holder of their signatures can still have them filled
//! until their deadline; `buildCancellation` (`withdrawal.rs`) ends an order on chain.

use crate::client::{Client, Shared};
use crate::flows::call::{CallArgs, Progress};
use crate::flows::chain::deployment::find_deployment;
use crate::flows::chain::signature_check::accepted_form;
use crate::flows::delta::reported::{Wanted, verify_reported};
use crate::host::Host;
use crate::service::{ensure_post_may_leave, orders};
use crate::wallet::account::ensure_ready;
use crate::wallet::confirm::{Payload, PromptContent, Purpose, own_report};
use crate::wallet::signing::{ToSign, forget, is_own_asked, signature};
use alloy_primitives::{Address, B256};
use verify::internal::domain::chain::Protocol;
use verify::internal::domain::delta::cancellation::{MAX_ORDERS, cancellation};
use verify::internal::domain::delta::order::domain;
use verify::internal::domain::delta::status::is_terminal;
use verify::internal::domain::input::chain_id;
use verify::internal::domain::verify::{Checks, Verdict};
use verify::internal::error::{Error, ErrorCode, Result};
use verify::internal::json::{Json, JsonAt, ObjectWriter, array, parse, quoted};
use verify::internal::value::text::{ToText, joined};

/// The orders to cancel: open, of one owner, on one chain.
struct OrdersToCancel {
    /// The service's ids: 1 to 100 UUIDs, no two the same.
    ids: Vec<String>,
    /// The account that signs the cancellation.
    owner: Address,
    /// The source chain.
    chain_id: u64,
}

impl OrdersToCancel {
    /// The argument, and each order in it: it is one order, or a list of them.
    fn places(orders: &Json) -> (JsonAt<'_>, Vec<JsonAt<'_>>) {
        let all = JsonAt::input(orders, "orders");
        let items = all.items().map(Iterator::collect);
        (all, items.unwrap_or_else(|_| vec![all]))
    }

    /// Reads one order, or a list of them.
    ///
    /// # Errors
    /// INVALID_INPUT with the order that is not open, not of the same owner and chain, without a UUID, or passed twice.
    fn read(orders: &Json) -> Result<OrdersToCancel> {
        let (all, places) = OrdersToCancel::places(orders);
        let mut found = OrdersToCancel { ids: vec![], owner: Address::ZERO, chain_id: 0 };
        for at in places {
            if at.names().next().is_none() {
                return Err(at.fault("an order"));
            }
            let (id, owner_at, chain_at) = (at.get("id"), at.get("owner"), at.get("input").get("chainId"));
            let (text, owner, chain) = (id.text()?, owner_at.address()?, chain_id(&chain_at)?);
            let status = at.get("status");
            if status.text().is_ok_and(is_terminal) {
                return Err(status.fault("an order that is still open"));
            }
            if found.ids.is_empty() {
                (found.owner, found.chain_id) = (owner, chain);
            }
            if owner != found.owner {
                return Err(owner_at.fault(&["the owner of the others, ", &found.owner.text()].concat()));
            }
            if chain != found.chain_id {
                return Err(chain_at.fault(&["the chain of the others, ", &found.chain_id.text()].concat()));
            }
            // The wallet shows the id as it is: it must not carry a sentence.
            if !is_uuid(text) {
                return Err(id.fault("an order's id (a UUID)"));
            }
            if found.ids.iter().any(|known| known.eq_ignore_ascii_case(text)) || found.ids.len() >= MAX_ORDERS {
                return Err(id.fault("at most 100 orders, each once"));
            }
            found.ids.push(text.into());
        }
        if found.ids.is_empty() { Err(all.fault("1 to 100 orders")) } else { Ok(found) }
    }

    /// Compares the orders with what this client has of them. The signature covers only their ids, so an order that
    /// was shown under another order's id is refused here.
    ///
    /// # Errors
    /// VERIFY_MISMATCH with the member that contradicts.
    fn verify_passed<H: Host>(shared: &Shared<H>, orders: &Json) -> Result<()> {
        for at in OrdersToCancel::places(orders).1 {
            verify_reported(shared, &at, &Wanted::default(), ErrorCode::VerifyMismatch)?;
        }
        Ok(())
    }

    /// The report for the prompt. An id is no order: only this client's memory has the order of an id.
    ///
    /// # Errors
    /// INTERNAL if that is no JSON.
    fn report<H: Host>(&self, shared: &Shared<H>) -> Result<Json> {
        let mut checks = Checks::default();
        for (index, id) in (0_u64..).zip(&self.ids) {
            let known = shared.ledger.signed(None, Some(id)).map(|order| order.hash);
            let verdict = if known.is_some() { Verdict::Ok } else { Verdict::Unknown };
            let field = ["orders.", &index.text(), ".id"].concat();
            checks.note(&field, &"of an order that was signed here", id, verdict);
        }
        let sentence = ["Cancel the orders ", &joined(&self.ids, ", "), " at the service"];
        own_report(&sentence.concat(), checks)
    }

    /// Their ids as a JSON array, for the request and for the answer.
    fn ids_json(&self) -> String {
        let mut quotes = Vec::new();
        for id in &self.ids {
            quotes.push(quoted(id));
        }
        array(&quotes)
    }
}

/// Whether a text is a UUID: 8, 4, 4, 4 and 12 hex digits with hyphens between them.
fn is_uuid(text: &str) -> bool {
    let lengths = text.split('-').map(str::len);
    lengths.eq([8, 4, 4, 4, 12]) && text.bytes().all(|byte| byte == b'-' || byte.is_ascii_hexdigit())
}

/// Cancels open orders of one owner on one chain, after one prompt. Amounts filled before stay filled. Returns `{
/// orderIds }`: the ids that the service reports as cancelled.
///
/// # Errors
/// INVALID_INPUT; VERIFY_MISMATCH if an order differs from its hash or this client's memory; those of the wallet;
/// SIGNATURE_MISMATCH; the service's refusal.
pub async fn cancel<H: Host>(client: &Client<H>, call: &CallArgs<'_, H>) -> Result<String> {
    let (shared, signal) = (&client.shared, call.signal);
    let input = OrdersToCancel::read(call.data)?;
    let (owner, chain_id) = (input.owner, input.chain_id);
    let delta = find_deployment(shared, chain_id, Protocol::Delta, signal).await?.contracts.delta;
    OrdersToCancel::verify_passed(shared, call.data)?;
    let (cancellation, domain) = (cancellation(&input.ids), domain(chain_id, delta));
    let typed = cancellation.to_sign(&domain)?;
    let digest = typed.digest.digest;
    (call.progress)(Progress::step("checking"));
    let to_sign = ToSign { signer: owner, digest, typed_data: &typed.text };
    let report = input.report(shared)?;
    let (purpose, payload) = (Purpose::CancelOrders, Payload::Signed(owner, &typed.text));
    let detail = Some(("orderIds", input.ids_json()));
    let content = PromptContent { key: digest, purpose, report: &report, payload, detail };
    let bytes = loop {
        let mut permission = None;
        if !is_own_asked(client, digest) {
            ensure_ready(client, owner, chain_id, signal).await?;
            ensure_post_may_leave(shared).await?;
            let Some(consent) = call.gate.pass(client, &content, signal).await? else { continue };
            permission = Some(consent.without_trade()?);
        }
        let signing = || (call.progress)(Progress::signing(&typed));
        if let Some(bytes) = signature(client, &to_sign, permission, signal, &signing).await? {
            break bytes;
        }
    };
    let outcome = post(client, &input, digest, &bytes, call).await;
    // After another failure the signature is kept, so that the next attempt opens no prompt.
    if outcome.as_ref().err().is_none_or(refuses_signature) {
        forget(client, digest);
    }
    let answer = parse(&outcome?).map_err(Error::not_json)?;
    for id in &input.ids {
        shared.ledger.record_cancelling(id).await;
    }
    (call.progress)(Progress::step("posted"));
    write_cancelled(&JsonAt::service(&answer, "answer"), &input)
}

/// Whether the signature is at fault.
fn refuses_signature(error: &Error) -> bool {
    [ErrorCode::SignatureMismatch, ErrorCode::UnsupportedAccount].contains(&error.code)
}

/// Posts the cancellation with the signature of its `digest`. Returns the service's answer.
///
/// # Errors
/// Those of [`accepted_form`] and of the service.
async fn post<H: Host>(
    client: &Client<H>,
    input: &OrdersToCancel,
    digest: B256,
    bytes: &[u8],
    call: &CallArgs<'_, H>,
) -> Result<String> {
    let form = accepted_form(client, input.chain_id, input.owner, digest, bytes, false, call.signal).await?;
    (call.posting)();
    (call.progress)(Progress::step("posting"));
    let (shared, ids) = (&client.shared, input.ids_json());
    match orders::cancel(shared, &ids, &form).await {
        // The service does not document which form of a key's signature it accepts here.
        Err(error) if refuses_signature(&error) && form != bytes => orders::cancel(shared, &ids, bytes).await,
        answer => answer,
    }
}

/// The answer for the app. The service answers `{ cancelled: [ids] }`, or `{ success: true }` for all of them; ids that
/// were not passed in are left out.
///
/// # Errors
/// SERVICE_REJECTED if it cancelled nothing; SERVICE_MALFORMED.
fn write_cancelled(answer: &JsonAt<'_>, input: &OrdersToCancel) -> Result<String> {
    let (cancelled, success) = (answer.get("cancelled"), answer.get("success"));
    let mut out = ObjectWriter::object();
    if cancelled.is_absent() {
        if !success.bool()? {
            return Err(Error::new(ErrorCode::ServiceRejected, "the service did not cancel"));
        }
        out.raw("orderIds", &input.ids_json());
    } else {
        let mut found = Vec::new();
        for id in cancelled.items()? {
            let id = id.text()?;
            if input.ids.iter().any(|known| known.eq_ignore_ascii_case(id)) {
                found.push(quoted(id));
            }
        }
        out.raw("orderIds", &array(&found));
    }
    Ok(out.close())
}
