//! The view of a Market quote for the app, after its route was compared with the request.

use crate::flows::quote::fields::{Judge, QuoteFields};
use verify::internal::domain::chain::Deployment;
use verify::internal::domain::intent::Intent;
use verify::internal::domain::verify::{Checks, market_quote};
use verify::internal::error::Result;
use verify::internal::json::{Json, JsonAt, ObjectWriter};
use verify::internal::wire::price_route;

/// Writes the members of a `MarketQuote`, if the route in the block `market` answers the request. Refuses other tokens,
/// amounts, chains or fees, another router, and a loss beyond the limit. `answer` is the object that contains the
/// block.
///
/// # Errors
/// VERIFY_MISMATCH with the first such member; SERVICE_MALFORMED if the route cannot be read.
pub fn write_view(
    market: &JsonAt<'_>,
    answer: &JsonAt<'_>,
    intent: &Intent,
    (deployment, judge): (&Deployment, Option<Judge>),
    out: &mut ObjectWriter,
) -> Result<()> {
    let route = price_route::read_route(market)?;
    let intent = &intent.arriving_as(route.dest_token);
    let checks = market_quote::verify(&route, intent, deployment, Checks::default())?;
    let amounts = [("srcAmountAfterFee", &route.src_with_fee), ("destAmountAfterFee", &route.dest_after_fee)];
    for (name, amount) in amounts {
        out.value_or_null(name, amount.as_ref());
    }
    out.text_or_null("gasCost", route.gas_cost);
    out.text_or_null("gasCostUsd", route.gas_cost_usd);
    out.text("contractMethod", route.method);
    out.flag("maxImpactReached", route.max_impact_reached);
    out.raw("fallbackReason", &fallback_reason(&answer.get("fallbackReason")));
    // Documented beside the route, in practice inside it.
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
        reference: answer.get("reference"),
        price: None,
    };
    fields.write(intent, judge, out)
}

/// Why the service answered with a Market route although both were requested, as JSON text; `null` if it gives no
/// reason.
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
