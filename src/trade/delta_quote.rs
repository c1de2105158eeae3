//! A gasless quote, as JavaScript sees it.

use super::seal::Parts;
use crate::domain::chain::{Contracts, Source};
use crate::domain::delta::price::Price;
use crate::domain::intent::Intent;
use crate::domain::sentence;
use crate::domain::verify::{self, report};
use crate::error::Result;
use crate::json::{At, Out, array, quoted};
use crate::wire;

/// The quote as JavaScript sees it, if the price in it is what was asked for; an object that is still open.
///
/// # Errors
/// VERIFY_MISMATCH, SERVICE_MALFORMED.
pub fn view(parts: &Parts<'_>, intent: &Intent, known: &(Contracts, Source)) -> Result<Out> {
    let delta = parts.json("delta")?;
    let price: Price<'_> = wire::quote::price(&At::service(&delta, "delta"), None)?;
    let checks = verify::delta_quote::verify(&price, intent, known)?;
    let (spent, received) = (&price.origin_input, &price.destination_output);
    let mut out = Out::object();
    out.text("kind", "delta");
    out.text_or_null("id", price.id);
    out.raw("request", &intent.write());
    out.value("srcAmount", &spent.amount);
    out.value("destAmount", &received.amount);
    out.text_or_null("srcUsd", spent.usd);
    out.text_or_null("destUsd", received.usd);
    match &price.gas {
        Some(gas) => {
            let mut fee = Out::object();
            fee.value("token", &gas.token);
            fee.value("amount", &gas.amount);
            fee.text_or_null("amountUsd", gas.usd);
            out.raw("gasFee", &fee.close());
        }
        None => out.raw("gasFee", "null"),
    }
    out.number_or_null("feeBps", price.fee_bps());
    out.text_or_null("partnerName", price.partner_name);
    out.value("spender", &price.spender);
    out.raw("bridge", &bridge(&price));
    let mut others = Vec::new();
    let count = At::service(&delta, "delta").get("alternatives").items().map_or(0, |all| all.len());
    for index in 0..count {
        let other = wire::quote::price(&At::service(&delta, "delta"), Some(index))?;
        let mut out = Out::object();
        out.value("srcAmount", &other.origin_input.amount);
        out.value("destAmount", &other.destination_output.amount);
        out.raw("bridge", &bridge(&other));
        others.push(out.close());
    }
    out.raw("alternatives", &array(&others));
    if let Some(twap) = &intent.twap {
        out.raw("twap", &twap.write(intent.amount));
    }
    let sentence = sentence::quote(intent, spent.amount, received.amount);
    out.raw("report", &report(&sentence, &checks, None));
    Ok(out)
}

/// How the tokens travel; `null` on one chain.
fn bridge(price: &Price<'_>) -> String {
    let Some(bridge) = &price.bridge else { return "null".into() };
    let mut out = Out::object();
    out.text("protocol", bridge.protocol);
    out.number_or_null("estimatedTimeMs", bridge.estimated_time_ms);
    let tags: Vec<String> = bridge.tags.iter().map(|tag| quoted(tag)).collect();
    out.raw("tags", &array(&tags));
    out.close()
}
