//! `verifyOrder`: all checks of a Delta order without a client, for an order that the service built for another SDK.
//!
//! It neither signs nor posts, and reads no chain: it does not check balance, allowance, the chain's clock, and
//! decimals of tokens that no table has.
//!
//! There is no seal either: the caller vouches for `quote` being the service's answer to `request`.

use crate::domain::chain::{Contracts, Deployment, Protocol, Source, pinned};
use crate::domain::delta::terms::{TERMS, Terms};
use crate::domain::input::{account, known, optional, slippage};
use crate::domain::intent::{Defaults, Intent};
use crate::domain::reference::trade_references::TradeReferences;
use crate::domain::sentence;
use crate::domain::side::Side;
use crate::domain::verify::delta_expectation::DeltaExpectation;
use crate::domain::verify::delta_order::verify;
use crate::domain::verify::{Checks, delta_quote, report_of_trade};
use crate::error::{Error, ErrorCode, Result};
use crate::json::{Json, JsonAt, parse};
use crate::value::text::ToText;
use crate::wire;

/// Verifies the parts of `{ request, quote, toSign, orderHash, contracts? }` against each other: quote against request,
/// typed data against both, digest against hash. `now` is unix seconds by this machine's clock. Returns the report as
/// JSON text.
///
/// # Errors
/// INVALID_INPUT with the member; UNSUPPORTED_CHAIN for a chain without contracts; VERIFY_MISMATCH with the first
/// member that differs from the request; SERVICE_MALFORMED if quote or typed data cannot be read.
pub fn verify_order(input: &Json, now: u64) -> Result<String> {
    let at = JsonAt::input(input, "");
    known(&at, &["request", "quote", "toSign", "orderHash", "contracts"])?;
    let request = at.get("request");
    let mut names = Intent::MEMBERS.to_vec();
    names.extend(TERMS);
    known(&request, &names)?;
    let mut intent = Intent::read_known(&request, &Defaults::default())?;
    intent.note_unread(vec![intent.chain_id, intent.dest_chain_id]);
    let terms = read_terms(&request, &intent)?;
    let id = intent.chain_id.text();
    let given = optional(&at.get("contracts").get(&id), application_contracts)?;
    let given = given.map(|contracts| Deployment { contracts, source: Source::Application });
    let pinned = || pinned(intent.chain_id).map(|contracts| Deployment { contracts, source: Source::Pinned });
    let Some(deployment) = given.or_else(pinned).filter(|found| found.contracts.of(Protocol::Delta).is_some()) else {
        let message = ["chain ", &id, " is not pinned: pass its contracts"].concat();
        return Err(Error::new(ErrorCode::UnsupportedChain, &message));
    };
    let null = Json::Null;
    let price =
        wire::quote::read_price(&JsonAt::service(at.get("quote").json().unwrap_or(&null), "quote"), terms.alternative)?;
    let mut intent = intent.arriving_as(price.destination_output.token);
    // No reference is read here, so a price without one is reported, not refused.
    intent.require_reference = false;
    let quoted = delta_quote::verify(&price, &intent, &deployment, Checks::default())?;
    let from_text = at.get("toSign").text().ok().map(parse).transpose().map_err(Error::not_json)?;
    let to_sign = from_text.as_ref().or(at.get("toSign").json()).unwrap_or(&null);
    let payload = wire::to_sign::read_payload(&JsonAt::service(to_sign, "toSign"), &at.get("orderHash"))?;
    let deadline_named = !request.get("deadline").is_absent();
    let expected = DeltaExpectation {
        intent: &intent,
        terms: &terms,
        price: &price,
        deployment: &deployment,
        now,
        ahead: 0,
        references: &TradeReferences::default(),
        bound: intent.pricing.src_price_usd.is_some().then_some(true),
        deadline_named,
    };
    let verified = verify(payload, &expected)?;
    let checks = [&quoted, ",", &verified.checks].concat();
    let sentence = [sentence::order(&intent, &terms, &verified.amounts), verified.caveat()].concat();
    let typed = verified.order.to_sign(&verified.domain)?;
    Ok(report_of_trade(&sentence, &checks, Some(&typed), &verified.priced()))
}

/// The options of the build, which are part of the request here: the account, and the slippage unless a limit is the
/// price.
///
/// # Errors
/// INVALID_INPUT with the member.
fn read_terms(at: &JsonAt<'_>, intent: &Intent) -> Result<Terms> {
    account(&at.get("account"))?;
    let terms = Terms::read(at)?;
    if terms.external.is_some() && intent.is_crosschain() {
        return Err(at.get("external").fault("for a request on one chain"));
    }
    if terms.limit.is_none() && !(intent.twap.is_some() && intent.side == Side::Buy) {
        slippage(&at.get("slippageBps"))?;
    }
    Ok(terms)
}

/// Reads the contracts that an app states for a chain: `{ delta?, wrappedNative?, router?, rfq? }`.
///
/// ```
/// use verified_swap::{json::{JsonAt, parse}, trade::application_contracts};
/// let given = parse(r#"{ "rfq": "0x00000000000000000000000000000000000000f1" }"#).unwrap();
/// let contracts = application_contracts(&JsonAt::input(&given, "contracts")).unwrap();
/// assert!(contracts.delta.is_zero() && contracts.rfq.ends_with(&[0xf1]));
/// ```
///
/// # Errors
/// INVALID_INPUT with the member that is unknown or no address; with `delta` if no contract is stated.
pub fn application_contracts(at: &JsonAt<'_>) -> Result<Contracts> {
    known(at, &["delta", "wrappedNative", "router", "rfq"])?;
    let contract = |name| Ok(optional(&at.get(name), account)?.unwrap_or_default());
    let found = Contracts {
        delta: contract("delta")?,
        wrapped_native: optional(&at.get("wrappedNative"), account)?,
        router: contract("router")?,
        rfq: contract("rfq")?,
    };
    if found == (Contracts { wrapped_native: found.wrapped_native, ..Contracts::default() }) {
        return Err(at.get("delta").fault("the address of a contract (or router, or rfq)"));
    }
    Ok(found)
}
