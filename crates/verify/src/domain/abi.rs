//! Solidity's contract ABI (<https://docs.soliditylang.org/en/latest/abi-spec.html>), as far as this package needs it:
//! calldata is written, single words and strings of answers are read.
//!
//! One encoder that is driven by a list of values, instead of one that is compiled per function: every call of `erc20`,
//! `delta`, `otc` and `permit` goes through it, and only their selectors come from `sol!`. Calldata of the Market
//! router is read elsewhere, by [`super::market::calldata`].

use alloy_primitives::{Address, B256, U256};

/// A value in calldata: an argument, or a part of one.
#[derive(Clone, Debug)]
pub enum Part<'a> {
    /// One word of 32 bytes. A struct of static members is passed as that many words, one after the other.
    Word(B256),
    /// `bytes`, or the UTF-8 of a `string`: its length, then the bytes, padded with zeros to whole words.
    Bytes(&'a [u8]),
    /// A struct with a dynamic member, which is encoded by offset. A static struct is not one of these: see
    /// [`Part::Word`].
    Struct(Vec<Part<'a>>),
    /// A dynamic array of such structs, or of words: its length, then the items.
    Array(Vec<Part<'a>>),
}

/// The calldata of a call: the function's selector, then its encoded arguments.
///
/// ```
/// use verified_swap_verify::internal::domain::abi::{Part, call};
/// let data = call([1, 2, 3, 4], &[Part::Bytes(b"hi")]);
/// assert_eq!(data.len(), 4 + 3 * 32); // selector; offset, length, padded bytes
/// assert_eq!(data[4 + 31], 32); // the offset counts from behind the selector
/// ```
pub fn call(selector: [u8; 4], arguments: &[Part<'_>]) -> Vec<u8> {
    let mut out = selector.to_vec();
    encode(arguments, &mut out);
    out
}

/// Appends all heads, then all tails. The head of a dynamic value is the offset of its tail, counted from the first
/// head.
fn encode(parts: &[Part<'_>], out: &mut Vec<u8>) {
    let mut tails = Vec::new();
    for part in parts {
        let word = match part {
            Part::Word(word) => *word,
            _ => number(parts.len().saturating_mul(32).saturating_add(tails.len())),
        };
        out.extend_from_slice(word.as_slice());
        match part {
            Part::Word(_) => {}
            Part::Bytes(bytes) => {
                tails.extend_from_slice(number(bytes.len()).as_slice());
                tails.extend_from_slice(bytes);
                while tails.len() % 32 != 0 {
                    tails.push(0);
                }
            }
            Part::Struct(parts) => encode(parts, &mut tails),
            Part::Array(parts) => {
                tails.extend_from_slice(number(parts.len()).as_slice());
                encode(parts, &mut tails);
            }
        }
    }
    out.append(&mut tails);
}

/// A length or offset as a word.
fn number(value: usize) -> B256 {
    U256::from(value).into()
}

/// The word that begins at byte `at`; `None` if the data ends before it does.
pub fn word_at(data: &[u8], at: usize) -> Option<U256> {
    data.get(at..at.checked_add(32)?).and_then(U256::try_from_be_slice)
}

/// The word at byte `at` as an offset or a length; `None` also if it does not fit a `usize`.
pub fn usize_at(data: &[u8], at: usize) -> Option<usize> {
    usize::try_from(word_at(data, at)?).ok()
}

/// The `string` whose offset is at byte `at`; offsets count from the start of `data`. `None` if it lies outside the
/// data, or is not UTF-8.
pub fn string_at(data: &[u8], at: usize) -> Option<String> {
    let place = usize_at(data, at)?;
    let start = place.checked_add(32)?;
    let bytes = data.get(start..start.checked_add(usize_at(data, place)?)?)?;
    core::str::from_utf8(bytes).ok().map(String::from)
}

impl From<Address> for Part<'_> {
    fn from(address: Address) -> Self {
        Part::Word(address.into_word())
    }
}

impl From<U256> for Part<'_> {
    fn from(number: U256) -> Self {
        Part::Word(number.into())
    }
}
