//! A quote that its page no longer offers: a newer request took its place, or the wallet's account changed. A user may
//! still see it and press a button, so the client refuses to build it.

use crate::client::Shared;
use crate::host::Host;
use alloy_primitives::{B256, keccak256};
use verify::internal::error::{Error, ErrorCode, Result};
use verify::internal::json::{Json, JsonAt};

/// Remembers that the quote with that sealed text may not be built any more, and the first `reason` for it. Sends no
/// request.
pub fn withdraw<H: Host>(shared: &Shared<H>, sealed: &str, reason: &str) {
    shared.service.withdraw(key(sealed), reason.into());
}

/// Refuses a quote that was withdrawn.
///
/// # Errors
/// QUOTE_EXPIRED with the reason in `actual`; INVALID_INPUT if it is no quote.
pub fn check_not_withdrawn<H: Host>(shared: &Shared<H>, quote: &Json) -> Result<()> {
    shared.service.withdrawal(key(JsonAt::input(quote, "quote").get("sealed").text()?)).map_or(Ok(()), |reason| {
        Err(Error::at(ErrorCode::QuoteExpired, "", "quote", "a price that was not withdrawn", &reason))
    })
}

/// A quote's key in the memory: the hash of its sealed text.
fn key(sealed: &str) -> B256 {
    keccak256(sealed)
}
