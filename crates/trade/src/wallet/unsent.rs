//! The sentences by which a wallet or its node refuses a transaction before it is sent. docs/wallets.md has the same
//! table, and `crates/trade/tests/flows/quirks.rs` compares the two.

use verify::internal::value::text::split_once;

/// Each sentence in small letters; `*` stands for a value, and a comma, a colon or a bracket may open more behind it.
pub const UNSENT: [&str; 23] = [
    // Geth and its like, of what they do not let in.
    "insufficient funds for gas * price + value",
    "insufficient funds for transfer",
    "insufficient funds for intrinsic transaction cost",
    "intrinsic gas too low",
    "max fee per gas less than block base fee",
    "max priority fee per gas higher than max fee per gas",
    "transaction underpriced",
    "exceeds block gas limit",
    "gas required exceeds allowance",
    "tx fee * exceeds the configured cap",
    DELEGATED,
    // MetaMask, of accounts and methods; EIP-1193's and EIP-1474's own sentences.
    "the requested account and/or method has not been authorized by the user",
    "the requested method and/or account has not been authorized by the user",
    "the requested method has not been authorized by the user",
    "the provider does not support the requested method",
    "the method * does not exist / is not available",
    "the method * does not exist/is not available",
    "method not found",
    "unrecognized chain id *",
    // Ledger: no permission to sign blindly, bad data, a locked device.
    "please enable blind signing or contract data in the ethereum app settings",
    "ledger device: * (0x6a80)",
    "ledger device: * (0x5515)",
    OWN,
];

/// The beginning of a failure of this package's own adapters before they send: they counted the steps themselves, so it
/// holds with any answer of the node.
pub const OWN: &str = "nothing was sent";

/// The refusal of a second transaction of a delegated account (EIP-7702) while one is on its way.
pub const DELEGATED: &str = "in-flight transaction limit reached for delegated accounts";

/// Words of a node that has the transaction, has had it, or did not answer: they count more than any code or data.
pub const MAYBE_SENT: [&str; 14] = [
    "already known",
    "known transaction",
    "already imported",
    "already accepted",
    "already in the",
    "already been used",
    "already exists",
    "nonce too low",
    "nonce is too low",
    "oldnonce",
    "replacement transaction",
    "replacement fee",
    "timed out",
    "timeout",
];

/// A line of a wallet's words, and what stands in it behind each colon.
pub fn sentences(line: &str) -> impl Iterator<Item = &str> {
    core::iter::successors(Some(line), |line| split_once(line, ": ").map(|(_, behind)| behind))
}

/// Whether words, in small letters, are one of [`UNSENT`].
pub fn is_unsent(words: &str) -> bool {
    UNSENT.iter().any(|sentence| is_sentence(words, sentence))
}

/// Whether a text is a sentence, alone or with more behind a mark.
fn is_sentence(text: &str, sentence: &str) -> bool {
    let is_end = |rest: &str| rest.is_empty() || rest.trim_start().starts_with(['.', ',', ':', ';', '(', '"']);
    match sentence.split_once('*') {
        None => text.strip_prefix(sentence).is_some_and(is_end),
        Some((start, end)) => text.strip_prefix(start).is_some_and(|rest| {
            let word = rest.find(|letter: char| !letter.is_ascii_alphanumeric()).unwrap_or(rest.len());
            let (value, rest) =
                if end.is_empty() { rest.split_at(word) } else { split_once(rest, end).unwrap_or((".", ".")) };
            // A value is no sentence.
            !value.contains(['.', '\n']) && is_end(rest)
        }),
    }
}
