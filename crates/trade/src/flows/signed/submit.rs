//! `submit` of a build that is signed: verify once more, ask the wallet, check the signature, post.
//!
//! Two rules hold at every step. A prompt opens only after all checks. And once there is a signature, nothing may lose
//! it: it is remembered, every error carries it, and a second call joins the open prompt instead of opening another.
//! See "Before the prompt, and after it" in docs/verification.md.

use crate::client::Client;
use crate::flows::call::{CallArgs, Progress};
use crate::flows::chain::open_orders::find_lacks;
use crate::flows::chain::signature_check::{accepted_form, is_contract};
use crate::flows::journal::sync::{sync, sync_now};
use crate::flows::sealed_permit::take_permit;
use crate::flows::signed::posting::post_until_known;
use crate::flows::signed::pre_sign::{misses_deposit, pre_sign_on_chain, wants_deposit};
use crate::flows::signed::prepare::prepare;
use crate::flows::signed::waiting::{await_allowance, check_fillable};
use crate::flows::submission::{Authorization, OrderFacts, Submission};
use crate::host::{Host, Signal};
use crate::ledger::record::{Entry, Stage};
use crate::ledger::step::Event;
use crate::service::ensure_post_may_leave;
use crate::wallet::account::ensure_ready;
use crate::wallet::batch::find_allowed;
use crate::wallet::chain::Chain;
use crate::wallet::confirm::{Payload, PromptContent, PromptPermission, Purpose};
use crate::wallet::signing::{ToSign, forget, is_asked, is_own_asked, signature};
use alloy_primitives::B256;
use verify::internal::error::{Error, ErrorCode, Result};
use verify::internal::json::{Json, JsonAt};

/// Has an order signed, unless it is, and posts it. Returns the order as the service reports it.
///
/// An order that sells the native token is signed and posted like any other, which costs nothing. Only if the service
/// then wants a deposit, the wallet is asked for the transaction that makes it, and the order is posted as pre-signed
/// on chain. The next such order on that chain is not signed first.
///
/// # Errors
/// Before a signature: those of the checks and of the wallet. After it, every error carries `signedOrder`.
pub async fn submit<H: Host>(client: &Client<H>, call: &CallArgs<'_, H>) -> Result<Json> {
    let read = sync(client, call.signal).await;
    let mut submission = prepare(client, call).await?;
    // The lock is held until the call ends: no other call opens a prompt for the same trade meanwhile.
    let consents = submission.existing.is_some();
    let (intent, hash) = (submission.intent(), submission.facts.hash);
    let _lock = call.gate.hold(&client.shared.ledger, intent, hash, consents).await?;
    // Another tab may have written before it gave the lock back.
    submission.read = match read {
        Ok(()) => sync_now(client, call.signal).await,
        unread => unread,
    };
    let order = submit_prepared(client, submission, call).await?;
    client.shared.ledger.apply(hash, Event::AppInformed).await;
    Ok(order)
}

/// Submits the order opened by [`prepare`], for a caller that has its lock: see [`submit`].
///
/// # Errors
/// Same as [`submit`].
pub async fn submit_prepared<H: Host>(
    client: &Client<H>,
    mut submission: Submission<H>,
    call: &CallArgs<'_, H>,
) -> Result<Json> {
    if let Some((permit, field)) = submission.facts.permit {
        take_permit(&client.shared, Some(permit), submission.facts.hash, field)?;
    }
    (call.progress)(Progress::step("checking"));
    let is_posted = |entry: &Entry| entry.stage == Stage::Posted;
    let was_posted = client.shared.ledger.trade(submission.facts.hash).is_some_and(|entry| is_posted(&entry));
    let mut outcome = sign_and_post(client, &mut submission, call).await;
    if was_posted
        && outcome.is_ok()
        && let Err(error) = check_still_allowed(client, submission.facts.hash, call.signal).await
    {
        outcome = Err(error);
    }
    let error = match outcome {
        Ok(order) => return Ok(order),
        Err(error) => error,
    };
    client.shared.ledger.apply(submission.facts.hash, Event::PermitFreed).await;
    // The user is not led to approve for an order that the caller did not request and whose signature is not checked.
    if !submission.is_asked_for && matches!(submission.authorization, Authorization::Sent) {
        return Err(error);
    }
    let (order, known) = (&submission.order, submission.order.known());
    Err(order.funding().with_approval(client, error, (&submission.report, known.as_deref()), call.signal).await)
}

/// Refuses to answer an order without a word that the service had before this call, if the chain shows that the
/// allowance no longer covers it. Its signature stays as good as it was, and no other is asked for.
///
/// # Errors
/// INSUFFICIENT_ALLOWANCE.
async fn check_still_allowed<H: Host>(client: &Client<H>, hash: B256, signal: &H::Signal) -> Result<()> {
    let entry: Vec<Entry> = client.shared.ledger.trade(hash).into_iter().collect();
    if !find_lacks(client, &entry, signal).await.contains(&(hash, Some("approval"))) {
        return Ok(());
    }
    let message = "the order is signed and open, and the allowance no longer covers the account's open orders: approve \
                   again, it needs no other signature";
    Err(Error::new(ErrorCode::InsufficientAllowance, message))
}

/// Has the owner authorize the order in the caller's way, posts it, and starts over with a pre-signature on chain if
/// the service wants a deposit. Returns the order as the service reports it.
///
/// # Errors
/// Same as [`submit`].
async fn sign_and_post<H: Host>(
    client: &Client<H>,
    submission: &mut Submission<H>,
    call: &CallArgs<'_, H>,
) -> Result<Json> {
    if let (Authorization::Wallet, Some(order)) =
        (&submission.authorization, client.shared.ledger.posted(submission.facts.hash))
    {
        // The amount may have been taken by now: nothing is compared with it.
        return Ok(order);
    }
    if let Authorization::Wallet = submission.authorization
        && wants_deposit(client, submission, call.signal).await?
    {
        submission.authorization = Authorization::OnChain;
    }
    // The signature that the service got and did not accept.
    let mut shown: Option<Vec<u8>> = None;
    loop {
        let signature = match authorize(client, submission, shown.as_deref(), call).await? {
            Authorized::By(signature) => signature,
            Authorized::Not(next) => {
                submission.authorization = next;
                continue;
            }
            Authorized::Again => {
                if call.gate.was_asked() {
                    // No lock was held meanwhile: another tab may have had it signed.
                    submission.read = sync_now(client, call.signal).await;
                }
                if let Some(order) = client.shared.ledger.posted(submission.facts.hash) {
                    return Ok(order);
                }
                submission.adopt_noted(&client.shared);
                continue;
            }
        };
        if shown.is_some() {
            client.shared.service.deposits.borrow_mut().push(submission.facts.chain_id);
        }
        if client.shared.ledger.known(submission.facts.hash).is_some_and(|entry| entry.waits()) {
            Box::pin(await_allowance(client, submission, &signature, call)).await?;
        }
        let outcome = post_signed(client, submission, &signature, call).await;
        if !signature.is_empty() && submission.is_asked_for && misses_deposit(submission, &outcome) {
            (submission.authorization, shown) = (Authorization::OnChain, Some(signature));
            continue;
        }
        let order = outcome.map_err(|error| submission.with_signed_order(error, &signature))?;
        return Ok(record_posted(client, submission, order, &signature, call).await);
    }
}

/// The outcome of asking the owner to authorize an order.
enum Authorized {
    /// The owner agreed, by this signature; without bytes on chain.
    By(Vec<u8>),
    /// The owner did not, and is asked in this way.
    Not(Authorization),
    /// All is checked again: the application agreed to the prompt, or it is gone, or another attempt signed the order.
    Again,
}

/// Has the owner authorize the order in the way of the submission. `shown` is the signature that the service did not
/// accept.
///
/// # Errors
/// Same as [`submit`].
async fn authorize<H: Host>(
    client: &Client<H>,
    submission: &Submission<H>,
    shown: Option<&[u8]>,
    call: &CallArgs<'_, H>,
) -> Result<Authorized> {
    match &submission.authorization {
        Authorization::Sent => Ok(Authorized::By(vec![])),
        Authorization::Wallet => by_wallet(client, submission, call).await,
        Authorization::OnChain => {
            Box::pin(pre_sign_on_chain(client, submission, shown, call)).await.map(Authorized::By)
        }
        Authorization::Given(bytes) => {
            // An order signed elsewhere for a build may be a second order like any other.
            if !submission.is_signed && !submission.is_journaled {
                submission.check_read(client, &submission.read, call.signal).await?;
            }
            submission.check_no_other(client, call.signal).await?;
            check_fillable(client, submission, (true, false), call.signal).await?;
            match keep_and_accept(client, submission, bytes, call).await {
                // The journal's bytes are no signature of this order.
                Err(error) if submission.is_journaled && error.code == ErrorCode::SignatureMismatch => {
                    client.shared.ledger.apply(submission.facts.hash, Event::NotAuthorized).await;
                    Ok(Authorized::Not(Authorization::Wallet))
                }
                accepted => accepted.map(Authorized::By),
            }
        }
    }
}

/// [`authorize`] by a signature of the wallet. One that sends none consents by a transaction.
///
/// # Errors
/// Same as [`submit`].
async fn by_wallet<H: Host>(
    client: &Client<H>,
    submission: &Submission<H>,
    call: &CallArgs<'_, H>,
) -> Result<Authorized> {
    let bytes = match ask_to_sign(client, submission, call).await {
        // One prompt approves and consents, if the wallet takes both together.
        Err(error) if may_approve_too(client, submission, &error, call).await? => None,
        Ok(None) => return Ok(Authorized::Again),
        answer => Some(answer?.unwrap_or_default()),
    };
    match bytes {
        Some(bytes) if !bytes.is_empty() || !signs_elsewhere(client, submission, call.signal).await => {
            keep_and_accept(client, submission, &bytes, call).await.map(Authorized::By)
        }
        _ => {
            forget(client, submission.facts.hash);
            Ok(Authorized::Not(Authorization::OnChain))
        }
    }
}

/// Posts the signed order, unless the caller no longer waits. Returns the order as the service reports it.
///
/// # Errors
/// ABORTED; those of [`post_until_known`].
async fn post_signed<H: Host>(
    client: &Client<H>,
    submission: &Submission<H>,
    signature: &[u8],
    call: &CallArgs<'_, H>,
) -> Result<Json> {
    let (shared, signed_order) = (&client.shared, submission.signed_order(signature));
    let step = |step| (call.progress)(Progress { signed_order: Some(signed_order.clone()), ..Progress::step(step) });
    if signature.is_empty() {
        step("signed");
    }
    if call.signal.is_aborted() {
        submission.record_signed(shared, &signed_order).await;
        return Err(Error::aborted());
    }
    (call.posting)();
    let event = Event::Posting(submission.entry(shared, Some(&signed_order)));
    let Some(permission) = shared.ledger.post(submission.facts.hash, event).await else {
        return Err(Error::unreachable());
    };
    step("posting");
    post_until_known(client, submission, signature, &permission).await
}

/// Notes that the service has the order, and passes that on to the app.
async fn record_posted<H: Host>(
    client: &Client<H>,
    submission: &Submission<H>,
    order: Json,
    signature: &[u8],
    call: &CallArgs<'_, H>,
) -> Json {
    let (shared, hash) = (&client.shared, submission.facts.hash);
    shared.ledger.apply(hash, Event::ServiceAnswered(order.clone())).await;
    shared.ledger.report(hash, &order).await;
    forget(client, hash);
    let signed_order = Some(submission.signed_order(signature));
    (call.progress)(Progress { signed_order, ..Progress::step("posted") });
    order
}

/// Whether only a missing approval stopped the prompt, and the wallet can send it together with the order's
/// pre-signature.
///
/// # Errors
/// INVALID_INPUT with the option `batch`.
async fn may_approve_too<H: Host>(
    client: &Client<H>,
    submission: &Submission<H>,
    error: &Error,
    call: &CallArgs<'_, H>,
) -> Result<bool> {
    let OrderFacts { owner, chain_id, .. } = submission.facts;
    if error.code != ErrorCode::InsufficientAllowance || submission.order.known().is_none() {
        return Ok(false);
    }
    let at = JsonAt::input(call.options, "options");
    Ok(find_allowed(client, &at, (owner, chain_id), call.signal).await?.is_possible())
}

/// Whether a wallet that answered without a signature is a contract's that signs in another way, as a Safe does whose
/// owners have yet to agree. An OTC order has no other way.
async fn signs_elsewhere<H: Host>(client: &Client<H>, submission: &Submission<H>, signal: &H::Signal) -> bool {
    let OrderFacts { owner, chain_id, .. } = submission.facts;
    if submission.order.known().is_none() {
        return false;
    }
    match Chain::need(client, chain_id, signal).await {
        Ok(chain) => is_contract(&chain, owner).await.unwrap_or_default(),
        Err(_) => false,
    }
}

/// Opens the wallet's prompt after all checks, or joins the one that is open for this very order. Returns the bytes of
/// the wallet's answer; `None` if the prompt to join is gone, or another attempt has posted the order: the caller
/// starts over.
///
/// # Errors
/// The errors of the checks and of the wallet.
async fn ask_to_sign<H: Host>(
    client: &Client<H>,
    submission: &Submission<H>,
    call: &CallArgs<'_, H>,
) -> Result<Option<Vec<u8>>> {
    let OrderFacts { chain_id, owner, hash, .. } = submission.facts;
    let (to_sign, signal) =
        (ToSign { signer: owner, digest: hash, typed_data: &submission.order.typed().text }, call.signal);
    let joins = is_own_asked(client, hash);
    if !joins {
        submission.check_read(client, &submission.read, signal).await?;
        ensure_ready(client, owner, chain_id, signal).await?;
        submission.check_no_other(client, signal).await?;
    }
    check_fillable(client, submission, (joins, true), signal).await?;
    let mut permission = None;
    if joins {
        call.gate.check_settled()?;
    } else {
        ensure_post_may_leave(&client.shared).await?;
        let purpose = if submission.order.known().is_some() { Purpose::Order } else { Purpose::OtcOrder };
        let content = PromptContent {
            key: hash,
            purpose,
            report: &submission.report,
            payload: Payload::Signed(owner, to_sign.typed_data),
            detail: None,
        };
        let Some(consent) = call.gate.pass(client, &content, signal).await? else { return Ok(None) };
        let Some(journaled) = submission.ask(&client.shared, signal).await? else { return Ok(None) };
        permission = Some(consent.for_trade(&journaled)?);
    }
    let answer = open_prompt(client, submission, &to_sign, permission, call).await;
    // The user refused, or there was no prompt: nothing is under way.
    if answer.is_err() && !is_asked(&client.shared, hash) {
        client.shared.ledger.apply(hash, Event::WalletDidNotSign).await;
    }
    answer
}

/// The last checks, and the prompt: see [`ask_to_sign`].
///
/// # Errors
/// The errors of the checks and of the wallet.
async fn open_prompt<H: Host>(
    client: &Client<H>,
    submission: &Submission<H>,
    to_sign: &ToSign<'_>,
    permission: Option<PromptPermission>,
    call: &CallArgs<'_, H>,
) -> Result<Option<Vec<u8>>> {
    let OrderFacts { chain_id, owner, hash, .. } = submission.facts;
    let (signal, joins) = (call.signal, permission.is_none());
    if !joins {
        // Once more: the preflight took time, and wallets change account and chain at a click.
        ensure_ready(client, owner, chain_id, signal).await?;
    }
    if client.shared.ledger.posted(hash).is_some() {
        return Ok(None);
    }
    if !joins {
        // Another order may have been signed during the checks.
        submission.check_no_other_known(&client.shared)?;
    }
    signature(client, to_sign, permission, signal, &|| (call.progress)(Progress::signing(submission.order.typed())))
        .await
}

/// Stores the wallet's answer, and passes it to the app, before any other request: from here on it is not lost. Then
/// verifies it, and returns it in the form in which it is posted: see [`accepted_form`].
///
/// # Errors
/// SIGNATURE_MISMATCH and UNSUPPORTED_ACCOUNT, after which the next attempt asks the wallet again; else the RPC's
/// failure, with `signedOrder`.
async fn keep_and_accept<H: Host>(
    client: &Client<H>,
    submission: &Submission<H>,
    bytes: &[u8],
    call: &CallArgs<'_, H>,
) -> Result<Vec<u8>> {
    let (shared, OrderFacts { chain_id, owner, hash, is_key_first, .. }) = (&client.shared, &submission.facts);
    // A good signature that is known already is not replaced by an unchecked one.
    let is_first = bytes.len() > 1 && !shared.ledger.is_signed(*hash);
    let signed_order = submission.signed_order(bytes);
    let mut is_stored = None;
    if is_first {
        is_stored = submission.record_signed(shared, &signed_order).await;
    }
    (call.progress)(Progress { signed_order: Some(signed_order), is_stored, ..Progress::step("signed") });
    let accepted = accepted_form(client, *chain_id, *owner, *hash, bytes, *is_key_first, call.signal).await;
    let Err(error) = accepted else { return accepted };
    if ![ErrorCode::SignatureMismatch, ErrorCode::UnsupportedAccount].contains(&error.code) {
        return Err(submission.with_signed_order(error, bytes));
    }
    forget(client, *hash);
    if is_first {
        shared.ledger.apply(*hash, Event::NotAuthorized).await;
    }
    Err(error)
}
