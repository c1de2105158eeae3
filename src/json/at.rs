//! Reading a tree by path.

use super::Json;
use crate::domain::{address, amount};
use alloy_primitives::{Address, Bytes, U256, hex};

/// A member that is not what it should be. Whose fault that is, the caller's or the service's, is decided above.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where: `route.origin.input.amount`.
    pub field: String,
    /// What was expected there.
    pub expected: String,
    /// What stood there, cut to a readable length.
    pub actual: String,
}

impl Fault {
    /// A fault at `field`.
    pub fn new(field: impl Into<String>, expected: impl Into<String>, actual: impl Into<String>) -> Fault {
        Fault { field: field.into(), expected: expected.into(), actual: actual.into() }
    }
}

/// What reading a place gives.
pub type Read<T> = Result<T, Fault>;

/// A place in a tree: a value, or the absence of one, and the path that leads there.
#[derive(Clone, Debug)]
pub struct At<'a> {
    json: Option<&'a Json>,
    /// The path, with dots.
    pub path: String,
}

impl<'a> At<'a> {
    /// The root of a tree, under that name; the empty name leaves members unprefixed.
    pub fn root(json: &'a Json, name: &str) -> At<'a> {
        At { json: Some(json), path: name.into() }
    }

    /// The member of that name.
    pub fn get(&self, name: &str) -> At<'a> {
        let path = if self.path.is_empty() { name.into() } else { [&self.path, name].join(".") };
        At { json: self.json.and_then(|json| json.get(name)), path }
    }

    /// The items of an array.
    ///
    /// # Errors
    /// Not an array.
    pub fn items(&self) -> Read<Vec<At<'a>>> {
        match self.json {
            Some(Json::Array(items)) => Ok(items
                .iter()
                .enumerate()
                .map(|(index, item)| At { json: Some(item), path: [&self.path, ".", &index.to_string()].concat() })
                .collect()),
            _ => Err(self.fault("an array")),
        }
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
        self.json().map(|_| self.clone())
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
    pub fn fault(&self, expected: &str) -> Fault {
        let actual = match self.json {
            None => "nothing".into(),
            Some(json) => shorten(&json.write()),
        };
        Fault::new(self.path.clone(), expected, actual)
    }

    /// A string.
    ///
    /// # Errors
    /// Anything else.
    pub fn text(&self) -> Read<&'a str> {
        self.json.and_then(Json::as_text).ok_or_else(|| self.fault("a string"))
    }

    /// `true` or `false`.
    ///
    /// # Errors
    /// Anything else.
    pub fn bool(&self) -> Read<bool> {
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
    pub fn uint(&self) -> Read<U256> {
        let text = self.number_or_text().and_then(|text| amount::parse_uint(text).ok());
        text.ok_or_else(|| self.fault("a decimal integer below 2^256"))
    }

    /// A small integer, as a number or as a string.
    ///
    /// # Errors
    /// Not an integer, or above `max`.
    pub fn integer(&self, max: u64) -> Read<u64> {
        let value = self.uint().ok().and_then(|value| u64::try_from(value).ok()).filter(|value| *value <= max);
        value.ok_or_else(|| self.fault(&["an integer from 0 to ", &max.to_string()].concat()))
    }

    /// An address in any casing.
    ///
    /// # Errors
    /// Not `0x` and 40 hex digits.
    pub fn address(&self) -> Read<Address> {
        let address = self.json.and_then(Json::as_text).and_then(address::any_case);
        address.ok_or_else(|| self.fault("an address (0x and 40 hex digits)"))
    }

    /// Bytes in hex.
    ///
    /// # Errors
    /// Not `0x` and an even number of hex digits.
    pub fn bytes(&self) -> Read<Bytes> {
        let digits = self.json.and_then(Json::as_text).and_then(|text| text.strip_prefix("0x"));
        let bytes = digits.filter(|digits| !digits.starts_with("0x")).and_then(|digits| hex::decode(digits).ok());
        bytes.map(Bytes::from).ok_or_else(|| self.fault("0x and an even number of hex digits"))
    }

    /// Bytes in hex, of a fixed length.
    ///
    /// # Errors
    /// As [`At::bytes`], or another length.
    pub fn fixed<const N: usize>(&self) -> Read<[u8; N]> {
        let bytes = self.bytes().ok().and_then(|bytes| <[u8; N]>::try_from(bytes.as_ref()).ok());
        bytes.ok_or_else(|| self.fault(&["0x and ", &N.saturating_mul(2).to_string(), " hex digits"].concat()))
    }
}

/// At most 80 characters of a text, for a message.
fn shorten(text: &str) -> String {
    match text.char_indices().nth(80) {
        Some((end, _)) => [text.get(..end).unwrap_or_default(), "..."].concat(),
        None => text.into(),
    }
}
