//! Reading a tree by path.

use super::Json;
use crate::domain::text::ToText;
use crate::domain::{address, amount};
use crate::error::{Error, ErrorCode, Result};
use alloy_primitives::{Address, U256, hex};

/// A place in a tree: a value, or the absence of one. Where it is, is found out only when somebody asks.
#[derive(Clone, Copy)]
pub struct At<'a> {
    json: Option<&'a Json>,
    root: &'a Json,
    root_name: &'a str,
    /// The value this was looked for in, and the member's name there, where the value is absent.
    missing: Option<(&'a Json, &'a str)>,
    /// Whose fault it is when something here is wrong.
    blame: ErrorCode,
}

impl<'a> At<'a> {
    /// What the caller passed in, under that name; the empty name leaves members unprefixed.
    pub fn input(json: &'a Json, name: &'a str) -> At<'a> {
        At { json: Some(json), root: json, root_name: name, missing: None, blame: ErrorCode::InvalidInput }
    }

    /// What the service answered.
    pub fn service(json: &'a Json, name: &'a str) -> At<'a> {
        At { blame: ErrorCode::ServiceMalformed, ..At::input(json, name) }
    }

    /// The member of that name.
    pub fn get(&self, name: &'a str) -> At<'a> {
        match self.json {
            // Below what is missing nothing can be: the place to name stays the first that is not there.
            None => *self,
            Some(holder) => {
                let json = holder.get(name);
                At { json, missing: if json.is_none() { Some((holder, name)) } else { None }, ..*self }
            }
        }
    }

    /// The items of an array.
    ///
    /// # Errors
    /// Not an array.
    pub fn items(&self) -> Result<impl ExactSizeIterator<Item = At<'a>> + use<'a>> {
        let here = *self;
        match self.json {
            Some(Json::Array(items)) => {
                Ok(items.iter().map(move |item| At { json: Some(item), missing: None, ..here }))
            }
            _ => Err(self.fault("an array")),
        }
    }

    /// The path, with dots.
    pub fn path(&self) -> String {
        let mut path = String::from(self.root_name);
        let (target, member) = match (self.json, self.missing) {
            (Some(json), _) => (json, None),
            (None, Some((holder, name))) => (holder, Some(name)),
            (None, None) => return path,
        };
        descend(self.root, target, &mut path);
        if let Some(member) = member {
            step(&mut path, member);
        }
        path
    }

    /// The value, where there is one that is not `null`.
    pub fn json(&self) -> Option<&'a Json> {
        self.json.filter(|json| **json != Json::Null)
    }

    /// Whether there is no value, or `null`.
    pub fn is_absent(&self) -> bool {
        self.json().is_none()
    }

    /// This place, unless it is absent.
    pub fn some(&self) -> Option<At<'a>> {
        self.json().map(|_| *self)
    }

    /// The names of an object's members.
    pub fn names(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let members = match self.json {
            Some(Json::Object(members)) => members.as_slice(),
            _ => &[],
        };
        members.iter().map(|(name, _)| name.as_str())
    }

    /// What stands here is not `expected`.
    pub fn fault(&self, expected: &str) -> Error {
        let actual = self.json.map_or_else(|| "nothing".into(), |json| shorten(&json.write()));
        let subject = if self.blame == ErrorCode::ServiceMalformed { "the service's answer, " } else { "" };
        Error::at(self.blame, subject, &self.path(), expected, &actual)
    }

    /// A string.
    ///
    /// # Errors
    /// Anything else.
    pub fn text(&self) -> Result<&'a str> {
        self.json.and_then(Json::as_text).ok_or_else(|| self.fault("a string"))
    }

    /// `true` or `false`.
    ///
    /// # Errors
    /// Anything else.
    pub fn bool(&self) -> Result<bool> {
        match self.json {
            Some(Json::Bool(value)) => Ok(*value),
            _ => Err(self.fault("true or false")),
        }
    }

    /// The text of a number, or of a string.
    pub fn number_or_text(&self) -> Option<&'a str> {
        match self.json {
            Some(Json::Number(text) | Json::String(text)) => Some(text),
            _ => None,
        }
    }

    /// An integer without sign, canonical (`0`, `17`; not `017`, `1e1`, `1.0`), as a number or as a string.
    ///
    /// # Errors
    /// Anything else, or more than 256 bits.
    pub fn uint(&self) -> Result<U256> {
        let text = self.number_or_text().and_then(|text| amount::parse_uint(text).ok());
        text.ok_or_else(|| self.fault("a decimal integer below 2^256"))
    }

    /// A small integer, as a number or as a string.
    ///
    /// # Errors
    /// Not an integer, or above `max`.
    pub fn integer(&self, max: u64) -> Result<u64> {
        let value = self.uint().ok().and_then(|value| u64::try_from(value).ok()).filter(|value| *value <= max);
        value.ok_or_else(|| self.fault(&["an integer from 0 to ", &max.text()].concat()))
    }

    /// An address in any casing.
    ///
    /// # Errors
    /// Not `0x` and 40 hex digits.
    pub fn address(&self) -> Result<Address> {
        let address = self.json.and_then(Json::as_text).and_then(address::any_case);
        address.ok_or_else(|| self.fault("an address (0x and 40 hex digits)"))
    }

    /// Bytes in hex.
    ///
    /// # Errors
    /// Not `0x` and an even number of hex digits.
    pub fn bytes(&self) -> Result<Vec<u8>> {
        let digits = self.json.and_then(Json::as_text).and_then(|text| text.strip_prefix("0x"));
        let bytes = digits.filter(|digits| !digits.starts_with("0x")).and_then(|digits| hex::decode(digits).ok());
        bytes.ok_or_else(|| self.fault("0x and an even number of hex digits"))
    }

    /// Bytes in hex, of a fixed length.
    ///
    /// # Errors
    /// As [`At::bytes`], or another length.
    pub fn fixed<const N: usize>(&self) -> Result<[u8; N]> {
        let bytes = self.bytes().ok().and_then(|bytes| <[u8; N]>::try_from(bytes.as_slice()).ok());
        bytes.ok_or_else(|| self.fault(&["0x and ", &N.saturating_mul(2).text(), " hex digits"].concat()))
    }
}

/// Appends the way from `from` to `target`, a value inside it, by identity; says whether it is there.
fn descend(from: &Json, target: &Json, path: &mut String) -> bool {
    if core::ptr::eq(from, target) {
        return true;
    }
    let length = path.len();
    let mut try_step = |name: &str, value: &Json| {
        step(path, name);
        let found = descend(value, target, path);
        if !found {
            path.truncate(length);
        }
        found
    };
    match from {
        Json::Object(members) => members.iter().any(|(name, value)| try_step(name, value)),
        Json::Array(items) => items.iter().enumerate().any(|(index, item)| try_step(&index.text(), item)),
        _ => false,
    }
}

fn step(path: &mut String, name: &str) {
    if !path.is_empty() {
        path.push('.');
    }
    path.push_str(name);
}

/// At most 80 characters of a text, for a message.
fn shorten(text: &str) -> String {
    match text.char_indices().nth(80) {
        Some((end, _)) => [text.get(..end).unwrap_or_default(), "..."].concat(),
        None => text.into(),
    }
}
