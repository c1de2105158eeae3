//! What a quote comes to at the worst.

use crate::domain::bps::Bps;
use crate::domain::delta::twap::Twap;
use crate::domain::fee::after_fee;
use crate::domain::input::{optional, slippage};
use crate::domain::side::Side;
use crate::error::Result;
use crate::json::{At, Json};
use alloy_primitives::U256;

/// Which bound of a quote is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuoteBound {
    /// The least that arrives, after the fee.
    MinReceived,
    /// The most that is spent.
    MaxSpent,
}

/// A bound of a quote for that slippage, from its visible members: for display, and for `build` to hold the order to.
///
/// # Errors
/// INVALID_INPUT.
pub fn bound(quote: &Json, slippage_bps: &Json, which: QuoteBound) -> Result<U256> {
    let at = At::input(quote, "quote");
    let slippage: Bps = slippage(&At::input(slippage_bps, "slippageBps"))?;
    let side = Side::read(&at.get("request").get("side"))?;
    // Of what is stated with and without the fee, a Market transaction is held to the worse.
    let stated = |name, after| Ok((at.get(name).uint()?, optional(&at.get(after), |at| at.uint())?));
    let ((src, src_after), (dest, dest_after)) =
        (stated("srcAmount", "srcAmountAfterFee")?, stated("destAmount", "destAmountAfterFee")?);
    let (src, dest) = match side {
        Side::Sell => (src, dest_after.map_or(dest, |after| after.min(dest))),
        Side::Buy => (src_after.map_or(src, |after| after.max(src)), dest),
    };
    // Where the service does not state a fee, the order may carry as much as the request allows.
    let fee = at.get("feeBps").some().unwrap_or_else(|| at.get("request").get("maxFeeBps"));
    let fee = u16::try_from(fee.integer(10_000)?).unwrap_or(0);
    let request = at.get("request");
    let total = request.get("amount").uint().unwrap_or_default();
    let Some(twap) = Twap::read(&request, total)? else {
        return Ok(match (which, side) {
            (QuoteBound::MinReceived, Side::Sell) => after_fee(slippage.below(dest), fee),
            (QuoteBound::MinReceived, Side::Buy) => after_fee(dest, fee),
            (QuoteBound::MaxSpent, Side::Sell) => src,
            (QuoteBound::MaxSpent, Side::Buy) => slippage.above(src).unwrap_or(U256::MAX),
        });
    };
    // The quote is for one slice, what is built for all of them.
    let all = |slice| twap.sum(slice, slice);
    let bound = match (which, side) {
        (QuoteBound::MinReceived, Side::Sell) => all(after_fee(slippage.below(dest), fee)),
        (QuoteBound::MinReceived, Side::Buy) => {
            let (slice, last) = twap.slices(total);
            twap.sum(after_fee(slice, fee), after_fee(last, fee))
        }
        (QuoteBound::MaxSpent, Side::Sell) => Some(total),
        (QuoteBound::MaxSpent, Side::Buy) => slippage.above(src).and_then(all),
    };
    Ok(bound.unwrap_or(U256::MAX))
}
