//! Wallets and nodes: EIP-1193 providers (<https://eips.ethereum.org/EIPS/eip-1193>), account objects of libraries, and
//! JSON-RPC endpoints, all called in the same way.
//!
//! Wallets and libraries report the same failure in different forms. This file finds code, message and revert data in
//! each known form; `wallet::wallet_error` gives them their meaning.

use crate::decode::{decode, encode};
use crate::ending::Ending;
use crate::node::{self, UNREACHABLE};
use alloy_primitives::hex;
use js_sys::{Array, Function, Promise, Reflect};
use std::rc::Rc;
use trade::host::WalletFailure;
use trade::wallet::account::quantity;
use verify::internal::json::{Json, parse, quoted};
use verify::internal::value::text::ToText;
use wasm_bindgen::{JsCast, JsValue};

/// A wallet, a node or a function: signs, sends, or reads a chain.
#[derive(Clone)]
pub enum Provider {
    /// An EIP-1193 provider, called by `request({ method, params })`.
    Eip1193 {
        /// The object on which `request` is called.
        this: JsValue,
        /// The object's `request`, read once.
        request: Function,
    },
    /// An account object of viem or another library. It signs and may send, but reads no chain.
    Local {
        /// The object on which its functions are called.
        this: JsValue,
        /// The object's `signTypedData`, which takes the typed data as an object.
        sign: Function,
        /// The object's `sendTransaction`, if it has one.
        send: Option<Function>,
    },
    /// A JSON-RPC endpoint: the chain's id, and the URL.
    Url(u64, String),
    /// A function of the application, called with the first parameter.
    Function(Function),
}

/// The most errors that are read inside one error.
const MAX_NESTED: usize = 16;
/// The status of a Ledger whose user rejected: 0x6985.
const LEDGER_REJECTION: i64 = 27013;

impl Provider {
    /// An object that has a function `request`; `None` for any other.
    pub fn eip1193(object: &JsValue) -> Option<Provider> {
        let request = Reflect::get(object, &"request".into()).ok()?.dyn_into().ok()?;
        Some(Provider::Eip1193 { this: object.clone(), request })
    }

    /// Makes a request; `params` is a JSON array. [`read_answer`] reads the value of the promise. It never rejects: a
    /// rejection that is not awaited any more would be reported by the page as unhandled.
    pub fn ask(&self, method: &'static str, params: &str) -> Promise {
        let outcome = match self {
            Provider::Eip1193 { this, request } => {
                let question = [r#"{"method":"#, &quoted(method), r#","params":"#, params, "}"].concat();
                request.call1(this, &encode(&question))
            }
            Provider::Local { this, sign, send } => match (method, send) {
                ("eth_signTypedData_v4", _) => sign.call1(this, &typed_data_of(params)),
                ("eth_sendTransaction", Some(send)) => send.call1(this, &transaction_of(params)),
                _ => {
                    let error = js_sys::Error::new("this local account has no sendTransaction");
                    // EIP-1193's code for an unsupported method: nothing was sent.
                    let _ = Reflect::set(&error, &"code".into(), &4200.into());
                    Err(error.into())
                }
            },
            Provider::Function(function) => {
                function.call1(&JsValue::UNDEFINED, &encode(params).unchecked_into::<Array>().get(0))
            }
            Provider::Url(chain_id, url) => Ok(node::ask(*chain_id, url, method, params).into()),
        };
        let answer = match outcome {
            Ok(value) => Promise::resolve(&value),
            Err(thrown) => Promise::reject(&thrown),
        };
        Promise::all_settled(&Array::of1(&answer))
    }
}

/// Equal if the URL or the object is the same.
impl PartialEq for Provider {
    fn eq(&self, other: &Provider) -> bool {
        match (self, other) {
            (Provider::Url(_, here), Provider::Url(_, there)) => here == there,
            (Provider::Eip1193 { this: here, .. }, Provider::Eip1193 { this: there, .. })
            | (Provider::Local { this: here, .. }, Provider::Local { this: there, .. }) => here == there,
            (Provider::Function(here), Provider::Function(there)) => here == there,
            _ => false,
        }
    }
}

/// Reads the answer from the value of [`Provider::ask`]'s promise.
///
/// # Errors
/// Code, message and revert data of the error that the wallet or node threw, with that error as the cause; or an answer
/// that is not plain data.
pub fn read_answer(value: &JsValue) -> Result<Json, WalletFailure> {
    let outcome: Ending = value.unchecked_ref::<Array>().get(0).unchecked_into();
    let reason = outcome.reason();
    let errors = nested(&reason);
    let failed = |message: String, cause| WalletFailure {
        code: error_code(&errors),
        message,
        words: words(&errors),
        data: revert_data(&reason),
        cause,
        aborted: false,
        unreachable: text(&reason, "name").as_deref() == Some(UNREACHABLE),
        status: [reason.clone(), get(&reason, "cause")].iter().find_map(http_status),
    };
    if outcome.status() == "fulfilled" {
        return decode(&outcome.value(), "answer").map_err(|error| failed(error.message.clone(), None));
    }
    // A wallet wraps a node's error into one with a general message; the node's own message is in `data`.
    let message = text(&get(&reason, "data"), "message")
        .or(text(&reason, "message"))
        .or(reason.as_string())
        .unwrap_or_else(|| "no reason".into());
    Err(failed(message, Some(Rc::new(reason.clone()))))
}

/// The member with this name; `undefined` if there is none, or it throws when it is read.
fn get(object: &JsValue, name: &str) -> JsValue {
    if object.is_object() {
        Reflect::get(object, &name.into()).unwrap_or(JsValue::UNDEFINED)
    } else {
        JsValue::UNDEFINED
    }
}

/// The HTTP status of a failed answer, as this package and libraries such as viem put it into their errors.
fn http_status(error: &JsValue) -> Option<u16> {
    match decode(&get(error, "status"), "") {
        Ok(Json::Number(text)) => text.parse().ok(),
        _ => None,
    }
}

/// The member with this name, if it is a string.
fn text(object: &JsValue, name: &str) -> Option<String> {
    get(object, name).as_string()
}

/// The bytes that a reverted call returned, from the first of the places where nodes, wallets and libraries put them.
fn revert_data(reason: &JsValue) -> Option<Vec<u8>> {
    let data = get(reason, "data");
    let places = [data.clone(), get(&data, "data"), get(&get(&data, "originalError"), "data")];
    let inside = get(&get(reason, "cause"), "data");
    places.iter().chain([&inside]).find_map(|place| hex::decode(place.as_string()?.strip_prefix("0x")?).ok())
}

/// An error and the errors inside it, in the members that wallets and libraries use: first the error that mobile
/// wallets wrap into an internal error, then from the outside in.
fn nested(reason: &JsValue) -> Vec<JsValue> {
    let mut all = vec![get(&get(reason, "data"), "originalError"), reason.clone()];
    let mut next = 1;
    // An error may be its own cause.
    while let Some(outer) = all.get(next).filter(|_| next < MAX_NESTED).cloned() {
        let inner = ["data", "originalError", "cause", "error", "info"].map(|name| get(&outer, name));
        all.extend(inner.into_iter().filter(|inner| !inner.is_undefined()));
        next = next.saturating_add(1);
    }
    all
}

/// The first code among these errors, by EIP-1193 or JSON-RPC; 4001 if any of them is a rejection. viem writes -1 if
/// there is no code.
fn error_code(errors: &[JsValue]) -> Option<i64> {
    let number = |error: &JsValue, name| match decode(&get(error, name), "") {
        Ok(Json::Number(text) | Json::String(text)) => text.parse().ok(),
        _ => None,
    };
    let is_refusal =
        |error: &JsValue| number(error, "code") == Some(4001) || number(error, "statusCode") == Some(LEDGER_REJECTION);
    if errors.iter().any(is_refusal) {
        return Some(4001);
    }
    errors.iter().find_map(|error| number(error, "code").filter(|code| *code != -1))
}

/// The messages of these errors, one a line, with the codes that libraries write in words.
fn words(errors: &[JsValue]) -> String {
    let mut all = String::new();
    for error in errors {
        for said in [text(error, "code"), text(error, "message"), error.as_string()].into_iter().flatten() {
            all.push_str(&said);
            all.push('\n');
        }
    }
    all
}

/// The typed data as an object, from the parameters of `eth_signTypedData_v4`: an account, then the typed data as text.
fn typed_data_of(params: &str) -> JsValue {
    match parse(params) {
        Ok(Json::Array(items)) => items.get(1).and_then(Json::as_text).map_or(JsValue::NULL, encode),
        _ => JsValue::NULL,
    }
}

/// The transaction from the parameters of `eth_sendTransaction`. Chain id and nonce are numbers, as account libraries
/// take them.
fn transaction_of(params: &str) -> JsValue {
    let Ok(Json::Array(items)) = parse(params) else { return JsValue::NULL };
    let Some(json) = items.first() else { return JsValue::NULL };
    let transaction = encode(&json.write());
    for name in ["chainId", "nonce"] {
        if let Some(number) = json.get(name).and_then(quantity) {
            let _ = Reflect::set(&transaction, &name.into(), &encode(&number.text()));
        }
    }
    transaction
}
