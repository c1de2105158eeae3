//! Options objects. Beside plain data they carry JavaScript objects that are used as they are, called live here:
//! wallets, signals, callbacks.

use crate::abort::Abort;
use crate::decode::{other, part};
use js_sys::{Function, Promise, Reflect};
use verify::internal::domain::input::known;
use verify::internal::error::{Error, Result};
use verify::internal::json::{ADVANCED, Json, JsonAt};
use verify::internal::value::text::replace;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::AbortSignal;

/// An options object, each member of which was read once.
pub struct Options {
    /// The plain members, as an object.
    pub data: Json,
    /// The live members as (name, value), including those that are `null`.
    live: Vec<(String, JsValue)>,
}

impl Options {
    /// Reads options: members named in `live` are kept as they are, those in `plain` are data. `undefined` and
    /// `null` are read as `{}`.
    ///
    /// # Errors
    /// INVALID_INPUT with `path` if the value is not an object, and with the member's path if a member is in neither
    /// list, or is not plain data.
    pub fn read(value: &JsValue, path: &str, live: &[&str], plain: &[&str]) -> Result<Options> {
        if value.is_undefined() || value.is_null() {
            return Ok(Options { data: Json::Object(vec![]), live: vec![] });
        }
        if !value.is_object() || value.is_function() || value.is_instance_of::<Promise>() {
            return Err(Error::input(path, "an object", other(value)));
        }
        let (data, others) = part(value, path, &replace(&plain.join(" "), ADVANCED, "advanced "))?;
        // Names before values: a misspelt callback is reported as an unknown name.
        let Json::Object(mut names) = data.clone() else {
            return Err(Error::input(path, "an object", "a list"));
        };
        names.extend(others.iter().map(|(name, _)| (name.clone(), Json::String(name.clone()))));
        known(&JsonAt::input(&Json::Object(names), path), &[live, plain].concat())?;
        Ok(Options { data, live: others })
    }

    /// The plain members, for typed reads; errors name them below `name`.
    pub fn at<'a>(&'a self, name: &'a str) -> JsonAt<'a> {
        JsonAt::input(&self.data, name)
    }

    /// The live member with this name; `None` if it is left out or `null`.
    pub fn live(&self, name: &str) -> Option<&JsValue> {
        self.live.iter().find(|(n, value)| n == name && !value.is_null()).map(|(_, value)| value)
    }

    /// The live member with this name as a function; `None` if it is left out or `null`.
    ///
    /// # Errors
    /// INVALID_INPUT if it is not a function.
    pub fn function(&self, name: &str) -> Result<Option<Function>> {
        let cast =
            |value: &JsValue| value.clone().dyn_into().map_err(|_| Error::input(name, "a function", other(value)));
        self.live(name).map(cast).transpose()
    }

    /// The signals that end a call: `signals`, and the member `signal`, if there is one.
    ///
    /// # Errors
    /// INVALID_INPUT if the member is not an `AbortSignal`.
    pub fn signal(&self, mut signals: Vec<AbortSignal>) -> Result<Abort> {
        if let Some(value) = self.live("signal") {
            // Not by instanceof: the signal may come from another frame, or from a polyfill.
            if !value.is_object() || !Reflect::has(value, &"aborted".into()).unwrap_or(false) {
                return Err(Error::input("options.signal", "an AbortSignal", other(value)));
            }
            signals.push(value.clone().unchecked_into());
        }
        Ok(Abort(signals))
    }
}
