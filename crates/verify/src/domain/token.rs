//! Tokens in a caller's spelling, and the service's placeholder for a chain's native token.

use crate::error::{Error, Result};
use crate::json::JsonAt;
use crate::value::address::{self, AddressError};
use crate::value::text::ToText;
use alloy_primitives::{Address, U256, address};

/// The placeholder for a chain's native token. The service takes it only in its checksum casing, which
/// [`address::checksummed`] writes.
pub const NATIVE: Address = address!("0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE");

/// Reads a token in a caller's spelling: an address, or the native token (`native`, `0x0`, the zero address, the
/// placeholder in any casing).
///
/// # Errors
/// The errors of [`address::parse`].
///
/// ```
/// use verified_swap_verify::internal::domain::token::{NATIVE, parse};
/// assert_eq!(parse("native"), Ok(NATIVE));
/// assert_eq!(parse("0xEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEE"), Ok(NATIVE));
/// assert!(parse("USDC").is_err());
/// ```
pub fn parse(text: &str) -> core::result::Result<Address, AddressError> {
    if text == "native" || text == "0x0" {
        return Ok(NATIVE);
    }
    // Before the checksum is checked: a placeholder in odd casing is still the placeholder.
    match address::any_case(text) {
        Some(token) if token == NATIVE || token.is_zero() => Ok(NATIVE),
        _ => address::parse(text),
    }
}

/// Reads a member that names a token, as [`parse`] does.
///
/// # Errors
/// INVALID_INPUT with the member and the rule that it breaks.
pub fn read(at: &JsonAt<'_>) -> Result<Address> {
    parse(at.text()?).map_err(|why| at.fault(why.expected()))
}

/// Refuses decimals that the caller stated in `field` and that are not the token's own on the chain. Wrong ones turn 1
/// into a million unnoticed.
///
/// # Errors
/// INVALID_INPUT with the field and the right number.
pub fn own_decimals(field: &str, stated: u8, own: &U256) -> Result<()> {
    if *own == U256::from(stated) {
        return Ok(());
    }
    Err(Error::input(field, &["the token's own ", &own.text()].concat(), &stated.text()))
}

/// Whether this is the placeholder for the native token.
pub fn is_native(token: Address) -> bool {
    token == NATIVE
}
