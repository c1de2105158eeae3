//! The price route of GET /prices and of GET /v2/quote's market block, and the transaction built from it (service, 2.1
//! and 2.2).

use crate::domain::input::optional;
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
    let amount = |name| optional(&at.get(name), |at| at.uint());
    let version = at.get("version");
    Ok(PriceRoute {
        network: at.get("network").integer(u64::MAX)?,
        src_token: at.get("srcToken").address()?,
        dest_token: at.get("destToken").address()?,
        src_amount: at.get("srcAmount").uint()?,
        dest_amount: at.get("destAmount").uint()?,
        src_after_fee: amount("srcAmountAfterFee")?,
        dest_after_fee: amount("destAmountAfterFee")?,
        side: Side::read(&at.get("side"))?,
        version: version.number_or_text().ok_or_else(|| version.fault("a version"))?,
        contract: at.get("contractAddress").address()?,
        proxy: optional(&at.get("tokenTransferProxy"), |at| at.address())?,
        method: at.get("contractMethod").text()?,
        gas_cost: at.get("gasCost").number_or_text(),
        gas_cost_usd: at.get("gasCostUSD").number_or_text(),
        src_usd: at.get("srcUSD").number_or_text(),
        dest_usd: at.get("destUSD").number_or_text(),
        partner: at.get("partner").text().ok(),
        partner_fee: at.get("partnerFee").number_or_text(),
        max_impact_reached: at.get("maxImpactReached").bool().unwrap_or(false),
    })
}

/// Reads the envelope. Its gas and gas prices are not read: they are the wallet's business.
///
/// # Errors
/// Names the member that is missing or not as it must be.
pub fn envelope(at: &At<'_>) -> Result<Envelope> {
    Ok(Envelope {
        from: at.get("from").address()?,
        to: at.get("to").address()?,
        value: optional(&at.get("value"), |at| at.uint())?.unwrap_or_default(),
        data: at.get("data").bytes()?,
        chain_id: optional(&at.get("chainId"), |at| at.integer(u64::MAX))?,
    })
}
