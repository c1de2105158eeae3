//! The price request that `pkg-template/src/early.ts` sent while the module was loading.

use js_sys::Promise;
use trade::host::HttpRequest;
use wasm_bindgen::prelude::*;
use web_sys::AbortSignal;

#[wasm_bindgen]
extern "C" {
    /// A GET that left before there was a module, by the same `fetch` and with the same options as one of `http`.
    pub type Early;
    /// The URL of the request; empty once its answer was taken, or is too old.
    #[wasm_bindgen(method, getter)]
    fn url(this: &Early) -> String;
    /// The promise of the answer; it can be taken once. From then on the signal ends the request.
    #[wasm_bindgen(method)]
    pub fn take(this: &Early, signal: &AbortSignal) -> Promise;
}

impl Early {
    /// Whether this is the early request.
    pub fn is(&self, request: &HttpRequest) -> bool {
        request.body.is_none() && request.api_key.is_none() && self.url() == request.url
    }
}
