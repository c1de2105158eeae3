//! Typed reads of a [`Json`] tree; an error names the place that was read.
//!
//! A [`JsonAt`] is a place: a value, or a member that is missing. Its read methods ([`JsonAt::uint`],
//! [`JsonAt::address`] and so on) return an error with the path, the expected form and the actual value. Reading on
//! below a missing member is allowed; the error names the first missing one. The error code depends on the tree's
//! origin: INVALID_INPUT for the caller's, SERVICE_MALFORMED for the service's.

use super::Json;
use crate::error::{Error, ErrorCode, Result, UNREADABLE};
use crate::value::text::ToText;
use crate::value::{address, amount};
use alloy_primitives::{Address, U256, hex};

/// The number of steps of a place's path that are kept. The service's answers are read less deep than this; below, the
/// path is searched for when an error needs it.
const KEPT_STEPS: usize = 8;

/// The prefix of the names of options that stand in the member `advanced` of their object.
pub const ADVANCED: &str = "advanced.";

/// A place in a tree: a value, or a member that is missing. It is small and copied freely; its path is put together
/// only for an error.
///
/// ```
/// use verified_swap_verify::internal::json::{JsonAt, parse};
/// let request = parse(r#"{"src": {"amount": "-1"}}"#).unwrap();
/// let amount = JsonAt::input(&request, "request").get("src").get("amount");
/// assert_eq!(amount.path(), "request.src.amount");
/// assert_eq!(amount.uint().unwrap_err().field.as_deref(), Some("request.src.amount"));
/// ```
#[derive(Clone, Copy)]
pub struct JsonAt<'a> {
    /// The root of the tree, at which the path starts.
    root: &'a Json,
    /// The name of the root in errors.
    root_name: &'a str,
    /// The value; if it is missing, the value that should have the member.
    last: &'a Json,
    /// The first steps from the root to `last`, each the index of a member or item. They give the path without a
    /// search, even if many places fail.
    steps: [usize; KEPT_STEPS],
    /// The number of steps from the root to `last`; may exceed [`KEPT_STEPS`].
    depth: usize,
    /// The name of the missing member; `None` if this place is not missing.
    missing: Option<&'a str>,
    /// Whether something below the missing member was read.
    is_below: bool,
    /// The error code, by the tree's origin.
    blame: ErrorCode,
}

impl<'a> JsonAt<'a> {
    /// The root of a tree that the caller passed in. Paths start with `name`, or with the member if `name` is empty.
    /// Errors are INVALID_INPUT.
    pub fn input(json: &'a Json, name: &'a str) -> JsonAt<'a> {
        JsonAt {
            root: json,
            root_name: name,
            last: json,
            steps: [0; KEPT_STEPS],
            depth: 0,
            missing: None,
            is_below: false,
            blame: ErrorCode::InvalidInput,
        }
    }

    /// The root of a tree that the service answered. Errors are SERVICE_MALFORMED.
    pub fn service(json: &'a Json, name: &'a str) -> JsonAt<'a> {
        JsonAt { blame: ErrorCode::ServiceMalformed, ..JsonAt::input(json, name) }
    }

    /// The place of a member. It is missing if this is not an object or has no such member.
    pub fn get(&self, name: &'a str) -> JsonAt<'a> {
        match self.value().map(|holder| holder.member(name)) {
            // Nothing is below a missing value: errors go on naming the first missing one.
            None => JsonAt { is_below: true, ..*self },
            Some(None) => JsonAt { missing: Some(name), ..*self },
            Some(Some((index, json))) => self.below(index, json),
        }
    }

    /// The place of an option, by its name in the tables of options: `advanced.route` is the member `route` of
    /// `advanced`. If it is missing, its own path is the place, also where `advanced` is missing.
    ///
    /// ```
    /// use verified_swap_verify::internal::json::{JsonAt, parse};
    /// let options = parse(r#"{"type": "MARKET", "advanced": {"route": 1}}"#).unwrap();
    /// let options = JsonAt::input(&options, "options");
    /// assert_eq!(options.option("advanced.route").integer(255).unwrap(), 1);
    /// assert_eq!(options.option("advanced.metadata").path(), "options.advanced.metadata");
    /// assert_eq!(options.option("type").path(), "options.type");
    /// ```
    pub fn option(&self, name: &'a str) -> JsonAt<'a> {
        let Some(own) = name.strip_prefix(ADVANCED) else { return self.get(name) };
        match self.get("advanced").some() {
            Some(advanced) => advanced.get(own),
            // No value has a member of that name: it is missing.
            None => JsonAt { missing: Some(name), ..*self },
        }
    }

    /// The place of `json`, the member or item with this index in this value.
    fn below(&self, index: usize, json: &'a Json) -> JsonAt<'a> {
        let mut found = JsonAt { last: json, depth: self.depth.saturating_add(1), ..*self };
        if let Some(step) = found.steps.get_mut(self.depth) {
            *step = index;
        }
        found
    }

    /// The first value, here or below, of which that holds; a member counts if `keeps` holds of its name.
    pub fn find(&self, keeps: &dyn Fn(&str) -> bool, is: fn(&Json) -> bool) -> Option<JsonAt<'a>> {
        match self.value()? {
            json if is(json) => Some(*self),
            Json::Array(items) => items.iter().enumerate().find_map(|(at, item)| self.below(at, item).find(keeps, is)),
            Json::Object(all) => {
                let mut kept = all.iter().enumerate().filter(|(_, (name, _))| keeps(name));
                kept.find_map(|(at, (_, value))| self.below(at, value).find(keeps, is))
            }
            _ => None,
        }
    }

    /// The places of an array's items.
    ///
    /// # Errors
    /// The value is not an array.
    pub fn items(&self) -> Result<impl ExactSizeIterator<Item = JsonAt<'a>> + use<'a>> {
        let here = *self;
        match self.value() {
            Some(Json::Array(items)) => Ok(items.iter().enumerate().map(move |(index, item)| here.below(index, item))),
            _ => Err(self.fault("an array")),
        }
    }

    /// The path from the root's name, with dots: `request.delta.bridges.0`. A name of more than 80 characters is cut
    /// off.
    pub fn path(&self) -> String {
        let mut path = String::from(self.root_name);
        let mut here = self.root;
        for index in self.steps.iter().take(self.depth) {
            match here {
                Json::Object(members) => {
                    let Some((name, value)) = members.get(*index) else { break };
                    push_step(&mut path, name);
                    here = value;
                }
                Json::Array(items) => {
                    let Some(item) = items.get(*index) else { break };
                    push_step(&mut path, &index.text());
                    here = item;
                }
                _ => break,
            }
        }
        // Below that depth, the rest of the path has to be searched for.
        if self.depth > KEPT_STEPS {
            let mut steps = Vec::new();
            find_steps(here, self.last, &mut steps);
            for name in steps.iter().rev() {
                push_step(&mut path, name);
            }
        }
        if let Some(member) = self.missing {
            push_step(&mut path, member);
        }
        path
    }

    /// The value, `null` included; `None` if it is missing.
    fn value(&self) -> Option<&'a Json> {
        if self.missing.is_none() { Some(self.last) } else { None }
    }

    /// The value; `None` if it is missing or `null`.
    pub fn json(&self) -> Option<&'a Json> {
        self.value().filter(|json| **json != Json::Null)
    }

    /// Whether the value is missing or `null`.
    pub fn is_absent(&self) -> bool {
        self.json().is_none()
    }

    /// This place; `None` if [`JsonAt::is_absent`].
    pub fn some(&self) -> Option<JsonAt<'a>> {
        self.json().map(|_| *self)
    }

    /// The names of an object's members, in their order; none for other values.
    pub fn names(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let members = match self.value() {
            Some(Json::Object(members)) => members.as_slice(),
            _ => &[],
        };
        members.iter().map(|(name, _)| name.as_str())
    }

    /// The error for a value other than `expected`. It shows the value's first 80 characters.
    pub fn fault(&self, expected: &str) -> Error {
        let actual = self.value().map_or_else(|| "nothing".into(), |json| json.excerpt(SHOWN));
        let expected = if self.is_below { "an object" } else { expected };
        let subject = if self.blame == ErrorCode::ServiceMalformed { UNREADABLE } else { "" };
        Error::at(self.blame, subject, &self.path(), expected, &actual)
    }

    /// The value as a string.
    ///
    /// # Errors
    /// The value is not a string: a number is none either.
    pub fn text(&self) -> Result<&'a str> {
        self.value().and_then(Json::as_text).ok_or_else(|| self.fault("a string"))
    }

    /// The value as a flag.
    ///
    /// # Errors
    /// It is neither `true` nor `false`.
    pub fn bool(&self) -> Result<bool> {
        match self.value() {
            Some(Json::Bool(value)) => Ok(*value),
            _ => Err(self.fault("true or false")),
        }
    }

    /// The text of a number or of a string; `None` for anything else. For values that are only shown.
    pub fn number_or_text(&self) -> Option<&'a str> {
        match self.value() {
            Some(Json::Number(text) | Json::String(text)) => Some(text),
            _ => None,
        }
    }

    /// The value as an unsigned integer below 2^256, written as a number or as a string. Only the canonical form is
    /// read, `0` or `17`; not `017`, `1e1` or `1.0`, which two readers may read differently.
    ///
    /// # Errors
    /// The value is not such an integer.
    pub fn uint(&self) -> Result<U256> {
        let text = self.number_or_text().and_then(|text| amount::parse_uint(text).ok());
        text.ok_or_else(|| self.fault("a decimal integer below 2^256"))
    }

    /// Same as [`JsonAt::uint`], for an integer of at most `max`.
    ///
    /// # Errors
    /// The value is not such an integer, or is above `max`.
    pub fn integer(&self, max: u64) -> Result<u64> {
        let value = self.uint().ok().and_then(|value| u64::try_from(value).ok()).filter(|value| *value <= max);
        value.ok_or_else(|| self.fault(&["an integer from 0 to ", &max.text()].concat()))
    }

    /// The value as an address. The casing is not checked: the service uses several, and a checksum protects what
    /// people type, which [`crate::domain::input`] reads.
    ///
    /// # Errors
    /// The value is not `0x` and 40 hex digits.
    pub fn address(&self) -> Result<Address> {
        let address = self.value().and_then(Json::as_text).and_then(address::any_case);
        address.ok_or_else(|| self.fault("an address (0x and 40 hex digits)"))
    }

    /// The value as bytes in hex; `0x` alone is empty.
    ///
    /// # Errors
    /// The value is not `0x` and an even number of hex digits.
    pub fn bytes(&self) -> Result<Vec<u8>> {
        let digits = self.value().and_then(Json::as_text).and_then(|text| text.strip_prefix("0x"));
        let bytes = digits.filter(|digits| !digits.starts_with("0x")).and_then(|digits| hex::decode(digits).ok());
        bytes.ok_or_else(|| self.fault("0x and an even number of hex digits"))
    }

    /// The value as exactly `N` bytes in hex: 32 for a hash.
    ///
    /// # Errors
    /// Same as [`JsonAt::bytes`], or the length differs.
    pub fn fixed<const N: usize>(&self) -> Result<[u8; N]> {
        let bytes = self.bytes().ok().and_then(|bytes| <[u8; N]>::try_from(bytes.as_slice()).ok());
        bytes.ok_or_else(|| self.fault(&["0x and ", &N.saturating_mul(2).text(), " hex digits"].concat()))
    }
}

/// Appends the steps from `from` down to `target`, which is found by its address in memory; the last step comes first.
/// Returns whether `target` is inside `from`.
fn find_steps(from: &Json, target: &Json, steps: &mut Vec<String>) -> bool {
    let found = match from {
        _ if core::ptr::eq(from, target) => return true,
        Json::Object(members) => {
            members.iter().find(|(_, value)| find_steps(value, target, steps)).map(|(name, _)| name.clone())
        }
        Json::Array(items) => items.iter().position(|item| find_steps(item, target, steps)).map(|index| index.text()),
        _ => None,
    };
    let is_there = found.is_some();
    steps.extend(found);
    is_there
}

/// Appends a name or index to a path; a name is cut off after [`SHOWN`] characters.
pub(crate) fn push_step(path: &mut String, name: &str) {
    if !path.is_empty() {
        path.push('.');
    }
    match name.char_indices().nth(SHOWN) {
        Some((end, _)) => path.push_str(&[name.get(..end).unwrap_or_default(), "..."].concat()),
        None => path.push_str(name),
    }
}

/// The most characters of a value, or of a name, that a message shows.
const SHOWN: usize = 80;
