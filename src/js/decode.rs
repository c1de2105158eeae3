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
    // js-sys takes the first two for functions that cannot throw; of a proxy, all can.
    #[wasm_bindgen(catch, js_namespace = Array, js_name = isArray)]
    fn is_array(value: &JsValue) -> core::result::Result<bool, JsValue>;
    #[wasm_bindgen(catch, js_namespace = Object, js_name = entries)]
    fn object_entries(object: &JsValue) -> core::result::Result<Array, JsValue>;
    #[wasm_bindgen(catch, js_namespace = Array, js_name = from)]
    fn array_from(array: &JsValue) -> core::result::Result<Array, JsValue>;
}

/// A plain value as a tree: arrays, objects by their own enumerable members, and what JSON has beside them. `undefined` is
/// `null`, and left out of an object; a BigInt is a decimal string, so that it is told from a number, which may have lost
/// digits.
///
/// # Errors
/// INVALID_INPUT with the way from `path` to what is no plain data: a function or symbol, a member that throws when it is
/// read, or more of them than `json` takes of anyone.
pub fn decode(value: &JsValue, path: &str) -> Result<Json> {
    decode_value(value, 0, &mut MAX_TAKEN.clone()).map_err(|refusal| refusal.at(path))
}

/// What is no plain data. The way there is put together only where there is an error to say it.
struct Refusal {
    /// From the value that was to be decoded, with dots.
    path: String,
    expected: &'static str,
    actual: &'static str,
}

impl Refusal {
    fn here(expected: &'static str, actual: &'static str) -> Refusal {
        Refusal { path: String::new(), expected, actual }
    }

    /// The same as seen from the value that holds this one under that name.
    fn inside(self, name: &str) -> Refusal {
        Refusal { path: join(name, &self.path), ..self }
    }

    fn at(self, path: &str) -> Error {
        Error::input(&join(path, &self.path), self.expected, self.actual)
    }
}

/// Two steps of a path, each of which may be empty.
fn join(path: &str, name: &str) -> String {
    [path, if path.is_empty() || name.is_empty() { "" } else { "." }, name].concat()
}

/// Decodes a value that `depth` others hold. `room` counts down how many more values may be taken.
fn decode_value(value: &JsValue, depth: usize, room: &mut usize) -> core::result::Result<Json, Refusal> {
    if depth > MAX_DEPTH {
        return Err(Refusal::here("plain data", "nesting without end"));
    }
    *room = room.checked_sub(1).ok_or_else(too_many)?;
    // The most frequent first: each question is a call.
    if let Some(text) = value.as_string() {
        return Ok(Json::String(text));
    }
    if value.is_object() {
        return decode_members(value, depth.saturating_add(1), room);
    }
    if let Some(float) = value.as_f64() {
        return Ok(Json::Number(number_text(float, value.unchecked_ref())));
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

/// Decodes an array or an object, whose items and members are at that depth.
fn decode_members(value: &JsValue, depth: usize, room: &mut usize) -> core::result::Result<Json, Refusal> {
    if is_array(value).map_err(unreadable)? {
        let array = array_from(value).map_err(unreadable)?;
        let mut items = Vec::new();
        for index in 0..array.length() {
            let item = decode_value(&array.get(index), depth, room);
            items.push(item.map_err(|refusal| refusal.inside(&u64::from(index).text()))?);
        }
        return Ok(Json::Array(items));
    }
    let mut members = Vec::new();
    for (name, member) in read_entries(value)? {
        if !member.is_undefined() {
            let member = decode_value(&member, depth, room).map_err(|refusal| refusal.inside(&name))?;
            members.push((name, member));
        }
    }
    Ok(Json::Object(members))
}

/// A number as JavaScript writes it. Beyond 2^53 it may have lost digits: written with an exponent it is no integer to any
/// reader.
fn number_text(float: f64, number: &Number) -> String {
    // Written here where it is small and whole: asking JavaScript takes longer than everything else.
    let whole = truncated(float);
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

/// The nearest `u32` towards zero.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "compared with the number by the caller")]
fn truncated(float: f64) -> u32 {
    float as u32
}

/// Own enumerable members of an object, each read once, not decoded.
///
/// # Errors
/// INVALID_INPUT with `path` for more than 256 of them, or one that throws when it is read.
pub fn entries(object: &JsValue, path: &str) -> Result<Vec<(String, JsValue)>> {
    read_entries(object).map_err(|refusal| refusal.at(path))
}

fn read_entries(object: &JsValue) -> core::result::Result<Vec<(String, JsValue)>, Refusal> {
    let pairs = object_entries(object).map_err(unreadable)?;
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

/// JSON text that this package wrote, as plain data.
pub fn encode(json: &str) -> JsValue {
    match json.strip_prefix('"').and_then(|text| text.strip_suffix('"')) {
        // A string without escapes is itself.
        Some(text) if !text.contains('\\') => JsValue::from_str(text),
        // It is JSON: parsing it cannot fail.
        _ => JSON::parse(json).unwrap_or(JsValue::UNDEFINED),
    }
}
