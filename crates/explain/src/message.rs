//! Texts, hashes and other bytes that are signed as they are.

use super::answer::Answer;
use super::payload_fields::word_of_text;
use super::scope::{Scope, hex_value, text_value};
use super::trades::small;
use super::words::*;
use verify::internal::domain::sentence::part::Sink;
use verify::internal::json::{Json, JsonAt};
use verify::internal::value::address;
use verify::internal::value::text::{ToText, split_once};

/// The prefix that a wallet puts before a text that it signs (ERC-191).
const PREFIX: &[u8] = b"\x19Ethereum Signed Message:\n";

/// A text, or bytes; `is_bare` without the prefix that makes it no transaction.
pub fn explain_message(scope: &Scope<'_>, bytes: &[u8], is_bare: bool) -> Answer {
    let mut answer = Answer::of(MESSAGE);
    answer.fact_json("chainId", scope.chain_id.text());
    (answer.bytes.read, answer.bytes.total) = (bytes.len(), bytes.len());
    (answer.fields.read, answer.fields.total) = (1, 1);
    let text = core::str::from_utf8(bytes).ok().filter(|_| !is_bare);
    // 32 bytes that are a text may be a hash all the same: enough of them are tried until one is. So may a text of its digits.
    let is_hash = bytes.len() == 32 || text.is_some_and(is_digits);
    if is_hash {
        answer.is(BARE_HASH);
        answer.find(if is_bare { HASH_RAW } else { HASH_PERSONAL }, "message", &[]);
        answer.unread("message", bytes.len());
    }
    match text {
        Some(text) => {
            answer.say(TEXT, &[text_value("text", text)]);
            check_sign_in(&mut answer, scope, text);
            if text.char_indices().nth(1_000).is_some() {
                answer.find(TEXT_CUT, "message", &[]);
            }
        }
        None if is_hash => answer.say(HASH, &[hex_value("hash", bytes)]),
        None => {
            answer.say(UNREAD, &[hex_value("bytes", bytes.get(..64).unwrap_or(bytes))]);
            answer.unread("message", bytes.len());
            // One program puts the prefix before it, the next one hashes it, or refuses.
            if is_bare {
                answer.find(MESSAGE_FORM, "message", &[]);
            }
        }
    }
    answer
}

/// Whether a text is the digits of 32 bytes.
fn is_digits(text: &str) -> bool {
    let text = text.trim();
    let digits = text.strip_prefix("0x").unwrap_or(text);
    digits.len() == 64 && digits.bytes().all(|digit| digit.is_ascii_hexdigit())
}

/// The bytes of a message as a wallet is given it, and whether all wallets read these. MetaMask (eth-json-rpc-middleware,
/// signature-controller) takes digits without `0x`, `0X` and an odd number of digits for bytes, and `0x` alone for a text.
pub fn read_message(text: &str) -> (Vec<u8>, bool) {
    let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")).unwrap_or(text);
    match JsonAt::input(&Json::String(text.into()), "").bytes() {
        Ok(bytes) => (bytes, !digits.is_empty()),
        Err(_) => (text.into(), !digits.bytes().all(|digit| digit.is_ascii_hexdigit())),
    }
}

/// Judges a text by which an account signs in (EIP-4361): the place that it names, its account and its chain.
fn check_sign_in(answer: &mut Answer, scope: &Scope<'_>, text: &str) {
    let mut lines = text.lines();
    let place = lines.next().and_then(|line| line.strip_suffix(" wants you to sign in with your Ethereum account:"));
    let Some(place) = place else { return };
    let place = split_once(place, "://").map_or(place, |(_, place)| place);
    let host =
        |origin: &str| split_once(origin, "://").map_or(origin, |(_, host)| host).trim_end_matches('/').to_owned();
    match scope.context().origin.as_deref() {
        None => answer.find(SIGN_IN_UNJUDGED, "message", &[text_value("text", place)]),
        Some(origin) if host(origin).eq_ignore_ascii_case(place) => {}
        Some(origin) => {
            answer.find(SIGN_IN_ORIGIN, "message", &[text_value("text", place), text_value("text", origin)])
        }
    }
    match lines.next().map(address::parse) {
        Some(Ok(account)) => scope.note_stranger(answer, SENDER_OTHER, "message", account),
        _ => answer.unread("message", 0),
    }
    // The statement stands before the fields, and may look like one.
    let chain = lines.filter_map(|line| line.strip_prefix("Chain ID:")).next_back();
    match chain.and_then(|id| word_of_text(id.trim())).map(small) {
        Some(chain) if chain == scope.context().chain_id => {}
        Some(chain) => {
            answer.find(CHAIN_OTHER, "message", &[scope.chain_of(chain), scope.chain_of(scope.context().chain_id)]);
        }
        None => answer.opaque("message", 0),
    }
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
