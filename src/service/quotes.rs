//! GET /v2/quote (service, 4.3).

use super::call::{Call, call};
use super::query::query;
use crate::client::Shared;
use crate::domain::address::checksummed;
use crate::domain::intent::Intent;
use crate::domain::market::price_options;
use crate::domain::text::ToText;
use crate::domain::token::{NATIVE_TEXT, is_native};
use crate::error::Result;
use crate::host::Host;
use crate::json::At;
use alloy_primitives::Address;

/// Asks for a price on the paths that the intent leaves open, or for a Delta price with more parameters; returns the
/// answer's text, and whether it is the bare Delta block.
///
/// # Errors
/// Those of [`call`].
pub async fn quote<H: Host>(shared: &Shared<H>, intent: &Intent, signal: &H::Signal) -> Result<(String, bool)> {
    let token = |token: Address| Some(if is_native(token) { NATIVE_TEXT.into() } else { checksummed(token) });
    let options = &intent.pricing.delta;
    let mut members = vec![
        ("chainId", Some(intent.chain_id.text())),
        ("srcToken", token(intent.src.address)),
        ("destToken", token(intent.dest.address)),
        ("amount", Some(intent.priced_amount().text())),
        ("srcDecimals", Some(intent.src.decimals.text())),
        ("destDecimals", Some(intent.dest.decimals.text())),
        ("mode", options.is_none().then(|| intent.pricing.mode.name().into())),
        ("side", Some(intent.side.name().into())),
        ("userAddress", intent.account.map(checksummed)),
        ("beneficiary", intent.beneficiary.map(checksummed)),
        ("partner", Some(intent.partner.clone())),
        ("partnerFeeBps", intent.partner_fee_bps.map(|bps| bps.text())),
        ("maxImpact", intent.pricing.max_impact_percent.clone()),
        ("maxUSDImpact", intent.pricing.max_usd_impact.clone()),
        ("destChainId", intent.is_crosschain().then(|| intent.dest_chain_id.text())),
    ];
    let mut path = "/v2/quote";
    if let Some(options) = options {
        members.extend(price_options::query(&At::input(options, "request.delta"), &price_options::DELTA)?);
        path = "/v2/delta/prices";
    }
    let path = [path, &query(&members)].concat();
    Ok((call(shared, Call { name: "quote", path, body: None }, signal).await?, options.is_some()))
}
