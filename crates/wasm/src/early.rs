//! The price that `pkg-template/early.js` asked for while the module was loading.

use js_sys::Promise;
use verified_swap::host::HttpRequest;
use wasm_bindgen::prelude::*;
use web_sys::AbortSignal;

#[wasm_bindgen]
extern "C" {
    /// A GET that left before there was a module, by the same `fetch` and with the same options as one of `http`.
    pub type Early;
    /// Where it went; empty once its answer was taken, or is too old.
    #[wasm_bindgen(method, getter)]
    fn url(this: &Early) -> String;
    /// Whether the storage that tabs share has it in the count of requests.
    #[wasm_bindgen(method, getter, js_name = isCounted)]
    pub fn is_counted(this: &Early) -> bool;
    /// The promise of its answer, once. From now on the signal ends it.
    #[wasm_bindgen(method)]
    pub fn take(this: &Early, signal: &AbortSignal) -> Promise;
}

impl Early {
    /// Whether it is this very request.
    pub fn is(&self, request: &HttpRequest) -> bool {
        request.body.is_none() && request.api_key.is_none() && self.url() == request.url
    }
}
