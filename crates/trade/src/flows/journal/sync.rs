//! Reads the journal: entries of other tabs, and those from before a reload.

use crate::client::{Client, Shared};
use crate::flows::chain::deployment::find_deployment;
use crate::flows::delta::sealed::{OpenBuild, open_build};
use crate::flows::submission::{Signable, write_signed_order};
use crate::host::{Changes, Host, STORAGE_LIMIT_MS, StorageFailure};
use crate::ledger::orders::KnownOrder;
use crate::ledger::record::{Entry, Stage, TradeKind, VERSION};
use crate::ledger::step::Event;
use crate::ledger::store::{NONCES, PREFIX, name, nonce_name, read_nonce};
use crate::ledger::unread::{insist, unreadable};
use crate::ledger::{KEPT, UnreadTrade};
use crate::wallet::prompt::is_asked;
use alloy_primitives::{B256, U256};
use std::rc::Rc;
use verify::internal::domain::chain::Protocol;
use verify::internal::domain::input::MAX_EXACT;
use verify::internal::error::{Error, Result};
use verify::internal::json::{Json, JsonAt, parse, quoted};
use verify::internal::value::text::ToText;

/// How long an entry is kept after its trade ended, in milliseconds: 30 days.
const KEPT_MS: u64 = 30 * 24 * 3_600_000;
/// How long after its deadline an order may still be filled, in seconds: clocks differ.
pub const SLACK_SECS: u64 = 7_200;

/// Reads the entries of other tabs, and those from before a reload. Orders that are signed and may still be filled are
/// remembered, so that the user does not sign the same trade twice without consent.
///
/// An order that cannot be verified is still listed; an entry of a newer version blocks its trade, and one of which
/// only the name is known blocks whatever it may be.
///
/// # Errors
/// JOURNAL_UNREADABLE if there is a storage that has not answered for seconds: entries may then be missing.
pub async fn sync<H: Host>(client: &Client<H>, signal: &H::Signal) -> Result<()> {
    match has_news(&client.shared) {
        true => sync_now(client, signal).await,
        false => Ok(()),
    }
}

/// [`sync`] for callers that use what can be read at once, and ignore a failure.
pub async fn sync_best_effort<H: Host>(client: &Client<H>, signal: &H::Signal) {
    if has_news(&client.shared) {
        let shared = &client.shared;
        let read = shared.host.changes(PREFIX, shared.ledger.journal_reading.get(), STORAGE_LIMIT_MS).await;
        if let Ok(read) = read {
            take_over(client, read, signal).await;
        }
    }
}

/// [`sync`] even without a message from another tab: the message may come later than the lock that the tab gave back.
///
/// # Errors
/// Same as [`sync`].
pub async fn sync_now<H: Host>(client: &Client<H>, signal: &H::Signal) -> Result<()> {
    let shared = &client.shared;
    // Counts as unread until the read succeeds: meanwhile, and if it fails, the next call reads it again.
    shared.ledger.is_journal_read.set(false);
    let read = async |limit_ms| shared.host.changes(PREFIX, shared.ledger.journal_reading.get(), limit_ms).await;
    match insist(&*shared.host, signal, &read).await {
        Ok(read) => take_over(client, read, signal).await,
        Err(StorageFailure::Absent) => {}
        Err(StorageFailure::Unreadable(why)) => return Err(unreadable(&why, signal)),
    }
    Ok(())
}

/// Whether the journal has to be read: it never was, another client wrote to it, or messages of other tabs cannot
/// arrive.
fn has_news<H: Host>(shared: &Shared<H>) -> bool {
    while shared.host.next_message(&shared.ledger.journal_inbox).is_some() {
        shared.ledger.is_journal_read.set(false);
    }
    !shared.host.hears_tabs() || !shared.ledger.is_journal_read.get()
}

/// Takes over the entries read from the storage.
async fn take_over<H: Host>(client: &Client<H>, (reading, stored): Changes, signal: &H::Signal) {
    let shared = &client.shared;
    let is_first = shared.ledger.trades(|_| true).is_empty();
    shared.ledger.is_journal_read.set(true);
    // The user refused in another tab.
    let is_gone = |entry: &Entry| entry.stage == Stage::Asking && !is_asked(shared, entry.key);
    let has = |entry: &Entry| stored.iter().any(|(of, _)| *of == name(entry.key));
    for gone in shared.ledger.trades(|entry| is_gone(entry) && !has(entry)) {
        shared.ledger.apply(gone.key, Event::OtherTabRemoved).await;
    }
    // Unchanged entries have no news.
    let is_as_before = |trade: &UnreadTrade| stored.iter().any(|(of, text)| text.is_none() && *of == name(trade.key));
    shared.ledger.unread.borrow_mut().retain(is_as_before);
    let mut entries = Vec::new();
    for (of, text) in stored {
        let Some(text) = text else { continue };
        match Entry::read(&text).ok().filter(|entry| name(entry.key) == of) {
            Some(entry) => entries.push(entry),
            None => shared.ledger.unread.borrow_mut().extend(read_in_part(&of, &text)),
        }
    }
    for entry in entries {
        if shared.ledger.trade(entry.key).is_some_and(|known| known.changed_at >= entry.changed_at) {
            continue;
        }
        let is_order = entry.kind == TradeKind::Delta && entry.payload.is_some();
        let order = if is_order { recall(client, &entry, signal).await.ok() } else { None };
        shared.ledger.apply(entry.key, Event::StorageRead(Box::new(entry), order)).await;
    }
    // Not before: a call that ends meanwhile has read nothing.
    shared.ledger.journal_reading.set(reading);
    if is_first {
        forget_unused_nonces(shared).await;
    }
}

/// Whether an entry is no longer kept at `now`, unix milliseconds: its trade ended long ago, and an order cannot be filled,
/// whatever was reported.
pub fn is_old(entry: &Entry, now: u64) -> bool {
    let latest = entry.deadline.unwrap_or(u64::MAX).saturating_add(SLACK_SECS);
    let may_be_filled = entry.kind == TradeKind::Delta && entry.is_signed() && !entry.is_over && latest >= now / 1_000;
    entry.stage == Stage::Ended && now.saturating_sub(entry.changed_at) > KEPT_MS && !may_be_filled
}

/// The readable members of an entry that this version cannot read: its name; if a newer version wrote it, its intent.
/// `None` if it has ended then, or the name is that of no entry.
fn read_in_part(name: &str, text: &str) -> Option<UnreadTrade> {
    let key = parse(&quoted(name.strip_prefix(PREFIX)?)).ok()?;
    let key = JsonAt::input(&key, "name").fixed::<32>().ok()?.into();
    let json = parse(text).unwrap_or(Json::Null);
    let at = JsonAt::input(&json, "entry");
    let is_newer = at.get("version").integer(MAX_EXACT).is_ok_and(|version| version > VERSION);
    let intent = at.get("intent").fixed::<32>().ok().map(B256::from);
    match at.get("state").text() {
        Ok(state) if is_newer => {
            (state != Stage::Ended.name()).then_some(UnreadTrade { key, intent, is_opaque: false })
        }
        _ => Some(UnreadTrade { key, intent: None, is_opaque: true }),
    }
}

/// The sealed text in the argument of `submit`, without the seal of the client that made it.
///
/// # Errors
/// INVALID_INPUT if there is none.
fn sealed_text(payload: &Json) -> Result<&str> {
    let at = JsonAt::input(payload, "entry").get("sealed");
    at.text()?.split_once('.').map(|(_, text)| text).ok_or_else(|| at.fault("a sealed text"))
}

/// A Delta order of the journal, opened and verified again.
///
/// # Errors
/// The errors of the verification; UNSUPPORTED_CHAIN.
async fn recall<H: Host>(client: &Client<H>, entry: &Entry, signal: &H::Signal) -> Result<Rc<KnownOrder>> {
    let (_, build) = open_noted(client, entry, signal).await?;
    Signable::<H>::known(&*build).ok_or_else(Error::unreachable)
}

/// The argument of `submit` for a Delta order of the journal, opened and verified again, with the build in it.
///
/// # Errors
/// The errors of the verification; UNSUPPORTED_CHAIN.
async fn open_noted<H: Host>(client: &Client<H>, entry: &Entry, signal: &H::Signal) -> Result<(Json, Box<OpenBuild>)> {
    let json = parse(entry.payload.as_deref().unwrap_or("null")).map_err(Error::not_json)?;
    let deployment = find_deployment(&client.shared, entry.chain_id, Protocol::Delta, signal).await?;
    let build = open_build(sealed_text(&json)?, &deployment)?;
    let hash = build.verified.digest.digest;
    if hash != entry.key {
        return Err(Error::input("entry.key", &hash.text(), &entry.key.text()));
    }
    Ok((json, build))
}

/// Notes that the transaction that pre-signs an order of the journal was sent, and that its prompt opened at
/// `asked_at`, unix milliseconds. Returns the order's entry from now on.
///
/// # Errors
/// The errors of the verification; UNSUPPORTED_CHAIN.
pub async fn record_pre_signed<H: Host>(
    client: &Client<H>,
    entry: &Entry,
    asked_at: u64,
    signal: &H::Signal,
) -> Result<Entry> {
    let (json, build) = open_noted(client, entry, signal).await?;
    let sealed = JsonAt::input(&json, "entry").get("sealed");
    let order: &dyn Signable<H> = &*build;
    let payload = write_signed_order(order, &order.facts(), sealed.text()?, &[]);
    let ledger = &client.shared.ledger;
    ledger.apply(entry.key, Event::PreSigned(payload, asked_at)).await;
    ledger.trade(entry.key).ok_or_else(Error::unreachable)
}

/// Forgets the nonces of builds that were never traded, if earlier pages left more of them than a memory holds.
async fn forget_unused_nonces<H: Host>(shared: &Shared<H>) {
    let stored = shared.host.load(NONCES, STORAGE_LIMIT_MS).await.unwrap_or_default();
    if stored.len() <= KEPT {
        return;
    }
    let used: Vec<String> =
        shared.ledger.trades(|_| true).iter().filter_map(|entry| entry.intent).map(nonce_name).collect();
    for (name, _) in stored.iter().filter(|(name, _)| !used.contains(name)) {
        shared.ledger.delete(name).await;
    }
}

/// The nonce that all tabs use for the next order of an intent: the stored one, if this client has none.
pub async fn share_nonce<H: Host>(shared: &Shared<H>, intent: B256, another: bool) -> U256 {
    let name = nonce_name(intent);
    // The lock is held until it is stored: two tabs must not draw two. Nothing is shared if no storage ever answered.
    let is_shared = shared.ledger.is_journal_read.get() || shared.ledger.journal_reading.get() > 0;
    let _lock = if is_shared { shared.host.lock(&name, STORAGE_LIMIT_MS).await.ok() } else { None };
    let stored = shared.host.load(&name, STORAGE_LIMIT_MS).await;
    if let Some(nonce) = read_nonce(stored.iter().flatten().next()) {
        shared.ledger.suggest_nonce(intent, nonce);
    }
    let nonce = shared.ledger.nonce_for(intent, another);
    let text = nonce.text();
    // A nonce that an order may have which is not known here is not overwritten.
    let is_known = shared.ledger.is_journal_read.get() && !shared.ledger.has_opaque(None);
    if stored.is_ok_and(|stored| stored.first().is_none_or(|(_, known)| is_known && *known != text)) {
        let _ = shared.host.store(&name, Some(&text), false, STORAGE_LIMIT_MS).await;
    }
    for old in shared.ledger.drop_surplus_nonces() {
        shared.ledger.delete(&nonce_name(old)).await;
    }
    nonce
}
