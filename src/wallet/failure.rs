//! What a wallet's or node's failure means (EIP-1193, EIP-1474).

use crate::domain::revert::reason;
use crate::error::{Error, ErrorCode};
use crate::host::WalletFailure;

/// The error for a failed request of that method.
pub fn wallet_error(failure: WalletFailure, method: &str) -> Error {
    let told = |code, what: &str| Error::new(code, &[method, ": ", what].concat());
    let error = match failure.code {
        _ if failure.aborted => return Error::aborted(),
        _ if failure.unreachable => told(ErrorCode::Network, &failure.message),
        // The second is what wallets behind WalletConnect answer with.
        Some(4001 | 5000) => told(ErrorCode::UserRejected, "rejected in the wallet"),
        Some(-32002) => told(ErrorCode::WalletPending, "the wallet already has a request open"),
        _ => {
            let mut error = told(ErrorCode::WalletFailed, &failure.message);
            error.actual = failure.data.as_deref().and_then(reason);
            // Where nothing was returned, some nodes say it in words alone: the last two are what old compilers made of it.
            error.reverted = matches!(failure.code, Some(3 | -32015))
                || failure.data.is_some()
                || ["revert", "invalid opcode", "invalid jump"].iter().any(|word| failure.message.contains(word));
            error
        }
    };
    error.caused_by(failure.cause)
}
