//! Which account and which chain the wallet is on, read again before each prompt.

use super::rpc::quantity;
use super::wallet_error;
use crate::domain::address;
use crate::domain::text::ToText;
use crate::error::{Error, ErrorCode, Result};
use crate::host::{Event, Host};
use crate::json::{Fault, Json, object};
use crate::trade::Client;
use alloy_primitives::{Address, hex};

/// Asks the wallet and tells the application how that went.
///
/// # Errors
/// As [`wallet_error`].
pub async fn ask<H: Host>(client: &Client<H>, method: &'static str, params: Json, signal: &H::Signal) -> Result<Json> {
    let prompt = client.shared.host.ask(wallet(client)?, method, &params);
    answered(client, method, &prompt, signal).await
}

/// The answer to something asked before.
///
/// # Errors
/// As [`wallet_error`].
pub async fn answered<H: Host>(
    client: &Client<H>,
    method: &'static str,
    prompt: &H::Prompt,
    signal: &H::Signal,
) -> Result<Json> {
    let host = &client.shared.host;
    let started = host.monotonic_ms();
    let outcome = host.answer(prompt, signal).await.map_err(|failure| wallet_error(failure, method));
    let code = outcome.as_ref().err().map(|error| error.code.name());
    let ms = host.monotonic_ms().saturating_sub(started);
    host.event(Event { kind: "wallet", name: method, ok: outcome.is_ok(), ms, status: None, code });
    outcome
}

/// The bound wallet.
///
/// # Errors
/// INVALID_INPUT where there is none.
pub fn wallet<H: Host>(client: &Client<H>) -> Result<&H::Provider> {
    let missing = || Fault::new("wallet", "a wallet (createClient({ wallet }) or client.withWallet(...))", "nothing");
    client.bound.wallet.as_ref().ok_or_else(|| Error::input(missing()))
}

/// The chain the wallet is on.
///
/// # Errors
/// As [`wallet_error`].
pub async fn wallet_chain<H: Host>(client: &Client<H>, signal: &H::Signal) -> Result<Option<u64>> {
    Ok(quantity(&ask(client, "eth_chainId", Json::Array(vec![]), signal).await?))
}

/// The wallet's current account: the bound one where it is among those the wallet offers, else the first.
///
/// # Errors
/// As [`wallet_error`].
pub async fn current<H: Host>(client: &Client<H>, signal: &H::Signal) -> Result<Option<Address>> {
    if client.bound.account.is_some() || client.bound.wallet.is_none() {
        return Ok(client.bound.account);
    }
    Ok(accounts(client, signal).await?.first().copied())
}

async fn accounts<H: Host>(client: &Client<H>, signal: &H::Signal) -> Result<Vec<Address>> {
    let answer = ask(client, "eth_accounts", Json::Array(vec![]), signal).await?;
    let Json::Array(items) = answer else { return Ok(vec![]) };
    Ok(items.iter().filter_map(Json::as_text).filter_map(address::any_case).collect())
}

/// Makes sure that a prompt would reach that account on that chain, switching the chain where that is allowed.
///
/// # Errors
/// WRONG_ACCOUNT, WRONG_CHAIN, USER_REJECTED, or the wallet's failure.
pub async fn ready<H: Host>(client: &Client<H>, owner: Address, chain_id: u64, signal: &H::Signal) -> Result<()> {
    if client.bound.local {
        return match client.bound.account {
            Some(account) if account == owner => Ok(()),
            other => Err(wrong_account(owner, other)),
        };
    }
    let offered = accounts(client, signal).await?;
    if !offered.contains(&owner) {
        return Err(wrong_account(owner, offered.first().copied()));
    }
    let seen = wallet_chain(client, signal).await?;
    if seen == Some(chain_id) {
        return Ok(());
    }
    if !client.bound.may_switch {
        return Err(wrong_chain(chain_id, seen));
    }
    let params = Json::Array(vec![object([("chainId", Json::text(hex_quantity(chain_id)))])]);
    match ask(client, "wallet_switchEthereumChain", params, signal).await {
        Err(error) if matches!(error.code, ErrorCode::WalletFailed) => {
            // The chain is not in the wallet (4902), or the wallet can not switch: the user has to.
            let mut wrong = wrong_chain(chain_id, seen);
            wrong.cause = error.cause.clone();
            return Err(wrong);
        }
        outcome => outcome?,
    };
    let seen = wallet_chain(client, signal).await?;
    if seen == Some(chain_id) { Ok(()) } else { Err(wrong_chain(chain_id, seen)) }
}

/// A number as JSON-RPC writes it: `0x7a69`.
pub fn hex_quantity(value: u64) -> String {
    let full = hex::encode(value.to_be_bytes());
    let digits = full.trim_start_matches('0');
    ["0x", if digits.is_empty() { "0" } else { digits }].concat()
}

fn wrong_account(owner: Address, seen: Option<Address>) -> Error {
    let seen = seen.map_or("no account".into(), address::checksummed);
    let fault = Fault::new("account", address::checksummed(owner), seen);
    Error::at(ErrorCode::WrongAccount, "the wallet's ", fault)
}

fn wrong_chain(chain_id: u64, seen: Option<u64>) -> Error {
    let seen = seen.map_or("unknown".into(), |seen| seen.text());
    Error::at(ErrorCode::WrongChain, "the wallet's ", Fault::new("chainId", chain_id.text(), seen))
}
