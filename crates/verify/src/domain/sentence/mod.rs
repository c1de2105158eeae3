//! The sentence that a person reads before signing.
//!
//! It is written from verified values (amounts, addresses, the deadline) and from names of tokens: the table's, and the
//! caller's own beside an address. No text of the service appears in it, and only the order's own guarantees are called
//! certain.

pub mod otc;

use crate::domain::chain;
use crate::domain::decimal::bps_as_percent;
use crate::domain::delta::bridge_terms::BridgeTerms;
use crate::domain::delta::terms::Terms;
use crate::domain::display::{quantity, unit};
use crate::domain::intent::Intent;
use crate::domain::side::Side;
use crate::domain::twap::Twap;
use crate::domain::verify::delta_amounts::OrderAmounts;
use crate::value::address::checksummed;
use crate::value::amount::format_units;
use crate::value::text::ToText;
use alloy_primitives::{Address, U256};

/// The sentence for a Delta order, from its verified amounts: `Sell 100 USDC on Base for at least 0.0272 ETH to 0x...;
/// expires 2026-11-20 14:05 UTC; fee 0.1 % included`. In slices: `Sell 100 USDC on Base in 4 slices, one every 3600 s,
/// for at least ...`. A bridge with data may deliver to anybody, so no receiver is named then.
pub fn order(intent: &Intent, terms: &Terms, amounts: &OrderAmounts) -> String {
    let trade = match &amounts.bridge {
        Some(bridge) if !bridge.is_guaranteed => promised(intent, amounts, bridge),
        _ => {
            let delivery = if amounts.has_bridge_data { ", if delivered," } else { ", if the bridge delivers," };
            trade(intent, amounts.spent, amounts.arrives.unwrap_or_default(), delivery)
        }
    };
    let to = match &terms.external {
        Some((handler, _)) => [", handled by the contract ", &checksummed(*handler)].concat(),
        None if amounts.has_bridge_data => {
            " over a bridge whose data was not read; the order does not bind who receives".into()
        }
        None => [" to ", &checksummed(amounts.beneficiary)].concat(),
    };
    let rests = match (terms.rests, terms.partially_fillable) {
        (true, true) => "; rests until its price is reached, may be filled in parts",
        (true, false) => "; rests until its price is reached",
        (false, true) => "; may be filled in parts",
        _ => "",
    };
    let fee = bps_as_percent(amounts.fee_bps);
    [&trade, &to, rests, "; expires ", &instant(amounts.deadline), "; fee ", &fee, " % included"].concat()
}

/// The sentence for a Market transaction; `spent` is the most that leaves the owner, `received` the least to be
/// received after the fee: `Sell 100 USDC on Base for at least 0.0272 ETH to 0x...; fee 0.1 % included, gas not`.
pub fn transaction(intent: &Intent, spent: U256, received: U256, beneficiary: Address, fee_bps: u16) -> String {
    let (trade, to, fee) = (trade(intent, spent, received, ""), checksummed(beneficiary), bps_as_percent(fee_bps));
    [&trade, " to ", &to, "; fee ", &fee, " % included, gas not"].concat()
}

/// The trade of a crosschain order whose arrival is only promised: the bridge input is certain, its output is not.
/// `Sell 1000 USDC on Optimism: at least 995 USDC enters the bridge to BNB Smart Chain; 2.75 BNB expected there,
/// promised by the bridge, not by this order;`
fn promised(intent: &Intent, amounts: &OrderAmounts, bridge: &BridgeTerms) -> String {
    let (spent, expected) = (quantity(amounts.spent, &intent.src), quantity(bridge.expected, &intent.dest));
    let enters = match bridge.has_decimals {
        true => quantity(amounts.received, &bridge.bridge_input),
        false => [&amounts.received.text(), " raw units ", &unit(&bridge.bridge_input)].concat(),
    };
    let (from, to) = (intent.chain(), intent.dest_chain());
    let sold =
        ["Sell ", &spent, " on ", &from, &slices(intent), ": at least ", &enters, " enters the bridge to "].concat();
    [&sold, &to, "; ", &expected, " expected there, promised by the bridge, not by this order;"].concat()
}

/// ` in 4 slices, one every 3600 s,`; empty for a trade that is not in slices.
fn slices(intent: &Intent) -> String {
    match &intent.twap {
        Some(Twap { num_slices, interval_secs }) => {
            [" in ", &u64::from(*num_slices).text(), " slices, one every ", &interval_secs.text(), " s,"].concat()
        }
        None => String::new(),
    }
}

/// The amounts of a trade: the first half of most sentences. `spent` is the most, `received` the least, raw units;
/// across chains that depends on the `delivery`.
fn trade(intent: &Intent, spent: U256, received: U256, delivery: &str) -> String {
    let spent = quantity(spent, &intent.src);
    let received = ["at least ", &quantity(received, &intent.dest)].concat();
    let from = intent.chain();
    let to = match intent.is_crosschain() {
        true => [" on ", &intent.dest_chain(), delivery].concat(),
        false => String::new(),
    };
    let slices = slices(intent);
    match intent.side {
        Side::Sell => ["Sell ", &spent, " on ", &from, &slices, " for ", &received, &to].concat(),
        Side::Buy if intent.is_crosschain() => {
            ["Buy ", &received, &to, " for at most ", &spent, " on ", &from].concat()
        }
        Side::Buy => ["Buy ", &received, " on ", &from, &slices, " for at most ", &spent].concat(),
    }
}

/// The sentence for a withdrawal of a deposit, in wei: `Withdraw 1.5 of the native token on Base from Delta`.
pub fn withdrawal(amount: U256, chain_id: u64) -> String {
    let figure = format_units(amount, 18).unwrap_or_default();
    ["Withdraw ", &figure, " of the native token on ", &chain::name(chain_id), " from Delta"].concat()
}

/// The sentence for a quote, raw units as quoted: `About 100 USDC for 0.0272 ETH on Base`. Nothing is guaranteed yet.
pub fn quote(intent: &Intent, spent: U256, received: U256) -> String {
    let (spent, received) = (quantity(spent, &intent.src), quantity(received, &intent.dest));
    let slice = if intent.twap.is_some() { " for one slice" } else { "" };
    let (from, to) = (intent.chain(), intent.dest_chain());
    let left = if intent.is_crosschain() { [" on ", from.as_str()].concat() } else { String::new() };
    ["About ", &spent, &left, " for ", &received, " on ", &to, slice].concat()
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
