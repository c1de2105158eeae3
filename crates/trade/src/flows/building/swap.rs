//! `build` of a Market request: price and transaction at once, for an app that shows no quote first.

use crate::client::Client;
use crate::flows::building::market::build;
use crate::flows::call::CallArgs;
use crate::flows::chain::deployment::{check_beneficiary, find_deployment};
use crate::flows::quote::opened::OpenQuote;
use crate::host::Host;
use crate::ledger::asked::Asked;
use verify::internal::domain::chain::Protocol;
use verify::internal::domain::intent::Intent;
use verify::internal::domain::side::Side;
use verify::internal::error::Result;
use verify::internal::json::JsonAt;

/// Has the service find a route and build its transaction at once, and verifies both. Returns the `MarketBuild` as JSON
/// text. The user has not seen a price before, so the options have to bound it: `minReceived` for a SELL, `maxSpent`
/// for a BUY.
///
/// # Errors
/// INVALID_INPUT with the member; VERIFY_MISMATCH; those of the service.
pub async fn swap<H: Host>(client: &Client<H>, call: &CallArgs<'_, H>) -> Result<String> {
    let (at, asked) = (JsonAt::input(call.data, "request"), Asked::now(&*client.shared.host));
    let intent = Intent::read(&at, &client.defaults())?;
    let deployment = find_deployment(&client.shared, intent.chain_id, Protocol::Market, call.signal).await?;
    check_beneficiary(&at, &intent, Protocol::Market, &deployment.contracts)?;
    let options = JsonAt::input(call.options, "options");
    let bound = options.get(if intent.side == Side::Sell { "minReceived" } else { "maxSpent" });
    if bound.is_absent() {
        return Err(bound.fault("a bound of your own (this price is not shown before)"));
    }
    let unpriced = OpenQuote { intent, protocol: Protocol::Market, block: "", deployment, arrived: 0, asked };
    build(client, unpriced, &options, call.signal).await
}
