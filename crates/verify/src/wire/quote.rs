//! The delta block of a quote, from GET /v2/quote or GET /v2/delta/prices, and the reason why a quote has none
//! (docs/coverage.md has each member).
//!
//! Members that are compared with the request are read strictly. Costs in dollars, names and tags are only shown: in
//! another form they are left out, and the price still counts.

use crate::domain::decimal::scaled;
use crate::domain::delta::price::{Bridge, BridgeParams, Leg, Price};
use crate::domain::fields::Fields;
use crate::domain::input::optional;
use crate::domain::product::product;
use crate::domain::side::Side;
use crate::error::Result;
use crate::json::{Json, JsonAt};
use crate::value::amount::div_rem;
use alloy_primitives::Address;

/// The number of a price's `alternatives` that may be chosen. Each is verified, so their number is bounded.
pub const MAX_ALTERNATIVES: usize = 64;

/// The number of a bridge's tags that are read.
const MAX_TAGS: usize = 32;

/// Reads a delta block with its own route, or with the route at index `alternative` of its `alternatives`.
///
/// # Errors
/// The error names the member that is missing or malformed; `alternatives` if there is no such route.
pub fn read_price<'a>(delta: &JsonAt<'a>, alternative: Option<usize>) -> Result<Price<'a>> {
    let mut price = read_route(delta, alternative)?;
    price.spender = Some(delta.get("spender").address()?);
    Ok(price)
}

/// Reads a price as another SDK passes it on: a delta block, which may lack `spender`, or the flat form of the older
/// interface, `{ srcToken, destToken, srcAmount, destAmount, .. }`, which names no chain and here is of `chain_id`.
///
/// # Errors
/// The error names the member that is missing or malformed; `bridgeInfo` for a flat price across chains.
pub fn read_passed_price<'a>(at: &JsonAt<'a>, alternative: Option<usize>, chain_id: u64) -> Result<Price<'a>> {
    if at.get("route").is_absent() && !at.get("srcAmount").is_absent() {
        return read_flat(at, chain_id);
    }
    let mut price = read_route(at, alternative)?;
    price.spender = optional(&at.get("spender"), JsonAt::address)?;
    Ok(price)
}

/// Reads the flat form of a price on one chain: the amounts that an SDK builds from. By their names `destAmount` is
/// net of the fee (SELL), and `srcAmount` includes it (BUY). It is undocumented when the contract takes the fee, so
/// that of a SELL is deducted again. The amounts before the fee bound nothing.
fn read_flat<'a>(at: &JsonAt<'a>, chain_id: u64) -> Result<Price<'a>> {
    if let Some(bridge) = at.get("bridgeInfo").some() {
        return Err(bridge.fault("a price on one chain: of a flat one across chains it cannot be told what arrives"));
    }
    let leg = |token, amount, usd| {
        Ok(Leg {
            chain_id,
            token: at.get(token).address()?,
            amount: at.get(amount).uint()?,
            usd: at.get(usd).number_or_text(),
        })
    };
    let (input, output) = (leg("srcToken", "srcAmount", "srcUSD")?, leg("destToken", "destAmount", "destUSD")?);
    let gas_usd = at.get("gasCostUSD").number_or_text();
    // The token of `gasCost` is undocumented: by its dollars it is a part of the given amount.
    let gas = gas_usd.and_then(scaled).zip(input.usd.and_then(scaled)).and_then(|(gas, all)| {
        let (amount, _) = div_rem(product(&[&input.amount, &gas]).number()?, all)?;
        Some(Leg { amount, usd: None, ..input })
    });
    Ok(Price {
        origin_input: input,
        origin_output: output,
        destination_input: output,
        destination_output: output,
        gas,
        gas_usd,
        partner_name: at.get("partner").text().ok(),
        fee_percent: at.get("partnerFee").number_or_text(),
        ..Price::default()
    })
}

/// Reads a delta block but for its `spender`.
fn read_route<'a>(delta: &JsonAt<'a>, alternative: Option<usize>) -> Result<Price<'a>> {
    let mut route = delta.get("route");
    if let Some(index) = alternative {
        let others = delta.get("alternatives");
        let place = others.items()?.take(MAX_ALTERNATIVES).nth(index);
        route = place.ok_or_else(|| others.fault("another route of that index"))?;
    }
    let (mut price, partner) = (Price::default(), delta.get("partner"));
    price.id = delta.get("id").text().ok();
    // Only shown: a gas block in another form is no reason to refuse a price.
    let fees = route.get("fees");
    price.gas = leg(&fees.get("gas")).ok();
    price.gas_usd = fees.get("gas").get("amountUSD").number_or_text();
    for fee in fees.get("bridge").items().into_iter().flatten() {
        price.bridge_usd.extend(fee.get("amountUSD").number_or_text());
    }
    price.partner_name = partner.get("name").text().ok();
    price.fee_percent = partner.get("feePercent").number_or_text();
    let mut fields = Fields::of(delta);
    fields.optional("side", Side::read_reported, &mut price.side);
    fields.optional("inputToken", token, &mut price.input_token);
    fields.optional("outputToken", token, &mut price.output_token);
    fields.finish()?;
    legs(&route.get("origin"), &mut price.origin_input, &mut price.origin_output)?;
    legs(&route.get("destination"), &mut price.destination_input, &mut price.destination_output)?;
    price.bridge = optional(&route.get("bridge"), bridge)?;
    Ok(price)
}

/// Reads input and output of one chain's part of a route.
fn legs<'a>(at: &JsonAt<'a>, input: &mut Leg<'a>, output: &mut Leg<'a>) -> Result<()> {
    let mut fields = Fields::of(at);
    fields.required("input", leg, input);
    fields.required("output", leg, output);
    fields.finish()
}

/// Reads the bridge between both parts of a trade across chains.
fn bridge<'a>(at: &JsonAt<'a>) -> Result<Bridge<'a>> {
    let mut tags = Vec::new();
    if let Ok(items) = at.get("tags").items() {
        for item in items.take(MAX_TAGS) {
            tags.extend(item.json().and_then(Json::as_text));
        }
    }
    Ok(Bridge {
        protocol: at.get("protocol").text().unwrap_or_default(),
        estimated_time_ms: at.get("estimatedTimeMs").integer(u64::MAX).ok(),
        tags,
        params: optional(&at.get("contractParams"), BridgeParams::read)?,
    })
}

/// Reads an amount of a token on a chain.
fn leg<'a>(at: &JsonAt<'a>) -> Result<Leg<'a>> {
    let (chain_id, token) = token(&at.get("token"))?;
    Ok(Leg { chain_id, token, amount: at.get("amount").uint()?, usd: at.get("amountUSD").number_or_text() })
}

/// Reads a token with the id of its chain.
fn token(at: &JsonAt<'_>) -> Result<(u64, Address)> {
    Ok((at.get("chainId").integer(u64::MAX)?, at.get("address").address()?))
}

/// The reason why a quote has no delta block, in the service's words: `errorType` and `details` of its
/// `fallbackReason`. `None` if it gives no reason.
pub fn fallback_reason(answer: &Json) -> Option<(Option<String>, Option<String>)> {
    let reason = answer.get("fallbackReason")?;
    let text = |name: &str| reason.get(name).and_then(Json::as_text).map(String::from);
    Some((text("errorType"), text("details")))
}
