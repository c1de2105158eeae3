//! The pure functions, through one entry instead of a dozen, each with its own way in and out.

use super::decode::{decode, encode};
use super::error::thrown;
use super::host::Browser;
use crate::host::Host;
use crate::trade;
use wasm_bindgen::prelude::*;

/// Runs the pure function of that name on plain values; its answer as plain data.
///
/// # Errors
/// Those of [`trade::compute`]; INVALID_INPUT for what is no plain data.
#[wasm_bindgen(skip_typescript)]
pub fn compute(name: &str, first: &JsValue, second: &JsValue) -> core::result::Result<JsValue, JsValue> {
    let now = Browser { on_event: None }.unix_ms() / 1_000;
    let answer = decode(first, "").and_then(|first| trade::compute(name, &first, &decode(second, "")?, now));
    answer.map(|text| encode(&text)).map_err(thrown)
}
