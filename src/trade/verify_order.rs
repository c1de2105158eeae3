//! The checks alone, for an order that another SDK had built.

use crate::domain::chain::{Contracts, Source, pinned};
use crate::domain::intent::{Defaults, Intent, Terms, account, amount_input, known, optional, slippage};
use crate::domain::sentence::{self, Figures};
use crate::domain::text::ToText;
use crate::domain::verify::delta_order::{Asked, verify};
use crate::domain::verify::{Report, delta_quote};
use crate::error::{Error, ErrorCode, Result};
use crate::json::{At, Json, Read, parse};
use crate::wire;

/// Holds `{ request, quote, toSign, orderHash, contracts? }` together. `now` is unix seconds by the machine's clock.
/// Returns the report.
///
/// # Errors
/// INVALID_INPUT, UNSUPPORTED_CHAIN, VERIFY_MISMATCH; SERVICE_MALFORMED where quote or typed data can not be read.
pub fn verify_order(input: &Json, now: u64) -> Result<Json> {
    let at = At::root(input, "");
    known(at, &["request", "quote", "toSign", "orderHash", "contracts"]).map_err(Error::input)?;
    let request = at.get("request");
    let mut names = Intent::MEMBERS.to_vec();
    names.extend(["slippageBps", "minReceived", "maxSpent", "deadline", "nonce"]);
    known(request, &names).map_err(Error::input)?;
    let intent = Intent::read_known(request, &Defaults::default()).map_err(Error::input)?;
    let terms = terms(request).map_err(Error::input)?;
    let contracts = given(at.get("contracts"), intent.chain_id).map_err(Error::input)?;
    let contracts = contracts.map(|given| (given, Source::Application));
    let contracts = contracts.or_else(|| pinned(intent.chain_id).map(|known| (known, Source::Pinned)));
    let missing = || {
        let message = ["chain ", &intent.chain_id.text(), " is not pinned: pass its contracts"].concat();
        Error::new(ErrorCode::UnsupportedChain, message)
    };
    let contracts = contracts.ok_or_else(missing)?;
    let price = wire::quote::price(at.get("quote")).map_err(Error::malformed)?;
    let mut checks = delta_quote::verify(&price, &intent, &contracts)?;
    let from_text = at.get("toSign").text().ok().map(parse).transpose().map_err(Error::not_json)?;
    let to_sign = from_text.as_ref().map_or_else(|| at.get("toSign"), |json| At::root(json, "toSign"));
    let payload = wire::to_sign::payload(to_sign, at.get("orderHash")).map_err(Error::malformed)?;
    let deadline_named = !request.get("deadline").is_absent();
    let asked = Asked { intent: &intent, terms: &terms, price: &price, contracts: &contracts, now, deadline_named };
    let verified = verify(&payload, &asked)?;
    let order = &verified.order;
    let figures = Figures {
        spent: order.srcAmount,
        received: verified.min_received,
        beneficiary: order.beneficiary,
        deadline: u64::try_from(order.deadline).unwrap_or(u64::MAX),
        fee_bps: verified.fee_bps,
    };
    checks.extend(verified.checks);
    Ok(Report { sentence: sentence::order(&intent, &figures), checks, digest: Some(verified.digest) }.write())
}

fn terms(at: At<'_>) -> Read<Terms> {
    Ok(Terms {
        owner: account(at.get("account"))?,
        slippage: slippage(at.get("slippageBps"))?,
        deadline: optional(at.get("deadline"), |at| at.integer(u64::MAX))?.unwrap_or_default(),
        nonce: optional(at.get("nonce"), |at| at.uint())?,
        min_received: optional(at.get("minReceived"), amount_input)?,
        max_spent: optional(at.get("maxSpent"), amount_input)?,
    })
}

/// The application's contracts for one chain.
fn given(at: At<'_>, chain_id: u64) -> Read<Option<Contracts>> {
    optional(at.get(&chain_id.text()), application_contracts)
}

/// Reads `{ delta, wrappedNative? }`.
///
/// # Errors
/// Names the member that is missing, unknown or not an address.
pub fn application_contracts(at: At<'_>) -> Read<Contracts> {
    known(at, &["delta", "wrappedNative"])?;
    Ok(Contracts { delta: account(at.get("delta"))?, wrapped_native: optional(at.get("wrappedNative"), account)? })
}
