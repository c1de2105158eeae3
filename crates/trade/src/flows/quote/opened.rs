//! A quote as it is shown to the app, and when the app passes it back to `build` or `signPermit`: it was in the app's
//! hands meanwhile, so it is compared with its request once more. See "A quote against the request" in
//! docs/verification.md.

use crate::client::Client;
use crate::flows::chain::deployment::find_deployment;
use crate::flows::quote::delta;
use crate::flows::quote::fields::{Judge, judge_fields};
use crate::flows::quote::market;
use crate::flows::seal::{RawMembers, check_unedited, open_own};
use crate::host::Host;
use crate::ledger::asked::Asked;
use alloy_primitives::Address;
use verify::internal::domain::chain::{Deployment, Protocol};
use verify::internal::domain::intent::{Defaults, Intent};
use verify::internal::error::{Error, ErrorCode, Result};
use verify::internal::json::{Json, JsonAt, ObjectWriter, parse};
use verify::internal::value::text::ToText;

/// How long a quote may be built, in milliseconds by a monotonic clock. The service states about 30 s.
const QUOTE_LIFE_MS: u64 = 30_000;

/// The app's view of a quote, without its seal, as an object's text that is still open. Verifies the price in `inside`,
/// the sealed text parsed.
///
/// # Errors
/// VERIFY_MISMATCH with the member that differs; SERVICE_MALFORMED.
pub fn write_view(
    inside: &Json,
    intent: &Intent,
    protocol: Protocol,
    by: (&Deployment, Option<Judge>),
) -> Result<ObjectWriter> {
    let answer = JsonAt::service(inside, "");
    let block = answer.get(protocol.label());
    let mut out = ObjectWriter::object();
    out.text("kind", protocol.label());
    out.raw("request", &intent.write());
    match protocol {
        Protocol::Market => market::write_view(&block, &answer, intent, by, &mut out)?,
        _ => delta::write_view(&block, answer.get("reference"), intent, by, &mut out)?,
    }
    let received = answer.get("unixMs").integer(u64::MAX)?;
    out.number("receivedAtMs", received);
    out.number("expiresAtMs", received.saturating_add(QUOTE_LIFE_MS));
    Ok(out)
}

/// A quote that the app passed back, opened and verified. A build of a Market request makes one without a price.
pub struct OpenQuote<'a> {
    /// The request for the price.
    pub intent: Intent,
    /// The protocol that answered.
    pub protocol: Protocol,
    /// The block with the price, byte for byte as the service wrote it; empty if the price comes with the transaction.
    pub block: &'a str,
    /// The chain's contracts, and their source.
    pub deployment: Deployment,
    /// When it was received, in milliseconds by the monotonic clock.
    pub arrived: u64,
    /// When the app asked for it.
    pub asked: Asked,
}

impl OpenQuote<'_> {
    /// The contract that takes the source amount: the router, or the Delta contract.
    pub fn spender(&self) -> &Address {
        let contracts = &self.deployment.contracts;
        if self.protocol == Protocol::Market { &contracts.router } else { &contracts.delta }
    }

    /// Until when it may be built, in milliseconds by the monotonic clock.
    pub fn until(&self) -> u64 {
        self.arrived.saturating_add(QUOTE_LIFE_MS)
    }
}

/// Opens and verifies a quote of this client, however old it is. Refuses one that was edited: the visible members have
/// to be the sealed ones.
///
/// # Errors
/// INVALID_INPUT with the edited member, or with the quote if another client made it; VERIFY_MISMATCH if its price is not
/// for its request.
pub async fn open_quote<'a, H: Host>(client: &Client<H>, quote: &'a Json, signal: &H::Signal) -> Result<OpenQuote<'a>> {
    let shared = &client.shared;
    let at = JsonAt::input(quote, "quote");
    let text = open_own(&shared.settings.secret, &at)?;
    let tree = parse(text).map_err(Error::not_json)?;
    let inside = JsonAt::input(&tree, "");
    let intent = Intent::read(&inside.get("request"), &Defaults::default())?;
    let protocol = if inside.get(Protocol::Market.label()).is_absent() { Protocol::Delta } else { Protocol::Market };
    let deployment = find_deployment(shared, intent.chain_id, protocol, signal).await?;
    check_unedited(&at, &write_view(&tree, &intent, protocol, (&deployment, Some(judge_fields)))?.close())?;
    let block = RawMembers::of(text)?.raw(protocol.label())?;
    let time = |name| JsonAt::input(&tree, "quote.sealed").get(name).integer(u64::MAX);
    let asked = Asked::read(&inside.get("asked"))?;
    Ok(OpenQuote { intent, protocol, block, deployment, arrived: time("at")?, asked })
}

/// Opens a quote for `build`: at most 30 s old.
///
/// # Errors
/// Same as [`open_quote`]; QUOTE_EXPIRED.
pub async fn open_fresh_quote<'a, H: Host>(
    client: &Client<H>,
    quote: &'a Json,
    signal: &H::Signal,
) -> Result<OpenQuote<'a>> {
    let opened = open_quote(client, quote, signal).await?;
    let age = match client.shared.host.monotonic_ms().checked_sub(opened.arrived) {
        Some(age) if age <= QUOTE_LIFE_MS => return Ok(opened),
        Some(age) => ["this price is ", &*(age / 1_000).text(), " s old"].concat(),
        // It is negative: the clock of another machine was used, or the time was made up.
        None => "this price has no known age".into(),
    };
    Err(Error::new(ErrorCode::QuoteExpired, &age))
}
