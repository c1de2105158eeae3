//! The pure functions, through one exported entry: each further export would bring conversions of its own.

use crate::decode::{decode, encode};
use crate::error::thrown;
use crate::parts::trade_if_there;
use trade::flows::compute_early;
use verify::internal::error::Error;
use wasm_bindgen::prelude::*;

/// Runs the pure function with this name on plain values, and returns plain data.
///
/// # Errors
/// The failures of [`trade::flows::compute`]; INVALID_INPUT if an argument is not plain data.
#[wasm_bindgen(skip_typescript)]
pub fn compute(name: &str, first: &JsValue, second: &JsValue) -> core::result::Result<JsValue, JsValue> {
    let answer = decode(first, "argument").and_then(|first| {
        let second = decode(second, "argument")?;
        compute_early(name, &first, &second).unwrap_or_else(|| {
            let expected = "a package that is loaded";
            let trade = trade_if_there().ok_or_else(|| Error::input("init", expected, "its first file alone"))?;
            (trade.compute)(name, &first, &second)
        })
    });
    answer.map(|text| encode(&text)).map_err(thrown)
}
