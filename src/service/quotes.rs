//! GET /v2/quote (service, 4.3).

use super::call::{Call, call};
use super::query::query;
use crate::domain::address::checksummed;
use crate::domain::intent::Intent;
use crate::domain::text::ToText;
use crate::domain::token::{NATIVE_TEXT, is_native};
use crate::error::Result;
use crate::host::Host;
use crate::trade::Shared;
use alloy_primitives::Address;

/// Asks for a price on the paths that the intent leaves open; returns the answer's text.
///
/// # Errors
/// Those of [`call`].
pub async fn quote<H: Host>(shared: &Shared<H>, intent: &Intent, signal: &H::Signal) -> Result<String> {
    let token = |token: Address| Some(if is_native(token) { NATIVE_TEXT.into() } else { checksummed(token) });
    let query = query(&[
        ("chainId", Some(intent.chain_id.text())),
        ("srcToken", token(intent.src.address)),
        ("destToken", token(intent.dest.address)),
        ("amount", Some(intent.priced_amount().text())),
        ("srcDecimals", Some(intent.src.decimals.text())),
        ("destDecimals", Some(intent.dest.decimals.text())),
        ("mode", Some(intent.pricing.mode.name().into())),
        ("side", Some(intent.side.name().into())),
        ("userAddress", intent.account.map(checksummed)),
        ("beneficiary", intent.beneficiary.map(checksummed)),
        ("partner", Some(intent.partner.clone())),
        ("partnerFeeBps", intent.partner_fee_bps.map(|bps| bps.text())),
        ("maxImpact", intent.pricing.max_impact_percent.clone()),
        ("maxUSDImpact", intent.pricing.max_usd_impact.clone()),
    ]);
    call(shared, Call { name: "quote", path: ["/v2/quote", &query].concat(), body: None }, signal).await
}
