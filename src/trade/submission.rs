//! What is submitted: a build or a signed order, opened and verified once more.

use super::contracts::contracts;
use super::restated::restated;
use super::seal::{Parts, open, unedited};
use super::sealed_build::{OpenBuild, open_build};
use crate::client::Client;
use crate::domain::chain::Path;
use crate::domain::input::{chain_id, known, optional};
use crate::domain::verify::Checks;
use crate::domain::verify::delta_amounts::bounds;
use crate::error::{Error, Result};
use crate::host::Host;
use crate::json::{At, Json, Out};
use alloy_primitives::{B256, U256};

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
        let signature = optional(&at.get("signature"), |at| at.bytes())?;
        let place = at.get("preSign");
        let pre_sign = optional(&place, |at| at.bool())?.unwrap_or(false);
        if pre_sign && signature.is_some() {
            return Err(place.fault("either a signature or preSign"));
        }
        let [request, permit] = ["request", "permit"].map(|name| at.get(name).json().cloned());
        Ok(SubmitOptions { signature, pre_sign, request, permit })
    }
}

/// How the owner agrees to an order.
pub(super) enum Consent {
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
    pub(super) build: Box<OpenBuild>,
    sealed: String,
    pub(super) consent: Consent,
    /// Whether it was asked for here: by a build of this client, or by the request said again. Otherwise it is somebody's
    /// signed order, which is posted, and no more.
    pub(super) is_asked_for: bool,
}

impl Submission {
    /// What it is known by.
    pub fn order_hash(&self) -> B256 {
        self.build.verified.digest.digest
    }

    /// What is signed, in a form that `submit` takes back. Without bytes it is signed on chain.
    pub(super) fn signed_order(&self, signature: &[u8]) -> String {
        let mut out = Out::object();
        out.text("kind", "signedOrder");
        out.number("chainId", self.build.intent.chain_id);
        out.value("owner", &self.build.verified.figures.owner);
        out.value("orderHash", &self.order_hash());
        out.number("deadline", self.build.terms.deadline);
        out.bytes("signature", signature);
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
    let chain_id = chain_id(&at.get("chainId"))?;
    let known = contracts(shared, chain_id, Path::Delta, signal).await?;
    let mut build = open_build(text, &known)?;
    build.view.raw("approval", Parts::of(text)?.raw("approval").unwrap_or("null"));
    let consent = match &options.signature {
        Some(signature) => Consent::Given(signature.clone()),
        None if options.pre_sign => Consent::OnChain,
        None => Consent::Wallet,
    };
    let mut submission = Submission { build, sealed: sealed.text()?.into(), consent, is_asked_for: true };
    if is_signed {
        // The owner has signed it: what is left to check is that.
        let signature = at.get("signature").bytes()?;
        unedited(&at, &submission.signed_order(&signature))?;
        submission.consent = if signature.is_empty() { Consent::Sent } else { Consent::Given(signature) };
        submission.is_asked_for = own || options.request.is_some();
    } else {
        unedited(&at, &submission.build.view.closed())?;
        // Whether it is the one that was signed, and went out in nothing else, only the client knows that signed it.
        if !own && submission.build.terms.permit.is_some() {
            let expected = "none in a build made elsewhere (build again, with a permit of this client)";
            return Err(Error::input("build.permit", expected, "a permit"));
        }
    }
    if !own && submission.is_asked_for {
        stated_again(client, &submission.build, options.request.as_ref())?;
    }
    Ok(submission)
}

/// Holds a build that was not made here against what the caller says again.
fn stated_again<H: Host>(client: &Client<H>, build: &OpenBuild, request: Option<&Json>) -> Result<()> {
    let restated = restated(client, &build.intent, request)?;
    // What no request and no bound says: who acts on the order, and who shares in it.
    let terms = &build.terms;
    if terms.external.is_some() || terms.take_surplus == Some(true) {
        let expected = "one of this client: another contract, or the partner, has a part in it (build again)";
        return Err(Error::input("build", expected, "one made elsewhere"));
    }
    let figures = &build.verified.figures;
    let mut checks = Checks::default();
    checks.same("order.owner", &build.intent.account.unwrap_or_default(), &figures.owner);
    bounds(&mut checks, figures, Some(&restated.least), Some(&restated.most));
    checks.at_most("order.deadline", &restated.latest, &U256::from(figures.deadline));
    checks.finish().map(|_| ())
}
