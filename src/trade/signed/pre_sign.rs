//! Consent on chain: an order's hash set by its owner's transaction, for accounts that cannot sign here, and for the
//! native token, which has to be deposited before it can be taken.

use crate::client::Client;
use crate::domain::text::ToText;
use crate::error::{Error, ErrorCode, Result};
use crate::host::Host;
use crate::json::Json;
use crate::trade::call::{CallArgs, Progress};
use crate::trade::delta::again::pre_signature_name;
use crate::trade::follow::{Follow, FollowPace};
use crate::trade::signed::submission::Submission;
use crate::trade::transaction::send::send_once;
use alloy_primitives::keccak256;
use std::cell::Cell;

/// How often a transaction is looked for.
const PACE: FollowPace = FollowPace { interval_ms: 1_000, max_interval_ms: 5_000 };

/// Has the owner's wallet send the order's pre-signature, and waits until that is in a block. Returns what is posted in
/// place of a signature: nothing.
///
/// # Errors
/// Those of the checks and of the wallet; WALLET_FAILED where the transaction reverted or was dropped. From the point
/// on where the transaction is on its way, the order may come to be signed whatever happens here: then the error
/// carries it, and before that the order as it was `shown` to the service, where it was.
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

async fn send_pre_signature<H: Host>(
    client: &Client<H>,
    submission: &Submission<H>,
    call: &CallArgs<'_, H>,
) -> Result<()> {
    let (signal, progress) = (call.signal, call.progress);
    submission.check_no_other(client, signal).await?;
    submission.order.preflight(client, false, signal).await?;
    progress(Progress::step("presigning"));
    let transaction = submission.order.pre_signature(client, signal).await?.ok_or_else(Error::unread)?;
    submission.check_no_other_known(&client.shared)?;
    submission.remember(&client.shared, false, None);
    let key = pre_signature_name(submission.facts.hash);
    let sent = send_once(client, &transaction, None, &key, call).await?;
    // Also where it was sent before.
    (call.posting)();
    let signed_order = Some(submission.signed_order(&[]));
    progress(Progress { step: "confirming", transaction: Some(sent.hash), signed_order });
    let text = sent.hash.text();
    let mut follow = Follow::of_sent(sent, PACE);
    while follow.next(client, signal).await?.is_some() {}
    match follow.status() {
        // A wallet replaces a transaction by a faster one of the same content. Whether that one did it, the service
        // knows.
        Some("COMPLETED" | "REPLACED") => Ok(()),
        status => {
            // The next attempt sends another.
            client.shared.forget_sent(keccak256(&key));
            // What was undone in a block is over; what was lost may come back.
            if status != Some("FAILED") {
                submission.remember(&client.shared, true, Some(&submission.signed_order(&[])));
            }
            let advice = "; should it be sent after all, submit the signed order then";
            let message = ["the transaction ", &text, " is ", status.unwrap_or("lost"), advice].concat();
            Err(Error::new(ErrorCode::WalletFailed, &message))
        }
    }
}

/// Whether the service is known not to take this order on a signature alone: it wanted a deposit before, on this chain.
///
/// # Errors
/// The RPC's failure.
pub async fn wants_deposit<H: Host>(
    client: &Client<H>,
    submission: &Submission<H>,
    signal: &H::Signal,
) -> Result<bool> {
    let facts = &submission.facts;
    if !facts.may_need_deposit || !client.shared.deposits.borrow().contains(&facts.chain_id) {
        return Ok(false);
    }
    Ok(submission.order.pre_signature(client, signal).await?.is_some_and(|transaction| !transaction.value.is_zero()))
}

/// Whether the service's answer to a signed order means that its deposit, or its consent on chain, is still missing.
/// Which words it uses for that is not documented.
pub fn misses_deposit<H: Host>(submission: &Submission<H>, outcome: &Result<Json>) -> bool {
    let missing = match outcome {
        Ok(order) => order.get("status").and_then(Json::as_text) == Some("AWAITING_SIGNATURE"),
        Err(error) => [ErrorCode::SignatureMismatch, ErrorCode::InsufficientBalance, ErrorCode::InsufficientAllowance]
            .contains(&error.code),
    };
    missing && submission.facts.may_need_deposit
}
