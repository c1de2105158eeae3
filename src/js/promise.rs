//! Futures as promises.

use js_sys::Promise;
use std::future::Future;
use std::pin::Pin;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::future_to_promise;

/// A promise of what the future ends with.
pub fn promise(work: impl Future<Output = Result<JsValue, JsValue>> + 'static) -> Promise {
    // Boxed: one copy of what drives a future, instead of one for each kind of call.
    let work: Pin<Box<dyn Future<Output = Result<JsValue, JsValue>>>> = Box::pin(work);
    future_to_promise(work)
}
