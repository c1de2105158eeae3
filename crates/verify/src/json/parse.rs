//! Strict reading of JSON text (RFC 8259, <https://www.rfc-editor.org/rfc/rfc8259>), bounded in depth and width.
//!
//! It refuses more than the RFC does: a name that occurs twice in one object, since two readers could use different
//! values for it, and input made to exhaust time or memory. The client bounds an answer's size before
//! (`MAX_ANSWER` in `crates/trade/src/host.rs`).

use super::Json;
use std::borrow::Cow;

/// The most arrays and objects that may enclose a value. The reader calls itself once for each, on a stack of fixed
/// size.
pub const MAX_DEPTH: usize = 64;
/// The most members that one object may have. [`Json::get`] compares the names one by one.
pub const MAX_MEMBERS: usize = 256;

/// The most values that one text may have: 2 MB, the largest answer that is read, at 16 bytes for each value.
pub const MAX_VALUES: usize = 131_072;

/// The reason for a text of more than [`MAX_VALUES`].
pub const TOO_MANY_VALUES: &str = "too many values";

/// The reason for an object in which a name occurs twice.
pub const TWICE: &str = "two members of one name";

/// The reason why a text was not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed {
    /// The reason, as part of a sentence: `a colon was expected`.
    pub reason: &'static str,
    /// The offset at which reading stopped, in bytes from the start of the text.
    pub at: usize,
}

/// Reads a text that is one value, with white space around it.
///
/// # Errors
/// The text is not JSON, is nested deeper than [`MAX_DEPTH`], has more than [`MAX_VALUES`] values, or has an object
/// with more than [`MAX_MEMBERS`] members or with a name that occurs twice after unescaping.
///
/// ```
/// use verified_swap_verify::internal::json::{Json, parse};
/// assert_eq!(parse("[1.0]").unwrap(), Json::Array(vec![Json::Number("1.0".into())]));
/// assert_eq!(parse(r#"{"to": 1, "t\u006f": 2}"#).unwrap_err().reason, "two members of one name");
/// ```
pub fn parse(text: &str) -> Result<Json, Malformed> {
    let mut reader = Reader { text, at: 0, keeps: true, room: MAX_VALUES };
    let value = reader.value(0)?;
    reader.end()?;
    Ok(value)
}

/// Checks whether [`parse`] would read a text. Faster, because it keeps nothing.
///
/// # Errors
/// Same as [`parse`].
pub fn check(text: &str) -> Result<(), Malformed> {
    let mut reader = Reader { text, at: 0, keeps: false, room: MAX_VALUES };
    reader.value(0)?;
    reader.end()
}

/// The members of an object as (name, text of the value). The text is a slice of the input, not written anew: the
/// service refuses a route that does not come back byte for byte.
///
/// # Errors
/// Same as [`parse`], or the text is not an object.
///
/// ```
/// use verified_swap_verify::internal::json::members;
/// let answer = members(r#"{"route": {"fee": 1e1 }, "id": 7}"#).unwrap();
/// assert_eq!(answer[0], ("route".into(), r#"{"fee": 1e1 }"#));
/// ```
pub fn members(text: &str) -> Result<Vec<(String, &str)>, Malformed> {
    let mut reader = Reader { text, at: 0, keeps: false, room: MAX_VALUES };
    let mut found = Vec::new();
    reader.space();
    if reader.peek() != Some(b'{') {
        return Err(reader.fail("an object was expected"));
    }
    reader.object(0, |reader, name, depth| {
        let start = reader.at;
        reader.value(depth)?;
        found.push((name.into_owned(), reader.text.get(start..reader.at).unwrap_or_default()));
        Ok(())
    })?;
    reader.end()?;
    Ok(found)
}

/// The items of an array, each as a slice of the input, for the same reason as [`members`].
///
/// # Errors
/// Same as [`parse`], or the text is not an array.
///
/// ```
/// use verified_swap_verify::internal::json::items;
/// assert_eq!(items(r#"[ {"a":1.0}, 2 ]"#).unwrap(), [r#"{"a":1.0}"#, "2"]);
/// ```
pub fn items(text: &str) -> Result<Vec<&str>, Malformed> {
    let mut reader = Reader { text, at: 0, keeps: false, room: MAX_VALUES };
    let mut found = Vec::new();
    reader.space();
    if !reader.take(b'[') {
        return Err(reader.fail("an array was expected"));
    }
    reader.space();
    while !reader.take(b']') {
        if !found.is_empty() && !reader.take(b',') {
            return Err(reader.fail("a comma or a closing bracket was expected"));
        }
        reader.space();
        let start = reader.at;
        reader.value(0)?;
        found.push(text.get(start..reader.at).unwrap_or_default());
        reader.space();
    }
    reader.end()?;
    Ok(found)
}

/// A text that is being read, and the position in it.
struct Reader<'a> {
    text: &'a str,
    /// The next byte, as an offset into `text`.
    at: usize,
    /// Whether values are collected. If only slices of the text are wanted, they are checked in the same way and
    /// dropped.
    keeps: bool,
    /// The number of values that may still follow, out of [`MAX_VALUES`].
    room: usize,
}

impl<'a> Reader<'a> {
    fn fail(&self, reason: &'static str) -> Malformed {
        Malformed { reason, at: self.at }
    }

    #[inline(always)]
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    #[inline(always)]
    fn step(&mut self) {
        self.at = self.at.saturating_add(1);
    }

    fn take(&mut self, byte: u8) -> bool {
        let hit = self.peek() == Some(byte);
        if hit {
            self.step();
        }
        hit
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.step();
        }
    }

    /// Checks that only white space is left.
    fn end(&mut self) -> Result<(), Malformed> {
        self.space();
        if self.peek().is_some() { Err(self.fail("something follows the value")) } else { Ok(()) }
    }

    /// One of `true`, `false` and `null`.
    fn word(&mut self, word: &str, value: Json) -> Result<Json, Malformed> {
        let end = self.at.saturating_add(word.len());
        if self.text.get(self.at..end) == Some(word) {
            self.at = end;
            Ok(value)
        } else {
            Err(self.fail("a value was expected"))
        }
    }

    fn value(&mut self, depth: usize) -> Result<Json, Malformed> {
        if depth > MAX_DEPTH {
            return Err(self.fail("nested too deeply"));
        }
        self.room = self.room.checked_sub(1).ok_or(self.fail(TOO_MANY_VALUES))?;
        self.space();
        match self.peek() {
            Some(b'{') => {
                let mut found: Vec<(String, Json)> = Vec::new();
                self.object(depth, |reader, name, depth| {
                    let value = reader.value(depth)?;
                    if reader.keeps {
                        found.push((name.into_owned(), value));
                    }
                    Ok(())
                })?;
                Ok(Json::Object(found))
            }
            Some(b'[') => self.array(depth),
            Some(b'"') => {
                let text = self.string()?;
                Ok(Json::String(if self.keeps { text.into_owned() } else { String::new() }))
            }
            Some(b't') => self.word("true", Json::Bool(true)),
            Some(b'f') => self.word("false", Json::Bool(false)),
            Some(b'n') => self.word("null", Json::Null),
            _ => self.number(),
        }
    }

    /// Reads an object, at its opening brace. `member` reads each value, at the depth it is given.
    fn object(
        &mut self,
        depth: usize,
        mut member: impl FnMut(&mut Self, Cow<'a, str>, usize) -> Result<(), Malformed>,
    ) -> Result<(), Malformed> {
        // Sorted: n log n comparisons even if someone chose the names to make it slow.
        let mut names: Vec<Cow<'a, str>> = Vec::new();
        self.step();
        self.space();
        if self.take(b'}') {
            return Ok(());
        }
        for _ in 0..MAX_MEMBERS {
            self.space();
            if self.peek() != Some(b'"') {
                return Err(self.fail("a member name was expected"));
            }
            let name = self.string()?;
            match names.binary_search(&name) {
                Ok(_) => return Err(self.fail(TWICE)),
                Err(place) => names.insert(place, name.clone()),
            }
            self.space();
            if !self.take(b':') {
                return Err(self.fail("a colon was expected"));
            }
            self.space();
            member(self, name, depth.saturating_add(1))?;
            self.space();
            if self.take(b'}') {
                return Ok(());
            }
            if !self.take(b',') {
                return Err(self.fail("a comma or a closing brace was expected"));
            }
        }
        Err(self.fail("too many members"))
    }

    /// Reads an array, at its opening bracket.
    fn array(&mut self, depth: usize) -> Result<Json, Malformed> {
        self.step();
        let mut items = Vec::new();
        self.space();
        if self.take(b']') {
            return Ok(Json::Array(items));
        }
        loop {
            let item = self.value(depth.saturating_add(1))?;
            if self.keeps {
                items.push(item);
            }
            self.space();
            if self.take(b']') {
                return Ok(Json::Array(items));
            }
            if !self.take(b',') {
                return Err(self.fail("a comma or a closing bracket was expected"));
            }
        }
    }

    /// Skips decimal digits, and returns whether there was one.
    fn digits(&mut self) -> bool {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.step();
        }
        self.at > start
    }

    /// Reads a number, kept as its text. A leading zero ends it, so that `017` fails at the 1.
    fn number(&mut self) -> Result<Json, Malformed> {
        let start = self.at;
        self.take(b'-');
        if !self.take(b'0') && !self.digits() {
            return Err(self.fail("a value was expected"));
        }
        if self.take(b'.') && !self.digits() {
            return Err(self.fail("a digit was expected"));
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.step();
            if !self.take(b'+') {
                self.take(b'-');
            }
            if !self.digits() {
                return Err(self.fail("a digit was expected"));
            }
        }
        let end = if self.keeps { self.at } else { start };
        Ok(Json::Number(self.text.get(start..end).unwrap_or_default().into()))
    }

    /// Reads characters that need no escape, up to the next byte that does or the end.
    fn plain(&mut self) -> &'a str {
        let start = self.at;
        let rest = self.text.as_bytes().get(start..).unwrap_or_default();
        let length = rest.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..b' ')).unwrap_or(rest.len());
        self.at = start.saturating_add(length);
        self.text.get(start..self.at).unwrap_or_default()
    }

    /// Reads a string, at its opening quote, and unescapes it.
    fn string(&mut self) -> Result<Cow<'a, str>, Malformed> {
        self.step();
        let mut out = Cow::Borrowed(self.plain());
        loop {
            match self.peek() {
                Some(b'"') => {
                    self.step();
                    return Ok(out);
                }
                Some(b'\\') => {
                    self.step();
                    let escaped = self.escape()?;
                    let all = out.to_mut();
                    all.push(escaped);
                    all.push_str(self.plain());
                }
                Some(_) => return Err(self.fail("a control character in a string")),
                None => return Err(self.fail("a string without an end")),
            }
        }
    }

    /// Reads the character of an escape, after its backslash.
    fn escape(&mut self) -> Result<char, Malformed> {
        let Some(byte) = self.peek() else { return Err(self.fail("a string without an end")) };
        self.step();
        Ok(match byte {
            b'"' => '"',
            b'\\' => '\\',
            b'/' => '/',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let unit = self.unit()?;
                self.surrogate(unit)
            }
            _ => return Err(self.fail("an unknown escape")),
        })
    }

    /// Reads the four hex digits of a `\u` escape: a UTF-16 code unit.
    fn unit(&mut self) -> Result<u32, Malformed> {
        let end = self.at.saturating_add(4);
        let hex = self.text.get(self.at..end).filter(|hex| hex.bytes().all(|b| b.is_ascii_hexdigit()));
        let unit =
            hex.and_then(|hex| u32::from_str_radix(hex, 16).ok()).ok_or(self.fail("four hex digits were expected"))?;
        self.at = end;
        Ok(unit)
    }

    /// The character of a code unit. The first half of a surrogate pair is joined with the second, which is read here;
    /// a half without the other becomes U+FFFD, as in the encoder (`TextEncoder`) that a wallet hashes strings with.
    fn surrogate(&mut self, unit: u32) -> char {
        let before = self.at;
        if (0xD800..0xDC00).contains(&unit)
            && self.take(b'\\')
            && self.take(b'u')
            && let Ok(low @ 0xDC00..0xE000) = self.unit()
        {
            let point = (((unit & 0x3FF) << 10) | (low & 0x3FF)).saturating_add(0x10000);
            return char::from_u32(point).unwrap_or(char::REPLACEMENT_CHARACTER);
        }
        if (0xD800..0xDC00).contains(&unit) {
            self.at = before;
        }
        char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER)
    }
}
