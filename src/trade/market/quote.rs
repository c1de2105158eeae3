//! A Market quote, as JavaScript sees it.

use crate::domain::chain::Deployment;
use crate::domain::intent::Intent;
use crate::domain::verify::market_quote;
use crate::error::Result;
use crate::json::{Json, JsonAt, ObjectWriter};
use crate::trade::quote::fields::QuoteFields;
use crate::wire::price_route;

/// Writes the quote, if the route is what was asked for. `answer` is what it stands in.
///
/// # Errors
/// VERIFY_MISMATCH, SERVICE_MALFORMED.
pub fn write_view(
    market: &JsonAt<'_>,
    answer: &JsonAt<'_>,
    intent: &Intent,
    deployment: &Deployment,
    out: &mut ObjectWriter,
) -> Result<()> {
    let route = price_route::route(market)?;
    let intent = &intent.arriving_as(route.dest_token);
    let checks = market_quote::verify(&route, intent, deployment)?;
    let amounts = [("srcAmountAfterFee", &route.src_after_fee), ("destAmountAfterFee", &route.dest_after_fee)];
    for (name, amount) in amounts {
        out.value_or_null(name, amount.as_ref());
    }
    out.text_or_null("gasCost", route.gas_cost);
    out.text_or_null("gasCostUsd", route.gas_cost_usd);
    out.text("contractMethod", route.method);
    out.flag("maxImpactReached", route.max_impact_reached);
    out.raw("fallbackReason", &fallback_reason(&answer.get("fallbackReason")));
    // Documented as a member beside the route, seen inside it.
    let others = answer.get("others").json().or(market.get("others").json());
    out.raw("others", &others.map_or("null".into(), Json::write));
    let fields = QuoteFields {
        src_amount: &route.src_amount,
        dest_amount: &route.dest_amount,
        usd: [route.src_usd, route.dest_usd],
        fee_bps: route.fee_bps().map(|_| route.most_fee(intent)),
        partner: route.partner,
        spender: &route.contract,
        checks: &checks,
    };
    fields.write(intent, out);
    Ok(())
}

/// Why it is not the gasless path.
fn fallback_reason(at: &JsonAt<'_>) -> String {
    if at.is_absent() {
        return "null".into();
    }
    let mut out = ObjectWriter::object();
    for name in ["errorType", "details"] {
        out.text_or_null(name, at.get(name).text().ok());
    }
    out.close()
}
