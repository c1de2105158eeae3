//! What a failure of a wallet or node means. The codes are those of EIP-1193
//! (<https://eips.ethereum.org/EIPS/eip-1193>), of EIP-1474 (<https://eips.ethereum.org/EIPS/eip-1474>), and what
//! wallets and nodes send beside them.

use crate::domain::revert::reason;
use crate::error::{Error, ErrorCode};
use crate::host::WalletFailure;

/// The error for a failed request of `method`, which its message starts with.
///
/// | failure | error |
/// |---|---|
/// | the caller aborted | ABORTED |
/// | HTTP status 429, -32005, 429, or words for too many requests | RATE_LIMITED |
/// | no answer at all | NETWORK |
/// | 4001, 5000 | USER_REJECTED |
/// | -32002 | WALLET_PENDING |
/// | anything else | WALLET_FAILED; `reverted` if the call ran and reverted, with the contract's reason in `actual` |
pub fn wallet_error(failure: WalletFailure, method: &str) -> Error {
    let error_of = |code, what: &str| Error::new(code, &[method, ": ", what].concat());
    let mut error = match failure.code {
        _ if failure.aborted => return Error::aborted(),
        _ if is_limited(&failure) => error_of(ErrorCode::RateLimited, &failure.message),
        _ if failure.unreachable => error_of(ErrorCode::Network, &failure.message),
        // 5000 is WalletConnect's.
        Some(4001 | 5000) => error_of(ErrorCode::UserRejected, "rejected in the wallet"),
        Some(-32002) => error_of(ErrorCode::WalletPending, "the wallet already has an open request: answer that one"),
        _ => {
            let mut error = error_of(ErrorCode::WalletFailed, &failure.message);
            error.actual = failure.data.as_deref().and_then(reason);
            // Nodes report a revert by code 3 or -32015, by the data, or in words only. The last two words are how
            // contracts of old compilers revert.
            error.reverted = matches!(failure.code, Some(3 | -32015))
                || failure.data.is_some()
                || ["revert", "invalid opcode", "invalid jump"].iter().any(|word| failure.message.contains(word));
            error
        }
    };
    error.status = failure.status;
    error.wallet_code = failure.code;
    error.caused_by(failure.cause)
}

/// Whether a node, or the wallet's node, takes no more requests for now. Some wallets say so by the code for an open
/// prompt, and some nodes in words only.
fn is_limited(failure: &WalletFailure) -> bool {
    let words = failure.message.to_ascii_lowercase();
    failure.status == Some(429)
        || matches!(failure.code, Some(-32005 | 429))
        || ["rate limit", "too many requests", "too many errors"].iter().any(|phrase| words.contains(phrase))
}
