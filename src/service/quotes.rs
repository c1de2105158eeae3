//! GET /v2/quote (service, 4.3).

use super::call::{ServiceRequest, call};
use super::query::Query;
use crate::client::Shared;
use crate::domain::intent::Intent;
use crate::domain::market::price_options;
use crate::error::Result;
use crate::host::Host;
use crate::json::JsonAt;

/// Asks for a price on the paths that the intent leaves open, or for a Delta price with more parameters; returns the
/// answer's text, and whether it is the bare Delta block.
///
/// # Errors
/// Those of [`call`].
pub async fn quote<H: Host>(shared: &Shared<H>, intent: &Intent, signal: &H::Signal) -> Result<(String, bool)> {
    let (query, path) = query(intent)?;
    let call = call(shared, ServiceRequest { name: "quote", path: query.behind(path), body: None }, signal);
    Ok((call.await?, intent.pricing.delta.is_some()))
}

fn query(intent: &Intent) -> Result<(Query, &'static str)> {
    let mut query = Query::default();
    query.put("chainId", &intent.chain_id);
    // The native coin's checksum casing is the one the service takes.
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
    query.all(&price_options::query(&JsonAt::input(options, "request.delta"), &price_options::DELTA)?);
    Ok((query, "/v2/delta/prices"))
}
