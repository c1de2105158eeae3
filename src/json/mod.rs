//! JSON without loss: numbers stay text, member order stays, nothing passes through a float.
//!
//! The service hands out JSON that must go back byte for byte, and amounts that no float can hold. Everything that enters
//! the crate, from the network or from JavaScript, becomes one [`Json`] tree, and is read through [`At`], which knows the
//! path it stands at, so that a wrong member is named in the error for free.

mod at;
mod parse;
mod write;

pub use at::At;
pub use parse::{MAX_DEPTH, MAX_MEMBERS, Malformed, items, members, parse};
pub use write::{Out, array, quoted, truth};

/// A JSON value. Objects keep the order and the names of their members; a name occurs once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Json {
    /// `null`, and what JavaScript calls `undefined`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number, as its text: `1.0` stays `1.0`, and a 20-digit integer keeps all of its digits.
    Number(String),
    /// A string, unescaped.
    String(String),
    /// An array.
    Array(Vec<Json>),
    /// Members in the order they came in.
    Object(Vec<(String, Json)>),
}

impl Json {
    /// The member of that name, where this is an object that has one.
    pub fn get(&self, name: &str) -> Option<&Json> {
        match self {
            Json::Object(members) => members.iter().find(|(n, _)| n == name).map(|(_, value)| value),
            _ => None,
        }
    }

    /// The text of a string.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Json::String(text) => Some(text),
            _ => None,
        }
    }

    /// Whether both say the same, whatever the order of members.
    pub fn same_as(&self, other: &Json) -> bool {
        match (self, other) {
            (Json::Array(a), Json::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.same_as(b)),
            (Json::Object(a), Json::Object(b)) => {
                a.len() == b.len() && a.iter().all(|(name, a)| other.get(name).is_some_and(|b| a.same_as(b)))
            }
            _ => self == other,
        }
    }
}
