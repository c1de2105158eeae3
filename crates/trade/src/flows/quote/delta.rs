//! The view of a Delta quote for the app. The members come from the service's `delta` block, in whatever order it
//! states them; the price in it is compared with the request first ("A quote against the request" in
//! docs/verification.md).

use crate::flows::quote::fields::{Judge, QuoteFields};
use verify::internal::domain::chain::Deployment;
use verify::internal::domain::delta::bridge_terms::BridgeTerms;
use verify::internal::domain::delta::price::Price;
use verify::internal::domain::delta::terms::Terms;
use verify::internal::domain::intent::Intent;
use verify::internal::domain::verify::{Checks, delta_quote};
use verify::internal::error::Result;
use verify::internal::json::{JsonAt, ObjectWriter, array, quoted};
use verify::internal::wire;
use verify::internal::wire::quote::MAX_ALTERNATIVES;

/// Writes the members of a `DeltaQuote` (for a TWAP request, those of one slice), if the price in the `delta` block
/// answers the request. `reference` has the sealed reference prices. Refuses another token, amount, chain, fee or
/// spender, and a loss beyond the limit.
///
/// # Errors
/// VERIFY_MISMATCH with the first such member; SERVICE_MALFORMED if the block cannot be read.
pub fn write_view(
    delta: &JsonAt<'_>,
    reference: JsonAt<'_>,
    intent: &Intent,
    (deployment, judge): (&Deployment, Option<Judge>),
    out: &mut ObjectWriter,
) -> Result<()> {
    let price = wire::quote::read_price(delta, None)?;
    let intent = &intent.arriving_as(price.destination_output.token);
    let checks = delta_quote::verify(&price, intent, deployment, Checks::default())?;
    let (spent, received) = (&price.origin_input, &price.destination_output);
    out.text_or_null("id", price.id);
    let mut gas_fee = String::from("null");
    if let Some(gas) = &price.gas {
        let mut fee = ObjectWriter::object();
        fee.value("token", &gas.token);
        fee.value("amount", &gas.amount);
        fee.text_or_null("amountUsd", gas.usd);
        gas_fee = fee.close();
    }
    out.raw("gasFee", &gas_fee);
    out.raw("bridge", &bridge(&price));
    write_bridge_input(&price, intent, out);
    let mut others = Vec::new();
    let count = delta.get("alternatives").items().map_or(0, |all| all.len()).min(MAX_ALTERNATIVES);
    for index in 0..count {
        let other = wire::quote::read_price(delta, Some(index))?;
        let mut out = ObjectWriter::object();
        out.value("srcAmount", &other.origin_input.amount);
        out.value("destAmount", &other.destination_output.amount);
        out.raw("bridge", &bridge(&other));
        write_bridge_input(&other, intent, &mut out);
        others.push(out.close());
    }
    out.raw("alternatives", &array(&others));
    if let Some(twap) = &intent.twap {
        out.raw("twap", &twap.write(intent.amount));
    }
    let spender = price.spender.unwrap_or_default();
    let fields = QuoteFields {
        src_amount: &spent.amount,
        dest_amount: &received.amount,
        usd: [spent.usd, received.usd],
        fee_bps: price.fee_bps(),
        partner: price.partner_name,
        spender: &spender,
        checks: &checks,
        reference,
        price: Some(&price),
    };
    fields.write(intent, judge, out)
}

/// Writes `arrival` (whether the destination amount is guaranteed or promised) and `bridgeInput` (the token that enters
/// the bridge, and its amount in raw units); both `null` on one chain.
fn write_bridge_input(price: &Price<'_>, intent: &Intent, out: &mut ObjectWriter) {
    let bridge = BridgeTerms::of(intent, &Terms::default(), price, 0);
    out.text_or_null("arrival", bridge.as_ref().map(BridgeTerms::arrival));
    let mut bridge_input = ObjectWriter::object();
    if let Some(bridge) = &bridge {
        bridge_input.value("token", &bridge.bridge_input.address);
        bridge_input.value("amount", &price.origin_output.amount);
    }
    out.raw("bridgeInput", &if bridge.is_some() { bridge_input.close() } else { "null".into() });
}

/// The bridge of a route as JSON text: its protocol, its estimate in milliseconds, its tags; `null` on one chain.
fn bridge(price: &Price<'_>) -> String {
    let Some(bridge) = &price.bridge else { return "null".into() };
    let mut tags = Vec::new();
    for tag in &bridge.tags {
        tags.push(quoted(tag));
    }
    let mut out = ObjectWriter::object();
    out.text("protocol", bridge.protocol);
    out.number_or_null("estimatedTimeMs", bridge.estimated_time_ms);
    out.raw("tags", &array(&tags));
    out.close()
}
