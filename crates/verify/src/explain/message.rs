//! Texts, hashes and other bytes that are signed as they are.

use super::answer::Answer;
use super::scope::{Scope, hex_value, text_value};
use super::words::*;
use crate::domain::sentence::part::Sink;

/// What a wallet puts before a text that it signs (ERC-191).
const PREFIX: &[u8] = b"\x19Ethereum Signed Message:\n";

/// A text, or bytes; `is_bare` without the prefix that makes it no transaction.
pub fn explain_message(scope: &Scope<'_>, bytes: &[u8], is_bare: bool) -> Answer {
    let mut answer = Answer::of(MESSAGE);
    answer.fact("chainId", &scope.chain_id);
    (answer.bytes.read, answer.bytes.total) = (bytes.len(), bytes.len());
    (answer.fields.read, answer.fields.total) = (1, 1);
    let text = core::str::from_utf8(bytes).ok().filter(|_| bytes.len() != 32 && !is_bare);
    match text {
        Some(text) => answer.say(TEXT, &[text_value("text", text)]),
        None if bytes.len() == 32 || is_bare => {
            answer.is(BARE_HASH);
            answer.say(HASH, &[hex_value("hash", bytes)]);
            answer.find(if is_bare { HASH_RAW } else { HASH_PERSONAL }, "message", &[]);
            answer.unread("message", bytes.len());
        }
        None => {
            answer.say(UNREAD, &[hex_value("bytes", bytes.get(..64).unwrap_or(bytes))]);
            answer.unread("message", bytes.len());
        }
    }
    answer
}

/// The text behind the prefix of ERC-191; `None` if the prefix or the length does not fit.
pub fn without_prefix(bytes: &[u8]) -> Option<&[u8]> {
    let rest = bytes.strip_prefix(PREFIX)?;
    // The length stands before the text without a mark between them: the digits that fit are the length.
    (1..=rest.len().min(7)).find_map(|digits| {
        let (length, text) = rest.split_at_checked(digits)?;
        let length = core::str::from_utf8(length).ok()?.parse::<usize>().ok()?;
        (length == text.len()).then_some(text)
    })
}
