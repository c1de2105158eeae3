//! JavaScript values as trees, each property read once; and back.
//!
//! By hand rather than through serde-wasm-bindgen, which carries a BigInt only up to 64 bits: 100 tokens of 18 decimals
//! are more than that.

use crate::domain::text::ToText;
use crate::error::{Error, Result};
use crate::json::{Json, MAX_DEPTH};
use js_sys::{Array, BigInt, JSON, Number, Object, Reflect};
use wasm_bindgen::{JsCast, JsValue};

/// A plain value as a tree. `undefined` is `null`; a BigInt is a decimal string, so that it is told from a number.
pub fn decode(value: &JsValue, path: &str) -> Result<Json> {
    below(value, path, 0)
}

fn below(value: &JsValue, path: &str, depth: usize) -> Result<Json> {
    let refuse = |actual: &str| Err(Error::input(path, "plain data", actual));
    if depth > MAX_DEPTH {
        return refuse("nesting without end");
    }
    if value.is_null() || value.is_undefined() {
        return Ok(Json::Null);
    }
    if let Some(value) = value.as_bool() {
        return Ok(Json::Bool(value));
    }
    if let Some(text) = value.as_string() {
        return Ok(Json::String(text));
    }
    if let Some(number) = value.dyn_ref::<Number>().filter(|_| value.as_f64().is_some()) {
        // Beyond 2^53 a number may have lost digits: written with an exponent it is no integer to any reader.
        let text = match value.as_f64() {
            Some(float) if float.abs() > Number::MAX_SAFE_INTEGER => number.to_exponential(20),
            _ => number.to_string_with_radix(10),
        };
        return Ok(Json::Number(text.map(String::from).unwrap_or_default()));
    }
    if value.is_bigint() {
        let text = value.unchecked_ref::<BigInt>().to_string(10);
        return Ok(Json::String(text.map(String::from).unwrap_or_default()));
    }
    let inside = depth.saturating_add(1);
    if Array::is_array(value) {
        let mut items = Vec::new();
        for (index, item) in Array::from(value).iter().enumerate() {
            items.push(below(&item, &join(path, &index.text()), inside)?);
        }
        return Ok(Json::Array(items));
    }
    if value.is_function() || value.is_symbol() || !value.is_object() {
        return refuse("a function or symbol");
    }
    let mut members = Vec::new();
    for (name, member) in entries(value, path)? {
        if !member.is_undefined() {
            let member = below(&member, &join(path, &name), inside)?;
            members.push((name, member));
        }
    }
    Ok(Json::Object(members))
}

/// Own enumerable members of an object, each read once.
pub fn entries(object: &JsValue, path: &str) -> Result<Vec<(String, JsValue)>> {
    let mut found = Vec::new();
    for name in Object::keys(object.unchecked_ref::<Object>()).iter() {
        match Reflect::get(object, &name) {
            Ok(value) => found.push((name.as_string().unwrap_or_default(), value)),
            Err(_) => return Err(Error::input(path, "readable members", "a getter that threw")),
        }
    }
    Ok(found)
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.into() } else { [path, ".", name].concat() }
}

/// JSON text as plain data.
pub fn encode(json: &str) -> JsValue {
    // What this package writes is JSON: parsing it can not fail.
    JSON::parse(json).unwrap_or(JsValue::UNDEFINED)
}
