//! Seals: text that travels through the application's state, and is known again.
//!
//! What `quote` and `build` return is plain data. The bytes that must go back verbatim, and the intent they were checked
//! against, ride along in one text, under a key that never leaves this module's memory. A text this client did not seal,
//! because another page made it or because somebody changed it, is not refused as such: it counts for nothing unless the
//! caller says again what was asked for.

use crate::error::{Error, Result};
use crate::json::{Json, JsonAt, members, parse};
use alloy_primitives::{Keccak256, hex};

/// Seals a text.
pub fn seal(secret: &[u8; 32], text: &str) -> String {
    [&tag(secret, text), ".", text].concat()
}

/// The text inside, and whether this client sealed it.
///
/// # Errors
/// INVALID_INPUT where it is no sealed text.
pub fn open<'a>(secret: &[u8; 32], sealed: &JsonAt<'a>) -> Result<(&'a str, bool)> {
    let (mark, text) = sealed.text()?.split_once('.').ok_or_else(|| broken(sealed))?;
    Ok((text, mark == tag(secret, text)))
}

fn broken(sealed: &JsonAt<'_>) -> Error {
    Error::input(&sealed.path(), "the sealed text as it was returned", "something else")
}

/// The mark of a text under a key.
pub fn tag(secret: &[u8; 32], text: &str) -> String {
    let mut hasher = Keccak256::new();
    hasher.update(secret);
    hasher.update(text.as_bytes());
    hex::encode(hasher.finalize())
}

/// The parts of a sealed text, each as its own text.
pub struct RawMembers<'a>(Vec<(String, &'a str)>);

impl<'a> RawMembers<'a> {
    /// Takes a sealed text, or an answer of the service, apart.
    ///
    /// # Errors
    /// SERVICE_MALFORMED where it is not an object.
    pub fn of(text: &'a str) -> Result<RawMembers<'a>> {
        members(text).map(RawMembers).map_err(Error::not_json)
    }

    /// The text of a part.
    ///
    /// # Errors
    /// SERVICE_MALFORMED where there is none.
    pub fn raw(&self, name: &str) -> Result<&'a str> {
        let found = self.0.iter().find(|(n, raw)| n == name && *raw != "null").map(|(_, raw)| *raw);
        found.ok_or_else(|| JsonAt::service(&Json::Null, name).fault("a value"))
    }
}

/// Refuses a visible member that is not as it was returned. Members the application added are left alone.
///
/// # Errors
/// INVALID_INPUT with the member.
pub fn check_unedited(passed: &JsonAt<'_>, returned: &str) -> Result<()> {
    let returned = parse(returned).map_err(Error::not_json)?;
    for name in JsonAt::input(&returned, "").names() {
        let place = passed.get(name);
        let same = place.json().zip(returned.get(name)).is_none_or(|(passed, returned)| passed.same_as(returned));
        if !same {
            return Err(Error::input(&place.path(), "the member as it was returned", "an edited one"));
        }
    }
    Ok(())
}

/// Refuses a foreign seal unless the caller states the request again, and it is the one inside.
///
/// # Errors
/// INVALID_INPUT with the member that differs, or `options.request` where there is none.
pub fn check_same_request(stated: Option<&str>, inside: &str) -> Result<()> {
    let Some(stated) = stated else {
        let expected = "the request this is for (it was made by another client, or before a reload)";
        return Err(Error::input("options.request", expected, "nothing"));
    };
    let inside = parse(inside).map_err(Error::not_json)?;
    let stated = parse(stated).map_err(Error::not_json)?;
    let (inside, stated) = (JsonAt::input(&inside, "request"), JsonAt::input(&stated, "options.request"));
    // Members are written where they are given: one may be missing on either side.
    for name in inside.names().chain(stated.names()) {
        let (a, b) = (inside.get(name), stated.get(name));
        if a.json() != b.json() {
            let text = |at: JsonAt<'_>| at.json().map_or("null".into(), Json::write);
            return Err(Error::input(&b.path(), &text(a), &text(b)));
        }
    }
    Ok(())
}
