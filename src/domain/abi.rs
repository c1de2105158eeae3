//! Solidity's ABI: calldata (a selector, then words and byte strings) is written, words and texts of answers are read.

use alloy_primitives::{Address, B256, U256};

/// An argument.
#[derive(Clone, Debug)]
pub enum Part<'a> {
    /// One word. A struct of words is as many of them.
    Word(B256),
    /// `bytes`.
    Bytes(&'a [u8]),
    /// A struct with something of changing length in it.
    Struct(Vec<Part<'a>>),
    /// An array of such structs, or of words.
    Array(Vec<Part<'a>>),
}

/// The calldata of a call.
pub fn call(selector: [u8; 4], arguments: &[Part<'_>]) -> Vec<u8> {
    let mut out = selector.to_vec();
    encode(arguments, &mut out);
    out
}

/// Heads, then tails: what has no fixed length stands behind, and its head says where.
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

fn number(value: usize) -> B256 {
    U256::from(value).into()
}

/// The word that begins at that byte.
pub fn word(data: &[u8], at: usize) -> Option<U256> {
    data.get(at..at.checked_add(32)?).and_then(U256::try_from_be_slice)
}

/// A word that is an offset or a length.
pub fn small(data: &[u8], at: usize) -> Option<usize> {
    usize::try_from(word(data, at)?).ok()
}

/// A `string` whose offset stands at that byte.
pub fn text(data: &[u8], at: usize) -> Option<String> {
    let place = small(data, at)?;
    let start = place.checked_add(32)?;
    let bytes = data.get(start..start.checked_add(small(data, place)?)?)?;
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
