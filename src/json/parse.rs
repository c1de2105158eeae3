//! Strict reading of JSON text (RFC 8259), bounded in depth and width.

use super::{Json, sorted};

/// The deepest nesting that is read.
pub const MAX_DEPTH: usize = 64;
/// The most members one object may have: a member is searched for among the others.
pub const MAX_MEMBERS: usize = 256;

/// The most values one text may have: as many as an honest answer of the largest size, at 16 bytes each.
pub const MAX_VALUES: usize = 131_072;

/// Why two members of one name are refused.
const TWICE: &str = "two members of one name";

/// The text is not JSON as this package reads it, with the byte at which that was seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed {
    /// What was wrong.
    pub reason: &'static str,
    /// Offset in bytes.
    pub at: usize,
}

/// Reads one value and nothing after it.
///
/// # Errors
/// Not JSON, nested deeper than [`MAX_DEPTH`], more than [`MAX_VALUES`], an object of more than [`MAX_MEMBERS`], or one
/// with two members of the same name once unescaped: two readers could take different ones of them.
pub fn parse(text: &str) -> Result<Json, Malformed> {
    let mut reader = Reader { text, at: 0, keeps: true, room: MAX_VALUES };
    let value = reader.value(0)?;
    reader.end()?;
    Ok(value)
}

/// The members of an object with their values as the very text they came in.
///
/// # Errors
/// As [`parse`], or not an object.
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
        found.push((name, reader.text.get(start..reader.at).unwrap_or_default()));
        Ok(())
    })?;
    reader.end()?;
    match sorted(&found, |(name, _)| name) {
        Some(_) => Ok(found),
        None => Err(Malformed { reason: TWICE, at: 0 }),
    }
}

/// The items of an array as the very text they came in.
///
/// # Errors
/// As [`parse`], or not an array.
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

struct Reader<'a> {
    text: &'a str,
    at: usize,
    /// Whether values are kept. They are checked alike, where only the raw text is wanted.
    keeps: bool,
    /// For how many more values there is room.
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

    fn end(&mut self) -> Result<(), Malformed> {
        self.space();
        if self.peek().is_some() { Err(self.fail("something follows the value")) } else { Ok(()) }
    }

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
        self.room = self.room.checked_sub(1).ok_or(self.fail("too many values"))?;
        self.space();
        match self.peek() {
            Some(b'{') => {
                let mut found: Vec<(String, Json)> = Vec::new();
                self.object(depth, |reader, name, depth| {
                    let value = reader.value(depth)?;
                    found.push((name, value));
                    Ok(())
                })?;
                match sorted(&found, |(name, _)| name) {
                    Some(_) => Ok(Json::Object(found)),
                    None => Err(self.fail(TWICE)),
                }
            }
            Some(b'[') => self.array(depth),
            Some(b'"') => Ok(Json::String(self.string(self.keeps)?)),
            Some(b't') => self.word("true", Json::Bool(true)),
            Some(b'f') => self.word("false", Json::Bool(false)),
            Some(b'n') => self.word("null", Json::Null),
            _ => self.number(),
        }
    }

    fn object(
        &mut self,
        depth: usize,
        mut member: impl FnMut(&mut Self, String, usize) -> Result<(), Malformed>,
    ) -> Result<(), Malformed> {
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
            let name = self.string(true)?;
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

    fn digits(&mut self) -> bool {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.step();
        }
        self.at > start
    }

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

    /// A string, unescaped; checked, but empty, where it is not kept.
    fn string(&mut self, keep: bool) -> Result<String, Malformed> {
        self.step();
        let mut out = String::new();
        loop {
            let start = self.at;
            while self.peek().is_some_and(|byte| byte != b'"' && byte != b'\\' && byte >= b' ') {
                self.step();
            }
            if keep {
                out.push_str(self.text.get(start..self.at).unwrap_or_default());
            }
            match self.peek() {
                Some(b'"') => {
                    self.step();
                    return Ok(out);
                }
                Some(b'\\') => {
                    self.step();
                    out.push(self.escape()?);
                }
                Some(_) => return Err(self.fail("a control character in a string")),
                None => return Err(self.fail("a string without an end")),
            }
        }
    }

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

    fn unit(&mut self) -> Result<u32, Malformed> {
        let end = self.at.saturating_add(4);
        let hex = self.text.get(self.at..end).filter(|hex| hex.bytes().all(|b| b.is_ascii_hexdigit()));
        let unit =
            hex.and_then(|hex| u32::from_str_radix(hex, 16).ok()).ok_or(self.fail("four hex digits were expected"))?;
        self.at = end;
        Ok(unit)
    }

    /// Joins a surrogate pair. A lone one becomes U+FFFD, as in every text encoder a wallet uses.
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
