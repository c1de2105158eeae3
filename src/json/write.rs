//! Writing JSON text.

use super::Json;
use crate::domain::text::ToText;
use alloy_primitives::hex;

/// An object that is being written. Values go straight into the text: nothing is built first.
pub struct ObjectWriter(String);

impl ObjectWriter {
    /// An object without members yet.
    pub fn object() -> ObjectWriter {
        // Room for a few members: growing byte by byte is what writing would otherwise spend its time with.
        let mut text = String::with_capacity(256);
        text.push('{');
        ObjectWriter(text)
    }

    fn name(&mut self, name: &str) {
        separate(&mut self.0, '{');
        write_text(name, &mut self.0);
        self.0.push(':');
    }

    /// A member whose value is JSON text already.
    pub fn raw(&mut self, name: &str, json: &str) {
        self.name(name);
        self.0.push_str(json);
    }

    /// A string.
    pub fn text(&mut self, name: &str, value: &str) {
        self.name(name);
        write_text(value, &mut self.0);
    }

    /// A string, or `null`.
    pub fn text_or_null(&mut self, name: &str, value: Option<&str>) {
        match value {
            Some(value) => self.text(name, value),
            None => self.raw(name, "null"),
        }
    }

    /// A number.
    pub fn number(&mut self, name: &str, value: u64) {
        self.raw(name, &value.text());
    }

    /// A number, or `null`.
    pub fn number_or_null(&mut self, name: &str, value: Option<impl Into<u64>>) {
        match value {
            Some(value) => self.number(name, value.into()),
            None => self.raw(name, "null"),
        }
    }

    /// `true` or `false`.
    pub fn flag(&mut self, name: &str, value: bool) {
        self.raw(name, truth(value));
    }

    /// Those flags that are set one way or the other.
    pub fn flags(&mut self, flags: &[(&str, Option<bool>)]) {
        for (name, flag) in flags {
            if let Some(flag) = flag {
                self.flag(name, *flag);
            }
        }
    }

    /// Bytes, in hex.
    pub fn bytes(&mut self, name: &str, value: &[u8]) {
        self.text(name, &hex::encode_prefixed(value));
    }

    /// A value that may not be there: then there is no such member.
    pub fn maybe(&mut self, name: &str, value: &Option<impl ToText>) {
        if let Some(value) = value {
            self.value(name, value);
        }
    }

    /// A member whose value is JSON text already, and may not be there.
    pub fn maybe_raw(&mut self, name: &str, json: Option<String>) {
        if let Some(json) = json {
            self.raw(name, &json);
        }
    }

    /// An amount, an address, a hash: as a string.
    pub fn value(&mut self, name: &str, value: &dyn ToText) {
        self.text(name, &value.text());
    }

    /// The same, or `null`.
    pub fn value_or_null(&mut self, name: &str, value: Option<&impl ToText>) {
        self.text_or_null(name, value.map(ToText::text).as_deref());
    }

    /// The text so far, not closed.
    pub fn text_so_far(&self) -> &str {
        &self.0
    }

    /// The text as it would be if it were closed now.
    pub fn closed(&self) -> String {
        [&self.0, "}"].concat()
    }

    /// The text, closed.
    pub fn close(mut self) -> String {
        self.0.push('}');
        self.0
    }
}

/// A JSON array of values that are JSON text already.
pub fn array(values: &[impl AsRef<str>]) -> String {
    let mut out = String::from("[");
    for value in values {
        separate(&mut out, '[');
        out.push_str(value.as_ref());
    }
    out.push(']');
    out
}

/// `true` or `false`.
pub fn truth(is: bool) -> &'static str {
    if is { "true" } else { "false" }
}

/// A string with its quotes and escapes.
pub fn quoted(text: &str) -> String {
    let mut out = String::new();
    write_text(text, &mut out);
    out
}

impl Json {
    /// The value as compact JSON text. A member named `__proto__` is left out: read back by JavaScript and then merged
    /// into another object it would replace that object's prototype.
    pub fn write(&self) -> String {
        let mut out = String::new();
        self.write_to(&mut out, usize::MAX);
        out
    }

    /// The beginning of that text, at most so many characters of it, for a message. No more than that is written.
    pub fn excerpt(&self, most: usize) -> String {
        let mut out = String::new();
        self.write_to(&mut out, most.saturating_mul(4));
        if let Some((end, _)) = out.char_indices().nth(most) {
            out.truncate(end);
            out.push_str("...");
        }
        out
    }

    /// Writes the value; no more of it once there are that many bytes.
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

/// The beginning of a text, of that many bytes and what the last character has more.
fn head(text: &str, most: usize) -> &str {
    let more = text.as_bytes().iter().skip(most).take_while(|byte| **byte & 0xC0 == 0x80).count();
    text.get(..most.saturating_add(more)).unwrap_or(text)
}

/// A comma, unless this is the first one after the opening.
fn separate(out: &mut String, opening: char) {
    if !out.ends_with(opening) {
        out.push(',');
    }
}

fn write_text(text: &str, out: &mut String) {
    out.push('"');
    // What needs no escape goes over in one piece.
    let (mut from, mut at) = (0, 0_usize);
    while let Some(&byte) = text.as_bytes().get(at) {
        at = at.saturating_add(1);
        let short = match byte {
            b'"' | b'\\' => byte,
            b'\n' => b'n',
            b'\r' => b'r',
            b'\t' => b't',
            0..b' ' => b'u',
            _ => continue,
        };
        out.push_str(text.get(from..at.saturating_sub(1)).unwrap_or_default());
        from = at;
        out.push('\\');
        out.push(char::from(short));
        if short == b'u' {
            out.push_str("00");
            for nibble in [byte >> 4, byte & 15] {
                out.push(char::from_digit(nibble.into(), 16).unwrap_or('0'));
            }
        }
    }
    out.push_str(text.get(from..).unwrap_or_default());
    out.push('"');
}
