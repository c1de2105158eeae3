//! Seals: text that travels through the application's state, and is known again.
//!
//! What `quote` and `build` return is plain data. The bytes that must go back verbatim, and the intent they were checked
//! against, ride along in one text, under a key that never leaves this module's memory. A text this client did not seal,
//! because another page made it or because somebody changed it, is not refused as such: it counts for nothing unless the
//! caller says again what was asked for.

use crate::error::{Error, Result};
use crate::json::{At, Fault, Json};
use alloy_primitives::{B256, Keccak256, hex};

/// Seals a text.
pub fn seal(secret: &[u8; 32], text: &str) -> String {
    [&hex::encode(tag(secret, text)), ".", text].concat()
}

/// The text inside, and whether this client sealed it.
///
/// # Errors
/// INVALID_INPUT where it is no sealed text.
pub fn open<'a>(secret: &[u8; 32], sealed: &'a str, field: &str) -> Result<(&'a str, bool)> {
    let fault = || Error::input(Fault::new(field, "the sealed text as it was returned", "something else"));
    let (mark, text) = sealed.split_once('.').ok_or_else(fault)?;
    Ok((text, mark == hex::encode(tag(secret, text))))
}

fn tag(secret: &[u8; 32], text: &str) -> B256 {
    let mut hasher = Keccak256::new();
    hasher.update(secret);
    hasher.update(text.as_bytes());
    hasher.finalize()
}

/// Refuses a visible member that is not as it was returned. Members the application added are left alone.
///
/// # Errors
/// INVALID_INPUT with the member.
pub fn unedited(passed: At<'_>, returned: &Json) -> Result<()> {
    let Json::Object(members) = returned else { return Ok(()) };
    for (name, value) in members {
        let place = passed.get(name);
        if place.json().is_some_and(|json| !json.same_as(value)) {
            let fault = Fault::new(place.path(), "the member as it was returned", "an edited one");
            return Err(Error::input(fault));
        }
    }
    Ok(())
}

/// Refuses a foreign seal unless the caller states the request again, and it is the one inside.
///
/// # Errors
/// INVALID_INPUT with the member that differs, or `request` where there is none.
pub fn same_request(stated: Option<&Json>, inside: &Json) -> Result<()> {
    let Some(stated) = stated else {
        let expected = "the request this is for (it was made by another client, or before a reload)";
        return Err(Error::input(Fault::new("request", expected, "nothing")));
    };
    let Json::Object(members) = inside else { return Ok(()) };
    for (name, value) in members {
        let other = stated.get(name).unwrap_or(&Json::Null);
        if !other.same_as(value) {
            let fault = Fault::new(["request.", name].concat(), value.write(), other.write());
            return Err(Error::input(fault));
        }
    }
    Ok(())
}
