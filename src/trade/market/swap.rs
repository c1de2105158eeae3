//! Price and transaction in one request.

use super::build::{Built, excludes, verified};
use crate::client::Client;
use crate::domain::chain::Path;
use crate::domain::intent::Intent;
use crate::domain::market::price_options;
use crate::domain::market::terms::MarketTerms;
use crate::domain::pricing::Mode;
use crate::error::Result;
use crate::host::Host;
use crate::json::{At, Json};
use crate::service::market;
use crate::trade::build::{bounded, chain_clock, owner};
use crate::trade::contracts::contracts;
use crate::trade::seal::Parts;
use crate::wallet::reads::{Chain, Read};

/// Prices, builds and verifies a Market trade at once. Returns the build as JavaScript sees it. Nobody has seen a price
/// before: the options say how little is too little, or how much too much.
///
/// # Errors
/// INVALID_INPUT, VERIFY_MISMATCH, and those of the service.
pub async fn swap<H: Host>(client: &Client<H>, request: &Json, options: &Json, signal: &H::Signal) -> Result<String> {
    let shared = &client.shared;
    let place = At::input(request, "request");
    let mut intent = Intent::read(&place, &client.defaults())?;
    if intent.pricing.mode != Mode::Market {
        return Err(place.get("mode").fault("MARKET"));
    }
    let at = At::input(options, "options");
    let terms = MarketTerms::read(&at)?;
    excludes(&at, &terms, &intent)?;
    bounded(&at, intent.side, "nobody has seen this price yet")?;
    if at.get("permit").some().is_some() {
        return Err(at.get("permit").fault("nothing: a permit is for a quote"));
    }
    let owner = owner(client, &intent, terms.account, signal).await?;
    intent.account = Some(owner);
    let known = contracts(shared, intent.chain_id, Path::Market, signal).await?;
    let mut now = shared.host.unix_ms() / 1_000;
    if let Some(chain) = Chain::find(client, intent.chain_id, signal).await? {
        now = chain_clock(intent.chain_id, &chain.read(Read::Time).await?, now)?;
    }
    let more = match &intent.pricing.market {
        Some(options) => price_options::query(&At::input(options, "request.market"), &price_options::MARKET)?,
        None => vec![],
    };
    let text = market::swap(shared, &intent, &terms, more, signal).await?;
    let parts = Parts::of(&text)?;
    let (route, transaction) = (parts.raw("priceRoute")?, parts.raw("txParams")?);
    verified(client, &Built { intent: &intent, owner, now, route, transaction, known }, &at, signal).await
}
