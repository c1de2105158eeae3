//! Seals: they recognise text that passed through the app's state when it comes back.
//!
//! Quotes, builds, approvals and permits are plain data. Only their member `sealed` counts, which is authenticated by
//! a key that never leaves this module's memory: the bytes that must go back verbatim, and the intent that they were
//! compared with; of an approval, a permit or a transaction all that is shown. A text that this client did not seal,
//! because another page made it or it was changed, is refused, with two exceptions: a signed order is posted, and an
//! order whose prompt was open when its page died is asked for once more. See "The bytes" in docs/verification.md.

use alloy_primitives::{Keccak256, hex};
use verify::internal::error::{Error, Result};
use verify::internal::json::{Json, JsonAt, ObjectWriter, members, parse};

/// A text with its seal in front: 64 hex digits, a dot, the text.
pub fn seal(secret: &[u8; 32], text: &str) -> String {
    [&tag(secret, text), ".", text].concat()
}

/// The object for the app, with all its members in the seal.
pub fn close_sealed(secret: &[u8; 32], mut view: ObjectWriter) -> String {
    let sealed = seal(secret, &view.closed());
    view.text("sealed", &sealed);
    view.close()
}

/// An object whose visible members are all in its seal: what this client sealed, parsed.
///
/// # Errors
/// The errors of [`open_own`] and of [`check_unedited`].
pub fn open_sealed(secret: &[u8; 32], at: &JsonAt<'_>) -> Result<Json> {
    check_unedited(at, open_own(secret, at)?)
}

/// INVALID_INPUT with the action `rebuild`, for what another client made, or this page before a reload: its price, its
/// bounds and its questions were not this caller's. `field` is its path.
pub fn of_another_client(field: &str) -> Error {
    let mut error =
        Error::input(field, "one that this client made: build again", "one of another client, or an edited one");
    error.action = Some("rebuild");
    error
}

/// The text that this client sealed for the object at that place, without its seal.
///
/// # Errors
/// The errors of [`open`]; INVALID_INPUT with the object, if another client sealed it.
pub fn open_own<'a>(secret: &[u8; 32], at: &JsonAt<'a>) -> Result<&'a str> {
    match open(secret, &at.get("sealed"))? {
        (text, true) => Ok(text),
        _ => Err(of_another_client(&at.path())),
    }
}

/// The text without its seal, and whether this client sealed it. If it did not, the text is not trusted.
///
/// # Errors
/// INVALID_INPUT if it is no sealed text at all: every one is a JSON object.
pub fn open<'a>(secret: &[u8; 32], sealed: &JsonAt<'a>) -> Result<(&'a str, bool)> {
    let broken = || Error::input(&sealed.path(), "the sealed text as it was returned", "something else");
    let (mark, text) = sealed.text()?.split_once('.').ok_or_else(broken)?;
    let own = mark == tag(secret, text);
    if !own && members(text).is_err() {
        return Err(broken());
    }
    Ok((text, own))
}

/// The seal of a text: keccak256 of key and text, as hex. A plain prefix is safe as a MAC with this hash, because
/// keccak allows no extension of a hashed text.
fn tag(secret: &[u8; 32], text: &str) -> String {
    let mut hasher = Keccak256::new();
    hasher.update(secret);
    hasher.update(text.as_bytes());
    hex::encode(hasher.finalize())
}

/// The members of a JSON object, each in its original text: parsing and writing it again could change it.
pub struct RawMembers<'a>(Vec<(String, &'a str)>);

impl<'a> RawMembers<'a> {
    /// Splits a sealed text, or an answer of the service, into its members.
    ///
    /// # Errors
    /// SERVICE_MALFORMED if it is not an object.
    pub fn of(text: &'a str) -> Result<RawMembers<'a>> {
        members(text).map(RawMembers).map_err(Error::not_json)
    }

    /// The members as (name, text), in their order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &'a str)> {
        self.0.iter().map(|(name, raw)| (name.as_str(), *raw))
    }

    /// The text of a member.
    ///
    /// # Errors
    /// SERVICE_MALFORMED if it is missing or `null`.
    pub fn raw(&self, name: &str) -> Result<&'a str> {
        let found = self.0.iter().find(|(n, raw)| n == name && *raw != "null").map(|(_, raw)| *raw);
        found.ok_or_else(|| JsonAt::service(&Json::Null, name).fault("a value"))
    }
}

/// Refuses an object that was edited: each visible member that is still there has to be as it was `returned`. Only the
/// sealed text is signed, so an edited member would show the user something else. Members that the app added are
/// ignored. Returns `returned`, parsed.
///
/// # Errors
/// INVALID_INPUT with the member.
pub fn check_unedited(passed: &JsonAt<'_>, returned: &str) -> Result<Json> {
    let returned = parse(returned).map_err(Error::not_json)?;
    for name in JsonAt::input(&returned, "").names() {
        let place = passed.get(name);
        // An app may note that the approval is made, or leave out what it does not show.
        let same = place.json().zip(returned.get(name)).is_none_or(|(passed, returned)| passed.same_as(returned));
        if !same {
            return Err(Error::input(&place.path(), "the member as it was returned", "an edited one"));
        }
    }
    Ok(returned)
}

/// Refuses a noted order unless the caller states its request again, and it is the one inside. Both are JSON text.
///
/// # Errors
/// INVALID_INPUT with the member that differs; with `options.request` if there is none.
pub fn check_same_request(stated: Option<&str>, inside: &str) -> Result<()> {
    let stated = need_request(stated)?;
    let inside = parse(inside).map_err(Error::not_json)?;
    let stated = parse(stated).map_err(Error::not_json)?;
    let (inside, stated) = (JsonAt::input(&inside, "request"), JsonAt::input(&stated, "request"));
    let advanced = (inside.get("advanced"), stated.get("advanced"));
    // Absent members are not written: one may be missing on either side.
    for (place, (inside, stated)) in [("", (inside, stated)), ("advanced.", advanced)] {
        for name in inside.names().chain(stated.names()).filter(|name| *name != "advanced") {
            let (a, b) = (inside.get(name), stated.get(name));
            if a.json() != b.json() {
                let text = |at: JsonAt<'_>| at.json().map_or("null".into(), Json::write);
                return Err(Error::input(&["options.request.", place, name].concat(), &text(a), &text(b)));
            }
        }
    }
    Ok(())
}

/// The request that the caller states again.
///
/// # Errors
/// INVALID_INPUT with `options.request` if there is none.
pub fn need_request<T>(stated: Option<T>) -> Result<T> {
    let expected = "the request this is for (its prompt was open when its page was closed)";
    stated.ok_or_else(|| Error::input("options.request", expected, "nothing"))
}
