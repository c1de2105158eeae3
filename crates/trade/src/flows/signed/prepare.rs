//! Opens the argument of `submit`, a build or a signed order, and verifies all of it once more.
//!
//! Between `build` and `submit` it was in the app's hands, where a script may have changed it, or brought one from
//! another client. See "The bytes" in docs/verification.md.

use crate::client::{Client, Shared};
use crate::flows::call::CallArgs;
use crate::flows::chain::approval::shown_approval;
use crate::flows::chain::deployment::find_deployment;
use crate::flows::delta::sealed::open_build;
use crate::flows::journal::sync::sync;
use crate::flows::otc::open_signable;
use crate::flows::restated_bounds::complete_request;
use crate::flows::seal::{RawMembers, check_unedited, of_another_client, open};
use crate::flows::submission::{Authorization, Signable, Submission};
use crate::host::Host;
use crate::ledger::asked::Asked;
use crate::ledger::record::{Entry, Stage, summary};
use crate::ledger::second::ExistingOrder;
use alloy_primitives::B256;
use std::cell::Cell;
use verify::internal::domain::chain::Protocol;
use verify::internal::domain::input::{chain_id, known, optional};
use verify::internal::domain::verify::question::check_answers;
use verify::internal::error::{Error, Result};
use verify::internal::json::{Json, JsonAt, parse};

/// The `kind` of a signed order, by its protocol. A build has `delta` or `otc`.
const SIGNED: [(&str, Protocol); 2] = [("signedOrder", Protocol::Delta), ("signedOtcOrder", Protocol::Otc)];

/// The options of `submit`.
#[derive(Clone, Debug, Default)]
struct SubmitOptions {
    /// A signature that was made elsewhere, for instance by a wallet that only the app can reach.
    signature: Option<Vec<u8>>,
    /// Whether the owner pre-signs on chain instead.
    pre_sign: bool,
    /// The request of an order whose prompt was open when its page died, or of an order that was signed elsewhere and needs
    /// a deposit; stated again with bounds: see `restated_bounds.rs`.
    request: Option<Json>,
    /// The permit of an OTC maker: the RFQ contract takes it in place of an allowance.
    permit: Option<Json>,
    /// Consent to a second order, if one for the same trade is signed already.
    existing: Option<ExistingOrder>,
}

/// The plain options of `submit`.
pub const SUBMIT_OPTIONS: [&str; 8] =
    ["signature", "preSign", "request", "permit", "existing", "batch", "accept", "withoutJournal"];

impl SubmitOptions {
    /// Reads the options. Refuses those that the protocol does not have, instead of ignoring them.
    ///
    /// # Errors
    /// INVALID_INPUT with the option.
    fn read(at: &JsonAt<'_>, protocol: Protocol) -> Result<SubmitOptions> {
        known(at, &SUBMIT_OPTIONS)?;
        let signature = optional(&at.get("signature"), |at| at.bytes())?;
        let place = at.get("preSign");
        let pre_sign = optional(&place, |at| at.bool())?.unwrap_or(false);
        if pre_sign && signature.is_some() {
            return Err(place.fault("either a signature or preSign"));
        }
        if pre_sign && protocol == Protocol::Otc {
            return Err(place.fault("nothing: an OTC order has to be signed, by a key or by the maker's code"));
        }
        let existing = ExistingOrder::read(at)?;
        if existing.is_some() && protocol == Protocol::Otc {
            return Err(at.get("existing").fault("nothing: every OTC order is independent of the others"));
        }
        let [request, permit] = ["request", "permit"].map(|name| at.get(name).json().cloned());
        if permit.is_some() && protocol == Protocol::Delta {
            return Err(at.get("permit").fault("nothing: pass it to build, the order carries it"));
        }
        Ok(SubmitOptions { signature, pre_sign, request, permit, existing })
    }

    /// The order with these options. `sealed` is the text that it was opened from, `shown` its view.
    fn begin<H: Host>(
        &self,
        client: &Client<H>,
        order: Box<dyn Signable<H>>,
        sealed: &str,
        (is_signed, own): (bool, bool),
        shown: &Json,
    ) -> Submission<H> {
        let facts = order.facts();
        // Consent from before a reload is not this caller's.
        let existing = facts.existing.filter(|_| own);
        Submission {
            facts,
            sealed: sealed.into(),
            authorization: match &self.signature {
                Some(signature) => Authorization::Given(signature.clone()),
                None if self.pre_sign => Authorization::OnChain,
                None => Authorization::Wallet,
            },
            is_asked_for: !is_signed || own || self.request.is_some(),
            is_signed,
            existing: self.existing.or(existing),
            asked: None,
            is_replacement: existing == Some(ExistingOrder::Replace),
            is_journaled: false,
            was_posted: false,
            permit: self.permit.as_ref().map(Json::write),
            summary: summary(shown),
            report: shown.get("report").cloned().unwrap_or(Json::Null),
            approval: shown_approval(client, shown),
            awaits: Cell::new(None),
            is_resumed: false,
            read: Ok(()),
            order,
        }
    }
}

/// Opens a build or a signed order of the app, and verifies all of it again.
///
/// Refuses a build whose visible members were edited, and one of another client: of those only an order is asked for
/// again whose prompt this browser's journal has, by the same bytes, with its request and bounds stated again. A
/// signed order of another client is accepted as it is: its owner has signed it, and no prompt opens for it.
///
/// # Errors
/// INVALID_INPUT with the member or option, or with the build of another client; VERIFY_MISMATCH with the member that
/// does not match; UNSUPPORTED_CHAIN; JOURNAL_UNREADABLE.
pub async fn prepare<H: Host>(client: &Client<H>, call: &CallArgs<'_, H>) -> Result<Submission<H>> {
    let shared = &client.shared;
    let (signed, protocol) = kind_of(call.data);
    let mut options = SubmitOptions::read(&JsonAt::input(call.options, "options"), protocol)?;
    let at = JsonAt::input(call.data, signed.unwrap_or("build"));
    // The seal is read first: its error is more precise if the argument is no build at all.
    let sealed = at.get("sealed");
    let (text, own) = open(&shared.settings.secret, &sealed)?;
    if protocol == Protocol::Delta && !own {
        options.request = complete_request(client, options.request.as_ref(), call.signal).await?;
    }
    let deployment = find_deployment(shared, chain_id(&at.get("chainId"))?, protocol, call.signal).await?;
    let mut order: Box<dyn Signable<H>> = match protocol {
        Protocol::Otc => open_signable(shared, text, &deployment, options.permit.as_ref())?,
        _ => open_build(text, &deployment)?,
    };
    let is_signed = signed.is_some();
    order.view().raw("approval", RawMembers::of(text)?.raw("approval").unwrap_or("null"));
    let view = order.view().closed();
    let shown = if is_signed { parse(&view).map_err(Error::not_json)? } else { check_unedited(&at, &view)? };
    let mut submission = options.begin(client, order, sealed.text()?, (is_signed, own), &shown);
    let asked = RawMembers::of(text)?.raw("asked").ok().filter(|_| own).and_then(|text| parse(text).ok());
    submission.asked = asked.and_then(|asked| Asked::read(&JsonAt::input(&asked, "build")).ok());
    if is_signed {
        // The order is signed: only its signature remains to be checked.
        submission.authorization = read_signature(&submission, &at)?;
    }
    if !own && !is_signed {
        sync(client, call.signal).await?;
        check_journaled(shared, &submission)?;
    }
    submission.adopt_noted(shared);
    if !own {
        submission.order.verify_restated(client, is_signed, options.request.as_ref())?;
    }
    // A signed order is posted; only a prompt, or a signature for a build, needs consent.
    if !is_signed && !submission.is_journaled {
        let (sealed, request) = ((text, &deployment), options.request.as_ref());
        let judged = match own {
            true => None,
            false => submission.order.judge_anew(client, sealed, request, call.signal).await?,
        };
        put_questions(client, &mut submission, judged.as_ref().unwrap_or(&shown), call)?;
    }
    Ok(submission)
}

/// Refuses a build of another client unless the journal has its very bytes from before a prompt.
///
/// # Errors
/// INVALID_INPUT with the build.
fn check_journaled<H: Host>(shared: &Shared<H>, submission: &Submission<H>) -> Result<()> {
    let payload = shared.ledger.trade(submission.facts.hash).and_then(|entry| entry.payload);
    let entry = payload.and_then(|text| parse(&text).ok());
    let is_journaled =
        entry.is_some_and(|entry| entry.get("sealed").and_then(Json::as_text) == Some(&submission.sealed));
    if is_journaled { Ok(()) } else { Err(of_another_client("build")) }
}

/// The `kind` of a signed order, `None` for a build; and the protocol.
fn kind_of(data: &Json) -> (Option<&'static str>, Protocol) {
    let kind = data.get("kind").and_then(Json::as_text).unwrap_or_default();
    match SIGNED.into_iter().find(|(label, _)| *label == kind) {
        Some((label, protocol)) => (Some(label), protocol),
        None if kind == Protocol::Otc.label() => (None, Protocol::Otc),
        None => (None, Protocol::Delta),
    }
}

/// How a signed order was authorized: by its signature; without bytes by a transaction that was sent.
///
/// # Errors
/// INVALID_INPUT with the member that was edited.
fn read_signature<H: Host>(submission: &Submission<H>, at: &JsonAt<'_>) -> Result<Authorization> {
    let signature = at.get("signature").bytes()?;
    check_unedited(at, &submission.signed_order(&signature))?;
    let is_sent = signature.is_empty() && submission.order.known().is_some();
    Ok(if is_sent { Authorization::Sent } else { Authorization::Given(signature) })
}

/// Takes over the report of the `view`, and has its questions answered: by the call's options, or at the prompt.
///
/// # Errors
/// Those of the questions that are not answered.
fn put_questions<H: Host>(
    client: &Client<H>,
    submission: &mut Submission<H>,
    view: &Json,
    call: &CallArgs<'_, H>,
) -> Result<()> {
    submission.report = view.get("report").cloned().unwrap_or(Json::Null);
    let answered = check_answers(view, &JsonAt::input(call.options, "options").get("accept"));
    match submission.authorization {
        Authorization::Wallet | Authorization::OnChain => call.gate.defer_questions(client, answered),
        // A signature made elsewhere has no prompt that could ask.
        _ => answered,
    }
}

impl<H: Host> Submission<H> {
    /// Takes the signature that the journal has of this very order, which was signed before a reload, or in another
    /// tab: the user is not asked twice.
    pub fn adopt_noted(&mut self, shared: &Shared<H>) {
        if let Authorization::Wallet = self.authorization
            && shared.ledger.posted(self.facts.hash).is_none()
        {
            self.authorization = journaled(shared, self.facts.hash);
            self.is_journaled = !matches!(self.authorization, Authorization::Wallet);
            self.was_posted = self.is_journaled && was_posted(shared, self.facts.hash);
        }
    }
}

/// How the owner of the order of that hash authorized it, as far as the journal has it; else the wallet is asked.
fn journaled<H: Host>(shared: &Shared<H>, hash: B256) -> Authorization {
    let entry = shared.ledger.known(hash);
    match entry.as_ref().and_then(Entry::signature) {
        None => Authorization::Wallet,
        Some(signature) if !signature.is_empty() => Authorization::Given(signature),
        // The transaction that pre-signs it was sent: it is found, or sent again if it reverted.
        Some(_) if entry.is_some_and(|entry| entry.stage == Stage::Signed || entry.order_id.is_none()) => {
            Authorization::OnChain
        }
        Some(_) => Authorization::Sent,
    }
}

/// Whether the service had the order of that hash.
fn was_posted<H: Host>(shared: &Shared<H>, hash: B256) -> bool {
    shared.ledger.trade(hash).is_some_and(|entry| entry.order_id.is_some())
}
