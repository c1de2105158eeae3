//! The service builds the typed data; it is held against what was asked for before anybody sees it.

use super::approve::{approval_need, missing};
use super::market;
use super::permit::open_permit;
use super::quote::{OpenQuote, reopen};
use super::resources::held;
use super::seal::{Parts, seal};
use super::sealed_build::{OpenBuild, open_build};
use crate::client::{Client, Shared};
use crate::domain::chain::{Path, pinned};
use crate::domain::delta::terms::Terms;
use crate::domain::input::optional;
use crate::domain::intent::{Intent, Token};
use crate::domain::side::Side;
use crate::domain::text::ToText;
use crate::domain::token::{is_native, own_decimals};
use crate::error::{Error, Result};
use crate::host::Host;
use crate::json::{At, Json, Out, items};
use crate::service::building;
use crate::wallet::account::current;
use crate::wallet::reads::{Chain, Read};
use alloy_primitives::{Address, U256};

/// How far a known chain's clock may be ahead of this machine's.
const CLOCK_SLACK_SECS: u64 = 3_600;

/// Builds and verifies an order for a quote. Returns the build as JavaScript sees it.
///
/// # Errors
/// INVALID_INPUT, QUOTE_EXPIRED, VERIFY_MISMATCH, and those of the service.
pub async fn build<H: Host>(client: &Client<H>, quote: &Json, options: &Json, signal: &H::Signal) -> Result<String> {
    let shared = &client.shared;
    let at = At::input(options, "options");
    let mut opened = reopen(client, quote, at.get("request").json(), signal).await?;
    if opened.path == Path::Market {
        return Box::pin(market::build::build(client, opened, &at, signal)).await;
    }
    let mut terms = Terms::asked(&at, &opened.intent)?;
    let cover = optional(&at.get("coverOpenOrders"), |at| at.bool())?.unwrap_or(false);
    if let Some(permit) = at.get("permit").some() {
        terms.permit = Some(open_permit(shared, &permit)?);
    }
    let route = route(opened.block, &at, terms.alternative)?;
    if !opened.own {
        bounded(&at, opened.intent.side, FOREIGN)?;
    }
    let stated = Some(terms.owner).filter(|owner| !owner.is_zero());
    let owner = owner(client, &opened.intent, stated, signal).await?;
    opened.intent.account = Some(owner);
    let chain = Chain::find(client, opened.intent.chain_id, signal).await?;
    let mut found = Vec::new();
    if let Some(chain) = &chain {
        let src = &opened.intent.src.address;
        // The native coin needs no approval: what there is of it can be taken.
        let allowance = match is_native(*src) {
            true => Read::Balance(src, &owner),
            false => Read::Allowance(src, &owner, &opened.known.0.delta),
        };
        let reads = [Read::Time, Read::Decimals(src), dest_decimals(&opened.intent), allowance];
        found = chain.read_all(&reads).await?;
    }
    check_arrival(client, &opened.intent, signal).await?;
    let (now, allowance) = learnt(&opened.intent, shared.host.unix_ms() / 1_000, &found)?;
    terms.owner = owner;
    terms.nonce = Some(shared.nonce_for(&opened.intent, owner));
    settle_deadline(&at, &mut terms, &opened.intent, now)?;
    let answer = building::build(shared, route, &opened.intent, &terms, signal).await?;
    let (mut out, mut built) = verified(shared, &opened, &terms, now, &answer)?;
    let mut need = approval_need(&opened, &terms, &built.verified.figures, allowance);
    if cover {
        need.amount = need.amount.saturating_add(held(client, &need, signal).await?);
    }
    let approval = missing(client, chain.as_ref(), need).await?;
    out.raw("approval", &approval);
    built.view.raw("approval", &approval);
    built.view.text("sealed", &seal(&shared.secret, &out.close()));
    Ok(built.view.close())
}

/// The time by the chain's clock and the allowance, where they were read; by the machine's and none otherwise.
fn learnt(intent: &Intent, machine: u64, found: &[U256]) -> Result<(u64, Option<U256>)> {
    let [time, src, dest, allowance] = found else { return Ok((machine, None)) };
    check_decimals(intent, src, dest)?;
    let time = chain_clock(intent.chain_id, time, machine)?;
    Ok((time, Some(*allowance)))
}

/// The chain's time, unix seconds. A chain that is known runs by the world's clock: a node that says otherwise would make
/// orders and permits good for years.
///
/// # Errors
/// INVALID_INPUT with the RPC.
pub(super) fn chain_clock(chain_id: u64, time: &U256, machine: u64) -> Result<u64> {
    let time = u64::try_from(*time).unwrap_or(u64::MAX);
    if pinned(chain_id).is_some() && time > machine.saturating_add(CLOCK_SLACK_SECS) {
        let field = ["rpc.", &chain_id.text()].concat();
        return Err(Error::input(&field, "a node whose clock is right", &time.text()));
    }
    Ok(time)
}

/// The decimals of what is wanted, where they can be read on the source chain; else those of what is given.
pub(super) fn dest_decimals(intent: &Intent) -> Read<'_> {
    Read::Decimals(if intent.is_crosschain() { &intent.src.address } else { &intent.dest.address })
}

/// Compares the decimals of a token on another chain with its own, where that chain can be read.
///
/// # Errors
/// INVALID_INPUT with the member; the RPC's failure.
pub(super) async fn check_arrival<H: Host>(client: &Client<H>, intent: &Intent, signal: &H::Signal) -> Result<()> {
    if intent.is_crosschain()
        && let Some(chain) = Chain::find(client, intent.dest_chain_id, signal).await?
    {
        let own = chain.read(Read::Decimals(&intent.dest.address)).await?;
        check_one("destDecimals", &intent.dest, &own)?;
    }
    Ok(())
}

/// The route to build from, byte for byte: the quote's, or another of its own.
fn route<'a>(block: &'a str, options: &At<'_>, alternative: Option<usize>) -> Result<&'a str> {
    let parts = Parts::of(block)?;
    let Some(index) = alternative else { return parts.raw("route") };
    let others = parts.raw("alternatives").map_or_else(|_| Ok(vec![]), items).map_err(Error::not_json)?;
    let place = options.get("alternative");
    others.get(index).copied().ok_or_else(|| {
        place.fault(&["below ", &others.len().text(), ", the number of the quote's other routes"].concat())
    })
}

/// The deadline that was named, or the default; late enough for every slice.
fn settle_deadline(at: &At<'_>, terms: &mut Terms, intent: &Intent, now: u64) -> Result<()> {
    let valid = terms.valid_for_secs(at, intent)?;
    let place = at.get("deadline");
    if place.is_absent() {
        terms.deadline = now.saturating_add(valid);
    }
    let takes = intent.twap.map_or(1, |twap| twap.takes_secs());
    let least = now.saturating_add(takes);
    if terms.deadline < least {
        let place = place.some().unwrap_or_else(|| at.get("validForSecs"));
        return Err(place.fault(&["unix seconds after ", &least.saturating_sub(1).text()].concat()));
    }
    Ok(())
}

/// Holds the service's answer against what was asked for. Returns the text to seal, still open, and what is in it.
fn verified<H: Host>(
    shared: &Shared<H>,
    opened: &OpenQuote<'_>,
    terms: &Terms,
    now: u64,
    answer: &str,
) -> Result<(Out, Box<OpenBuild>)> {
    let parts = Parts::of(answer)?;
    let started = shared.host.monotonic_ms();
    let mut out = Out::object();
    out.raw("request", &opened.intent.write());
    out.raw("terms", &terms.write());
    out.number("now", now);
    out.raw("delta", opened.block);
    out.raw("toSign", parts.raw("toSign")?);
    out.raw("orderHash", parts.raw("orderHash")?);
    let verdict = open_build(&out.closed(), &opened.known);
    shared.checked("order", started, &verdict);
    Ok((out, verdict?))
}

/// Why the price of such a quote may be any.
pub(super) const FOREIGN: &str = "the quote was made by another client, or before a reload";

/// Where a price may be any, for that reason, the caller says how little, or how much, is too much.
pub(super) fn bounded(at: &At<'_>, side: Side, why: &str) -> Result<()> {
    let bound = at.get(if side == Side::Sell { "minReceived" } else { "maxSpent" });
    if bound.is_absent() {
        return Err(bound.fault(&["a bound of your own (", why, ")"].concat()));
    }
    Ok(())
}

/// Who signs: the one named here, in the request, by the client, or the wallet's first account.
pub(super) async fn owner<H: Host>(
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
    owner.ok_or_else(|| Error::input("options.account", "the account that will sign", "nothing"))
}

/// Compares the caller's decimals with the tokens' own.
///
/// # Errors
/// INVALID_INPUT with the member.
pub(super) fn check_decimals(intent: &Intent, src: &U256, dest: &U256) -> Result<()> {
    check_one("srcDecimals", &intent.src, src)?;
    // What arrives on another chain is not read here: see `dest_decimals`.
    if intent.is_crosschain() { Ok(()) } else { check_one("destDecimals", &intent.dest, dest) }
}

fn check_one(member: &str, token: &Token, own: &U256) -> Result<()> {
    own_decimals(&["request.", member].concat(), token.decimals, own)
}
