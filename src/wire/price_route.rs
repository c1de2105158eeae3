//! The price route of GET /prices and of GET /v2/quote's market block, and the transaction built from it (service, 2.1
//! and 2.2).

use crate::domain::fields::Fields;
use crate::domain::market::route::PriceRoute;
use crate::domain::side::Side;
use crate::domain::verify::market_transaction::Envelope;
use crate::error::Result;
use crate::json::At;

/// Reads a price route.
///
/// # Errors
/// Names the member that is missing or not as it must be.
pub fn route<'a>(at: &At<'a>) -> Result<PriceRoute<'a>> {
    let shown = |name| at.get(name).number_or_text();
    let (mut route, mut fields) = (PriceRoute::default(), Fields::of(at));
    route.gas_cost = shown("gasCost");
    route.gas_cost_usd = shown("gasCostUSD");
    route.src_usd = shown("srcUSD");
    route.dest_usd = shown("destUSD");
    route.partner = at.get("partner").text().ok();
    route.partner_fee = shown("partnerFee");
    route.max_impact_reached = at.get("maxImpactReached").bool().unwrap_or(false);
    fields.required("network", chain, &mut route.network);
    fields.required("srcToken", At::address, &mut route.src_token);
    fields.required("destToken", At::address, &mut route.dest_token);
    fields.required("srcAmount", At::uint, &mut route.src_amount);
    fields.required("destAmount", At::uint, &mut route.dest_amount);
    fields.optional("srcAmountAfterFee", At::uint, &mut route.src_after_fee);
    fields.optional("destAmountAfterFee", At::uint, &mut route.dest_after_fee);
    fields.required("side", Side::read, &mut route.side);
    fields.required("version", version, &mut route.version);
    fields.required("contractAddress", At::address, &mut route.contract);
    fields.optional("tokenTransferProxy", At::address, &mut route.proxy);
    fields.required("contractMethod", At::text, &mut route.method);
    fields.finish()?;
    Ok(route)
}

fn chain(at: &At<'_>) -> Result<u64> {
    at.integer(u64::MAX)
}

fn version<'a>(at: &At<'a>) -> Result<&'a str> {
    at.number_or_text().ok_or_else(|| at.fault("a version"))
}

/// Reads the envelope. Its gas and gas prices are not read: they are the wallet's business.
///
/// # Errors
/// Names the member that is missing or not as it must be.
pub fn envelope(at: &At<'_>) -> Result<Envelope> {
    let mut envelope = Envelope::default();
    let mut fields = Fields::of(at);
    fields.required("from", At::address, &mut envelope.from);
    fields.required("to", At::address, &mut envelope.to);
    fields.optional("value", At::uint, &mut envelope.value);
    fields.required("data", At::bytes, &mut envelope.data);
    fields.optional("chainId", chain, &mut envelope.chain_id);
    fields.finish()?;
    Ok(envelope)
}
