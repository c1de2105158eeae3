//! `build` of a Delta order: the service writes the order, and it is compared with the request before the app sees it.
//!
//! The comparison is in `domain/verify` ("Typed data against quote and request" in docs/verification.md). This file
//! first settles:
//!
//! - which account signs, and the time on the chain;
//! - the deadline, late enough for every slice;
//! - the nonce: the same for every order of one intent, unless a second one was consented to (`existing.rs`);
//! - the route: the quote's own, or one of its alternatives.

use crate::client::service::BuiltOrder;
use crate::client::{Client, Shared};
use crate::flows::building::preparation::{
    BuiltPayload, Preparation, covers_open_orders, read_permit, requires_balance, settle_signer,
};
use crate::flows::chain::clock::deadline_too_early;
use crate::flows::chain::decimals::{adopt_bridge_input_decimals, write_unread};
use crate::flows::delta::existing::{self, intent_key};
use crate::flows::delta::sealed::open_build;
use crate::flows::journal::sync::{share_nonce, sync_best_effort};
use crate::flows::parts::Parts;
use crate::flows::quote::opened::OpenQuote;
use crate::flows::seal::RawMembers;
use crate::flows::submission::Signable;
use crate::host::Host;
use crate::ledger::second::{ExistingOrder, is_in_parts, is_spent};
use crate::service::building;
use crate::wallet::together::{Work, all_of};
use alloy_primitives::{B256, keccak256};
use std::rc::Rc;
use verify::internal::domain::delta::bridge_terms::BridgeTerms;
use verify::internal::domain::delta::order::kind_name;
use verify::internal::domain::delta::terms::Terms;
use verify::internal::domain::intent::Intent;
use verify::internal::domain::permit::Permit;
use verify::internal::domain::reference::trade_references::TradeReferences;
use verify::internal::domain::verify::delta_bridge::check_consent;
use verify::internal::error::{Error, Result};
use verify::internal::json::{Json, JsonAt, ObjectWriter, items, parse};
use verify::internal::value::text::ToText;
use verify::internal::wire;

/// Builds and verifies an order for a quote. `at` are the options. Returns the `DeltaBuild` as JSON text.
///
/// # Errors
/// INVALID_INPUT with the option; VERIFY_MISMATCH with the first member that differs from the request; ALREADY_SIGNED
/// if the order to replace is filled or cancelled; those of the service, and of [`Parts::rest`].
pub async fn build<H: Parts>(
    client: &Client<H>,
    mut opened: OpenQuote<'_>,
    at: &JsonAt<'_>,
    signal: &H::Signal,
) -> Result<String> {
    let (cover, with_balance) = (covers_open_orders(at)?, requires_balance(at)?);
    let mut terms = Box::new(Terms::read_options(at, &opened.intent)?);
    terms.permit = read_permit(&client.shared, at)?;
    let route = find_route(opened.block, at, terms.alternative)?;
    let stated = Some(terms.owner).filter(|owner| !owner.is_zero());
    terms.owner = settle_signer(client, &mut opened, at, stated, terms.permit.as_ref(), signal).await?;
    let intent = &opened.intent;
    let bridge = intent.is_crosschain().then(|| parse(opened.block)).transpose().map_err(Error::not_json)?;
    let price =
        bridge.as_ref().map(|block| wire::quote::read_price(&JsonAt::service(block, "delta"), terms.alternative));
    let price = price.transpose()?;
    // Crosschain, the destination token is on another chain. The token read here is the bridge input.
    let out = price.as_ref().map_or(&intent.dest.address, |price| &price.origin_output.token);
    // Without `requireBalance` the balance is not read: an order may be built before its owner has the tokens.
    let needs = (with_balance, client.shared.nodes.questions_put.get());
    let read = async || Preparation::read(client, &opened, at, out, needs, signal).await;
    let mut clock = None;
    if price.is_none() {
        clock = Preparation::read_beside(client, &opened, at, with_balance, signal).await?;
    }
    let mut prepared = None;
    let (now, mut ahead) = match clock {
        Some(clock) => clock,
        None => {
            let read = prepared.insert(read().await?);
            read.renew_low(&opened, at);
            (read.now, read.ahead)
        }
    };
    if terms.permit.as_ref().and_then(Permit::ends_with_order).is_some() {
        // The deadline is the permit's, and was not counted from a clock.
        ahead = None;
    }
    if let Some(price) = &price {
        if let Some(found) = prepared.as_ref().and_then(|prepared| prepared.found.as_ref()) {
            adopt_bridge_input_decimals(&mut terms, &found.out_decimals)?;
        }
        check_consent(&intent.arriving_as(price.destination_output.token), &terms, price)?;
    }
    let answer = ask_service(client, &opened, at, &mut terms, route, now, signal).await?;
    let mut prepared = match prepared {
        Some(prepared) => prepared,
        None => read().await?,
    };
    let bridge = price.as_ref().and_then(|price| BridgeTerms::of(intent, &terms, price, 0));
    let bridge_input = bridge.filter(|bridge| bridge.has_decimals).map(|bridge| bridge.bridge_input);
    let arriving = price.as_ref().map_or(intent.dest.address, |price| price.destination_output.token);
    let references = prepared.read_references(&intent.arriving_as(arriving), bridge_input.as_ref(), signal).await?;
    let built = verify_answer(
        &client.shared,
        &opened,
        &terms,
        at,
        (now, ahead),
        (&prepared.unread, &references),
        &answer.text,
    )?;
    client.shared.service.answers.keep(answer_key(&opened, at), answer);
    prepared.finish(&opened, at, cover, built, signal).await
}

/// The route to build from, byte for byte: the quote's, or the one of its `alternatives` that the option `route` names.
///
/// # Errors
/// INVALID_INPUT with `options.advanced.route` if there is no such alternative.
pub fn find_route<'a>(block: &'a str, options: &JsonAt<'_>, alternative: Option<usize>) -> Result<&'a str> {
    let parts = RawMembers::of(block)?;
    let Some(index) = alternative else { return parts.raw("route") };
    let others = parts.raw("alternatives").map_or_else(|_| Ok(vec![]), items).map_err(Error::not_json)?;
    let place = options.option("advanced.route");
    others.get(index).copied().ok_or_else(|| {
        place.fault(&["below ", &others.len().text(), ", the number of the quote's other routes"].concat())
    })
}

/// Settles the deadline, unix seconds: the option's, else that of the permit for one transfer by Permit2, else `now`
/// and the validity. Refuses one before the last slice is due. Returns the earliest deadline that would be accepted.
///
/// # Errors
/// INVALID_INPUT with `deadline`, `validForSecs` or `permit.deadline`.
fn settle_deadline(at: &JsonAt<'_>, terms: &mut Terms, intent: &Intent, now: u64) -> Result<u64> {
    let valid = terms.valid_for_secs(at, intent)?;
    let signed = terms.permit.as_ref().and_then(Permit::ends_with_order);
    if at.get("deadline").is_absent() {
        let counted = signed.filter(|_| at.get("validForSecs").is_absent());
        terms.deadline = counted.unwrap_or_else(|| now.saturating_add(valid));
    }
    // The contract rebuilds the permit from the order's amount and deadline, so they have to be equal.
    if let Some(until) = signed.filter(|until| *until != terms.deadline) {
        let named = at.get("deadline");
        let expected = ["none, or the permit's: ", &until.text()].concat();
        return Err(named.some().unwrap_or(at.get("validForSecs")).fault(&expected));
    }
    let takes = intent.twap.map_or(1, |twap| twap.duration_secs());
    let earliest = now.saturating_add(takes);
    if terms.deadline >= earliest {
        return Ok(earliest);
    }
    Err(match signed {
        Some(_) if at.get("deadline").is_absent() => {
            at.get("permit").get("deadline").fault(&["unix seconds after ", &now.text(), ": sign another"].concat())
        }
        _ => deadline_too_early(at, now, takes),
    })
}

/// Has the service build the order, with a nonce drawn here: a service that chose it could reuse that of a filled
/// order, or draw two for one intent. Two equal calls for one quote, as by a double click, get one and the same order,
/// until it is filled or cancelled: so it cannot be signed twice.
///
/// # Errors
/// Same as [`build`].
async fn ask_service<H: Parts>(
    client: &Client<H>,
    opened: &OpenQuote<'_>,
    at: &JsonAt<'_>,
    terms: &mut Terms,
    route: &str,
    now: u64,
    signal: &H::Signal,
) -> Result<Rc<BuiltOrder>> {
    let (shared, intent) = (&client.shared, &opened.intent);
    let (existing, kind) = (ExistingOrder::read(at)?, kind_name(intent, terms));
    existing::check_replaceable(existing, kind)?;
    let key = intent_key(intent, terms, terms.owner);
    // `submit` checks whether the journal could be read.
    sync_best_effort(client, signal).await;
    let another = existing == Some(ExistingOrder::KeepBoth) || is_in_parts(kind);
    let refresh = async {
        if existing::is_open(shared, key) {
            // Where it was signed, the code is there; after a reload it may have to come.
            (shared.host.rest(signal).await?.refresh_orders)(client, key, signal).await?;
        }
        Ok(None)
    };
    let mut refreshing: Option<Work<'_, Result<Option<String>>>> = Some(Box::pin(refresh));
    // A nonce that no order has stays free, whatever the chain shows: the service builds meanwhile. Any other one may turn
    // out to be spent, and a build with it would be a request for nothing.
    if let Some(refreshing) = refreshing.take_if(|_| !another) {
        refreshing.await?;
    }
    let replaced = match existing {
        Some(ExistingOrder::Replace) => Some(existing::nonce_to_replace(shared, key)?),
        _ => None,
    };
    let earliest = settle_deadline(at, terms, intent, now)?;
    let words = answer_key(opened, at);
    let built = || {
        let fits = |built: &Rc<BuiltOrder>| {
            let has_nonce = replaced.is_none_or(|nonce| nonce == built.nonce);
            has_nonce && built.deadline >= earliest && !is_spent(&shared.ledger.orders(), key, built.nonce)
        };
        shared.service.answers.find(&words).map(|(_, built)| built).filter(fits)
    };
    let mut answer = built();
    if let Some(refreshing) = refreshing.take_if(|_| answer.is_some()) {
        refreshing.await?;
        answer = built();
    }
    if answer.is_none() {
        let nonce = match replaced {
            Some(nonce) => nonce,
            None => share_nonce(shared, key, another).await,
        };
        terms.nonce = Some(nonce);
        let build = async { building::build(shared, route, intent, terms, signal).await.map(Some) };
        let building: Work<'_, _> = Box::pin(build);
        let mut text = None;
        for outcome in all_of(refreshing.into_iter().chain([building]).collect()).await {
            text = outcome?.or(text);
        }
        let text = text.ok_or_else(Error::unreachable)?;
        // Another attempt may have been answered meanwhile.
        answer = built().or_else(|| Some(Rc::new(BuiltOrder { nonce, deadline: terms.deadline, text })));
    }
    let Some(answer) = answer else { return Err(Error::unreachable()) };
    (terms.nonce, terms.deadline) = (Some(answer.nonce), answer.deadline);
    Ok(answer)
}

/// The key of a build's answer: two equal builds are one order.
fn answer_key(opened: &OpenQuote<'_>, at: &JsonAt<'_>) -> B256 {
    let options = at.json().map_or("".into(), Json::write);
    keccak256([opened.block, &opened.arrived.text(), &opened.intent.write(), &options].join(" "))
}

/// Verifies the service's answer, by putting it into the text that is sealed and opening that as `submit` will.
///
/// # Errors
/// VERIFY_MISMATCH with the member that differs; SERVICE_MALFORMED.
fn verify_answer<H: Host>(
    shared: &Shared<H>,
    opened: &OpenQuote<'_>,
    terms: &Terms,
    at: &JsonAt<'_>,
    (now, ahead): (u64, Option<u64>),
    (unread, references): (&[u64], &TradeReferences),
    answer: &str,
) -> Result<BuiltPayload> {
    let parts = RawMembers::of(answer)?;
    let started = shared.host.monotonic_ms();
    let mut inside = ObjectWriter::object();
    inside.raw("request", &opened.intent.write());
    inside.raw("terms", &terms.write());
    inside.text_or_null("existing", ExistingOrder::read(at)?.map(ExistingOrder::name));
    inside.raw("asked", &opened.asked.write());
    inside.number("now", now);
    inside.number_or_null("ahead", ahead);
    write_unread(&mut inside, unread);
    inside.members(&references.write());
    inside.raw("delta", opened.block);
    for name in ["toSign", "orderHash"] {
        inside.raw(name, parts.raw(name)?);
    }
    let verdict = open_build(&inside.closed(), &opened.deployment);
    shared.checked("order", started, &verdict);
    let built = verdict?;
    let order = Signable::<H>::known(&*built);
    Ok(BuiltPayload { inside, view: built.view, spent: built.verified.amounts.spent, order })
}
