//! `withdrawQuote`: a quote that its app no longer offers. A newer request took its place, or the wallet's account
//! changed; a user may still see it and press a button. So the client refuses to build it.

use crate::client::{Client, Shared};
use crate::domain::input::short_text;
use crate::error::{Error, ErrorCode, Result};
use crate::host::Host;
use crate::json::{Json, JsonAt};
use crate::trade::call::CallArgs;
use alloy_primitives::{B256, keccak256};

/// The options of `withdrawQuote`.
pub const WITHDRAW_OPTIONS: [&str; 1] = ["reason"];

/// Remembers that a quote may not be built any more, with the option `reason`. Sends no request; returns `null`.
///
/// # Errors
/// INVALID_INPUT with `quote.sealed` or `options.reason`.
pub async fn withdraw_quote<H: Host>(client: &Client<H>, call: &CallArgs<'_, H>) -> Result<String> {
    let reason = short_text(&JsonAt::input(call.options, "options").get("reason"))?;
    client.shared.service.withdraw(key(call.data)?, reason);
    Ok("null".into())
}

/// Refuses a quote that was withdrawn.
///
/// # Errors
/// QUOTE_EXPIRED with the reason in `actual`; INVALID_INPUT if it is no quote.
pub fn check_not_withdrawn<H: Host>(shared: &Shared<H>, quote: &Json) -> Result<()> {
    shared.service.withdrawal(key(quote)?).map_or(Ok(()), |reason| {
        Err(Error::at(ErrorCode::QuoteExpired, "", "quote", "a price that was not withdrawn", &reason))
    })
}

/// A quote's key in the memory: the hash of its sealed text.
fn key(quote: &Json) -> Result<B256> {
    Ok(keccak256(JsonAt::input(quote, "quote").get("sealed").text()?))
}
