//! JSON without loss: numbers stay text, member order stays, nothing passes through a float.
//!
//! The service hands out JSON that must go back byte for byte, and amounts that no float can hold. Everything that enters
//! the crate, from the network or from JavaScript, becomes one [`Json`] tree, and is read through [`JsonAt`], which knows the
//! path it stands at, so that a wrong member is named in the error for free.

mod at;
mod parse;
mod write;

pub use at::JsonAt;
pub use parse::{MAX_DEPTH, MAX_MEMBERS, MAX_VALUES, Malformed, items, members, parse};
pub use write::{ObjectWriter, array, quoted, truth};

/// The most values that are taken one by one: from JavaScript, or to be hashed.
pub const MAX_TAKEN: usize = 32_768;

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
        self.member(name).map(|(_, value)| value)
    }

    /// The member of that name, and where it stands among the others.
    fn member(&self, name: &str) -> Option<(usize, &Json)> {
        match self {
            Json::Object(members) => {
                members.iter().enumerate().find(|(_, (n, _))| n == name).map(|(at, (_, value))| (at, value))
            }
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
                let named = |members| sorted(members, |(name, _): &(String, Json)| name);
                a.len() == b.len()
                    && named(a)
                        .zip(named(b))
                        .is_some_and(|(a, b)| a.iter().zip(b).all(|(a, b)| a.0 == b.0 && a.1.same_as(&b.1)))
            }
            _ => self == other,
        }
    }
}

/// Things in the order of their names, each found by halving: however many there are, and whoever named them, none is
/// compared with all the others. `None` where two have one name. (The library's sort would be two kilobytes.)
pub fn sorted<T>(all: &[T], name: fn(&T) -> &str) -> Option<Vec<&T>> {
    let mut sorted: Vec<&T> = Vec::with_capacity(all.len());
    for one in all {
        match sorted.binary_search_by(|known| name(known).cmp(name(one))) {
            Ok(_) => return None,
            Err(place) => sorted.insert(place, one),
        }
    }
    Some(sorted)
}
