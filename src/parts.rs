//! The code that may be in files of its own ("Parts" in docs/architecture.md). `pkg-template/src/entry.ts` loads the files
//! in their order, and reports here how many are loaded.

use crate::abort::{Abort, Wait};
use crate::decode::{Reader, set_reader};
use crate::host::Browser;
use js_sys::{Promise, Reflect};
use std::cell::Cell;
use std::rc::Rc;
use trade::flows::{Parts, Rest, Trade, Work};
use verify::internal::error::{Error, ErrorCode, Result};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

/// The number of the file with the trade, by the count of `entry.js`; the first file has this code.
const TRADE: u32 = 2;
/// The number of the last file.
const REST: u32 = 3;

thread_local! {
    static THERE: Cell<u32> = const { Cell::new(if cfg!(feature = "split") { 1 } else { REST }) };
}

/// Notes that the first `count` files are loaded. `reader` reads JavaScript's values from now on.
#[wasm_bindgen(js_name = attachParts, skip_typescript)]
pub fn attach_parts(count: u32, reader: Reader) {
    set_reader(reader);
    THERE.set(count);
}

/// The code that a gasless trade needs beyond its price, if it is loaded.
pub fn trade_if_there() -> Option<&'static Trade<Browser>> {
    (THERE.get() >= TRADE).then(trade)
}

impl Browser {
    /// The promise of the files up to `part`.
    ///
    /// # Errors
    /// The exception that JavaScript throws; `undefined` if this host loads no files.
    fn loading(&self, part: u32) -> core::result::Result<Promise, JsValue> {
        let load = self.load.as_ref().ok_or(JsValue::UNDEFINED)?;
        load.call1(&JsValue::UNDEFINED, &part.into()).map(|promise| Promise::resolve(&promise))
    }

    /// Loads the files up to `part`.
    ///
    /// # Errors
    /// NETWORK or MODULE_UNAVAILABLE, with the message that JavaScript gave; ABORTED.
    fn load_up_to<'a>(&'a self, part: u32, signal: &'a Abort) -> Work<'a, ()> {
        Box::pin(self.arrive(part, signal))
    }

    /// Same as [`Browser::load_up_to`].
    async fn arrive(&self, part: u32, signal: &Abort) -> Result<()> {
        let failed = |cause: JsValue| {
            let text = |name: &str| Reflect::get(&cause, &name.into()).ok().and_then(|text| text.as_string());
            let passes = text("code").is_some_and(|code| code == ErrorCode::Network.name());
            let code = if passes { ErrorCode::Network } else { ErrorCode::ModuleUnavailable };
            let message = text("message").unwrap_or_else(|| "a file of this package could not be loaded".into());
            Error::new(code, &message).caused_by(Some(Rc::new(cause)))
        };
        if THERE.get() < part {
            // It goes on to load for the next call.
            let loading = JsFuture::from(self.loading(part).map_err(failed)?);
            Wait::new(signal, None).until(loading).await.map_err(|_| Error::aborted())?.map_err(failed)?;
        }
        if THERE.get() < part { Err(failed(JsValue::UNDEFINED)) } else { Ok(()) }
    }
}

impl Parts for Browser {
    async fn trade(&self, signal: &Abort) -> Result<&'static Trade<Browser>> {
        self.load_up_to(TRADE, signal).await.map(|()| trade())
    }

    fn trade_if_there(&self) -> Option<&'static Trade<Browser>> {
        trade_if_there()
    }

    async fn rest(&self, signal: &Abort) -> Result<&'static Rest<Browser>> {
        self.load_up_to(REST, signal).await.map(|()| rest())
    }

    fn rest_if_there(&self) -> Option<&'static Rest<Browser>> {
        (THERE.get() >= REST).then(rest)
    }

    fn expect_rest(&self) {
        if let Some(load) = self.load.as_ref().filter(|_| THERE.get() < REST) {
            // `entry.js` reports a failure to every caller that waits for the file.
            let _ = load.call2(&JsValue::UNDEFINED, &REST.into(), &JsValue::TRUE);
        }
    }
}

/// The table of one part, called once its file is loaded.
macro_rules! part {
    ($name:ident, $Table:ident, $import:literal, $export:literal) => {
        #[cfg(not(feature = "split"))]
        fn $name() -> &'static $Table<Browser> {
            &$Table::ALL
        }

        /// The splitter finds both ends of this call by their names, and moves all code that only the second one
        /// reaches.
        #[cfg(feature = "split")]
        fn $name() -> &'static $Table<Browser> {
            #[link(wasm_import_module = "__wasm_split_placeholder__")]
            unsafe extern "C" {
                #[link_name = $import]
                safe fn called() -> *const ();
            }
            #[unsafe(export_name = $export)]
            extern "C" fn answered() -> *const () {
                const ALL: &$Table<Browser> = &$Table::ALL;
                core::ptr::from_ref(ALL).cast()
            }
            // SAFETY: `answered` returns a reference to a static of this type.
            unsafe { &*called().cast() }
        }
    };
}

part!(
    trade,
    Trade,
    "__wasm_split_00trade00_import_00000000000000000000000000000000_trade",
    "__wasm_split_00trade00_export_00000000000000000000000000000000_trade"
);
part!(
    rest,
    Rest,
    "__wasm_split_00rest00_import_00000000000000000000000000000000_rest",
    "__wasm_split_00rest00_export_00000000000000000000000000000000_rest"
);
