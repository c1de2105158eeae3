//! Laws of addresses: one checksum for each, from any even casing, and no other mixed one.

use alloy_primitives::Address;
use proptest::prelude::*;
use verified_swap_verify::internal::value::address::{AddressError, any_case, checksummed, parse};

proptest! {
    #[test]
    fn all_lower_or_upper_case_leads_to_one_checksum(bytes in any::<[u8; 20]>()) {
        let address = Address::from(bytes);
        let text = checksummed(address);
        prop_assert_eq!(parse(&text), Ok(address));
        prop_assert_eq!(parse(&text.to_lowercase()), Ok(address));
        prop_assert_eq!(parse(&["0x", &text[2..].to_uppercase()].concat()), Ok(address));
    }

    #[test]
    fn one_letter_of_the_other_case_is_a_wrong_checksum(bytes in any::<[u8; 20]>()) {
        let text = checksummed(Address::from(bytes));
        let even = |text: &str| text[2..] == text[2..].to_lowercase() || text[2..] == text[2..].to_uppercase();
        for (at, letter) in text.char_indices().skip(2).filter(|(_, c)| c.is_ascii_alphabetic()) {
            let other = if letter.is_ascii_lowercase() { letter.to_ascii_uppercase() } else { letter.to_ascii_lowercase() };
            let flipped = [&text[..at], &other.to_string(), &text[at + 1..]].concat();
            prop_assert_eq!(any_case(&flipped), Some(Address::from(bytes)));
            prop_assert_eq!(parse(&flipped).is_ok(), even(&flipped), "{}", flipped);
            if !even(&flipped) {
                prop_assert_eq!(parse(&flipped), Err(AddressError::Checksum));
            }
        }
    }

    #[test]
    fn one_changed_digit_of_a_mixed_case_address_is_noticed_unless_the_case_of_all_letters_still_fits(
        bytes in any::<[u8; 20]>(), at in 0usize..20, bit in 0u32..8,
    ) {
        let text = checksummed(Address::from(bytes));
        let mut other = bytes;
        other[at] ^= 1 << bit;
        let retyped: String = checksummed(Address::from(other))
            .chars()
            .zip(text.chars())
            .map(|(new, old)| if old.is_ascii_uppercase() { new.to_ascii_uppercase() } else { new.to_ascii_lowercase() })
            .collect();
        let retyped = retyped.replacen("0X", "0x", 1);
        match parse(&retyped) {
            Ok(address) => {
                prop_assert_eq!(address, Address::from(other));
                let one_case = retyped[2..] == retyped[2..].to_lowercase() || retyped[2..] == retyped[2..].to_uppercase();
                prop_assert!(one_case || retyped == checksummed(address));
            }
            Err(error) => prop_assert_eq!(error, AddressError::Checksum),
        }
    }

    #[test]
    fn text_of_another_length_is_refused(digits in "[0-9a-f]{0,39}|[0-9a-f]{41,60}") {
        prop_assert_eq!(parse(&["0x", &digits].concat()), Err(AddressError::Length));
    }

    #[test]
    fn no_text_makes_it_panic(text in any::<String>(), digits in "\\PC{38,42}") {
        let _ = parse(&text);
        let _ = any_case(&text);
        let _ = parse(&["0x", &digits].concat());
        let _ = any_case(&["0x", &digits].concat());
    }
}

#[test]
fn each_mistake_has_its_own_error() {
    let digits = "5aaeb6053f3e94c9b9a09f33669435e7ef1beaed";
    assert_eq!(parse(digits), Err(AddressError::Prefix));
    assert_eq!(parse(&["0X", digits].concat()), Err(AddressError::Prefix));
    assert_eq!(parse(&["0x", &digits[1..]].concat()), Err(AddressError::Length));
    assert_eq!(parse(&["0xg", &digits[1..]].concat()), Err(AddressError::Digit));
    assert_eq!(parse(&["0x0x", &digits[2..]].concat()), Err(AddressError::Digit));
    assert_eq!(parse(&["0xé", &digits[1..]].concat()), Err(AddressError::Digit));
    assert_eq!(parse(&["0xé", &digits[2..]].concat()), Err(AddressError::Length));
}
