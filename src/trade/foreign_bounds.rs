//! What the caller says again of a build that was not made here, which carries its own idea of price, slippage and
//! deadline.

use crate::client::Client;
use crate::domain::delta::terms::min_entering;
use crate::domain::input::{amount_input, known, optional, unix_secs};
use crate::domain::intent::Intent;
use crate::domain::side::Side;
use crate::domain::text::ToText;
use crate::error::Result;
use crate::host::Host;
use crate::json::{Json, JsonAt};
use crate::trade::seal::check_same_request;
use crate::wallet::account::current;
use alloy_primitives::{Address, U256};

/// Such a build is good for this long ahead, unless the caller names its deadline.
const MAX_FOREIGN_SECS: u64 = 86_400;

/// What such a build may come to.
pub struct ForeignBounds {
    /// The least that arrives, raw units.
    pub least: U256,
    /// The most that is spent, raw units.
    pub most: U256,
    /// The latest deadline, unix seconds.
    pub latest: U256,
    /// The least that enters a bridge, raw units.
    pub entering: Option<(Address, U256)>,
    /// What arrives may be a bridge's promise.
    pub accepts_promise: bool,
}

/// The request that is said again. Where it names no account it is, as at `build`, the wallet's.
///
/// # Errors
/// The wallet's failure.
pub async fn complete_request<H: Host>(
    client: &Client<H>,
    request: Option<&Json>,
    signal: &H::Signal,
) -> Result<Option<Json>> {
    let mut said = request.cloned();
    if let Some(Json::Object(members)) = &mut said
        && JsonAt::input(request.unwrap_or(&Json::Null), "request").get("account").is_absent()
        && let Some(account) = current(client, signal).await?
    {
        members.retain(|(name, _)| name != "account");
        members.push(("account".into(), Json::String(account.text())));
    }
    Ok(said)
}

/// Reads the request that is said again, with its bounds. It is the one inside, or it ends here.
///
/// # Errors
/// INVALID_INPUT with the member that is missing or differs, or `options.request` where nothing is said.
pub fn foreign_bounds<H: Host>(client: &Client<H>, inside: &Intent, request: Option<&Json>) -> Result<ForeignBounds> {
    let request = request.unwrap_or(&Json::Null);
    let at = JsonAt::input(request, "options.request");
    let mut stated = None;
    if !at.is_absent() {
        let mut names = Intent::MEMBERS.to_vec();
        names.extend(["minReceived", "maxSpent", "deadline", "minEntering", "acceptUnguaranteedArrival"]);
        known(&at, &names)?;
        stated = Some(Intent::read_known(&at, &client.defaults())?.write());
    }
    check_same_request(stated.as_deref(), &inside.write())?;
    let unix = client.shared.host.unix_ms() / 1_000;
    let latest = optional(&at.get("deadline"), unix_secs)?.unwrap_or_else(|| unix.saturating_add(MAX_FOREIGN_SECS));
    Ok(ForeignBounds {
        least: amount_input(&at.get("minReceived"))?,
        most: match inside.side {
            Side::Sell => inside.amount,
            Side::Buy => amount_input(&at.get("maxSpent"))?,
        },
        latest: U256::from(latest),
        entering: optional(&at.get("minEntering"), min_entering)?,
        accepts_promise: optional(&at.get("acceptUnguaranteedArrival"), JsonAt::bool)?.unwrap_or(false),
    })
}
