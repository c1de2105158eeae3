//! What a quote comes to at the worst.

use crate::domain::bps::Bps;
use crate::domain::delta::twap::Twap;
use crate::domain::fee::after_fee;
use crate::domain::input::{optional, slippage};
use crate::domain::intent::ANONYMOUS;
use crate::domain::market::price_options::destination_tax;
use crate::domain::side::Side;
use crate::error::Result;
use crate::json::{At, Json};
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
    let at = At::input(quote, "quote");
    let slippage: Bps = slippage(&At::input(slippage_bps, "slippageBps"))?;
    let request = at.get("request");
    let side = Side::read(&request.get("side"))?;
    // Where the service does not state a fee, the order may carry as much as the request allows.
    let most = request.get("maxFeeBps");
    let mut fee = at.get("feeBps").some().unwrap_or(most).integer(10_000)?;
    let mut tax = Bps::default();
    if at.get("kind").text().is_ok_and(|kind| kind == "market") {
        // A route need not state the fee that is asked for with the transaction.
        let asked = optional(&request.get("partnerFeeBps"), |at| at.integer(10_000))?.unwrap_or(0);
        let unasked = u64::from(request.get("partner").text().is_ok_and(|partner| partner == ANONYMOUS));
        fee = fee.max(asked.saturating_add(unasked)).min(most.integer(10_000)?);
        tax = Bps::new(destination_tax(&request.get("market"))).unwrap_or_default();
    }
    let fee = u16::try_from(fee).unwrap_or(0);
    let total = request.get("amount").uint().unwrap_or_default();
    let twap = Twap::read(&request, total)?;
    let (name, after) = match which {
        QuoteBound::MinReceived => ("destAmount", "destAmountAfterFee"),
        QuoteBound::MaxSpent => ("srcAmount", "srcAmountAfterFee"),
    };
    let stated = at.get(name).uint()?;
    let after = optional(&at.get(after), |at| at.uint())?.unwrap_or(stated);
    // Of what is stated with and without the fee, a Market transaction is held to the worse.
    let worst = match which {
        QuoteBound::MinReceived => slippage.below(stated.min(after)),
        QuoteBound::MaxSpent => slippage.above(stated.max(after)).unwrap_or(U256::MAX),
    };
    let is_fixed = (side == Side::Sell) == (which == QuoteBound::MaxSpent);
    // The quote is for one slice, what is built for all of them.
    let (slice, last) = match &twap {
        _ if !is_fixed => (worst, worst),
        Some(twap) => twap.slices(total),
        None => (stated, stated),
    };
    let left = |amount: U256| match which {
        QuoteBound::MinReceived => tax.below(after_fee(amount, fee)),
        QuoteBound::MaxSpent => amount,
    };
    let (slice, last) = (left(slice), left(last));
    Ok(twap.map_or(Some(last), |twap| twap.sum(slice, last)).unwrap_or(U256::MAX))
}
