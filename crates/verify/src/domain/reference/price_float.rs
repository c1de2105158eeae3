//! Positive numbers of any size, to 63 bits: prices, which are quotients and powers. An amount of a token is never one.
//!
//! Each step has an error below 10^-18 of the result. The error of a root of a tick doubles with each square: 2.1 x
//! 10^-13 for the price of the highest tick, 10^-13 for 300,000. Results are compared with bounds of whole basis
//! points. (The module has no floating point: its formatting alone is 17 KB.)

use crate::domain::decimal::{SCALE, precise};
use crate::value::amount::{format_units, parse_uint};
use crate::value::text::ToText;
use alloy_primitives::U256;

/// `mantissa x 2^exponent`, the mantissa's highest bit set; zero has the lowest exponent. So the members compare in the
/// order of the numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PriceFloat {
    exponent: i32,
    mantissa: u64,
}

impl PriceFloat {
    /// The number 0.
    pub const ZERO: PriceFloat = PriceFloat { exponent: i32::MIN, mantissa: 0 };
    /// The number 1.
    pub const ONE: PriceFloat = PriceFloat { exponent: -63, mantissa: 1 << 63 };

    /// The nearest number not above `mantissa x 2^exponent`.
    fn new(mantissa: u128, exponent: i32) -> PriceFloat {
        // The highest 64 of the 128 bits are kept.
        let shift = mantissa.leading_zeros();
        if mantissa == 0 {
            return PriceFloat::ZERO;
        }
        let mantissa = u64::try_from(mantissa.wrapping_shl(shift) >> 64).unwrap_or_default();
        PriceFloat { mantissa, exponent: exponent.saturating_add(64).saturating_sub_unsigned(shift) }
    }

    /// A number of 256 bits.
    pub fn of(value: U256) -> PriceFloat {
        let [a, b, c, d] = *value.as_limbs();
        let pair = |low: u64, high: u64| u128::from(high) << 64 | u128::from(low);
        PriceFloat::new(pair(c, d), 128).plus(PriceFloat::new(pair(a, b), 0))
    }

    /// The number `10^power`; `power` may be negative.
    pub fn ten_to(power: i32) -> PriceFloat {
        let whole = (0..power.unsigned_abs()).fold(PriceFloat::ONE, |all, _| all.times(PriceFloat::of(U256::from(10))));
        if power < 0 { PriceFloat::ONE.over(whole) } else { whole }
    }

    /// The square root of 1.0001^`power`.
    ///
    /// ```
    /// use alloy_primitives::U256;
    /// use verified_swap_verify::internal::domain::reference::price_float::PriceFloat;
    /// let e = PriceFloat::root_of_tick(20_000); // 1.0001^10,000
    /// assert_eq!(e.digits(6), "2.71814");
    /// assert_eq!(PriceFloat::root_of_tick(-20_000).times(e).digits(6), "0.999999"); // cut off, not rounded
    /// ```
    pub fn root_of_tick(power: i32) -> PriceFloat {
        // The square root of 1.0001 as a fraction of 2^63, rounded down.
        let mut square = PriceFloat { mantissa: 9_223_833_193_927_979_925, exponent: -63 };
        let mut all = PriceFloat::ONE;
        for bit in 0..20 {
            if power.unsigned_abs() >> bit & 1 == 1 {
                all = all.times(square);
            }
            square = square.times(square);
        }
        if power < 0 { PriceFloat::ONE.over(all) } else { all }
    }

    /// Whether the number is 0.
    pub fn is_zero(self) -> bool {
        self == PriceFloat::ZERO
    }

    /// The product of both.
    pub fn times(self, by: PriceFloat) -> PriceFloat {
        let product = u128::from(self.mantissa).wrapping_mul(by.mantissa.into());
        PriceFloat::new(product, self.exponent.saturating_add(by.exponent))
    }

    /// The quotient; zero by zero.
    pub fn over(self, by: PriceFloat) -> PriceFloat {
        // Bit by bit: the general division of 128 bits is 2 KB.
        let (mut quotient, mut rest, by_mantissa) = (0_u128, u128::from(self.mantissa), u128::from(by.mantissa));
        for _ in 0..=64 {
            quotient <<= 1;
            if rest >= by_mantissa {
                rest = rest.wrapping_sub(by_mantissa);
                quotient |= 1;
            }
            rest <<= 1;
        }
        let exponent = self.exponent.saturating_sub(by.exponent).saturating_sub(64);
        if by.is_zero() { PriceFloat::ZERO } else { PriceFloat::new(quotient, exponent) }
    }

    /// The sum of both.
    pub fn plus(self, other: PriceFloat) -> PriceFloat {
        let (more, less) = if self < other { (other, self) } else { (self, other) };
        let apart = more.exponent.saturating_sub(less.exponent).unsigned_abs();
        let part = (u128::from(less.mantissa) << 63).checked_shr(apart).unwrap_or_default();
        PriceFloat::new((u128::from(more.mantissa) << 63).saturating_add(part), more.exponent.saturating_sub(63))
    }

    /// The difference; zero if the other is larger.
    pub fn minus(self, other: PriceFloat) -> PriceFloat {
        let apart = self.exponent.saturating_sub(other.exponent).unsigned_abs();
        let part = (u128::from(other.mantissa) << 63).checked_shr(apart).unwrap_or_default();
        let left = (u128::from(self.mantissa) << 63).saturating_sub(part);
        if self <= other { PriceFloat::ZERO } else { PriceFloat::new(left, self.exponent.saturating_sub(63)) }
    }

    /// The number rounded down to a whole one of at most 256 bits.
    pub fn floor(self) -> U256 {
        let whole = U256::from(self.mantissa);
        match usize::try_from(self.exponent) {
            Ok(up) if up > 192 => U256::MAX,
            Ok(up) => whole.wrapping_shl(up),
            Err(_) => whole.wrapping_shr(usize::try_from(self.exponent.unsigned_abs()).unwrap_or(256).min(256)),
        }
    }

    /// The number in decimal digits, cut off after so many of them; `0` below 10^-30.
    pub fn digits(self, count: usize) -> String {
        let text = format_units(self.times(PriceFloat::ten_to(30)).floor(), 30).unwrap_or_default();
        let first = text.bytes().take_while(|byte| matches!(byte, b'0' | b'.')).count();
        let point = text.find('.').unwrap_or(text.len());
        // Leading zeros and the point do not count; and no digit before the point is cut off.
        let end = first.saturating_add(count).saturating_add(usize::from(first <= point));
        let cut = text.get(..end.max(point)).unwrap_or(&text);
        if cut.len() > point { cut.trim_end_matches('0').trim_end_matches('.').into() } else { cut.into() }
    }

    /// The number as text that [`PriceFloat::read`] reads back without loss: exponent and mantissa as one number.
    pub fn write(self) -> String {
        let exponent = U256::from(self.exponent.wrapping_sub(i32::MIN).cast_unsigned());
        (exponent.wrapping_shl(64) | U256::from(self.mantissa)).text()
    }

    /// The number of such a text; `None` for any other.
    pub fn read(text: &str) -> Option<PriceFloat> {
        let [mantissa, exponent, 0, 0] = *parse_uint(text).ok()?.as_limbs() else { return None };
        let exponent = u32::try_from(exponent).ok()?.cast_signed().wrapping_add(i32::MIN);
        let real = PriceFloat { mantissa, exponent };
        (mantissa >> 63 == 1 || real == PriceFloat::ZERO).then_some(real)
    }
}

/// A price in decimal text as a number; `None` for no decimal, and for one that is cut by more than a
/// millionth.
pub fn decimal_price(text: &str) -> Option<PriceFloat> {
    Some(PriceFloat::of(precise(text)?).over(PriceFloat::ten_to(SCALE.into())))
}
