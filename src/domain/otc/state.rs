//! Where an OTC order stands, as far as the service's word and a clock tell.

use super::fill::rest;
use super::order;
use crate::domain::amount::{div_rem, mul_div};
use crate::domain::decimal::bps_as_percent;
use crate::error::Result;
use crate::json::{At, Out};
use alloy_primitives::U256;

/// States in which nothing can happen any more.
const TERMINAL: [&str; 3] = ["FULFILLED", "CANCELLED", "EXPIRED"];

/// Whether an order can not be filled any more by the clock. At its last second it still can; 0 is never.
pub fn has_expired(expiry: U256, now: U256) -> bool {
    !expiry.is_zero() && now > expiry
}

/// What an interface shows of an order as the service reports it. `now` is unix seconds.
///
/// # Errors
/// Names the member that is missing or does not fit.
pub fn facts(at: &At<'_>, now: u64) -> Result<String> {
    let order = order::read(at)?;
    let stated = at.get("state").text()?;
    let is_over = TERMINAL.contains(&stated);
    let expired = !is_over && has_expired(order.uint("expiry"), U256::from(now));
    let whole = order.uint("makerAmount");
    // What the service calls fillable is what has not been filled.
    let left = match at.get("fillableBalance").some() {
        Some(left) => left.uint()?.min(whole),
        None if stated == "FULFILLED" => U256::ZERO,
        None => whole,
    };
    let filled = whole.saturating_sub(left);
    // Ten thousandths, rounded down: amounts too large to multiply are divided first.
    let filled_bps = match mul_div(filled, 10_000, 1) {
        Some((scaled, _)) => div_rem(scaled, whole),
        None => div_rem(whole, U256::from(10_000)).and_then(|(part, _)| div_rem(filled, part)),
    };
    let filled_bps = filled_bps.and_then(|(bps, _)| u16::try_from(bps).ok()).unwrap_or_default().min(10_000);
    let mut out = Out::object();
    out.text("state", if expired { "EXPIRED" } else { stated });
    out.raw("isTerminal", if is_over || expired { "true" } else { "false" });
    out.raw("isPartlyFilled", if !filled.is_zero() && !left.is_zero() { "true" } else { "false" });
    out.raw("filledPercent", &bps_as_percent(filled_bps));
    out.value("leftMakerAmount", &left);
    out.value("leftTakerAmount", &rest(&order, left).map(|share| share.give).unwrap_or_default());
    Ok(out.close())
}
