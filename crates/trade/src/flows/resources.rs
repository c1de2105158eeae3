//! Reads of the service's lists: tokens, bridges, prices, balances and the like, with their input checked first.
//!
//! Their answers are shown, and nothing is signed because of them. The one exception are the claims of open orders
//! ([`cover_open_orders`]), which raise an approval if the caller asks for it, and only up to the owner's balance.

use crate::client::Client;
use crate::flows::call::CallArgs;
use crate::flows::chain::balances::find_account;
use crate::flows::chain::deployment::find_deployment;
use crate::flows::chain::open_orders::cover;
use crate::host::Host;
use crate::ledger::orders::KnownOrder;
use crate::service::query::{escape, query};
use crate::service::resources::{Resource, get, named};
use crate::wallet::chain::Chain;
use alloy_primitives::{Address, U256};
use verify::internal::domain::approval::ApprovalNeed;
use verify::internal::domain::chain::Protocol;
use verify::internal::domain::input::{amount_input, chain_id, known, short_text};
use verify::internal::domain::token;
use verify::internal::error::{Error, Result};
use verify::internal::json::{Json, JsonAt, parse, quoted, truth};
use verify::internal::value::text::{ToText, joined};
use verify::internal::wire::resources::read_amounts;

/// The most bridges that one request names.
const MAX_NAMES: usize = 64;

/// The lists that hardly change: an answer is shown again for [`LISTS_LIFE_MS`].
const KEPT_LISTS: [&str; 3] = ["info.chains", "info.tokens", "info.tokenCategories"];
/// How long, in milliseconds: less than ten minutes.
const LISTS_LIFE_MS: u64 = 599_999;

/// The statuses of a server that does not have the path: an older path is tried.
const NOT_THERE: [u16; 4] = [404, 405, 410, 501];

/// Reads the resource of that name. If the server does not have its path, the older path is tried.
///
/// # Errors
/// INVALID_INPUT with the member, or with `name` if there is no such resource; those of the service.
pub async fn resource<H: Host>(client: &Client<H>, name: &str, call: &CallArgs<'_, H>) -> Result<String> {
    let resource = named(name).ok_or_else(|| Error::input("name", "a call's name", name))?;
    let (at, signal) = (JsonAt::input(call.data, "query"), call.signal);
    let members = [resource.segments, resource.query].concat();
    if !at.is_absent() {
        let mut names = Vec::new();
        for member in &members {
            names.push(member.trim_end_matches('?'));
        }
        known(&at, &names)?;
    }
    let mut account = None;
    if members.contains(&"account") {
        account = Some(find_account(client, &at.get("account"), signal).await?);
    }
    let (path, token) = resource_path(resource, &members, &at, account)?;
    let (lists, now) = (&client.shared.service.lists, client.shared.host.monotonic_ms());
    if let Some(kept) = lists.find_recent(&path, now, LISTS_LIFE_MS) {
        return Ok(kept);
    }
    let asked = path.clone();
    let mut text = get(&client.shared, resource, path.clone(), signal).await;
    if let (Err(error), Some(older)) = (&text, resource.older)
        && error.status.is_some_and(|status| NOT_THERE.contains(&status))
        && let Some(rest) = path.strip_prefix(resource.path).filter(|rest| !rest.contains('?') && *rest != "/all")
    {
        text = get(&client.shared, resource, [older, rest].concat(), signal).await;
    }
    let text = text?;
    let answer = resource.shape.read(&parse(&text).map_err(Error::not_json)?, token)?;
    if KEPT_LISTS.contains(&resource.name) {
        lists.add(asked, client.shared.host.monotonic_ms(), answer.clone());
    }
    Ok(answer)
}

/// The path of a resource with its query, and the token in it, if it is about one.
///
/// # Errors
/// INVALID_INPUT with the member that is missing or does not fit.
fn resource_path(
    resource: &Resource,
    members: &[&str],
    at: &JsonAt<'_>,
    account: Option<Address>,
) -> Result<(String, Option<Address>)> {
    let (mut path, mut pairs, mut token) = (String::from(resource.path), Vec::new(), None);
    for member in members {
        let name = member.trim_end_matches('?');
        let place = at.get(name);
        if name != *member && place.is_absent() {
            continue;
        }
        let value = match name {
            "account" => account.unwrap_or_default().text(),
            "token" => token.insert(token::read(&place)?).text(),
            "bridges" => join_names(&place)?,
            "allowBridgeAndSwap" => truth(place.bool()?).into(),
            "category" => short_text(&place)?,
            // The newer lists exist for all chains at once, too.
            _ if resource.older.is_some() && place.json().and_then(Json::as_text) == Some("all") => "all".into(),
            _ if resource.older.is_some() => {
                chain_id(&place).map_err(|_| place.fault(r#"a chain id above 0, or "all""#))?.text()
            }
            _ => chain_id(&place)?.text(),
        };
        if resource.query.contains(member) {
            pairs.push((name, Some(value)));
        } else {
            path.push('/');
            path.push_str(&escape(&value));
        }
    }
    path.push_str(&query(&pairs));
    Ok((path, token))
}

/// The names of a list, joined by commas. A name that has a comma itself is refused: it would be two.
fn join_names(at: &JsonAt<'_>) -> Result<String> {
    let mut all = Vec::new();
    for item in at.items()? {
        let name = item.text()?;
        if name.is_empty() || name.contains(',') || all.len() >= MAX_NAMES {
            return Err(item.fault("a name without commas, one of at most 64"));
        }
        all.push(name);
    }
    if all.is_empty() { Err(at.fault("at least one name")) } else { Ok(joined(&all, ",")) }
}

/// The allowance, in raw units, that suffices for `amount` and for the owner's open orders: see [`cover_open_orders`].
///
/// # Errors
/// INVALID_INPUT, also if the chain cannot be read; those of service and RPC.
pub async fn allowance_needed<H: Host>(client: &Client<H>, call: &CallArgs<'_, H>) -> Result<String> {
    let (at, signal) = (JsonAt::input(call.data, "query"), call.signal);
    known(&at, &["chainId", "token", "amount", "account", "path"])?;
    let place = at.get("amount");
    // Zero: what the open orders alone need.
    let amount = if place.text().is_ok_and(|text| text == "0") { U256::ZERO } else { amount_input(&place)? };
    let place = at.get("path");
    let protocol = match place.some().map_or(Ok("delta"), |at| at.text())? {
        "delta" => Protocol::Delta,
        "otc" => Protocol::Otc,
        _ => return Err(place.fault("delta or otc")),
    };
    let token_at = at.get("token");
    let token = token::read(&token_at)?;
    if token::is_native(token) {
        return Err(token_at.fault("an ERC-20 token: the native token has no allowance"));
    }
    let chain_id = chain_id(&at.get("chainId"))?;
    let owner = find_account(client, &at.get("account"), signal).await?;
    let chain = Chain::need(client, chain_id, signal).await?;
    let spender = find_deployment(&client.shared, chain_id, protocol, signal).await?.contracts.of(protocol);
    let mut need = ApprovalNeed::new(protocol, chain_id, &token, &owner, &spender.unwrap_or_default(), &amount, None);
    cover_open_orders(&chain, &mut need, None).await?;
    Ok(quoted(&need.amount.text()))
}

/// Raises a need by the share of open orders: of the own ones that the journal has beside `order`, and of those that
/// only the service has, by its figure. Never beyond the owner's balance ([`cover`]).
///
/// # Errors
/// Those of service and RPC.
pub async fn cover_open_orders<H: Host>(
    chain: &Chain<'_, H>,
    need: &mut ApprovalNeed,
    order: Option<&KnownOrder>,
) -> Result<()> {
    let (client, owner, tokens) = (chain.client, need.owner, [need.token]);
    let claimed = claimed_by_open_orders(client, need.protocol, need.chain_id, owner, &tokens, chain.signal).await?;
    cover(chain, need, order, claimed).await
}

/// The claims of an owner's open orders on these tokens together, in raw units, by the service's word ("Readings of
/// what is not documented" in docs/verification.md). The orders of `protocol` count: Delta's, or OTC.
///
/// # Errors
/// The errors of the service.
pub async fn claimed_by_open_orders<H: Host>(
    client: &Client<H>,
    protocol: Protocol,
    chain_id: u64,
    owner: Address,
    tokens: &[Address],
    signal: &H::Signal,
) -> Result<U256> {
    let name = if protocol == Protocol::Otc { "otc.fillableBalance" } else { "info.fillableBalance" };
    let Some(resource) = named(name) else { return Err(Error::unreachable()) };
    let one = if let [token] = tokens { Some(*token) } else { None };
    let mut path = [resource.path, "/", &chain_id.text(), "/", &owner.text()].concat();
    if let Some(token) = &one {
        path.push('/');
        path.push_str(&token.text());
    }
    let text = get(&client.shared, resource, path, signal).await?;
    let amounts = read_amounts(&parse(&text).map_err(Error::not_json)?, one)?;
    let claims = amounts.into_iter().filter(|(token, _)| tokens.contains(token));
    Ok(claims.fold(U256::ZERO, |sum, (_, amount)| sum.saturating_add(amount)))
}
