//! The calls `trades.list`, `trades.forget` and `trades.abandon`: the journal's trades, for the app.

use crate::client::{Client, Shared};
use crate::flows::call::CallArgs;
use crate::flows::chain::open_orders::{Lacks, find_lacks};
use crate::flows::delta::existing::LET_GO_SECS;
use crate::flows::journal::sync::{sync, sync_now};
use crate::host::{Host, STORAGE_LIMIT_MS, Signal};
use crate::ledger::record::{Entry, Stage, TradeKind};
use crate::ledger::step::Event;
use crate::ledger::store::{NONCES, PREFIX};
use alloy_primitives::B256;
use verify::internal::domain::delta::status::COMPLETED;
use verify::internal::domain::input::{account, chain_id, known, optional};
use verify::internal::error::{Error, ErrorCode, Result};
use verify::internal::json::{Json, JsonAt, ObjectWriter, array};

/// How long after its signature an order is posted without asking the user, in milliseconds: the user still waits for
/// it.
const POST_UNASKED_MS: u64 = 60_000;

/// Whether an order was signed, or asked for, so long ago that the user is asked whether it is still wanted.
pub fn is_late(entry: &Entry, now: u64) -> bool {
    now.abs_diff(entry.signed_at.unwrap_or(entry.started_at)) > POST_UNASKED_MS
}

/// Writes a trade as JavaScript's `Trade`, with what the chain shows that it `lacks`; `more` adds the members that
/// `resume` found out.
pub fn write_trade<H: Host>(
    shared: &Shared<H>,
    entry: &Entry,
    lacks: &Lacks,
    more: &dyn Fn(&mut ObjectWriter),
) -> String {
    let read = lacks.iter().find(|(hash, _)| *hash == entry.key).map(|(_, lack)| *lack);
    let mut out = ObjectWriter::object();
    out.value("id", &entry.key);
    out.text("kind", entry.kind.name());
    out.text_or_null("purpose", entry.purpose.as_deref());
    out.text("state", entry.stage.name());
    out.text_or_null("status", entry.status.as_deref());
    out.text_or_null("needs", needs(shared, entry).or(read.flatten()));
    out.flags(&[("funded", read.map(|lack| lack.is_none()))]);
    out.text("baseUrl", &entry.base_url);
    out.number("chainId", entry.chain_id);
    out.value("owner", &entry.owner);
    let is_order = entry.kind != TradeKind::Transaction;
    out.value_or_null("orderHash", is_order.then_some(&entry.key));
    out.text_or_null("orderId", entry.order_id.as_deref());
    out.value_or_null("transaction", entry.transaction.as_ref());
    out.text_or_null("batch", entry.batch.as_deref().filter(|id| !id.is_empty()));
    out.text_or_null("said", entry.said.as_deref());
    for (name, time) in [
        ("startedAt", Some(entry.started_at)),
        ("signedAt", entry.signed_at),
        ("changedAt", Some(entry.changed_at)),
        ("deadline", entry.deadline),
    ] {
        out.number_or_null(name, time);
    }
    out.raw("summary", &entry.summary);
    let payload = entry.payload.as_deref().filter(|_| is_order);
    let (build, signed) = if entry.is_signed() { (None, payload) } else { (payload, None) };
    out.raw("build", build.unwrap_or("null"));
    out.raw("signedOrder", signed.unwrap_or("null"));
    more(&mut out);
    out.close()
}

/// Writes the open entries that cannot be read, each as JavaScript's `UnreadableTrade`.
pub fn write_unreadable<H: Host>(shared: &Shared<H>) -> Vec<String> {
    let unread = shared.ledger.unread.borrow();
    unread.iter().filter(|trade| trade.is_opaque).map(|trade| write_opaque(&trade.key)).collect()
}

/// Writes the entry of that key, of which nothing else is known, as JavaScript's `UnreadableTrade`.
fn write_opaque(key: &B256) -> String {
    let mut out = ObjectWriter::object();
    out.value("id", key);
    out.text("kind", "unreadable");
    out.text("state", "unreadable");
    out.raw("status", "null");
    out.text("needs", "decision");
    out.raw("summary", r#"{"sentence":"A trade that cannot be read any more: it may have been signed or sent"}"#);
    out.close()
}

/// The input that a trade waits for: `signature`, the wallet's; `decision`, the user's; `None` if it goes on by itself,
/// or ended.
fn needs<H: Host>(shared: &Shared<H>, entry: &Entry) -> Option<&'static str> {
    let goes_on = || shared.ledger.is_own(entry) && !is_late(entry, shared.host.unix_ms());
    // An approval that failed, or is not known any more, lets nothing go on.
    let may_come = |key| {
        let approval = shared.ledger.trade(key);
        approval.is_some_and(|entry| entry.stage == Stage::Sent || entry.status.as_deref() == Some(COMPLETED))
    };
    match (entry.stage, entry.kind) {
        (Stage::Asking, TradeKind::Transaction) => Some("decision"),
        (Stage::Asking, _) => Some("signature"),
        _ if entry.is_foreign() || entry.is_forgotten(shared.host.unix_ms()) => Some("decision"),
        (Stage::Unapproved, _) => Some("decision"),
        (Stage::Signed | Stage::Waiting | Stage::Posting, _) if !goes_on() => Some("decision"),
        (Stage::Waiting, _) if !entry.awaits.is_some_and(may_come) => Some("decision"),
        _ => None,
    }
}

/// The call `trades.list`: the trades of the journal, the latest first. Returns an array of `Trade`s as JSON text. Sends
/// no request to the service, and to chains only for open gasless orders ([`find_lacks`]).
///
/// # Errors
/// INVALID_INPUT with the filter's member.
pub async fn list_trades<H: Host>(client: &Client<H>, call: &CallArgs<'_, H>) -> Result<String> {
    let at = JsonAt::input(call.data, "filter");
    known(&at, &["account", "chainId", "open"])?;
    let owner = optional(&at.get("account"), account)?;
    let chain = optional(&at.get("chainId"), chain_id)?;
    let open = optional(&at.get("open"), |at| at.bool())?;
    sync(client, call.signal).await?;
    let fits = |entry: &Entry| {
        !client.shared.ledger.has_opaque(Some(entry.key))
            && owner.is_none_or(|owner| owner == entry.owner)
            && chain.is_none_or(|chain| chain == entry.chain_id)
            && open.is_none_or(|open| open == (entry.stage != Stage::Ended))
    };
    let mut trades: Vec<Entry> = Vec::new();
    // The ledger has the latest last: most are put at the end. The library's sort would be three kilobytes.
    for entry in client.shared.ledger.trades(fits).into_iter().rev() {
        let place = trades.partition_point(|known| known.started_at > entry.started_at);
        trades.insert(place, entry);
    }
    let lacks = find_lacks(client, &trades, call.signal).await;
    let mut all: Vec<String> = trades.iter().map(|entry| write_trade(&client.shared, entry, &lacks, &|_| {})).collect();
    if open != Some(false) {
        all.extend(write_unreadable(&client.shared));
    }
    Ok(array(&all))
}

/// The call `trades.forget`: deletes the journal, or the entries of a list of ids. Calls under way go on, and this client
/// still has the signed orders in memory; a reload has not. Returns how many entries were deleted.
///
/// # Errors
/// INVALID_INPUT with the id that is malformed; JOURNAL_UNREADABLE.
pub async fn forget<H: Host>(client: &Client<H>, call: &CallArgs<'_, H>) -> Result<String> {
    let at = JsonAt::input(call.data, "ids");
    let mut keys: Vec<B256> = Vec::new();
    let is_all = at.is_absent() || matches!(call.data, Json::Object(members) if members.is_empty());
    if !is_all {
        for item in at.items()? {
            keys.push(item.fixed::<32>()?.into());
        }
    }
    sync(client, call.signal).await?;
    let shared = &client.shared;
    if is_all {
        keys = shared.ledger.trades(|_| true).iter().map(|entry| entry.key).collect();
        forget_prefix(shared, PREFIX).await;
        // The next reading finds anything that is still there.
        shared.ledger.unread.borrow_mut().clear();
        shared.ledger.journal_reading.set(0);
        shared.ledger.is_journal_read.set(false);
        forget_prefix(shared, NONCES).await;
    }
    for key in &keys {
        if shared.ledger.has_opaque(Some(*key)) {
            shared.ledger.let_go(*key, call.signal).await?;
        }
        if shared.ledger.trade(*key).is_some() {
            shared.ledger.apply(*key, Event::EntryDropped).await;
        }
    }
    Ok(keys.len().to_string())
}

/// Deletes all entries whose names have that prefix, unreadable ones too.
async fn forget_prefix<H: Host>(shared: &Shared<H>, prefix: &str) {
    for (name, _) in shared.host.load(prefix, STORAGE_LIMIT_MS).await.unwrap_or_default() {
        shared.ledger.delete(&name).await;
    }
}

/// How often `abandon` tries to get the lock of a trade alone.
const LOOKS: u32 = 20;
/// The milliseconds between two of these [`LOOKS`].
const LOOK_MS: u32 = 100;

/// The call `trades.abandon`: the user does not go on with a trade. No later call asks about it. An order that was
/// signed can still be filled by a holder of its signature: it still blocks a second one for the same trade. An hour
/// after its deadline it no longer does, even if its outcome was never reported. An entry that cannot be read is
/// deleted. Returns the `Trade`, or the `UnreadableTrade`.
///
/// # Errors
/// INVALID_INPUT if there is no such trade, or the service has its order, which has to be cancelled instead;
/// ALREADY_SIGNED if a call or another tab works on it for longer than 2 s: it may post it at any moment;
/// JOURNAL_UNREADABLE if the journal cannot be read, or the browser does not answer whether one does.
pub async fn abandon<H: Host>(client: &Client<H>, call: &CallArgs<'_, H>) -> Result<String> {
    let at = JsonAt::input(call.data, "id");
    let key: B256 = at.fixed::<32>()?.into();
    sync(client, call.signal).await?;
    let shared = &client.shared;
    let unknown = || at.fault("the id of a trade, as trades.list has it");
    let known = shared.ledger.trade(key);
    let intent = if shared.ledger.has_opaque(Some(key)) { None } else { known.ok_or_else(unknown)?.intent };
    let mut lock = shared.ledger.try_lock(intent.unwrap_or(key), key, 0).await?;
    // A call that only looks up its state holds the lock for a moment.
    for _ in 0..LOOKS {
        if lock.is_some() || call.signal.is_aborted() {
            break;
        }
        shared.host.sleep(LOOK_MS, call.signal).await;
        lock = shared.ledger.try_lock(intent.unwrap_or(key), key, 0).await?;
    }
    let Some(_lock) = lock else {
        let message = "a call or another tab is at work on this trade: abort that call, or wait for its end";
        return Err(Error::new(ErrorCode::AlreadySigned, message));
    };
    // Another tab may have written before it gave the lock back.
    sync_now(client, call.signal).await?;
    if shared.ledger.has_opaque(Some(key)) {
        shared.ledger.let_go(key, call.signal).await?;
        return Ok(write_opaque(&key));
    }
    let mut entry = shared.ledger.trade(key).ok_or_else(unknown)?;
    let is_open = entry.is_foreign() || entry.is_forgotten(shared.host.unix_ms());
    if matches!(entry.stage, Stage::Posted | Stage::Sent) && !is_open {
        let expected = "a trade that was not posted or sent (cancel the order, or the transaction in the wallet)";
        return Err(Error::input("id", expected, entry.stage.name()));
    }
    let latest = entry.deadline.unwrap_or(u64::MAX).saturating_add(LET_GO_SECS);
    let lets_go = entry.kind == TradeKind::Delta && shared.host.unix_ms() / 1_000 > latest;
    if entry.stage != Stage::Ended || (lets_go && (entry.is_abandoned() || entry.is_contradicted())) {
        shared.ledger.apply(key, Event::UserAbandoned(lets_go)).await;
        entry = shared.ledger.trade(key).ok_or_else(unknown)?;
    }
    Ok(write_trade(shared, &entry, &vec![], &|_| {}))
}
