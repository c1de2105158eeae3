//! Tokens, and the one spelling of the native coin that the service takes.

use super::address::{self, AddressError};
use super::text::ToText;
use crate::error::{Error, Result};
use crate::json::JsonAt;
use alloy_primitives::{Address, U256, address};

/// The native coin's placeholder. The service refuses it in any other casing than its checksum's (service, section 1).
pub const NATIVE: Address = address!("0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE");

/// A token as the caller names it: an address, or the native coin in any of its spellings (`0x0`, the zero address, the
/// placeholder in any casing, `native`).
///
/// # Errors
/// As [`address::parse`].
pub fn parse(text: &str) -> core::result::Result<Address, AddressError> {
    if text == "native" || text == "0x0" {
        return Ok(NATIVE);
    }
    // Before the checksum is looked at: a placeholder in odd casing is still the placeholder.
    match address::any_case(text) {
        Some(token) if token == NATIVE || token.is_zero() => Ok(NATIVE),
        _ => address::parse(text),
    }
}

/// As [`parse`], of what the caller passed in.
///
/// # Errors
/// Anything else.
pub fn read(at: &JsonAt<'_>) -> Result<Address> {
    parse(at.text()?).map_err(|why| at.fault(why.expected()))
}

/// Holds the decimals that the caller stated in that field against the token's own. A wrong one turns 1 into a million
/// before anybody notices.
///
/// # Errors
/// INVALID_INPUT with the field.
pub fn own_decimals(field: &str, stated: u8, own: &U256) -> Result<()> {
    if *own == U256::from(stated) {
        return Ok(());
    }
    Err(Error::input(field, &["the token's own ", &own.text()].concat(), &stated.text()))
}

/// Whether this is the native coin's placeholder.
pub fn is_native(token: Address) -> bool {
    token == NATIVE
}
