//! Ranks two quotes, a Delta and a Market one, by the amount left for the user after fees and gas.
//!
//! Products are compared, not quotients, so the ranking is exact by the numbers of the quotes. Gas is valued in dollars
//! by the Market quote itself; if the quote has no value, it is ranked only if gas cannot change the result.

use crate::domain::decimal::scaled;
use crate::domain::fee::after_fee;
use crate::domain::fields::Fields;
use crate::domain::product::product;
use crate::domain::side::Side;
use crate::error::Result;
use crate::json::{Json, JsonAt, ObjectWriter};
use alloy_primitives::U256;
use core::cmp::Ordering;

/// The outcome of a quote for the user.
struct Outcome {
    side: Side,
    amount: U256,
    /// The dollar value of `amount` with the gas, and without it, as a fraction. `None` if gas cannot be valued.
    gas: Option<(U256, U256)>,
}

/// Ranks a Delta and a Market quote, as `quote` returned them; either may be `null`. The answer is JSON text, `{ best,
/// differenceBps }`: `best` is `delta`, `market`, or `null` if gas decides and is unknown; `differenceBps` is its lead
/// in basis points, rounded down, or `null`.
///
/// # Errors
/// INVALID_INPUT if one of them is no quote.
///
/// ```
/// use verified_swap_verify::internal::{domain::market::rank::rank, json::parse};
/// let delta = parse(r#"{"request":{"side":"SELL"},"destAmount":"1010"}"#).unwrap();
/// let market = r#"{"request":{"side":"SELL"},"destAmount":"1020","destUsd":"1.02","gasCostUsd":"0.02"}"#;
/// let ranked = rank(&delta, &parse(market).unwrap()).unwrap();
/// assert_eq!(ranked, r#"{"best":"delta","differenceBps":100}"#); // 1010 against 1000
/// ```
pub fn rank(delta: &Json, market: &Json) -> Result<String> {
    let (delta, market) = (JsonAt::input(delta, "delta"), JsonAt::input(market, "market"));
    let (best, difference) = match (delta.some(), market.some()) {
        (Some(delta), Some(market)) => compare(&outcome(&delta, false)?, &outcome(&market, true)?),
        (delta, market) => (delta.map(|_| "delta").or(market.map(|_| "market")), None),
    };
    let mut out = ObjectWriter::object();
    out.text_or_null("best", best);
    out.number_or_null("differenceBps", difference);
    Ok(out.close())
}

/// The outcome of a quote; `pays_gas` if the user pays the gas beside the amounts.
fn outcome(at: &JsonAt<'_>, pays_gas: bool) -> Result<Outcome> {
    let side = Side::read(&at.get("request").get("side"))?;
    let [amount, after_fees, usd] = match side {
        Side::Sell => ["destAmount", "destAmountAfterFee", "destUsd"],
        Side::Buy => ["srcAmount", "srcAmountAfterFee", "srcUsd"],
    };
    let mut amount = at.get(amount).uint()?;
    if side == Side::Sell {
        let fee = at.get("feeBps").integer(10_000).unwrap_or(0);
        amount = after_fee(amount, u16::try_from(fee).unwrap_or(0));
    }
    let mut fields = Fields::of(at);
    fields.optional(after_fees, JsonAt::uint, &mut amount);
    fields.finish()?;
    let gas = if pays_gas { with_gas(at, side, usd) } else { Some((U256::from(1), U256::from(1))) };
    Ok(Outcome { side, amount, gas })
}

/// The dollar value in the member `usd` with the gas, and without it; `None` if either is missing.
fn with_gas(at: &JsonAt<'_>, side: Side, usd: &str) -> Option<(U256, U256)> {
    let value = scaled(at.get(usd).number_or_text()?)?;
    let gas = scaled(at.get("gasCostUsd").number_or_text()?)?;
    let after = match side {
        Side::Sell => value.saturating_sub(gas),
        Side::Buy => value.saturating_add(gas),
    };
    (!value.is_zero()).then_some((after, value))
}

/// The better of a Delta quote `a` and a Market quote `b`, and its lead in basis points.
fn compare(a: &Outcome, b: &Outcome) -> (Option<&'static str>, Option<u64>) {
    let side = a.side;
    let (Some((a_after, a_before)), Some((b_after, b_before))) = (&a.gas, &b.gas) else {
        // Gas makes the Market quote only worse, whatever it costs.
        let certain = match side {
            Side::Sell => a.amount >= b.amount,
            Side::Buy => a.amount <= b.amount,
        };
        return (certain.then_some("delta"), None);
    };
    // Both over one denominator.
    let delta = |by: u64| product(&[&a.amount, a_after, b_before, &U256::from(by)]);
    let market = |by: u64| product(&[&b.amount, b_after, a_before, &U256::from(by)]);
    let order = delta(1).cmp(&market(1));
    let delta_is_more = order != Ordering::Less;
    let more = |by: u64| if delta_is_more { delta(by) } else { market(by) };
    let less = |by: u64| if delta_is_more { market(by) } else { delta(by) };
    let delta_is_better = match side {
        Side::Sell => delta_is_more,
        Side::Buy => order != Ordering::Greater,
    };
    // The most bps by which one can exceed the other, found by halving: SELL, of the lesser amount; BUY, of the greater
    // cost.
    let exceeds = |bps: u64| match side {
        Side::Sell => more(10_000) >= less(10_000_u64.saturating_add(bps)),
        Side::Buy => less(10_000) <= more(10_000_u64.saturating_sub(bps)),
    };
    let (mut least, mut beyond) = (0_u64, if side == Side::Sell { 1_u64 << 40 } else { 10_001 });
    while beyond.saturating_sub(least) > 1 {
        let middle = least.saturating_add(beyond) / 2;
        if exceeds(middle) { least = middle } else { beyond = middle }
    }
    (Some(if delta_is_better { "delta" } else { "market" }), Some(least))
}
