//! Which account and which chain the wallet is on, read again before each prompt.

use super::wallet_error;
use crate::client::Client;
use crate::domain::address;
use crate::domain::text::ToText;
use crate::error::{Error, ErrorCode, Result};
use crate::host::{Event, Host, Signal};
use crate::json::{Json, quoted};
use alloy_primitives::{Address, U256, hex};

/// Asks the wallet and tells the application how that went. `params` is JSON text.
///
/// # Errors
/// INVALID_INPUT without a wallet, else as [`wallet_error`].
pub async fn ask<H: Host>(client: &Client<H>, method: &'static str, params: &str, signal: &H::Signal) -> Result<Json> {
    let prompt = client.shared.host.ask(wallet(client)?, method, params);
    answered(client, "wallet", method, &prompt, signal).await
}

/// The answer to something asked before. `kind` is the event's.
///
/// # Errors
/// As [`wallet_error`].
pub async fn answered<H: Host>(
    client: &Client<H>,
    kind: &'static str,
    method: &'static str,
    prompt: &H::Prompt,
    signal: &H::Signal,
) -> Result<Json> {
    let host = &client.shared.host;
    let started = host.monotonic_ms();
    // People take their time, nodes do not.
    let limit = (kind == "rpc").then_some(client.shared.timeout_ms);
    let outcome = host.answer(prompt, limit, signal).await.map_err(|failure| wallet_error(failure, method));
    let code = outcome.as_ref().err().map(|error| error.code);
    client.shared.emit(Event { kind, name: method, started, status: None, code });
    outcome
}

/// The bound wallet.
///
/// # Errors
/// INVALID_INPUT where there is none.
pub fn wallet<H: Host>(client: &Client<H>) -> Result<&H::Provider> {
    let missing = || Error::input("wallet", "a wallet (createClient({ wallet }) or client.withWallet(...))", "nothing");
    client.bound.wallet.as_ref().ok_or_else(missing)
}

/// The wallet's current account: the bound one, else the first it offers.
///
/// # Errors
/// As [`wallet_error`].
pub async fn current<H: Host>(client: &Client<H>, signal: &H::Signal) -> Result<Option<Address>> {
    if client.bound.account.is_some() || client.bound.wallet.is_none() {
        return Ok(client.bound.account);
    }
    Ok(accounts(&ask(client, "eth_accounts", "[]", signal).await?).first().copied())
}

fn accounts(answer: &Json) -> Vec<Address> {
    let mut found = Vec::new();
    if let Json::Array(items) = answer {
        for item in items {
            found.extend(item.as_text().and_then(address::any_case));
        }
    }
    found
}

/// Makes sure that a prompt would reach that account on that chain, switching the chain where that is allowed.
///
/// # Errors
/// WRONG_ACCOUNT, WRONG_CHAIN, USER_REJECTED, or the wallet's failure.
pub async fn ready<H: Host>(client: &Client<H>, owner: Address, chain_id: u64, signal: &H::Signal) -> Result<()> {
    if client.bound.local {
        return reaches(owner, client.bound.account.as_slice());
    }
    reaches(owner, &accounts(&ask(client, "eth_accounts", "[]", signal).await?))?;
    let mut may_switch = client.bound.may_switch;
    loop {
        let seen = quantity(&ask(client, "eth_chainId", "[]", signal).await?);
        if seen == Some(chain_id) {
            return Ok(());
        }
        let refused = elsewhere(chain_id, seen);
        if !may_switch {
            return Err(refused);
        }
        may_switch = false;
        if signal.is_aborted() {
            return Err(Error::aborted());
        }
        let params = [r#"[{"chainId":"#, &quoted(&hex_quantity(U256::from(chain_id))), "}]"].concat();
        match ask(client, "wallet_switchEthereumChain", &params, signal).await {
            // The chain is not in the wallet (4902), or the wallet can not switch: the user has to.
            Err(error) if error.code == ErrorCode::WalletFailed => {
                return Err(refused.caused_by(error.cause.clone()));
            }
            outcome => outcome?,
        };
    }
}

fn reaches(owner: Address, offered: &[Address]) -> Result<()> {
    if offered.contains(&owner) {
        return Ok(());
    }
    let seen = offered.first().map_or_else(|| "none".into(), ToText::text);
    Err(Error::at(ErrorCode::WrongAccount, "the wallet's ", "account", &owner.text(), &seen))
}

fn elsewhere(chain_id: u64, seen: Option<u64>) -> Error {
    let seen = seen.map_or_else(|| "none".into(), |id| id.text());
    Error::at(ErrorCode::WrongChain, "the wallet's ", "chainId", &chain_id.text(), &seen)
}

/// A hex quantity (`0x7a69`), or a number as some providers answer.
pub fn quantity(json: &Json) -> Option<u64> {
    match json {
        Json::String(text) => match text.strip_prefix("0x") {
            Some(digits) if !digits.starts_with('+') => u64::from_str_radix(digits, 16).ok(),
            _ => text.parse().ok(),
        },
        Json::Number(text) => text.parse().ok(),
        _ => None,
    }
}

/// A hex quantity of up to 256 bits, with leading zeros or without.
pub fn big_quantity(json: &Json) -> Option<U256> {
    let digits = json.as_text()?.strip_prefix("0x")?;
    let even = if digits.len() % 2 == 0 { digits.into() } else { ["0", digits].concat() };
    U256::try_from_be_slice(&hex::decode(even).ok()?)
}

/// A number as JSON-RPC writes it: `0x7a69`.
pub fn hex_quantity(value: U256) -> String {
    let full = hex::encode(value.to_be_bytes::<32>());
    let digits = full.trim_start_matches('0');
    ["0x", if digits.is_empty() { "0" } else { digits }].concat()
}
