//! Reads `ClientOptions`, from which a client is made, and `WalletBinding`, which binds a wallet to it. The names here
//! are the same as in `pkg-template/src/types`; `crates/trade/tests/published_types.rs` compares both.

use crate::decode::{decode, other, part};
use crate::early::Early;
use crate::host::Browser;
use crate::options::Options;
use crate::provider::Provider;
use crate::tabs::Tabs;
use alloy_primitives::Address;
use js_sys::{Array, Function, Reflect};
use trade::client::endpoint;
use trade::client::rate_limit::RateLimit;
use trade::flows::{Shared, WalletBinding, never_batches};
use trade::host::JOURNAL_LIMIT_MS;
use trade::wallet::add_chain;
use verify::internal::domain::agreement::Agreement;
use verify::internal::domain::bridge_tokens::read_pairs;
use verify::internal::domain::chain::application_contracts;
use verify::internal::domain::input::{MAX_EXACT, account, api_key, optional, short_text};
use verify::internal::domain::paymaster::Paymaster;
use verify::internal::domain::reference::sources::Sources;
use verify::internal::error::{Error, Result};
use verify::internal::json::{Json, JsonAt};
use verify::internal::value::text::{ToText, contains};
use wasm_bindgen::{JsCast, JsValue};

/// The default of `timeoutMs`.
const TIMEOUT_MS: u64 = 15_000;

/// The largest `rpcQuorum`, in nodes.
const MAX_QUORUM: u64 = 16;

/// The expected form of a wallet, for errors.
const PROVIDER: &str = "an EIP-1193 provider (an object with request; for viem, wagmi and ethers: verified-swap/viem)";

/// The live members of `ClientOptions`.
const CLIENT_LIVE: [&str; 7] = ["wallet", "rpc", "addChain", "onEvent", "onPrompt", "storage", "reference"];
/// The plain members of `ClientOptions`.
const CLIENT_PLAIN: [&str; 16] = [
    "advanced.rpcQuorum",
    "baseUrl",
    "partner",
    "apiKey",
    "agreement",
    "account",
    "contracts",
    "paymasterService",
    "advanced.allowServiceContracts",
    "advanced.bridgeTokens",
    "advanced.references",
    "advanced.timeoutMs",
    "advanced.rateLimit",
    "switchChain",
    "advanced.batch",
    // Read by `pkg-template/src/entry.ts`.
    "resume",
];

/// The live members of `WalletBinding`. `account` is live because it may be an object with an `address`.
const BINDING_LIVE: [&str; 7] =
    ["wallet", "request", "on", "removeListener", "signTypedData", "sendTransaction", "account"];
/// The plain members of `WalletBinding`.
const BINDING_PLAIN: [&str; 1] = ["switchChain"];

/// Reads `ClientOptions`: the state that all bindings share, and the first binding. Opens `tabs` with the storage. The
/// others are the arguments of `openClient`.
///
/// # Errors
/// INVALID_INPUT with the member that is unknown or wrong.
pub fn read_settings(
    value: &JsValue,
    (tabs, early, load): (Tabs, Option<Early>, Option<Function>),
) -> Result<(Shared<Browser>, WalletBinding<Provider>)> {
    let options = Options::read(value, "options", &CLIENT_LIVE, &CLIENT_PLAIN)?;
    let at = options.at("");
    let url = at.get("baseUrl").text()?;
    let base_url = endpoint::base_url(url).ok_or_else(|| not_secure("baseUrl", url))?;
    let wallet = options.live("wallet").map(|wallet| provider(wallet, "wallet")).transpose()?;
    optional(&at.get("resume"), |at| at.bool())?;
    let timeout = optional(&at.option("advanced.timeoutMs"), |at| match at.integer(600_000)? {
        0 => Err(at.fault("at least one millisecond")),
        ms => Ok(ms),
    })?;
    let quorum = optional(&at.option("advanced.rpcQuorum"), |at| match at.integer(MAX_QUORUM)? {
        0 => Err(at.fault("at least one node")),
        nodes => Ok(usize::try_from(nodes).unwrap_or(usize::MAX)),
    })?;
    let quorum = quorum.unwrap_or(1);
    let mut shared = Shared::new(
        Browser { on_event: options.function("onEvent")?, tabs: tabs.clone(), early, load },
        base_url,
        optional(&at.get("partner"), short_text)?,
        rpc(options.live("rpc"), quorum)?,
        by_chain(&at.get("contracts"), application_contracts)?,
        u32::try_from(timeout.unwrap_or(TIMEOUT_MS)).unwrap_or(u32::MAX),
    );
    shared.settings.rpc_quorum = quorum;
    shared.settings.bridge_tokens = optional(&at.option("advanced.bridgeTokens"), read_pairs)?.unwrap_or_default();
    shared.settings.given_sources = by_chain(&at.option("advanced.references"), Sources::read)?;
    shared.settings.chains_to_add = chains_to_add(options.live("addChain"))?;
    (shared.settings.has_no_references, shared.settings.app_reference) = reference(options.live("reference"))?;
    shared.settings.on_prompt = options.function("onPrompt")?.map(Provider::Function);
    shared.settings.api_key = optional(&at.get("apiKey"), api_key)?;
    shared.settings.rate_limit = optional(&at.option("advanced.rateLimit"), RateLimit::read)?.unwrap_or_default();
    shared.settings.agreement = optional(&at.option("agreement"), Agreement::read)?.unwrap_or_default();
    shared.settings.paymasters = by_chain(&at.get("paymasterService"), Paymaster::read)?;
    shared.settings.never_batches = optional(&at.option("advanced.batch"), never_batches)?.unwrap_or(false);
    shared.settings.allow_service_contracts =
        optional(&at.option("advanced.allowServiceContracts"), |at| at.bool())?.unwrap_or(false);
    let binding = WalletBinding {
        wallet,
        account: optional(&at.get("account"), account)?,
        local: false,
        may_switch: optional(&at.get("switchChain"), |at| at.bool())?.unwrap_or(false),
    };
    let _ = tabs.open(&storage(options.live("storage"))?, JOURNAL_LIMIT_MS);
    Ok((shared, binding))
}

/// The application's storage, `false`, or `undefined`.
///
/// # Errors
/// INVALID_INPUT if it is neither.
fn storage(value: Option<&JsValue>) -> Result<JsValue> {
    let Some(value) = value else { return Ok(JsValue::UNDEFINED) };
    let has = |name: &&str| Reflect::get(value, &(**name).into()).is_ok_and(|member| member.is_function());
    let is_storage = value.is_object() && ["get", "set", "delete", "keys"].iter().all(has);
    if is_storage || *value == JsValue::FALSE {
        return Ok(value.clone());
    }
    Err(Error::input("storage", "an object with get, set, delete and keys, or false", "something else"))
}

/// An object as an EIP-1193 provider; errors name it `field`.
///
/// # Errors
/// INVALID_INPUT if it has no function `request`.
fn provider(value: &JsValue, field: &str) -> Result<Provider> {
    Provider::eip1193(value).ok_or_else(|| Error::input(field, PROVIDER, other(value)))
}

/// Reads `rpc`: for each chain id a URL, a provider, or a list of them.
///
/// # Errors
/// INVALID_INPUT with `rpc.<chainId>`, in a list `rpc.<chainId>.<index>`, for a URL that is not secure, or an object
/// that is not a provider; with `rpc.<chainId>` for an empty list, or if there are fewer different nodes than `quorum`.
fn rpc(value: Option<&JsValue>, quorum: usize) -> Result<Vec<(u64, Provider)>> {
    let Some(value) = value else { return Ok(vec![]) };
    if !value.is_object() {
        return Err(Error::input("rpc", "URLs or providers by chain id", "something else"));
    }
    let mut found = Vec::new();
    for (name, value) in part(value, "rpc", "")?.1 {
        let field = ["rpc.", &name].concat();
        let id = chain_id(&name, &field)?;
        let mut nodes: Vec<Provider> = Vec::new();
        let mut count = 0_usize;
        let mut add = |value: &JsValue, field: &str| {
            let node = node(value, id, field)?;
            count = count.saturating_add(usize::from(!nodes.contains(&node)));
            nodes.push(node);
            Ok(())
        };
        // A provider may be a proxy that looks like anything but an array.
        match value.dyn_ref::<Array>() {
            None => add(&value, &field)?,
            Some(list) if list.length() == 0 => {
                return Err(Error::input(&field, "at least one URL or provider", "none"));
            }
            Some(list) => {
                for (index, value) in (0_u64..).zip(list.to_vec()) {
                    add(&value, &[&field, ".", &index.text()].concat())?;
                }
            }
        }
        if count < quorum {
            let expected = ["at least ", &quorum.text(), " different nodes, as advanced.rpcQuorum says"].concat();
            return Err(Error::input(&field, &expected, &count.text()));
        }
        found.extend(nodes.into_iter().map(|node| (id, node)));
    }
    Ok(found)
}

/// Reads `addChain`: the data of each chain by its id. viem's chains contain functions, so only the needed members of
/// these are read.
///
/// # Errors
/// INVALID_INPUT with the member; with `addChain.<name>` for a name that is not a chain id, and for a chain that is
/// there under two names.
fn chains_to_add(value: Option<&JsValue>) -> Result<Vec<(u64, String)>> {
    let Some(value) = value else { return Ok(vec![]) };
    if !value.is_object() {
        return Err(Error::input("addChain", "chains by chain id", "something else"));
    }
    let mut found: Vec<(u64, String)> = Vec::new();
    for (name, value) in part(value, "addChain", "")?.1 {
        let field = ["addChain.", &name].concat();
        let id = chain_id(&name, &field)?;
        if found.iter().any(|(known, _)| *known == id) {
            return Err(Error::input(&field, "each chain once", &id.text()));
        }
        let (_, members) = part(&value, &field, "")?;
        let is_viem = members.iter().any(|(name, _)| name == "id");
        let mut data = Vec::new();
        for (name, member) in members {
            if !is_viem || add_chain::VIEM.contains(&&*name) {
                let member = decode(&member, &[&field, ".", &name].concat())?;
                data.push((name, member));
            }
        }
        found.push((id, add_chain::read(&JsonAt::input(&Json::Object(data), &field), id)?));
    }
    Ok(found)
}

/// A node of a chain, from its URL or its provider.
fn node(value: &JsValue, chain_id: u64, field: &str) -> Result<Provider> {
    match value.as_string() {
        Some(url) => Ok(Provider::Url(chain_id, endpoint::rpc_url(&url).ok_or_else(|| not_secure(field, &url))?)),
        None => provider(value, field),
    }
}

/// INVALID_INPUT for a URL whose traffic others on the network could read or forge.
fn not_secure(field: &str, url: &str) -> Error {
    Error::input(field, "an https URL (http on loopback only)", url)
}

/// Reads `contracts`, `references` or `paymasterService`: an object with the application's values by chain id.
///
/// # Errors
/// INVALID_INPUT if it is no object, or with the name that is not a chain id; the errors of `read`.
fn by_chain<T>(at: &JsonAt<'_>, read: fn(&JsonAt<'_>) -> Result<T>) -> Result<Vec<(u64, T)>> {
    if at.some().is_some_and(|stated| !matches!(stated.json(), Some(Json::Object(_)))) {
        return Err(at.fault("an object by chain id"));
    }
    at.names().map(|name| Ok((chain_id(name, &at.get(name).path())?, read(&at.get(name))?))).collect()
}

/// Reads `reference`: whether it is switched off, and the application's own function.
///
/// # Errors
/// INVALID_INPUT if it is neither `false` nor a function.
fn reference(value: Option<&JsValue>) -> Result<(bool, Option<Provider>)> {
    let Some(value) = value else { return Ok((false, None)) };
    match value.dyn_ref::<Function>() {
        Some(function) => Ok((false, Some(Provider::Function(function.clone())))),
        None if *value == JsValue::FALSE => Ok((true, None)),
        None => Err(Error::input("reference", "a function, or false", "something else")),
    }
}

/// The member's name as a chain id; errors name it `field`.
fn chain_id(name: &str, field: &str) -> Result<u64> {
    let id = name.parse().ok().filter(|id| (1..=MAX_EXACT).contains(id));
    id.ok_or_else(|| Error::input(field, "a chain id", name))
}

/// Reads a `WalletBinding`.
///
/// # Errors
/// INVALID_INPUT with the member that is unknown or wrong; with `binding` if a provider or an account was passed
/// instead of an object that has it.
pub fn read_binding(value: &JsValue) -> Result<WalletBinding<Provider>> {
    // A misspelt member is the likelier mistake, and its error names it.
    let is_misspelt =
        |error: &Error| error.expected.as_ref().is_some_and(|expected| contains(expected, "did you mean"));
    read_members(value).map_err(|error| misplaced(value).filter(|_| !is_misspelt(&error)).unwrap_or(error))
}

/// The error for a provider or an account that was passed instead of a binding; `None` for anything else.
fn misplaced(value: &JsValue) -> Option<Error> {
    let has = |name: &str| Reflect::get(value, &name.into()).is_ok_and(|member| !member.is_undefined());
    if has("wallet") || has("account") {
        return None;
    }
    if has("signTypedData") {
        return Some(Error::input("binding", "{ account, signTypedData }", "the account itself"));
    }
    has("request").then(|| Error::input("binding", "{ wallet: provider }", "the provider itself"))
}

/// Reads a `WalletBinding`: exactly one of `wallet`, `request` and `signTypedData` is the way to call the wallet.
fn read_members(value: &JsValue) -> Result<WalletBinding<Provider>> {
    let options = Options::read(value, "binding", &BINDING_LIVE, &BINDING_PLAIN)?;
    let at = options.at("binding");
    let may_switch = optional(&at.get("switchChain"), |at| at.bool())?.unwrap_or(false);
    let account = binding_account(&options)?;
    let sign = options.function("signTypedData")?;
    let (wallet, local) = match (options.live("wallet"), options.function("request")?, sign) {
        (Some(wallet), None, None) => (provider(wallet, "binding.wallet")?, false),
        (None, Some(request), None) => (Provider::Eip1193 { this: value.clone(), request }, false),
        (None, None, Some(sign)) => {
            (Provider::Local { this: value.clone(), sign, send: options.function("sendTransaction")? }, true)
        }
        _ => return Err(Error::input("binding", "one of wallet, request, signTypedData", "none or several")),
    };
    if local && account.is_none() {
        return Err(Error::input("binding.account", "the account that signs", "nothing"));
    }
    Ok(WalletBinding { wallet: Some(wallet), account, local, may_switch })
}

/// The account of a binding: an address, or an object with one, as account libraries make it.
///
/// # Errors
/// INVALID_INPUT if it is neither, or the zero address.
fn binding_account(options: &Options) -> Result<Option<Address>> {
    let Some(value) = options.live("account") else { return Ok(None) };
    let text = match value.as_string() {
        Some(text) => Some(text),
        None => Reflect::get(value, &"address".into()).ok().and_then(|address| address.as_string()),
    };
    let json = text.map_or(Json::Null, Json::String);
    account(&JsonAt::input(&json, "account")).map(Some)
}
