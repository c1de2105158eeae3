//! Verify once more, have it signed, check the signature, post; and lose nothing on the way.

use super::owner::accepted;
use super::posting::{Answer, until_known};
use super::preflight::preflight;
use super::presign::{consent, is_missing, wants_deposit};
use super::submission::{Consent, Submission};
use crate::client::Client;
use crate::domain::text::ToText;
use crate::error::{Error, ErrorCode, Result};
use crate::host::{Host, Signal};
use crate::json::parse;
use crate::service::orders::{self, OrderKey};
use crate::wallet::account::ready;
use crate::wallet::signing::{ToSign, forget, is_asked, signature};
use crate::wire;
use alloy_primitives::B256;
use std::cell::Cell;

/// A step on the way.
#[derive(Clone, Debug)]
pub struct Progress {
    /// Which.
    pub step: &'static str,
    /// What was sent.
    pub transaction: Option<B256>,
    /// What was signed, as JSON text.
    pub signed_order: Option<String>,
}

impl Progress {
    /// A step with nothing to show.
    pub fn step(step: &'static str) -> Progress {
        Progress { step, transaction: None, signed_order: None }
    }
}

/// Has it signed unless it is, and posts it. Returns the order as the service reports it.
///
/// An order that sells the native coin is signed and posted like any other, which costs nothing. Only where the service
/// then waits for a deposit, the wallet is asked for the transaction that makes it, and the order is posted as signed on
/// chain. The next one on that chain is not signed first.
///
/// `posting` is called at the point from which an abort no longer ends it.
///
/// # Errors
/// Before a signature: those of the checks and of the wallet. After it, every error carries `signedOrder`.
pub async fn submit<H: Host>(
    client: &Client<H>,
    submission: &Submission,
    signal: &H::Signal,
    progress: &dyn Fn(Progress),
    posting: &dyn Fn(),
) -> Result<String> {
    progress(Progress::step("checking"));
    let build = &submission.build;
    let kept = |mut error: Error, signature: &[u8]| {
        error.signed_order = Some(submission.signed_order(signature));
        error
    };
    let on_chain = async || {
        preflight(client, build, signal).await?;
        let sent = Cell::new(false);
        let outcome = consent(client, build, signal, progress, &|| sent.set(true)).await;
        outcome.map_err(|error| if sent.get() { kept(error, &[]) } else { error })
    };
    let by_deposit = matches!(submission.consent, Consent::Wallet) && wants_deposit(client, build, signal).await?;
    let mut signature = match &submission.consent {
        Consent::Sent => vec![],
        consent if by_deposit || matches!(consent, Consent::OnChain) => {
            on_chain().await?;
            vec![]
        }
        Consent::Given(bytes) => signed(client, submission, bytes, signal).await?,
        _ => {
            let bytes = ask_to_sign(client, submission, signal, progress).await?;
            signed(client, submission, &bytes, signal).await?
        }
    };
    let mut outcome = post(client, submission, &signature, signal, progress, posting).await;
    if !signature.is_empty() && submission.is_asked_for && is_missing(build, &outcome) {
        outcome = match on_chain().await {
            Ok(()) => {
                client.shared.deposits.borrow_mut().push(build.intent.chain_id);
                signature = vec![];
                post(client, submission, &signature, signal, progress, posting).await
            }
            Err(error) => Err(error),
        };
    }
    let order = outcome.map_err(|error| if error.signed_order.is_some() { error } else { kept(error, &signature) })?;
    client.shared.posted(build.verified.figures.nonce, submission.order_hash());
    if let Some(permit) = &build.terms.permit {
        client.shared.use_permit(permit.hash());
    }
    progress(Progress { step: "posted", transaction: None, signed_order: Some(submission.signed_order(&signature)) });
    Ok(order)
}

/// Opens the wallet's prompt, or joins the one that is open for this very order.
async fn ask_to_sign<H: Host>(
    client: &Client<H>,
    submission: &Submission,
    signal: &H::Signal,
    progress: &dyn Fn(Progress),
) -> Result<Vec<u8>> {
    let build = &submission.build;
    let (signer, chain_id, digest) = (build.verified.figures.owner, build.intent.chain_id, submission.order_hash());
    if !is_asked(client, digest) {
        ready(client, signer, chain_id, signal).await?;
        preflight(client, build, signal).await?;
        // Read again: the preflight took its time, and wallets change account and chain at a click.
        ready(client, signer, chain_id, signal).await?;
    }
    let asked = ToSign { signer, digest, typed_data: &build.typed_data };
    signature(client, &asked, signal, &|| progress(Progress::step("signing"))).await
}

/// The signature in the form in which it is posted.
async fn signed<H: Host>(
    client: &Client<H>,
    submission: &Submission,
    bytes: &[u8],
    signal: &H::Signal,
) -> Result<Vec<u8>> {
    let (chain_id, owner) = (submission.build.intent.chain_id, submission.build.verified.figures.owner);
    let hash = submission.order_hash();
    accepted(client, chain_id, owner, hash, bytes, signal).await.map_err(|mut error| {
        if [ErrorCode::SignatureMismatch, ErrorCode::UnsupportedAccount].contains(&error.code) {
            // It is not this owner's signature: the next attempt asks again.
            forget(client, hash);
        } else {
            error.signed_order = Some(submission.signed_order(bytes));
        }
        error
    })
}

/// Posts until it is known whether the service has the order.
async fn post<H: Host>(
    client: &Client<H>,
    submission: &Submission,
    signature: &[u8],
    signal: &H::Signal,
    progress: &dyn Fn(Progress),
    posting: &dyn Fn(),
) -> Result<String> {
    let signed = submission.signed_order(signature);
    let step = |step| progress(Progress { step, transaction: None, signed_order: Some(signed.clone()) });
    step("signed");
    if signal.is_aborted() {
        return Err(Error::aborted());
    }
    posting();
    step("posting");
    let (shared, build, never) = (&client.shared, &submission.build, H::Signal::never());
    let key = OrderKey::Hash(submission.order_hash());
    let post = || -> Answer<'_> {
        let posted = orders::post(shared, &build.value, &build.intent, &build.terms, signature);
        Box::pin(async { ours(&posted.await?, submission) })
    };
    let read = || -> Answer<'_> { Box::pin(async { ours(&orders::one(shared, &key, &never).await?, submission) }) };
    until_known(&shared.host, &post, &read, &build.terms.deadline.text()).await
}

/// The order in an answer, if it is the one that was posted.
fn ours(text: &str, submission: &Submission) -> Result<String> {
    let json = parse(text).map_err(Error::not_json)?;
    let (order, view) = wire::order::order(&json)?;
    let (hash, owner) = (submission.order_hash().text(), submission.build.verified.figures.owner.text());
    for (field, expected, actual) in [
        ("order.orderHash", &hash, view.order_hash.map(|hash| hash.text())),
        ("order.owner", &owner, view.owner.map(|owner| owner.text())),
    ] {
        if actual.as_ref() != Some(expected) {
            let actual = actual.as_deref().unwrap_or("nothing");
            return Err(Error::at(ErrorCode::ServiceMalformed, "the service's answer, ", field, expected, actual));
        }
    }
    Ok(order.write())
}
