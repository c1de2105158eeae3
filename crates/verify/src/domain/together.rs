//! Several calls of one account, tried in one: what `tests/sandbox/contracts/accounts/Together.yul` is given, and what it
//! answers.

use alloy_primitives::{Address, U256};

/// A call that is tried. To the zero address it is no call, but reads the wei of an account (`native_balance`).
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    /// The contract that is called.
    pub to: Address,
    /// The native token sent along, in wei.
    pub value: U256,
    /// The calldata, selector first.
    pub data: &'a [u8],
}

/// The first bytes of an answer, and of the word for a call that returned less than one.
const MARK: [u8; 31] = *b"verified-swap: calls in one ask";

/// The calls as the contract reads them.
pub fn pack<'a>(calls: impl IntoIterator<Item = Call<'a>>) -> Vec<u8> {
    let mut out = Vec::new();
    for call in calls {
        out.extend_from_slice(call.to.as_slice());
        out.extend_from_slice(&call.value.to_be_bytes::<32>());
        out.extend_from_slice(&U256::from(call.data.len()).to_be_bytes::<32>());
        out.extend_from_slice(call.data);
    }
    out
}

/// How a trial of several calls ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tried<'a> {
    /// All went through; the first word that each returned.
    All(Vec<[u8; 32]>),
    /// So many went through; the next one reverted with this.
    Stopped(usize, &'a [u8]),
    /// The node did not run them: it gave no answer, or that of other code.
    Untried,
}

/// Reads the answer to so many calls.
pub fn read(answer: &[u8], calls: usize) -> Tried<'_> {
    match answer.split_first_chunk::<32>() {
        Some(([mark @ .., done], rest)) if *mark == MARK => match usize::from(*done) {
            done if done < calls => Tried::Stopped(done, rest),
            _ => Tried::All(rest.as_chunks().0.to_vec()),
        },
        _ => Tried::Untried,
    }
}

/// The number that a call returned; `None` if it returned less than a word.
pub fn number(word: &[u8; 32]) -> Option<U256> {
    (word[..31] != MARK).then(|| U256::from_be_bytes(*word))
}

/// How many calls went through of those that another account was asked for; `None` if it made none of them.
pub fn done(word: &[u8; 32]) -> Option<u8> {
    let [mark @ .., done] = word;
    (*mark == MARK).then_some(*done)
}
