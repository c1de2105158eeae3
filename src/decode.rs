//! JavaScript values as [`Json`] trees, and JSON text as JavaScript values.
//!
//! `pkg-template/src/plain.ts` reads the values of callers, wallets and nodes, for this module and for the checks alone,
//! and writes them as JSON text: one call, instead of several for each value in them. serde-wasm-bindgen, which makes
//! the events (`host`), carries a BigInt only up to 64 bits, and 100 tokens of 18 decimals need more.

use js_sys::{Array, JSON, Promise, Reflect};
use std::cell::OnceCell;
use verify::internal::error::{Error, Result};
use verify::internal::json::{Json, parse};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// The reader of values, from `pkg-template/src/plain.ts`.
    pub type Reader;
    /// The value as JSON text. Throws INVALID_INPUT with a path that starts with `path`.
    #[wasm_bindgen(method, catch)]
    fn written(this: &Reader, value: &JsValue, path: &str) -> core::result::Result<String, JsValue>;
    /// The JSON text of the object's members that `plain` names, with spaces between them; behind it name and value of
    /// each other member.
    #[wasm_bindgen(method, catch)]
    fn parted(this: &Reader, object: &JsValue, path: &str, plain: &str) -> core::result::Result<Array, JsValue>;
}

thread_local! {
    /// The reader; empty before the module was started.
    static READER: OnceCell<Reader> = const { OnceCell::new() };
}

/// Sets the reader of values, before anything is read. The first one stays.
pub fn set_reader(reader: Reader) {
    let _ = READER.with(|own| own.set(reader));
}

/// The reader's answer.
///
/// # Errors
/// Its INVALID_INPUT.
fn read<T>(path: &str, work: impl FnOnce(&Reader) -> core::result::Result<T, JsValue>) -> Result<T> {
    let refusal = |thrown: JsValue| {
        let text = |name: &str| Reflect::get(&thrown, &name.into()).ok().and_then(|text| text.as_string());
        let (expected, actual) = (text("expected").unwrap_or_default(), text("actual").unwrap_or_default());
        Error::input(text("field").as_deref().unwrap_or(path), &expected, &actual)
    };
    READER.with(|reader| work(reader.get().ok_or_else(Error::unreachable)?).map_err(refusal))
}

/// The text of the reader as a tree.
///
/// # Errors
/// INVALID_INPUT with `path` for an object in which two names are the same once they are text of whole characters.
fn tree(text: &str, path: &str) -> Result<Json> {
    parse(text).map_err(|malformed| Error::input(path, "plain data", malformed.reason))
}

/// A plain value as a tree.
///
/// # Errors
/// INVALID_INPUT with the path, which starts with `path`, of a value that is not plain data (a promise never
/// awaited, a function, a getter that throws) or is too large.
pub fn decode(value: &JsValue, path: &str) -> Result<Json> {
    // Most answers of nodes are strings, and most options are left out: neither needs the reader.
    if let Some(text) = value.as_string() {
        return Ok(Json::String(text));
    }
    if value.is_undefined() {
        return Ok(Json::Null);
    }
    tree(&read(path, |reader| reader.written(value, path))?, path)
}

/// The members of an object, each read once: those that `plain` names, with spaces between them, as an object; the
/// others as (name, value), not decoded.
///
/// # Errors
/// Same as [`decode`].
pub fn part(object: &JsValue, path: &str, plain: &str) -> Result<(Json, Vec<(String, JsValue)>)> {
    let mut all = read(path, |reader| reader.parted(object, path, plain))?.into_iter();
    let data = tree(&all.next().and_then(|text| text.as_string()).unwrap_or_default(), path)?;
    let mut others = Vec::new();
    while let (Some(name), Some(value)) = (all.next(), all.next()) {
        others.push((name.as_string().unwrap_or_default(), value));
    }
    Ok((data, others))
}

/// A value that is another one than expected, in words.
pub fn other(value: &JsValue) -> &'static str {
    if value.is_instance_of::<Promise>() { "a promise: `await` it first" } else { "something else" }
}

/// JSON text that this package wrote, as a JavaScript value.
pub fn encode(json: &str) -> JsValue {
    match json.strip_prefix('"').and_then(|text| text.strip_suffix('"')) {
        // A string without escapes needs no parser.
        Some(text) if !text.contains('\\') => JsValue::from_str(text),
        // The text is this package's own, and valid: parsing does not fail.
        _ => JSON::parse(json).unwrap_or(JsValue::UNDEFINED),
    }
}

/// A JavaScript time in milliseconds, rounded down; 0 for NaN and negative numbers.
#[allow(clippy::cast_possible_truncation, reason = "a time in milliseconds: below 2^53; `as` makes 0 of NaN")]
pub fn millis(time: f64) -> u64 {
    time as u64
}
