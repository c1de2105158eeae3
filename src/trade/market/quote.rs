//! A Market quote, as JavaScript sees it.

use crate::domain::chain::{Contracts, Source};
use crate::domain::intent::Intent;
use crate::domain::sentence;
use crate::domain::verify::{market_quote, report};
use crate::error::Result;
use crate::json::{At, Out};
use crate::trade::seal::Parts;
use crate::wire::price_route;

/// The quote, if the route in it is what was asked for; an object that is still open.
///
/// # Errors
/// VERIFY_MISMATCH, SERVICE_MALFORMED.
pub fn view(parts: &Parts<'_>, intent: &Intent, known: &(Contracts, Source)) -> Result<Out> {
    let market = parts.json("market")?;
    let route = price_route::route(&At::service(&market, "market"))?;
    let checks = market_quote::verify(&route, intent, known)?;
    let mut out = Out::object();
    out.text("kind", "market");
    out.raw("request", &intent.write());
    out.value("srcAmount", &route.src_amount);
    out.value("destAmount", &route.dest_amount);
    let amounts = [("srcAmountAfterFee", &route.src_after_fee), ("destAmountAfterFee", &route.dest_after_fee)];
    for (name, amount) in amounts {
        out.value_or_null(name, amount.as_ref());
    }
    for (name, text) in [
        ("srcUsd", route.src_usd),
        ("destUsd", route.dest_usd),
        ("gasCost", route.gas_cost),
        ("gasCostUsd", route.gas_cost_usd),
        ("partnerName", route.partner),
    ] {
        out.text_or_null(name, text);
    }
    out.number_or_null("feeBps", route.fee_bps());
    out.value("spender", &route.contract);
    out.text("contractMethod", route.method);
    out.flag("maxImpactReached", route.max_impact_reached);
    out.raw("fallbackReason", &fallback_reason(parts)?);
    // Documented as a member beside the route, seen inside it.
    let others = parts.json("others")?;
    let others =
        At::service(&others, "others").json().or(market.get("others")).map_or("null".into(), |json| json.write());
    out.raw("others", &others);
    let sentence = sentence::quote(intent, route.src_amount, route.dest_amount);
    out.raw("report", &report(&sentence, &checks, None));
    Ok(out)
}

/// Why it is not the gasless path.
fn fallback_reason(parts: &Parts<'_>) -> Result<String> {
    let reason = parts.json("fallbackReason")?;
    let at = At::service(&reason, "fallbackReason");
    if at.is_absent() {
        return Ok("null".into());
    }
    let mut out = Out::object();
    for name in ["errorType", "details"] {
        out.text_or_null(name, at.get(name).text().ok());
    }
    Ok(out.close())
}
