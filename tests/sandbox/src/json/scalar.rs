//! The meaning of strings in the service's JSON and queries.

use alloy_primitives::{Address, Bytes, U256};

/// `0x` and 40 hex characters, in any casing.
pub fn read_address(text: &str) -> Option<Address> {
    text.strip_prefix("0x").filter(|digits| digits.len() == 40)?.parse().ok()
}

/// Digits only, at most 256 bits.
pub fn read_amount(text: &str) -> Option<U256> {
    let digits = Some(text).filter(|text| !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit()))?;
    U256::from_str_radix(digits, 10).ok()
}

/// `0x` and hex characters.
pub fn read_hex(text: &str) -> Option<Bytes> {
    text.strip_prefix("0x")?.parse().ok()
}
