//! Numbers, addresses and hashes as text. The standard library's formatting (`format!`) would be a tenth of the module,
//! so values write themselves here, and texts are joined by `[..].concat()`.

use super::{address, amount};
use alloy_primitives::{Address, FixedBytes, U256, hex};

/// A value with one canonical text, which JSON, messages and reports use. Checks compare values by it, so two values
/// are equal exactly if their texts are.
pub trait ToText {
    /// The text: decimal for numbers, EIP-55 for addresses, `0x` and lower-case hex for hashes.
    fn text(&self) -> String;
}

impl ToText for U256 {
    fn text(&self) -> String {
        amount::text(*self)
    }
}

impl ToText for u64 {
    fn text(&self) -> String {
        amount::text(U256::from(*self))
    }
}

impl ToText for u16 {
    fn text(&self) -> String {
        u64::from(*self).text()
    }
}

impl ToText for u8 {
    fn text(&self) -> String {
        u64::from(*self).text()
    }
}

impl ToText for i8 {
    fn text(&self) -> String {
        [if *self < 0 { "-" } else { "" }, &self.unsigned_abs().text()].concat()
    }
}

impl ToText for usize {
    fn text(&self) -> String {
        amount::text(U256::from(*self))
    }
}

impl ToText for Address {
    fn text(&self) -> String {
        address::checksummed(*self)
    }
}

impl<const N: usize> ToText for FixedBytes<N> {
    fn text(&self) -> String {
        hex::encode_prefixed(self)
    }
}

impl ToText for bool {
    fn text(&self) -> String {
        String::from(if *self { "true" } else { "false" })
    }
}

impl ToText for &str {
    fn text(&self) -> String {
        String::from(*self)
    }
}

impl ToText for String {
    fn text(&self) -> String {
        self.clone()
    }
}

/// The text before a mark and behind it; `None` without the mark, or with an empty one. The standard library's search, which
/// its `contains` and `replace` bring as well, would be two kilobytes of the module.
pub fn split_once<'a>(text: &'a str, mark: &str) -> Option<(&'a str, &'a str)> {
    let at = text.as_bytes().windows(mark.len().max(1)).position(|part| part == mark.as_bytes())?;
    Some((text.get(..at)?, text.get(at.saturating_add(mark.len())..)?))
}

/// Whether a text contains a phrase.
pub fn contains(text: &str, phrase: &str) -> bool {
    split_once(text, phrase).is_some()
}

/// The text with another one for each mark in it.
///
/// ```
/// use verified_swap_verify::internal::value::text::replace;
/// assert_eq!(replace("a, b, c, ", ", ", ";"), "a;b;c;");
/// assert_eq!((replace("éaaa", "aa", "é"), replace("a", "", "b")), ("ééa".into(), "a".into()));
/// ```
pub fn replace(text: &str, mark: &str, other: &str) -> String {
    let (mut out, mut left) = (String::new(), text);
    while let Some((before, behind)) = split_once(left, mark) {
        out.push_str(before);
        out.push_str(other);
        left = behind;
    }
    out.push_str(left);
    out
}

/// Several values as one text, without a separator.
#[derive(Clone, Copy)]
pub struct Concat<'a>(pub &'a [&'a dyn ToText]);

impl ToText for Concat<'_> {
    fn text(&self) -> String {
        let mut text = String::new();
        for part in self.0 {
            text.push_str(&part.text());
        }
        text
    }
}

/// Texts joined by `between`. (`slice::join` is optimised for long texts, and is a kilobyte for each type.)
pub fn joined(texts: &[impl AsRef<str>], between: &str) -> String {
    let mut all = String::new();
    for (index, text) in texts.iter().enumerate() {
        if index > 0 {
            all.push_str(between);
        }
        all.push_str(text.as_ref());
    }
    all
}
