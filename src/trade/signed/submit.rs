//! `submit` of a build that is signed: verify once more, ask the wallet, check the signature, post.
//!
//! Two rules hold at every step. A prompt opens only after all checks. And once there is a signature, nothing may lose
//! it: it is remembered, every error carries it, and a second call joins the open prompt instead of opening another.
//! See "Before the prompt, and after it" in docs/verification.md.

use crate::client::Client;
use crate::error::{Error, ErrorCode, Result};
use crate::host::{Host, Signal};
use crate::json::Json;
use crate::trade::call::{CallArgs, Progress};
use crate::trade::chain::signature_check::accepted_form;
use crate::trade::permit::take_permit;
use crate::trade::signed::posting::post_until_known;
use crate::trade::signed::pre_sign::{misses_deposit, pre_sign_on_chain, wants_deposit};
use crate::trade::signed::prepare::prepare;
use crate::trade::signed::submission::{Authorization, OrderFacts, Submission};
use crate::wallet::account::ensure_ready;
use crate::wallet::signing::{ToSign, forget, is_asked, signature};

/// Has an order signed, unless it is, and posts it. Returns the order as the service reports it, as JSON text.
///
/// An order that sells the native token is signed and posted like any other, which costs nothing. Only if the service
/// then wants a deposit, the wallet is asked for the transaction that makes it, and the order is posted as pre-signed
/// on chain. The next such order on that chain is not signed first.
///
/// # Errors
/// Before a signature: those of the checks and of the wallet. After it, every error carries `signedOrder`.
pub async fn submit<H: Host>(client: &Client<H>, call: &CallArgs<'_, H>) -> Result<String> {
    let submission = prepare(client, call).await?;
    if let Some((permit, field)) = submission.facts.permit {
        take_permit(&client.shared, Some(permit), submission.facts.hash, field)?;
    }
    (call.progress)(Progress::step("checking"));
    let error = match sign_and_post(client, &submission, call).await {
        Ok(order) => return Ok(order.write()),
        Err(error) => error,
    };
    client.shared.free_permit(submission.facts.hash);
    // Nobody is led to approve something for an order that the caller did not ask for and whose signature is not
    // checked.
    if !submission.is_asked_for && matches!(submission.authorization, Authorization::Sent) {
        return Err(error);
    }
    Err(submission.order.funding().with_approval(client, error, call.signal).await)
}

/// Has the owner authorize the order as the caller wants it, posts it, and starts over with a pre-signature on chain if
/// the service wants a deposit. Returns the order as the service reports it.
///
/// # Errors
/// As [`submit`].
async fn sign_and_post<H: Host>(
    client: &Client<H>,
    submission: &Submission<H>,
    call: &CallArgs<'_, H>,
) -> Result<Json> {
    let (shared, signal) = (&client.shared, call.signal);
    let mut on_chain = match &submission.authorization {
        Authorization::Wallet => wants_deposit(client, submission, signal).await?,
        authorization => matches!(authorization, Authorization::OnChain),
    };
    // The signature that the service was shown and did not accept.
    let mut shown = None;
    loop {
        let signature = match &submission.authorization {
            _ if on_chain => pre_sign_on_chain(client, submission, shown.as_deref(), call).await?,
            Authorization::Given(bytes) => {
                submission.check_no_other(client, signal).await?;
                submission.order.preflight(client, true, signal).await?;
                accept_signature(client, submission, bytes, signal).await?
            }
            Authorization::Wallet => {
                let bytes = loop {
                    if let Some(bytes) = ask_to_sign(client, submission, call).await? {
                        break bytes;
                    }
                    // Another attempt has posted it meanwhile.
                    if let Some(order) = shared.posted(submission.facts.hash) {
                        return Ok(order);
                    }
                };
                accept_signature(client, submission, &bytes, signal).await?
            }
            _ => vec![],
        };
        if shown.is_some() {
            shared.deposits.borrow_mut().push(submission.facts.chain_id);
        }
        let signed_order = submission.signed_order(&signature);
        submission.remember(shared, true, Some(&signed_order));
        let step =
            |step| (call.progress)(Progress { step, transaction: None, signed_order: Some(signed_order.clone()) });
        step("signed");
        let outcome = match signal.is_aborted() {
            true => Err(Error::aborted()),
            false => {
                (call.posting)();
                step("posting");
                post_until_known(shared, submission, &signature).await
            }
        };
        if !signature.is_empty() && submission.is_asked_for && misses_deposit(submission, &outcome) {
            (on_chain, shown) = (true, Some(signature));
            continue;
        }
        let order = outcome.map_err(|error| submission.with_signed_order(error, &signature))?;
        shared.remember_posted(submission.facts.hash, order.clone());
        submission.remember(shared, true, None);
        forget(client, submission.facts.hash);
        step("posted");
        return Ok(order);
    }
}

/// Opens the wallet's prompt after all checks, or joins the one that is open for this very order. Returns the bytes
/// that the wallet answered; `None` if the prompt to join is gone, or another attempt has posted the order: the caller
/// starts over.
///
/// # Errors
/// Those of the checks and of the wallet.
async fn ask_to_sign<H: Host>(
    client: &Client<H>,
    submission: &Submission<H>,
    call: &CallArgs<'_, H>,
) -> Result<Option<Vec<u8>>> {
    let OrderFacts { chain_id, owner, hash, .. } = submission.facts;
    let (to_sign, signal) =
        (ToSign { signer: owner, digest: hash, typed_data: submission.order.typed_data() }, call.signal);
    let joins = is_asked(&client.shared, hash);
    if !joins {
        ensure_ready(client, owner, chain_id, signal).await?;
        submission.check_no_other(client, signal).await?;
    }
    submission.order.preflight(client, joins, signal).await?;
    if !joins {
        // Once more: the preflight took time, and wallets change account and chain at a click.
        ensure_ready(client, owner, chain_id, signal).await?;
    }
    if client.shared.posted(hash).is_some() {
        return Ok(None);
    }
    if !joins {
        // Another order may have been signed during the checks.
        submission.check_no_other_known(&client.shared)?;
        submission.remember(&client.shared, false, None);
    }
    signature(client, &to_sign, !joins, signal, &|| (call.progress)(Progress::step("signing"))).await
}

/// Verifies the signature, and returns it in the form in which it is posted: see [`accepted_form`].
///
/// # Errors
/// SIGNATURE_MISMATCH and UNSUPPORTED_ACCOUNT, after which the next attempt asks the wallet again; else the RPC's
/// failure, with `signedOrder`.
async fn accept_signature<H: Host>(
    client: &Client<H>,
    submission: &Submission<H>,
    bytes: &[u8],
    signal: &H::Signal,
) -> Result<Vec<u8>> {
    let OrderFacts { chain_id, owner, hash, is_key_first, .. } = submission.facts;
    accepted_form(client, chain_id, owner, hash, bytes, is_key_first, signal).await.map_err(|error| {
        if [ErrorCode::SignatureMismatch, ErrorCode::UnsupportedAccount].contains(&error.code) {
            // It is not the owner's signature: the next attempt asks the wallet again.
            forget(client, hash);
            return error;
        }
        submission.with_signed_order(error, bytes)
    })
}
