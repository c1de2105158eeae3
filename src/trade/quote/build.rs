//! What a quote is built into: an order, or the owner's own transaction, by the path that answered.

use crate::client::Client;
use crate::domain::chain::Protocol;
use crate::error::Result;
use crate::host::Host;
use crate::json::{Json, JsonAt};
use crate::trade::delta;
use crate::trade::market;
use crate::trade::quote::request::reopen;

/// Builds and verifies an order, or a transaction, for a quote. Returns the build as JavaScript sees it.
///
/// # Errors
/// INVALID_INPUT, QUOTE_EXPIRED, VERIFY_MISMATCH, and those of the service.
pub async fn build<H: Host>(client: &Client<H>, quote: &Json, options: &Json, signal: &H::Signal) -> Result<String> {
    let at = JsonAt::input(options, "options");
    let opened = reopen(client, quote, at.get("request").json(), signal).await?;
    match opened.path {
        Protocol::Market => market::build::build(client, opened, &at, signal).await,
        _ => delta::build::build(client, opened, &at, signal).await,
    }
}
