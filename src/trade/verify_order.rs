//! `verifyOrder`: all checks of a Delta order without a client, for an order that the service built for another SDK.
//!
//! It neither signs nor posts, and reads no chain: it does not check balance, allowance, the chain's clock, and
//! decimals of tokens that no table has.
//!
//! There is no seal either: the caller vouches for `quote` being the service's answer to `request`.

use crate::domain::chain::application_contracts;
use crate::domain::input::{known, optional};
use crate::error::{Error, Result};
use crate::json::{Json, JsonAt, parse};
use crate::value::text::ToText;
use verified_swap_verify::internal::verify_parts;
use verified_swap_verify::{Context, Request};

/// Verifies the parts of `{ request, quote, toSign, orderHash, contracts? }` against each other. `now` is unix seconds by
/// this machine's clock. Returns the report as JSON text.
///
/// # Errors
/// INVALID_INPUT with the member; those of [`verified_swap_verify::verify_order`].
pub fn verify_order(input: &Json, now: u64) -> Result<String> {
    let at = JsonAt::input(input, "");
    known(&at, &["request", "quote", "toSign", "orderHash", "contracts"])?;
    let request = Request::read(&at.get("request"))?;
    let contracts = optional(&at.get("contracts").get(&request.chain_id().text()), application_contracts)?;
    let part = |name| at.get(name).json().unwrap_or(&Json::Null);
    let from_text = at.get("toSign").text().ok().map(parse).transpose().map_err(Error::not_json)?;
    let to_sign = from_text.as_ref().unwrap_or_else(|| part("toSign"));
    let context = Context { now, contracts };
    verify_parts(&request, part("quote"), to_sign, &at.get("orderHash"), &context).map(|report| report.json)
}
