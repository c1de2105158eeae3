//! Verify once more, have it signed, check the signature, post; and lose nothing on the way.

use super::client::Client;
use super::contracts::contracts;
use super::owner::accepted;
use super::posting::{Answer, until_known};
use super::preflight::preflight;
use super::presign::{consent, is_missing, wants_deposit};
use super::seal::{Parts, open, same_request, unedited};
use super::sealed_build::{OpenBuild, open_build};
use crate::domain::chain::Path;
use crate::domain::intent::{Intent, MAX_CHAIN_ID, amount_input, known, optional, unix_secs};
use crate::domain::side::Side;
use crate::domain::text::ToText;
use crate::domain::verify::Checks;
use crate::domain::verify::delta_amounts::bounds;
use crate::error::{Error, ErrorCode, Result};
use crate::host::{Host, Signal};
use crate::json::{At, Json, Out, parse};
use crate::service::orders::{self, OrderKey};
use crate::wallet::account::ready;
use crate::wallet::signing::{ToSign, forget, is_asked, signature};
use crate::wire;
use alloy_primitives::{B256, U256, hex};
use std::cell::Cell;

/// A build that was not made here is good for this long ahead, unless the caller names its deadline.
const MAX_FOREIGN_SECS: u64 = 86_400;

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

/// What `submit` may be told besides.
#[derive(Clone, Debug, Default)]
pub struct SubmitOptions {
    /// A signature made elsewhere.
    pub signature: Option<Vec<u8>>,
    /// Consent on chain in place of a signature.
    pub pre_sign: bool,
    /// The request of a foreign build, with its bounds.
    pub request: Option<Json>,
    /// An OTC maker's permit.
    pub permit: Option<Json>,
}

/// The plain members of [`SubmitOptions`].
pub const SUBMIT_OPTIONS: [&str; 4] = ["signature", "preSign", "request", "permit"];

impl SubmitOptions {
    /// Reads the options.
    ///
    /// # Errors
    /// Names the member that is unknown or not as it must be.
    pub fn read(at: &At<'_>) -> Result<SubmitOptions> {
        known(at, &SUBMIT_OPTIONS)?;
        let signature = at.get("signature").some().map(|at| at.bytes()).transpose()?;
        let place = at.get("preSign");
        let pre_sign = place.some().map(|at| at.bool()).transpose()?.unwrap_or(false);
        if pre_sign && signature.is_some() {
            return Err(place.fault("either a signature or preSign"));
        }
        let [request, permit] = ["request", "permit"].map(|name| at.get(name).json().cloned());
        Ok(SubmitOptions { signature, pre_sign, request, permit })
    }
}

/// How the owner agrees to an order.
enum Consent {
    /// The wallet is asked for a signature.
    Wallet,
    /// Here it is.
    Given(Vec<u8>),
    /// The wallet is asked for a transaction.
    OnChain,
    /// By a transaction that was sent before.
    Sent,
}

/// A build ready to be signed, or signed already.
pub struct Submission {
    build: Box<OpenBuild>,
    sealed: String,
    consent: Consent,
}

impl Submission {
    /// What it is known by.
    pub fn order_hash(&self) -> B256 {
        self.build.verified.digest.digest
    }

    /// What is signed, in a form that `submit` takes back. Without bytes it is signed on chain.
    fn signed_order(&self, signature: &[u8]) -> String {
        let mut out = Out::object();
        out.text("kind", "signedOrder");
        out.number("chainId", self.build.intent.chain_id);
        out.value("owner", &self.build.verified.figures.owner);
        out.value("orderHash", &self.order_hash());
        out.number("deadline", self.build.terms.deadline);
        out.text("signature", &hex::encode_prefixed(signature));
        out.text("sealed", &self.sealed);
        out.close()
    }
}

/// Opens a build or a signed order that the application passes in, and verifies all of it again.
///
/// # Errors
/// INVALID_INPUT, VERIFY_MISMATCH.
pub async fn prepare<H: Host>(
    client: &Client<H>,
    passed: &Json,
    options: &SubmitOptions,
    signal: &H::Signal,
) -> Result<Submission> {
    let shared = &client.shared;
    if options.permit.is_some() {
        return Err(Error::input("options.permit", "nothing: pass it to build, the order carries it", "a permit"));
    }
    let is_signed = passed.get("kind").and_then(Json::as_text) == Some("signedOrder");
    let at = At::input(passed, if is_signed { "signedOrder" } else { "build" });
    let sealed = at.get("sealed");
    let (text, own) = open(&shared.secret, &sealed)?;
    let chain_id = at.get("chainId").integer(MAX_CHAIN_ID)?;
    let known = contracts(shared, chain_id, Path::Delta, signal).await?;
    let mut build = open_build(text, &known)?;
    build.view.raw("approval", Parts::of(text)?.raw("approval").unwrap_or("null"));
    let consent = match &options.signature {
        Some(signature) => Consent::Given(signature.clone()),
        None if options.pre_sign => Consent::OnChain,
        None => Consent::Wallet,
    };
    let mut submission = Submission { build, sealed: sealed.text()?.into(), consent };
    if is_signed {
        // The owner has signed it: what is left to check is that.
        let signature = at.get("signature").bytes()?;
        unedited(&at, &submission.signed_order(&signature))?;
        submission.consent = if signature.is_empty() { Consent::Sent } else { Consent::Given(signature) };
    } else {
        unedited(&at, &[submission.build.view.text_so_far(), "}"].concat())?;
        if !own {
            stated_again(client, &submission.build, options.request.as_ref())?;
        }
    }
    Ok(submission)
}

/// A build that was not made here carries its own idea of price, slippage and deadline. The caller says again what was
/// asked for, and how little it may come to.
fn stated_again<H: Host>(client: &Client<H>, build: &OpenBuild, request: Option<&Json>) -> Result<()> {
    let inside = build.intent.write();
    let Some(request) = request else { return same_request(None, &inside) };
    let at = At::input(request, "request");
    let mut names = Intent::MEMBERS.to_vec();
    names.extend(["minReceived", "maxSpent", "deadline"]);
    known(&at, &names)?;
    let intent = Intent::read_known(&at, &client.defaults())?;
    same_request(Some(&intent.write()), &inside)?;
    // What no request and no bound says: who acts on the order, and who shares in it.
    let terms = &build.terms;
    if terms.external.is_some() || terms.take_surplus == Some(true) {
        let expected = "one of this client: another contract, or the partner, has a part in it (build again)";
        return Err(Error::input("build", expected, "one made elsewhere"));
    }
    let least = amount_input(&at.get("minReceived"))?;
    let most = match intent.side {
        Side::Sell => intent.amount,
        Side::Buy => amount_input(&at.get("maxSpent"))?,
    };
    let latest = optional(&at.get("deadline"), unix_secs)?;
    let unix = client.shared.host.unix_ms() / 1_000;
    let latest = latest.unwrap_or_else(|| unix.saturating_add(MAX_FOREIGN_SECS));
    let mut checks = Checks::default();
    bounds(&mut checks, &build.verified.figures, Some(&least), Some(&most));
    checks.at_most("order.deadline", &U256::from(latest), &U256::from(build.verified.figures.deadline));
    checks.finish().map(|_| ())
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
        let sent = Cell::new(false);
        let outcome = consent(client, build, signal, progress, &|| sent.set(true)).await;
        outcome.map_err(|error| if sent.get() { kept(error, &[]) } else { error })
    };
    let by_deposit = matches!(submission.consent, Consent::Wallet) && wants_deposit(client, build, signal).await?;
    let mut signature = match &submission.consent {
        Consent::Sent => vec![],
        consent if by_deposit || matches!(consent, Consent::OnChain) => {
            preflight(client, build, signal).await?;
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
    if !signature.is_empty() && is_missing(build, &outcome) {
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
