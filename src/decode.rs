//! JavaScript values as [`Json`] trees, and JSON text as JavaScript values.
//!
//! Each property is read once: an object that answers differently the second time, such as a proxy, cannot pass a check
//! with one value and be used with another. Written by hand, because serde-wasm-bindgen carries a BigInt only up to 64
//! bits, and 100 tokens of 18 decimals need more.

use js_sys::{Array, BigInt, JSON, Number, Promise};
use verify::internal::error::{Error, Result};
use verify::internal::json::{Json, MAX_DEPTH, MAX_MEMBERS, MAX_TAKEN};
use verify::internal::value::text::ToText;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    // js-sys declares the first two without `catch`. Given a proxy, each of them may throw.
    #[wasm_bindgen(catch, js_namespace = Array, js_name = isArray)]
    fn is_array(value: &JsValue) -> core::result::Result<bool, JsValue>;
    #[wasm_bindgen(catch, js_namespace = Object, js_name = entries)]
    fn object_entries(object: &JsValue) -> core::result::Result<Array, JsValue>;
    #[wasm_bindgen(catch, js_namespace = Array, js_name = from)]
    fn array_from(array: &JsValue) -> core::result::Result<Array, JsValue>;
}

/// A plain value as a tree. Only an object's own enumerable members count. `undefined` is `null`, and is left out of
/// objects. A BigInt becomes a decimal string, because a number may have lost digits.
///
/// # Errors
/// INVALID_INPUT with the path, which starts with `path`, of a value that is not plain data (a promise that nobody
/// awaited, a function, a symbol, a getter that throws) or is too large: deeper than [`MAX_DEPTH`], an object with more
/// than [`MAX_MEMBERS`] members, or more than [`MAX_TAKEN`] values in all.
pub fn decode(value: &JsValue, path: &str) -> Result<Json> {
    decode_value(value, 0, &mut MAX_TAKEN.clone()).map_err(|refusal| refusal.at(path))
}

/// Why a value was not decoded. Its path grows on the way back, so that decoding without a fault builds none.
struct Refusal {
    /// The path from the decoded value down to the fault, with dots; empty if the value itself is at fault.
    path: String,
    /// The expected kind of value.
    expected: &'static str,
    /// The kind of value found.
    actual: &'static str,
}

impl Refusal {
    /// A refusal of the current value.
    fn here(expected: &'static str, actual: &'static str) -> Refusal {
        Refusal { path: String::new(), expected, actual }
    }

    /// The same refusal, with the path extended by `name`: the array or object that holds this value.
    fn inside(self, name: &str) -> Refusal {
        Refusal { path: join(name, &self.path), ..self }
    }

    /// The error, with a path that starts with `path`.
    fn at(self, path: &str) -> Error {
        Error::input(&join(path, &self.path), self.expected, self.actual)
    }
}

/// Two parts of a path with a dot between them, unless one is empty.
fn join(path: &str, name: &str) -> String {
    [path, if path.is_empty() || name.is_empty() { "" } else { "." }, name].concat()
}

/// A value that is another one than expected, in words.
pub fn other(value: &JsValue) -> &'static str {
    if value.is_instance_of::<Promise>() { "a promise: `await` it first" } else { "something else" }
}

/// Decodes a value inside `depth` arrays and objects. `room` is the number of values that may still be read.
fn decode_value(value: &JsValue, depth: usize, room: &mut usize) -> core::result::Result<Json, Refusal> {
    if depth > MAX_DEPTH {
        return Err(Refusal::here("plain data", "nesting without end"));
    }
    *room = room.checked_sub(1).ok_or_else(too_many)?;
    // The most frequent kinds first: each of these is a call into JavaScript.
    if let Some(text) = value.as_string() {
        return Ok(Json::String(text));
    }
    if value.is_instance_of::<Promise>() {
        return Err(Refusal::here("plain data: `await` it first", "a promise"));
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

/// Decodes an array or an object, whose items or members are at `depth`.
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

/// A number as JavaScript writes it. From 2^53 on it may have lost digits, so it is written with an exponent, which
/// [`JsonAt::uint`](verify::internal::json::JsonAt::uint) refuses.
fn number_text(float: f64, number: &Number) -> String {
    // Small integers are written here: a call into JavaScript would take longer than everything else.
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

/// The number rounded towards zero, and into the range of `u32`.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "compared with the number by the caller")]
fn truncated(float: f64) -> u32 {
    float as u32
}

/// The own enumerable members of an object as (name, value), each read once and not decoded.
///
/// # Errors
/// INVALID_INPUT with `path` if there are more than [`MAX_MEMBERS`], or one throws when it is read.
pub fn entries(object: &JsValue, path: &str) -> Result<Vec<(String, JsValue)>> {
    read_entries(object).map_err(|refusal| refusal.at(path))
}

/// Same as [`entries`], but the fault has no path yet.
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

/// The refusal of more than [`MAX_TAKEN`] values.
fn too_many() -> Refusal {
    Refusal::here("at most 32768 values in all", "more of them")
}

/// The refusal of a property that throws when it is read: a getter, or a proxy.
fn unreadable(_: JsValue) -> Refusal {
    Refusal::here("readable members", "a getter that threw")
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
