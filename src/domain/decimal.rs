//! Decimals that the service states as text or as JSON numbers: percentages, USD values.

use super::amount;
use alloy_primitives::U256;

/// Digits kept behind the point. More of them are cut.
pub const SCALE: u8 = 18;
/// Longest text that is read: enough for any price, too short to overflow.
const MAX_LENGTH: usize = 60;

/// A decimal without sign, times 10^18. Digits behind the eighteenth are cut. `None` for anything else.
pub fn scaled(text: &str) -> Option<U256> {
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
    let digits = digits.get(..digits.len().saturating_sub(kept)).unwrap_or_default();
    let added = u8::try_from(places.min(0).unsigned_abs()).ok()?;
    amount::parse_units(if digits.is_empty() { "0" } else { digits }, added).ok()
}

/// A percentage as basis points, rounded up: `0.125` % is 13 bps. `None` where it is not one, or above 65 535 bps.
pub fn percent_to_bps_ceil(text: &str) -> Option<u16> {
    // 10^18 is 1 %: without the last 16 digits it is basis points.
    let text = amount::text(scaled(text)?);
    let (whole, rest) = text.split_at_checked(text.len().saturating_sub(16)).unwrap_or(("", &text));
    let floor: u16 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
    // The ninth digit behind the bps and later ones are what floats leave behind (0.35 written as 0.35000000000000003).
    if rest.bytes().take(8).all(|digit| digit == b'0') { Some(floor) } else { floor.checked_add(1) }
}

/// Whether going from `from` to `to` loses more than `bps`. `None` where that cannot be said.
pub fn loses_more_than(from: U256, to: U256, bps: u16) -> Option<bool> {
    let (kept, _) = amount::mul_div(to, 10_000, 1)?;
    let (least, _) = amount::mul_div(from, 10_000_u16.saturating_sub(bps), 1)?;
    (!from.is_zero()).then_some(kept < least)
}

/// How many basis points of `whole` a part is, rounded down.
pub fn bps_of(part: U256, whole: U256) -> Option<u64> {
    let (parts, _) = amount::mul_div(part, 10_000, 1)?;
    amount::div_rem(parts, whole)?.0.try_into().ok()
}

/// Basis points as a percentage: 10 is `0.1`, 125 is `1.25`.
pub fn bps_as_percent(bps: u16) -> String {
    amount::format_units(U256::from(bps), 2).unwrap_or_default()
}
