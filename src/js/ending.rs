//! What JavaScript says of something that came to an end: `IteratorResult` and `PromiseSettledResult`.

use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// Members that are not there are `undefined`.
    pub type Ending;
    /// What came of it.
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
