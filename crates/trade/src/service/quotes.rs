//! GET /v2/quote, and GET /v2/delta/prices for a Delta price with further parameters (docs/coverage.md has each of
//! them).

use super::call::{ServiceRequest, call};
use super::query::Query;
use crate::client::Shared;
use crate::host::Host;
use verify::internal::domain::intent::Intent;
use verify::internal::domain::price_options;
use verify::internal::error::Result;
use verify::internal::json::JsonAt;

/// Requests a price: on the paths that the intent's mode allows, or, if it has options for Delta, for a Delta price
/// alone. Returns the answer's text, and `true` if that is the bare Delta block instead of `{ delta | market }`.
///
/// # Errors
/// The errors of [`call`].
pub async fn quote<H: Host>(shared: &Shared<H>, intent: &Intent, signal: &H::Signal) -> Result<(String, bool)> {
    let (query, path) = query(intent)?;
    let call = call(shared, ServiceRequest { name: "quote", path: query.behind(path), body: None }, signal);
    Ok((call.await?, intent.pricing.delta.is_some()))
}

/// The query, and the endpoint's path.
fn query(intent: &Intent) -> Result<(Query, &'static str)> {
    let mut query = Query::default();
    query.put("chainId", &intent.chain_id);
    // In EIP-55 casing: the service refuses the native token's placeholder in any other.
    query.put("srcToken", &intent.src.address);
    query.put("destToken", &intent.dest.address);
    query.put("amount", &intent.priced_amount());
    query.put("srcDecimals", &intent.src.decimals);
    query.put("destDecimals", &intent.dest.decimals);
    if intent.pricing.delta.is_none() {
        query.put("mode", &intent.pricing.mode.name());
    }
    query.put("side", &intent.side.name());
    query.maybe("userAddress", &intent.account);
    query.maybe("beneficiary", &intent.beneficiary);
    query.put("partner", &intent.partner);
    query.maybe("partnerFeeBps", &intent.partner_fee_bps);
    query.maybe("maxImpact", &intent.pricing.max_impact_percent);
    query.maybe("maxUSDImpact", &intent.pricing.max_usd_impact);
    if intent.is_crosschain() {
        query.put("destChainId", &intent.dest_chain_id);
    }
    let Some(options) = &intent.pricing.delta else { return Ok((query, "/v2/quote")) };
    query.all(&price_options::query(&JsonAt::input(options, "request.advanced.delta"), &price_options::DELTA)?);
    Ok((query, "/v2/delta/prices"))
}
