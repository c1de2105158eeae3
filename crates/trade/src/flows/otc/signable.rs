//! A maker's OTC order as `submit` sees it: its checks, its post and its recognition. Two such orders are two offers,
//! so no memory prevents signing a second one.

use crate::client::{Client, Shared};
use crate::flows::chain::funding::Funding;
use crate::flows::otc::build::{OtcOffer, open_offer};
use crate::flows::otc::orders::verify_stored;
use crate::flows::seal::check_same_request;
use crate::flows::sealed_permit::open_permit;
use crate::flows::submission::{OrderFacts, Signable, Work};
use crate::host::Host;
use crate::service::ServiceRequest;
use crate::service::otc;
use alloy_primitives::B256;
use verify::internal::domain::chain::Deployment;
use verify::internal::domain::otc::request::Request;
use verify::internal::domain::permit::Permit;
use verify::internal::domain::typed_struct::TypedText;
use verify::internal::error::{Error, Result};
use verify::internal::json::{Json, JsonAt, ObjectWriter, parse};

impl<H: Host> Signable<H> for OtcOffer {
    fn facts(&self) -> OrderFacts {
        OrderFacts {
            chain_id: self.request.chain_id,
            owner: self.maker,
            hash: self.typed.digest.digest,
            deadline: Some(self.request.expiry).filter(|expiry| *expiry != 0),
            permit: self.permit.as_ref().map(|permit| (permit.hash(), "options.permit")),
            is_key_first: true,
            may_need_deposit: false,
            existing: None,
        }
    }

    fn typed(&self) -> &TypedText {
        &self.typed
    }

    fn funding(&self) -> Funding<'_> {
        self.funding()
    }

    fn view(&mut self) -> &mut ObjectWriter {
        &mut self.view
    }

    fn begin_signed(&self, out: &mut ObjectWriter) {
        out.text("kind", "signedOtcOrder");
    }

    fn verify_restated(&self, client: &Client<H>, is_signed: bool, request: Option<&Json>) -> Result<()> {
        // An order signed elsewhere is posted as it is.
        if is_signed {
            return Ok(());
        }
        let stated = request.map(|json| Request::read(&JsonAt::input(json, "options.request"), &client.defaults()));
        let stated = stated.transpose()?.map(|request| request.write());
        check_same_request(stated.as_deref(), &self.request.write())
    }

    fn preflight<'a>(&'a self, client: &'a Client<H>, is_signed: bool, signal: &'a H::Signal) -> Work<'a, ()> {
        Box::pin(self.preflight(client, is_signed, signal))
    }

    fn post(&self, signature: &[u8]) -> ServiceRequest {
        let permit = self.permit.as_ref().map(|permit| permit.bytes.as_slice());
        otc::post_request(self.request.chain_id, &self.order, signature, permit)
    }

    fn look_up(&self) -> ServiceRequest {
        otc::read_request(self.typed.digest.digest)
    }

    fn recognise(&self, shared: &Shared<H>, answer: &Json) -> Result<Json> {
        verify_stored(shared, answer, self.typed.digest.digest)
    }
}

/// Opens the text of a build for `submit`: the order with its permit, `options.permit` or the one from before a reload.
///
/// # Errors
/// The errors of [`open_offer`]; INVALID_INPUT with the permit's member.
pub fn open_signable<H: Host>(
    shared: &Shared<H>,
    text: &str,
    deployment: &Deployment,
    permit: Option<&Json>,
) -> Result<Box<dyn Signable<H>>> {
    let mut offer = open_offer(text, deployment)?;
    offer.permit = match permit {
        Some(json) => Some(open_permit(shared, &JsonAt::input(json, "options.permit"))?),
        None => journaled_permit(shared, offer.typed.digest.digest)?,
    };
    Ok(Box::new(offer))
}

/// The permit with which the order of that hash was submitted before a reload; `None` if there was none.
///
/// # Errors
/// INVALID_INPUT if the journal's permit cannot be read.
fn journaled_permit<H: Host>(shared: &Shared<H>, hash: B256) -> Result<Option<Permit>> {
    let Some(text) = shared.ledger.trade(hash).and_then(|entry| entry.permit) else { return Ok(None) };
    let json = parse(&text).map_err(Error::not_json)?;
    Permit::read(&JsonAt::input(&json, "permit")).map(Some)
}
