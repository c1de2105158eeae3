//! What a failure of a wallet or node means. The codes are those of EIP-1193
//! (<https://eips.ethereum.org/EIPS/eip-1193>), of EIP-1474 (<https://eips.ethereum.org/EIPS/eip-1474>), and what
//! wallets and nodes send beside them. docs/wallets.md has the forms that were seen.

use crate::domain::revert::reason;
use crate::error::{Error, ErrorCode};
use crate::host::WalletFailure;

/// What a wallet is asked to send by: afterwards it may have sent.
const SENDS: [&str; 2] = ["eth_sendTransaction", "wallet_sendCalls"];
/// What a wallet is asked to switch chains by.
pub const SWITCH: &str = "wallet_switchEthereumChain";
/// The wallet does not have the chain that it was asked to switch to (EIP-3326).
pub const UNKNOWN_CHAIN: i64 = 4902;
/// The wallet was lost before it answered: it disconnected (EIP-1193; WalletConnect's 6000), or the request expired at
/// WalletConnect.
const LOST: [i64; 4] = [4900, 4901, 6000, 8000];
/// The same in words, and what a node says that has the transaction already; then what viem, ethers, browsers and Node say
/// where the connection ended, perhaps after the transaction had left.
const LOST_WORDS: [&str; 13] = [
    "request expired",
    "timed out",
    "timeout",
    "err_canceled",
    "aborterror",
    "already known",
    "http request failed",
    "server_error",
    "fetch failed",
    "failed to fetch",
    "load failed",
    "socket hang up",
    "econnreset",
];
/// What a user does who does not want to.
const REFUSES: [&str; 6] = ["rejected", "denied", "declined", "cancelled", "canceled", "disapproved"];
/// What else says so: a Ledger's status, and the codes of ethers and of Trezor.
const SAYINGS: [&str; 3] = [" 0x6985 ", " action rejected ", " failure actioncancelled "];
/// Words that change nothing in such a sentence.
const FILLERS: [&str; 4] = [" the ", " has ", " was ", " error "];
/// Messages that are a rejection if they are all that is said, without a code or with one for anything.
const REFUSALS: [&str; 5] = ["rejected", "cancelled", "canceled", "request rejected", "rejected request"];

/// The error for a failed request of `method`, which its message starts with.
///
/// | failure | error |
/// |---|---|
/// | the caller aborted | ABORTED |
/// | HTTP status 429, -32005, 429, or words for too many requests | RATE_LIMITED |
/// | no answer at all | NETWORK |
/// | 4001, 5000, 5002, or a prompt that ended in words for a rejection | USER_REJECTED |
/// | -32002 | WALLET_PENDING |
/// | anything else | WALLET_FAILED; `reverted` if the call ran and reverted, with the contract's reason in `actual` |
pub fn wallet_error(failure: WalletFailure, method: &str) -> Error {
    let error_of = |code, what: &str| Error::new(code, &[method, ": ", what].concat());
    let is_lost = is_lost(&failure, method);
    let code = if is_lost { failure.code } else { meant_code(&failure, method) };
    let mut error = match code {
        _ if failure.aborted => return Error::aborted(),
        _ if is_limited(&failure) => error_of(ErrorCode::RateLimited, &failure.message),
        _ if failure.unreachable => error_of(ErrorCode::Network, &failure.message),
        Some(4001) => error_of(ErrorCode::UserRejected, "rejected in the wallet"),
        Some(-32002) => error_of(ErrorCode::WalletPending, "the wallet already has an open request: answer that one"),
        _ => {
            let advice = match code {
                _ if is_lost => "; the wallet was lost before it answered, and may still send it: look there",
                Some(4100) => "; connect the account in the wallet first",
                Some(4900 | 4901) => "; connect the wallet again",
                _ => "",
            };
            let mut error = error_of(ErrorCode::WalletFailed, &[&failure.message, advice].concat());
            error.actual = failure.data.as_deref().and_then(reason);
            error.reverted = is_reverted(&failure, &failure.message);
            error
        }
    };
    error.status = failure.status;
    (error.wallet_code, error.may_be_sent) = (code, is_lost);
    error.caused_by(failure.cause)
}

/// Whether a wallet that was asked to send was lost before it answered: it may still do so.
fn is_lost(failure: &WalletFailure, method: &str) -> bool {
    if !SENDS.contains(&method) {
        return false;
    }
    let words = failure.words.to_ascii_lowercase();
    // A contract may say anything.
    let is_said = is_vague(failure) && says_any(&words, &LOST_WORDS) && !is_reverted(failure, &words);
    is_said || failure.code.is_some_and(|code| LOST.contains(&code))
}

/// Whether the failure has no code, or one for anything.
fn is_vague(failure: &WalletFailure) -> bool {
    matches!(failure.code, None | Some(-32000 | -32603))
}

/// The code of the failure, or that of what its words say where wallets send none, or one for anything. Words count
/// only of what a wallet was asked to do: a node passes on what contracts say.
fn meant_code(failure: &WalletFailure, method: &str) -> Option<i64> {
    let words = failure.words.to_ascii_lowercase();
    let sends = SENDS.contains(&method);
    let is_prompt = sends || ["eth_signTypedData_v4", SWITCH, "wallet_addEthereumChain"].contains(&method);
    // The last ones are EIP-5792's, which say more than that.
    let is_said = matches!(failure.code, Some(-32002 | 5700..=5799));
    if !is_prompt || is_said || is_reverted(failure, &words) {
        return failure.code;
    }
    // The last two are WalletConnect's.
    if matches!(failure.code, Some(5000 | 5002)) {
        return Some(4001);
    }
    let is_vague = is_vague(failure);
    if words.split('\n').any(|line| is_refusal(line, failure.code, is_vague)) {
        return Some(4001);
    }
    let is_unknown = || says_any(&words, &["unrecognized chain id", "wallet_addethereumchain"]);
    match failure.code {
        _ if is_vague && method == SWITCH && is_unknown() => Some(UNKNOWN_CHAIN),
        code => code,
    }
}

/// Whether a message says that the user did not want to: `User denied transaction signature`, `Action cancelled by
/// user`, [`SAYINGS`]; or is one that a wallet sends for that alone, which `is_vague` allows.
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
    for refuses in REFUSES {
        if says_any(&said, &[&[" user ", refuses, " "].concat(), &[" ", refuses, " by user "].concat()]) {
            return true;
        }
    }
    let all = said.trim();
    // The last one is Safe's; with a code it could be a node's.
    says_any(&said, &SAYINGS)
        || (is_vague && REFUSALS.contains(&all))
        || (code.is_none() && all == "transaction rejected")
}

/// Whether the call ran and reverted: nodes report that by code 3 or -32015, by the data, or in words only. The last
/// two words are how contracts of old compilers revert.
fn is_reverted(failure: &WalletFailure, words: &str) -> bool {
    matches!(failure.code, Some(3 | -32015))
        || failure.data.is_some()
        || says_any(words, &["revert", "invalid opcode", "invalid jump"])
}

/// Whether a node, or the wallet's node, takes no more requests for now. Some wallets say so by the code for an open
/// prompt, and some nodes in words only.
fn is_limited(failure: &WalletFailure) -> bool {
    let words = failure.message.to_ascii_lowercase();
    failure.status == Some(429)
        || matches!(failure.code, Some(-32005 | 429))
        || says_any(&words, &["rate limit", "too many requests", "too many errors"])
}

fn says_any(words: &str, phrases: &[&str]) -> bool {
    phrases.iter().any(|phrase| words.contains(phrase))
}
