//! `build` of a Market transaction: the service writes it, and it is compared with the request before the app sees it.
//! The comparison is in `domain/verify`; this file reads the options and sends the request to the service.

use crate::client::{Client, Shared};
use crate::flows::building::preparation::{
    BuiltPayload, ChainState, Preparation, covers_open_orders, read_permit, settle_signer,
};
use crate::flows::chain::clock::deadline_too_early;
use crate::flows::chain::decimals::write_unread;
use crate::flows::market::{OpenMarket, open_market};
use crate::flows::quote::opened::OpenQuote;
use crate::flows::seal::RawMembers;
use crate::flows::transaction::send::{ask_wallet_early, simulate_early};
use crate::host::Host;
use crate::service::market::{self, Building};
use alloy_primitives::{hex, keccak256};
use verify::internal::domain::display::with_amount;
use verify::internal::domain::market::terms::MarketTerms;
use verify::internal::domain::permit::Permit;
use verify::internal::domain::price_options;
use verify::internal::domain::reference::trade_references::TradeReferences;
use verify::internal::domain::transaction::Transaction;
use verify::internal::domain::verify::outcome::Trial;
use verify::internal::error::{Error, Result};
use verify::internal::json::{Json, JsonAt, ObjectWriter, parse};
use verify::internal::wire::price_route;

/// Builds and verifies a transaction for the route of a quote, or for a route that the service finds now.
/// `at` are the options. Returns the `MarketBuild` as JSON text.
///
/// # Errors
/// INVALID_INPUT with the option; VERIFY_MISMATCH with the first value that differs from the request; those of the
/// service.
pub async fn build<H: Host>(
    client: &Client<H>,
    mut opened: OpenQuote<'_>,
    at: &JsonAt<'_>,
    signal: &H::Signal,
) -> Result<String> {
    let (shared, cover) = (&client.shared, covers_open_orders(at)?);
    let mut request = Box::new(TransactionRequest::read(at, &opened)?);
    request.permit = read_permit(shared, at)?;
    let stated = request.terms.account;
    settle_signer(client, &mut opened, at, stated, request.permit.as_ref(), signal).await?;
    let out = &opened.intent.dest.address;
    let needs = (true, shared.nodes.questions_put.get());
    let mut prepared = Preparation::read(client, &opened, at, out, needs, signal).await?;
    prepared.renew_low(&opened, at);
    request.settle(at, &opened, prepared.found.as_ref(), prepared.now)?;
    let answer = request.ask(shared, &opened, signal).await?;
    let references = prepared.read_references(&opened.intent, None, signal).await?;
    let (mut built, transaction, trial) =
        verify_answer(shared, &opened, at, (prepared.now, prepared.ahead), (&prepared.unread, &references), &answer)?;
    ask_wallet_early(&transaction, client);
    simulate_early(&transaction, !request.can_be_sent, client);
    if let Some(trial) = trial {
        let outcome = prepared.try_outcome(&transaction, &trial).await?;
        built.inside.raw("outcome", &outcome.write(&keccak256(&transaction.data)));
        built.view = open_market(shared, &built.inside.closed(), &opened.deployment)?.view;
    }
    prepared.finish(&opened, at, cover, built, signal).await
}

/// The request for a transaction: the options, and the state of the chain.
pub struct TransactionRequest {
    /// The options of the build.
    pub terms: MarketTerms,
    /// The permit that goes into the calldata, in place of an approval.
    pub permit: Option<Permit>,
    /// Whether the owner has the source amount, and the router may take it: only then can the service simulate its
    /// build.
    pub can_be_sent: bool,
}

impl TransactionRequest {
    /// Reads the options. Refuses combinations in which the service would silently drop one.
    ///
    /// # Errors
    /// INVALID_INPUT with the option.
    fn read(at: &JsonAt<'_>, opened: &OpenQuote<'_>) -> Result<TransactionRequest> {
        let terms = MarketTerms::read(at)?;
        let fee = opened.intent.partner_fee_bps.is_some_and(|bps| bps > 0);
        let unpriced = opened.block.is_empty() && !at.get("permit").is_absent();
        for (wrong, name, expected) in [
            (terms.deadline.is_some() && terms.valid_for_secs.is_some(), "deadline", "either deadline or validForSecs"),
            (
                terms.take_surplus == Some(true) && fee,
                "advanced.takeSurplus",
                "a fee (partnerFeeBps) or the surplus, not both: the fee would win",
            ),
            (unpriced, "permit", "nothing: a permit is for a quote"),
            (
                opened.block.is_empty() && terms.referrer.is_some(),
                "advanced.referrer",
                "nothing: only a build for a quote has a referrer",
            ),
        ] {
            if wrong {
                return Err(at.option(name).fault(expected));
            }
        }
        Ok(TransactionRequest { terms, permit: None, can_be_sent: false })
    }

    /// Settles the deadline, and whether the owner could send the transaction now. `now` is unix seconds by the chain's
    /// clock.
    ///
    /// # Errors
    /// INVALID_INPUT with a deadline that has passed; SERVICE_MALFORMED if the route cannot be read.
    fn settle(&mut self, at: &JsonAt<'_>, opened: &OpenQuote<'_>, found: Option<&ChainState>, now: u64) -> Result<()> {
        let terms = &mut self.terms;
        terms.deadline = terms.deadline.or(terms.valid_for_secs.map(|secs| now.saturating_add(secs)));
        if terms.deadline.is_some_and(|deadline| deadline <= now) {
            return Err(deadline_too_early(at, now, 1));
        }
        if let Some(found) = found
            && self.permit.is_none()
            && !opened.block.is_empty()
        {
            let market = parse(opened.block).map_err(Error::not_json)?;
            let most = price_route::read_route(&JsonAt::service(&market, "market"))?.most_input(terms.slippage);
            // With `ignoreAllowance` the service does not look at the allowance.
            let may_take = found.allowance.filter(|_| terms.ignore_allowance != Some(true));
            self.can_be_sent = [found.balance, may_take].into_iter().flatten().all(|amount| amount >= most);
        }
        Ok(())
    }

    /// Has the service build the transaction: for the quote's route, which is sent back byte for byte, or for a route
    /// that it finds now. Returns its answer.
    ///
    /// # Errors
    /// The errors of the service.
    pub async fn ask<H: Host>(&self, shared: &Shared<H>, opened: &OpenQuote<'_>, signal: &H::Signal) -> Result<String> {
        let (intent, terms) = (&opened.intent, &self.terms);
        if opened.block.is_empty() {
            let more = match &intent.pricing.market {
                Some(options) => {
                    price_options::query(&JsonAt::input(options, "request.advanced.market"), &price_options::MARKET)?
                }
                None => vec![],
            };
            let answer = market::swap(shared, intent, terms, more, signal).await;
            return answer.map_err(|error| with_amount(error, intent));
        }
        let market = parse(opened.block).map_err(Error::not_json)?;
        // The token in the route may be the wrapped form of the requested one.
        let intent = &intent.arriving_as(price_route::read_route(&JsonAt::service(&market, "market"))?.dest_token);
        let building = Building {
            route: opened.block,
            intent,
            terms,
            owner: intent.account.unwrap_or_default(),
            permit: self.permit.as_ref().map(|permit| permit.bytes.as_slice()),
            // By default the service refuses to build a transaction that cannot be sent yet. Here it is built, then
            // approved, then simulated.
            ignore_checks: terms.ignore_checks.unwrap_or(!self.can_be_sent),
        };
        market::build(shared, &building, signal).await
    }
}

/// Verifies the service's answer, by putting it into the text to be sealed and opening that as `submit` will. `at` are
/// the options.
///
/// # Errors
/// VERIFY_MISMATCH with the value that differs; SERVICE_MALFORMED.
fn verify_answer<H: Host>(
    shared: &Shared<H>,
    opened: &OpenQuote<'_>,
    at: &JsonAt<'_>,
    (now, ahead): (u64, Option<u64>),
    (unread, references): (&[u64], &TradeReferences),
    answer: &str,
) -> Result<(BuiltPayload, Transaction, Option<Trial>)> {
    let (mut route, mut transaction) = (opened.block, answer.trim());
    if route.is_empty() {
        let parts = RawMembers::of(answer)?;
        (route, transaction) = (parts.raw("priceRoute")?, parts.raw("txParams")?);
    }
    let mut inside = ObjectWriter::object();
    inside.text("id", &hex::encode(shared.host.random()));
    inside.raw("request", &opened.intent.write());
    inside.raw("options", &stated_options(at));
    inside.value("owner", &opened.intent.account.unwrap_or_default());
    inside.raw("asked", &opened.asked.write());
    inside.number("now", now);
    inside.number_or_null("ahead", ahead);
    write_unread(&mut inside, unread);
    inside.members(&references.write());
    inside.raw("market", route);
    inside.raw("transaction", transaction);
    let started = shared.host.monotonic_ms();
    let verdict = open_market(shared, &inside.closed(), &opened.deployment);
    shared.checked("transaction", started, &verdict);
    let built = verdict?;
    let OpenMarket { view, verified, transaction, trial, .. } = built;
    Ok((BuiltPayload { inside, view, spent: verified.max_spent, order: None }, transaction, trial))
}

/// The options as they were passed in, as JSON text.
fn stated_options(at: &JsonAt<'_>) -> String {
    let mut out = ObjectWriter::object();
    for name in at.names() {
        out.raw(name, &at.get(name).json().map_or("null".into(), Json::write));
    }
    out.close()
}
