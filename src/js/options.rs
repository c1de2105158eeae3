//! Options that carry live objects beside plain data: wallets, signals, callbacks.

use super::abort::Abort;
use super::decode::{decode, entries};
use super::provider::Provider;
use crate::domain::input::{account, known, optional};
use crate::domain::{chain::Contracts, endpoint, input::MAX_EXACT};
use crate::error::{Error, Result};
use crate::json::{Json, JsonAt};
use crate::trade::{WalletBinding, application_contracts};
use alloy_primitives::Address;
use js_sys::Function;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::AbortSignal;

/// Options, taken apart: what is plain data, and what lives.
pub struct Options {
    /// The plain part.
    pub data: Json,
    live: Vec<(String, JsValue)>,
}

impl Options {
    /// Reads options once; members named in `live` are kept as they are, those in `plain` are read, others refused.
    pub fn read(value: &JsValue, path: &str, live: &[&str], plain: &[&str]) -> Result<Options> {
        let mut options = Options { data: Json::Object(vec![]), live: vec![] };
        if value.is_undefined() || value.is_null() {
            return Ok(options);
        }
        if !value.is_object() || value.is_function() {
            return Err(Error::input(path, "an object", "something else"));
        }
        let mut data = Vec::new();
        let mut members = entries(value, path)?;
        members.retain(|(_, member)| !member.is_undefined());
        // Names before values: a misspelt callback is a name nobody knows, not a value nobody reads.
        let names = Json::Object(members.iter().map(|(name, _)| (name.clone(), Json::String(name.clone()))).collect());
        known(&JsonAt::input(&names, path), &[live, plain].concat())?;
        for (name, member) in members {
            if live.contains(&name.as_str()) {
                options.live.push((name, member));
            } else {
                let member = decode(&member, &[path, ".", &name].concat())?;
                data.push((name, member));
            }
        }
        options.data = Json::Object(data);
        Ok(options)
    }

    /// The plain part, under a name.
    pub fn at<'a>(&'a self, name: &'a str) -> JsonAt<'a> {
        JsonAt::input(&self.data, name)
    }

    /// A live member that is there and not null.
    pub fn live(&self, name: &str) -> Option<&JsValue> {
        self.live.iter().find(|(n, value)| n == name && !value.is_null()).map(|(_, value)| value)
    }

    /// A callback.
    pub fn function(&self, name: &str) -> Result<Option<Function>> {
        let cast =
            |value: &JsValue| value.clone().dyn_into().map_err(|_| Error::input(name, "a function", "something else"));
        self.live(name).map(cast).transpose()
    }

    /// The caller's signal beside the client's own.
    pub fn signal(&self, own: &AbortSignal) -> Result<Abort> {
        let mut signals = vec![own.clone()];
        if let Some(value) = self.live("signal") {
            // Not instanceof: a signal may come from another realm, or from a polyfill.
            if !value.is_object() || !js_sys::Reflect::has(value, &"aborted".into()).unwrap_or(false) {
                return Err(Error::input("options.signal", "an AbortSignal", "something else"));
            }
            signals.push(value.clone().unchecked_into());
        }
        Ok(Abort(signals))
    }
}

/// An EIP-1193 provider among the options.
pub fn provider(value: &JsValue, field: &str) -> Result<Provider> {
    Provider::eip1193(value)
        .ok_or_else(|| Error::input(field, "an EIP-1193 provider (an object with request)", "another object"))
}

/// `rpc`: a URL or a provider per chain id.
pub fn rpc(value: Option<&JsValue>) -> Result<Vec<(u64, Provider)>> {
    let Some(value) = value else { return Ok(vec![]) };
    if !value.is_object() {
        return Err(Error::input("rpc", "URLs or providers by chain id", "something else"));
    }
    let mut found = Vec::new();
    for (name, value) in entries(value, "rpc")? {
        let field = ["rpc.", &name].concat();
        let id = chain_id(&name, &field)?;
        let rpc = match value.as_string() {
            Some(url) => Provider::Url(id, endpoint::rpc_url(&url).ok_or_else(|| not_secure(&field, &url))?),
            None => provider(&value, &field)?,
        };
        found.push((id, rpc));
    }
    Ok(found)
}

/// What URLs must be.
pub fn not_secure(field: &str, url: &str) -> Error {
    Error::input(field, "an https URL (http on loopback only)", url)
}

/// `contracts`, by chain id.
pub fn contracts(at: &JsonAt<'_>) -> Result<Vec<(u64, Contracts)>> {
    at.names().map(|name| Ok((chain_id(name, &at.get(name).path())?, application_contracts(&at.get(name))?))).collect()
}

fn chain_id(name: &str, field: &str) -> Result<u64> {
    let id = name.parse().ok().filter(|id| (1..=MAX_EXACT).contains(id));
    id.ok_or_else(|| Error::input(field, "a chain id", name))
}

/// The members of a wallet binding that live.
pub const BINDING_LIVE: [&str; 5] = ["wallet", "request", "signTypedData", "sendTransaction", "account"];

/// What `withWallet` was given.
pub fn binding(value: &JsValue) -> Result<WalletBinding<Provider>> {
    // Of a binding with a slip of the finger in it, that is what is said.
    let is_misspelt = |error: &Error| error.expected.as_ref().is_some_and(|expected| expected.contains("did you mean"));
    bound(value).map_err(|error| itself(value).filter(|_| !is_misspelt(&error)).unwrap_or(error))
}

/// A provider or an account in the place of what binds it.
fn itself(value: &JsValue) -> Option<Error> {
    let has = |name: &str| js_sys::Reflect::get(value, &name.into()).is_ok_and(|member| !member.is_undefined());
    if has("wallet") || has("account") {
        return None;
    }
    if has("signTypedData") {
        return Some(Error::input("binding", "{ account, signTypedData }", "the account itself"));
    }
    has("request").then(|| Error::input("binding", "{ wallet: provider }", "the provider itself"))
}

fn bound(value: &JsValue) -> Result<WalletBinding<Provider>> {
    let options = Options::read(value, "binding", &BINDING_LIVE, &["switchChain"])?;
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

/// An address, or an object with one as account libraries have it.
fn binding_account(options: &Options) -> Result<Option<Address>> {
    let Some(value) = options.live("account") else { return Ok(None) };
    let text = match value.as_string() {
        Some(text) => Some(text),
        None => js_sys::Reflect::get(value, &"address".into()).ok().and_then(|address| address.as_string()),
    };
    let json = text.map_or(Json::Null, Json::String);
    account(&JsonAt::input(&json, "account")).map(Some)
}
