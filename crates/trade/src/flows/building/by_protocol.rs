//! `build`: turns a quote into an order or the owner's own transaction, by the protocol that answered it; prices and
//! builds a Market request; or builds anew with a permit.

use crate::client::Client;
use crate::flows::argument_kind::{is_build, is_market_request};
use crate::flows::building::delta;
use crate::flows::call::CallArgs;
use crate::flows::chain::reference::forget_references;
use crate::flows::parts::Parts;
use crate::flows::quote::opened::open_fresh_quote;
use crate::flows::quote::withdraw::check_not_withdrawn;
use verify::internal::domain::chain::Protocol;
use verify::internal::domain::verify::price::is_about_price;
use verify::internal::error::Result;
use verify::internal::json::JsonAt;

/// Builds and verifies an order or a transaction for a quote, unless the quote was withdrawn, also meanwhile. If
/// earlier reference prices refuse it, it is built once more with new ones: the market may have moved since. A build
/// passed as the quote is built anew (`permit::rebuild`), a Market request is priced with its build ([`super::swap`]).
/// Returns the `DeltaBuild` or `MarketBuild` as JSON text.
///
/// # Errors
/// INVALID_INPUT with the option or the quote's member; QUOTE_EXPIRED; VERIFY_MISMATCH with the first value that
/// differs from the request; those of the service, and of [`Parts::rest`].
pub async fn build<H: Parts>(client: &Client<H>, call: &CallArgs<'_, H>) -> Result<String> {
    let shared = &client.shared;
    if is_build(call.data) {
        return (shared.host.rest(call.signal).await?.rebuild)(client, call).await;
    }
    if is_market_request(call.data) {
        return (shared.host.rest(call.signal).await?.swap)(client, call).await;
    }
    let at = JsonAt::input(call.options, "options");
    let mut asked = Some(shared.nodes.questions_put.get());
    // Only one place awaits the build: its code is large.
    loop {
        let opened = open_fresh_quote(client, call.data, call.signal).await?;
        check_not_withdrawn(shared, call.data)?;
        // A build that waits for the rate limit is not sent once the price is too old.
        shared.request_options.borrow_mut().until = Some(opened.until());
        let built = match opened.protocol {
            Protocol::Market => {
                (shared.host.rest(call.signal).await?.build_market)(client, opened, &at, call.signal).await
            }
            _ => delta::build(client, opened, &at, call.signal).await,
        };
        check_not_withdrawn(shared, call.data)?;
        if !built.as_ref().is_err_and(is_about_price)
            || !asked.take().is_some_and(|asked| forget_references(shared, asked))
        {
            return built;
        }
    }
}
