//! The typed data of a Delta order, as the service built it, against the request (docs/verification.md, "Typed data
//! against quote and request").
//!
//! This is the check that the package exists for: every member that a wallet signs is compared or noted here, in the
//! domain, in the order, and in the files for amounts, attachments and bridge. Only a [`Verified`] order reaches a
//! prompt.

use crate::domain::asset;
use crate::domain::chain::Protocol;
use crate::domain::delta::order::{self, DOMAIN_NAME, DOMAIN_TYPE, DOMAIN_VERSION, DeltaOrder};
use crate::domain::delta::partner_fee::PartnerFee;
use crate::domain::delta::price::Price;
use crate::domain::eip712::Digest;
use crate::domain::intent::Intent;
use crate::domain::member::{Members, member};
use crate::domain::reference::price_float::PriceFloat;
use crate::domain::reference::trade_references::PriceReferences;
use crate::domain::side::Side;
use crate::domain::token::{NATIVE, is_native};
use crate::domain::typed_struct::{TypedStruct, members};
use crate::domain::verify::contract::check_contract;
use crate::domain::verify::delta_amounts::{OrderAmounts, check_amounts, check_bounds};
use crate::domain::verify::delta_attachments::{check_attachments, check_fees};
use crate::domain::verify::delta_bridge::{ask_receiver, check_consent};
use crate::domain::verify::delta_expectation::{DeltaExpectation, same};
use crate::domain::verify::distance::note_distance;
use crate::domain::verify::price::{BRIDGE_INPUT_PRICE, Deal, Judgement, PRICE, note_price};
use crate::domain::verify::question::{Question, ask_slippage, write_questions};
use crate::domain::verify::report::{Checks, Priced, Verdict};
use crate::error::{Error, Result};
use crate::value::text::{Concat, joined};
use alloy_primitives::{Address, B256, U256};

/// The most seconds that a deadline that the caller did not state may lie ahead: a day. Until then a holder
/// of the signature can have the order filled, at a price that may have become a bad one.
const MAX_UNNAMED_SECS: u64 = 86_400;

/// The service's `toSign`, read but not trusted.
pub struct Payload<'a> {
    /// The names of all members of the domain, known or not.
    pub domain_members: Vec<&'a str>,
    /// The member `domain.name`.
    pub name: &'a str,
    /// The member `domain.version`.
    pub version: &'a str,
    /// The member `domain.chainId`.
    pub chain_id: U256,
    /// The member `domain.verifyingContract`.
    pub verifying_contract: Address,
    /// `value`; if the types are no order's, what they are.
    pub order: core::result::Result<DeltaOrder, String>,
    /// The order's hash, as the service states it; `None` for an order that another SDK built itself.
    pub order_hash: Option<B256>,
}

/// An order that matches the request.
pub struct Verified {
    /// The struct to sign.
    pub order: DeltaOrder,
    /// The domain it is signed in.
    pub domain: TypedStruct,
    /// Its hashes, computed here.
    pub digest: Digest,
    /// The checks as JSON text, for a report.
    pub checks: String,
    /// The order's amounts.
    pub amounts: OrderAmounts,
    /// The distance of the guaranteed amount from the quote, in basis points, rounded up; `None` if it cannot be
    /// computed.
    pub distance_bps: Option<u64>,
    /// The judgements of its price by references, that of the trade first; crosschain also that of the bridge input.
    pub judgements: Vec<Judgement>,
    /// The question about a high slippage.
    pub steep: Option<Question>,
}

impl Verified {
    /// The addition about the price to the sentence before a prompt.
    pub fn caveat(&self) -> String {
        self.judgements.first().map_or_else(String::new, Judgement::caveat)
    }

    /// The questions that only the user can answer: about prices, the slippage, and the receiver.
    pub fn questions(&self) -> Vec<Question> {
        let about_prices = self.judgements.iter().filter_map(|judgement| judgement.question.clone());
        about_prices.chain(self.steep.clone()).chain(ask_receiver(&self.amounts)).collect()
    }

    /// The report's members about the price.
    pub fn priced(&self) -> Priced {
        Priced {
            distance_bps: self.distance_bps,
            judged: self.judgements.first().map(|judgement| judgement.json.clone()),
            // A permit changes no question: the order that is built anew with one has the same questions.
            questions: Some(write_questions(
                &self.questions(),
                &self.order.without(member!("permit")).digest(&self.domain).digest,
            )),
        }
    }
}

/// Compares the payload with the request. Refuses one with another type or domain, another party or token, worse
/// amounts, another time or nonce, unrequested attachments, or another hash.
///
/// # Errors
/// VERIFY_MISMATCH with the first field that differs from the request and a report of all; INVALID_INPUT as
/// [`check_consent`].
pub fn verify(mut payload: Payload<'_>, asked: &DeltaExpectation<'_>) -> Result<Verified> {
    check_consent(asked.intent, asked.terms, asked.price)?;
    let mut checks = Checks::default();
    let delta = asked.deployment.contracts.delta;
    let fitting = order::fitting_types(asked.intent, asked.terms);
    let order = core::mem::replace(&mut payload.order, Err(String::new()));
    let seen = order.as_ref().map_or_else(|seen| seen.as_str(), |order| order.encoded());
    checks.holds("types", fitting.contains(&seen), &joined(fitting, " or "), &seen);
    check_domain(&mut checks, &payload, asked);
    let Ok(order) = order else {
        // Never reached: the check of the types has failed, so `finish` returns its error.
        return checks.finish().and(Err(Error::unreachable()));
    };
    check_parties(&mut checks, &order, asked);
    check_amounts(&mut checks, &order, asked);
    check_timing(&mut checks, &order, asked);
    let fee = PartnerFee::unpack(order.uint(member!("partnerAndFee")));
    check_fees(&mut checks, &fee, asked);
    let amounts = OrderAmounts::of(&order, &fee, asked);
    check_bounds(&mut checks, &amounts, asked.terms.min_received.as_ref(), asked.terms.max_spent.as_ref());
    check_attachments(&mut checks, &order, &amounts, asked);
    checks.note_decimals("request.srcDecimals", &asked.intent.src);
    checks.note_decimals("request.destDecimals", &asked.intent.dest);
    if let Some(bridge) = &amounts.bridge {
        checks.note_decimals("options.advanced.bridgeInputDecimals", &bridge.bridge_input);
    }
    let (side, slippage) = (asked.intent.side, asked.terms.slippage);
    let bound = if side == Side::Sell { amounts.received } else { amounts.spent };
    let distance_bps = note_distance(&mut checks, "order.distance", side, slippage, amounts.quoted, bound);
    let judgements = note_prices(&mut checks, &amounts, asked);
    let domain = order::domain(asked.intent.chain_id, delta);
    let digest = order.digest(&domain);
    if let Some(stated) = &payload.order_hash {
        checks.same("orderHash", &digest.digest, stated);
    }
    let steep = ask_slippage(side, slippage);
    Ok(Verified { order, domain, digest, checks: checks.finish()?, amounts, distance_bps, judgements, steep })
}

/// Notes whether the order's guaranteed amount is worth the sold one, by reference prices; crosschain both for the
/// bridge input and for the stated destination amount. Refuses a bad price, unless the caller stated it.
fn note_prices(checks: &mut Checks, amounts: &OrderAmounts, asked: &DeltaExpectation<'_>) -> Vec<Judgement> {
    let DeltaExpectation { intent, terms, price, references, .. } = asked;
    // The stated cost of a bridge explains nothing if there is none, and nothing before it.
    let bridges = if intent.is_crosschain() { &*price.bridge_usd } else { &[] };
    let is_bound = |by_terms: bool| asked.bound.unwrap_or(by_terms);
    let by_terms = match intent.side {
        Side::Sell => terms.min_received.is_some(),
        Side::Buy => terms.max_spent.is_some(),
    };
    let all = |each: U256| intent.twap.map_or(each, |twap| twap.sum(each, each).unwrap_or(U256::MAX));
    let quoted = |got: U256| match intent.side {
        Side::Sell => (amounts.spent, all(got)),
        // A BUY's destination amount is fixed.
        Side::Buy => (amounts.quoted, if intent.twap.is_some() { intent.amount } else { got }),
    };
    let deal = |received: U256, got: U256| Deal {
        quoted: quoted(got),
        taken_bps: amounts.fee_bps,
        has_gas: true,
        fills: intent.twap.map_or(1, |twap| twap.num_slices.into()),
        is_named: terms.limit.or(terms.max_src_amount).is_some() && asked.bound != Some(false),
        is_bound: is_bound(by_terms),
        costs: (bridges, price.gas_usd, price.origin_input.usd),
        ..Deal::of(intent, (amounts.spent, received), terms.slippage)
    };
    let Some(bridge) = &amounts.bridge else {
        let deal = deal(amounts.received, price.origin_output.amount);
        let stated_gas = value_gas(price, intent, &deal, intent.chain_id, &references.price);
        return vec![note_price(checks, PRICE, &references.price, &Deal { stated_gas, ..deal })];
    };
    let bridge_input = references.bridge_input.as_ref().filter(|_| bridge.has_decimals);
    let bridge_input_deal = Deal {
        dest: &bridge.bridge_input,
        // If arrival is guaranteed, the destination amount needs the reference, and has the limit.
        needs_reference: intent.require_reference && !bridge.is_guaranteed,
        is_named: terms.limit.is_some() && bridge.is_guaranteed,
        is_bound: is_bound(terms.bridge_input.least.is_some()),
        costs: (&[], price.gas_usd, price.origin_input.usd),
        ..deal(amounts.received, price.origin_output.amount)
    };
    let mut judged = Vec::new();
    if let Some(bridge_input) = bridge_input {
        let stated_gas = value_gas(price, intent, &bridge_input_deal, intent.chain_id, bridge_input);
        let deal = Deal { stated_gas, ..bridge_input_deal };
        let mut by_bridge_input = note_price(checks, BRIDGE_INPUT_PRICE, bridge_input, &deal);
        // No price across the chains is known, and the bridge delivers its own input: its cost is bounded by itself.
        let is_identity = bridge.is_guaranteed && !intent.dest.is_by_app;
        if is_identity && references.price.price().is_none() && by_bridge_input.is_judged() {
            return vec![by_bridge_input];
        }
        // The arrival is asked about below, with the bridge input.
        by_bridge_input.question.take_if(|_| bridge.is_guaranteed);
        judged.push(by_bridge_input);
    } else if !bridge.is_guaranteed {
        // The bridge input cannot be judged, whatever amount is promised.
        judged.push(note_price(checks, BRIDGE_INPUT_PRICE, &PriceReferences::unasked(), &bridge_input_deal));
    }
    let arrives = amounts.arrives.unwrap_or(bridge.expected);
    let deal = Deal {
        // The caller has consented to a promise.
        asks: bridge.is_guaranteed,
        needs_reference: intent.require_reference && bridge.is_guaranteed,
        ..deal(arrives, price.destination_output.amount)
    };
    let stated_gas = value_gas(price, intent, &deal, intent.dest_chain_id, &references.price);
    judged.insert(0, note_price(checks, PRICE, &references.price, &Deal { stated_gas, ..deal }));
    judged
}

/// The gas stated by the route, in raw units of a deal's destination token on that chain: zero if it states none, `None`
/// if the price of its token is not known here.
pub fn value_gas(
    price: &Price<'_>,
    intent: &Intent,
    deal: &Deal<'_>,
    got_on: u64,
    references: &PriceReferences,
) -> Option<PriceFloat> {
    let Some(gas) = price.gas.as_ref() else { return Some(PriceFloat::ZERO) };
    let chain_id = intent.chain_id;
    let (token, amount) = ((gas.chain_id, gas.token), PriceFloat::of(gas.amount));
    let is_native = is_native(gas.token) || asset::wrapped_native(chain_id) == Some(gas.token);
    if token == (got_on, deal.dest.address) {
        return Some(amount);
    }
    if token == (chain_id, deal.src.address) {
        return Some(amount.times(references.price()?));
    }
    if token == (chain_id, price.origin_output.token) {
        // The bridge input becomes the destination token.
        return price.arriving(gas.amount).map(PriceFloat::of);
    }
    Some(amount.times(references.wei.filter(|_| is_native && gas.chain_id == chain_id)?))
}

/// Checks that the order is signed for the Delta contract of the source chain, and for nothing else. Refuses a domain
/// of another contract or chain, under which a signature would mean something else, and members that the type does not
/// have.
fn check_domain(checks: &mut Checks, payload: &Payload<'_>, asked: &DeltaExpectation<'_>) {
    checks.holds("domain.name", payload.name == DOMAIN_NAME, &DOMAIN_NAME, &payload.name);
    checks.holds("domain.version", payload.version == DOMAIN_VERSION, &DOMAIN_VERSION, &payload.version);
    checks.same("domain.chainId", &asked.intent.chain_id, &payload.chain_id);
    let (chain_id, contract) = (asked.intent.chain_id, &payload.verifying_contract);
    check_contract(checks, "domain.verifyingContract", chain_id, Protocol::Delta, asked.deployment, contract);
    let only_known = payload.domain_members.iter().all(|name| members(DOMAIN_TYPE).any(|(known, _)| known == *name));
    checks.holds(
        "domain",
        only_known,
        &"name, version, chainId, verifyingContract",
        &joined(&payload.domain_members, ", "),
    );
}

/// Checks owner, beneficiary, and the two tokens. Refuses another beneficiary, the most direct theft, and one that
/// cannot receive: zero, a token, the Delta contract.
fn check_parties(checks: &mut Checks, order: &DeltaOrder, asked: &DeltaExpectation<'_>) {
    let DeltaExpectation { intent, terms, deployment, .. } = asked;
    let contracts = &deployment.contracts;
    same(checks, order, member!("owner"), &terms.owner);
    // An ExternalOrder names its handler instead.
    if let Some(beneficiary) = order.find::<Address>(member!("beneficiary")) {
        same(checks, order, member!("beneficiary"), &intent.beneficiary.unwrap_or(terms.owner));
        let nobody = [&Address::ZERO, &NATIVE, &intent.src.address, &intent.dest.address, &contracts.delta];
        let reachable = !nobody.contains(&&beneficiary);
        checks.holds("order.beneficiary", reachable, &"an account that can receive", &beneficiary);
    }
    let src = match contracts.wrapped_native {
        Some(wrapped) if intent.src.address == NATIVE && order.address(member!("srcToken")) == wrapped => wrapped,
        _ => intent.src.address,
    };
    same(checks, order, member!("srcToken"), &src);
    same(checks, order, member!("destToken"), &asked.price.origin_output.token);
}

/// Checks deadline and nonce. Refuses an order that is over already, one that stays valid longer than requested, and
/// another nonce, which would let a second order fill beside this one.
fn check_timing(checks: &mut Checks, order: &DeltaOrder, asked: &DeltaExpectation<'_>) {
    let (now, deadline) = (U256::from(asked.now), order.uint(member!("deadline")));
    if asked.deadline_named {
        same(checks, order, member!("deadline"), &asked.terms.deadline);
    } else {
        let takes = asked.intent.twap.map_or(0, |twap| twap.duration_secs());
        let latest = U256::from(asked.now.saturating_add(MAX_UNNAMED_SECS).saturating_add(takes));
        checks.at_most("order.deadline", &latest, &deadline);
    }
    checks.note_clock("order.deadline", asked.ahead);
    checks.holds("order.deadline", deadline > now, &Concat(&[&"after ", &now]), &deadline);
    match &asked.terms.nonce {
        Some(nonce) => same(checks, order, member!("nonce"), nonce),
        None => checks.note("order.nonce", &"any: none was named", &order.text(member!("nonce")), Verdict::Unknown),
    }
}
