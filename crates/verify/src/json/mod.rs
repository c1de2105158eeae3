//! JSON without loss: numbers stay text, members keep their order, nothing passes through a float.
//!
//! The service sends JSON that must go back byte for byte, and amounts that no float can hold. So this package has its
//! own reader and writer. All input, from the network, a node or JavaScript, becomes one [`Json`] tree. It is read
//! through [`JsonAt`], which has its own path, so that an error names the wrong member.
//!
//! | file | contents |
//! |---|---|
//! | `parse` | text to tree, and text to slices of that text where the bytes matter |
//! | `at` | typed reads of a tree, whose errors name the place |
//! | `write` | text from values; a tree as text |

mod at;
mod parse;
mod write;

pub(crate) use at::push_step;
pub use at::{ADVANCED, JsonAt};
pub use parse::{MAX_DEPTH, MAX_MEMBERS, MAX_VALUES, Malformed, TOO_MANY_VALUES, TWICE, check, items, members, parse};
pub use write::{ObjectWriter, array, ascii, quoted, truth};

/// The most values that one typed message may hash: a bound on the time that a single input can cost.
pub const MAX_TAKEN: usize = 32_768;

/// The most values of typed data that is not this package's own, each of them hashed and shown: a bound on the time.
pub const MAX_HASHED: usize = 8_192;

/// A JSON value. Objects keep the order of their members; no name occurs twice in one object.
///
/// Two values are equal (`==`) if they have the same text: `1` and `1.0` differ, and so do objects with their members
/// in another order, which [`Json::same_as`] treats as equal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Json {
    /// `null`. JavaScript's `undefined` is read as `null` too.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number as it was written: `1.0` stays `1.0`, and an integer of 78 digits keeps all of them.
    Number(String),
    /// A string, after its escapes were resolved.
    String(String),
    /// The items of an array, in order.
    Array(Vec<Json>),
    /// The members of an object as (name, value), in the order in which they were written.
    Object(Vec<(String, Json)>),
}

impl Json {
    /// The member with this name; `None` if there is none, or if this is not an object.
    ///
    /// ```
    /// use verified_swap_verify::internal::json::{Json, parse};
    /// let order = parse(r#"{"amount": 1.50}"#).unwrap();
    /// assert_eq!(order.get("amount"), Some(&Json::Number("1.50".into())));
    /// assert_eq!(order.get("status"), None);
    /// ```
    pub fn get(&self, name: &str) -> Option<&Json> {
        self.member(name).map(|(_, value)| value)
    }

    /// The member with this name, with its index among the members.
    fn member(&self, name: &str) -> Option<(usize, &Json)> {
        match self {
            Json::Object(members) => {
                members.iter().enumerate().find(|(_, (n, _))| n == name).map(|(at, (_, value))| (at, value))
            }
            _ => None,
        }
    }

    /// The text of a string; `None` for any other kind of value, numbers included.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Json::String(text) => Some(text),
            _ => None,
        }
    }

    /// Whether programs read a number in different ways: JavaScript's has 53 bits.
    pub fn is_rounded(&self) -> bool {
        let Json::Number(text) = self else { return false };
        !text.trim_start_matches('-').parse::<u64>().is_ok_and(|number| number < 1 << 53)
    }

    /// How many values there are: this one, and all in it.
    pub fn count(&self) -> usize {
        let inside: usize = match self {
            Json::Array(items) => items.iter().map(Json::count).sum(),
            Json::Object(members) => members.iter().map(|(_, value)| value.count()).sum(),
            _ => 0,
        };
        inside.saturating_add(1)
    }

    /// Whether two values are equal if the order of members does not count. Numbers are compared as text, because this
    /// compares data that was handed out with data that came back: if `1` comes back as `1.0`, it was edited.
    ///
    /// ```
    /// use verified_swap_verify::internal::json::parse;
    /// let same = |a, b| parse(a).unwrap().same_as(&parse(b).unwrap());
    /// assert!(same(r#"{"a": 1, "b": 2}"#, r#"{"b": 2, "a": 1}"#));
    /// assert!(!same("[1, 2]", "[2, 1]"));
    /// ```
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

/// References to `all`, sorted by name; `None` if two have the same name.
///
/// By binary insertion: n log n comparisons even if someone chose the names to make it slow. The standard library's
/// sort would add two kilobytes to the module.
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
