//! Reads calldata by the text of a signature: `(address executor,(uint256 amount,bytes data) swap,bytes permit)`. The
//! encoding: <https://docs.soliditylang.org/en/latest/abi-spec.html>.
//!
//! One reader driven by text, instead of a decoder compiled for each of the router's methods: a dozen of those would be
//! most of the module. Offsets are followed wherever they point inside the data. Data that the router might read in
//! another way is refused: out of bounds, a value too wide for its type, bytes that two arguments share. Bytes that no
//! argument covers are counted.

use crate::domain::member::Argument;
use crate::value::text::ToText;
use alloy_primitives::{B256, U256, keccak256};

/// The selector of a signature with argument names, which are left out of the hashed text.
///
/// ```
/// use verified_swap_verify::internal::domain::market::calldata::selector;
/// assert_eq!(selector("transfer(address to,uint256 amount)"), [0xa9, 0x05, 0x9c, 0xbb]);
/// ```
pub fn selector(signature: &str) -> [u8; 4] {
    let name = signature.split('(').next().unwrap_or_default();
    let mut canonical = String::from(name);
    let mut text = signature.get(name.len()..).unwrap_or_default();
    // A type ends at the blank before its name; a name ends where the next member or the struct does.
    while let Some(end) = text.find([' ', ',', ')', '(']) {
        let (part, rest) = text.split_at(end);
        canonical.push_str(part);
        text = match rest.strip_prefix(' ') {
            Some(named) => named.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_'),
            None => {
                canonical.extend(rest.chars().next());
                rest.get(1..).unwrap_or_default()
            }
        };
    }
    let [a, b, c, d, ..] = keccak256(canonical).0;
    [a, b, c, d]
}

/// The arguments of a call by path: `swap.amount` for a member of a named struct, `orders.0.maker` for an item of an
/// array, and its length as `orders.length`. Members of a struct without a name stand beside the other arguments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arguments<'a> {
    found: Vec<(String, Argument<'a>)>,
    /// How many bytes no argument covers.
    pub unread: usize,
}

impl<'a> Arguments<'a> {
    /// Reads the arguments, which follow the selector. `None` if the data is not laid out by the signature:
    /// something is out of bounds, a value does not fit its type, or two arguments share bytes.
    ///
    /// ```
    /// use verified_swap_verify::internal::domain::market::calldata::Arguments;
    /// let mut data = [0; 33]; // one word, and a byte behind it
    /// data[31] = 7;
    /// let read = Arguments::read("f(uint256 amount)", &data).unwrap();
    /// assert!(read.get("amount").is_some() && read.unread == 1);
    /// assert!(Arguments::read("f(bytes amount)", &data).is_none());
    /// ```
    pub fn read(signature: &str, data: &'a [u8]) -> Option<Arguments<'a>> {
        let mut text = signature.split_once('(')?.1;
        let kinds = members(&mut text);
        let mut reader = Reader { data, seen: vec![false; data.len()], found: Vec::new() };
        reader.members(&kinds, 0, "")?;
        let unread = reader.seen.iter().filter(|seen| !**seen).count();
        Some(Arguments { found: reader.found, unread })
    }

    /// The arguments of a method that has none: all of `data` is unread.
    pub fn none(data: &[u8]) -> Arguments<'static> {
        Arguments { found: vec![], unread: data.len() }
    }

    /// The argument at a path; `None` if the signature has none there.
    pub fn get(&self, path: &str) -> Option<Argument<'a>> {
        self.found.iter().find(|(known, _)| known == path).map(|(_, argument)| *argument)
    }

    /// All arguments with their paths.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Argument<'a>)> {
        self.found.iter().map(|(path, argument)| (path.as_str(), *argument))
    }
}

/// A type in a signature.
enum Kind<'s> {
    Word(&'s str),
    Bytes,
    Struct(Vec<(Kind<'s>, &'s str)>),
    Array(Box<Kind<'s>>),
}

impl Kind<'_> {
    /// The size of a value in place, in bytes; `None` for a dynamic type, which has an offset in its place.
    fn size(&self) -> Option<usize> {
        match self {
            Kind::Word(_) => Some(32),
            Kind::Bytes | Kind::Array(_) => None,
            Kind::Struct(members) => members.iter().try_fold(0_usize, |sum, (kind, _)| sum.checked_add(kind.size()?)),
        }
    }
}

/// Parses the members up to the closing parenthesis, and takes that too.
fn members<'s>(text: &mut &'s str) -> Vec<(Kind<'s>, &'s str)> {
    let mut found = Vec::new();
    loop {
        let mut kind = match text.strip_prefix('(') {
            Some(rest) => {
                *text = rest;
                Kind::Struct(members(text))
            }
            None => match until(text, &[' ', ',', ')', '[']) {
                "bytes" | "string" => Kind::Bytes,
                name => Kind::Word(name),
            },
        };
        if let Some(rest) = text.strip_prefix("[]") {
            *text = rest;
            kind = Kind::Array(Box::new(kind));
        }
        *text = text.strip_prefix(' ').unwrap_or(text);
        found.push((kind, until(text, &[',', ')'])));
        let more = text.starts_with(',');
        *text = text.get(1..).unwrap_or_default();
        if !more {
            return found;
        }
    }
}

/// Takes the text before the first of these characters.
fn until<'s>(text: &mut &'s str, ends: &[char]) -> &'s str {
    let (part, rest) = text.split_at(text.find(ends).unwrap_or(text.len()));
    *text = rest;
    part
}

struct Reader<'a> {
    data: &'a [u8],
    seen: Vec<bool>,
    found: Vec<(String, Argument<'a>)>,
}

impl<'a> Reader<'a> {
    /// Takes bytes; `None` if they are out of bounds or taken already.
    fn take(&mut self, at: usize, length: usize) -> Option<&'a [u8]> {
        let end = at.checked_add(length)?;
        for seen in self.seen.get_mut(at..end)? {
            if core::mem::replace(seen, true) {
                return None;
            }
        }
        self.data.get(at..end)
    }

    /// Takes one word.
    fn word(&mut self, at: usize) -> Option<B256> {
        self.take(at, 32).map(B256::from_slice)
    }

    /// Takes a word as an offset or a length; `None` if it is larger than the data.
    fn small(&mut self, at: usize) -> Option<usize> {
        usize::try_from(U256::from_be_bytes(self.word(at)?.0)).ok().filter(|small| *small <= self.data.len())
    }

    /// Reads the members of a struct, or of the call itself, whose first head is at `base`.
    fn members(&mut self, members: &[(Kind<'_>, &str)], base: usize, path: &str) -> Option<()> {
        let mut head = base;
        for (kind, name) in members {
            let path =
                if path.is_empty() || name.is_empty() { [path, name].concat() } else { [path, ".", name].concat() };
            head = self.placed(kind, head, base, &path)?;
        }
        Some(())
    }

    /// Reads the value at `head`, or, if it is dynamic, the one that the offset there points to. Returns the place of
    /// the next value.
    fn placed(&mut self, kind: &Kind<'_>, head: usize, base: usize, path: &str) -> Option<usize> {
        match kind.size() {
            Some(size) => {
                self.value(kind, head, path)?;
                head.checked_add(size)
            }
            None => {
                let at = base.checked_add(self.small(head)?)?;
                self.value(kind, at, path)?;
                head.checked_add(32)
            }
        }
    }

    /// Reads the value at byte `at`, whose path is `path`. `None` if it is not of that type.
    fn value(&mut self, kind: &Kind<'_>, at: usize, path: &str) -> Option<()> {
        match kind {
            Kind::Word(name) => {
                let word = self.word(at)?;
                let width = match *name {
                    "address" => 20,
                    "uint8" => 1,
                    "uint128" => 16,
                    _ => 32,
                };
                if !word.iter().take(32_usize.saturating_sub(width)).all(|byte| *byte == 0) {
                    return None;
                }
                self.found.push((path.into(), Argument::Word(word)));
            }
            Kind::Bytes => {
                let length = self.small(at)?;
                let start = at.checked_add(32)?;
                let bytes = self.take(start, length)?;
                // The padding up to a whole word, as far as it is there.
                let padded = length.checked_next_multiple_of(32)?.min(self.data.len().checked_sub(start)?);
                self.take(start.checked_add(length)?, padded.saturating_sub(length))?;
                self.found.push((path.into(), Argument::Bytes(bytes)));
            }
            Kind::Struct(members) => self.members(members, at, path)?,
            Kind::Array(item) => {
                let count = self.small(at)?;
                let base = at.checked_add(32)?;
                let mut head = base;
                for index in 0..count {
                    head = self.placed(item, head, base, &[path, ".", &index.text()].concat())?;
                }
                self.found.push(([path, ".length"].concat(), Argument::Word(U256::from(count).into())));
            }
        }
        Some(())
    }
}
