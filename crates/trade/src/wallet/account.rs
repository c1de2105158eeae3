//! The wallet's account and chain, and the numbers of JSON-RPC.
//!
//! A user may switch account or chain at any time. So both are read again before each prompt, and a prompt opens only
//! for the account that owns the trade, on the trade's chain. The requests are those of EIP-1193 providers
//! (<https://eips.ethereum.org/EIPS/eip-1193>).

use super::failure::{SWITCH, UNKNOWN_CHAIN, wallet_error};
use crate::client::Client;
use crate::host::{Event, Host, Signal};
use alloy_primitives::{Address, U256, hex};
pub use verify::internal::domain::sent_members::hex_quantity;
use verify::internal::error::{Error, ErrorCode, Result};
use verify::internal::json::{Json, quoted};
use verify::internal::value::address;
use verify::internal::value::text::ToText;

/// A wallet without an account, in words.
const LOCKED: &str = "none: the wallet is locked, or not connected to this page";
/// How often a wallet is asked for its chain while it does not answer a request to switch, in milliseconds.
const LOOK_MS: u32 = 1_000;
/// How long such a request is awaited, in milliseconds.
const SWITCH_LIMIT_MS: u64 = 300_000;

/// Sends a request to the wallet and awaits its answer; `params` is a JSON array.
///
/// # Errors
/// INVALID_INPUT if the client has no wallet; else the failure as converted by [`wallet_error`].
pub async fn ask<H: Host>(client: &Client<H>, method: &'static str, params: &str, signal: &H::Signal) -> Result<Json> {
    let prompt = client.shared.host.ask(wallet(client)?, method, params);
    await_answer(client, "wallet", method, &prompt, signal).await
}

/// Awaits the answer to a request, and passes an event on to the application. `kind` is the event's: a request to a
/// node (`rpc`) fails after the client's timeout, as does one for the wallet's accounts or chain; any other to a
/// `wallet` waits for the user.
///
/// # Errors
/// The failure as converted by [`wallet_error`].
pub async fn await_answer<H: Host>(
    client: &Client<H>,
    kind: &'static str,
    method: &'static str,
    prompt: &H::Prompt,
    signal: &H::Signal,
) -> Result<Json> {
    let host = &client.shared.host;
    let started = host.monotonic_ms();
    let is_read = kind == "rpc" || ["eth_accounts", "eth_chainId"].contains(&method);
    let limit = is_read.then_some(client.shared.settings.timeout_ms);
    let outcome = host.answer(prompt, limit, signal).await.map_err(|failure| wallet_error(failure, method));
    let code = outcome.as_ref().err().map(|error| error.code);
    client.shared.emit(Event { kind, name: method, started, status: None, code });
    outcome
}

/// The client's wallet.
///
/// # Errors
/// INVALID_INPUT if it has none.
pub fn wallet<H: Host>(client: &Client<H>) -> Result<&H::Provider> {
    let missing = || Error::input("wallet", "a wallet (createClient({ wallet }) or client.withWallet(...))", "nothing");
    client.binding.wallet.as_ref().ok_or_else(missing)
}

/// The account that trades: the one that the application named, else the first that the wallet offers. `None` without a
/// wallet, or if it offers none, as before the user connects it.
///
/// # Errors
/// The failure as converted by [`wallet_error`].
pub async fn current_account<H: Host>(client: &Client<H>, signal: &H::Signal) -> Result<Option<Address>> {
    if client.binding.account.is_some() || client.binding.wallet.is_none() {
        return Ok(client.binding.account);
    }
    let offered = accounts(&ask(client, "eth_accounts", "[]", signal).await?).first().copied();
    client.shared.nodes.last_account.set(offered);
    Ok(offered)
}

/// INVALID_INPUT at `field`: no account is named, and the wallet offers none.
pub fn no_account<H: Host>(client: &Client<H>, field: &str) -> Error {
    let actual = if client.binding.wallet.is_some() { LOCKED } else { "nothing" };
    Error::input(field, "an account (here, of createClient, or of a connected wallet)", actual)
}

/// Whether the wallet offers that account. Opens no prompt.
///
/// # Errors
/// The failure as converted by [`wallet_error`].
pub async fn offers<H: Host>(client: &Client<H>, owner: Address, signal: &H::Signal) -> Result<bool> {
    if client.binding.local || client.binding.wallet.is_none() {
        return Ok(client.binding.account == Some(owner));
    }
    Ok(accounts(&ask(client, "eth_accounts", "[]", signal).await?).contains(&owner))
}

/// The addresses in an answer to `eth_accounts`; anything else in it is left out.
fn accounts(answer: &Json) -> Vec<Address> {
    let mut found = Vec::new();
    if let Json::Array(items) = answer {
        for item in items {
            found.extend(item.as_text().and_then(address::any_case));
        }
    }
    found
}

/// Makes sure that a prompt would reach `owner` on that chain. If the wallet is on another one and may be asked, it is
/// asked once to switch (EIP-3326, <https://eips.ethereum.org/EIPS/eip-3326>), and the chain is read again. If it does
/// not have the chain, and the application gave that chain's data (`addChain`), it is asked once to add it (EIP-3085,
/// <https://eips.ethereum.org/EIPS/eip-3085>), and to switch if it did not do so with that.
///
/// # Errors
/// WRONG_ACCOUNT if the wallet does not offer `owner`; WRONG_CHAIN if it is on another chain and may not, cannot or did
/// not switch; USER_REJECTED if the user refused to; WALLET_PENDING if it did neither in five minutes; or the wallet's
/// failure.
pub async fn ensure_ready<H: Host>(
    client: &Client<H>,
    owner: Address,
    chain_id: u64,
    signal: &H::Signal,
) -> Result<()> {
    if client.binding.local {
        return check_account(owner, client.binding.account.as_slice());
    }
    let (host, wallet) = (&client.shared.host, wallet(client)?);
    // Both at once: a wallet may be far away.
    let [offered, on] = ["eth_accounts", "eth_chainId"].map(|method| host.ask(wallet, method, "[]"));
    check_account(owner, &accounts(&await_answer(client, "wallet", "eth_accounts", &offered, signal).await?))?;
    let mut seen = quantity(&await_answer(client, "wallet", "eth_chainId", &on, signal).await?);
    let params = [r#"[{"chainId":"#, &quoted(&hex_quantity(U256::from(chain_id))), "}]"].concat();
    let switching = (SWITCH, params);
    let mut questions: Vec<_> = client.binding.may_switch.then(|| switching.clone()).into_iter().collect();
    let mut data =
        client.shared.settings.chains_to_add.iter().find(|(known, _)| *known == chain_id).map(|(_, data)| data);
    // The last one is sent next.
    while seen != Some(chain_id) {
        let wrong = wrong_chain(chain_id, seen);
        let Some((method, params)) = questions.pop() else { return Err(wrong) };
        if signal.is_aborted() {
            return Err(Error::aborted());
        }
        match ask_to_switch(client, chain_id, (method, &params), signal).await {
            Err(error) if error.wallet_code == Some(UNKNOWN_CHAIN) && data.is_some() => {
                questions = vec![switching.clone()];
                questions.extend(data.take().map(|data| ("wallet_addEthereumChain", data.clone())));
                continue;
            }
            // The wallet does not have the chain, or cannot switch: the user has to.
            Err(error) if error.code == ErrorCode::WalletFailed => {
                return Err(wrong.caused_by(error.cause.clone()));
            }
            outcome => outcome?,
        }
        seen = quantity(&ask(client, "eth_chainId", "[]", signal).await?);
    }
    Ok(())
}

/// Asks the wallet to switch to that chain, until it answers, or is there: some switch, and never answer.
///
/// # Errors
/// WALLET_PENDING after [`SWITCH_LIMIT_MS`]; else the wallet's failure.
async fn ask_to_switch<H: Host>(
    client: &Client<H>,
    chain_id: u64,
    (method, params): (&'static str, &str),
    signal: &H::Signal,
) -> Result<()> {
    let host = &client.shared.host;
    let (started, prompt) = (host.monotonic_ms(), host.ask(wallet(client)?, method, params));
    let outcome = loop {
        let looked = host.monotonic_ms();
        let failure = match host.answer(&prompt, Some(LOOK_MS), signal).await {
            Ok(_) => break Ok(()),
            Err(failure) => failure,
        };
        let now = host.monotonic_ms();
        // A failure of its own came sooner.
        if !failure.unreachable || now.saturating_sub(looked) < LOOK_MS.into() {
            break Err(wallet_error(failure, method));
        }
        if quantity(&ask(client, "eth_chainId", "[]", signal).await?) == Some(chain_id) {
            break Ok(());
        }
        if now.saturating_sub(started) >= SWITCH_LIMIT_MS {
            let words =
                ["the wallet has not answered whether it switches to chain ", &*chain_id.text(), ": answer there"];
            break Err(Error::new(ErrorCode::WalletPending, &words.concat()));
        }
    };
    let code = outcome.as_ref().err().map(|error| error.code);
    client.shared.emit(Event { kind: "wallet", name: method, started, status: None, code });
    outcome
}

/// Refuses with WRONG_ACCOUNT unless `owner` is among the accounts that are offered.
fn check_account(owner: Address, offered: &[Address]) -> Result<()> {
    if offered.contains(&owner) {
        return Ok(());
    }
    let seen = offered.first().map_or_else(|| LOCKED.into(), ToText::text);
    Err(Error::at(ErrorCode::WrongAccount, "the wallet's ", "account", &owner.text(), &seen))
}

/// WRONG_CHAIN: the wallet is on `seen`, not on `chain_id`.
fn wrong_chain(chain_id: u64, seen: Option<u64>) -> Error {
    let seen = seen.map_or_else(|| "none".into(), |id| id.text());
    Error::at(ErrorCode::WrongChain, "the wallet's ", "chainId", &chain_id.text(), &seen)
}

/// A number of JSON-RPC: a hex quantity, or a decimal number or string, as some providers answer. `None` for anything
/// else, and from 2^64 on.
///
/// ```
/// use verified_swap_trade::wallet::account::quantity;
/// use verify::internal::json::Json;
/// assert_eq!(quantity(&Json::String("0x7a69".into())), Some(31337));
/// assert_eq!(quantity(&Json::String("0X7A69".into())), Some(31337));
/// assert_eq!(quantity(&Json::Number("31337".into())), Some(31337));
/// assert_eq!(quantity(&Json::Null), None);
/// ```
pub fn quantity(json: &Json) -> Option<u64> {
    match json {
        Json::String(text) => match text.strip_prefix("0x").or(text.strip_prefix("0X")) {
            Some(digits) if !digits.starts_with('+') => u64::from_str_radix(digits, 16).ok(),
            _ => text.parse().ok(),
        },
        Json::Number(text) => text.parse().ok(),
        _ => None,
    }
}

/// A hex quantity of up to 256 bits, such as a balance in wei; leading zeros are allowed. `None` for anything else.
///
/// ```
/// use verified_swap_trade::wallet::account::big_quantity;
/// use verify::internal::json::Json;
/// assert_eq!(big_quantity(&Json::String("0x0de".into())).map(|wei| wei.to_string()), Some("222".into()));
/// ```
pub fn big_quantity(json: &Json) -> Option<U256> {
    let digits = json.as_text()?.strip_prefix("0x")?;
    let even = if digits.len() % 2 == 0 { digits.into() } else { ["0", digits].concat() };
    U256::try_from_be_slice(&hex::decode(even).ok()?)
}
