//! Interprets the failures of a wallet or node. The codes are those of EIP-1193
//! (<https://eips.ethereum.org/EIPS/eip-1193>), of EIP-1474 (<https://eips.ethereum.org/EIPS/eip-1474>), and further
//! ones of wallets and nodes. docs/wallets.md has the forms that were seen.

use super::unsent::{DELEGATED, MAYBE_SENT, OWN, is_unsent, sentences};
use crate::host::WalletFailure;
use verify::internal::domain::revert::reason;
use verify::internal::error::{Error, ErrorCode};
use verify::internal::value::text::contains;

/// The methods that have a wallet send: after a failure it may have sent.
const SENDS: [&str; 2] = ["eth_sendTransaction", "wallet_sendCalls"];
/// The method that has a wallet switch chains.
pub const SWITCH: &str = "wallet_switchEthereumChain";
/// The wallet does not have the chain that it was asked to switch to (EIP-3326).
pub const UNKNOWN_CHAIN: i64 = 4902;
/// The user refused a transaction (EIP-1193), or the upgrade of the account that it needs (EIP-5792).
const REFUSED: [i64; 2] = [4001, 5750];
/// The wallet does not have the account, the method or the parameters (EIP-1193, EIP-1474): it has no calls together.
const NOT_TOGETHER: [i64; 4] = [4100, 4200, -32601, -32602];
/// The wallet has calls of that id already (EIP-5792).
pub const DUPLICATE_ID: i64 = 5720;
/// The wallet was lost, or its request expired, whatever else it reports: its prompt was not answered (EIP-1193;
/// WalletConnect's 6000 and 8000).
const LOST: [i64; 4] = [4900, 4901, 6000, 8000];
/// The same in words, with no code or a generic one: a client that gave up.
const LOST_WORDS: [&str; 2] = ["expired", "err_canceled"];
/// The number of characters of a wallet's message that are kept.
const MAX_SAID: usize = 160;
/// The verbs of a user's refusal.
const REFUSES: [&str; 6] = ["rejected", "denied", "declined", "cancelled", "canceled", "disapproved"];
/// Other signs of a refusal: a Ledger's status, and the codes of ethers and of Trezor.
const SAYINGS: [&str; 3] = [" 0x6985 ", " action rejected ", " failure actioncancelled "];
/// Words that change nothing in such a sentence.
const FILLERS: [&str; 4] = [" the ", " has ", " was ", " error "];
/// Messages that are a rejection if they are the whole message, with no code or a generic one.
const REFUSALS: [&str; 5] = ["rejected", "cancelled", "canceled", "request rejected", "rejected request"];

/// The error for a failed request of `method`, which its message starts with.
///
/// | failure | error |
/// |---|---|
/// | the caller aborted | ABORTED |
/// | HTTP status 429, -32005, 429, or words for too many requests | RATE_LIMITED |
/// | no answer at all | NETWORK |
/// | 4001, 5000, 5002, -32050, or a prompt that ended in words for a rejection | USER_REJECTED |
/// | -32002 | WALLET_PENDING |
/// | anything else | WALLET_FAILED; `reverted` if the call ran and reverted, with the contract's reason in `actual` |
pub fn wallet_error(failure: WalletFailure, method: &str) -> Error {
    let error_of = |code, what: &str| Error::new(code, &[method, ": ", what].concat());
    let code = if is_lost(&failure, method) { failure.code } else { meant_code(&failure, method) };
    let may_be_sent = may_be_sent(&failure, method, code);
    let is_delegated = contains(&failure.words.to_ascii_lowercase(), DELEGATED);
    let mut error = match code {
        _ if failure.aborted => return Error::aborted(),
        _ if is_limited(&failure) => error_of(ErrorCode::RateLimited, &failure.message),
        _ if failure.unreachable => error_of(ErrorCode::Network, &failure.message),
        Some(4001) => error_of(ErrorCode::UserRejected, "rejected in the wallet"),
        Some(-32002) => error_of(ErrorCode::WalletPending, "the wallet already has an open request: answer that one"),
        _ => {
            let advice = match code {
                _ if may_be_sent => "; whether the wallet sent it is not known, it may still send it: look there",
                Some(4100) => "; unlock the wallet and connect the account in it",
                _ if is_delegated => "; wait for your last transaction",
                Some(4900 | 4901) => "; connect the wallet again",
                _ => "",
            };
            let mut error = error_of(ErrorCode::WalletFailed, &[&failure.message, advice].concat());
            error.actual = failure.data.as_deref().and_then(reason);
            let is_known = SENDS.contains(&method) && says_any(&failure.words.to_ascii_lowercase(), &MAYBE_SENT);
            error.reverted = !is_known && is_reverted(&failure, &failure.message);
            error
        }
    };
    error.status = failure.status;
    error.wallet_code = code;
    let said = failure.message.lines().next().unwrap_or_default();
    error.may_be_sent = may_be_sent.then(|| said.chars().take(MAX_SAID).collect());
    error.caused_by(failure.cause)
}

/// Whether a wallet that was asked to send may have sent, or still may. Only a refusal by its code, or a whole sentence of
/// the list means that it has not; a revert only if a trial confirms it ([`super::sending`]).
fn may_be_sent(failure: &WalletFailure, method: &str, code: Option<i64>) -> bool {
    let is_together = method == "wallet_sendCalls";
    let is_refused = |code| {
        let is_own = (5700..=5760).contains(&code) && code != DUPLICATE_ID;
        REFUSED.contains(&code) || (is_together && (is_own || NOT_TOGETHER.contains(&code)))
    };
    let words = failure.words.to_ascii_lowercase();
    let is_unsent = code.is_some_and(is_refused)
        || words.starts_with(OWN)
        || (!says_any(&words, &MAYBE_SENT) && words.lines().flat_map(sentences).any(is_unsent));
    SENDS.contains(&method) && !failure.aborted && !is_unsent
}

/// Whether the prompt of a wallet that was asked to send was not answered: its other words are then no answer.
fn is_lost(failure: &WalletFailure, method: &str) -> bool {
    let words = failure.words.to_ascii_lowercase();
    let is_said = is_vague(failure) && says_any(&words, &LOST_WORDS) && !is_reverted(failure, &words);
    SENDS.contains(&method) && (is_said || failure.code.is_some_and(|code| LOST.contains(&code)))
}

/// Whether the failure has no code, or a generic one.
fn is_vague(failure: &WalletFailure) -> bool {
    matches!(failure.code, None | Some(-32000 | -32603))
}

/// The code of the failure, or the one that its message implies if wallets send none, or a generic one. The message
/// counts only for prompts of a wallet: a node passes on the words of contracts.
fn meant_code(failure: &WalletFailure, method: &str) -> Option<i64> {
    let words = failure.words.to_ascii_lowercase();
    let sends = SENDS.contains(&method);
    let is_prompt = sends || ["eth_signTypedData_v4", SWITCH, "wallet_addEthereumChain"].contains(&method);
    // The last ones are EIP-5792's, which are more specific.
    let is_said = matches!(failure.code, Some(-32002 | 5700..=5799));
    if !is_prompt || is_said || is_reverted(failure, &words) || (sends && says_any(&words, &MAYBE_SENT)) {
        return failure.code;
    }
    // The codes of WalletConnect for a refusal.
    if matches!(failure.code, Some(5000 | 5002 | -32050)) {
        return Some(4001);
    }
    let is_vague = is_vague(failure);
    if words.lines().flat_map(sentences).any(|said| is_refusal(said, failure.code, is_vague)) {
        return Some(4001);
    }
    let is_unknown = || says_any(&words, &["unrecognized chain id", "wallet_addethereumchain"]);
    match failure.code {
        _ if is_vague && method == SWITCH && is_unknown() => Some(UNKNOWN_CHAIN),
        code => code,
    }
}

/// Whether a message means that the user refused: `User denied transaction signature`, `Action cancelled by user`,
/// [`SAYINGS`]; or is one that a wallet sends for that alone, which `is_vague` allows.
fn is_refusal(line: &str, code: Option<i64>, is_vague: bool) -> bool {
    let mut said = String::from(" ");
    for letter in line.bytes().chain([b' ']) {
        if letter.is_ascii_alphanumeric() {
            said.push(letter.into());
        } else if !said.ends_with(' ') {
            said.push(' ');
            if let Some(filler) = FILLERS.iter().find(|filler| said.ends_with(**filler)) {
                said.truncate(said.len().saturating_sub(filler.len()));
                said.push(' ');
            }
        }
    }
    // Words in the middle of a sentence are about something else.
    let starts = |start: &str| said.starts_with(&[" user ", start, " "].concat());
    if REFUSES.iter().any(|refuses| starts(refuses) || said.ends_with(&[" ", refuses, " by user "].concat())) {
        return true;
    }
    let all = said.trim();
    // The last one is Safe's; with a code it could be a node's.
    says_any(&said, &SAYINGS)
        || (is_vague && REFUSALS.contains(&all))
        || (code.is_none() && all == "transaction rejected")
}

/// Whether the call ran and reverted: nodes report that by code 3 or -32015, by the data, or in words only. The last
/// two phrases are the reverts of contracts of old compilers.
fn is_reverted(failure: &WalletFailure, words: &str) -> bool {
    matches!(failure.code, Some(3 | -32015))
        || failure.data.is_some()
        || says_any(words, &["revert", "invalid opcode", "invalid jump"])
}

/// Whether a node, or the wallet's node, takes no more requests for now. Some wallets report that with the code for an
/// open prompt, and some nodes in words only.
fn is_limited(failure: &WalletFailure) -> bool {
    let words = failure.message.to_ascii_lowercase();
    failure.status == Some(429)
        || matches!(failure.code, Some(-32005 | 429))
        || says_any(&words, &["rate limit", "too many requests", "too many errors"])
}

fn says_any(words: &str, phrases: &[&str]) -> bool {
    phrases.iter().any(|phrase| contains(words, phrase))
}
