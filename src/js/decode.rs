//! JavaScript values as trees, each property read once; and back.
//!
//! By hand rather than through serde-wasm-bindgen, which carries a BigInt only up to 64 bits: 100 tokens of 18 decimals
//! are more than that.

use crate::domain::text::ToText;
use crate::error::{Error, Result};
use crate::json::{Json, MAX_DEPTH, MAX_MEMBERS, MAX_TAKEN};
use js_sys::{Array, BigInt, JSON, Number};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    // js-sys has the first two as what can not fail; of a proxy, all can.
    #[wasm_bindgen(catch, js_namespace = Array, js_name = isArray)]
    fn is_array(value: &JsValue) -> core::result::Result<bool, JsValue>;
    #[wasm_bindgen(catch, js_namespace = Object, js_name = entries)]
    fn pairs(object: &JsValue) -> core::result::Result<Array, JsValue>;
    #[wasm_bindgen(catch, js_namespace = Array, js_name = from)]
    fn items(array: &JsValue) -> core::result::Result<Array, JsValue>;
}

/// A plain value as a tree. `undefined` is `null`; a BigInt is a decimal string, so that it is told from a number.
pub fn decode(value: &JsValue, path: &str) -> Result<Json> {
    below(value, 0, &mut MAX_TAKEN.clone()).map_err(|refusal| refusal.at(path))
}

/// What is no plain data. The way there is put together only where somebody has to be told.
struct Refusal {
    /// From the value that was to be read.
    path: String,
    expected: &'static str,
    actual: &'static str,
}

impl Refusal {
    fn here(expected: &'static str, actual: &'static str) -> Refusal {
        Refusal { path: String::new(), expected, actual }
    }

    /// Seen from the value that holds this one.
    fn inside(self, name: &str) -> Refusal {
        Refusal { path: join(name, &self.path), ..self }
    }

    fn at(self, path: &str) -> Error {
        Error::input(&join(path, &self.path), self.expected, self.actual)
    }
}

fn join(path: &str, name: &str) -> String {
    [path, if path.is_empty() || name.is_empty() { "" } else { "." }, name].concat()
}

/// `room` is for how many more values there is.
fn below(value: &JsValue, depth: usize, room: &mut usize) -> core::result::Result<Json, Refusal> {
    if depth > MAX_DEPTH {
        return Err(Refusal::here("plain data", "nesting without end"));
    }
    *room = room.checked_sub(1).ok_or_else(too_many)?;
    // The most frequent first: each question is a call.
    if let Some(text) = value.as_string() {
        return Ok(Json::String(text));
    }
    if value.is_object() {
        return holder(value, depth.saturating_add(1), room);
    }
    if let Some(float) = value.as_f64() {
        return Ok(Json::Number(number(float, value.unchecked_ref())));
    }
    if value.is_null_or_undefined() {
        return Ok(Json::Null);
    }
    if let Some(value) = value.as_bool() {
        return Ok(Json::Bool(value));
    }
    if value.is_bigint() {
        let text = value.unchecked_ref::<BigInt>().to_string(10);
        return Ok(Json::String(text.map(String::from).unwrap_or_default()));
    }
    Err(Refusal::here("plain data", "a function or symbol"))
}

/// An array or an object.
fn holder(value: &JsValue, inside: usize, room: &mut usize) -> core::result::Result<Json, Refusal> {
    if is_array(value).map_err(unreadable)? {
        let array = items(value).map_err(unreadable)?;
        let mut items = Vec::new();
        for index in 0..array.length() {
            let item = below(&array.get(index), inside, room);
            items.push(item.map_err(|refusal| refusal.inside(&u64::from(index).text()))?);
        }
        return Ok(Json::Array(items));
    }
    let mut members = Vec::new();
    for (name, member) in read(value)? {
        if !member.is_undefined() {
            let member = below(&member, inside, room).map_err(|refusal| refusal.inside(&name))?;
            members.push((name, member));
        }
    }
    Ok(Json::Object(members))
}

/// A number as JavaScript writes it. Beyond 2^53 it may have lost digits: written with an exponent it is no integer to any
/// reader.
fn number(float: f64, number: &Number) -> String {
    // Written here where it is small and whole: asking JavaScript takes longer than everything else.
    let whole = small(float);
    if f64::from(whole) == float {
        return u64::from(whole).text();
    }
    let text = if float.abs() > Number::MAX_SAFE_INTEGER {
        number.to_exponential(20)
    } else {
        number.to_string_with_radix(10)
    };
    text.map(String::from).unwrap_or_default()
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "compared with the number by the caller")]
fn small(float: f64) -> u32 {
    float as u32
}

/// Own enumerable members of an object, each read once.
pub fn entries(object: &JsValue, path: &str) -> Result<Vec<(String, JsValue)>> {
    read(object).map_err(|refusal| refusal.at(path))
}

fn read(object: &JsValue) -> core::result::Result<Vec<(String, JsValue)>, Refusal> {
    let pairs = pairs(object).map_err(unreadable)?;
    if usize::try_from(pairs.length()).map_or(true, |count| count > MAX_MEMBERS) {
        return Err(Refusal::here("at most 256 members", "more of them"));
    }
    let mut found = Vec::new();
    for index in 0..pairs.length() {
        let pair = pairs.get(index).unchecked_into::<Array>();
        found.push((pair.get(0).as_string().unwrap_or_default(), pair.get(1)));
    }
    Ok(found)
}

fn too_many() -> Refusal {
    Refusal::here("at most 32768 values in all", "more of them")
}

fn unreadable(_: JsValue) -> Refusal {
    Refusal::here("readable members", "a getter that threw")
}

/// JSON text as plain data.
pub fn encode(json: &str) -> JsValue {
    match json.strip_prefix('"').and_then(|text| text.strip_suffix('"')) {
        // A string without escapes is itself.
        Some(text) if !text.contains('\\') => JsValue::from_str(text),
        // What this package writes is JSON: parsing it can not fail.
        _ => JSON::parse(json).unwrap_or(JsValue::UNDEFINED),
    }
}
