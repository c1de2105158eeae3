//! The service builds the transaction; it is held against what was asked for before anybody sees it.

use super::sealed::{OpenMarket, open_market};
use crate::client::Client;
use crate::domain::chain::{Contracts, Source};
use crate::domain::intent::Intent;
use crate::domain::market::terms::MarketTerms;
use crate::domain::text::ToText;
use crate::domain::token::is_native;
use crate::error::{Error, Result};
use crate::host::Host;
use crate::json::{At, Json, Out, parse};
use crate::service::market::{Building, build as ask_to_build};
use crate::trade::build::{FOREIGN, bounded, chain_clock, owner};
use crate::trade::permit::open_permit;
use crate::trade::quote::OpenQuote;
use crate::trade::seal::seal;
use crate::wallet::reads::{Chain, Read};
use crate::wire::price_route;
use alloy_primitives::{Address, U256, hex};

/// Builds and verifies a transaction for a quote. Returns the build as JavaScript sees it. `at` are the options.
///
/// # Errors
/// INVALID_INPUT, VERIFY_MISMATCH, and those of the service.
pub async fn build<H: Host>(
    client: &Client<H>,
    opened: OpenQuote<'_>,
    at: &At<'_>,
    signal: &H::Signal,
) -> Result<String> {
    let shared = &client.shared;
    let OpenQuote { own, mut intent, block, known, .. } = opened;
    let mut terms = MarketTerms::read(at)?;
    excludes(at, &terms, &intent)?;
    if !own {
        bounded(at, intent.side, FOREIGN)?;
    }
    let owner = owner(client, &intent, terms.account, signal).await?;
    intent.account = Some(owner);
    let permit = at.get("permit").some().map(|at| open_permit(shared, &at)).transpose()?;
    let market = parse(block).map_err(Error::not_json)?;
    let route = price_route::route(&At::service(&market, "market"))?;
    let chain = Chain::find(client, intent.chain_id, signal).await?;
    let mut now = shared.host.unix_ms() / 1_000;
    let mut settled = false;
    if let Some(chain) = &chain {
        let src = &intent.src.address;
        let mut reads = vec![Read::Time, Read::Balance(src, &owner)];
        if !is_native(*src) {
            reads.push(Read::Allowance(src, &owner, &known.0.router));
        }
        let found = chain.read_all(&reads).await?;
        let most = route.most_input(terms.slippage);
        settled = permit.is_none() && found.iter().skip(1).all(|amount| *amount >= most);
        now = chain_clock(intent.chain_id, found.first().unwrap_or(&U256::MAX), now)?;
    }
    terms.deadline = terms.deadline.or(terms.valid_for_secs.map(|secs| now.saturating_add(secs)));
    if terms.deadline.is_some_and(|deadline| deadline <= now) {
        return Err(at.get("deadline").fault(&["unix seconds after ", &now.text()].concat()));
    }
    let asked = Building {
        route: block,
        intent: &intent,
        terms: &terms,
        owner,
        permit: permit.as_ref().map(|permit| permit.bytes.as_slice()),
        // The service refuses to build what can not be sent yet. It is built first, then approved, then tried.
        ignore_checks: terms.ignore_checks.unwrap_or(!settled),
    };
    let answer = ask_to_build(shared, &asked, signal).await?;
    verified(
        client,
        &Built { intent: &intent, owner, now, route: block, transaction: answer.trim(), known },
        at,
        signal,
    )
    .await
}

/// Refuses options of which one would be dropped without a word.
///
/// # Errors
/// INVALID_INPUT.
pub(super) fn excludes(at: &At<'_>, terms: &MarketTerms, intent: &Intent) -> Result<()> {
    if terms.deadline.is_some() && terms.valid_for_secs.is_some() {
        return Err(at.get("deadline").fault("either deadline or validForSecs"));
    }
    if terms.take_surplus == Some(true) && intent.partner_fee_bps.is_some_and(|bps| bps > 0) {
        return Err(at.get("takeSurplus").fault("a fee (partnerFeeBps) or the surplus, not both: the fee would win"));
    }
    Ok(())
}

/// What was built, not verified yet.
pub(super) struct Built<'a> {
    /// The trade.
    pub intent: &'a Intent,
    /// Who sends and pays.
    pub owner: Address,
    /// Unix seconds, by the chain's clock where it can be read.
    pub now: u64,
    /// The price route, byte for byte.
    pub route: &'a str,
    /// The service's transaction, byte for byte.
    pub transaction: &'a str,
    /// The chain's contracts.
    pub known: (Contracts, Source),
}

/// Holds what was built against what was asked for. Returns the build as JavaScript sees it. `at` are the options.
///
/// # Errors
/// VERIFY_MISMATCH, SERVICE_MALFORMED; those of [`Transaction::approval`](crate::trade::transaction::Transaction::approval).
pub(super) async fn verified<H: Host>(
    client: &Client<H>,
    built: &Built<'_>,
    at: &At<'_>,
    signal: &H::Signal,
) -> Result<String> {
    let shared = &client.shared;
    let Built { intent, owner, now, route, transaction, known } = built;
    let mut inside = Out::object();
    inside.text("id", &hex::encode(shared.host.random()));
    inside.raw("request", &intent.write());
    inside.raw("options", &stated_options(at));
    inside.value("owner", owner);
    inside.number("now", *now);
    inside.raw("market", route);
    inside.raw("transaction", transaction);
    let started = shared.host.monotonic_ms();
    let verdict = open_market(shared, &inside.closed(), known);
    shared.checked("transaction", started, &verdict);
    let OpenMarket { mut view, transaction, .. } = verdict?;
    let approval = transaction.approval(client, signal).await?;
    inside.raw("approval", &approval);
    view.raw("approval", &approval);
    view.text("sealed", &seal(&shared.secret, &inside.close()));
    Ok(view.close())
}

/// The options as they were passed in, but the request, which stands beside them.
fn stated_options(at: &At<'_>) -> String {
    let mut out = Out::object();
    for name in at.names().filter(|name| *name != "request") {
        out.raw(name, &at.get(name).json().map_or("null".into(), Json::write));
    }
    out.close()
}
