//! The bounds that a caller states for an order whose prompt was open when its page died, or that was signed elsewhere.
//!
//! The journal has its bytes; anything may have written them there. It is asked for again only with its request, stated
//! again, and with bounds of the caller's own. See "After a reload in a prompt" in docs/verification.md.

use crate::client::Client;
use crate::flows::seal::{check_same_request, need_request};
use crate::host::Host;
use crate::wallet::account::current_account;
use alloy_primitives::{Address, U256};
use verify::internal::domain::delta::terms::min_bridge_input;
use verify::internal::domain::input::{amount_input, known_in, optional, unix_secs};
use verify::internal::domain::intent::Intent;
use verify::internal::domain::side::Side;
use verify::internal::error::Result;
use verify::internal::json::{Json, JsonAt};
use verify::internal::value::text::ToText;

/// The most seconds that the deadline of such an order may lie ahead, unless the caller states the latest.
const MAX_SECS_AHEAD: u64 = 86_400;

/// The bounds that the caller states.
pub struct RestatedBounds {
    /// The least to be received, in raw units of the requested token: `minReceived`.
    pub least: U256,
    /// The most that is spent, in raw units of the source token: the amount of a SELL, `maxSpent` of a BUY.
    pub most: U256,
    /// The latest deadline, unix seconds: `deadline`, else a day from now.
    pub latest: U256,
    /// The bridge input, and its least amount in raw units: `minBridgeInput`.
    pub bridge_input: Option<(Address, U256)>,
    /// Whether the caller accepts that a bridge only promises the destination amount: `acceptUnguaranteedArrival`.
    pub accepts_promise: bool,
}

/// The request as the caller states it again. If it names no account, the wallet's first is used, as in `build`.
///
/// # Errors
/// The wallet's failure.
pub async fn complete_request<H: Host>(
    client: &Client<H>,
    request: Option<&Json>,
    signal: &H::Signal,
) -> Result<Option<Json>> {
    let mut completed = request.cloned();
    if let Some(Json::Object(members)) = &mut completed
        && JsonAt::input(request.unwrap_or(&Json::Null), "request").get("account").is_absent()
        && let Some(account) = current_account(client, signal).await?
    {
        members.retain(|(name, _)| name != "account");
        members.push(("account".into(), Json::String(account.text())));
    }
    Ok(completed)
}

/// Reads the request that is stated again, with its bounds. Refuses an order for another request: it may trade other
/// tokens, or for another account.
///
/// # Errors
/// INVALID_INPUT with the member that is missing or differs; with `options.request` if there is none.
pub fn read_bounds<H: Host>(client: &Client<H>, inside: &Intent, request: Option<&Json>) -> Result<RestatedBounds> {
    let at = JsonAt::input(need_request(request.filter(|stated| **stated != Json::Null))?, "options.request");
    let bounds = ["minReceived", "maxSpent", "deadline", "minBridgeInput", "acceptUnguaranteedArrival"];
    known_in(&at, &[&Intent::MEMBERS, &bounds])?;
    check_same_request(Some(&Intent::read_known(&at, &client.defaults())?.write()), &inside.write())?;
    let unix = client.shared.host.unix_ms() / 1_000;
    let latest = optional(&at.get("deadline"), unix_secs)?.unwrap_or_else(|| unix.saturating_add(MAX_SECS_AHEAD));
    Ok(RestatedBounds {
        least: amount_input(&at.get("minReceived"))?,
        most: match inside.side {
            Side::Sell => inside.amount,
            Side::Buy => amount_input(&at.get("maxSpent"))?,
        },
        latest: U256::from(latest),
        bridge_input: optional(&at.get("minBridgeInput"), min_bridge_input)?,
        accepts_promise: optional(&at.get("acceptUnguaranteedArrival"), JsonAt::bool)?.unwrap_or(false),
    })
}
