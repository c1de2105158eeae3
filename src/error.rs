//! Errors as JavaScript sees them: an `Error` with the name `TradeError`, which `isTradeError` in `pkg-template`
//! recognises.

use crate::decode::encode;
use js_sys::{Object, Reflect};
use verify::internal::error::Error;
use wasm_bindgen::{JsCast, JsValue};

/// The error to throw or to reject with. It has the members of [`Error::write`] beside `message`, and as `cause` the
/// value that a wallet, a node or the page threw, if there was one.
pub fn thrown(error: Error) -> JsValue {
    let target = js_sys::Error::new(&error.message);
    define(&target, r#"{"name":"TradeError"}"#);
    define(&target, &error.write());
    if let Some(cause) = error.cause.as_ref().and_then(|cause| cause.downcast_ref::<JsValue>()) {
        // Defining a property of a new error object cannot fail.
        let _ = Reflect::set(&target, &"cause".into(), cause);
    }
    target.into()
}

/// Gives an error members, as JSON text. They are defined, not assigned: where `Error.prototype` is frozen, JavaScript
/// refuses to assign what that has.
pub fn define(error: &js_sys::Error, members: &str) {
    let members = Object::get_own_property_descriptors::<JsValue>(encode(members).unchecked_ref());
    Object::define_properties(error, members.unchecked_ref());
}
