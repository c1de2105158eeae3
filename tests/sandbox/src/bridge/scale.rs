//! Amounts of one token in units of another that has other decimals.

use alloy_primitives::U256;

fn power(exponent: u8) -> U256 {
    U256::from(10).pow(U256::from(exponent))
}

/// `amount` x 10^factor, rounded down.
pub fn scaled(amount: U256, factor: i8) -> U256 {
    let unit = power(factor.unsigned_abs());
    if factor < 0 { amount / unit } else { amount.saturating_mul(unit) }
}

/// The amount to send for `amount` to arrive: `amount` / 10^factor, rounded up.
pub fn unscaled_up(amount: U256, factor: i8) -> U256 {
    let unit = power(factor.unsigned_abs());
    if factor < 0 { amount.saturating_mul(unit) } else { amount.div_ceil(unit) }
}

/// A fee in bps, rounded up.
pub fn fee_of(amount: U256, bps: U256) -> U256 {
    amount.saturating_mul(bps).div_ceil(U256::from(10_000))
}

#[cfg(test)]
mod tests {
    use alloy_primitives::U256;

    use super::{scaled, unscaled_up};

    #[test]
    fn scaling_is_by_powers_of_ten_and_never_gives_more() {
        let at = |amount: u64, factor: i8| scaled(U256::from(amount), factor).to::<u64>();
        assert_eq!([at(1_999, -3), at(999, -3), at(5, 3), at(5, 0)], [1, 0, 5_000, 5]);
        for factor in [-12, -3, 0, 3, 12] {
            for amount in [1, 999, 1_000, 123_456_789] {
                let amount = U256::from(amount);
                assert!(scaled(unscaled_up(amount, factor), factor) >= amount);
            }
        }
    }
}
