//! The bounds that a caller states for a build or an approval that this client did not make.
//!
//! Such a build, of another client or from before a reload, carries somebody else's price, slippage and deadline. It is
//! accepted only with its request, stated again, and with bounds of the caller's own. See "What another client made" in
//! docs/verification.md.

use crate::client::Client;
use crate::domain::approval::ApprovalNeed;
use crate::domain::chain::{Deployment, Protocol};
use crate::domain::delta::terms::min_bridge_input;
use crate::domain::input::{account, amount_input, known_in, optional, unix_secs};
use crate::domain::intent::Intent;
use crate::domain::otc::request::Request;
use crate::domain::side::Side;
use crate::domain::verify::Checks;
use crate::error::{Error, ErrorCode, Result};
use crate::host::Host;
use crate::json::{Json, JsonAt};
use crate::trade::seal::{check_same_request, need_request};
use crate::value::text::ToText;
use crate::verifiers::fill::read_options;
use crate::verifiers::orders::{OrdersInput, places};
use crate::wallet::account::current_account;
use alloy_primitives::{Address, U256};

/// The most seconds that the deadline of such a build may lie ahead, unless the caller states the latest.
const MAX_FOREIGN_SECS: u64 = 86_400;

/// The bounds of a build of another client.
pub struct ForeignBounds {
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

/// Reads the request that is stated again, with its bounds. Refuses a build for another request: it may trade other
/// tokens, or for somebody else.
///
/// # Errors
/// INVALID_INPUT with the member that is missing or differs; with `options.request` if there is none.
pub fn foreign_bounds<H: Host>(client: &Client<H>, inside: &Intent, request: Option<&Json>) -> Result<ForeignBounds> {
    let at = JsonAt::input(need_request(request.filter(|stated| **stated != Json::Null))?, "options.request");
    check_same_request(Some(&read_request(client, &at)?.write()), &inside.write())?;
    let unix = client.shared.host.unix_ms() / 1_000;
    let latest = optional(&at.get("deadline"), unix_secs)?.unwrap_or_else(|| unix.saturating_add(MAX_FOREIGN_SECS));
    Ok(ForeignBounds {
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

/// Reads the request of a quote or build that is stated again, beside whose members bounds may stand.
fn read_request<H: Host>(client: &Client<H>, at: &JsonAt<'_>) -> Result<Intent> {
    let bounds = ["minReceived", "maxSpent", "deadline", "minBridgeInput", "acceptUnguaranteedArrival"];
    known_in(at, &[&Intent::MEMBERS, &bounds])?;
    Intent::read_known(at, &client.defaults())
}

/// Refuses an approval of another client that the request at `at` does not need: of a trade, of an OTC offer, or of a
/// fill. It may allow what the request spends, for a BUY `maxSpent`, for a fill `takerAmount`; or the amount that the
/// caller states with the call. Returns the decimals that the request states for the token, and their path.
///
/// # Errors
/// INVALID_INPUT with the member; with `options.request` if there is none; VERIFY_MISMATCH with the approval's member.
pub fn check_foreign_approval<H: Host>(
    client: &Client<H>,
    (need, stated): (&ApprovalNeed, Option<U256>),
    at: &JsonAt<'_>,
    deployment: &Deployment,
) -> Result<(u8, String)> {
    need_request(at.some())?;
    let (owner, token, most, decimals) = match need.protocol {
        Protocol::Otc if at.get("orders").is_absent() => {
            let offer = Request::read(at, &client.defaults())?;
            (offer.maker, offer.maker_asset, Ok(offer.maker_amount), "makerDecimals")
        }
        Protocol::Otc => {
            let orders = places(at.get("orders").json().unwrap_or(&Json::Null), "orders")?;
            let input = OrdersInput::read(&orders, need.chain_id, *deployment, true)?;
            let src = read_options(at, &input)?.intent.src;
            (optional(&at.get("account"), account)?, src, amount_input(&at.get("takerAmount")), "takerDecimals")
        }
        _ => {
            let intent = read_request(client, at)?;
            if let Some(asked) = intent.pricing.mode.protocol().filter(|asked| *asked != need.protocol) {
                let subject = "the approval is not for the request's mode: ";
                let (asked, found) = (asked.label(), need.protocol.label());
                return Err(Error::at(ErrorCode::VerifyMismatch, subject, "approval.path", asked, found));
            }
            let most = if intent.side == Side::Sell { Ok(intent.amount) } else { amount_input(&at.get("maxSpent")) };
            (intent.account, intent.src, most, "srcDecimals")
        }
    };
    let mut checks = Checks::default();
    checks.same("approval.chainId", &token.chain_id, &need.chain_id);
    checks.same("approval.token", &token.address, &need.token);
    // If it names nobody, it is an account that the wallet offers: that is looked at before the prompt.
    checks.same("approval.owner", &owner.unwrap_or(need.owner), &need.owner);
    // No request says that Permit2 is to take the token: `signPermit` asks for that again.
    checks.same("approval.spender", &deployment.contracts.of(need.protocol).unwrap_or_default(), &need.spender);
    checks.at_most("approval.amount", &stated.map_or(most, Ok)?, &need.amount);
    checks.finish()?;
    Ok((token.decimals, at.get(decimals).path()))
}
