//! Market's price route, from GET /prices or the market block of GET /v2/quote, and the transaction that
//! POST /transactions/{chainId} builds from it (docs/coverage.md has each member).

use crate::domain::fields::Fields;
use crate::domain::market::route::PriceRoute;
use crate::domain::side::Side;
use crate::domain::verify::market_transaction::Envelope;
use crate::error::Result;
use crate::json::JsonAt;

/// Reads a price route. Amounts and addresses are read strictly; dollar values, gas costs and the partner's share are
/// shown as they came, or not at all.
///
/// # Errors
/// The error names the member that is missing or malformed.
pub fn read_route<'a>(at: &JsonAt<'a>) -> Result<PriceRoute<'a>> {
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
    fields.required("srcToken", JsonAt::address, &mut route.src_token);
    fields.required("destToken", JsonAt::address, &mut route.dest_token);
    fields.required("srcAmount", JsonAt::uint, &mut route.src_amount);
    fields.required("destAmount", JsonAt::uint, &mut route.dest_amount);
    fields.optional("srcAmountAfterFee", JsonAt::uint, &mut route.src_with_fee);
    fields.optional("destAmountAfterFee", JsonAt::uint, &mut route.dest_after_fee);
    fields.required("side", Side::read_reported, &mut route.side);
    fields.required("version", version, &mut route.version);
    fields.required("contractAddress", JsonAt::address, &mut route.contract);
    fields.optional("tokenTransferProxy", JsonAt::address, &mut route.proxy);
    fields.required("contractMethod", JsonAt::text, &mut route.method);
    fields.finish()?;
    Ok(route)
}

/// Reads a chain id.
fn chain(at: &JsonAt<'_>) -> Result<u64> {
    at.integer(u64::MAX)
}

/// Reads the router's version, a string or a number.
fn version<'a>(at: &JsonAt<'a>) -> Result<&'a str> {
    at.number_or_text().ok_or_else(|| at.fault("a version"))
}

/// Reads the transaction. The service's gas limit and gas prices are not read: the wallet chooses its own.
///
/// # Errors
/// The error names the member that is missing or malformed.
pub fn read_envelope(at: &JsonAt<'_>) -> Result<Envelope> {
    let mut envelope = Envelope::default();
    let mut fields = Fields::of(at);
    fields.required("from", JsonAt::address, &mut envelope.from);
    fields.required("to", JsonAt::address, &mut envelope.to);
    fields.optional("value", JsonAt::uint, &mut envelope.value);
    fields.required("data", JsonAt::bytes, &mut envelope.data);
    fields.optional("chainId", chain, &mut envelope.chain_id);
    fields.finish()?;
    Ok(envelope)
}
