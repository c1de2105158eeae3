//! Writing JSON text: values go straight into one string, with no tree in between.
//!
//! All JSON that the package sends or hands to JavaScript is written here. The text is valid JSON if the input of
//! [`ObjectWriter::raw`] is. A name that is written twice stays twice: no caller does that.

use super::Json;
use crate::value::text::ToText;
use alloy_primitives::hex;

/// An object that is being written, member by member.
///
/// ```
/// use verified_swap_verify::internal::json::ObjectWriter;
/// let mut out = ObjectWriter::object();
/// out.text("side", "SELL");
/// out.number("chainId", 1);
/// assert_eq!(out.close(), r#"{"side":"SELL","chainId":1}"#);
/// ```
#[derive(Clone)]
pub struct ObjectWriter(String);

impl ObjectWriter {
    /// An object without members yet.
    pub fn object() -> ObjectWriter {
        // Room for a few members: most of the time would otherwise go into growing the string.
        let mut text = String::with_capacity(256);
        text.push('{');
        ObjectWriter(text)
    }

    /// Writes a member's name, before its value.
    fn name(&mut self, name: &str) {
        separate(&mut self.0, '{');
        write_text(name, &mut self.0);
        self.0.push(':');
    }

    /// Adds a member whose value is JSON text already. It is not checked.
    pub fn raw(&mut self, name: &str, json: &str) {
        self.name(name);
        self.0.push_str(json);
    }

    /// Adds the members of an object that has some, given as JSON text. It is not checked.
    pub fn members(&mut self, object: &str) {
        separate(&mut self.0, '{');
        let object = object.strip_prefix('{').unwrap_or_default();
        self.0.push_str(object.strip_suffix('}').unwrap_or_default());
    }

    /// Adds a string; `value` is escaped here.
    pub fn text(&mut self, name: &str, value: &str) {
        self.name(name);
        write_text(value, &mut self.0);
    }

    /// Adds a string, or `null` for `None`.
    pub fn text_or_null(&mut self, name: &str, value: Option<&str>) {
        match value {
            Some(value) => self.text(name, value),
            None => self.raw(name, "null"),
        }
    }

    /// Adds a number. JavaScript loses digits above 2^53: amounts go through [`ObjectWriter::value`], as strings.
    pub fn number(&mut self, name: &str, value: u64) {
        self.raw(name, &value.text());
    }

    /// Adds a number, or `null` for `None`.
    pub fn number_or_null(&mut self, name: &str, value: Option<impl Into<u64>>) {
        match value {
            Some(value) => self.number(name, value.into()),
            None => self.raw(name, "null"),
        }
    }

    /// Adds `true` or `false`.
    pub fn flag(&mut self, name: &str, value: bool) {
        self.raw(name, truth(value));
    }

    /// Adds the flags that have a value, `false` included. A flag that is `None` is left to the reader's default.
    pub fn flags(&mut self, flags: &[(&str, Option<bool>)]) {
        for (name, flag) in flags {
            if let Some(flag) = flag {
                self.flag(name, *flag);
            }
        }
    }

    /// Adds bytes as a string: `0x` and two hex digits for each.
    pub fn bytes(&mut self, name: &str, value: &[u8]) {
        self.text(name, &hex::encode_prefixed(value));
    }

    /// Same as [`ObjectWriter::value`], but adds no member for `None`.
    pub fn maybe(&mut self, name: &str, value: &Option<impl ToText>) {
        if let Some(value) = value {
            self.value(name, value);
        }
    }

    /// Same as [`ObjectWriter::raw`], but adds no member for `None`.
    pub fn maybe_raw(&mut self, name: &str, json: Option<String>) {
        if let Some(json) = json {
            self.raw(name, &json);
        }
    }

    /// Adds an amount, an address or a hash as a string: decimal, in EIP-55 casing, or in hex ([`ToText`]).
    pub fn value(&mut self, name: &str, value: &dyn ToText) {
        self.text(name, &value.text());
    }

    /// Same as [`ObjectWriter::value`], but adds `null` for `None`.
    pub fn value_or_null(&mut self, name: &str, value: Option<&impl ToText>) {
        self.text_or_null(name, value.map(ToText::text).as_deref());
    }

    /// A copy of the text with the closing brace; more members may be added to this writer.
    pub fn closed(&self) -> String {
        [&self.0, "}"].concat()
    }

    /// The text with the closing brace.
    pub fn close(mut self) -> String {
        self.0.push('}');
        self.0
    }
}

/// A JSON array of values that are JSON text already. They are not checked.
///
/// ```
/// use verified_swap_verify::internal::json::{array, quoted};
/// assert_eq!(array(&[quoted("latest"), "false".into()]), r#"["latest",false]"#);
/// ```
pub fn array(values: &[impl AsRef<str>]) -> String {
    let mut out = String::from("[");
    for value in values {
        separate(&mut out, '[');
        out.push_str(value.as_ref());
    }
    out.push(']');
    out
}

/// A flag as JSON text.
pub fn truth(is: bool) -> &'static str {
    if is { "true" } else { "false" }
}

/// A string as JSON text, with quotes and escapes. Characters beyond ASCII stay as they are.
///
/// ```
/// assert_eq!(verified_swap_verify::internal::json::quoted("a\"b\n"), r#""a\"b\n""#);
/// ```
pub fn quoted(text: &str) -> String {
    let mut out = String::new();
    write_text(text, &mut out);
    out
}

impl Json {
    /// The value as JSON text without white space. A member named `__proto__` is left out: if JavaScript reads it and
    /// merges it into another object, it replaces that object's prototype.
    ///
    /// ```
    /// let value = verified_swap_verify::internal::json::parse(r#"{ "__proto__": {}, "amount": 1.0 }"#).unwrap();
    /// assert_eq!(value.write(), r#"{"amount":1.0}"#);
    /// ```
    pub fn write(&self) -> String {
        let mut out = String::new();
        self.write_to(&mut out, usize::MAX);
        out
    }

    /// The first `most` characters of the JSON text, for a message, and `...` if there are more. The work is bounded by
    /// `most`, not by the size of the value.
    pub fn excerpt(&self, most: usize) -> String {
        let mut out = String::new();
        self.write_to(&mut out, most.saturating_mul(4));
        if let Some((end, _)) = out.char_indices().nth(most) {
            out.truncate(end);
            out.push_str("...");
        }
        out
    }

    /// Appends the value, and stops soon after `out` has `most` bytes: then the text is cut off and no longer JSON.
    fn write_to(&self, out: &mut String, most: usize) {
        match self {
            Json::Null => out.push_str("null"),
            Json::Bool(true) => out.push_str("true"),
            Json::Bool(false) => out.push_str("false"),
            Json::Number(text) => out.push_str(head(text, most)),
            Json::String(text) => write_text(head(text, most), out),
            Json::Array(items) => {
                out.push('[');
                for item in items {
                    if out.len() > most {
                        return;
                    }
                    separate(out, '[');
                    item.write_to(out, most);
                }
                out.push(']');
            }
            Json::Object(members) => {
                out.push('{');
                for (name, value) in members.iter().filter(|(name, _)| name != "__proto__") {
                    if out.len() > most {
                        return;
                    }
                    separate(out, '{');
                    write_text(head(name, most), out);
                    out.push(':');
                    value.write_to(out, most);
                }
                out.push('}');
            }
        }
    }
}

/// The first `most` bytes of a text, and the rest of the character at the cut.
fn head(text: &str, most: usize) -> &str {
    let more = text.as_bytes().iter().skip(most).take_while(|byte| **byte & 0xC0 == 0x80).count();
    text.get(..most.saturating_add(more)).unwrap_or(text)
}

/// Adds a comma, unless the next value is the first after `opening`.
fn separate(out: &mut String, opening: char) {
    if !out.ends_with(opening) {
        out.push(',');
    }
}

/// Appends a string with quotes and escapes.
fn write_text(text: &str, out: &mut String) {
    out.push('"');
    // Characters that need no escape are copied in one piece.
    let mut from = 0;
    for (at, &byte) in text.as_bytes().iter().enumerate() {
        if byte >= b' ' && byte != b'"' && byte != b'\\' {
            continue;
        }
        out.push_str(text.get(from..at).unwrap_or_default());
        from = at.saturating_add(1);
        match byte {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            _ => {
                out.push_str("\\u00");
                for nibble in [byte >> 4, byte & 15] {
                    out.push(char::from_digit(nibble.into(), 16).unwrap_or('0'));
                }
            }
        }
    }
    out.push_str(text.get(from..).unwrap_or_default());
    out.push('"');
}

/// The same JSON text, with every character that is not ASCII as an escape.
pub fn ascii(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_ascii() && !character.is_control() {
            out.push(character);
            continue;
        }
        for unit in character.encode_utf16(&mut [0; 2]) {
            out.push_str("\\u");
            out.push_str(&hex::encode(unit.to_be_bytes()));
        }
    }
    out
}
