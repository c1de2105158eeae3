//! What is submitted: a build or a signed order, of a Delta order or of a maker's OTC order; opened and verified once more.

use crate::client::Client;
use crate::domain::chain::{Deployment, Protocol};
use crate::domain::input::{chain_id, known, optional};
use crate::domain::permit::Permit;
use crate::error::{Error, Result};
use crate::host::Host;
use crate::json::{Json, JsonAt, ObjectWriter};
use crate::trade::call::CallArgs;
use crate::trade::chain::deployment::find_deployment;
use crate::trade::chain::funding::Funding;
use crate::trade::delta::again::Again;
use crate::trade::delta::foreign_bounds::{said, verify_foreign_build};
use crate::trade::delta::preflight::preflight;
use crate::trade::delta::sealed::{OpenBuild, open_build};
use crate::trade::otc::{OtcOffer, Request, opened};
use crate::trade::permit::open_permit;
use crate::trade::seal::{RawMembers, open, same_request, unedited};
use crate::wallet::signing::ToSign;
use alloy_primitives::{Address, B256};

/// What a signed order is called, by the path it takes. A maker's build is `otc`.
const SIGNED: [(&str, Protocol); 2] = [("signedOrder", Protocol::Delta), ("signedOtcOrder", Protocol::Otc)];

/// What `submit` may be told besides.
#[derive(Clone, Debug, Default)]
struct SubmitOptions {
    /// A signature made elsewhere.
    signature: Option<Vec<u8>>,
    /// Consent on chain in place of a signature.
    pre_sign: bool,
    /// The request of a foreign build, with its bounds.
    request: Option<Json>,
    /// An OTC maker's permit.
    permit: Option<Json>,
    /// What is said to an order for the same trade that is signed.
    again: Option<Again>,
}

/// The plain members of the options.
pub const SUBMIT_OPTIONS: [&str; 5] = ["signature", "preSign", "request", "permit", "again"];

impl SubmitOptions {
    /// Reads the options, as far as they fit that path.
    fn read(at: &JsonAt<'_>, path: Protocol) -> Result<SubmitOptions> {
        known(at, &SUBMIT_OPTIONS)?;
        let signature = optional(&at.get("signature"), |at| at.bytes())?;
        let place = at.get("preSign");
        let pre_sign = optional(&place, |at| at.bool())?.unwrap_or(false);
        if pre_sign && signature.is_some() {
            return Err(place.fault("either a signature or preSign"));
        }
        if pre_sign && path == Protocol::Otc {
            return Err(place.fault("nothing: an OTC order is signed, by a key or as its maker's code says"));
        }
        let again = Again::read(at)?;
        if again.is_some() && path == Protocol::Otc {
            return Err(at.get("again").fault("nothing: each OTC order is one of its own"));
        }
        let [request, permit] = ["request", "permit"].map(|name| at.get(name).json().cloned());
        if permit.is_some() && path == Protocol::Delta {
            return Err(at.get("permit").fault("nothing: pass it to build, the order carries it"));
        }
        Ok(SubmitOptions { signature, pre_sign, request, permit, again })
    }
}

/// How the owner agrees to an order.
pub enum Authorization {
    /// The wallet is asked for a signature.
    Wallet,
    /// Here it is.
    Given(Vec<u8>),
    /// The wallet is asked for a transaction.
    OnChain,
    /// By a transaction that was sent before.
    Sent,
}

/// An order ready to be signed.
pub enum Order {
    /// The service's, held against what was asked for.
    Delta(Box<OpenBuild>),
    /// The maker's own, and the permit that goes along.
    Otc(Box<OtcOffer>, Option<Permit>),
}

/// A build ready to be signed, or signed already.
pub struct Submission {
    pub order: Order,
    pub chain_id: u64,
    pub owner: Address,
    /// What it is known by.
    pub hash: B256,
    sealed: String,
    pub authorization: Authorization,
    /// Whether it was asked for here: by a build of this client, or by the request said again. Otherwise it is somebody's
    /// signed order, which is posted, and no more.
    pub is_asked_for: bool,
    /// Whether it came as a signed order.
    pub is_signed: bool,
    /// What is said to an order for the same trade that is signed.
    pub again: Option<Again>,
    /// Whether it was built here to replace another, whose nonce it has.
    pub is_replacement: bool,
}

impl Order {
    fn view(&mut self) -> &mut ObjectWriter {
        match self {
            Order::Delta(build) => &mut build.view,
            Order::Otc(offer, _) => &mut offer.view,
        }
    }
}

impl Submission {
    /// What is signed, in a form that `submit` takes back. Without bytes it is signed on chain.
    pub fn signed_order(&self, signature: &[u8]) -> String {
        let mut out = ObjectWriter::object();
        match &self.order {
            Order::Delta(build) => {
                out.text("kind", "signedOrder");
                out.value("owner", &self.owner);
                out.number("deadline", build.terms.deadline);
            }
            Order::Otc(..) => out.text("kind", "signedOtcOrder"),
        }
        out.number("chainId", self.chain_id);
        out.value("orderHash", &self.hash);
        out.bytes("signature", signature);
        out.text("sealed", &self.sealed);
        out.close()
    }

    /// What the wallet is asked to sign.
    pub fn to_sign(&self) -> ToSign<'_> {
        let typed_data = match &self.order {
            Order::Delta(build) => &build.typed_data,
            Order::Otc(offer, _) => &offer.typed_data,
        };
        ToSign { signer: self.owner, digest: self.hash, typed_data }
    }

    /// What the owner has to have, and to allow to a contract that an approval is made for here.
    pub fn funding(&self) -> Funding<'_> {
        match &self.order {
            Order::Delta(build) if build.terms.external.is_some() => Funding { pays: None, ..build.funding(None, &[]) },
            Order::Delta(build) => build.funding(None, &[]),
            Order::Otc(offer, permit) => offer.funding(permit.as_ref()),
        }
    }

    /// The permit that goes along.
    pub fn permit(&self) -> Option<&Permit> {
        match &self.order {
            Order::Delta(build) => build.terms.permit.as_ref(),
            Order::Otc(_, permit) => permit.as_ref(),
        }
    }

    /// Whether the order can be filled as things are, as far as that matters of one that is signed, or being signed.
    ///
    /// # Errors
    /// Those of the order's own preflight.
    pub async fn preflight<H: Host>(&self, client: &Client<H>, is_signed: bool, signal: &H::Signal) -> Result<()> {
        match &self.order {
            Order::Delta(build) if !is_signed => preflight(client, build, signal).await,
            Order::Delta(_) => Ok(()),
            Order::Otc(offer, permit) => offer.preflight(client, permit.as_ref(), is_signed, signal).await,
        }
    }
}

/// Opens a build or a signed order that the application passes in, and verifies all of it again.
///
/// # Errors
/// INVALID_INPUT, VERIFY_MISMATCH.
pub async fn prepare<H: Host>(client: &Client<H>, call: &CallArgs<'_, H>) -> Result<Submission> {
    let kind = call.data.get("kind").and_then(Json::as_text).unwrap_or_default();
    let signed = SIGNED.into_iter().find(|(label, _)| *label == kind);
    let path = match signed {
        Some((_, path)) => path,
        None if kind == Protocol::Otc.label() => Protocol::Otc,
        None => Protocol::Delta,
    };
    let mut options = SubmitOptions::read(&JsonAt::input(call.options, "options"), path)?;
    let at = JsonAt::input(call.data, signed.map_or("build", |(label, _)| label));
    // The seal before the chain: it says more of what is no build at all.
    at.get("sealed").text()?;
    if path == Protocol::Delta && !open(&client.shared.secret, &at.get("sealed"))?.1 {
        options.request = said(client, options.request.as_ref(), call.signal).await?;
    }
    let deployment = find_deployment(&client.shared, chain_id(&at.get("chainId"))?, path, call.signal).await?;
    verified(client, &at, path, signed.is_some(), options, &deployment)
}

/// What was passed, on that path, opened and verified.
fn verified<H: Host>(
    client: &Client<H>,
    at: &JsonAt<'_>,
    path: Protocol,
    is_signed: bool,
    options: SubmitOptions,
    deployment: &Deployment,
) -> Result<Submission> {
    let shared = &client.shared;
    let sealed = at.get("sealed");
    let (text, own) = open(&shared.secret, &sealed)?;
    let mut order = match path {
        Protocol::Otc => {
            let permit =
                options.permit.as_ref().map(|json| open_permit(shared, &JsonAt::input(json, "options.permit")));
            Order::Otc(Box::new(opened(text, deployment)?), permit.transpose()?)
        }
        _ => Order::Delta(open_build(text, deployment)?),
    };
    if !is_signed {
        let view = order.view();
        view.raw("approval", RawMembers::of(text)?.raw("approval").unwrap_or("null"));
        unedited(at, &view.closed())?;
    }
    let (chain_id, owner, hash) = match &order {
        Order::Delta(build) => (build.intent.chain_id, build.verified.figures.owner, build.verified.digest.digest),
        Order::Otc(offer, _) => (offer.request.chain_id, offer.maker, offer.digest.digest),
    };
    let authorization = match options.signature {
        Some(signature) => Authorization::Given(signature),
        None if options.pre_sign => Authorization::OnChain,
        None => Authorization::Wallet,
    };
    let (mut again, mut is_replacement) = (options.again, false);
    // What somebody else's build says is not the caller's word.
    if let Order::Delta(build) = &order
        && own
    {
        again = again.or(build.again);
        is_replacement = build.again == Some(Again::Replace);
    }
    let request = options.request.as_ref();
    let is_asked_for = !is_signed || own || request.is_some();
    let sealed = sealed.text()?.into();
    let mut submission = Submission {
        order,
        chain_id,
        owner,
        hash,
        sealed,
        authorization,
        is_asked_for,
        is_signed,
        again,
        is_replacement,
    };
    if is_signed {
        // The owner has signed it: what is left to check is that.
        let signature = at.get("signature").bytes()?;
        unedited(at, &submission.signed_order(&signature))?;
        submission.authorization = if signature.is_empty() && path == Protocol::Delta {
            Authorization::Sent
        } else {
            Authorization::Given(signature)
        };
    }
    match &submission.order {
        // Whether it is the one that was signed, and went out in nothing else, only the client knows that signed it.
        Order::Delta(build) if !own && !is_signed && build.terms.permit.is_some() => {
            let expected = "none in a build made elsewhere (build again, with a permit of this client)";
            return Err(Error::input("build.permit", expected, "a permit"));
        }
        Order::Delta(build) if !own && is_asked_for => verify_foreign_build(client, build, request)?,
        Order::Otc(offer, _) if !own && !is_signed => {
            let stated = request.map(|json| Request::read(&JsonAt::input(json, "options.request"), &client.defaults()));
            let stated = stated.transpose()?.map(|request| request.write());
            same_request(stated.as_deref(), &offer.request.write())?;
        }
        _ => {}
    }
    Ok(submission)
}
