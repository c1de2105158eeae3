//! An order that was signed while the approval it needs was on its way: it is posted once that approval is in a block.
//!
//! An order whose approval failed, allows too little, or was replaced by another transaction, stays signed and unposted, and
//! that is noted ([`Event::NotApproved`]). Neither `resume` nor a later approval posts it: only who submits it again.

use crate::client::Client;
use crate::flows::call::{CallArgs, Progress};
use crate::flows::chain::approval::{add_effect, approval_on_its_way, logged_approval, read_current};
use crate::flows::chain::open_orders::spent_before;
use crate::flows::chain::pending::{FIRST_PAUSE_MS, MAX_FAILURES, Pending, receipt_pause_ms};
use crate::flows::chain::signature_check::has_code;
use crate::flows::journal::list::is_late;
use crate::flows::journal::locate::look_once;
use crate::flows::submission::Submission;
use crate::host::{Host, Signal};
use crate::ledger::record::Entry;
use crate::ledger::step::Event;
use crate::wallet::chain::{Chain, retry_fresh};
use crate::wallet::reads::{Batch, Read};
use alloy_primitives::{B256, U256};
use verify::internal::domain::approval::ApprovalNeed;
use verify::internal::domain::transaction::Sent;
use verify::internal::error::{Error, ErrorCode, Result};
use verify::internal::json::JsonAt;

/// [`Signable::preflight`](crate::flows::submission::Signable::preflight) that looks twice before it refuses. If the order
/// `waits`, as one does that is about to be signed, an approval on its way suffices: see [`find_approval`].
///
/// # Errors
/// Those of `preflight`.
pub async fn check_fillable<H: Host>(
    client: &Client<H>,
    submission: &Submission<H>,
    (is_signed, waits): (bool, bool),
    signal: &H::Signal,
) -> Result<()> {
    submission.awaits.set(None);
    let check = async || match submission.order.preflight(client, is_signed, signal).await {
        Err(error) if waits && error.code == ErrorCode::InsufficientAllowance => {
            submission.awaits.set(Box::pin(find_approval(client, submission, signal)).await?);
            if submission.awaits.get().is_some() { Ok(()) } else { Err(error) }
        }
        checked => checked,
    };
    retry_fresh(&client.shared, submission.facts.chain_id, signal, check).await
}

/// The key of the approval on its way that covers what an order needs; `None` if there is none, or the owner has code,
/// which may look at the allowance when it signs.
///
/// # Errors
/// The RPC's failure.
async fn find_approval<H: Host>(
    client: &Client<H>,
    submission: &Submission<H>,
    signal: &H::Signal,
) -> Result<Option<B256>> {
    let need = submission.order.funding().need(None);
    let Some(mut need) = need.filter(|need| approval_on_its_way(&client.shared, need).is_some()) else {
        return Ok(None);
    };
    let chain = Chain::need(client, submission.facts.chain_id, signal).await?;
    // Other orders have their share of it.
    let balance = chain.read(Read::balance(&need.token, &need.owner).recent()).await?;
    let spent = spent_before(&client.shared, &need, submission.order.known().as_deref(), balance);
    need.amount = need.amount.saturating_add(spent);
    let Some(key) = approval_on_its_way(&client.shared, &need) else { return Ok(None) };
    let is_key = !has_code(&chain, submission.facts.owner).await?;
    Ok(is_key.then_some(key))
}

/// Waits until an order that was signed before its approval was in a block may be posted: for `submit`, once the
/// allowance suffices; for `resume`, only after the very approval that was sent for it, while that sets the allowance.
/// `signature` is the order's.
///
/// # Errors
/// Those of [`check_fillable`], and of [`await_approval`], with the signed order.
pub async fn await_allowance<H: Host>(
    client: &Client<H>,
    submission: &Submission<H>,
    signature: &[u8],
    call: &CallArgs<'_, H>,
) -> Result<()> {
    let (ledger, hash) = (&client.shared.ledger, submission.facts.hash);
    let is_resumed = submission.is_resumed;
    let mut awaited = ledger.trade(hash).and_then(|entry| entry.awaits).filter(|_| is_resumed);
    let mut by_receipt = is_resumed;
    loop {
        let mut allowed = if is_resumed && awaited.is_none() { Err(not_mined()) } else { Ok(()) };
        if let Some(key) = awaited {
            allowed = await_approval(client, submission, (key, signature, by_receipt), call).await;
        }
        if allowed.is_ok() {
            allowed = check_fillable(client, submission, (false, !is_resumed), call.signal).await;
        }
        if let Err(error) = allowed {
            if [ErrorCode::WalletFailed, ErrorCode::InsufficientAllowance].contains(&error.code) {
                ledger.apply(hash, Event::NotApproved).await;
            }
            return Err(submission.with_signed_order(error, signature));
        }
        let next = submission.awaits.take();
        if next.is_none() {
            break;
        }
        // A node that is behind shows less than the one before: then the receipt decides, once.
        if by_receipt && next == awaited {
            return Err(submission.with_signed_order(not_mined(), signature));
        }
        (by_receipt, awaited) = (is_resumed || next == awaited, next);
    }
    ledger.apply(hash, Event::AllowanceSuffices(!is_resumed)).await;
    (call.progress)(Progress { signed_order: Some(submission.signed_order(signature)), ..Progress::step("approved") });
    Ok(())
}

/// Waits until the approval of that key is in a block, or its allowance is there, unless it goes by the receipt alone, as
/// `resume` does. `signature` is the order's.
///
/// # Errors
/// WALLET_FAILED if it reverted, was replaced or dropped, or is another account's; INSUFFICIENT_ALLOWANCE if it is not known
/// any more, or took longer than `resume` posts an order without asking; ABORTED; the RPC's failure, after eight in a row.
async fn await_approval<H: Host>(
    client: &Client<H>,
    submission: &Submission<H>,
    (key, signature, by_receipt): (B256, &[u8], bool),
    call: &CallArgs<'_, H>,
) -> Result<()> {
    let (ledger, host) = (&client.shared.ledger, &client.shared.host);
    let chain = Chain::need(client, submission.facts.chain_id, call.signal).await?;
    let signed_at = ledger.trade(submission.facts.hash).and_then(|order| order.signed_at);
    // The same approval may have been sent once more since, for another trade.
    let is_it = |entry: &Entry| !submission.is_resumed || signed_at.is_some_and(|at| entry.started_at <= at);
    let entry = ledger.trade(key).filter(is_it).ok_or_else(not_mined)?;
    let (mut pending, need) = (Pending::new(entry.named_sent()), submission.order.funding().need(None));
    let Sent { hash: transaction, batch, .. } = pending.sent.clone();
    let signed_order = Some(submission.signed_order(signature));
    (call.progress)(Progress { transaction, batch, signed_order, ..Progress::step("confirming") });
    let known = submission.order.known();
    let (mut failures, mut pause_ms) = (0_u32, FIRST_PAUSE_MS);
    loop {
        let order = ledger.trade(submission.facts.hash);
        if submission.is_resumed && order.is_none_or(|order| is_late(&order, host.unix_ms())) {
            return Err(not_mined());
        }
        // A wallet may send it under another hash.
        if let Some(need) = need.as_ref().filter(|_| !by_receipt) {
            // The state that was read before shows less. The reads of the next checks go with it.
            client.shared.nodes.forget_state(submission.facts.chain_id);
            let mut batch = Batch::default();
            let found = add_effect(&client.shared, need, &mut batch);
            let found = chain.ask(batch).await.and_then(|answers| answers.get(found));
            let spent = spent_before(&client.shared, need, known.as_deref(), U256::MAX);
            if found.is_ok_and(|found| found.saturating_sub(spent) >= need.amount) {
                return Ok(());
            }
        }
        let looked = look_once(&chain, &mut pending).await;
        failures = if looked.is_ok() { 0 } else { failures.saturating_add(1) };
        match pending.sent.status {
            _ if call.signal.is_aborted() => return Err(looked.err().unwrap_or_else(Error::aborted)),
            _ if failures >= MAX_FAILURES => return looked,
            "COMPLETED" if submission.is_resumed => {
                let need = need.ok_or_else(not_mined)?;
                return if still_allows(&chain, need, pending.sent.hash).await? { Ok(()) } else { Err(not_mined()) };
            }
            "COMPLETED" => return Ok(()),
            "PENDING" => {}
            status => {
                let advice = ": the order is signed and not posted; approve again, then submit the signed order";
                let message = ["the approval ", &pending.sent.name(), " is ", status, advice].concat();
                return Err(Error::new(ErrorCode::WalletFailed, &message));
            }
        }
        host.sleep(pause_ms, call.signal).await;
        pause_ms = receipt_pause_ms(chain.id());
    }
}

/// Whether the logs of that transaction approve what an order needs, and the allowance still is that amount: in the
/// wallet it may have been lowered, and since then replaced or revoked.
///
/// # Errors
/// The RPC's failure.
async fn still_allows<H: Host>(
    chain: &Chain<'_, H>,
    mut need: ApprovalNeed,
    transaction: Option<B256>,
) -> Result<bool> {
    let receipt = chain.read(Read::receipt(&transaction.unwrap_or_default())).await?;
    let approved = JsonAt::input(&receipt, "receipt").get("logs").items().into_iter().flatten();
    let approved = approved.filter_map(|log| logged_approval(&log, &need)).last();
    read_current(&mut need, chain).await?;
    Ok(!need.is_missing() && approved == need.current)
}

/// The error of an order whose approval is in no block, or does not cover it.
fn not_mined() -> Error {
    let message = "the approval that the order waits for is not in a block, or is not what the allowance is: submit the signed \
                   order once the allowance suffices";
    Error::new(ErrorCode::InsufficientAllowance, message)
}
