//! What a wallet's failure means (EIP-1193, EIP-1474).

use crate::error::{Error, ErrorCode};
use crate::host::WalletFailure;

/// The error for a failed request. `doing` completes "the wallet failed while ...".
pub fn wallet_error(failure: WalletFailure, doing: &str) -> Error {
    if failure.aborted {
        return Error::aborted();
    }
    let (code, message) = match failure.code {
        Some(4001) => (ErrorCode::UserRejected, "rejected in the wallet".into()),
        Some(-32002) => (ErrorCode::WalletPending, "the wallet already has a request open".into()),
        _ => (ErrorCode::WalletFailed, ["the wallet failed while ", doing, ": ", &failure.message].concat()),
    };
    Error::new(code, message).caused_by(failure.cause)
}
