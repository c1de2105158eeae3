//! From what the application passes to `submit` to an order that is ready to be signed: opened and verified once more.

use crate::client::Client;
use crate::domain::chain::Protocol;
use crate::domain::input::{chain_id, known, optional};
use crate::error::Result;
use crate::host::Host;
use crate::json::{Json, JsonAt};
use crate::trade::call::CallArgs;
use crate::trade::chain::deployment::find_deployment;
use crate::trade::delta::again::Again;
use crate::trade::delta::sealed::open_build;
use crate::trade::foreign_bounds::complete_request;
use crate::trade::otc::open_offer;
use crate::trade::permit::open_permit;
use crate::trade::seal::{RawMembers, check_unedited, open};
use crate::trade::signed::submission::{Authorization, Signable, Submission};

/// What a signed order is called, by the protocol it takes. A maker's build is `otc`.
const SIGNED: [(&str, Protocol); 2] = [("signedOrder", Protocol::Delta), ("signedOtcOrder", Protocol::Otc)];

/// What `submit` may be told besides.
#[derive(Clone, Debug, Default)]
struct SubmitOptions {
    /// A signature made elsewhere.
    signature: Option<Vec<u8>>,
    /// A pre-signature on chain in place of a signature.
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
    /// Reads the options, as far as they fit that protocol.
    fn read(at: &JsonAt<'_>, protocol: Protocol) -> Result<SubmitOptions> {
        known(at, &SUBMIT_OPTIONS)?;
        let signature = optional(&at.get("signature"), |at| at.bytes())?;
        let place = at.get("preSign");
        let pre_sign = optional(&place, |at| at.bool())?.unwrap_or(false);
        if pre_sign && signature.is_some() {
            return Err(place.fault("either a signature or preSign"));
        }
        if pre_sign && protocol == Protocol::Otc {
            return Err(place.fault("nothing: an OTC order is signed, by a key or as its maker's code says"));
        }
        let again = Again::read(at)?;
        if again.is_some() && protocol == Protocol::Otc {
            return Err(at.get("again").fault("nothing: each OTC order is one of its own"));
        }
        let [request, permit] = ["request", "permit"].map(|name| at.get(name).json().cloned());
        if permit.is_some() && protocol == Protocol::Delta {
            return Err(at.get("permit").fault("nothing: pass it to build, the order carries it"));
        }
        Ok(SubmitOptions { signature, pre_sign, request, permit, again })
    }
}

/// Opens a build or a signed order that the application passes in, and verifies all of it again.
///
/// # Errors
/// INVALID_INPUT, VERIFY_MISMATCH.
pub async fn prepare<H: Host>(client: &Client<H>, call: &CallArgs<'_, H>) -> Result<Submission<H>> {
    let shared = &client.shared;
    let kind = call.data.get("kind").and_then(Json::as_text).unwrap_or_default();
    let signed = SIGNED.into_iter().find(|(label, _)| *label == kind);
    let protocol = match signed {
        Some((_, protocol)) => protocol,
        None if kind == Protocol::Otc.label() => Protocol::Otc,
        None => Protocol::Delta,
    };
    let mut options = SubmitOptions::read(&JsonAt::input(call.options, "options"), protocol)?;
    let at = JsonAt::input(call.data, signed.map_or("build", |(label, _)| label));
    // The seal before the chain: it says more of what is no build at all.
    let sealed = at.get("sealed");
    let (text, own) = open(&shared.secret, &sealed)?;
    if protocol == Protocol::Delta && !own {
        options.request = complete_request(client, options.request.as_ref(), call.signal).await?;
    }
    let deployment = find_deployment(shared, chain_id(&at.get("chainId"))?, protocol, call.signal).await?;
    let mut order: Box<dyn Signable<H>> = match protocol {
        Protocol::Otc => {
            let permit =
                options.permit.as_ref().map(|json| open_permit(shared, &JsonAt::input(json, "options.permit")));
            let mut offer = open_offer(text, &deployment)?;
            offer.permit = permit.transpose()?;
            Box::new(offer)
        }
        _ => open_build(text, &deployment)?,
    };
    let is_signed = signed.is_some();
    if !is_signed {
        let view = order.view();
        view.raw("approval", RawMembers::of(text)?.raw("approval").unwrap_or("null"));
        check_unedited(&at, &view.closed())?;
    }
    let facts = order.facts();
    // What somebody else's build says is not the caller's word.
    let again = facts.again.filter(|_| own);
    let mut submission = Submission {
        facts,
        sealed: sealed.text()?.into(),
        authorization: match options.signature {
            Some(signature) => Authorization::Given(signature),
            None if options.pre_sign => Authorization::OnChain,
            None => Authorization::Wallet,
        },
        is_asked_for: !is_signed || own || options.request.is_some(),
        is_signed,
        again: options.again.or(again),
        is_replacement: again == Some(Again::Replace),
        order,
    };
    if is_signed {
        // The owner has signed it: what is left to check is that.
        let signature = at.get("signature").bytes()?;
        check_unedited(&at, &submission.signed_order(&signature))?;
        submission.authorization = match signature.is_empty() && protocol == Protocol::Delta {
            true => Authorization::Sent,
            false => Authorization::Given(signature),
        };
    }
    if !own {
        submission.order.verify_foreign(client, is_signed, options.request.as_ref())?;
    }
    Ok(submission)
}
