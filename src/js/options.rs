//! Options that carry live objects beside plain data: wallets, signals, callbacks.

use super::abort::Abort;
use super::decode::{decode, entries};
use super::provider::Provider;
use crate::domain::intent::{account, known, optional};
use crate::domain::{chain::Contracts, endpoint, intent::MAX_CHAIN_ID};
use crate::json::{At, Fault, Json};
use crate::trade::{Bound, application_contracts};
use crate::wallet::rpc::Rpc;
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
    /// Reads options once; members named in `live` are kept as they are.
    pub fn read(value: &JsValue, path: &str, live: &[&str]) -> Result<Options, Box<Fault>> {
        let mut options = Options { data: Json::Object(vec![]), live: vec![] };
        if value.is_undefined() || value.is_null() {
            return Ok(options);
        }
        if !value.is_object() || value.is_function() {
            return Err(Fault::new(path, "an object", "something else"));
        }
        let mut data = Vec::new();
        for (name, member) in entries(value, path)? {
            if member.is_undefined() {
                continue;
            }
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
    pub fn at<'a>(&'a self, name: &'a str) -> At<'a> {
        At::root(&self.data, name)
    }

    /// A live member that is there and not null.
    pub fn live(&self, name: &str) -> Option<&JsValue> {
        self.live.iter().find(|(n, value)| n == name && !value.is_null()).map(|(_, value)| value)
    }

    /// A callback.
    pub fn function(&self, name: &str) -> Result<Option<Function>, Box<Fault>> {
        let cast =
            |value: &JsValue| value.clone().dyn_into().map_err(|_| Fault::new(name, "a function", "something else"));
        self.live(name).map(cast).transpose()
    }

    /// The caller's signal beside the client's own.
    pub fn signal(&self, own: &AbortSignal) -> Result<Abort, Box<Fault>> {
        let mut signals = vec![own.clone()];
        if let Some(value) = self.live("signal") {
            // Not instanceof: a signal may come from another realm, or from a polyfill.
            if !value.is_object() || !js_sys::Reflect::has(value, &"aborted".into()).unwrap_or(false) {
                return Err(Fault::new("options.signal", "an AbortSignal", "something else"));
            }
            signals.push(value.clone().unchecked_into());
        }
        Ok(Abort(signals))
    }
}

/// An EIP-1193 provider among the options.
pub fn provider(value: &JsValue, field: &str) -> Result<Provider, Box<Fault>> {
    Provider::eip1193(value)
        .ok_or_else(|| Fault::new(field, "an EIP-1193 provider (an object with request)", "another object"))
}

/// `rpc`: a URL or a provider per chain id.
pub fn rpc(value: Option<&JsValue>) -> Result<Vec<(u64, Rpc<Provider>)>, Box<Fault>> {
    let Some(value) = value else { return Ok(vec![]) };
    if !value.is_object() {
        return Err(Fault::new("rpc", "URLs or providers by chain id", "something else"));
    }
    let mut found = Vec::new();
    for (name, value) in entries(value, "rpc")? {
        let field = ["rpc.", &name].concat();
        let id = chain_id(&name, &field)?;
        let rpc = match value.as_string() {
            Some(url) => Rpc::Url(endpoint::rpc_url(&url).ok_or_else(|| not_secure(&field, &url))?),
            None => Rpc::Provider(provider(&value, &field)?),
        };
        found.push((id, rpc));
    }
    Ok(found)
}

/// What URLs must be.
pub fn not_secure(field: &str, url: &str) -> Box<Fault> {
    Fault::new(field, "an https URL (http on loopback only)", url)
}

/// `contracts`, by chain id.
pub fn contracts(at: At<'_>) -> Result<Vec<(u64, Contracts)>, Box<Fault>> {
    at.names().map(|name| Ok((chain_id(name, &at.get(name).path())?, application_contracts(at.get(name))?))).collect()
}

fn chain_id(name: &str, field: &str) -> Result<u64, Box<Fault>> {
    let id = name.parse().ok().filter(|id| (1..=MAX_CHAIN_ID).contains(id));
    id.ok_or_else(|| Fault::new(field, "a chain id", name))
}

/// The members of a wallet binding that live.
pub const BINDING_LIVE: [&str; 5] = ["wallet", "request", "signTypedData", "sendTransaction", "account"];

/// What `withWallet` was given.
pub fn binding(value: &JsValue) -> Result<Bound<Provider>, Box<Fault>> {
    let options = Options::read(value, "binding", &BINDING_LIVE)?;
    let at = options.at("binding");
    let mut names = BINDING_LIVE.to_vec();
    names.push("switchChain");
    known(at, &names)?;
    let may_switch = optional(at.get("switchChain"), |at| at.bool())?.unwrap_or(false);
    let account = binding_account(&options)?;
    let sign = options.function("signTypedData")?;
    let (wallet, local) = match (options.live("wallet"), options.function("request")?, sign) {
        (Some(wallet), None, None) => (provider(wallet, "binding.wallet")?, false),
        (None, Some(request), None) => (Provider::Eip1193 { this: value.clone(), request }, false),
        (None, None, Some(sign)) => {
            (Provider::Local { this: value.clone(), sign, send: options.function("sendTransaction")? }, true)
        }
        _ => return Err(Fault::new("binding", "one of wallet, request, signTypedData", "none or several")),
    };
    if local && account.is_none() {
        return Err(Fault::new("binding.account", "the account that signs", "nothing"));
    }
    Ok(Bound { wallet: Some(wallet), account, local, may_switch })
}

/// An address, or an object with one as account libraries have it.
fn binding_account(options: &Options) -> Result<Option<Address>, Box<Fault>> {
    let Some(value) = options.live("account") else { return Ok(None) };
    let text = match value.as_string() {
        Some(text) => Some(text),
        None => js_sys::Reflect::get(value, &"address".into()).ok().and_then(|address| address.as_string()),
    };
    let json = Json::or_null(text.map(Json::text));
    account(At::root(&json, "account")).map(Some)
}
