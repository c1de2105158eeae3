//! Pre-signs on chain: a transaction of the owner sets the order's hash on the contract, in place of a signature.
//!
//! It is for accounts that cannot sign typed data, and for orders that sell the native token, which has to be deposited
//! before it can be taken: one transaction does both. See "Readings of what is not documented" in docs/verification.md.

use crate::client::Client;
use crate::flows::call::{CallArgs, Progress};
use crate::flows::delta::existing::pre_signature_name;
use crate::flows::follow::await_end as await_transaction;
use crate::flows::journal::sync::sync_now;
use crate::flows::signed::waiting::check_fillable;
use crate::flows::submission::Submission;
use crate::flows::transaction::send::{SendContext, attempt};
use crate::host::Host;
use crate::ledger::record::Stage;
use crate::ledger::step::Event;
use crate::service::ensure_post_may_leave;
use crate::wallet::confirm::Purpose;
use alloy_primitives::keccak256;
use std::cell::Cell;
use verify::internal::domain::delta::status::{COMPLETED, FOREIGN};
use verify::internal::domain::transaction::Sent;
use verify::internal::error::{Error, ErrorCode, Result};
use verify::internal::json::Json;

/// Has the owner's wallet send the order's pre-signature, and waits until it is in a block. Returns the bytes that are
/// posted in place of a signature: none. `shown` is the signature with which the order was posted before, if it was.
///
/// # Errors
/// The errors of the checks and of the wallet; WALLET_FAILED if the transaction reverted or was dropped. Once the
/// transaction is sent, the order may become signed whatever happens here, so the error carries it as `signedOrder`;
/// before that with the `shown` signature, if there is one.
pub async fn pre_sign_on_chain<H: Host>(
    client: &Client<H>,
    submission: &Submission<H>,
    shown: Option<&[u8]>,
    call: &CallArgs<'_, H>,
) -> Result<Vec<u8>> {
    let sent = Cell::new(false);
    let call = CallArgs { posting: &|| sent.set(true), ..*call };
    match send_pre_signature(client, submission, &call).await {
        Ok(()) => Ok(vec![]),
        Err(error) if sent.get() => Err(submission.with_signed_order(error, &[])),
        Err(error) => Err(match shown {
            Some(shown) => submission.with_signed_order(error, shown),
            None => error,
        }),
    }
}

/// Checks the order once more, sends the transaction, and follows it to its end. Calls `posting` of the call when it is
/// sent.
///
/// # Errors
/// Same as [`pre_sign_on_chain`].
async fn send_pre_signature<H: Host>(
    client: &Client<H>,
    submission: &Submission<H>,
    call: &CallArgs<'_, H>,
) -> Result<()> {
    let (shared, signal, progress) = (&client.shared, call.signal, call.progress);
    let (hash, name) = (submission.facts.hash, pre_signature_name(submission.facts.hash));
    let (was_signed, mut transaction) = (shared.ledger.is_signed(hash), None);
    let sent = loop {
        check_again(client, submission, call).await?;
        if transaction.is_none() {
            progress(Progress::step("presigning"));
            transaction = submission.order.pre_signature(client, signal).await?;
        }
        let transaction = transaction.as_ref().ok_or_else(Error::unreachable)?;
        ensure_post_may_leave(shared).await?;
        submission.check_no_other_known(shared)?;
        let outcome = attempt(client, transaction, &send_context(client, submission, &name, was_signed), call).await;
        // The user refused, or there was no prompt: no such transaction is under way.
        let is_over = || shared.ledger.trade(keccak256(&name)).is_none_or(|entry| entry.stage == Stage::Ended);
        if outcome.is_err() && is_over() {
            shared.ledger.apply(hash, Event::WalletDidNotSign).await;
        }
        if let Some(sent) = outcome? {
            break sent;
        }
    };
    // Also if it was sent before.
    (call.posting)();
    let signed_order = submission.signed_order(&[]);
    submission.record_signed(shared, &signed_order).await;
    progress(Progress {
        transaction: sent.hash,
        batch: sent.batch.clone(),
        signed_order: Some(signed_order),
        ..Progress::step("confirming")
    });
    await_end(client, submission, sent, was_signed, signal).await
}

/// The checks before the transaction. A missing allowance is approved in the same prompt, if the wallet can do that.
///
/// # Errors
/// Those of the checks.
async fn check_again<H: Host>(client: &Client<H>, submission: &Submission<H>, call: &CallArgs<'_, H>) -> Result<()> {
    submission.check_read(client, &submission.read, call.signal).await?;
    if call.gate.was_asked() {
        // No lock was held meanwhile: another tab may have had another one signed.
        let read = sync_now(client, call.signal).await;
        submission.check_read(client, &read, call.signal).await?;
    }
    submission.check_no_other(client, call.signal).await?;
    match check_fillable(client, submission, (false, false), call.signal).await {
        Err(error) if error.code == ErrorCode::InsufficientAllowance => Ok(()),
        checked => checked,
    }
}

/// The circumstances of the transaction of that name.
fn send_context<'a, H: Host>(
    client: &Client<H>,
    submission: &'a Submission<H>,
    name: &'a str,
    is_signed: bool,
) -> SendContext<'a> {
    SendContext {
        purpose: Purpose::PreSign,
        intent: None,
        asked: None,
        cancels: None,
        report: &submission.report,
        // The order is journaled before its transaction: a page that finds the transaction finds the order.
        first: (!is_signed).then(|| submission.entry(&client.shared, None)),
        summary: &submission.summary,
        until: None,
        order: Some(submission.order.funding()),
        approval: submission.approval.clone(),
        sealed: name,
    }
}

/// Follows the sent transaction until it is in a block.
///
/// # Errors
/// WALLET_FAILED if it reverted or was dropped; the RPC's failure.
async fn await_end<H: Host>(
    client: &Client<H>,
    submission: &Submission<H>,
    sent: Sent,
    was_signed: bool,
    signal: &H::Signal,
) -> Result<()> {
    let (ledger, hash, named) = (&client.shared.ledger, submission.facts.hash, sent.clone());
    let status = await_transaction(client, sent, signal).await?;
    // A wallet may replace a transaction by a faster one of the same content. The service shows if it went through.
    if [COMPLETED, "REPLACED"].contains(&status) {
        return Ok(());
    }
    // The next attempt sends a new transaction.
    ledger.apply(keccak256(pre_signature_name(hash)), Event::TransactionFailed).await;
    // A reverted transaction authorizes nothing; a dropped one may still be mined.
    if status == "FAILED" && !was_signed {
        ledger.apply(hash, Event::NotAuthorized).await;
    }
    if status == FOREIGN {
        return Err(named.not_asked_for());
    }
    let advice = "; should it be sent after all, submit the signed order then";
    let message = ["the transaction ", &named.name(), " is ", status, advice].concat();
    Err(Error::new(ErrorCode::WalletFailed, &message))
}

/// Whether this order needs a deposit, and the service wanted one for an earlier order on this chain: then no signature
/// is requested from the wallet first.
///
/// # Errors
/// The RPC's failure.
pub async fn wants_deposit<H: Host>(
    client: &Client<H>,
    submission: &Submission<H>,
    signal: &H::Signal,
) -> Result<bool> {
    let facts = &submission.facts;
    if !facts.may_need_deposit || !client.shared.service.deposits.borrow().contains(&facts.chain_id) {
        return Ok(false);
    }
    Ok(submission.order.pre_signature(client, signal).await?.is_some_and(|transaction| !transaction.value.is_zero()))
}

/// Whether the service's answer to a signed order means that its deposit, or its pre-signature on chain, is missing.
/// The service does not document that answer: its status AWAITING_SIGNATURE counts, and a refusal of signature, balance
/// or allowance.
pub fn misses_deposit<H: Host>(submission: &Submission<H>, outcome: &Result<Json>) -> bool {
    let missing = match outcome {
        Ok(order) => order.get("status").and_then(Json::as_text) == Some("AWAITING_SIGNATURE"),
        Err(error) => [ErrorCode::SignatureMismatch, ErrorCode::InsufficientBalance, ErrorCode::InsufficientAllowance]
            .contains(&error.code),
    };
    missing && submission.facts.may_need_deposit
}
