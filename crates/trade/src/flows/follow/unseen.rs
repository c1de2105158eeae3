//! An order that the service handed out and does not find: its reads lag, as those of a replica do. Such an order
//! exists, whatever a read reports, until it can no longer be filled.

use crate::client::followed::{FollowedOrder, SharedOrder, Unseen};
use crate::client::{Client, Shared};
use crate::flows::delta::existing::refresh_orders;
use crate::flows::follow::answer::take_over;
use crate::flows::follow::pace::GRACE_SECS;
use crate::flows::journal::sync::sync_best_effort;
use crate::host::Host;
use crate::ledger::record::Entry;
use verify::internal::domain::delta::status::is_terminal;
use verify::internal::domain::typed_struct::name;
use verify::internal::error::Result;
use verify::internal::json::{Json, JsonAt, ObjectWriter, parse};

/// Handles the service's answer that there is no such order. Returns whether the service may find it later, because it
/// handed it out: this is noted, and the order is requested again.
///
/// # Errors
/// ABORTED, if the signal aborts first.
pub async fn is_late<H: Host>(client: &Client<H>, order: &SharedOrder, signal: &H::Signal) -> Result<bool> {
    let shared = &client.shared;
    sync_best_effort(client, signal).await;
    if order.borrow().reported.is_none() {
        let Some(known) = handed_out(shared, &order.borrow()) else { return Ok(false) };
        if take_over(client, order, &JsonAt::service(&known, "order")).is_err() {
            return Ok(false);
        }
    }
    let unix_ms = shared.host.unix_ms();
    let known = order.borrow().unseen;
    let since = known.map_or(unix_ms, |unseen| unseen.since);
    let end = order.borrow().deadline.unwrap_or(since / 1_000).saturating_add(GRACE_SECS);
    if unix_ms / 1_000 >= end {
        return Ok(false);
    }
    let is_over = is_over_by_chain(client, order, signal).await?;
    let (turn, now) = (shared.followed.next_turn(), shared.host.monotonic_ms());
    let order = &mut *order.borrow_mut();
    if known.is_none_or(|known| known.is_over != is_over) {
        order.changed = turn;
    }
    order.unseen = Some(Unseen { since, asked_ms: now, is_over });
    (order.is_missing, order.was_sought, order.failures) = (false, false, 0);
    order.cover(turn, now);
    Ok(true)
}

/// The order as the service handed it out: to the application, in the answer to its post, or by the journal. `None` if
/// only the application knows it.
fn handed_out<H: Host>(shared: &Shared<H>, order: &FollowedOrder) -> Option<Json> {
    let (id, hash) = (order.wanted.id.as_deref(), order.wanted.hash);
    let is_it = |entry: &Entry| {
        let reported = entry.order_id.as_deref();
        reported
            .is_some_and(|reported| Some(entry.key) == hash || id.is_some_and(|id| id.eq_ignore_ascii_case(reported)))
    };
    let noted = shared.ledger.trades(is_it).into_iter().next();
    let signed = shared.ledger.signed(hash, id).map(|signed| signed.hash).or(noted.as_ref().map(|entry| entry.key));
    let known = order.given.clone().or_else(|| shared.ledger.posted(signed?));
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
async fn is_over_by_chain<H: Host>(client: &Client<H>, order: &SharedOrder, signal: &H::Signal) -> Result<bool> {
    let (shared, hash) = (&client.shared, order.borrow().wanted.hash.unwrap_or_default());
    if !shared.ledger.is_cancelling(hash) {
        return Ok(false);
    }
    let intent = shared.ledger.orders().iter().find(|order| order.signed.hash == hash).map(|order| order.intent);
    let Some(intent) = intent else { return Ok(false) };
    refresh_orders(client, intent, None, signal).await?;
    Ok(shared.ledger.orders().iter().any(|order| order.signed.hash == hash && order.is_over))
}
