//! What every error is to JavaScript: an `Error` named `TradeError`.

use super::decode::encode;
use crate::error::Error;
use js_sys::{Object, Reflect};
use wasm_bindgen::{JsCast, JsValue};

/// The error as it is thrown, or rejected with: its members beside `message`, and as `cause` the value that a wallet, node or
/// page threw, where one did.
pub fn thrown(error: Error) -> JsValue {
    let target = js_sys::Error::new(&error.message);
    target.set_name("TradeError");
    Object::assign(&target, encode(&error.write()).unchecked_ref());
    if let Some(cause) = error.cause.as_ref().and_then(|cause| cause.downcast_ref::<JsValue>()) {
        // Defining a property of an error object that was just made cannot fail.
        let _ = Reflect::set(&target, &"cause".into(), cause);
    }
    target.into()
}
