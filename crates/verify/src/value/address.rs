//! EVM addresses as text: the exact pattern, and the mixed-case checksum of EIP-55
//! (<https://eips.ethereum.org/EIPS/eip-55>).
//!
//! Two readers, because the two sources differ: a person can mistype an address, so [`parse`] insists on the checksum;
//! the service writes any casing, so [`any_case`] ignores it, and addresses are compared as bytes.

use alloy_primitives::{Address, hex, keccak256};
use std::cell::RefCell;
use std::collections::VecDeque;

/// The reason why [`parse`] refuses a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddressError {
    /// The text does not start with `0x`.
    Prefix,
    /// There are not 40 characters after `0x`.
    Length,
    /// A character is not a hex digit.
    Digit,
    /// The mix of upper and lower case is not EIP-55's: a mistyped character, or the checksum of a chain that has its
    /// own rule (EIP-1191).
    Checksum,
    /// The zero address, in a place where it cannot be meant. [`parse`] never returns this: the caller decides.
    Zero,
}

impl AddressError {
    /// The form that would be right, in words for the `expected` of an error.
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

/// Reads an address from a person or a program: `0x`, then 40 hex digits, all lower case, all upper case, or mixed with
/// a right EIP-55 checksum.
///
/// # Errors
/// The first rule that the text breaks; never [`AddressError::Zero`].
///
/// ```
/// use verified_swap_verify::internal::value::address::{AddressError, parse};
/// assert!(parse("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed").is_ok());
/// assert_eq!(parse("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1Beaed"), Err(AddressError::Checksum));
/// ```
pub fn parse(text: &str) -> Result<Address, AddressError> {
    let digits = text.strip_prefix("0x").ok_or(AddressError::Prefix)?;
    // Characters, not bytes. (The library's count is optimised for long texts, and is a kilobyte.)
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

/// Reads an address as the service writes it: `0x` and 40 hex digits in any casing; the checksum is ignored.
///
/// ```
/// use verified_swap_verify::internal::value::address::{any_case, checksummed};
/// let odd = any_case("0x5AAEB6053F3e94c9b9a09f33669435e7ef1beaed").unwrap();
/// assert_eq!(checksummed(odd), "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed");
/// assert_eq!(any_case("5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"), None);
/// ```
pub fn any_case(text: &str) -> Option<Address> {
    let digits = text.strip_prefix("0x").filter(|digits| digits.len() == 40)?;
    let mut bytes = [0u8; 20];
    hex::decode_to_slice(digits, &mut bytes).ok()?;
    // decode_to_slice would skip a second prefix; 40 characters of hex leave no room for one.
    Some(Address::from(bytes))
}

thread_local! {
    /// The addresses that were written last, with their texts: a trade writes the same few many times.
    static WRITTEN: RefCell<VecDeque<(Address, String)>> = const { RefCell::new(VecDeque::new()) };
}

/// The number of addresses that are kept.
const KEPT: usize = 16;

/// The address as text with its EIP-55 checksum, the form that this package writes everywhere.
pub fn checksummed(address: Address) -> String {
    WRITTEN.with_borrow_mut(|written| {
        if let Some((_, text)) = written.iter().find(|(known, _)| *known == address) {
            return text.clone();
        }
        let text = with_checksum(address);
        written.truncate(KEPT - 1);
        written.push_front((address, text.clone()));
        text
    })
}

/// Same as [`checksummed`], computed from the hash of the digits.
fn with_checksum(address: Address) -> String {
    let mut digits = hex::encode(address).into_bytes();
    let hash = keccak256(&digits);
    // A letter is upper case if the hash of the lower-case digits has a digit above 7 at the same place.
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
