//! The worst outcome of a quote: `minReceived` and `maxSpent`, which an app shows before it builds. `build` enforces
//! the same bounds if they are passed to it.

use alloy_primitives::U256;
use verify::internal::domain::bps::Bps;
use verify::internal::domain::fee::{after_fee, paid_by_router};
use verify::internal::domain::input::{optional, slippage};
use verify::internal::domain::price_options::destination_tax;
use verify::internal::domain::side::Side;
use verify::internal::domain::twap::Twap;
use verify::internal::error::Result;
use verify::internal::json::{Json, JsonAt};

/// The kind of bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuoteBound {
    /// The least to be received, after the fee, and after the transfer tax of the token if the request states one.
    MinReceived,
    /// The most that is spent, with the fee.
    MaxSpent,
}

/// A bound of a quote for that slippage, in raw units, from its visible members; for an order in slices, of all
/// together.
///
/// ```
/// use verified_swap_trade::flows::{QuoteBound, bound};
/// use verify::internal::json::parse;
/// let request = r#"{ "side": "SELL", "amount": "500" }"#;
/// let amounts = r#""feeBps": 100, "srcAmount": "500", "destAmount": "2000""#;
/// let quote = parse(&format!(r#"{{ "request": {request}, {amounts} }}"#)).unwrap();
/// let slippage = parse("50").unwrap();
/// assert_eq!(bound(&quote, &slippage, QuoteBound::MinReceived).unwrap().to_string(), "1970");
/// assert_eq!(bound(&quote, &slippage, QuoteBound::MaxSpent).unwrap().to_string(), "500");
/// ```
///
/// # Errors
/// INVALID_INPUT with the quote's member, or with `slippageBps` if that is not 0 to 10,000.
pub fn bound(quote: &Json, slippage_bps: &Json, which: QuoteBound) -> Result<U256> {
    let at = JsonAt::input(quote, "quote");
    let slippage: Bps = slippage(&JsonAt::input(slippage_bps, "slippageBps"))?;
    let request = at.get("request");
    let side = Side::read(&request.get("side"))?;
    // If the service states no fee, the order may have as much as the request allows.
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
    // The amount may be stated with and without the fee: a Market transaction is compared with the worse.
    let (worst, fee, tax) = match which {
        QuoteBound::MinReceived => {
            (slippage.below(stated.min(after)), fee, destination_tax(&request.option("advanced.market")))
        }
        QuoteBound::MaxSpent => (slippage.above(stated.max(after)).unwrap_or(U256::MAX), 0, Bps::default()),
    };
    let is_fixed = (side == Side::Sell) == (which == QuoteBound::MaxSpent);
    // The quote is for one slice, the order for all of them.
    let (slice, last) = match &twap {
        _ if !is_fixed => (worst, worst),
        Some(twap) => twap.slices(total),
        None => (stated, stated),
    };
    let is_market = at.get("kind").some().is_some_and(|kind| kind.text().is_ok_and(|kind| kind == "market"));
    let left =
        |amount: U256| tax.below(if is_market { paid_by_router(side, amount, fee) } else { after_fee(amount, fee) });
    let (slice, last) = (left(slice), left(last));
    Ok(twap.map_or(Some(last), |twap| twap.sum(slice, last)).unwrap_or(U256::MAX))
}
