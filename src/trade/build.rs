//! The service builds what is to be signed or sent; it is held against what was asked for before anybody sees it.

use crate::client::{Answered, Client, Shared};
use crate::domain::chain::Protocol;
use crate::domain::delta::order::kind_name;
use crate::domain::delta::terms::Terms;
use crate::domain::input::optional;
use crate::domain::intent::Intent;
use crate::domain::permit::{Permit, Spending};
use crate::domain::side::Side;
use crate::domain::text::ToText;
use crate::domain::token::is_native;
use crate::domain::verify::delta_bridge::check_consent;
use crate::error::{Error, Result};
use crate::host::Host;
use crate::json::{Json, JsonAt, ObjectWriter, items, parse};
use crate::service::building;
use crate::trade::approve::{ApprovalNeed, missing};
use crate::trade::built_payload::BuiltPayload;
use crate::trade::chain::clock::{ahead, chain_clock, too_early};
use crate::trade::chain::decimals::{check_arrival, check_decimals, learn_entering};
use crate::trade::delta::again::{self, Again, intent_key, is_in_parts};
use crate::trade::delta::sealed::open_build;
use crate::trade::market::build::{self as transaction, TransactionRequest};
use crate::trade::permit::open_permit;
use crate::trade::quote::request::{OpenQuote, reopen};
use crate::trade::resources::covering;
use crate::trade::seal::{RawMembers, seal};
use crate::wallet::account::current;
use crate::wallet::reads::{Chain, Read};
use crate::wire;
use alloy_primitives::{Address, U256, keccak256};
use std::rc::Rc;

/// Builds and verifies an order, or a transaction, for a quote. Returns the build as JavaScript sees it.
///
/// # Errors
/// INVALID_INPUT, QUOTE_EXPIRED, VERIFY_MISMATCH, and those of the service.
pub async fn build<H: Host>(client: &Client<H>, quote: &Json, options: &Json, signal: &H::Signal) -> Result<String> {
    let at = JsonAt::input(options, "options");
    let opened = reopen(client, quote, at.get("request").json(), signal).await?;
    built(client, opened, &at, signal).await
}

/// What the service is asked to build, by path.
enum Wanted<'a> {
    /// An order on those terms, from that route.
    Order(Box<Terms>, &'a str),
    /// The owner's own transaction.
    Transaction(Box<TransactionRequest>),
}

/// Builds and verifies for a price that is here, or comes with the transaction. `at` are the options.
///
/// # Errors
/// As [`build`].
pub async fn built<H: Host>(
    client: &Client<H>,
    mut opened: OpenQuote<'_>,
    at: &JsonAt<'_>,
    signal: &H::Signal,
) -> Result<String> {
    let shared = &client.shared;
    let cover = optional(&at.get("coverOpenOrders"), |at| at.bool())?.unwrap_or(false);
    let (mut wanted, stated) = wanted(shared, &opened, at)?;
    let owner = owner(client, &opened.intent, stated, signal).await?;
    opened.intent.account = Some(owner);
    let intent = &opened.intent;
    let src = &intent.src.address;
    let permit = match &wanted {
        Wanted::Order(terms, _) => &terms.permit,
        Wanted::Transaction(asked) => &asked.permit,
    };
    if let Some(permit) = permit {
        let spending = Spending {
            chain_id: intent.chain_id,
            token: *src,
            owner,
            spender: *opened.spender(),
            amount: if intent.side == Side::Sell { intent.amount } else { U256::ZERO },
            deadline: None,
            now: 0,
        };
        permit.fits(&at.get("permit"), opened.path, &spending)?;
    }
    let is_signed = opened.path == Protocol::Delta && permit.as_ref().and_then(Permit::ends_with_order).is_some();
    let crossing = if intent.is_crosschain() { parse(opened.block).map_err(Error::not_json)? } else { Json::Null };
    let price = match &wanted {
        Wanted::Order(terms, _) if intent.is_crosschain() => {
            Some(wire::quote::price(&JsonAt::service(&crossing, "delta"), terms.alternative)?)
        }
        _ => None,
    };
    let chain = Chain::find(client, intent.chain_id, signal).await?;
    let mut found = Vec::new();
    if let Some(chain) = &chain {
        // The native coin needs no approval: what there is of it can be taken.
        let allowance = match is_native(*src) {
            true => Read::Balance(src, &owner),
            false => Read::Allowance(src, &owner, opened.spender()),
        };
        // What is wanted on another chain cannot be read on this one; what enters the bridge can.
        let out = price.as_ref().map_or(&intent.dest.address, |price| &price.origin_output.token);
        let reads = [Read::Time, Read::Decimals(src), Read::Decimals(out), allowance, Read::Balance(src, &owner)];
        // An order may be made before there is what it gives.
        let count = if opened.path == Protocol::Market { 5 } else { 4 };
        found = chain.read_all(reads.get(..count).unwrap_or_default()).await?;
    }
    check_arrival(client, intent, signal).await?;
    let machine = shared.host.unix_ms() / 1_000;
    let now = learnt(intent, machine, &found)?;
    // A deadline that the caller named, or signed, is counted from no clock.
    let ahead = Some(ahead(now, machine)).filter(|secs| *secs > 0 && at.get("deadline").is_absent() && !is_signed);
    let held_of_it = found.get(3..).unwrap_or_default();
    let made = match &mut wanted {
        Wanted::Order(terms, route) => {
            terms.owner = owner;
            if let Some(price) = &price {
                learn_entering(terms, found.get(2))?;
                check_consent(&intent.arriving_as(price.destination_output.token), terms, price)?;
            }
            asked(client, &opened, at, terms, route, (now, ahead), signal).await?
        }
        Wanted::Transaction(asked) => {
            asked.settle(at, &opened, held_of_it, now)?;
            let answer = asked.ask(shared, &opened, signal).await?;
            transaction::verified(shared, &opened, at, (now, ahead), &answer)?
        }
    };
    let BuiltPayload { mut inside, mut view, spent } = made;
    // Of an order that another contract handles, that one's needs are for the application to meet.
    let takes_none = is_native(*src) || ["permit", "external"].iter().any(|name| !at.get(name).is_absent());
    let spent = if takes_none { U256::ZERO } else { spent };
    let (spender, current) = (opened.spender(), held_of_it.first());
    let mut need = ApprovalNeed::new(opened.path, intent.chain_id, src, &owner, spender, &spent, current);
    if cover && !need.amount.is_zero() {
        need.amount = covering(client, need.path, need.chain_id, owner, need.token, need.amount, signal).await?;
    }
    let approval = missing(client, chain.as_ref(), need).await?;
    inside.raw("approval", &approval);
    view.raw("approval", &approval);
    view.text("sealed", &seal(&shared.secret, &inside.close()));
    Ok(view.close())
}

/// The options, read; and who they say will sign.
fn wanted<'a, H: Host>(
    shared: &Shared<H>,
    opened: &OpenQuote<'a>,
    at: &JsonAt<'_>,
) -> Result<(Wanted<'a>, Option<Address>)> {
    let permit = || at.get("permit").some().map(|at| open_permit(shared, &at)).transpose();
    let wanted = match opened.path {
        Protocol::Market => {
            let mut asked = TransactionRequest::read(at, opened)?;
            asked.permit = permit()?;
            let stated = asked.terms.account;
            (Wanted::Transaction(Box::new(asked)), stated)
        }
        _ => {
            let mut terms = Box::new(Terms::asked(at, &opened.intent)?);
            terms.permit = permit()?;
            let route = route(opened.block, at, terms.alternative)?;
            let stated = Some(terms.owner).filter(|owner| !owner.is_zero());
            (Wanted::Order(terms, route), stated)
        }
    };
    if let Some(why) = opened.doubt {
        bounded(at, opened.intent.side, why)?;
    }
    Ok(wanted)
}

/// The time by the chain's clock, where it was read; by the machine's otherwise. The tokens' decimals are as stated.
fn learnt(intent: &Intent, machine: u64, found: &[U256]) -> Result<u64> {
    let [time, src, dest, ..] = found else { return Ok(machine) };
    check_decimals(intent, src, dest)?;
    chain_clock(intent.chain_id, time, machine)
}

/// The route to build from, byte for byte: the quote's, or another of its own.
fn route<'a>(block: &'a str, options: &JsonAt<'_>, alternative: Option<usize>) -> Result<&'a str> {
    let parts = RawMembers::of(block)?;
    let Some(index) = alternative else { return parts.raw("route") };
    let others = parts.raw("alternatives").map_or_else(|_| Ok(vec![]), items).map_err(Error::not_json)?;
    let place = options.get("route");
    others.get(index).copied().ok_or_else(|| {
        place.fault(&["below ", &others.len().text(), ", the number of the quote's other routes"].concat())
    })
}

/// The deadline that was named, or that the permit of one transfer has, or the default; late enough for every slice. Returns
/// the earliest that is.
fn settle_deadline(at: &JsonAt<'_>, terms: &mut Terms, intent: &Intent, now: u64) -> Result<u64> {
    let valid = terms.valid_for_secs(at, intent)?;
    let signed = terms.permit.as_ref().and_then(Permit::ends_with_order);
    if at.get("deadline").is_absent() {
        let counted = signed.filter(|_| at.get("validForSecs").is_absent());
        terms.deadline = counted.unwrap_or_else(|| now.saturating_add(valid));
    }
    // The contract rebuilds what the owner signed from the order.
    if let Some(until) = signed.filter(|until| *until != terms.deadline) {
        let named = at.get("deadline");
        let expected = ["none, or the permit's: ", &until.text()].concat();
        return Err(named.some().unwrap_or(at.get("validForSecs")).fault(&expected));
    }
    let takes = intent.twap.map_or(1, |twap| twap.takes_secs());
    let earliest = now.saturating_add(takes);
    if terms.deadline >= earliest {
        return Ok(earliest);
    }
    Err(match signed {
        Some(_) if at.get("deadline").is_absent() => {
            at.get("permit").get("deadline").fault(&["unix seconds after ", &now.text(), ": sign another"].concat())
        }
        _ => too_early(at, now, takes),
    })
}

/// Asks the service for the order. Asked twice for one price in the same words, as by a double click, it is one order, until
/// that one is filled or cancelled.
async fn asked<H: Host>(
    client: &Client<H>,
    opened: &OpenQuote<'_>,
    at: &JsonAt<'_>,
    terms: &mut Terms,
    route: &str,
    (now, ahead): (u64, Option<u64>),
    signal: &H::Signal,
) -> Result<BuiltPayload> {
    let (shared, intent) = (&client.shared, &opened.intent);
    let (again, kind) = (Again::read(at)?, kind_name(intent, terms));
    again::fits(again, kind)?;
    let key = intent_key(intent, terms, terms.owner);
    again::learn(client, key, None, signal).await?;
    let replaced = match again {
        Some(Again::Replace) => Some(again::replaced(shared, key)?),
        _ => None,
    };
    let earliest = settle_deadline(at, terms, intent, now)?;
    let words = [opened.block, &opened.arrived.text(), &intent.write(), &at.json().map_or("".into(), Json::write)];
    let words = keccak256(words.join(" "));
    let built = || {
        let fits = |built: &Rc<Answered>| {
            let has_nonce = replaced.is_none_or(|nonce| nonce == built.nonce);
            has_nonce && built.deadline >= earliest && !shared.is_spent(key, built.nonce)
        };
        shared.answer_to(words).filter(fits)
    };
    let mut answer = built();
    if answer.is_none() {
        let another = again == Some(Again::Another) || is_in_parts(kind);
        let nonce = replaced.unwrap_or_else(|| shared.nonce_for(key, another));
        terms.nonce = Some(nonce);
        let text = building::build(shared, route, intent, terms, signal).await?;
        // Another attempt may have overtaken this one.
        answer = built().or_else(|| Some(Rc::new(Answered { nonce, deadline: terms.deadline, text })));
    }
    let Some(answer) = answer else { return Err(Error::unread()) };
    (terms.nonce, terms.deadline) = (Some(answer.nonce), answer.deadline);
    let made = order(shared, opened, terms, again, (now, ahead), &answer.text)?;
    shared.remember_answer(words, answer);
    Ok(made)
}

/// Holds the service's answer against what was asked for.
fn order<H: Host>(
    shared: &Shared<H>,
    opened: &OpenQuote<'_>,
    terms: &Terms,
    again: Option<Again>,
    (now, ahead): (u64, Option<u64>),
    answer: &str,
) -> Result<BuiltPayload> {
    let parts = RawMembers::of(answer)?;
    let started = shared.host.monotonic_ms();
    let mut inside = ObjectWriter::object();
    inside.raw("request", &opened.intent.write());
    inside.raw("terms", &terms.write());
    inside.text_or_null("again", again.map(Again::name));
    inside.number("now", now);
    inside.number_or_null("ahead", ahead);
    inside.raw("delta", opened.block);
    for name in ["toSign", "orderHash"] {
        inside.raw(name, parts.raw(name)?);
    }
    let verdict = open_build(&inside.closed(), &opened.deployment);
    shared.checked("order", started, &verdict);
    let built = verdict?;
    Ok(BuiltPayload { inside, view: built.view, spent: built.verified.figures.spent })
}

/// Where a price may be any, for that reason, the caller says how little, or how much, is too much.
fn bounded(at: &JsonAt<'_>, side: Side, why: &str) -> Result<()> {
    let bound = at.get(if side == Side::Sell { "minReceived" } else { "maxSpent" });
    if bound.is_absent() {
        return Err(bound.fault(&["a bound of your own (", why, ")"].concat()));
    }
    Ok(())
}

/// Who signs: the one named here, in the request, by the client, or the wallet's first account.
async fn owner<H: Host>(
    client: &Client<H>,
    intent: &Intent,
    stated: Option<Address>,
    signal: &H::Signal,
) -> Result<Address> {
    if let (Some(here), Some(there)) = (&stated, &intent.account)
        && here != there
    {
        return Err(Error::input("options.account", &there.text(), &here.text()));
    }
    let owner = match stated.or(intent.account) {
        None => current(client, signal).await?,
        stated => stated,
    };
    owner.ok_or_else(|| Error::input("options.account", "the account that will sign, or a connected wallet", "nothing"))
}
