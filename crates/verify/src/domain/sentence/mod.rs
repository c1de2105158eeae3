//! The sentence that a person reads before signing.
//!
//! It is written from verified values (amounts, addresses, the deadline) and from names of tokens: the table's, and the
//! caller's own beside an address. No text of the service appears in it, and only the order's own guarantees are called
//! certain. Each sentence is a list of [`part`]s; a [`Sink`] makes them a text, or keeps them with their values.

pub mod otc;
pub mod part;

use crate::domain::delta::bridge_terms::BridgeTerms;
use crate::domain::delta::terms::Terms;
use crate::domain::intent::Intent;
use crate::domain::side::Side;
use crate::domain::twap::Twap;
use crate::domain::verify::delta_amounts::OrderAmounts;
use crate::value::amount::format_units;
use crate::value::text::ToText;
use alloy_primitives::{Address, U256};
use part::{Sink, account, amount, chain, count, share, time};

/// The sentence for a Delta order, from its verified amounts: `Sell 100 USDC on Base for at least 0.0272 ETH to 0x...;
/// expires 2026-11-20 14:05 UTC; fee 0.1 % included`. In slices: `Sell 100 USDC on Base in 4 slices, one every 3600 s,
/// for at least ...`. A bridge with data may deliver to anybody, so no receiver is named then.
pub fn order(intent: &Intent, terms: &Terms, amounts: &OrderAmounts) -> String {
    let mut out = String::new();
    match &amounts.bridge {
        Some(bridge) if !bridge.is_guaranteed => {
            enters(&mut out, intent, amounts.spent, (amounts.received, bridge));
            out.say(part::BRIDGE_PROMISE, &[amount::<String>(bridge.expected, &intent.dest)]);
        }
        _ => {
            let delivery = if amounts.has_bridge_data { part::IF_DELIVERED } else { part::IF_BRIDGED };
            trade(&mut out, intent, amounts.spent, amounts.arrives.unwrap_or_default(), Some(delivery));
        }
    }
    end_of_order(&mut out, terms, amounts);
    out
}

/// The end of an order's sentence: to whom, until when, the fee.
pub fn end_of_order<S: Sink>(out: &mut S, terms: &Terms, amounts: &OrderAmounts) {
    match &terms.external {
        Some((handler, _)) => out.say(part::TO_HANDLER, &[account::<S>(*handler)]),
        None if amounts.has_bridge_data => out.say(part::TO_UNBOUND, &[]),
        None => out.say(part::TO, &[account::<S>(amounts.beneficiary)]),
    }
    match (terms.rests, terms.partially_fillable) {
        (true, true) => out.say(part::RESTS_IN_PARTS, &[]),
        (true, false) => out.say(part::RESTS, &[]),
        (false, true) => out.say(part::IN_PARTS, &[]),
        _ => {}
    }
    out.say(part::EXPIRES, &[time::<S>(amounts.deadline)]);
    out.say(part::FEE, &[share::<S>(amounts.fee_bps)]);
}

/// The sentence for a Market transaction; `spent` is the most that leaves the owner, `received` the least to be
/// received after the fee: `Sell 100 USDC on Base for at least 0.0272 ETH to 0x...; fee 0.1 % included, gas not`.
pub fn transaction(intent: &Intent, spent: U256, received: U256, beneficiary: Address, fee_bps: u16) -> String {
    let mut out = String::new();
    swap(&mut out, intent, (spent, received), account::<String>(beneficiary), fee_bps);
    out
}

/// The parts of [`transaction`].
pub fn swap<S: Sink>(
    out: &mut S,
    intent: &Intent,
    (spent, received): (U256, U256),
    beneficiary: S::Value,
    fee_bps: u16,
) {
    trade(out, intent, spent, received, None);
    out.say(part::TO, &[beneficiary]);
    out.say(part::FEE_WITHOUT_GAS, &[share::<S>(fee_bps)]);
}

/// The trade of a crosschain order whose arrival is only promised: the bridge input is certain, its output is not.
/// `Sell 1000 USDC on Optimism: at least 995 USDC enters the bridge to BNB Smart Chain`, and then `; 2.75 BNB expected
/// there, promised by the bridge, not by this order;`
pub fn enters<S: Sink>(out: &mut S, intent: &Intent, spent: U256, (entering, bridge): (U256, &BridgeTerms)) {
    sell(out, intent, spent);
    let mut token = bridge.bridge_input.clone();
    if !bridge.has_decimals {
        token.decimals = u8::MAX;
    }
    let there = chain::<S>(intent.dest_chain_id, intent.dest_chain_stated());
    out.say(part::ENTERS_BRIDGE, &[amount::<S>(entering, &token), there]);
}

/// `Sell 100 USDC on Base`, with its slices.
fn sell<S: Sink>(out: &mut S, intent: &Intent, spent: U256) {
    out.say(part::SELL, &[amount::<S>(spent, &intent.src), from::<S>(intent)]);
    slices(out, intent);
}

/// The chain of the signature.
fn from<S: Sink>(intent: &Intent) -> S::Value {
    chain::<S>(intent.chain_id, intent.chain_name.as_deref())
}

/// ` in 4 slices, one every 3600 s,`; nothing for a trade that is not in slices.
fn slices<S: Sink>(out: &mut S, intent: &Intent) {
    if let Some(Twap { num_slices, interval_secs }) = &intent.twap {
        let values = [count::<S>(u64::from(*num_slices)), count::<S>(*interval_secs)];
        out.say(part::SELL_IN_SLICES, &values);
    }
}

/// The amounts of a trade: the first half of most sentences. `spent` is the most, `received` the least, raw units;
/// across chains that depends on the `delivery`.
pub fn trade<S: Sink>(out: &mut S, intent: &Intent, spent: U256, received: U256, delivery: Option<part::Part>) {
    let received = amount::<S>(received, &intent.dest);
    match intent.side {
        Side::Sell => {
            sell(out, intent, spent);
            out.say(part::FOR_AT_LEAST, &[received]);
            there(out, intent, delivery);
        }
        Side::Buy => {
            out.say(part::BUY, &[received]);
            there(out, intent, delivery);
            if !intent.is_crosschain() {
                out.say(part::ON, &[from::<S>(intent)]);
                slices(out, intent);
            }
            out.say(part::FOR_AT_MOST, &[amount::<S>(spent, &intent.src)]);
            if intent.is_crosschain() {
                out.say(part::ON, &[from::<S>(intent)]);
            }
        }
    }
}

/// ` on Optimism, if delivered,`: nothing for a trade on one chain.
fn there<S: Sink>(out: &mut S, intent: &Intent, delivery: Option<part::Part>) {
    if intent.is_crosschain() {
        out.say(part::ON, &[chain::<S>(intent.dest_chain_id, intent.dest_chain_stated())]);
        if let Some(delivery) = delivery {
            out.say(delivery, &[]);
        }
    }
}

/// The sentence for a withdrawal of a deposit, in wei: `Withdraw 1.5 of the native token on Base from Delta`.
pub fn withdrawal(amount: U256, chain_id: u64) -> String {
    let figure = format_units(amount, 18).unwrap_or_default();
    ["Withdraw ", &figure, " of the native token on ", &crate::domain::chain::name(chain_id), " from Delta"].concat()
}

/// The sentence for a quote, raw units as quoted: `About 100 USDC for 0.0272 ETH on Base`. Nothing is guaranteed yet.
pub fn quote(intent: &Intent, spent: U256, received: U256) -> String {
    let mut out = String::new();
    out.say(part::ABOUT, &[amount::<String>(spent, &intent.src)]);
    if intent.is_crosschain() {
        out.say(part::ON, &[from::<String>(intent)]);
    }
    out.say(part::FOR, &[amount::<String>(received, &intent.dest)]);
    out.say(part::ON, &[chain::<String>(intent.dest_chain_id, intent.dest_chain_stated())]);
    if intent.twap.is_some() {
        out.say(part::ONE_SLICE, &[]);
    }
    out
}

/// Unix seconds as a date and time of day in UTC. (Days become a civil date by eras of 400 years.)
///
/// ```
/// use verified_swap_verify::internal::domain::sentence::instant;
/// assert_eq!(instant(1_709_208_000), "2024-02-29 12:00 UTC");
/// ```
pub fn instant(secs: u64) -> String {
    let secs = i64::try_from(secs).unwrap_or(i64::MAX);
    let (days, rest) = (secs.div_euclid(86_400), secs.rem_euclid(86_400));
    let shifted = days.saturating_add(719_468);
    let (era, day_of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let leaps = (day_of_era.div_euclid(1_460))
        .saturating_sub(day_of_era.div_euclid(36_524))
        .saturating_add(day_of_era.div_euclid(146_096));
    let year_of_era = day_of_era.saturating_sub(leaps).div_euclid(365);
    let before = year_of_era
        .saturating_mul(365)
        .saturating_add(year_of_era.div_euclid(4))
        .saturating_sub(year_of_era.div_euclid(100));
    let day_of_year = day_of_era.saturating_sub(before);
    let shifted_month = day_of_year.saturating_mul(5).saturating_add(2).div_euclid(153);
    let day =
        day_of_year.saturating_sub(shifted_month.saturating_mul(153).saturating_add(2).div_euclid(5)).saturating_add(1);
    let (month, carry) =
        if shifted_month < 10 { (shifted_month.saturating_add(3), 0) } else { (shifted_month.saturating_sub(9), 1) };
    let year = year_of_era.saturating_add(era.saturating_mul(400)).saturating_add(carry);
    let two = |n: i64| [if n < 10 { "0" } else { "" }, &n.unsigned_abs().text()].concat();
    let (hour, minute) = (rest.div_euclid(3_600), rest.rem_euclid(3_600).div_euclid(60));
    [&year.unsigned_abs().text(), "-", &two(month), "-", &two(day), " ", &two(hour), ":", &two(minute), " UTC"].concat()
}
