//! A price that answers the request.

use super::client::Client;
use super::contracts::contracts;
use super::seal::{Parts, open, same_request, seal, unedited};
use crate::domain::bps::Bps;
use crate::domain::chain::{Contracts, Path, Source};
use crate::domain::delta::price::{Price, after_fee};
use crate::domain::intent::{Defaults, Intent, slippage};
use crate::domain::sentence;
use crate::domain::side::Side;
use crate::domain::text::ToText;
use crate::domain::token::is_native;
use crate::domain::verify::{delta_quote, report};
use crate::error::{Error, ErrorCode, Result};
use crate::host::{Event, Host};
use crate::json::{At, Json, Out, parse};
use crate::service::quotes;
use crate::wire;
use alloy_primitives::U256;

/// How long a price is good for, by a monotonic clock. The service says about 30 s.
const QUOTE_LIFE_MS: u64 = 30_000;

/// Asks for a price and holds it against the request. Returns the quote as JavaScript sees it.
///
/// # Errors
/// INVALID_INPUT, NO_ROUTE, VERIFY_MISMATCH, and those of the service.
pub async fn quote<H: Host>(client: &Client<H>, request: &Json, signal: &H::Signal) -> Result<String> {
    let shared = &client.shared;
    let at = At::input(request, "request");
    let intent = Intent::read(&at, &client.defaults())?;
    if is_native(intent.src.address) {
        return Err(at.get("srcToken").fault("an ERC-20 token (the native coin can be bought, not yet sold)"));
    }
    let known = contracts(shared, intent.chain_id, Path::Delta, signal).await?;
    if intent.beneficiary == Some(known.0.delta) {
        return Err(at.get("beneficiary").fault("somebody who can receive, not the contract that settles"));
    }
    let text = quotes::delta(shared, &intent, signal).await?;
    let Ok(delta) = Parts::of(&text)?.raw("delta") else { return Err(no_route(&text)) };
    let started = shared.host.monotonic_ms();
    let mut out = Out::object();
    out.raw("request", &intent.write());
    out.number("at", started);
    out.number("unixMs", shared.host.unix_ms());
    out.raw("delta", delta);
    let text = out.close();
    let viewed = view(&text, &seal(&shared.secret, &text), &known);
    let code = viewed.as_ref().err().map(|error| error.code);
    shared.told(Event { kind: "verify", name: "quote", started, status: None, code });
    shared.remember_decimals(&intent);
    viewed
}

fn no_route(text: &str) -> Error {
    let mut error = Error::new(ErrorCode::NoRoute, "the service has no gasless route for this trade");
    let answer = parse(text).unwrap_or(Json::Null);
    let reason = At::service(&answer, "").get("fallbackReason");
    error.error_type = reason.get("errorType").text().ok().map(String::from);
    error.details = reason.get("details").text().ok().map(String::from);
    error
}

/// The request inside a sealed text.
pub fn sealed_intent(parts: &Parts<'_>) -> Result<Intent> {
    Intent::read(&At::input(&parts.json("request")?, "request"), &Defaults::default())
}

/// The quote as JavaScript sees it, if the price in it is what was asked for.
fn view(text: &str, sealed: &str, known: &(Contracts, Source)) -> Result<String> {
    let parts = Parts::of(text)?;
    let intent = sealed_intent(&parts)?;
    let delta = parts.json("delta")?;
    let price: Price<'_> = wire::quote::price(&At::service(&delta, "delta"))?;
    let checks = delta_quote::verify(&price, &intent, known)?;
    let (spent, received) = (&price.origin_input, &price.destination_output);
    let mut out = Out::object();
    out.text("kind", "delta");
    out.text_or_null("id", price.id);
    out.raw("request", &intent.write());
    out.value("srcAmount", &spent.amount);
    out.value("destAmount", &received.amount);
    out.text_or_null("srcUsd", spent.usd);
    out.text_or_null("destUsd", received.usd);
    match &price.gas {
        Some(gas) => {
            let mut fee = Out::object();
            fee.value("token", &gas.token);
            fee.value("amount", &gas.amount);
            fee.text_or_null("amountUsd", gas.usd);
            out.raw("gasFee", &fee.close());
        }
        None => out.raw("gasFee", "null"),
    }
    match price.fee_bps() {
        Some(bps) => out.number("feeBps", bps.into()),
        None => out.raw("feeBps", "null"),
    }
    out.text_or_null("partnerName", price.partner_name);
    out.value("spender", &price.spender);
    out.raw("receivedAtMs", parts.raw("unixMs")?);
    let sentence = sentence::quote(&intent, spent.amount, received.amount);
    out.raw("report", &report(&sentence, &checks, None));
    out.text("sealed", sealed);
    Ok(out.close())
}

/// A quote that the application passed back, opened.
pub struct OpenQuote<'a> {
    /// Whether this client made it. If not, its price and its age are somebody else's word.
    pub own: bool,
    /// What was asked for.
    pub intent: Intent,
    /// What was answered, byte for byte.
    pub delta: &'a str,
    /// The route in it, byte for byte.
    pub route: &'a str,
    /// The chain's contracts.
    pub known: (Contracts, Source),
}

/// Opens a quote: unedited, fresh, this client's own or stated again.
///
/// # Errors
/// INVALID_INPUT, QUOTE_EXPIRED, VERIFY_MISMATCH.
pub async fn reopen<'a, H: Host>(
    client: &Client<H>,
    quote: &'a Json,
    request: Option<&Json>,
    signal: &H::Signal,
) -> Result<OpenQuote<'a>> {
    let shared = &client.shared;
    let at = At::input(quote, "quote");
    let sealed = at.get("sealed");
    let (text, own) = open(&shared.secret, &sealed)?;
    let parts = Parts::of(text)?;
    let intent = sealed_intent(&parts)?;
    if !own {
        let stated = request.map(|json| Intent::read(&At::input(json, "request"), &client.defaults()));
        same_request(stated.transpose()?.map(|intent| intent.write()).as_deref(), &intent.write())?;
    }
    let known = contracts(shared, intent.chain_id, Path::Delta, signal).await?;
    unedited(&at, &view(text, sealed.text()?, &known)?)?;
    let delta = parts.raw("delta")?;
    let arrived = At::input(&parts.json("at")?, "quote.sealed").integer(u64::MAX)?;
    // A clock that runs backwards belongs to another machine, or to nobody: no age can be told.
    let age = shared.host.monotonic_ms().checked_sub(arrived);
    if age.is_none_or(|age| age > QUOTE_LIFE_MS) {
        let secs = age.map_or("an unknown number of".into(), |age| (age / 1_000).text());
        return Err(Error::new(ErrorCode::QuoteExpired, &["this price is ", &secs, " s old"].concat()));
    }
    Ok(OpenQuote { own, intent, delta, route: Parts::of(delta)?.raw("route")?, known })
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
pub fn bound(quote: &Json, slippage_bps: &Json, which: QuoteBound) -> Result<U256> {
    let at = At::input(quote, "quote");
    let slippage: Bps = slippage(&At::input(slippage_bps, "slippageBps"))?;
    let side = at.get("request").get("side");
    let side = Side::from_name(side.text()?).ok_or_else(|| side.fault("SELL or BUY"))?;
    let (src, dest) = (at.get("srcAmount").uint()?, at.get("destAmount").uint()?);
    // Where the service does not state a fee, the order may carry as much as the request allows.
    let fee = at.get("feeBps").some().unwrap_or_else(|| at.get("request").get("maxFeeBps"));
    let fee = u16::try_from(fee.integer(10_000)?).unwrap_or(0);
    Ok(match (which, side) {
        (QuoteBound::MinReceived, Side::Sell) => after_fee(slippage.below(dest), fee),
        (QuoteBound::MinReceived, Side::Buy) => after_fee(dest, fee),
        (QuoteBound::MaxSpent, Side::Sell) => src,
        (QuoteBound::MaxSpent, Side::Buy) => slippage.above(src).unwrap_or(U256::MAX),
    })
}
