//! Unpredictable values.

use alloy_primitives::{B256, U256};

/// A fresh nonce.
pub fn nonce() -> U256 {
    U256::from_be_bytes(B256::random().0)
}
