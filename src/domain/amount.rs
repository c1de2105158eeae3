//! Amounts of tokens: raw units, 256 bits, no float anywhere.

use alloy_primitives::U256;

/// The most decimals a token can have for every amount of it to fit 256 bits.
pub const MAX_DECIMALS: u8 = 77;

/// Why a text is not an amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AmountError {
    /// Not digits only: a sign, an exponent, a blank, a point, or nothing.
    NotDecimal,
    /// Zeros in front.
    LeadingZero,
    /// More than 256 bits.
    TooLarge,
    /// More fraction digits than the token has decimals.
    TooPrecise,
    /// More than 77 decimals.
    Decimals,
}

impl AmountError {
    /// What was expected, to be read by a person.
    pub fn expected(self) -> &'static str {
        match self {
            AmountError::NotDecimal => "decimal digits only (no sign, point, exponent or blank)",
            AmountError::LeadingZero => "no zeros in front",
            AmountError::TooLarge => "at most 2^256 - 1",
            AmountError::TooPrecise => "no more fraction digits than the token has decimals",
            AmountError::Decimals => "decimals from 0 to 77",
        }
    }
}

/// A canonical decimal integer of at most 256 bits.
///
/// # Errors
/// [`AmountError::NotDecimal`], [`AmountError::LeadingZero`], [`AmountError::TooLarge`].
pub fn parse_uint(text: &str) -> Result<U256, AmountError> {
    if text.len() > 1 && text.starts_with('0') && text.bytes().all(|b| b.is_ascii_digit()) {
        return Err(AmountError::LeadingZero);
    }
    digits(text)
}

/// Digits, zeros in front allowed.
fn digits(text: &str) -> Result<U256, AmountError> {
    if text.is_empty() {
        return Err(AmountError::NotDecimal);
    }
    let mut value = U256::ZERO;
    for byte in text.bytes() {
        if !byte.is_ascii_digit() {
            return Err(AmountError::NotDecimal);
        }
        let digit = U256::from(byte & 15);
        let shifted = value.checked_mul(U256::from(10)).ok_or(AmountError::TooLarge)?;
        value = shifted.checked_add(digit).ok_or(AmountError::TooLarge)?;
    }
    Ok(value)
}

/// Raw units of an amount written with a decimal point: `1.5` of a token with 6 decimals is `1500000`.
///
/// # Errors
/// [`AmountError`]; more fraction digits than `decimals` are refused, not rounded, unless they are zeros.
///
/// ```
/// use verified_swap::domain::amount::parse_units;
/// assert_eq!(parse_units("1.5", 6).unwrap().to_string(), "1500000");
/// assert!(parse_units("0.0000001", 6).is_err());
/// ```
pub fn parse_units(text: &str, decimals: u8) -> Result<U256, AmountError> {
    if decimals > MAX_DECIMALS {
        return Err(AmountError::Decimals);
    }
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let is_number = (!whole.is_empty() || !fraction.is_empty())
        && whole.bytes().chain(fraction.bytes()).all(|b| b.is_ascii_digit())
        && (fraction.is_empty() != text.contains('.'));
    if !is_number {
        return Err(AmountError::NotDecimal);
    }
    let fraction = fraction.trim_end_matches('0');
    if fraction.len() > usize::from(decimals) {
        return Err(AmountError::TooPrecise);
    }
    let mut raw = String::from(whole);
    raw.push_str(fraction);
    for _ in fraction.len()..usize::from(decimals) {
        raw.push('0');
    }
    if raw.is_empty() { Ok(U256::ZERO) } else { digits(&raw) }
}

/// The amount with its decimal point, exact, without zeros at the end.
///
/// # Errors
/// [`AmountError::Decimals`].
///
/// ```
/// use verified_swap::domain::amount::{format_units, parse_units};
/// assert_eq!(format_units(parse_units("1.50", 6).unwrap(), 6).unwrap(), "1.5");
/// ```
pub fn format_units(amount: U256, decimals: u8) -> Result<String, AmountError> {
    if decimals > MAX_DECIMALS {
        return Err(AmountError::Decimals);
    }
    let decimals = usize::from(decimals);
    let mut text = amount.to_string();
    if text.len() <= decimals {
        text.insert_str(0, &"0".repeat(decimals.saturating_sub(text.len()).saturating_add(1)));
    }
    if decimals > 0 {
        text.insert(text.len().saturating_sub(decimals), '.');
        let end = text.trim_end_matches('0').trim_end_matches('.').len();
        text.truncate(end);
    }
    Ok(text)
}

/// `floor(a x b / c)` without overflow in between; `None` where the result does not fit or `c` is 0.
pub fn mul_div_floor(a: U256, b: U256, c: U256) -> Option<U256> {
    let (quotient, _) = mul_div(a, b, c)?;
    Some(quotient)
}

/// `ceil(a x b / c)`; `None` where the result does not fit or `c` is 0.
pub fn mul_div_ceil(a: U256, b: U256, c: U256) -> Option<U256> {
    let (quotient, exact) = mul_div(a, b, c)?;
    if exact { Some(quotient) } else { quotient.checked_add(U256::from(1)) }
}

fn mul_div(a: U256, b: U256, c: U256) -> Option<(U256, bool)> {
    if c.is_zero() {
        return None;
    }
    let product: alloy_primitives::U512 = a.widening_mul(b);
    let (quotient, rest) = product.div_rem(alloy_primitives::U512::from(c));
    let fits = quotient.bit_len() <= 256;
    fits.then(|| (quotient.wrapping_to::<U256>(), rest.is_zero()))
}
