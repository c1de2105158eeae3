//! The pure functions.

use super::decode::{decode, encode};
use super::error::thrown;
use super::host::Browser;
use crate::host::Host;
use crate::json::Json;
use crate::trade;
use wasm_bindgen::prelude::*;

/// Runs the pure function of that name, as JavaScript has it: one entry instead of a dozen, each with its own way in and
/// out.
#[wasm_bindgen(skip_typescript)]
pub fn compute(name: &str, first: &JsValue, second: &JsValue) -> core::result::Result<JsValue, JsValue> {
    let now = Browser { on_event: None }.unix_ms() / 1_000;
    // What is no plain data is no address either: that question has an answer for everything.
    let first = decode(first, "").or_else(|error| if name == "isAddress" { Ok(Json::Null) } else { Err(error) });
    let answer = first.and_then(|first| trade::compute(name, &first, &decode(second, "")?, now));
    answer.map(|text| encode(&text)).map_err(thrown)
}
