//! Decimals that the service states as text or as JSON numbers: percentages and dollar values.
//!
//! They are read as fixed-point integers ([`SCALE`] digits), because a float would round the values that are compared.

use crate::value::amount;
use alloy_primitives::U256;

/// The number of digits kept after the decimal point; further ones are cut off.
pub const SCALE: u8 = 18;
/// The longest mantissa that is read, in characters: enough for any price, too short to overflow.
const MAX_LENGTH: usize = 60;

/// A decimal without sign, with or without an exponent, times 10^18. Digits behind the eighteenth are cut off. `None`
/// for any other text, and for exponents beyond 30.
///
/// ```
/// use alloy_primitives::U256;
/// use verified_swap_verify::internal::domain::decimal::scaled;
/// assert_eq!(scaled("1.5e-3"), Some(U256::from(1_500_000_000_000_000_u64)));
/// assert_eq!(scaled("-1"), None);
/// ```
pub fn scaled(text: &str) -> Option<U256> {
    read(text).map(|(number, _)| number)
}

/// The same of a decimal that loses no more than a millionth; else `None`.
pub fn precise(text: &str) -> Option<U256> {
    let is_precise = |(number, is_exact): &(U256, bool)| *is_exact || *number >= U256::from(1_000_000);
    read(text).filter(is_precise).map(|(number, _)| number)
}

/// The number, and whether only zeros were cut.
fn read(text: &str) -> Option<(U256, bool)> {
    let text = text.to_ascii_lowercase();
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().ok()?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if mantissa.len() > MAX_LENGTH || exponent.unsigned_abs() > 30 {
        return None;
    }
    let digits = [whole, fraction].concat();
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let places = i32::try_from(fraction.len()).ok()?.checked_sub(exponent)?.checked_sub(i32::from(SCALE))?;
    // Too many places are cut from the text, too few are added to it: no division is needed.
    let kept = usize::try_from(places.max(0)).ok()?;
    let (digits, cut) = digits.split_at(digits.len().saturating_sub(kept));
    let added = u8::try_from(places.min(0).unsigned_abs()).ok()?;
    let number = amount::parse_units(if digits.is_empty() { "0" } else { digits }, added).ok()?;
    Some((number, cut.bytes().all(|digit| digit == b'0')))
}

/// The sum of decimals in the form of [`scaled`]; texts that are no decimals are left out.
pub fn sum(texts: &[&str]) -> U256 {
    texts.iter().filter_map(|text| scaled(text)).fold(U256::ZERO, U256::saturating_add)
}

/// A percentage, decimal text, as basis points, rounded up so that a fee is never taken for a lower one: `0.125` % is
/// 13 bps. `None` if it is no decimal, or above 65 535 bps.
///
/// ```
/// use verified_swap_verify::internal::domain::decimal::percent_to_bps_ceil;
/// assert_eq!(percent_to_bps_ceil("0.125"), Some(13));
/// assert_eq!(percent_to_bps_ceil("0.35000000000000003"), Some(35)); // what a float leaves behind
/// ```
pub fn percent_to_bps_ceil(text: &str) -> Option<u16> {
    // 10^18 is 1 %: without the last 16 digits it is basis points.
    let text = amount::text(scaled(text)?);
    let (whole, rest) = text.split_at_checked(text.len().saturating_sub(16)).unwrap_or(("", &text));
    let floor: u16 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
    // Digits from the ninth after the bps on are a float's rounding (0.35 written as 0.35000000000000003).
    if rest.bytes().take(8).all(|digit| digit == b'0') { Some(floor) } else { floor.checked_add(1) }
}

/// Whether `to` is less than `from` by more than `bps` of it; both in the same unit. `None` if `from` is 0, or the
/// numbers are too large to compare.
pub fn loses_more_than(from: U256, to: U256, bps: u16) -> Option<bool> {
    let (kept, _) = amount::mul_div(to, 10_000, 1)?;
    let (least, _) = amount::mul_div(from, 10_000_u16.saturating_sub(bps), 1)?;
    (!from.is_zero()).then_some(kept < least)
}

/// A part in basis points of `whole`, rounded down. `None` if `whole` is 0, or the numbers are too large.
pub fn bps_of(part: U256, whole: U256) -> Option<u64> {
    let (parts, _) = amount::mul_div(part, 10_000, 1)?;
    amount::div_rem(parts, whole)?.0.try_into().ok()
}

/// Basis points as a percentage, decimal text: 10 is `0.1`, 125 is `1.25`.
pub fn bps_as_percent(bps: u16) -> String {
    amount::format_units(U256::from(bps), 2).unwrap_or_default()
}
