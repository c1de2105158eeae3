//! Reading a tree by path.

use super::Json;
use crate::domain::text::ToText;
use crate::domain::{address, amount};
use crate::error::{Error, ErrorCode, Result};
use alloy_primitives::{Address, U256, hex};

/// The steps of a way that are kept: what the service answers is read less deep.
const WAY: usize = 8;

/// A place in a tree: a value, or the absence of one. Where it is, is found out only when somebody asks.
#[derive(Clone, Copy)]
pub struct JsonAt<'a> {
    root: &'a Json,
    root_name: &'a str,
    /// The value, or the last on the way here that is there.
    last: &'a Json,
    /// The way from the root to that value: which member or item, as far down as there is room. A path costs no search for
    /// it, however many places are looked at in vain.
    way: [usize; WAY],
    /// How many steps down that value is; there may be more of them than there is room for.
    depth: usize,
    /// The member that was looked for in that value and is not there.
    missing: Option<&'a str>,
    /// Whose fault it is when something here is wrong.
    blame: ErrorCode,
}

impl<'a> JsonAt<'a> {
    /// What the caller passed in, under that name; the empty name leaves members unprefixed.
    pub fn input(json: &'a Json, name: &'a str) -> JsonAt<'a> {
        JsonAt {
            root: json,
            root_name: name,
            last: json,
            way: [0; WAY],
            depth: 0,
            missing: None,
            blame: ErrorCode::InvalidInput,
        }
    }

    /// What the service answered.
    pub fn service(json: &'a Json, name: &'a str) -> JsonAt<'a> {
        JsonAt { blame: ErrorCode::ServiceMalformed, ..JsonAt::input(json, name) }
    }

    /// The member of that name.
    pub fn get(&self, name: &'a str) -> JsonAt<'a> {
        match self.value().map(|holder| holder.member(name)) {
            // Below what is missing nothing can be: the place to name stays the first that is not there.
            None => *self,
            Some(None) => JsonAt { missing: Some(name), ..*self },
            Some(Some((place, json))) => self.below(place, json),
        }
    }

    /// A member or an item of this value.
    fn below(&self, place: usize, json: &'a Json) -> JsonAt<'a> {
        let mut found = JsonAt { last: json, depth: self.depth.saturating_add(1), ..*self };
        if let Some(step) = found.way.get_mut(self.depth) {
            *step = place;
        }
        found
    }

    /// The items of an array.
    ///
    /// # Errors
    /// Not an array.
    pub fn items(&self) -> Result<impl ExactSizeIterator<Item = JsonAt<'a>> + use<'a>> {
        let here = *self;
        match self.value() {
            Some(Json::Array(items)) => Ok(items.iter().enumerate().map(move |(index, item)| here.below(index, item))),
            _ => Err(self.fault("an array")),
        }
    }

    /// The path, with dots.
    pub fn path(&self) -> String {
        let mut path = String::from(self.root_name);
        let mut here = self.root;
        for place in self.way.iter().take(self.depth) {
            match here {
                Json::Object(members) => {
                    let Some((name, value)) = members.get(*place) else { break };
                    step(&mut path, name);
                    here = value;
                }
                Json::Array(items) => {
                    let Some(item) = items.get(*place) else { break };
                    step(&mut path, &place.text());
                    here = item;
                }
                _ => break,
            }
        }
        // Further down, the rest of the way has to be searched for.
        if self.depth > WAY {
            let mut steps = Vec::new();
            descend(here, self.last, &mut steps);
            for name in steps.iter().rev() {
                step(&mut path, name);
            }
        }
        if let Some(member) = self.missing {
            step(&mut path, member);
        }
        path
    }

    fn value(&self) -> Option<&'a Json> {
        if self.missing.is_none() { Some(self.last) } else { None }
    }

    /// The value, where there is one that is not `null`.
    pub fn json(&self) -> Option<&'a Json> {
        self.value().filter(|json| **json != Json::Null)
    }

    /// Whether there is no value, or `null`.
    pub fn is_absent(&self) -> bool {
        self.json().is_none()
    }

    /// This place, unless it is absent.
    pub fn some(&self) -> Option<JsonAt<'a>> {
        self.json().map(|_| *self)
    }

    /// The names of an object's members.
    pub fn names(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let members = match self.value() {
            Some(Json::Object(members)) => members.as_slice(),
            _ => &[],
        };
        members.iter().map(|(name, _)| name.as_str())
    }

    /// What stands here is not `expected`.
    pub fn fault(&self, expected: &str) -> Error {
        let actual = self.value().map_or_else(|| "nothing".into(), |json| json.excerpt(SHOWN));
        let subject = if self.blame == ErrorCode::ServiceMalformed { "the service's answer, " } else { "" };
        Error::at(self.blame, subject, &self.path(), expected, &actual)
    }

    /// A string.
    ///
    /// # Errors
    /// Anything else.
    pub fn text(&self) -> Result<&'a str> {
        self.value().and_then(Json::as_text).ok_or_else(|| self.fault("a string"))
    }

    /// `true` or `false`.
    ///
    /// # Errors
    /// Anything else.
    pub fn bool(&self) -> Result<bool> {
        match self.value() {
            Some(Json::Bool(value)) => Ok(*value),
            _ => Err(self.fault("true or false")),
        }
    }

    /// The text of a number, or of a string.
    pub fn number_or_text(&self) -> Option<&'a str> {
        match self.value() {
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
        let address = self.value().and_then(Json::as_text).and_then(address::any_case);
        address.ok_or_else(|| self.fault("an address (0x and 40 hex digits)"))
    }

    /// Bytes in hex.
    ///
    /// # Errors
    /// Not `0x` and an even number of hex digits.
    pub fn bytes(&self) -> Result<Vec<u8>> {
        let digits = self.value().and_then(Json::as_text).and_then(|text| text.strip_prefix("0x"));
        let bytes = digits.filter(|digits| !digits.starts_with("0x")).and_then(|digits| hex::decode(digits).ok());
        bytes.ok_or_else(|| self.fault("0x and an even number of hex digits"))
    }

    /// Bytes in hex, of a fixed length.
    ///
    /// # Errors
    /// As [`JsonAt::bytes`], or another length.
    pub fn fixed<const N: usize>(&self) -> Result<[u8; N]> {
        let bytes = self.bytes().ok().and_then(|bytes| <[u8; N]>::try_from(bytes.as_slice()).ok());
        bytes.ok_or_else(|| self.fault(&["0x and ", &N.saturating_mul(2).text(), " hex digits"].concat()))
    }
}

/// The way from `from` to `target`, a value inside it, by identity, its last step first; says whether it is there.
fn descend(from: &Json, target: &Json, steps: &mut Vec<String>) -> bool {
    let found = match from {
        _ if core::ptr::eq(from, target) => return true,
        Json::Object(members) => {
            members.iter().find(|(_, value)| descend(value, target, steps)).map(|(name, _)| name.clone())
        }
        Json::Array(items) => items.iter().position(|item| descend(item, target, steps)).map(|index| index.text()),
        _ => None,
    };
    let is_there = found.is_some();
    steps.extend(found);
    is_there
}

fn step(path: &mut String, name: &str) {
    if !path.is_empty() {
        path.push('.');
    }
    match name.char_indices().nth(SHOWN) {
        Some((end, _)) => path.push_str(&[name.get(..end).unwrap_or_default(), "..."].concat()),
        None => path.push_str(name),
    }
}

/// The most characters of a value, or of a name, that stand in a message.
const SHOWN: usize = 80;
