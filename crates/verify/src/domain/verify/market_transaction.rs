//! The service's transaction for the Market router against the request (docs/verification.md, "A Market route, and the
//! transaction built from it").
//!
//! Refuses another target, value, receiver or token, worse amounts, a larger share for others, and calldata that cannot
//! be read. The router's actions in between are opaque: it compares the result with `toAmount`, and if it does not,
//! [`super::market_venue`] looks closer.

use crate::domain::chain::Protocol;
use crate::domain::fee::{CAP_BPS, paid_by_router};
use crate::domain::market::calldata::Arguments;
use crate::domain::market::method::{APPROVE_BIT, BENEFICIARY_BITS, Method, MethodKinds, PSM_BUY_BIT, Venue};
use crate::domain::market::partner_fee::{FLAGS, RouterFee};
use crate::domain::member::{Any, Argument, Member, Members, member};
use crate::domain::permit::Spending;
use crate::domain::price_options::{destination_tax, transfer_taxes};
use crate::domain::side::Side;
use crate::domain::token::is_native;
use crate::domain::verify::contract::check_contract;
use crate::domain::verify::distance::note_distance;
use crate::domain::verify::fees::{self, Packed};
use crate::domain::verify::market_expectation::MarketExpectation;
use crate::domain::verify::market_venue::check_tokens;
use crate::domain::verify::price::{Deal, Judgement, PRICE, note_price};
use crate::domain::verify::question::{Question, ask_slippage};
use crate::domain::verify::report::{Checks, Verdict};
use crate::error::Result;
use crate::json::JsonAt;
use crate::value::address;
use crate::value::text::{Concat, ToText};
use alloy_primitives::{Address, U256, hex};

/// The most bytes of calldata that no argument may cover: none of the known methods reads them.
const MAX_UNREAD: usize = 1_024;

/// The service's transaction, read but not trusted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Envelope {
    /// The intended sender.
    pub from: Address,
    /// The contract that it calls.
    pub to: Address,
    /// The native token sent along, in wei.
    pub value: U256,
    /// The calldata, selector first.
    pub data: Vec<u8>,
    /// The chain id, if stated.
    pub chain_id: Option<u64>,
    /// The highest cost of its gas, in wei; `None` if no price is stated, or it is not judged.
    pub gas: Option<U256>,
}

/// A transaction that matches the request.
pub struct Verified {
    /// The checks as JSON text, for a report.
    pub checks: String,
    /// The name of the router's method, or its selector in hex if it is not known.
    pub method: String,
    /// The fee in the calldata, in bps; 0 if it cannot be read.
    pub fee_bps: u16,
    /// The most that leaves the owner, raw units.
    pub max_spent: U256,
    /// The least to be received after the fee, raw units; 0 if the calldata cannot be read.
    pub min_received: U256,
    /// The same before the destination token taxes the last transfer.
    untaxed: U256,
    /// The distance of the guaranteed amount from the quote, in basis points, rounded up; `None` if the calldata cannot
    /// be read.
    pub distance_bps: Option<u64>,
    /// The judgement of its price by references; `None` if none were read.
    pub judgement: Option<Judgement>,
    /// The question about a high slippage.
    pub steep: Option<Question>,
}

/// Compares the transaction with the request.
///
/// Refuses another sender, target or chain; a `value` that is not exactly the spent native token; a method that is not
/// known, unless the caller vouches for it; calldata that is no encoding of its method; and calldata that
/// [`super::market_venue`] and the checks of the arguments refuse. For a method that the caller vouches for, only the
/// envelope is checked, and no amount is guaranteed.
///
/// # Errors
/// VERIFY_MISMATCH with the first field that differs from the request, and a report of all.
///
/// ```
/// # use verified_swap_verify::internal::domain::chain::{Deployment, Source, pinned};
/// # use verified_swap_verify::internal::domain::market::{route::PriceRoute, terms::MarketTerms};
/// use verified_swap_verify::internal::domain::intent::Intent;
/// use verified_swap_verify::internal::domain::verify::market_expectation::MarketExpectation;
/// use verified_swap_verify::internal::domain::verify::market_transaction::{Envelope, verify};
/// # let (intent, terms, route) = (&Intent::default(), &MarketTerms::default(), &PriceRoute::default());
/// # let deployment = &Deployment { contracts: pinned(1).unwrap(), source: Source::Pinned };
/// # let (owner, permit) = (Default::default(), None);
/// # let reference = &Default::default();
/// let asked =
///     MarketExpectation { intent, terms, owner, permit, route, deployment, reference, now: 0, ahead: 0 };
/// let elsewhere = Envelope { from: owner, ..Envelope::default() };
/// let error = verify(&elsewhere, &asked).err().unwrap();
/// assert_eq!(error.field.as_deref(), Some("transaction.to"));
/// ```
pub fn verify(envelope: &Envelope, asked: &MarketExpectation<'_>) -> Result<Verified> {
    let MarketExpectation { intent, terms, .. } = asked;
    let mut checks = Checks::default();
    checks.set_prefix("transaction.");
    checks.same("from", &asked.owner, &envelope.from);
    check_contract(&mut checks, "to", intent.chain_id, Protocol::Market, asked.deployment, &envelope.to);
    checks.chain(intent.chain_id, envelope.chain_id);
    checks.set_prefix("request.");
    checks.note_decimals("srcDecimals", &intent.src);
    checks.note_decimals("destDecimals", &intent.dest);
    checks.set_prefix("transaction.");
    let selector = envelope.data.get(..4).unwrap_or_default();
    let mut verified = Verified {
        checks: String::new(),
        method: hex::encode_prefixed(selector),
        fee_bps: 0,
        max_spent: asked.route.most_input(terms.slippage),
        min_received: U256::ZERO,
        untaxed: U256::ZERO,
        distance_bps: None,
        judgement: None,
        steep: ask_slippage(intent.side, Some(terms.slippage)),
    };
    match Method::read(&envelope.data) {
        Ok(Some(method)) => check_arguments(&mut checks, &method, asked, &mut verified),
        Ok(None) => {
            let expected = "a method of router 6.2, or one of advanced.allowSelectors";
            checks.holds_or_trusted("data", false, terms.vouches(selector), &expected, &verified.method);
            checks.set_prefix("quote.");
            checks.same("srcToken", &intent.src.address, &asked.route.src_token);
            checks.same("destToken", &intent.dest.address, &asked.route.dest_token);
            checks.set_prefix("transaction.");
            // The calldata cannot be read, but a BUY with the native token spends no more than its value.
            let least = asked.route.least_value(terms.slippage);
            if intent.side == Side::Buy && envelope.value >= least {
                verified.max_spent = verified.max_spent.min(envelope.value);
            }
            if asked.permit.is_some() {
                checks.note("data.permit", &"not judged", &"somewhere in it", Verdict::Opaque);
            }
        }
        Err(name) => {
            checks.holds("data", false, &Concat(&[&"arguments of ", &name]), &shown(&envelope.data));
        }
    }
    if let Some(permit) = asked.permit {
        checks.set_prefix("");
        let spending = Spending {
            chain_id: intent.chain_id,
            token: intent.src.address,
            owner: asked.owner,
            spender: asked.deployment.contracts.router,
            amount: verified.max_spent,
            deadline: None,
            now: asked.now,
        };
        permit.verify(&mut checks, &spending);
    }
    checks.set_prefix("transaction.");
    let value = if is_native(intent.src.address) { verified.max_spent } else { U256::ZERO };
    checks.same("value", &value, &envelope.value);
    let is_native = |token: Address| is_native(token) || Some(token) == asked.deployment.contracts.wrapped_native;
    let given = match (is_native(intent.src.address), is_native(intent.dest.address)) {
        (true, _) => verified.max_spent,
        (_, true) => verified.min_received,
        _ => U256::ZERO,
    };
    checks.note_gas(intent.chain_id, envelope.gas, given);
    if terms.deadline.or(terms.valid_for_secs).is_some() {
        checks.note("deadline", &"as asked for", &"not in the calldata", Verdict::Unknown);
    }
    checks.note_clock("deadline", asked.ahead);
    if let Some(least) = &terms.min_received {
        checks.at_least("minReceived", least, &verified.min_received);
    }
    if let Some(most) = &terms.max_spent {
        checks.at_most("maxSpent", most, &verified.max_spent);
    }
    if !verified.min_received.is_zero() {
        let (quoted, bound) = match intent.side {
            Side::Sell => (asked.route.dest_amount, verified.min_received),
            Side::Buy => (asked.route.src_amount, verified.max_spent),
        };
        let slippage = Some(terms.slippage);
        verified.distance_bps = note_distance(&mut checks, "distance", intent.side, slippage, quoted, bound);
    }
    let options = intent.pricing.market.as_ref().map(|json| transfer_taxes(&JsonAt::input(json, "market")));
    // For unreadable calldata only the quote can be judged, and a bound of the caller holds nothing. It is not
    // documented whether the quote includes a tax, so it is not taken off twice.
    let received = Some(verified.untaxed).filter(|least| !least.is_zero());
    let amounts = (verified.max_spent, received.unwrap_or(asked.route.dest_amount));
    let is_bound = match intent.side {
        Side::Sell => terms.min_received.is_some() && received.is_some(),
        Side::Buy => terms.max_spent.is_some(),
    };
    let deal = Deal {
        quoted: (asked.route.src_amount, asked.route.dest_amount),
        taken_bps: verified.fee_bps.saturating_add(options.unwrap_or_default()),
        is_bound,
        ..Deal::of(intent, amounts, Some(terms.slippage))
    };
    checks.set_prefix("");
    verified.judgement = Some(note_price(&mut checks, PRICE, asked.reference, &deal));
    verified.checks = checks.finish()?;
    Ok(verified)
}

/// Checks every argument of a known method, and fills in the values read from them. Refuses the method of the other
/// side, another beneficiary, unknown flags, and a permit that was not passed in.
fn check_arguments(checks: &mut Checks, method: &Method<'_>, asked: &MarketExpectation<'_>, verified: &mut Verified) {
    let MarketExpectation { intent, route, .. } = asked;
    let arguments = &method.arguments;
    verified.method = method.name.into();
    checks.set_prefix("transaction.data.");
    checks.holds("method", method.side == intent.side, &intent.side.name(), &method.name);
    if route.method != method.name {
        checks.note("method", &route.method, &method.name, Verdict::Unknown);
    }
    check_amounts(checks, arguments, asked);
    check_tokens(checks, method, asked);
    let flags: Option<U256> = arguments.find(member!("beneficiaryAndFlags"));
    let packed = flags.map(|flags| Address::from_word(flags.into()));
    let beneficiary = packed.or(arguments.find(member!("beneficiary"))).unwrap_or_default();
    let named = intent.beneficiary.unwrap_or(asked.owner);
    // The router pays the sender if the beneficiary is zero.
    let ok = beneficiary == named || (beneficiary.is_zero() && named == asked.owner);
    checks.holds("beneficiary", ok, &named, &beneficiary);
    // Above the address only two bits are known: whether the router approves the venue, and Maker's direction, which is
    // checked as the method's side.
    if let Some(flags) = flags {
        let mut unknown = flags;
        unknown.set_bit(APPROVE_BIT, false);
        if method.venue == Venue::Psm {
            unknown.set_bit(PSM_BUY_BIT, false);
        }
        checks.same("beneficiaryAndFlags", &U256::ZERO, &unknown.wrapping_shr(BENEFICIARY_BITS));
    }
    let permit = arguments.bytes(member!("permit"));
    let passed = asked.permit.map_or(&[][..], |permit| &permit.bytes);
    checks.holds("permit", permit == passed, &shown(passed), &shown(permit));
    verified.max_spent = arguments.uint(member!("fromAmount"));
    if let Some(fee) = arguments.find(member!("partnerAndFee")).map(RouterFee::unpack) {
        checks.set_prefix("transaction.data.partnerAndFee.");
        check_shares(checks, &fee, asked);
        verified.fee_bps = fee.fee_bps;
        checks.set_prefix("transaction.data.");
    }
    // The router compares the output with the least amount before it takes the fee of a sale; a token may tax the last
    // transfer.
    let tax = intent.pricing.market.as_ref().map(|json| destination_tax(&JsonAt::input(json, "market")));
    verified.untaxed = paid_by_router(intent.side, arguments.uint(member!("toAmount")), verified.fee_bps);
    verified.min_received = tax.unwrap_or_default().below(verified.untaxed);
    note_opaque(checks, method);
}

/// Checks the amounts of a known method: the fixed one exactly, the other within slippage, and `quotedAmount`. Refuses
/// a lower `toAmount`, the one bound that the router enforces, and a `quotedAmount` that would give others a share.
fn check_amounts(checks: &mut Checks, arguments: &Arguments<'_>, asked: &MarketExpectation<'_>) {
    let MarketExpectation { intent, terms, route, .. } = asked;
    let (spent, received) = (arguments.uint(member!("fromAmount")), arguments.uint(member!("toAmount")));
    let stated = match intent.side {
        Side::Sell => {
            checks.same("fromAmount", &intent.amount, &spent);
            let least = route.least_output(terms.slippage).max(terms.slippage.least_unit());
            checks.at_least("toAmount", &least, &received);
            (route.dest_amount, route.dest_after_fee)
        }
        Side::Buy => {
            checks.at_most("fromAmount", &route.most_input(terms.slippage), &spent);
            checks.same("toAmount", &intent.amount, &received);
            (route.src_amount, route.src_with_fee)
        }
    };
    // The surplus over it is shared, so a wrong one would give away the user's own.
    if let Some(quoted) = arguments.find::<U256>(member!("quotedAmount")) {
        let ok = quoted == stated.0 || Some(quoted) == stated.1;
        checks.holds("quotedAmount", ok, &stated.0, &quoted);
        let (guards, limit) = match intent.side {
            Side::Sell => (quoted >= received, received),
            Side::Buy => (quoted <= spent, spent),
        };
        checks.holds("quotedAmount", guards, &Concat(&[&"not beyond ", &limit]), &quoted);
    }
}

/// Checks `partnerAndFee`. Refuses a higher fee, another partner, a share of the surplus or a referral that was not
/// granted, an uncapped surplus, and unknown bits.
fn check_shares(checks: &mut Checks, fee: &RouterFee, asked: &MarketExpectation<'_>) {
    let MarketExpectation { intent, terms, route, .. } = asked;
    let agreement = &intent.agreement;
    let most = route.most_fee(intent).min(CAP_BPS);
    let is = |name: &str| FLAGS.iter().any(|(known, bit)| *known == name && fee.has(*bit));
    let word = Packed {
        fee_bps: fee.fee_bps,
        partner: fee.partner,
        take_surplus: is("takeSurplus"),
        cap_surplus: is("capSurplus"),
        referral: is("referral"),
    };
    let held = checks.all_hold();
    // A referrer that is an address is the partner, if the partner gets nothing else.
    let referrer = terms.referrer.as_deref().filter(|_| word.referral && word.fee_bps == 0 && !word.take_surplus);
    match referrer.map(address::parse) {
        Some(Ok(named)) => checks.same("partner", &named, &word.partner),
        _ => fees::check_packed(checks, intent, most, &word),
    }
    for (name, bit) in &FLAGS {
        // `None` if either value is right.
        let wanted = match *name {
            "takeSurplus" => Some(false).filter(|_| !terms.take_surplus.unwrap_or(agreement.takes_surplus)),
            "capSurplus" => Some(true).filter(|_| terms.cap_surplus.unwrap_or(!agreement.uncapped)),
            "referral" => Some(false).filter(|_| !agreement.referral && terms.referrer.is_none()),
            _ => None,
        };
        fees::check_flag(checks, name, wanted, fee.has(*bit));
    }
    fees::advise_agreement(checks, held, intent, &word.wants());
    checks.same("unknownBits", &U256::ZERO, &fee.unknown());
}

/// Notes the arguments that cannot be judged from outside; `toAmount` bounds the effect of all of them. Refuses more
/// than [`MAX_UNREAD`] bytes that no argument covers.
fn note_opaque(checks: &mut Checks, method: &Method<'_>) {
    const JUDGED: [Member<MethodKinds, Any>; 15] = [
        Member::of("srcToken"),
        Member::of("destToken"),
        Member::of("fromAmount"),
        Member::of("toAmount"),
        Member::of("quotedAmount"),
        Member::of("beneficiary"),
        Member::of("beneficiaryAndFlags"),
        Member::of("partnerAndFee"),
        Member::of("permit"),
        Member::of("pools"),
        Member::of("data"),
        Member::of("exchange"),
        Member::of("to18ConversionFactor"),
        Member::of("toll"),
        Member::of("wrapApproveDirection"),
    ];
    for (path, argument) in method.arguments.iter() {
        if JUDGED.iter().any(|member| member.path() == path) || path.starts_with("orders.") {
            continue;
        }
        let actual = match argument {
            Argument::Word(word) => word.text(),
            Argument::Bytes(bytes) => shown(bytes),
        };
        checks.note(path, &"not judged", &actual, Verdict::Opaque);
    }
    if method.venue == Venue::Orders {
        checks.note("orders", &"their makers and prices", &"not judged", Verdict::Opaque);
    }
    if method.arguments.unread > 0 {
        let verdict = if method.arguments.unread > MAX_UNREAD { Verdict::Mismatch } else { Verdict::Opaque };
        let actual = Concat(&[&method.arguments.unread, &" bytes"]);
        checks.note("unread", &"at most 1024 bytes that no argument covers", &actual, verdict);
    }
}

/// The first 64 bytes in hex: enough to compare by eye.
fn shown(bytes: &[u8]) -> String {
    hex::encode_prefixed(bytes.get(..64).unwrap_or(bytes))
}
