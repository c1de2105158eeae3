//! Reading orders, balances and allowances.

use super::approve::chain;
use super::client::Client;
use super::contracts::contracts;
use crate::domain::address::checksummed;
use crate::domain::intent::{MAX_CHAIN_ID, account, known, optional};
use crate::domain::text::ToText;
use crate::domain::token;
use crate::error::{Error, Result};
use crate::host::Host;
use crate::json::{At, Fault, Json, Read, object, parse};
use crate::service::orders::{self, OrderKey};
use crate::wallet::account::current;
use crate::wire;
use alloy_primitives::Address;

/// One order, by id or hash.
///
/// # Errors
/// Those of the service; SERVICE_REJECTED with status 404 for an unknown one.
pub async fn order<H: Host>(client: &Client<H>, id_or_hash: &str, signal: &H::Signal) -> Result<Json> {
    let text = orders::one(&client.shared, &OrderKey::read(id_or_hash), signal).await?;
    let json = parse(&text).map_err(Error::not_json)?;
    Ok(wire::order::order(&json).map_err(Error::malformed)?.0.clone())
}

/// A page of an account's orders.
///
/// # Errors
/// INVALID_INPUT; those of the service.
pub async fn orders<H: Host>(client: &Client<H>, filter: &Json, signal: &H::Signal) -> Result<Json> {
    let at = At::root(filter, "filter");
    let query = filter_query(at).map_err(Error::input)?;
    let owner = optional(at.get("account"), account).map_err(Error::input)?;
    let owner = who(client, owner, "filter.account", signal).await?;
    let mut members = vec![("userAddress", Some(checksummed(owner)))];
    members.extend(query);
    let text = orders::page(&client.shared, &members, signal).await?;
    let json = parse(&text).map_err(Error::not_json)?;
    let page = At::root(&json, "page");
    // A bare array is read as the whole list.
    let items = if page.items().is_ok() { page.items() } else { page.get("data").items() };
    let data = items.map_err(Error::malformed)?.filter_map(|at| at.json().cloned()).collect();
    let number = |name: &str| Json::or_null(page.get(name).integer(MAX_CHAIN_ID).ok().map(Json::number));
    Ok(object([
        ("data", Json::Array(data)),
        ("total", number("total")),
        ("page", number("page")),
        ("limit", number("limit")),
        ("hasMore", Json::Bool(page.get("hasMore").bool().unwrap_or(false))),
    ]))
}

type Query = Vec<(&'static str, Option<String>)>;

fn filter_query(at: At<'_>) -> Read<Query> {
    known(at, &["account", "chainId", "status", "type", "onChainOrderType", "page", "limit"])?;
    let list = |name| match at.get(name).items() {
        Ok(items) => items.collect::<Vec<_>>(),
        Err(_) => at.get(name).some().into_iter().collect(),
    };
    let joined = |items: Vec<String>| (!items.is_empty()).then(|| items.join(","));
    let chains = list("chainId").iter().map(|at| Ok(at.integer(MAX_CHAIN_ID)?.text())).collect::<Read<_>>()?;
    let statuses = list("status").iter().map(|at| Ok(at.text()?.into())).collect::<Read<_>>()?;
    let text = |name: &str| optional(at.get(name), |at| at.text().map(String::from));
    let kind = at.get("type");
    if kind.some().is_some_and(|kind| !matches!(kind.text(), Ok("MARKET" | "LIMIT"))) {
        return Err(kind.fault("MARKET or LIMIT"));
    }
    let bounded = |name: &str, most: u64| {
        optional(at.get(name), |at| match at.integer(most)? {
            0 => Err(at.fault("at least 1")),
            value => Ok(value.text()),
        })
    };
    Ok(vec![
        ("page", bounded("page", MAX_CHAIN_ID)?),
        ("limit", bounded("limit", 1_000)?),
        ("chainId", joined(chains)),
        ("type", text("type")?),
        ("status", joined(statuses)),
        ("onChainOrderType", text("onChainOrderType")?),
    ])
}

/// Raw units that an account holds.
///
/// # Errors
/// INVALID_INPUT; the RPC's failure.
pub async fn balance<H: Host>(client: &Client<H>, query: &Json, signal: &H::Signal) -> Result<String> {
    let at = At::root(query, "query");
    known(at, &["chainId", "token", "account"]).map_err(Error::input)?;
    let (chain_id, token, owner) = place(client, at, signal).await?;
    Ok(chain(client, chain_id, signal).await?.balance(token, owner).await?.text())
}

/// Raw units that a spender, the Delta contract unless named, may take from an account.
///
/// # Errors
/// INVALID_INPUT; UNSUPPORTED_CHAIN; the RPC's failure.
pub async fn allowance<H: Host>(client: &Client<H>, query: &Json, signal: &H::Signal) -> Result<String> {
    let at = At::root(query, "query");
    known(at, &["chainId", "token", "account", "spender"]).map_err(Error::input)?;
    let (chain_id, token, owner) = place(client, at, signal).await?;
    if token::is_native(token) {
        return Err(Error::input(at.get("token").fault("an ERC-20 token: the native coin has no allowance")));
    }
    let spender = match optional(at.get("spender"), account).map_err(Error::input)? {
        Some(spender) => spender,
        None => contracts(&client.shared, chain_id, signal).await?.0.delta,
    };
    Ok(chain(client, chain_id, signal).await?.allowance(token, owner, spender).await?.text())
}

async fn place<H: Host>(client: &Client<H>, at: At<'_>, signal: &H::Signal) -> Result<(u64, Address, Address)> {
    let chain_id = at.get("chainId").integer(MAX_CHAIN_ID).map_err(Error::input)?;
    let name = at.get("token");
    let token =
        token::parse(name.text().map_err(Error::input)?).map_err(|why| Error::input(name.fault(why.expected())))?;
    let owner = optional(at.get("account"), account).map_err(Error::input)?;
    Ok((chain_id, token, who(client, owner, "query.account", signal).await?))
}

async fn who<H: Host>(client: &Client<H>, named: Option<Address>, field: &str, signal: &H::Signal) -> Result<Address> {
    let found = match named {
        Some(account) => Some(account),
        None => current(client, signal).await?,
    };
    found.ok_or_else(|| Error::input(Fault::new(field, "an account (here, or createClient({ account }))", "nothing")))
}
