//! Query strings.

use crate::domain::text::ToText;

/// A query that is being written.
#[derive(Clone, Debug, Default)]
pub struct Query(String);

impl Query {
    /// Adds a member.
    pub fn put(&mut self, name: &str, value: &dyn ToText) {
        self.0.push(if self.0.is_empty() { '?' } else { '&' });
        self.0.push_str(name);
        self.0.push('=');
        self.0.push_str(&escape(&value.text()));
    }

    /// Adds a member if it has a value.
    pub fn maybe<T: ToText>(&mut self, name: &str, value: &Option<T>) {
        if let Some(value) = value {
            self.put(name, value);
        }
    }

    /// Adds those members that have a value.
    pub fn all(&mut self, members: &[(&str, Option<String>)]) {
        for (name, value) in members {
            self.maybe(name, value);
        }
    }

    /// A path with this query.
    pub fn behind(&self, path: &str) -> String {
        [path, &self.0].concat()
    }
}

/// `?a=1&b=2` of the members that have a value.
pub fn query(members: &[(&str, Option<String>)]) -> String {
    let mut query = Query::default();
    query.all(members);
    query.0
}

/// Percent-encodes everything but unreserved characters (RFC 3986) and the comma, which joins lists.
pub fn escape(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~,".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push('%');
            for nibble in &[byte >> 4, byte & 15] {
                out.push(char::from_digit((*nibble).into(), 16).unwrap_or('0').to_ascii_uppercase());
            }
        }
    }
    out
}
