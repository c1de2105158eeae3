//! Laws of the decimals a service states: a fee is never read lower than it is, a loss is compared exactly.

use alloy_primitives::U256;
use proptest::prelude::*;
use verified_swap_verify::internal::domain::decimal::{
    bps_as_percent, bps_of, loses_more_than, percent_to_bps_ceil, scaled,
};

/// `digits` with the point `places` from the right.
fn decimal(digits: u64, places: usize) -> String {
    let padded = format!("{digits:0>width$}", width = places + 1);
    let (whole, fraction) = padded.split_at(padded.len() - places);
    if places == 0 { whole.into() } else { [whole, ".", fraction].concat() }
}

fn lost(from: &str, to: &str, bps: u16) -> Option<bool> {
    loses_more_than(scaled(from)?, scaled(to)?, bps)
}

fn ten_to(exponent: usize) -> U256 {
    U256::from(10).pow(U256::from(exponent))
}

proptest! {
    #[test]
    fn a_decimal_is_read_exactly_to_eighteen_places(digits in any::<u64>(), places in 0usize..=18) {
        prop_assert_eq!(scaled(&decimal(digits, places)), Some(U256::from(digits) * ten_to(18 - places)));
    }

    #[test]
    fn an_exponent_moves_the_point(digits in any::<u64>(), places in 0usize..=9, exponent in -9i32..=9, sign in prop::sample::select(vec!["", "+"])) {
        let sign = if exponent < 0 { "" } else { sign };
        let expected = U256::from(digits) * ten_to(usize::try_from(18 + exponent).unwrap() - places);
        for letter in ["e", "E"] {
            let text = format!("{}{letter}{sign}{exponent}", decimal(digits, places));
            prop_assert_eq!(scaled(&text), Some(expected), "{}", text);
        }
    }

    #[test]
    fn a_percentage_in_basis_points_is_rounded_up(hundred_millionths in 0u64..6_000_000_000) {
        // Ten places: a basis point is 10^8 of these.
        let text = decimal(hundred_millionths, 10);
        let expected = hundred_millionths.div_ceil(100_000_000);
        prop_assert_eq!(percent_to_bps_ceil(&text).map(u64::from), Some(expected), "{}", text);
    }

    #[test]
    fn basis_points_are_their_percentage(bps in any::<u16>()) {
        prop_assert_eq!(percent_to_bps_ceil(&bps_as_percent(bps)), Some(bps));
    }

    #[test]
    fn a_loss_is_compared_exactly(from in 1u64..1 << 60, to in 0u64..1 << 60, places in 0usize..=18, bps in 0u16..=10_000) {
        let expected = u128::from(to) * 10_000 < u128::from(from) * u128::from(10_000 - bps);
        prop_assert_eq!(lost(&decimal(from, places), &decimal(to, places), bps), Some(expected));
    }

    #[test]
    fn a_loss_of_the_limit_passes_and_one_unit_more_does_not(units in 1u64..1 << 40, bps in 0u16..=9_999) {
        let from = decimal(units * 10_000, 8);
        let limit = units * u64::from(10_000 - bps);
        prop_assert_eq!(lost(&from, &decimal(limit, 8), bps), Some(false));
        prop_assert_eq!(lost(&from, &decimal(limit - 1, 8), bps), Some(true));
    }

    #[test]
    fn a_share_is_rounded_down(part in any::<u64>(), whole in 1u64..) {
        let expected = u64::try_from(u128::from(part) * 10_000 / u128::from(whole)).ok();
        prop_assert_eq!(bps_of(U256::from(part), U256::from(whole)), expected);
    }

    #[test]
    fn no_text_makes_it_panic(text in any::<String>(), numberish in "[-+0-9.eE]{0,80}", bps in any::<u16>()) {
        for text in [&text, &numberish] {
            let _ = percent_to_bps_ceil(text);
            let _ = lost(text, text, bps);
            let _ = lost("1", text, bps);
        }
    }
}

#[test]
fn text_that_is_not_a_plain_decimal_is_refused() {
    for text in [
        "", " ", ".", "-1", "+1", "1 ", " 1", "1,5", "1.2.3", "0x1", "1e", "e5", "1e1.5", "NaN", "Infinity", "1e31",
        "1e-31", "\u{0661}",
    ] {
        assert_eq!(scaled(text), None, "{text:?}");
        assert_eq!(percent_to_bps_ceil(text), None, "{text:?}");
        assert_eq!(lost("1", text, 1_500), None, "{text:?}");
    }
}

#[test]
fn a_fee_too_large_for_basis_points_is_not_taken_for_a_small_one() {
    assert_eq!(percent_to_bps_ceil("655.35"), Some(u16::MAX));
    for text in ["655.3500000001", "655.36", "1000", "1e9", "99999999999999999999"] {
        assert_eq!(percent_to_bps_ceil(text), None, "{text}");
    }
}

#[test]
fn an_input_of_zero_has_no_loss() {
    assert_eq!(lost("0", "5", 1_500), None);
    assert_eq!(lost("0.00", "0", 1_500), None);
    assert_eq!(lost("100", "0", 1_500), Some(true));
}
