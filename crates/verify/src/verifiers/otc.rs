//! `verifyOtc`: a maker's OTC order from another source, against the maker's request.

use super::given::Given;
use super::typed_data::{View, check_typed_data};
use crate::domain::chain::Protocol;
use crate::domain::intent::Defaults;
use crate::domain::otc::order::{self, has_expired};
use crate::domain::otc::request::Request;
use crate::domain::sentence::otc as sentence;
use crate::domain::verify::{Checks, report};
use crate::error::Result;
use crate::json::Json;
use crate::value::amount::parse_uint;
use crate::value::text::ToText;
use alloy_primitives::U256;

/// Verifies `{ request, toSign, orderHash?, readings? }`. The nonce is the payload's own, unless the request names one.
/// `machine` is unix seconds by this machine's clock. Returns the report as JSON text.
///
/// # Errors
/// INVALID_INPUT with the member; VERIFY_MISMATCH with the first that differs; SERVICE_MALFORMED; UNSUPPORTED_CHAIN.
pub fn verify_otc(input: &Json, machine: u64) -> Result<String> {
    let mut given = Given::read(input, &["toSign", "orderHash"], &["makerDecimals", "takerDecimals"], machine)?;
    let at = given.request();
    let mut request = Request::read(&at, &Defaults::default())?;
    let Some(maker) = request.maker else { return Err(at.get("maker").fault("the account that signs")) };
    if has_expired(U256::from(request.expiry), U256::from(given.now)) {
        return Err(at.get("expiry").fault(&["unix seconds from ", &given.now.text(), " on, or 0"].concat()));
    }
    let unread = [request.chain_id];
    request.maker_asset.note_unread(&unread);
    request.taker_asset.note_unread(&unread);
    given.settle_token("makerDecimals", "request.makerDecimals", &mut request.maker_asset)?;
    given.settle_token("takerDecimals", "request.takerDecimals", &mut request.taker_asset)?;
    let deployment = given.deployment(request.chain_id, Protocol::Otc)?;
    let to_sign = given.to_sign()?;
    let payload = View::of(&to_sign)?;
    let stated = payload.value("nonceAndMeta").and_then(|text| parse_uint(text).ok()).unwrap_or_default();
    let nonce = request.nonce.unwrap_or_else(|| stated.wrapping_shr(160));
    let order = request.order(maker, nonce);
    let mut checks = Checks::default();
    let domain = order::domain(request.chain_id, deployment.contracts.rfq);
    let typed = check_typed_data(&mut checks, "order", (&domain, &order), &payload)?;
    if let Some(hash) = given.at.get("orderHash").some() {
        checks.same("orderHash", &typed.digest.digest, &hash.fixed::<32>().map(alloy_primitives::B256::from)?);
    }
    checks.note_decimals("request.makerDecimals", &request.maker_asset);
    checks.note_decimals("request.takerDecimals", &request.taker_asset);
    for name in ["balance", "allowance"] {
        given.leave_unread(name);
    }
    let sentence = sentence::offer(&request);
    let checks = checks.finish()?;
    Ok(given.finish_signed(&report(&sentence, &checks, Some(&typed)), &typed.text))
}
