//! Errors as JavaScript sees them: an `Error` with the name `TradeError`, which `isTradeError` in `pkg-template`
//! recognises.

use crate::decode::encode;
use js_sys::{Object, Reflect};
use verified_swap::error::Error;
use wasm_bindgen::{JsCast, JsValue};

/// The error to throw or to reject with. It has the members of [`Error::write`] beside `message`, and as `cause` the
/// value that a wallet, a node or the page threw, if there was one.
pub fn thrown(error: Error) -> JsValue {
    let target = js_sys::Error::new(&error.message);
    target.set_name("TradeError");
    Object::assign(&target, encode(&error.write()).unchecked_ref());
    if let Some(cause) = error.cause.as_ref().and_then(|cause| cause.downcast_ref::<JsValue>()) {
        // Defining a property of a new error object cannot fail.
        let _ = Reflect::set(&target, &"cause".into(), cause);
    }
    target.into()
}
