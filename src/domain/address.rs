//! EVM addresses: the exact pattern, and the checksum of EIP-55.

use alloy_primitives::{Address, hex, keccak256};

/// Why a text is not an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddressError {
    /// Does not start with `0x`.
    Prefix,
    /// Not 40 characters after `0x`.
    Length,
    /// A character that is not a hex digit.
    Digit,
    /// Upper and lower case are mixed, and not as EIP-55 has it: a mistyped character, or another chain's checksum.
    Checksum,
    /// The zero address, where it can not be meant.
    Zero,
}

impl AddressError {
    /// What was expected, to be read by a person.
    pub fn expected(self) -> &'static str {
        match self {
            AddressError::Prefix => "an address that starts with 0x",
            AddressError::Length => "40 hex digits after 0x",
            AddressError::Digit => "hex digits only after 0x",
            AddressError::Checksum => {
                "a right EIP-55 checksum (or all lower, or all upper case): a character may be mistyped"
            }
            AddressError::Zero => "an address that is not zero",
        }
    }
}

/// An address as a person or a program passes it in: all lower case, all upper case, or with a right EIP-55 checksum.
///
/// # Errors
/// Says which of the rules is broken.
///
/// ```
/// use verified_swap::domain::address::{AddressError, parse};
/// assert!(parse("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed").is_ok());
/// assert_eq!(parse("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1Beaed"), Err(AddressError::Checksum));
/// ```
pub fn parse(text: &str) -> Result<Address, AddressError> {
    let digits = text.strip_prefix("0x").ok_or(AddressError::Prefix)?;
    // Characters, not bytes. (The library's count is made for long texts, and is a kilobyte.)
    if digits.bytes().filter(|byte| byte & 0xC0 != 0x80).count() != 40 {
        return Err(AddressError::Length);
    }
    let address = any_case(text).ok_or(AddressError::Digit)?;
    let lower = digits.bytes().any(|b| b.is_ascii_lowercase());
    let upper = digits.bytes().any(|b| b.is_ascii_uppercase());
    if lower && upper && checksummed(address) != text {
        return Err(AddressError::Checksum);
    }
    Ok(address)
}

/// An address as the service writes it: any casing, the checksum not looked at.
pub fn any_case(text: &str) -> Option<Address> {
    let digits = text.strip_prefix("0x").filter(|digits| digits.len() == 40)?;
    let mut bytes = [0u8; 20];
    hex::decode_to_slice(digits, &mut bytes).ok()?;
    // decode_to_slice would skip a second prefix; 40 characters of hex leave no room for one.
    Some(Address::from(bytes))
}

/// The address with its EIP-55 checksum.
pub fn checksummed(address: Address) -> String {
    let mut digits = hex::encode(address).into_bytes();
    let hash = keccak256(&digits);
    // A letter is upper case where the hash of the lower-case digits has a digit above 7 at its place.
    for (pair, byte) in digits.chunks_exact_mut(2).zip(&hash) {
        let [first, second] = pair else { continue };
        if byte & 0x80 != 0 {
            first.make_ascii_uppercase();
        }
        if byte & 0x08 != 0 {
            second.make_ascii_uppercase();
        }
    }
    ["0x", core::str::from_utf8(&digits).unwrap_or_default()].concat()
}
