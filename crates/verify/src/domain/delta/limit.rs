//! A limit given as a price (`limitPrice`: whole destination tokens for one whole source token), turned into raw units
//! exactly.

use crate::domain::product::product;
use crate::domain::side::Side;
use crate::value::amount::{MAX_DECIMALS, div_rem, mul_div, parse_units};
use alloy_primitives::U256;

/// The digits of a price such as `1.25`, and how many of them are after the decimal point.
fn digits(price: &str) -> Option<(U256, u8)> {
    let (whole, fraction) = price.split_once('.').unwrap_or((price, ""));
    let fraction = fraction.trim_end_matches('0');
    let places = u8::try_from(fraction.len()).ok().filter(|places| *places <= MAX_DECIMALS)?;
    let digits = parse_units(price, places).ok()?;
    (!whole.is_empty() && !digits.is_zero()).then_some((digits, places))
}

/// The limit, raw units, of an order whose other amount is `fixed` raw units. SELL: the least that comes out, rounded
/// up; BUY: the most that goes in, rounded down; so never worse for the user than the price. `None` if the price is no
/// decimal above 0, or the limit would be 0 or above 256 bits.
///
/// ```
/// use alloy_primitives::U256;
/// use verified_swap_verify::internal::domain::delta::limit::amount_at;
/// use verified_swap_verify::internal::domain::side::Side;
/// // 100 of 6 decimals at 0.0004 each, into 18 decimals.
/// let least = amount_at("0.0004", Side::Sell, U256::from(100_000_000), 6, 18).unwrap();
/// assert_eq!(least, U256::from(40_000_000_000_000_000_u64));
/// ```
pub fn amount_at(price: &str, side: Side, fixed: U256, src_decimals: u8, dest_decimals: u8) -> Option<U256> {
    let (price, places) = digits(price)?;
    let (src, dest) = (i32::from(src_decimals), i32::from(dest_decimals));
    let amount = match side {
        Side::Sell => {
            shifted_up(product(&[&fixed, &price]).number()?, dest.checked_sub(src)?.checked_sub(places.into())?)
        }
        Side::Buy => {
            let shift = src.checked_add(places.into())?.checked_sub(dest)?;
            let (above, below) = (shifted_up(fixed, shift.max(0))?, shifted_up(price, shift.min(0).checked_neg()?)?);
            div_rem(above, below).map(|(floor, _)| floor)
        }
    };
    amount.filter(|amount| !amount.is_zero())
}

/// `amount x 10^shift`, rounded up if digits are lost.
fn shifted_up(mut amount: U256, shift: i32) -> Option<U256> {
    let mut exact = true;
    let (by, over) = if shift < 0 { (1, 10) } else { (10, 1) };
    for _ in 0..shift.unsigned_abs() {
        let (shifted, whole) = mul_div(amount, by, over)?;
        (amount, exact) = (shifted, exact && whole);
    }
    if exact { Some(amount) } else { amount.checked_add(U256::from(1)) }
}
