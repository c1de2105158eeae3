//! A price that answers the request.

use super::client::Client;
use super::contracts::contracts;
use super::seal::{open, same_request, seal, unedited};
use crate::domain::address::checksummed;
use crate::domain::bps::Bps;
use crate::domain::chain::{Contracts, Source};
use crate::domain::delta::price::{Price, after_fee};
use crate::domain::intent::{Defaults, Intent, slippage};
use crate::domain::side::Side;
use crate::domain::text::ToText;
use crate::domain::token::is_native;
use crate::domain::verify::{Report, delta_quote};
use crate::domain::{amount, sentence};
use crate::error::{Error, ErrorCode, Result};
use crate::host::{Event, Host};
use crate::json::{At, Fault, Json, Read, members, object, parse};
use crate::service::quotes;
use crate::wire;
use alloy_primitives::U256;

/// How long a price is good for, by a monotonic clock. The service says about 30 s.
const QUOTE_LIFE_MS: u64 = 30_000;

/// Asks for a price and holds it against the request. Returns the quote as JavaScript sees it.
///
/// # Errors
/// INVALID_INPUT, NO_ROUTE, VERIFY_MISMATCH, and those of the service.
pub async fn quote<H: Host>(client: &Client<H>, request: &Json, signal: &H::Signal) -> Result<Json> {
    let shared = &client.shared;
    let at = At::root(request, "request");
    let intent = Intent::read(at, &client.defaults()).map_err(Error::input)?;
    if is_native(intent.src.address) {
        let fault = at.get("srcToken").fault("an ERC-20 token (the native coin can be bought, not yet sold)");
        return Err(Error::input(fault));
    }
    let known = contracts(shared, intent.chain_id, signal).await?;
    let text = quotes::delta(shared, &intent, signal).await?;
    let answer = members(&text).map_err(Error::not_json)?;
    let delta = answer.iter().find(|(name, raw)| name == "delta" && *raw != "null").map(|(_, raw)| *raw);
    let Some(delta) = delta else { return Err(no_route(&text)) };
    let price = read_price(delta)?;
    let started = shared.host.monotonic_ms();
    let verdict = delta_quote::verify(&price, &intent, &known);
    let (now, unix) = (shared.host.monotonic_ms(), shared.host.unix_ms());
    let (ok, ms) = (verdict.is_ok(), now.saturating_sub(started));
    let code = (!ok).then_some(ErrorCode::VerifyMismatch.name());
    shared.host.event(Event { kind: "verify", name: "quote", ok, ms, status: None, code });
    verdict?;
    shared.remember_decimals(&intent);
    let (now, unix) = (now.text(), unix.text());
    let intent_text = intent.write().write();
    let text = [
        r#"{"kind":"quote","at":"#,
        &now,
        r#","unixMs":"#,
        &unix,
        r#","request":"#,
        &intent_text,
        r#","delta":"#,
        delta,
        "}",
    ]
    .concat();
    view(&text, &seal(&shared.secret, &text), &known)
}

fn no_route(text: &str) -> Error {
    let answer = parse(text).unwrap_or(Json::Null);
    let mut error = Error::new(ErrorCode::NoRoute, "the service has no gasless route for this trade");
    if let Some((error_type, details)) = wire::quote::fallback_reason(&answer) {
        error.error_type = error_type;
        error.details = details;
    }
    error
}

fn read_price(delta: &str) -> Result<Price> {
    let json = parse(delta).map_err(Error::not_json)?;
    wire::quote::price(At::root(&json, "delta")).map_err(Error::malformed)
}

/// A quote that was opened again: what was asked for, and what was answered, verbatim.
pub struct OpenQuote<'a> {
    /// What was asked for.
    pub intent: Intent,
    /// What was answered.
    pub price: Price,
    /// The delta block's own text.
    pub delta: &'a str,
    /// The route's own text.
    pub route: &'a str,
    /// When it arrived, on the monotonic clock.
    pub at: u64,
    /// The same by the machine's clock.
    pub unix_ms: Json,
}

/// Opens the text inside a sealed quote.
///
/// # Errors
/// INVALID_INPUT where it is none.
pub fn open_text(text: &str) -> Result<OpenQuote<'_>> {
    let broken = || Error::input(Fault::new("quote.sealed", "a sealed quote", "something else"));
    let parts = members(text).map_err(|_| broken())?;
    let part = |name: &str| parts.iter().find(|(n, _)| n == name).map(|(_, raw)| *raw).ok_or_else(broken);
    let request = parse(part("request")?).map_err(|_| broken())?;
    let intent = Intent::read(At::root(&request, "request"), &Defaults::default()).map_err(|_| broken())?;
    let delta = part("delta")?;
    let blocks = members(delta).map_err(|_| broken())?;
    let route = blocks.iter().find(|(name, _)| name == "route").map(|(_, raw)| *raw).ok_or_else(broken)?;
    let at = part("at")?.parse().map_err(|_| broken())?;
    let unix_ms = parse(part("unixMs")?).map_err(|_| broken())?;
    Ok(OpenQuote { intent, price: read_price(delta)?, delta, route, at, unix_ms })
}

/// The quote as JavaScript sees it.
fn view(text: &str, sealed: &str, known: &(Contracts, Source)) -> Result<Json> {
    let OpenQuote { intent, price, unix_ms, .. } = open_text(text)?;
    let checks = delta_quote::verify(&price, &intent, known)?;
    let (spent, received) = (price.origin_input.amount, price.destination_output.amount);
    let report = Report { sentence: sentence::quote(&intent, spent, received), checks, digest: None };
    let optional = |text: &Option<String>| Json::or_null(text.as_deref().map(Json::text));
    let gas = price.gas.as_ref().map(|gas| {
        object([
            ("token", Json::text(checksummed(gas.token))),
            ("amount", Json::text(gas.amount.text())),
            ("amountUsd", optional(&gas.usd)),
        ])
    });
    Ok(object([
        ("kind", Json::text("delta")),
        ("id", optional(&price.id)),
        ("request", intent.write()),
        ("srcAmount", Json::text(spent.text())),
        ("destAmount", Json::text(received.text())),
        ("srcUsd", optional(&price.origin_input.usd)),
        ("destUsd", optional(&price.destination_output.usd)),
        ("gasFee", Json::or_null(gas)),
        ("feeBps", Json::or_null(price.fee_bps().map(|bps| Json::number(bps.into())))),
        ("partnerName", optional(&price.partner_name)),
        ("spender", Json::text(checksummed(price.spender))),
        ("receivedAtMs", unix_ms),
        ("report", report.write()),
        ("sealed", Json::text(sealed)),
    ]))
}

/// Opens a quote that the application passes back: unedited, fresh, this client's own or stated again.
///
/// # Errors
/// INVALID_INPUT, QUOTE_EXPIRED, VERIFY_MISMATCH.
pub async fn reopen<'a, H: Host>(
    client: &Client<H>,
    quote: &'a Json,
    request: Option<&Json>,
    signal: &H::Signal,
) -> Result<(OpenQuote<'a>, (Contracts, Source))> {
    let shared = &client.shared;
    let at = At::root(quote, "quote");
    let sealed = at.get("sealed").text().map_err(Error::input)?;
    let (text, own) = open(&shared.secret, sealed, "quote.sealed")?;
    let opened = open_text(text)?;
    if !own {
        let stated = request.map(|json| Intent::read(At::root(json, "request"), &client.defaults()));
        let stated = stated.transpose().map_err(Error::input)?.map(|intent| intent.write());
        same_request(stated.as_ref(), &opened.intent.write())?;
    }
    let known = contracts(shared, opened.intent.chain_id, signal).await?;
    unedited(at, &view(text, sealed, &known)?)?;
    // A clock that runs backwards belongs to another machine, or to nobody: no age can be told.
    let age = shared.host.monotonic_ms().checked_sub(opened.at);
    if age.is_none_or(|age| age > QUOTE_LIFE_MS) {
        let age = age.map_or("from the future".into(), |age| [&(age / 1_000).text(), " s old"].concat());
        return Err(Error::new(ErrorCode::QuoteExpired, ["this price is ", &age].concat()));
    }
    Ok((opened, known))
}

/// Which bound of a quote is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuoteBound {
    /// The least that arrives, after the fee.
    MinReceived,
    /// The most that is spent.
    MaxSpent,
}

/// A bound of a quote for that slippage, from its visible members: for display, and for `build` to hold the order to.
///
/// # Errors
/// INVALID_INPUT.
pub fn bound(quote: &Json, slippage_bps: &Json, which: QuoteBound) -> Read<U256> {
    let at = At::root(quote, "quote");
    let slippage: Bps = slippage(At::root(slippage_bps, "slippageBps"))?;
    let side = at.get("request").get("side");
    let side = Side::from_name(side.text()?).ok_or_else(|| side.fault("SELL or BUY"))?;
    let (src, dest) = (at.get("srcAmount").uint()?, at.get("destAmount").uint()?);
    let fee = at.get("feeBps").some().map(|fee| fee.integer(10_000)).transpose()?;
    let fee = fee.and_then(|fee| u16::try_from(fee).ok()).unwrap_or(0);
    Ok(match (which, side) {
        (QuoteBound::MinReceived, Side::Sell) => after_fee(slippage.below(dest), fee),
        (QuoteBound::MinReceived, Side::Buy) => after_fee(dest, fee),
        (QuoteBound::MaxSpent, Side::Sell) => src,
        (QuoteBound::MaxSpent, Side::Buy) => {
            slippage.above(src).ok_or_else(|| at.get("srcAmount").fault(amount::AmountError::TooLarge.expected()))?
        }
    })
}
