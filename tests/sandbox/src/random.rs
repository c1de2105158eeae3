//! Unpredictable values.

use alloy_primitives::{B128, B256, U256};

/// A version 4 UUID.
pub fn uuid() -> String {
    let mut bytes = B128::random();
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let hex = alloy_primitives::hex::encode(bytes);
    format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}

/// Whether a text has the form of a UUID.
pub fn is_uuid(text: &str) -> bool {
    let lengths = text.split('-').map(str::len);
    lengths.eq([8, 4, 4, 4, 12]) && text.bytes().all(|byte| byte == b'-' || byte.is_ascii_hexdigit())
}

/// A nonce nobody used before.
pub fn nonce() -> U256 {
    U256::from_be_bytes(B256::random().0)
}
