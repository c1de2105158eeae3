//! Which of two quotes leaves the user with more, after fees and gas.

use crate::domain::decimal::scaled;
use crate::domain::fee::after_fee;
use crate::domain::input::optional;
use crate::domain::product::product;
use crate::domain::side::Side;
use crate::error::Result;
use crate::json::{At, Json, Out};
use alloy_primitives::U256;
use core::cmp::Ordering;

/// What a quote comes to: what arrives (SELL), or what is spent (BUY).
struct Outcome {
    side: Side,
    amount: U256,
    /// Its dollar value with the gas, over that without: both times 10^18. `None` where gas can not be valued.
    gas: Option<(U256, U256)>,
}

/// Ranks the gasless quote and the Market one, as they were returned; either may be `null`. Returns
/// `{ best, differenceBps }`.
///
/// # Errors
/// INVALID_INPUT where something else was passed.
pub fn rank(delta: &Json, market: &Json) -> Result<String> {
    let (delta, market) = (At::input(delta, "delta"), At::input(market, "market"));
    let (best, difference) = match (delta.some(), market.some()) {
        (Some(delta), Some(market)) => compare(&outcome(&delta, false)?, &outcome(&market, true)?),
        (delta, market) => (delta.map(|_| "delta").or(market.map(|_| "market")), None),
    };
    let mut out = Out::object();
    out.text_or_null("best", best);
    out.number_or_null("differenceBps", difference);
    Ok(out.close())
}

fn outcome(at: &At<'_>, pays_gas: bool) -> Result<Outcome> {
    let side = Side::read(&at.get("request").get("side"))?;
    let amount = |name| optional(&at.get(name), |at| at.uint());
    let fee = u16::try_from(at.get("feeBps").integer(10_000).unwrap_or(0)).unwrap_or(0);
    let (amount, usd) = match side {
        Side::Sell => {
            let out = after_fee(at.get("destAmount").uint()?, fee);
            (amount("destAmountAfterFee")?.unwrap_or(out), "destUsd")
        }
        Side::Buy => (amount("srcAmountAfterFee")?.unwrap_or(at.get("srcAmount").uint()?), "srcUsd"),
    };
    let decimal = |name| at.get(name).number_or_text().and_then(scaled);
    let gas = match pays_gas {
        false => Some((U256::from(1), U256::from(1))),
        true => decimal(usd).zip(decimal("gasCostUsd")).filter(|(value, _)| !value.is_zero()).map(|(value, gas)| {
            let after = match side {
                Side::Sell => value.saturating_sub(gas),
                Side::Buy => value.saturating_add(gas),
            };
            (after, value)
        }),
    };
    Ok(Outcome { side, amount, gas })
}

fn compare(a: &Outcome, b: &Outcome) -> (Option<&'static str>, Option<u64>) {
    let side = a.side;
    let Some(((a_after, a_before), (b_after, b_before))) = a.gas.zip(b.gas) else {
        // Whatever the gas costs, it makes the Market quote only worse.
        let certain = match side {
            Side::Sell => a.amount >= b.amount,
            Side::Buy => a.amount <= b.amount,
        };
        return (certain.then_some("delta"), None);
    };
    // Both over one denominator.
    let (left, right) = ([a.amount, a_after, b_before], [b.amount, b_after, a_before]);
    let scaled = |[amount, after, before]: &[U256; 3], by: u64| product(&[*amount, *after, *before, U256::from(by)]);
    let order = scaled(&left, 1).cmp(&scaled(&right, 1));
    let (more, less) = if order == Ordering::Less { (&right, &left) } else { (&left, &right) };
    let delta_is_better = match side {
        Side::Sell => order != Ordering::Less,
        Side::Buy => order != Ordering::Greater,
    };
    // The most bps by which one can exceed the other, found by halving: SELL, of the lesser amount; BUY, of the greater cost.
    let exceeds = |bps: u64| match side {
        Side::Sell => scaled(more, 10_000) >= scaled(less, 10_000_u64.saturating_add(bps)),
        Side::Buy => scaled(less, 10_000) <= scaled(more, 10_000_u64.saturating_sub(bps)),
    };
    let (mut least, mut beyond) = (0_u64, if side == Side::Sell { 1_u64 << 40 } else { 10_001 });
    while beyond.saturating_sub(least) > 1 {
        let middle = least.saturating_add(beyond) / 2;
        if exceeds(middle) { least = middle } else { beyond = middle }
    }
    (Some(if delta_is_better { "delta" } else { "market" }), Some(least))
}
