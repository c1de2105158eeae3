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
    if !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(AmountError::NotDecimal);
    }
    let mut words = [0; 8];
    // Nine at a time: as many as a word holds.
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
        && (fraction.is_empty() != text.bytes().any(|b| b == b'.'));
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

/// The amount in decimal digits.
pub fn text(amount: U256) -> String {
    const CHUNK: u32 = 1_000_000_000;
    let mut limbs = words(amount.as_limbs());
    // 2^256 has 78 digits. Written from the last to the first.
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

/// `floor(a x b / c)` without overflow in between, and whether it is exact; `None` where it does not fit or `c` is 0.
pub fn mul_div(a: U256, b: u16, c: u16) -> Option<(U256, bool)> {
    let mut words = words(a.as_limbs());
    let above = multiply(&mut words, b.into(), 0);
    if above >= u32::from(c) {
        return None;
    }
    let rest = divide(&mut words, c.into(), above);
    Some((joined(&words), rest == 0))
}

/// `a x by`; `None` above 256 bits.
pub fn times(a: U256, by: u32) -> Option<U256> {
    let mut words = words(a.as_limbs());
    (multiply(&mut words, by, 0) == 0).then(|| joined(&words))
}

/// `floor(value / by)` and what is left; `None` where `by` is 0. Bit by bit: `ruint`'s general division is 16 KB.
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

/// Multiplies and adds in place, least significant word first; returns what is carried out. (`ruint` multiplies any two
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

/// Divides in place what has `rest` above it; returns the remainder. (`ruint`'s general division is 16 KB.)
fn divide(words: &mut [u32; 8], by: u32, rest: u32) -> u32 {
    let mut rest = u64::from(rest);
    for word in words.iter_mut().rev() {
        let value = (rest << 32) | u64::from(*word);
        let quotient = value.checked_div(by.into()).unwrap_or_default();
        rest = value.wrapping_sub(quotient.wrapping_mul(by.into()));
        *word = low(quotient);
    }
    low(rest)
}

fn joined(words: &[u32; 8]) -> U256 {
    let mut limbs = [0u64; 4];
    for (limb, pair) in limbs.iter_mut().zip(words.chunks_exact(2)) {
        *limb = pair.iter().rev().fold(0, |limb, word| (limb << 32) | u64::from(*word));
    }
    U256::from_limbs(limbs)
}

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
