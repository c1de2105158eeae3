//! An order that the service handed out and does not find: its reads lag, as those of a replica do. Such an order
//! exists, whatever a read reports, until it can no longer be filled.

use super::GRACE_SECS;
use super::report::{Asked, tell};
use crate::client::{Client, Shared};
use crate::flows::delta::existing::refresh_orders;
use crate::flows::delta::reported::Wanted;
use crate::flows::journal::sync::sync_best_effort;
use crate::host::Host;
use crate::ledger::record::Entry;
use alloy_primitives::B256;
use verify::internal::domain::delta::status::is_terminal;
use verify::internal::domain::input::MAX_EXACT;
use verify::internal::domain::typed_struct::name;
use verify::internal::error::{Error, Result};
use verify::internal::json::{Json, JsonAt, ObjectWriter, array, parse};

/// Handles the service's answer that there is no such order, the one at that place of the round: the answer of a round if
/// the service may find it later, because it handed it out.
///
/// # Errors
/// ABORTED, if the signal aborts first; else `error`, the service's answer.
pub async fn find_unseen<H: Host>(
    client: &Client<H>,
    (place, asked): (Option<usize>, &Asked),
    at: &JsonAt<'_>,
    signal: &H::Signal,
    error: Error,
) -> Result<String> {
    let shared = &client.shared;
    sync_best_effort(client, signal).await;
    let mut told = None;
    if at.get("text").is_absent() {
        let Some(known) = handed_out(shared, asked) else { return Err(error) };
        told = tell(client, &JsonAt::service(&known, "order"), (place, asked), true).ok();
        if told.is_none() {
            return Err(error);
        }
    }
    let report = told.as_deref().map(parse).and_then(core::result::Result::ok).unwrap_or(Json::Null);
    let report = JsonAt::service(&report, "told").get("reported");
    let known = Wanted::read(&report.get("known"))?;
    let unix_ms = shared.host.unix_ms();
    let since = at.get("unseenSince").integer(MAX_EXACT).unwrap_or(unix_ms);
    let deadline = [report, *at].map(|at| at.get("deadline").integer(MAX_EXACT).ok());
    let end = deadline.into_iter().flatten().next().unwrap_or(since / 1_000).saturating_add(GRACE_SECS);
    if unix_ms / 1_000 >= end {
        return Err(error);
    }
    let hash = known.hash.or(asked.wanted.hash).unwrap_or_default();
    let is_over = is_over_by_chain(client, hash, signal).await?;
    let mut unseen = ObjectWriter::object();
    unseen.number("since", since);
    unseen.flag("isOver", is_over);
    let mut out = ObjectWriter::object();
    out.raw("told", &array(told.as_slice()));
    out.raw("unseen", &unseen.close());
    Ok(out.close())
}

/// The order as the service handed it out: to the application, in the answer to its post, or by the journal. `None` if
/// only the application has it.
fn handed_out<H: Host>(shared: &Shared<H>, order: &Asked) -> Option<Json> {
    let (id, hash) = (order.wanted.id.as_deref(), order.wanted.hash);
    let is_it = |entry: &Entry| {
        let reported = entry.order_id.as_deref();
        reported
            .is_some_and(|reported| Some(entry.key) == hash || id.is_some_and(|id| id.eq_ignore_ascii_case(reported)))
    };
    let noted = shared.ledger.trades(is_it).into_iter().next();
    let signed = shared.ledger.signed(hash, id).map(|signed| signed.hash).or(noted.as_ref().map(|entry| entry.key));
    let given = order.given.as_deref().and_then(|given| parse(given).ok());
    let known = given.or_else(|| shared.ledger.posted(signed?));
    let mut known = known.or_else(|| parse(&write_noted(shared, noted.as_ref()?)).ok())?;
    // Its last reported status.
    let status = noted.and_then(|entry| entry.status).filter(|status| is_terminal(status));
    if let (Json::Object(members), Some(status)) = (&mut known, status)
        && let Some((_, reported)) = members.iter_mut().find(|(name, _)| name == "status")
    {
        *reported = Json::String(status);
    }
    Some(known)
}

/// An order of the journal, as far as it is known, in the form of the service's.
fn write_noted<H: Host>(shared: &Shared<H>, entry: &Entry) -> String {
    let mut out = ObjectWriter::object();
    out.text("id", entry.order_id.as_deref().unwrap_or_default());
    out.text("status", "PENDING");
    out.value("orderHash", &entry.key);
    out.value("owner", &entry.owner);
    let mut input = ObjectWriter::object();
    input.number("chainId", entry.chain_id);
    out.raw("input", &input.close());
    if let Some(signed) = shared.ledger.signed(Some(entry.key), None) {
        out.text("onChainOrderType", name(signed.order.encoded()));
        out.raw("order", &signed.order.message());
    }
    out.raw("transactions", "[]");
    out.raw("refunds", "[]");
    out.close()
}

/// Whether this client cancelled the order, and the chain shows that it cannot be filled any more: it was cancelled, or
/// filled before that.
///
/// # Errors
/// ABORTED, if the signal aborts first.
async fn is_over_by_chain<H: Host>(client: &Client<H>, hash: B256, signal: &H::Signal) -> Result<bool> {
    let shared = &client.shared;
    if !shared.ledger.is_cancelling(hash) {
        return Ok(false);
    }
    let intent = shared.ledger.orders().iter().find(|order| order.signed.hash == hash).map(|order| order.intent);
    let Some(intent) = intent else { return Ok(false) };
    refresh_orders(client, intent, None, signal).await?;
    Ok(shared.ledger.orders().iter().any(|order| order.signed.hash == hash && order.is_over))
}
