//! The laws of reading calldata, whatever the bytes.

use alloy_primitives::U256;
use proptest::prelude::*;
use verified_swap_verify::internal::domain::market::calldata::{Arguments, selector};
use verified_swap_verify::internal::domain::market::method::{METHODS, Method};
use verified_swap_verify::internal::domain::market::pools::{UniswapVersion, path_ends, vault_ends};
use verified_swap_verify::internal::domain::member::Argument;
use verified_swap_verify::internal::domain::product::product;

/// Words that are offsets and lengths as often as not.
fn words() -> impl Strategy<Value = Vec<u8>> {
    let word = prop_oneof![
        4 => (0_u64..40).prop_map(|small| U256::from(small * 32)),
        2 => (0_u64..70).prop_map(U256::from),
        1 => any::<[u8; 32]>().prop_map(U256::from_be_bytes),
    ];
    let data = prop::collection::vec(word, 0..60)
        .prop_map(|words| words.iter().flat_map(|word| word.to_be_bytes::<32>()).collect::<Vec<u8>>());
    (data, 0_usize..32).prop_map(|(mut data, cut)| {
        data.truncate(data.len().saturating_sub(cut));
        data
    })
}

proptest! {
    #[test]
    fn no_bytes_make_the_reader_panic_and_none_are_read_twice(method in 0..METHODS.len(), data in words()) {
        let call = [&selector(METHODS[method].signature)[..], &data].concat();
        if let Ok(Some(method)) = Method::read(&call) {
            let covered: usize = method.arguments.iter().map(|(_, argument)| match argument {
                Argument::Word(_) => 32,
                Argument::Bytes(bytes) => bytes.len(),
            }).sum();
            // The number of orders is told as an argument of its own.
            let counts = method.arguments.iter().filter(|(path, _)| path.ends_with(".length")).count() * 32;
            prop_assert!(covered - counts + method.arguments.unread <= data.len());
        }
    }

    #[test]
    fn values_that_lie_in_a_row_are_read_in_their_order(values in prop::collection::vec(any::<[u8; 32]>(), 3)) {
        let data = values.concat();
        let read = Arguments::read("f(uint256 a,(bytes32 b,uint256 c) d)", &data).unwrap();
        for (path, value) in ["a", "d.b", "d.c"].into_iter().zip(&values) {
            prop_assert_eq!(read.get(path), Some(Argument::Word(value.into())));
        }
        prop_assert_eq!(read.unread, 0);
    }

    #[test]
    fn no_pool_path_makes_the_reader_panic(pools in prop::collection::vec(any::<u8>(), 0..400), out: bool) {
        for version in [UniswapVersion::V2, UniswapVersion::V3] {
            let found = path_ends(&pools, version, out);
            prop_assert!(found.is_none() || pools.len() % version.hop_bytes() == 0);
        }
        vault_ends(&pools);
    }

    #[test]
    fn no_vault_offsets_make_the_reader_panic(data in words(), batch: bool) {
        let selector: [u8; 4] = if batch { [0x94, 0x5b, 0xce, 0xc9] } else { [0x52, 0xbb, 0xbe, 0x29] };
        vault_ends(&[&selector[..], &data].concat());
    }

    #[test]
    fn products_compare_like_the_numbers_they_stand_for(a: u64, b: u64, c: u64, d: u64) {
        let (left, right) = (u128::from(a) * u128::from(b), u128::from(c) * u128::from(d));
        let of = |x: u64, y: u64| product(&[&U256::from(x), &U256::from(y)]);
        prop_assert_eq!(of(a, b).cmp(&of(c, d)), left.cmp(&right));
        // However many factors of the same size are put to both.
        let long = |x: u64, y: u64| product(&[&U256::from(x), &U256::MAX, &U256::from(y), &U256::MAX]);
        prop_assert_eq!(long(a, b).cmp(&long(c, d)), left.cmp(&right));
    }

    #[test]
    fn one_more_factor_never_lowers_a_product(a: [u8; 32], b: [u8; 32]) {
        let (a, b) = (U256::from_be_bytes(a), U256::from_be_bytes(b).max(U256::from(1)));
        prop_assert!(product(&[&a, &b]) >= product(&[&a]));
        prop_assert_eq!(product(&[&a, &b]), product(&[&b, &a]));
    }

    #[test]
    fn a_product_is_a_number_while_it_has_256_bits(a: [u8; 32], b: [u8; 32], (drop_a, drop_b) in (0..=256_usize, 0..=256_usize)) {
        let (a, b) = (U256::from_be_bytes(a).wrapping_shr(drop_a), U256::from_be_bytes(b).wrapping_shr(drop_b));
        prop_assert_eq!(product(&[&a, &b]).number(), a.checked_mul(b));
    }
}

#[test]
fn parameter_names_do_not_change_a_selector() {
    assert_eq!(selector("transfer(address to,uint256 amount)"), [0xa9, 0x05, 0x9c, 0xbb]);
    assert_eq!(selector("transfer(address ,uint256 )"), [0xa9, 0x05, 0x9c, 0xbb]);
}
