//! Two result objects of JavaScript, of which js-sys has no types: `IteratorResult`, which a stream's reader gives, and
//! `PromiseSettledResult`, which `Promise.allSettled` gives.

use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// Either of the two. The other type's members are `undefined`.
    pub type Ending;
    /// The next item, or the value of a fulfilled promise.
    #[wasm_bindgen(method, getter)]
    pub fn value(this: &Ending) -> JsValue;
    /// The reason of a rejected promise.
    #[wasm_bindgen(method, getter)]
    pub fn reason(this: &Ending) -> JsValue;
    /// The promise's state: `fulfilled` or `rejected`.
    #[wasm_bindgen(method, getter)]
    pub fn status(this: &Ending) -> String;
    /// Whether the stream has ended; then there is no item.
    #[wasm_bindgen(method, getter)]
    pub fn done(this: &Ending) -> bool;
}
