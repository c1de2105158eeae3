//! A Market price route against the request that it answers (docs/verification.md, "A Market route, and the transaction
//! built from it"). Refuses a route for another trade, another router, too high a fee, or too large a loss.

use crate::domain::bps::Bps;
use crate::domain::chain::{Deployment, Protocol};
use crate::domain::decimal::bps_as_percent;
use crate::domain::fee::CAP_BPS;
use crate::domain::intent::Intent;
use crate::domain::market::route::PriceRoute;
use crate::domain::side::Side;
use crate::domain::verify::contract::check_contract;
use crate::domain::verify::fees;
use crate::domain::verify::loss::note_loss;
use crate::domain::verify::report::{Checks, Verdict};
use crate::error::Result;
use crate::value::text::Concat;
use alloy_primitives::U256;

/// The version of the router whose methods this package can read.
pub const VERSION: &str = "6.2";

/// Compares the route with the request; returns the checks as JSON text, for a report.
///
/// Refuses other tokens, chain, side or fixed amount than requested, a free amount of 0, another version than
/// [`VERSION`], another contract than the router as target or spender, and amounts after the fee that imply a higher
/// fee. The price impact is only noted: it is the service's word alone.
///
/// # Errors
/// VERIFY_MISMATCH with the first field that differs from the request.
///
/// ```
/// use verified_swap_verify::internal::domain::chain::{Deployment, Source, pinned};
/// use verified_swap_verify::internal::domain::{intent::Intent, market::route::PriceRoute, verify::Checks, verify::market_quote::verify};
/// let deployment = Deployment { contracts: pinned(1).unwrap(), source: Source::Pinned };
/// let asked = Intent { chain_id: 1, ..Intent::default() };
/// let error = verify(&PriceRoute { network: 10, ..PriceRoute::default() }, &asked, &deployment, Checks::default()).unwrap_err();
/// assert_eq!(error.field.as_deref(), Some("quote.network"));
/// ```
pub fn verify(route: &PriceRoute<'_>, intent: &Intent, deployment: &Deployment, mut checks: Checks) -> Result<String> {
    checks.same("quote.network", &intent.chain_id, &route.network);
    checks.same("quote.srcToken", &intent.src.address, &route.src_token);
    checks.same("quote.destToken", &intent.dest.address, &route.dest_token);
    checks.same("quote.side", &intent.side.name(), &route.side.name());
    let (src, dest) = (("quote.srcAmount", &route.src_amount), ("quote.destAmount", &route.dest_amount));
    let (fixed, free) = if intent.side == Side::Sell { (src, dest) } else { (dest, src) };
    checks.same(fixed.0, &intent.amount, fixed.1);
    checks.at_least(free.0, &U256::from(1), free.1);
    checks.same("quote.version", &VERSION, &route.version);
    check_contract(
        &mut checks,
        "quote.contractAddress",
        intent.chain_id,
        Protocol::Market,
        deployment,
        &route.contract,
    );
    if let Some(proxy) = &route.proxy {
        check_contract(&mut checks, "quote.tokenTransferProxy", intent.chain_id, Protocol::Market, deployment, proxy);
    }
    check_fee(&mut checks, route, intent);
    let impact = if route.max_impact_reached { ("reached", Verdict::Unknown) } else { ("not reached", Verdict::Ok) };
    checks.note("quote.maxImpactReached", &"not reached", &impact.0, impact.1);
    // The owner pays the gas beside the price, so it explains no loss.
    note_loss(&mut checks, intent, (&route.src_amount, &route.dest_amount), (route.src_usd, route.dest_usd), &[]);
    checks.finish()
}

/// Checks the stated fee, and the one implied by the amounts after it. Slippage is counted from those amounts, so wrong
/// ones would be a fee of any size.
fn check_fee(checks: &mut Checks, route: &PriceRoute<'_>, intent: &Intent) {
    let max_fee_bps = intent.max_fee_bps;
    fees::check_stated(checks, intent, route.partner_fee, route.fee_bps());
    let most = Bps::new(max_fee_bps.min(CAP_BPS).into());
    let less = |amount: U256| most.map_or(amount, |fee| fee.below(amount));
    if let Some(after) = &route.dest_after_fee {
        checks.at_least("quote.destAmountAfterFee", &less(route.dest_amount), after);
    }
    if let Some(with_fee) = &route.src_with_fee {
        // It is not documented which of the two amounts the fee is a share of: the wider reading is accepted.
        let ok = less(*with_fee) <= route.src_amount;
        let expected = Concat(&[&route.src_amount, &" and a fee of at most ", &bps_as_percent(max_fee_bps), &" %"]);
        checks.holds("quote.srcAmountAfterFee", ok, &expected, with_fee);
    }
}
