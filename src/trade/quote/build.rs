//! What a quote is built into: an order, or the owner's own transaction, by the path that answered.

use crate::client::Client;
use crate::domain::chain::Protocol;
use crate::error::Result;
use crate::host::Host;
use crate::json::JsonAt;
use crate::trade::call::CallArgs;
use crate::trade::delta;
use crate::trade::market;
use crate::trade::quote::request::open_fresh_quote;

/// Builds and verifies an order, or a transaction, for a quote. Returns the build as JavaScript sees it.
///
/// # Errors
/// INVALID_INPUT, QUOTE_EXPIRED, VERIFY_MISMATCH, and those of the service.
pub async fn build<H: Host>(client: &Client<H>, call: &CallArgs<'_, H>) -> Result<String> {
    let at = JsonAt::input(call.options, "options");
    let opened = open_fresh_quote(client, call.data, at.get("request").json(), call.signal).await?;
    match opened.protocol {
        Protocol::Market => market::build::build(client, opened, &at, call.signal).await,
        _ => delta::build::build(client, opened, &at, call.signal).await,
    }
}
