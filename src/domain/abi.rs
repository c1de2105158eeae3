//! Calldata: a selector, then words and byte strings as Solidity's ABI lays them out.

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
