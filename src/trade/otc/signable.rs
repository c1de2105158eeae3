//! What `submit` needs of a maker's OTC order: how it is checked, posted and recognised. Two such orders are two
//! offers, so nothing is remembered against signing a second one.

use crate::client::{Client, Shared};
use crate::error::Result;
use crate::host::Host;
use crate::json::{Json, JsonAt, ObjectWriter};
use crate::service::ServiceRequest;
use crate::service::otc;
use crate::trade::chain::funding::Funding;
use crate::trade::otc::build::OtcOffer;
use crate::trade::otc::orders::verify_stored;
use crate::trade::otc::request::Request;
use crate::trade::seal::check_same_request;
use crate::trade::signed::submission::{OrderFacts, Signable, Work};

impl<H: Host> Signable<H> for OtcOffer {
    fn facts(&self) -> OrderFacts {
        OrderFacts {
            chain_id: self.request.chain_id,
            owner: self.maker,
            hash: self.digest.digest,
            deadline: Some(self.request.expiry).filter(|expiry| *expiry != 0),
            permit: self.permit.as_ref().map(|permit| (permit.hash(), "options.permit")),
            is_key_first: true,
            may_need_deposit: false,
            again: None,
        }
    }

    fn typed_data(&self) -> &str {
        &self.typed_data
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

    fn verify_foreign(&self, client: &Client<H>, is_signed: bool, request: Option<&Json>) -> Result<()> {
        // Somebody's signed order is posted as it is.
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
        otc::read_request(self.digest.digest)
    }

    fn recognise(&self, shared: &Shared<H>, answer: &Json) -> Result<Json> {
        verify_stored(shared, answer, self.digest.digest)
    }
}
