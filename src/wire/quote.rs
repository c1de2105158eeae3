//! The answer of GET /v2/quote, and the delta block in it (service, 2.3 and 4.3).

use crate::domain::delta::price::{BRIDGE_PARAMS, Bridge, Leg, Price};
use crate::domain::input::optional;
use crate::domain::side::Side;
use crate::domain::typed_struct::TypedStruct;
use crate::error::Result;
use crate::json::{At, Json};
use alloy_primitives::Address;

/// Reads a delta block, with its own route or another of its `alternatives`.
///
/// # Errors
/// Names the member that is missing or not as it must be.
pub fn price<'a>(delta: &At<'a>, alternative: Option<usize>) -> Result<Price<'a>> {
    let mut route = delta.get("route");
    if let Some(index) = alternative {
        let others = delta.get("alternatives");
        route = others.items()?.nth(index).ok_or_else(|| others.fault("another route of that index"))?;
    }
    let (origin, destination) = (route.get("origin"), route.get("destination"));
    let partner = delta.get("partner");
    Ok(Price {
        id: delta.get("id").text().ok(),
        side: optional(&delta.get("side"), Side::read)?,
        input_token: token(&delta.get("inputToken"))?,
        output_token: token(&delta.get("outputToken"))?,
        origin_input: leg(&origin.get("input"))?,
        origin_output: leg(&origin.get("output"))?,
        destination_input: leg(&destination.get("input"))?,
        destination_output: leg(&destination.get("output"))?,
        bridge: route.get("bridge").some().map(|at| bridge(&at)).transpose()?,
        // Shown only: a gas block of another shape is no reason to refuse a price.
        gas: leg(&route.get("fees").get("gas")).ok(),
        spender: delta.get("spender").address()?,
        partner_name: partner.get("name").text().ok(),
        fee_percent: partner.get("feePercent").number_or_text(),
    })
}

fn bridge<'a>(at: &At<'a>) -> Result<Bridge<'a>> {
    let tags = at.get("tags");
    let params = at.get("contractParams").some().map(|at| TypedStruct::read(BRIDGE_PARAMS, &at));
    Ok(Bridge {
        protocol: at.get("protocol").text().unwrap_or_default(),
        estimated_time_ms: at.get("estimatedTimeMs").integer(u64::MAX).ok(),
        tags: tags.items().map(|all| all.filter_map(|tag| tag.text().ok()).collect()).unwrap_or_default(),
        params: params.transpose()?,
    })
}

fn leg<'a>(at: &At<'a>) -> Result<Leg<'a>> {
    let token = at.get("token");
    Ok(Leg {
        chain_id: token.get("chainId").integer(u64::MAX)?,
        token: token.get("address").address()?,
        amount: at.get("amount").uint()?,
        usd: at.get("amountUSD").number_or_text(),
    })
}

fn token(at: &At<'_>) -> Result<Option<(u64, Address)>> {
    let read = |at: At<'_>| Ok((at.get("chainId").integer(u64::MAX)?, at.get("address").address()?));
    at.some().map(read).transpose()
}

/// Why there is no delta block: `fallbackReason`, as (errorType, details).
pub fn fallback_reason(answer: &Json) -> Option<(Option<String>, Option<String>)> {
    let reason = answer.get("fallbackReason")?;
    let text = |name: &str| reason.get(name).and_then(Json::as_text).map(String::from);
    Some((text("errorType"), text("details")))
}
