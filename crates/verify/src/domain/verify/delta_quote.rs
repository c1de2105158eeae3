//! A Delta price against the request that it answers (docs/verification.md, "A quote against the request").
//!
//! The bounds of an order are computed from the price, so a price for another trade, or with amounts that contradict
//! each other, would loosen them. Refuses those, a spender that is not the Delta contract, too high a fee, and too
//! large a loss by dollar values.

use crate::domain::chain::{Deployment, Protocol};
use crate::domain::decimal::scaled;
use crate::domain::delta::price::{Leg, Price};
use crate::domain::intent::Intent;
use crate::domain::product::product;
use crate::domain::side::Side;
use crate::domain::token::is_native;
use crate::domain::verify::contract::check_contract;
use crate::domain::verify::fees;
use crate::domain::verify::loss::note_loss;
use crate::domain::verify::report::{Checks, Verdict};
use crate::error::Result;
use crate::value::text::{Concat, ToText};
use alloy_primitives::{Address, U256};

/// Compares the price with the request, in `checks`; returns them as JSON text, for a report.
///
/// Refuses other tokens, chains, side or fixed amount than requested, a free amount of 0, a bridge in a trade on one
/// chain, steps that do not lead from one to the next, and another spender than the Delta contract.
///
/// # Errors
/// VERIFY_MISMATCH with the first field that differs from the request; LOSS_TOO_HIGH if the costs explain a loss.
///
/// ```
/// use verified_swap_verify::internal::domain::chain::{Deployment, Source, pinned};
/// use verified_swap_verify::internal::domain::{delta::price::Price, intent::Intent, verify::Checks, verify::delta_quote::verify};
/// let deployment = Deployment { contracts: pinned(1).unwrap(), source: Source::Pinned };
/// let asked = Intent { chain_id: 1, dest_chain_id: 1, ..Intent::default() };
/// let error = verify(&Price::default(), &asked, &deployment, Checks::default()).unwrap_err();
/// assert_eq!(error.field.as_deref(), Some("quote.srcChain"));
/// ```
pub fn verify(price: &Price<'_>, intent: &Intent, deployment: &Deployment, mut checks: Checks) -> Result<String> {
    let (source, target) = (&price.origin_input, &price.destination_output);
    checks.same("quote.srcChain", &intent.chain_id, &source.chain_id);
    checks.same("quote.srcToken", &intent.src.address, &source.token);
    checks.same("quote.destChain", &intent.dest_chain_id, &target.chain_id);
    checks.same("quote.destToken", &intent.dest.address, &target.token);
    if let Some(side) = price.side {
        checks.same("quote.side", &intent.side.name(), &side.name());
    }
    check_token(&mut checks, "quote.inputToken", (intent.chain_id, intent.src.address), price.input_token);
    // With acceptWrapped the route has the wrapped token, while `outputToken` may repeat the native one from the
    // request.
    let echoed = |token: Address| if intent.dest.is_wrapped && is_native(token) { intent.dest.address } else { token };
    let output = price.output_token.map(|(chain, token)| (chain, echoed(token)));
    check_token(&mut checks, "quote.outputToken", (intent.dest_chain_id, intent.dest.address), output);
    let (fixed, free) = match intent.side {
        Side::Sell => (("quote.srcAmount", source), ("quote.destAmount", target)),
        Side::Buy => (("quote.destAmount", target), ("quote.srcAmount", source)),
    };
    checks.same(fixed.0, &intent.priced_amount(), &fixed.1.amount);
    checks.at_least(free.0, &U256::from(1), &free.1.amount);
    if intent.is_crosschain() {
        checks.same("quote.origin.output.chain", &intent.chain_id, &price.origin_output.chain_id);
        checks.same("quote.destination.input.chain", &intent.dest_chain_id, &price.destination_input.chain_id);
    } else {
        // On one chain nothing happens between swap and delivery. The order is compared with the first, the user sees
        // the last: they must be equal.
        let bridge = if price.bridge.is_some() { "a bridge" } else { "none" };
        checks.same("quote.bridge", &"none", &bridge);
        same_leg(&mut checks, "quote.origin.output", target, &price.origin_output);
        // The service repeats either the delivery or the whole swap there.
        let mirrored = price.destination_input.token == source.token;
        same_leg(
            &mut checks,
            "quote.destination.input",
            if mirrored { source } else { target },
            &price.destination_input,
        );
    }
    if let Some(spender) = &price.spender {
        check_contract(&mut checks, "quote.spender", intent.chain_id, Protocol::Delta, deployment, spender);
    }
    fees::check_stated(&mut checks, intent, price.fee_percent, price.fee_bps());
    note_gas(&mut checks, price);
    let (spent, received) = (&price.origin_input, &price.destination_output);
    note_loss(&mut checks, intent, (&spent.amount, &received.amount), (spent.usd, received.usd), &price.costs_usd());
    checks.finish()
}

/// Notes whether the amount of the gas is worth its dollars, by the price's own value of the same token. It is in the
/// other amounts already and only shown, so a mismatch is `unknown`.
fn note_gas(checks: &mut Checks, price: &Price<'_>) {
    let Some(gas) = &price.gas else { return };
    let legs = [&price.origin_input, &price.origin_output, &price.destination_output];
    let same = legs.into_iter().find(|leg| (leg.chain_id, leg.token) == (gas.chain_id, gas.token));
    // Within 5 % and one cent: small dollar values are stated with few digits.
    let fits = || {
        let (leg, usd, cent) = (same?, scaled(gas.usd?)?, scaled("0.01")?);
        let worth = scaled(leg.usd?)?;
        let (less, more) = (usd.saturating_sub(cent), usd.saturating_add(cent));
        let stated = |usd: &U256| product(&[&leg.amount, usd, &U256::from(20)]);
        let found = |twentieths: u8| product(&[&gas.amount, &worth, &U256::from(twentieths)]);
        Some(stated(&less) <= found(21) && found(19) <= stated(&more))
    };
    let actual = Concat(&[&gas.amount, &" of ", &gas.token, &", ", &gas.usd.unwrap_or("?"), &" USD"]);
    let verdict = if fits() == Some(true) { Verdict::Ok } else { Verdict::Unknown };
    checks.note("quote.gasFee", &"an amount that is worth its dollars", &actual, verdict);
}

/// Checks a (chain, token) that the price repeats from the request, if it does.
fn check_token(checks: &mut Checks, field: &str, expected: (u64, Address), stated: Option<(u64, Address)>) {
    if let Some(stated) = stated {
        let text = |(chain, token): (u64, Address)| Concat(&[&token, &" on ", &chain]).text();
        checks.holds(field, stated == expected, &text(expected), &text(stated));
    }
}

/// Checks that two steps of a price on one chain have the same amount, token and chain. Refuses a price that shows the
/// user one amount and bounds the order by another.
fn same_leg(checks: &mut Checks, field: &str, expected: &Leg<'_>, actual: &Leg<'_>) {
    let text = |leg: &Leg<'_>| Concat(&[&leg.amount, &" of ", &leg.token, &" on ", &leg.chain_id]).text();
    checks.same(field, &text(expected), &text(actual));
}
