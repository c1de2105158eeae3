//! A Delta price against the request it answers.

use super::report::{Check, Checks, Mismatch, Verdict};
use crate::domain::address::checksummed;
use crate::domain::chain::{Contracts, Source};
use crate::domain::decimal::{bps_as_percent, loses_more_than};
use crate::domain::delta::price::{Leg, Price};
use crate::domain::intent::Intent;
use crate::domain::side::Side;
use crate::domain::text::ToText;
use alloy_primitives::{Address, U256};

/// Holds the price against the request.
///
/// # Errors
/// The first field that is not as asked for.
pub fn verify(price: &Price, intent: &Intent, contracts: &(Contracts, Source)) -> Result<Vec<Check>, Box<Mismatch>> {
    let mut checks = Checks::default();
    let source = &price.origin_input;
    let target = &price.destination_output;
    chain(&mut checks, "quote.srcChain", intent.chain_id, source.chain_id);
    checks.address("quote.srcToken", intent.src.address, source.token);
    chain(&mut checks, "quote.destChain", intent.chain_id, target.chain_id);
    checks.address("quote.destToken", intent.dest.address, target.token);
    if let Some(side) = price.side {
        checks.holds("quote.side", side == intent.side, intent.side.name(), side.name());
    }
    stated(&mut checks, "quote.inputToken", (intent.chain_id, intent.src.address), price.input_token);
    stated(&mut checks, "quote.outputToken", (intent.chain_id, intent.dest.address), price.output_token);
    match intent.side {
        Side::Sell => {
            checks.number("quote.srcAmount", intent.amount, source.amount);
            checks.at_least("quote.destAmount", U256::from(1), target.amount);
        }
        Side::Buy => {
            checks.number("quote.destAmount", intent.amount, target.amount);
            checks.at_least("quote.srcAmount", U256::from(1), source.amount);
        }
    }
    // On one chain nothing happens between the swap and the delivery. What the order is held against is the first, what
    // the user sees is the last.
    checks.holds("quote.bridge", !price.bridged, "none", if price.bridged { "a bridge" } else { "none" });
    same_leg(&mut checks, "quote.origin.output", target, &price.origin_output);
    same_leg(&mut checks, "quote.destination.input", target, &price.destination_input);
    let (known, origin) = contracts;
    let expected = [&checksummed(known.delta), " (", origin.name(), ")"].concat();
    checks.holds("quote.spender", price.spender == known.delta, expected, checksummed(price.spender));
    fee(&mut checks, price, intent.max_fee_bps);
    loss(&mut checks, price, intent.max_loss_bps);
    checks.finish()
}

fn chain(checks: &mut Checks, field: &'static str, expected: u64, actual: u64) {
    checks.number(field, U256::from(expected), U256::from(actual));
}

fn stated(checks: &mut Checks, field: &'static str, expected: (u64, Address), actual: Option<(u64, Address)>) {
    let Some(actual) = actual else { return };
    let text = |(chain, token): (u64, Address)| [&checksummed(token), " on ", &chain.text()].concat();
    checks.holds(field, expected == actual, text(expected), text(actual));
}

fn same_leg(checks: &mut Checks, field: &'static str, expected: &Leg, actual: &Leg) {
    let text = |leg: &Leg| [&leg.amount.text(), " of ", &checksummed(leg.token)].concat();
    checks.holds(field, expected.same_as(actual), text(expected), text(actual));
}

fn fee(checks: &mut Checks, price: &Price, max_fee_bps: u16) {
    let expected = ["at most ", &bps_as_percent(max_fee_bps), " %"].concat();
    match (&price.fee_percent, price.fee_bps()) {
        (None, _) => checks.note("quote.fee", expected, "not stated", Verdict::Unknown),
        (Some(percent), bps) => {
            let ok = bps.is_some_and(|bps| bps <= max_fee_bps);
            checks.holds("quote.fee", ok, expected, [percent, " %"].concat());
        }
    }
}

fn loss(checks: &mut Checks, price: &Price, max_loss_bps: u16) {
    let expected = ["a loss of at most ", &bps_as_percent(max_loss_bps), " % by the quote's USD values"].concat();
    let (from, to) = (&price.origin_input.usd, &price.destination_output.usd);
    let (Some(from), Some(to)) = (from, to) else {
        return checks.note("quote.loss", expected, "no USD values", Verdict::Unknown);
    };
    let actual = [from, " USD in, ", to, " USD out"].concat();
    match loses_more_than(from, to, max_loss_bps) {
        None => checks.note("quote.loss", expected, actual, Verdict::Unknown),
        Some(too_much) => checks.holds("quote.loss", !too_much, expected, actual),
    }
}
