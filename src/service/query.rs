//! Query strings.

/// `?a=1&b=2` of the members that have a value.
pub fn query(members: &[(&str, Option<String>)]) -> String {
    let mut out = String::new();
    for (name, value) in members {
        if let Some(value) = value {
            out.push(if out.is_empty() { '?' } else { '&' });
            out.push_str(name);
            out.push('=');
            out.push_str(&escape(value));
        }
    }
    out
}

/// Percent-encodes everything but unreserved characters (RFC 3986) and the comma, which joins lists.
pub fn escape(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~,".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push('%');
            for nibble in [byte >> 4, byte & 15] {
                out.push(char::from_digit(nibble.into(), 16).unwrap_or('0').to_ascii_uppercase());
            }
        }
    }
    out
}
