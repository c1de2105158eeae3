//! The reference prices of a trade.
//!
//! Everything is read from the application's or the wallet's node, or given by the application; nothing comes from the
//! service. `lens.rs` reads the chain, `domain/verify/price.rs` draws the conclusions.

use crate::client::{Client, Shared};
use crate::flows::chain::lens::{KEPT_MS, PendingPrices, PriceReads, unread};
use crate::host::Host;
use crate::wallet::chain::Chain;
use crate::wallet::reads::Batch;
use verify::internal::domain::input::optional;
use verify::internal::domain::intent::{Intent, Token};
use verify::internal::domain::reference::price_float::decimal_price;
use verify::internal::domain::reference::sources::Why;
use verify::internal::domain::reference::trade_references::{
    PriceReferences, PricedToken, ReferenceKind, ReferencePrice, TradeReferences,
};
use verify::internal::error::{Error, Result};
use verify::internal::json::{JsonAt, array};

/// The most time that the application's reference may take, in milliseconds.
const APP_LIMIT_MS: u32 = 5_000;

/// Combines the reference prices read for a trade, the application's, and those that the caller stated. `here` is the
/// source chain, `there` the destination, the same without a bridge; `bridge_input` is the token that enters a bridge.
///
/// # Errors
/// INVALID_INPUT if the application's reference answers with anything but a price; ABORTED.
pub async fn read_references<H: Host>(
    client: &Client<H>,
    intent: &Intent,
    (here, there): (&PriceReads, Option<&PriceReads>),
    bridge_input: Option<&Token>,
    signal: &H::Signal,
) -> Result<TradeReferences> {
    let Intent { chain_id, dest_chain_id, src, dest, .. } = intent;
    let there = there.unwrap_or(here);
    let given = (*chain_id, src, here.reading.as_ref());
    let got = (*dest_chain_id, dest, there.reading.as_ref());
    let gas_of = |references: &PriceReferences, got: PricedToken<'_>| {
        let gas = |(id, reads): (u64, &PriceReads)| {
            (reads.gas_price, references.wei_of((id, reads.reading.as_ref()), (*chain_id, src), got))
        };
        [(*chain_id, here), (got.0, there)].map(gas).into_iter().take(if got.0 == *chain_id { 1 } else { 2 })
    };
    let is_unasked = client.shared.settings.has_no_references;
    let mut price = if is_unasked { PriceReferences::unasked() } else { PriceReferences::of(given, got) };
    if !is_unasked && let Some(by_app) = ask_application(client, intent, signal).await? {
        match by_app {
            Ok(reference) => price.answered.push(reference),
            Err(why) => price.unanswered.push((ReferenceKind::App, why)),
        }
    }
    price.add_own(intent);
    price.set_gas(gas_of(&price, got));
    // No trade is refused while a node may yet report for how long pools were deep.
    if intent.require_reference
        && !price.is_lasting()
        && let Some(chain_id) = here.late.or(there.late)
    {
        return Err(unread(chain_id, None));
    }
    let bridge_input = bridge_input.filter(|_| intent.is_crosschain() && !is_unasked).map(|token| {
        let got = (*chain_id, token, here.reading.as_ref());
        let mut references = PriceReferences::of(given, got);
        references.set_gas(gas_of(&references, got));
        references
    });
    Ok(TradeReferences { price, bridge_input })
}

/// The answer of the application's `reference`: a price, or why there is none. `None` if there is no such function.
async fn ask_application<H: Host>(
    client: &Client<H>,
    intent: &Intent,
    signal: &H::Signal,
) -> Result<Option<core::result::Result<ReferencePrice, Why>>> {
    let Some(prompt) = put_to_application(client, intent) else { return Ok(None) };
    let answer = match client.shared.host.answer(&prompt, Some(APP_LIMIT_MS), signal).await {
        Ok(answer) => answer,
        Err(failure) if failure.aborted => return Err(Error::aborted()),
        Err(_) => {
            // The function may answer the next time.
            client.shared.nodes.app_answers.forget(|_, _| true);
            return Ok(Some(Err(Why::Silent)));
        }
    };
    let price = optional(&JsonAt::input(&answer, "reference"), |at| {
        let price = at.number_or_text().and_then(decimal_price).filter(|price| !price.is_zero());
        price.ok_or_else(|| at.fault("the price of one srcToken in destToken, a decimal as text, or null"))
    })?;
    Ok(Some(
        price.map(|price| ReferencePrice::whole(ReferenceKind::App, price, &intent.src, &intent.dest)).ok_or(Why::None),
    ))
}

/// Forgets the reference reads before that read, by its number, on any chain, and the application's answers. Returns
/// whether there were any.
pub fn forget_references<H: Host>(shared: &Shared<H>, number: u64) -> bool {
    shared.nodes.app_answers.forget(|_, _| true);
    shared.nodes.forget_before(None, number)
}

/// Asks the application's `reference` about a request, once in a minute. `None` if it has none.
pub fn put_to_application<H: Host>(client: &Client<H>, intent: &Intent) -> Option<H::Prompt> {
    let shared = &client.shared;
    let (provider, now) = (shared.settings.app_reference.as_ref()?, shared.host.monotonic_ms());
    let asked = Intent { account: None, ..intent.clone() }.write();
    let known = &shared.nodes.app_answers;
    known.find_recent(&asked, now, KEPT_MS).or_else(|| {
        let prompt = shared.host.ask(provider, "reference", &array(&[&asked]));
        Some(known.add(asked, now, prompt))
    })
}

/// The reference prices of a trade, if the application's nodes answer before the price comes.
///
/// # Errors
/// Any failure: `build` reads them again.
pub async fn prefetch_references<H: Host>(
    client: &Client<H>,
    intent: &Intent,
    signal: &H::Signal,
) -> Result<TradeReferences> {
    let read = async |chain_id: u64, is_there: bool| -> Result<PriceReads> {
        let (mut batch, shared) = (Batch::default(), &client.shared);
        let asking = match is_there {
            true => PendingPrices::add_there(shared, intent, &mut batch),
            false => PendingPrices::add(shared, intent, None, &mut batch),
        };
        let Some(asking) = asking else { return Ok(PriceReads::default()) };
        let chain = Chain::given(client, chain_id, signal).ok_or_else(Error::unreachable)?;
        asking.finish(&chain, &chain.ask(batch).await?).await
    };
    let here = read(intent.chain_id, false).await?;
    let there = if intent.is_crosschain() { Some(read(intent.dest_chain_id, true).await?) } else { None };
    read_references(client, intent, (&here, there.as_ref()), None, signal).await
}
