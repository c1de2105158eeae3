//! Balances, allowances, and the account that a query means.

use crate::client::Client;
use crate::flows::call::CallArgs;
use crate::flows::chain::deployment::find_deployment;
use crate::host::Host;
use crate::wallet::account::{current_account, no_account};
use crate::wallet::batch::find_allowed;
use crate::wallet::chain::Chain;
use crate::wallet::reads::Read;
use alloy_primitives::Address;
use verify::internal::domain::chain::Protocol;
use verify::internal::domain::input::{account, chain_id, known, optional};
use verify::internal::domain::token;
use verify::internal::error::Result;
use verify::internal::json::{JsonAt, ObjectWriter, quoted};
use verify::internal::value::text::ToText;

/// The call `info.balance`: an account's balance of a token, or of the native token, in raw units as a JSON string.
///
/// # Errors
/// INVALID_INPUT with the query's member, or if the chain cannot be read; the RPC's failure.
pub async fn balance<H: Host>(client: &Client<H>, call: &CallArgs<'_, H>) -> Result<String> {
    let at = JsonAt::input(call.data, "query");
    known(&at, &["chainId", "token", "account"])?;
    let (chain_id, token, owner) = read_place(client, &at, call.signal).await?;
    let chain = Chain::need(client, chain_id, call.signal).await?;
    Ok(quoted(&chain.read(Read::balance(&token, &owner).informing()).await?.text()))
}

/// The call `approvals.allowance`: the amount of a token that a spender, by default the Delta contract, may take from an account,
/// in raw units as a JSON string.
///
/// # Errors
/// INVALID_INPUT with the query's member, also for the native token; UNSUPPORTED_CHAIN; the RPC's failure.
pub async fn allowance<H: Host>(client: &Client<H>, call: &CallArgs<'_, H>) -> Result<String> {
    let at = JsonAt::input(call.data, "query");
    known(&at, &["chainId", "token", "account", "spender"])?;
    let (chain_id, token, owner) = read_place(client, &at, call.signal).await?;
    if token::is_native(token) {
        return Err(at.get("token").fault("an ERC-20 token: the native token has no allowance"));
    }
    let spender = match optional(&at.get("spender"), account)? {
        Some(spender) => spender,
        None => find_deployment(&client.shared, chain_id, Protocol::Delta, call.signal).await?.contracts.delta,
    };
    let chain = Chain::need(client, chain_id, call.signal).await?;
    Ok(quoted(&chain.read(Read::allowance(&token, &owner, &spender).informing()).await?.text()))
}

/// The call `info.capabilities`: whether the wallet sends several calls of an account in one prompt, as JSON text. Asks the
/// wallet once.
///
/// # Errors
/// INVALID_INPUT with the query's member.
pub async fn capabilities<H: Host>(client: &Client<H>, call: &CallArgs<'_, H>) -> Result<String> {
    let at = JsonAt::input(call.data, "query");
    known(&at, &["chainId", "account"])?;
    let chain_id = chain_id(&at.get("chainId"))?;
    let owner = find_account(client, &at.get("account"), call.signal).await?;
    let mut out = ObjectWriter::object();
    out.text("atomic", find_allowed(client, &at, (owner, chain_id), call.signal).await?.atomic.name());
    Ok(out.close())
}

/// Chain, token and account of a query.
async fn read_place<H: Host>(
    client: &Client<H>,
    at: &JsonAt<'_>,
    signal: &H::Signal,
) -> Result<(u64, Address, Address)> {
    let chain_id = chain_id(&at.get("chainId"))?;
    let token = token::read(&at.get("token"))?;
    Ok((chain_id, token, find_account(client, &at.get("account"), signal).await?))
}

/// The account named in the query, else the client's, else the wallet's first.
///
/// # Errors
/// INVALID_INPUT if there is none; the wallet's failure.
pub async fn find_account<H: Host>(client: &Client<H>, named: &JsonAt<'_>, signal: &H::Signal) -> Result<Address> {
    let found = match optional(named, account)? {
        None => current_account(client, signal).await?,
        named => named,
    };
    found.ok_or_else(|| no_account(client, &named.path()))
}
