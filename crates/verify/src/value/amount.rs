//! Token amounts: raw units (the token's smallest), 256 bits, exact; no floating point anywhere.
//!
//! `ruint`, which provides [`U256`], divides and multiplies any two numbers. That is 17 KB of code that this package
//! mostly does not need: nearly every factor and divisor here fits 32 bits, so this file has its own arithmetic for
//! those. For two large factors, see `domain::product`.

use alloy_primitives::U256;

/// The most decimals that a token may have: one whole unit of such a token, 10^77, still fits 256 bits.
pub const MAX_DECIMALS: u8 = 77;

/// The reason why a text is not an amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AmountError {
    /// Not digits only: the text is empty, or has a sign, a point, an exponent or a blank.
    NotDecimal,
    /// Whole units that are not digits with at most one point.
    NotUnits,
    /// Leading zeros: two texts would mean one number.
    LeadingZero,
    /// The number is above 2^256 - 1.
    TooLarge,
    /// More fraction digits than the token has decimals.
    TooPrecise,
    /// More decimals than [`MAX_DECIMALS`].
    Decimals,
}

impl AmountError {
    /// The form that would be right, in words for the `expected` of an error.
    pub fn expected(self) -> &'static str {
        match self {
            AmountError::NotDecimal => "decimal digits only (no sign, point, exponent or blank)",
            AmountError::NotUnits => "digits with at most one point (no comma, sign, exponent or blank)",
            AmountError::LeadingZero => "no zeros in front",
            AmountError::TooLarge => "at most 2^256 - 1",
            AmountError::TooPrecise => "no more fraction digits than the token has decimals",
            AmountError::Decimals => "decimals from 0 to 77",
        }
    }
}

/// Reads raw units: a canonical decimal integer of at most 256 bits.
///
/// # Errors
/// [`AmountError::NotDecimal`], [`AmountError::LeadingZero`], [`AmountError::TooLarge`].
///
/// ```
/// use verified_swap_verify::internal::value::amount::{AmountError, parse_uint, text};
/// assert_eq!(text(parse_uint("1500000").unwrap()), "1500000");
/// assert_eq!(parse_uint("1.5"), Err(AmountError::NotDecimal));
/// assert_eq!(parse_uint("015"), Err(AmountError::LeadingZero));
/// ```
pub fn parse_uint(text: &str) -> Result<U256, AmountError> {
    if text.len() > 1 && text.starts_with('0') && text.bytes().all(|b| b.is_ascii_digit()) {
        return Err(AmountError::LeadingZero);
    }
    digits(text)
}

/// Reads decimal digits; leading zeros are allowed.
fn digits(text: &str) -> Result<U256, AmountError> {
    if text.is_empty() {
        return Err(AmountError::NotDecimal);
    }
    if !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(AmountError::NotDecimal);
    }
    let mut words = [0; 8];
    // Nine digits at a time: 10^9 is the largest power of ten below 2^32.
    for chunk in text.as_bytes().chunks(9) {
        let (mut value, mut scale) = (0_u32, 1_u32);
        for byte in chunk {
            value = value.saturating_mul(10).saturating_add((byte & 15).into());
            scale = scale.saturating_mul(10);
        }
        if multiply(&mut words, scale, value) > 0 {
            return Err(AmountError::TooLarge);
        }
    }
    Ok(joined(&words))
}

/// Converts an amount in whole units, as people write it, to raw units: `1.5` of a token with 6 decimals is `1500000`.
/// `.5` and `5.` are read too.
///
/// # Errors
/// [`AmountError`], but not [`AmountError::LeadingZero`]. More fraction digits than `decimals` are
/// [`AmountError::TooPrecise`] unless they are zeros: nothing is rounded.
///
/// ```
/// use verified_swap_verify::internal::value::amount::parse_units;
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
        && (fraction.is_empty() != text.bytes().any(|b| b == b'.'));
    if !is_number {
        return Err(AmountError::NotUnits);
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

/// Converts raw units to an amount in whole units: exact, without trailing zeros. The reverse of [`parse_units`].
///
/// # Errors
/// [`AmountError::Decimals`] if there are more than 77.
///
/// ```
/// use verified_swap_verify::internal::value::amount::{format_units, parse_units};
/// assert_eq!(format_units(parse_units("1.50", 6).unwrap(), 6).unwrap(), "1.5");
/// ```
pub fn format_units(amount: U256, decimals: u8) -> Result<String, AmountError> {
    if decimals > MAX_DECIMALS {
        return Err(AmountError::Decimals);
    }
    let decimals = usize::from(decimals);
    let mut text = text(amount);
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

/// A number in decimal digits, without leading zeros: the form of amounts in JSON and reports.
pub fn text(amount: U256) -> String {
    const CHUNK: u32 = 1_000_000_000;
    let mut limbs = words(amount.as_limbs());
    // 2^256 has 78 digits. They are written from the last to the first.
    let mut digits = [b'0'; 78];
    let mut first = digits.len();
    let mut rest = 0;
    for (count, digit) in digits.iter_mut().rev().enumerate() {
        if count % 9 == 0 {
            rest = divide(&mut limbs, CHUNK, 0);
        }
        *digit = b'0'.saturating_add(u8::try_from(rest % 10).unwrap_or(0));
        rest /= 10;
        first = first.saturating_sub(1);
        if rest == 0 && limbs == [0; 8] {
            break;
        }
    }
    core::str::from_utf8(digits.get(first..).unwrap_or_default()).unwrap_or_default().into()
}

/// `floor(a x b / c)` without overflow in between, and whether the division was exact. `None` if the result does not
/// fit 256 bits, or `c` is 0.
pub fn mul_div(a: U256, b: u16, c: u16) -> Option<(U256, bool)> {
    let mut words = words(a.as_limbs());
    let above = multiply(&mut words, b.into(), 0);
    if above >= u32::from(c) {
        return None;
    }
    let rest = divide(&mut words, c.into(), above);
    Some((joined(&words), rest == 0))
}

/// `a x by`; `None` if that does not fit 256 bits.
pub fn times(a: U256, by: u32) -> Option<U256> {
    let mut words = words(a.as_limbs());
    (multiply(&mut words, by, 0) == 0).then(|| joined(&words))
}

/// `floor(value / by)` and the remainder; `None` if `by` is 0. Bit by bit: `ruint`'s general division is 16 KB.
pub fn div_rem(value: U256, by: U256) -> Option<(U256, U256)> {
    let (mut quotient, mut rest) = (U256::ZERO, U256::ZERO);
    for bit in (0..256).rev() {
        let carry = rest.bit(255);
        rest = rest.wrapping_shl(1);
        rest.set_bit(0, value.bit(bit));
        if carry || rest >= by {
            rest = rest.wrapping_sub(by);
            quotient.set_bit(bit, true);
        }
    }
    (!by.is_zero()).then_some((quotient, rest))
}

/// Computes `words x by + add` in place, least significant word first; returns the carry. (`ruint` multiplies any two
/// numbers, in a kilobyte.)
fn multiply(words: &mut [u32; 8], by: u32, add: u32) -> u32 {
    let mut carry = u64::from(add);
    for word in words {
        carry = u64::from(*word).wrapping_mul(by.into()).wrapping_add(carry);
        *word = low(carry);
        carry >>= 32;
    }
    low(carry)
}

/// Divides `words` by `by` in place, with `rest` as the word above the highest; returns the remainder.
fn divide(words: &mut [u32; 8], by: u32, rest: u32) -> u32 {
    let mut rest = u64::from(rest);
    for word in words.iter_mut().rev() {
        let value = (rest << 32) | u64::from(*word);
        // Small numbers have zeros in the upper words, and division is slow.
        if value == 0 {
            continue;
        }
        let quotient = value.checked_div(by.into()).unwrap_or_default();
        rest = value.wrapping_sub(quotient.wrapping_mul(by.into()));
        *word = low(quotient);
    }
    low(rest)
}

/// The number with these words, least significant first.
fn joined(words: &[u32; 8]) -> U256 {
    let mut limbs = [0u64; 4];
    for (limb, pair) in limbs.iter_mut().zip(words.chunks_exact(2)) {
        *limb = pair.iter().rev().fold(0, |limb, word| (limb << 32) | u64::from(*word));
    }
    U256::from_limbs(limbs)
}

/// The number as 32-bit words, least significant first.
fn words(limbs: &[u64; 4]) -> [u32; 8] {
    let mut words = [0; 8];
    for (pair, limb) in words.chunks_exact_mut(2).zip(limbs) {
        for (word, shift) in pair.iter_mut().zip([0, 32]) {
            *word = low(limb >> shift);
        }
    }
    words
}

#[allow(clippy::cast_possible_truncation, reason = "the low half is what is wanted")]
fn low(value: u64) -> u32 {
    value as u32
}
