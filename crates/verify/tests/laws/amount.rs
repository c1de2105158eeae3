//! Laws of amounts: text and integer are one and the same, and rounding goes the way it says.

use alloy_primitives::{U256, U512};
use proptest::prelude::*;
use verified_swap_verify::internal::value::amount::{
    AmountError, MAX_DECIMALS, div_rem, format_units, mul_div, parse_uint, parse_units, text,
};

/// Any 256 bits, small numbers as likely as large ones.
fn amount() -> impl Strategy<Value = U256> {
    (any::<[u64; 4]>(), 0usize..=256).prop_map(|(limbs, bits)| {
        let value = U256::from_limbs(limbs);
        if bits == 0 { U256::ZERO } else { value >> (256 - bits) }
    })
}

fn wide(value: U256) -> U512 {
    U512::from(value)
}

proptest! {
    #[test]
    fn a_quotient_times_the_divisor_and_the_rest_are_the_whole(value in amount(), by in amount()) {
        let found = div_rem(value, by);
        prop_assert_eq!(found.is_none(), by.is_zero());
        if let Some((quotient, rest)) = found {
            prop_assert!(rest < by);
            prop_assert_eq!(wide(quotient) * wide(by) + wide(rest), wide(value));
        }
    }

    #[test]
    fn a_formatted_amount_parses_to_the_same_amount(amount in amount(), decimals in 0..=MAX_DECIMALS) {
        let text = format_units(amount, decimals).unwrap();
        prop_assert_eq!(parse_units(&text, decimals), Ok(amount));
    }

    #[test]
    fn a_formatted_amount_is_canonical(amount in amount(), decimals in 0..=MAX_DECIMALS) {
        let text = format_units(amount, decimals).unwrap();
        let (whole, fraction) = text.split_once('.').unwrap_or((&text, "0.1"));
        prop_assert!(whole == "0" || !whole.starts_with('0'), "{}", text);
        prop_assert!(!fraction.ends_with('0') && !fraction.is_empty(), "{}", text);
    }

    #[test]
    fn a_parsed_amount_is_the_digits_without_the_point(whole in "(0|[1-9][0-9]{0,20})", fraction in "[0-9]{1,18}", more in 0u8..=18) {
        let decimals = fraction.len() as u8 + more;
        let digits = [whole.as_str(), fraction.as_str(), &"0".repeat(usize::from(more))].concat();
        let expected = digits.parse::<U256>().unwrap();
        prop_assert_eq!(parse_units(&[whole.as_str(), ".", fraction.as_str()].concat(), decimals), Ok(expected));
    }

    #[test]
    fn one_significant_digit_too_many_is_refused(whole in "[0-9]{1,10}", fraction in "[0-9]{0,17}[1-9]") {
        let text = [whole.as_str(), ".", fraction.as_str()].concat();
        prop_assert_eq!(parse_units(&text, fraction.len() as u8 - 1), Err(AmountError::TooPrecise));
        prop_assert!(parse_units(&text, fraction.len() as u8).is_ok());
    }

    #[test]
    fn an_integer_is_its_own_text(amount in amount()) {
        prop_assert_eq!(parse_uint(&amount.to_string()), Ok(amount));
        prop_assert_eq!(parse_units(&amount.to_string(), 0), Ok(amount));
    }

    #[test]
    fn text_that_is_not_all_digits_is_no_integer(text in "[0-9]{0,5}[^0-9][0-9]{0,5}") {
        prop_assert_eq!(parse_uint(&text), Err(AmountError::NotDecimal));
    }

    #[test]
    fn no_text_makes_it_panic(text in any::<String>(), decimals in any::<u8>()) {
        let _ = parse_uint(&text);
        let _ = parse_units(&text, decimals);
    }

    #[test]
    fn a_share_is_the_largest_number_that_is_not_more_and_says_whether_it_is_exact(amount in amount(), b in any::<u16>(), c in any::<u16>()) {
        let product = wide(amount) * U512::from(b);
        match mul_div(amount, b, c) {
            None if c == 0 => {}
            None => prop_assert!(product / U512::from(c) > wide(U256::MAX)),
            Some((floor, exact)) => {
                prop_assert!(wide(floor) * U512::from(c) <= product);
                prop_assert!((wide(floor) + U512::from(1)) * U512::from(c) > product);
                prop_assert_eq!(exact, wide(floor) * U512::from(c) == product);
            }
        }
    }

    #[test]
    fn an_amount_is_written_as_the_library_writes_it(amount in amount()) {
        prop_assert_eq!(text(amount), amount.to_string());
    }
}

#[test]
fn the_largest_amount_fits_and_the_next_does_not() {
    let max = U256::MAX.to_string();
    assert_eq!(parse_uint(&max), Ok(U256::MAX));
    assert_eq!(
        parse_uint("115792089237316195423570985008687907853269984665640564039457584007913129639936"),
        Err(AmountError::TooLarge)
    );
    assert_eq!(parse_uint(&"9".repeat(100)), Err(AmountError::TooLarge));
    assert_eq!(parse_units(&[max.as_str(), "0"].concat(), 0), Err(AmountError::TooLarge));
    assert_eq!(parse_units("1", MAX_DECIMALS + 1), Err(AmountError::Decimals));
    assert_eq!(format_units(U256::MAX, MAX_DECIMALS + 1), Err(AmountError::Decimals));
    assert_eq!(parse_units("2", MAX_DECIMALS), Err(AmountError::TooLarge));
    assert_eq!(parse_units("1", MAX_DECIMALS), Ok(U256::from(10).pow(U256::from(77))));
    assert_eq!(parse_uint("01"), Err(AmountError::LeadingZero));
    assert_eq!(parse_uint(""), Err(AmountError::NotDecimal));
    assert_eq!(mul_div(U256::MAX, 10_000, 10_000), Some((U256::MAX, true)));
    assert_eq!(mul_div(U256::MAX, 10_001, 10_000), None);
    assert_eq!(mul_div(U256::MAX, u16::MAX, u16::MAX), Some((U256::MAX, true)));
    assert_eq!(mul_div(U256::from(1), 1, 0), None);
    for amount in [U256::ZERO, U256::from(9), U256::from(1_000_000_000u64), U256::from(999_999_999u64), U256::MAX] {
        assert_eq!(text(amount), amount.to_string());
    }
}
