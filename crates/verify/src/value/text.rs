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
