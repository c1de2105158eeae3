//! Wallets: EIP-1193 providers, and local accounts behind the same questions.

use super::decode::{decode, encode};
use crate::host::WalletFailure;
use crate::json::{Json, parse};
use crate::wallet::rpc::quantity;
use js_sys::{Array, Function, Object, Promise, Reflect};
use std::rc::Rc;
use wasm_bindgen::{JsCast, JsValue};

/// Something that signs, sends or reads.
#[derive(Clone)]
pub enum Provider {
    /// `request({ method, params })`, called on the object it came with.
    Eip1193 {
        /// The object.
        this: JsValue,
        /// Its `request`.
        request: Function,
    },
    /// Functions of a local account.
    Local {
        /// The object.
        this: JsValue,
        /// Its `signTypedData`.
        sign: Function,
        /// Its `sendTransaction`.
        send: Option<Function>,
    },
}

impl Provider {
    /// The provider in an object with `request`.
    pub fn eip1193(object: &JsValue) -> Option<Provider> {
        let request = Reflect::get(object, &"request".into()).ok()?.dyn_into().ok()?;
        Some(Provider::Eip1193 { this: object.clone(), request })
    }

    /// Asks. The promise returned never rejects: it resolves to what became of the answer, so that an answer nobody
    /// waits for any more is not an unhandled rejection.
    pub fn ask(&self, method: &str, params: &Json) -> Promise {
        let outcome = match self {
            Provider::Eip1193 { this, request } => {
                let arguments = Object::new();
                let _ = Reflect::set(&arguments, &"method".into(), &method.into());
                let _ = Reflect::set(&arguments, &"params".into(), &encode(params));
                request.call1(this, &arguments)
            }
            Provider::Local { this, sign, send } => match (method, send) {
                ("eth_signTypedData_v4", _) => sign.call1(this, &encode(&typed_data(params))),
                ("eth_sendTransaction", Some(send)) => send.call1(this, &encode(&transaction(params))),
                _ => Err(js_sys::Error::new("this local account has no sendTransaction").into()),
            },
        };
        let answer = match outcome {
            Ok(value) => Promise::resolve(&value),
            Err(thrown) => Promise::reject(&thrown),
        };
        Promise::all_settled(&Array::of1(&answer))
    }
}

/// What became of a question, from the value [`Provider::ask`] resolves to.
pub fn settled(value: &JsValue) -> Result<Json, WalletFailure> {
    let outcome = value.unchecked_ref::<Array>().get(0);
    let member = |name: &str| Reflect::get(&outcome, &name.into()).unwrap_or(JsValue::UNDEFINED);
    if member("status").as_string().as_deref() == Some("fulfilled") {
        return decode(&member("value"), "answer").map_err(|fault| WalletFailure {
            code: None,
            message: [&fault.field, " is not ", &fault.expected].concat(),
            cause: None,
            aborted: false,
        });
    }
    let reason = member("reason");
    let message = text(&reason, "message").unwrap_or_else(|| reason.as_string().unwrap_or_else(|| "no reason".into()));
    Err(WalletFailure { code: code(&reason), message, cause: Some(Rc::new(reason)), aborted: false })
}

fn get(object: &JsValue, name: &str) -> JsValue {
    if object.is_object() {
        Reflect::get(object, &name.into()).unwrap_or(JsValue::UNDEFINED)
    } else {
        JsValue::UNDEFINED
    }
}

fn text(object: &JsValue, name: &str) -> Option<String> {
    get(object, name).as_string()
}

/// The error's code: nested ones first, as mobile wallets wrap theirs in an internal error; ethers' word for a rejection.
fn code(reason: &JsValue) -> Option<i64> {
    let number = |value: &JsValue| {
        decode(value, "").ok().and_then(|json| match json {
            Json::Number(text) => text.parse().ok(),
            _ => None,
        })
    };
    if text(reason, "code").as_deref() == Some("ACTION_REJECTED") {
        return Some(4001);
    }
    let nested = get(&get(&get(reason, "data"), "originalError"), "code");
    number(&nested).or_else(|| number(&get(reason, "code"))).or_else(|| number(&get(&get(reason, "cause"), "code")))
}

fn typed_data(params: &Json) -> Json {
    let text = match params {
        Json::Array(items) => items.get(1).and_then(Json::as_text),
        _ => None,
    };
    text.and_then(|text| parse(text).ok()).unwrap_or(Json::Null)
}

/// The transaction with its chain id as a number, as account libraries take it.
fn transaction(params: &Json) -> Json {
    let Json::Array(items) = params else { return Json::Null };
    let Some(Json::Object(members)) = items.first() else { return Json::Null };
    let members = members.iter().map(|(name, value)| match quantity(value) {
        Some(id) if name == "chainId" => (name.clone(), Json::number(id)),
        _ => (name.clone(), value.clone()),
    });
    Json::Object(members.collect())
}
