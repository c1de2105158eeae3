//! The Delta order as `submit` sees it: its checks, its post, its recognition and its memory; and the comparison of an
//! order that the journal noted.

use crate::client::{Client, Shared};
use crate::flows::chain::decimals::check_arriving_decimals;
use crate::flows::chain::funding::Funding;
use crate::flows::chain::lens::PriceReads;
use crate::flows::chain::reference::read_references;
use crate::flows::delta::existing::intent_key;
use crate::flows::delta::pre_sign::{build_pre_signature, sells_native};
use crate::flows::delta::preflight::preflight;
use crate::flows::delta::reported::{Wanted, verify_reported};
use crate::flows::delta::sealed::{JudgedAnew, OpenBuild, open_judged};
use crate::flows::restated_bounds::read_bounds;
use crate::flows::seal::of_another_client;
use crate::flows::submission::{OrderFacts, Signable, Work};
use crate::host::Host;
use crate::ledger::orders::KnownOrder;
use crate::ledger::step::Event;
use crate::service::ServiceRequest;
use crate::service::orders::{self, OrderKey};
use alloy_primitives::U256;
use std::rc::Rc;
use verify::internal::domain::chain::Deployment;
use verify::internal::domain::delta::order::kind_name;
use verify::internal::domain::token::is_native;
use verify::internal::domain::transaction::Transaction;
use verify::internal::domain::typed_struct::TypedText;
use verify::internal::domain::verify::Checks;
use verify::internal::domain::verify::delta_amounts::check_bounds;
use verify::internal::error::{Error, ErrorCode, Result};
use verify::internal::json::{Json, JsonAt, ObjectWriter, parse};
use verify::internal::wire;

impl<H: Host> Signable<H> for OpenBuild {
    fn facts(&self) -> OrderFacts {
        OrderFacts {
            chain_id: self.intent.chain_id,
            owner: self.verified.amounts.owner,
            hash: self.verified.digest.digest,
            deadline: Some(self.terms.deadline),
            permit: self.terms.permit.as_ref().map(|permit| (permit.hash(), "build.permit")),
            is_key_first: false,
            may_need_deposit: sells_native(self),
            existing: self.existing,
        }
    }

    fn typed(&self) -> &TypedText {
        &self.typed
    }

    fn funding(&self) -> Funding<'_> {
        let mut funding = self.funding(None, &[]);
        // Another contract takes its tokens by its own allowance, which `approve` does not raise.
        funding.pays = funding.pays.filter(|_| self.terms.external.is_none());
        funding
    }

    fn view(&mut self) -> &mut ObjectWriter {
        &mut self.view
    }

    fn begin_signed(&self, out: &mut ObjectWriter) {
        out.text("kind", "signedOrder");
        out.value("owner", &self.verified.amounts.owner);
        out.number("deadline", self.terms.deadline);
    }

    fn verify_restated(&self, client: &Client<H>, is_signed: bool, request: Option<&Json>) -> Result<()> {
        // Only the client that had a permit signed can recognise it, and be sure that it is unused.
        if !is_signed && self.terms.permit.is_some() {
            return Err(of_another_client("build.permit"));
        }
        // An order signed elsewhere is posted as it is.
        if is_signed && request.is_none() { Ok(()) } else { verify_bounds(client, self, request) }
    }

    fn judge_anew<'a>(
        &'a self,
        client: &'a Client<H>,
        (text, deployment): (&'a str, &'a Deployment),
        request: Option<&'a Json>,
        signal: &'a H::Signal,
    ) -> Work<'a, Option<Json>> {
        Box::pin(async move {
            let stated = read_bounds(client, &self.intent, request)?;
            let bridge = self.verified.amounts.bridge.as_ref();
            // A bridge that only promises is bound by the bridge input.
            let is_bound = bridge.is_none_or(|bridge| bridge.is_guaranteed) || stated.bridge_input.is_some();
            let bridge_input = bridge.filter(|bridge| bridge.has_decimals).map(|bridge| &bridge.bridge_input);
            let out = bridge.map_or(&self.intent.dest.address, |bridge| &bridge.bridge_input.address);
            let here = PriceReads::read_here(client, &self.intent, out, signal).await?;
            let there = match self.intent.is_crosschain() {
                true => Some(PriceReads::read(client, &self.intent, signal).await?),
                false => None,
            };
            let references =
                read_references(client, &self.intent, (&here, there.as_ref()), bridge_input, signal).await?;
            let mut unread = Vec::new();
            if !check_arriving_decimals(client, &self.intent, signal).await? {
                unread.push(self.intent.dest_chain_id);
            }
            let judged = open_judged(text, deployment, Some(&JudgedAnew { references, is_bound, unread }))?;
            parse(&judged.view.closed()).map(Some).map_err(Error::not_json)
        })
    }

    fn preflight<'a>(&'a self, client: &'a Client<H>, is_signed: bool, signal: &'a H::Signal) -> Work<'a, ()> {
        Box::pin(async move { if is_signed { Ok(()) } else { preflight(client, self, signal).await } })
    }

    fn post(&self, signature: &[u8]) -> ServiceRequest {
        orders::post_request(&self.value, &self.intent, &self.terms, signature)
    }

    fn look_up(&self) -> ServiceRequest {
        orders::read_request(&OrderKey::Hash(self.verified.digest.digest))
    }

    fn recognise(&self, shared: &Shared<H>, answer: &Json) -> Result<Json> {
        let at = JsonAt::service(wire::order::find_order(answer), "order");
        wire::order::check_named(&at)?;
        let (hash, owner) = (self.verified.digest.digest, self.verified.amounts.owner);
        let wanted = Wanted { hash: Some(hash), owner: Some(owner), ..Wanted::default() };
        let reported = verify_reported(shared, &at, &wanted, ErrorCode::ServiceMalformed)?;
        let _ = shared.ledger.record(hash, Event::ServiceAssignedId(at.get("id").text()?.into()));
        Ok(reported.json(None))
    }

    fn known(&self) -> Option<Rc<KnownOrder>> {
        let amounts = &self.verified.amounts;
        Some(Rc::new(KnownOrder {
            signed: self.signed(),
            intent: intent_key(&self.intent, &self.terms, amounts.owner),
            kind: kind_name(&self.intent, &self.terms),
            rests: self.terms.rests,
            is_in_parts: self.terms.partially_fillable || self.intent.twap.is_some(),
            is_native: is_native(self.intent.src.address),
            nonce: amounts.nonce,
            deadline: amounts.deadline,
        }))
    }

    fn pre_signature<'a>(&'a self, client: &'a Client<H>, signal: &'a H::Signal) -> Work<'a, Option<Transaction>> {
        Box::pin(async { build_pre_signature(client, self, signal).await.map(Some) })
    }
}

/// Compares an order with the request and the bounds that the caller states again. Refuses one in which another contract
/// or the partner takes part: no bound limits their share.
///
/// # Errors
/// Same as [`read_bounds`]; INVALID_INPUT with `build`; VERIFY_MISMATCH with the bound that the order exceeds.
fn verify_bounds<H: Host>(client: &Client<H>, build: &OpenBuild, request: Option<&Json>) -> Result<()> {
    let stated = read_bounds(client, &build.intent, request)?;
    // Request and bounds do not name a handler, nor the partner's share in the surplus.
    let terms = &build.terms;
    if terms.external.is_some() || terms.take_surplus == Some(true) {
        return Err(of_another_client("build"));
    }
    let amounts = &build.verified.amounts;
    let mut checks = Checks::default();
    if let Some(bridge) = amounts.bridge.as_ref().filter(|bridge| !bridge.is_guaranteed) {
        // The consent in the build is from before.
        if stated.bridge_input.is_none() && !stated.accepts_promise {
            let expected =
                "minBridgeInput or acceptUnguaranteedArrival: true, because the bridge alone promises what arrives";
            return Err(Error::input("options.request.acceptUnguaranteedArrival", expected, "neither"));
        }
        if let Some((token, least)) = &stated.bridge_input {
            checks.same("order.minBridgeInput.token", token, &bridge.bridge_input.address);
            checks.at_least("order.minBridgeInput", least, &amounts.received);
        }
    }
    checks.same("order.owner", &build.intent.account.unwrap_or_default(), &amounts.owner);
    check_bounds(&mut checks, amounts, Some(&stated.least), Some(&stated.most));
    checks.at_most("order.deadline", &stated.latest, &U256::from(amounts.deadline));
    checks.finish().map(|_| ())
}
