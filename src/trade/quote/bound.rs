//! What a quote comes to at the worst.

use crate::domain::bps::Bps;
use crate::domain::delta::twap::Twap;
use crate::domain::fee::after_fee;
use crate::domain::input::{optional, slippage};
use crate::domain::market::price_options::destination_tax;
use crate::domain::side::Side;
use crate::error::Result;
use crate::json::{Json, JsonAt};
use alloy_primitives::U256;

/// Which bound of a quote is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuoteBound {
    /// The least that arrives, after the fee, and after a tax of the token that the request states.
    MinReceived,
    /// The most that is spent.
    MaxSpent,
}

/// A bound of a quote for that slippage, from its visible members: for display, and for `build` to hold the order to.
///
/// # Errors
/// INVALID_INPUT.
pub fn bound(quote: &Json, slippage_bps: &Json, which: QuoteBound) -> Result<U256> {
    let at = JsonAt::input(quote, "quote");
    let slippage: Bps = slippage(&JsonAt::input(slippage_bps, "slippageBps"))?;
    let request = at.get("request");
    let side = Side::read(&request.get("side"))?;
    // Where the service does not state a fee, the order may carry as much as the request allows.
    let fee = at.get("feeBps").some().unwrap_or_else(|| request.get("maxFeeBps"));
    let fee = u16::try_from(fee.integer(10_000)?).unwrap_or(0);
    let total = request.get("amount").uint().unwrap_or_default();
    let twap = Twap::read(&request, total)?;
    let (name, after) = match which {
        QuoteBound::MinReceived => ("destAmount", "destAmountAfterFee"),
        QuoteBound::MaxSpent => ("srcAmount", "srcAmountAfterFee"),
    };
    let stated = at.get(name).uint()?;
    let after = optional(&at.get(after), |at| at.uint())?.unwrap_or(stated);
    // Of what is stated with and without the fee, a Market transaction is held to the worse.
    let (worst, fee, tax) = match which {
        QuoteBound::MinReceived => (slippage.below(stated.min(after)), fee, destination_tax(&request.get("market"))),
        QuoteBound::MaxSpent => (slippage.above(stated.max(after)).unwrap_or(U256::MAX), 0, Bps::default()),
    };
    let is_fixed = (side == Side::Sell) == (which == QuoteBound::MaxSpent);
    // The quote is for one slice, what is built for all of them.
    let (slice, last) = match &twap {
        _ if !is_fixed => (worst, worst),
        Some(twap) => twap.slices(total),
        None => (stated, stated),
    };
    let left = |amount: U256| tax.below(after_fee(amount, fee));
    let (slice, last) = (left(slice), left(last));
    Ok(twap.map_or(Some(last), |twap| twap.sum(slice, last)).unwrap_or(U256::MAX))
}
