//! What JavaScript says of something that came to an end: `IteratorResult` (of a stream's reader) and
//! `PromiseSettledResult` (of `Promise.allSettled`).

use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// Either of them. A member that it does not have is `undefined`.
    pub type Ending;
    /// The item, or what the promise was fulfilled with.
    #[wasm_bindgen(method, getter)]
    pub fn value(this: &Ending) -> JsValue;
    /// Why a promise was rejected.
    #[wasm_bindgen(method, getter)]
    pub fn reason(this: &Ending) -> JsValue;
    /// `fulfilled` or `rejected`.
    #[wasm_bindgen(method, getter)]
    pub fn status(this: &Ending) -> String;
    /// Whether an iterator is at its end.
    #[wasm_bindgen(method, getter)]
    pub fn done(this: &Ending) -> bool;
}
