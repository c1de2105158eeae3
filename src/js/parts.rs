//! The code that may be in a file of its own ("Parts" in docs/architecture.md). `pkg-template/entry.js` loads it, and says
//! here when it has.

use super::host::Browser;
use crate::error::{Error, ErrorCode, Result};
use crate::trade::{Parts, Rest};
use js_sys::{Promise, Reflect};
use std::cell::Cell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

thread_local! {
    static THERE: Cell<bool> = const { Cell::new(cfg!(not(feature = "split"))) };
}

/// The file of everything but prices was loaded, or there is but one.
#[wasm_bindgen(js_name = attachRest, skip_typescript)]
pub fn attach_rest() {
    THERE.set(true);
}

/// Everything but prices, if it is there.
pub fn rest_if_there() -> Option<&'static Rest<Browser>> {
    THERE.get().then(rest)
}

impl Parts for Browser {
    async fn rest(&self) -> Result<&'static Rest<Browser>> {
        if let Some(rest) = rest_if_there() {
            return Ok(rest);
        }
        let failed = |cause: JsValue| {
            let message = Reflect::get(&cause, &"message".into()).ok().and_then(|text| text.as_string());
            let message = message.unwrap_or_else(|| "the rest of this package could not be loaded".into());
            Error::new(ErrorCode::Network, &message).caused_by(Some(Rc::new(cause)))
        };
        let load = self.load_rest.as_ref().ok_or_else(|| failed(JsValue::UNDEFINED))?;
        let promise = load.call0(&JsValue::UNDEFINED).map_err(failed)?;
        JsFuture::from(Promise::resolve(&promise)).await.map_err(failed)?;
        rest_if_there().ok_or_else(|| failed(JsValue::UNDEFINED))
    }

    fn rest_if_there(&self) -> Option<&'static Rest<Browser>> {
        rest_if_there()
    }
}

/// The table, which is called for once it is there.
#[cfg(not(feature = "split"))]
fn rest() -> &'static Rest<Browser> {
    &Rest::ALL
}

/// The table, which is called for once it is there: the splitter finds the two ends of this call by their names, and
/// moves all that only the second one reaches.
#[cfg(feature = "split")]
fn rest() -> &'static Rest<Browser> {
    #[link(wasm_import_module = "__wasm_split_placeholder__")]
    unsafe extern "C" {
        #[link_name = "__wasm_split_00rest00_import_00000000000000000000000000000000_rest"]
        safe fn called() -> *const ();
    }
    #[unsafe(export_name = "__wasm_split_00rest00_export_00000000000000000000000000000000_rest")]
    extern "C" fn answered() -> *const () {
        const ALL: &Rest<Browser> = &Rest::ALL;
        core::ptr::from_ref(ALL).cast()
    }
    // SAFETY: `answered` returns a reference to what is static and of this type.
    unsafe { &*called().cast() }
}
