//! Query strings of the service's URLs (RFC 3986, <https://www.rfc-editor.org/rfc/rfc3986>). Values are escaped here
//! and nowhere else; names are this package's own, and need none.

use verify::internal::value::text::ToText;

/// A query under construction: empty, or `?` and its members.
///
/// ```
/// use verified_swap_trade::service::query::Query;
/// let mut query = Query::default();
/// query.put("chainId", &1_u64);
/// query.maybe("partner", &Some(String::from("a b")));
/// assert_eq!(query.behind("/prices"), "/prices?chainId=1&partner=a%20b");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Query(String);

impl Query {
    /// Adds a member; the value is escaped.
    pub fn put(&mut self, name: &str, value: &dyn ToText) {
        self.0.push(if self.0.is_empty() { '?' } else { '&' });
        self.0.push_str(name);
        self.0.push('=');
        self.0.push_str(&escape(&value.text()));
    }

    /// Adds a member unless it is `None`.
    pub fn maybe<T: ToText>(&mut self, name: &str, value: &Option<T>) {
        if let Some(value) = value {
            self.put(name, value);
        }
    }

    /// Adds the members that are not `None`.
    pub fn all(&mut self, members: &[(&str, Option<String>)]) {
        for (name, value) in members {
            self.maybe(name, value);
        }
    }

    /// The path followed by this query.
    pub fn behind(&self, path: &str) -> String {
        [path, &self.0].concat()
    }
}

/// The query of the members that are not `None`: `?a=1&b=2`, or nothing.
pub fn query(members: &[(&str, Option<String>)]) -> String {
    let mut query = Query::default();
    query.all(members);
    query.0
}

/// Percent-encodes all bytes but the unreserved characters, and the comma, with which the service separates lists.
///
/// ```
/// assert_eq!(verified_swap_trade::service::query::escape("a/b,c?"), "a%2Fb,c%3F");
/// ```
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
