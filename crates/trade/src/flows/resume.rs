//! The call `trades.resume`: continues the trades that a reload or a crash interrupted.
//!
//! A signed order is requested from the service by its hash: the service may have it. If it has not, the same bytes are
//! posted, as long as the user still waits for it; later the user decides. Nothing here opens a prompt.

use crate::client::Client;
use crate::flows::call::CallArgs;
use crate::flows::chain::clock::has_passed;
use crate::flows::chain::open_orders::find_lacks;
use crate::flows::delta::existing::{ends_with_nonce, pre_signature_name};
use crate::flows::delta::learn::learn_open_orders;
use crate::flows::delta::orders::read_order;
use crate::flows::journal::list::{is_late, write_trade, write_unreadable};
use crate::flows::journal::locate::{look_again, look_for};
use crate::flows::journal::sync::{SLACK_SECS, is_old, record_pre_signed, sync, sync_now};
use crate::flows::otc::verify_stored;
use crate::flows::parts::Parts;
use crate::flows::request::quote;
use crate::flows::signed::prepare::prepare;
use crate::flows::signed::submit::submit_prepared;
use crate::host::Host;
use crate::ledger::record::{Entry, Stage, TradeKind};
use crate::ledger::step::Event;
use crate::service::orders::OrderKey;
use crate::service::otc;
use crate::wallet::account::offers;
use crate::wallet::chain::Chain;
use crate::wallet::reads::Read;
use alloy_primitives::{U256, keccak256};
use verify::internal::domain::delta::calls;
use verify::internal::domain::delta::status::FOREIGN;
use verify::internal::domain::erc20::word;
use verify::internal::domain::member::{Members, member};
use verify::internal::error::{Error, ErrorCode, Result};
use verify::internal::json::{Json, ObjectWriter, array, parse};

/// How long to wait for the locks of other tabs, in milliseconds: a tab that was just closed gives them back a moment
/// after the next page starts.
const LOCKS_LIMIT_MS: u64 = 1_000;

/// The findings of `resume` about a trade, beside its entry.
#[derive(Default)]
struct ResumeFindings {
    /// Another tab works on it, or a call of this client.
    is_busy: bool,
    /// The failure that prevented any finding.
    error: Option<Error>,
    /// A price for the same request now, as JSON text.
    today: Option<String>,
}

/// Continues every trade that has not ended, one after the other. Returns an array of `ResumedTrade`s, and
/// `UnreadableTrade`s behind them, as JSON text.
///
/// # Errors
/// JOURNAL_UNREADABLE: the interrupted trades are not known; ABORTED. The failure of one trade is that trade's `error`.
pub async fn resume<H: Parts>(client: &Client<H>, call: &CallArgs<'_, H>) -> Result<String> {
    let shared = &client.shared;
    sync(client, call.signal).await?;
    let is_left = |entry: &Entry| is_left(entry) && !shared.ledger.has_opaque(Some(entry.key));
    let waits = |entry: &Entry| entry.stage == Stage::Waiting;
    // One may wait for a block, and the others need not.
    let (waiting, mut left): (Vec<_>, Vec<_>) = shared.ledger.trades(is_left).into_iter().partition(waits);
    left.extend(waiting);
    let mut all = vec![];
    let (end, mut told) = (shared.host.monotonic_ms().saturating_add(LOCKS_LIMIT_MS), vec![]);
    for is_last in [false, true] {
        // Trades that another tab works on come after the others.
        for entry in core::mem::take(&mut left) {
            let wait = if is_last { end.saturating_sub(shared.host.monotonic_ms()) } else { 0 };
            let (intent, limit_ms) = (entry.intent.unwrap_or(entry.key), u32::try_from(wait).unwrap_or_default());
            let lock = shared.ledger.try_lock(intent, entry.key, limit_ms).await;
            if matches!(lock, Ok(None)) && !is_last {
                left.push(entry);
                continue;
            }
            // Another tab may have continued it before it gave the lock back.
            let read = sync_now(client, call.signal).await;
            let Some(entry) = shared.ledger.trade(entry.key) else { continue };
            let outcome = match (&lock, read) {
                (_, Err(error)) => Err(error),
                (Err(error), _) => Err(error.clone()),
                (Ok(None), _) => Ok(ResumeFindings { is_busy: true, ..ResumeFindings::default() }),
                _ if entry.is_dropped() => {
                    look_again(client, &entry, call.signal).await.map(|_| ResumeFindings::default())
                }
                _ if entry.stage == Stage::Ended => Ok(ResumeFindings::default()),
                _ if entry.kind == TradeKind::Transaction => {
                    look_for(client, &entry, call.signal).await.map(|_| ResumeFindings::default())
                }
                _ => resume_one(client, &entry, call)
                    .await
                    .map(|today| ResumeFindings { today, ..ResumeFindings::default() }),
            };
            drop(lock);
            let found = match outcome {
                Err(error) if error.code == ErrorCode::Aborted => return Err(error),
                outcome => {
                    outcome.unwrap_or_else(|error| ResumeFindings { error: Some(error), ..ResumeFindings::default() })
                }
            };
            let entry = shared.ledger.trade(entry.key).unwrap_or(entry);
            // That it was dropped has been reported to the app.
            if entry.is_dropped() && !entry.is_untold && found.error.is_none() && !found.is_busy {
                continue;
            }
            all.push(found);
            told.push(entry);
        }
    }
    // The findings about trades are returned even if this list cannot be read.
    let _ = learn_open_orders(client, call.signal).await;
    drop_old(client, call.signal).await;
    let lacks = find_lacks(client, &told, call.signal).await;
    let trades = told.iter().zip(all);
    let mut all: Vec<_> =
        trades.map(|(entry, found)| write_trade(shared, entry, &lacks, &|out| found.write(out))).collect();
    // Not before: a page that dies or trades in the meantime got no answer.
    let is_listed = |entry: &Entry| shared.ledger.trade(entry.key).is_some_and(|now| now.stage == entry.stage);
    for entry in told.into_iter().filter(is_listed) {
        shared.ledger.tell(entry.key, entry.status.as_deref()).await;
    }
    all.extend(write_unreadable(shared));
    Ok(array(&all))
}

/// Whether a trade has not ended, or may not have, or no call has returned its end; not if the user gave it up.
fn is_left(entry: &Entry) -> bool {
    entry.stage != Stage::Ended || entry.is_dropped() || (entry.is_untold && !entry.is_abandoned())
}

/// Deletes the entries that [are old](is_old) by the chain's time and by this machine's: either clock may be wrong.
async fn drop_old<H: Host>(client: &Client<H>, signal: &H::Signal) {
    let (ledger, machine) = (&client.shared.ledger, client.shared.host.unix_ms());
    for entry in ledger.trades(|entry| is_old(entry, machine)) {
        if let Ok(Some(chain)) = Chain::find(client, entry.chain_id, signal).await
            && let Ok(block) = chain.read(Read::time()).await
            && is_old(&entry, machine.min(block.saturating_mul(1_000)))
        {
            ledger.apply(entry.key, Event::EntryDropped).await;
        }
    }
}

impl ResumeFindings {
    /// Writes it into the trade.
    fn write(&self, out: &mut ObjectWriter) {
        out.flag("busy", self.is_busy);
        out.raw("error", &self.error.as_ref().map_or("null".into(), |error| error.write()));
        out.raw("today", self.today.as_deref().unwrap_or("null"));
    }
}

/// Continues one order, and notes its outcome. Returns today's price if the user has to decide.
///
/// # Errors
/// The errors of service, chain and wallet: the trade is then as before.
async fn resume_one<H: Parts>(client: &Client<H>, entry: &Entry, call: &CallArgs<'_, H>) -> Result<Option<String>> {
    let shared = &client.shared;
    // Another service, such as that of another port of localhost, does not have the order, and must not receive it.
    let is_elsewhere = !shared.ledger.is_own(entry);
    if !is_elsewhere && let Some(order) = look_up(client, entry, call.signal).await? {
        shared.ledger.report(entry.key, &order).await;
        return Ok(None);
    }
    // Only its own service can report whether it was filled before its nonce was used or its deadline passed.
    if entry.stage == Stage::Posted || (is_elsewhere && entry.is_signed()) {
        return Ok(None);
    }
    let signed = find_consent(client, entry, call.signal).await?;
    let entry = signed.as_ref().unwrap_or(entry);
    let has_expired = has_expired(client, entry, call.signal).await?;
    let is_used = if has_expired { Ok(false) } else { is_nonce_used(client, entry, call.signal).await };
    let ends_it = ends_with_nonce(shared, entry.key);
    let is_late = is_late(entry, shared.host.unix_ms());
    if let Some(status) = entry.ends_as(has_expired, is_used.as_ref().ok().copied().filter(|_| ends_it), is_late) {
        if !has_expired {
            shared.ledger.apply(entry.key, Event::ChainUnfillable(true)).await;
        }
        shared.ledger.apply(entry.key, Event::Ended(status)).await;
        return Ok(None);
    }
    if entry.stage == Stage::Asking {
        return Ok(None);
    }
    if may_post(client, entry, is_used, call.signal).await? {
        let payload = parse(entry.payload.as_deref().unwrap_or("null")).map_err(Error::not_json)?;
        let call = CallArgs { data: &payload, ..*call };
        let mut submission = prepare(client, &call).await?;
        // The user requests nothing here: no prompt opens for any entry, and nothing is deposited.
        (submission.is_asked_for, submission.is_resumed) = (false, true);
        if submission.is_signed && submission.facts.hash == entry.key {
            submit_prepared(client, submission, &call).await?;
        }
        return Ok(None);
    }
    Ok(if is_elsewhere { None } else { price_today(client, entry, call).await })
}

/// The entry of an order whose page was closed before it learnt that the transaction that pre-signs the order was sent;
/// `None` if there is no such transaction, or it reverted.
///
/// # Errors
/// The RPC's failure.
async fn find_consent<H: Host>(client: &Client<H>, entry: &Entry, signal: &H::Signal) -> Result<Option<Entry>> {
    let consent = client.shared.ledger.trade(keccak256(pre_signature_name(entry.key)));
    let Some(consent) = consent.filter(|_| entry.stage == Stage::Asking) else { return Ok(None) };
    match look_for(client, &consent, signal).await? {
        Some(sent) if !["FAILED", FOREIGN].contains(&sent.status) => {
            record_pre_signed(client, entry, consent.started_at, signal).await.map(Some)
        }
        _ => Ok(None),
    }
}

/// The order as the service has it now; `None` if it has none of that hash.
///
/// # Errors
/// The errors of the service; SERVICE_MALFORMED if it answers with another order.
async fn look_up<H: Host>(client: &Client<H>, entry: &Entry, signal: &H::Signal) -> Result<Option<Json>> {
    let outcome = match entry.kind {
        TradeKind::Otc => {
            let text = otc::read(&client.shared, entry.key, signal).await;
            text.and_then(|text| verify_stored(&client.shared, &parse(&text).map_err(Error::not_json)?, entry.key))
        }
        _ => {
            let key = OrderKey::Hash(entry.key);
            read_order(client, &key, &key.wanted(), signal).await
        }
    };
    match outcome {
        Ok(order) => Ok(Some(order)),
        Err(error) if error.status == Some(404) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Whether no block can fill the order any more. If the chain cannot be read, this machine's clock decides, two hours
/// late.
///
/// # Errors
/// ABORTED, if the signal aborts first.
async fn has_expired<H: Host>(client: &Client<H>, entry: &Entry, signal: &H::Signal) -> Result<bool> {
    let Some(deadline) = entry.deadline else { return Ok(false) };
    let machine = client.shared.host.unix_ms() / 1_000;
    let block = match Chain::find(client, entry.chain_id, signal).await {
        Ok(Some(chain)) => chain.read(Read::time()).await.ok(),
        _ => None,
    };
    Ok(match block {
        Some(block) => has_passed(entry.chain_id, block, machine, deadline),
        None => machine > deadline.saturating_add(SLACK_SECS),
    })
}

/// Whether the chain shows that the nonce of that order is used; `false` for one without a nonce.
///
/// # Errors
/// The RPC's failure.
async fn is_nonce_used<H: Host>(client: &Client<H>, entry: &Entry, signal: &H::Signal) -> Result<bool> {
    let Some(signed) = client.shared.ledger.signed(Some(entry.key), None) else { return Ok(false) };
    let chain = Chain::need(client, entry.chain_id, signal).await?;
    let nonce = signed.order.uint(member!("nonce"));
    let answer =
        chain.read(Read::view(&signed.delta, &calls::is_nonce_used(entry.owner, nonce)).named("isNonceUsed")).await?;
    Ok(word(&answer) == Some(U256::from(1)))
}

/// Whether a signed order that the service does not have is posted without asking the user: it was signed for this
/// service within the last minute, its approval was not refused, its account is the wallet's, its nonce is known to be unused (`is_used`), and the
/// transaction that consents to it, if there is one, is in a block.
///
/// # Errors
/// The failure of wallet or RPC.
async fn may_post<H: Host>(
    client: &Client<H>,
    entry: &Entry,
    is_used: Result<bool>,
    signal: &H::Signal,
) -> Result<bool> {
    let shared = &client.shared;
    if !shared.ledger.is_own(entry)
        || entry.stage == Stage::Unapproved
        || is_late(entry, shared.host.unix_ms())
        || !offers(client, entry.owner, signal).await?
    {
        return Ok(false);
    }
    // A transaction that replaces a signature, or pays for the order, has to be in a block first.
    if let Some(consent) = shared.ledger.trade(keccak256(pre_signature_name(entry.key)))
        && !look_for(client, &consent, signal)
            .await?
            .is_some_and(|sent| ["COMPLETED", "REPLACED"].contains(&sent.status))
    {
        return Ok(false);
    }
    if entry.kind == TradeKind::Delta && shared.ledger.signed(Some(entry.key), None).is_none() {
        return Ok(false);
    }
    is_used.map(|is_used| !is_used)
}

/// Today's price for the request of a trade; `None` if there is no request, or no price.
async fn price_today<H: Parts>(client: &Client<H>, entry: &Entry, call: &CallArgs<'_, H>) -> Option<String> {
    let summary = parse(&entry.summary).ok()?;
    let request = summary.get("request").filter(|_| entry.kind == TradeKind::Delta)?;
    quote(client, &CallArgs { data: request, ..*call }).await.ok()
}
