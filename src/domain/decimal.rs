//! Decimals that the service states as text or as JSON numbers: percentages, USD values.

use super::amount;
use alloy_primitives::U256;

/// Digits kept behind the point. More of them are cut.
const SCALE: u8 = 18;
/// Longest text that is read: enough for any price, too short to overflow.
const MAX_LENGTH: usize = 60;

/// A decimal without sign, times 10^18. Digits behind the eighteenth are cut. `None` for anything else.
pub fn scaled(text: &str) -> Option<U256> {
    let mut parts = text.splitn(2, ['e', 'E']);
    let mantissa = parts.next().unwrap_or_default();
    let exponent: i32 = parts.next().map_or(Some(0), |exponent| exponent.parse().ok())?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if mantissa.len() > MAX_LENGTH || exponent.unsigned_abs() > 30 {
        return None;
    }
    let digits = [whole, fraction].concat();
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let value = amount::parse_units(&digits, 0).ok()?;
    let places = i32::try_from(fraction.len()).ok()?.checked_sub(exponent)?.checked_sub(i32::from(SCALE))?;
    let power = U256::from(10).checked_pow(U256::from(places.unsigned_abs()))?;
    if places > 0 { value.checked_div(power) } else { value.checked_mul(power) }
}

/// A percentage as basis points, rounded up: `0.125` % is 13 bps. `None` where it is not one, or above 65 535 bps.
pub fn percent_to_bps_ceil(text: &str) -> Option<u16> {
    let unit = U256::from(10).pow(U256::from(16));
    let value = scaled(text)?;
    let up = value.checked_add(unit.checked_sub(U256::from(1))?)?;
    up.checked_div(unit).and_then(|bps| u16::try_from(bps).ok())
}

/// Whether going from `from` to `to` loses more than `bps`. `None` where that can not be said.
pub fn loses_more_than(from: &str, to: &str, bps: u16) -> Option<bool> {
    let from = scaled(from).filter(|value| !value.is_zero())?;
    let to = scaled(to)?;
    let kept = to.checked_mul(U256::from(10_000))?;
    let least = from.checked_mul(U256::from(10_000_u16.saturating_sub(bps)))?;
    Some(kept < least)
}

/// Basis points as a percentage: 10 is `0.1`, 125 is `1.25`.
pub fn bps_as_percent(bps: u16) -> String {
    amount::format_units(U256::from(bps), 2).unwrap_or_default()
}
