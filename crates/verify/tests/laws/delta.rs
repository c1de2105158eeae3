//! Laws of Delta's own arithmetic: limits given as prices, and slices.

use alloy_primitives::{U256, U512};
use proptest::prelude::*;
use verified_swap_verify::internal::domain::delta::limit::amount_at;
use verified_swap_verify::internal::domain::delta::price::scale;
use verified_swap_verify::internal::domain::side::Side;
use verified_swap_verify::internal::domain::twap::{Twap, schedule};
use verified_swap_verify::internal::json::{Json, JsonAt, parse};
use verified_swap_verify::internal::value::amount::{format_units, parse_units};

fn ten_to(exponent: u8) -> U512 {
    U512::from(10).pow(U512::from(exponent))
}

fn wide(amount: U256) -> U512 {
    U512::from(amount)
}

fn any_twap() -> impl Strategy<Value = Twap> {
    (2_u32..=u32::MAX, 60_u64..1 << 30).prop_map(|(num_slices, interval_secs)| Twap { num_slices, interval_secs })
}

proptest! {
    /// With price p = digits / 10^places, whole tokens for whole tokens: least/10^d >= fixed/10^s x p, and no smaller amount
    /// is. The arithmetic here is that of a library, over twice the width.
    #[test]
    fn a_sell_limit_is_the_least_amount_at_that_price(
        digits in 1_u64.., places in 0_u8..19, fixed in 1_u128.., src in 0_u8..25, dest in 0_u8..25,
    ) {
        let price = format_units(U256::from(digits), places).unwrap();
        let (fixed, above) = (U256::from(fixed), wide(U256::from(fixed)) * U512::from(digits) * ten_to(dest));
        let below = ten_to(src) * ten_to(places);
        let least = above.div_ceil(below);
        match amount_at(&price, Side::Sell, fixed, src, dest) {
            Some(limit) => prop_assert_eq!(wide(limit), least),
            // 128 bits x 64 bits x 10^24 at most: more than 256 bits only with digits added.
            None => prop_assert!(least.is_zero() || above.bit_len() > 256),
        }
    }

    #[test]
    fn a_buy_limit_is_the_most_amount_at_that_price(
        digits in 1_u64.., places in 0_u8..19, fixed in 1_u128.., src in 0_u8..25, dest in 0_u8..25,
    ) {
        let price = format_units(U256::from(digits), places).unwrap();
        let fixed = U256::from(fixed);
        let most = wide(fixed) * ten_to(src) * ten_to(places) / (U512::from(digits) * ten_to(dest));
        match amount_at(&price, Side::Buy, fixed, src, dest) {
            Some(limit) => prop_assert_eq!(wide(limit), most),
            None => prop_assert!(most.is_zero() || (wide(fixed) * ten_to(src) * ten_to(places)).bit_len() > 256),
        }
    }

    #[test]
    fn scaling_is_by_powers_of_ten_rounded_down_or_refused(amount in any::<[u8; 32]>(), factor in -77_i8..=77) {
        let amount = U256::from_be_bytes(amount) >> (u32::from(factor.unsigned_abs()) * 3);
        let power = ten_to(factor.unsigned_abs());
        let exact = if factor < 0 { wide(amount) / power } else { wide(amount) * power };
        prop_assert_eq!(scale(amount, factor).map(wide), (exact.bit_len() <= 256).then_some(exact));
        prop_assert_eq!(scale(amount, -128), Some(U256::ZERO));
        prop_assert_eq!(scale(amount, 127).is_some(), amount.is_zero());
    }

    #[test]
    fn slices_make_up_the_total_and_only_the_last_one_is_larger(twap in any_twap(), total in any::<[u8; 32]>()) {
        let total = U256::from_be_bytes(total);
        let slices = U256::from(twap.num_slices);
        let (slice, last) = twap.slices(total);
        prop_assert_eq!(slice, total / slices);
        prop_assert!(last >= slice && last - slice < slices);
        prop_assert_eq!(twap.sum(slice, last), Some(total));
    }

    #[test]
    fn a_sum_of_slices_is_exact_or_refused(twap in any_twap(), slice in any::<[u8; 32]>(), last in any::<[u8; 32]>()) {
        let (slice, last) = (U256::from_be_bytes(slice), U256::from_be_bytes(last));
        for slice in [slice, slice >> 33] {
            let exact = wide(slice) * U512::from(twap.num_slices - 1) + wide(last);
            prop_assert_eq!(twap.sum(slice, last).map(wide), (exact.bit_len() <= 256).then_some(exact));
        }
    }

    #[test]
    fn a_schedule_lists_every_slice_in_step_and_in_sum(
        slices in 2_u64..200, interval in 60_u64..100_000, total in 200_u128.., start in 0_u64..1 << 40,
    ) {
        let plan = parse(&format!(r#"{{"numSlices":{slices},"intervalSecs":{interval},"total":"{total}"}}"#)).unwrap();
        let text = schedule(&JsonAt::input(&plan, "plan"), start).unwrap();
        let Json::Array(all) = parse(&text).unwrap() else { panic!() };
        prop_assert_eq!(all.len() as u64, slices);
        let mut sum = 0_u128;
        for (index, slice) in (0_u64..).zip(&all) {
            let at = JsonAt::input(slice, "");
            prop_assert_eq!(at.get("index").integer(u64::MAX).unwrap(), index);
            prop_assert_eq!(at.get("notBefore").integer(u64::MAX).unwrap(), start + index * interval);
            sum += u128::try_from(at.get("amount").uint().unwrap()).unwrap();
        }
        prop_assert_eq!(sum, total);
    }
}

#[test]
fn prices_are_rounded_for_the_user() {
    let at =
        |price, side, fixed: u64| amount_at(price, side, U256::from(fixed), 6, 18).map(|amount| amount.to_string());
    // One raw unit of 6 decimals at a price with 13 places: 12 are left of it.
    assert_eq!(at("0.0000000000001", Side::Sell, 1).as_deref(), Some("1"));
    assert_eq!(at("1.0000000000001", Side::Sell, 10).as_deref(), Some("10000000000001"));
    assert_eq!(at("1.0000000000001", Side::Sell, 11).as_deref(), Some("11000000000002"));
    assert_eq!(amount_at("3", Side::Buy, U256::from(100), 0, 0), Some(U256::from(33)));
    assert_eq!(amount_at("3", Side::Sell, U256::from(100), 0, 1), Some(U256::from(3000)));
    assert_eq!(amount_at("2.50", Side::Buy, U256::from(5), 1, 1), Some(U256::from(2)));
}

#[test]
fn an_invalid_price_gives_no_limit() {
    for price in ["", "0", "0.000", "-1", "+1", "1e3", "1,5", ".5", "1.", " 1", "1 ", "0x1", "1.2.3", "NaN"] {
        assert_eq!(amount_at(price, Side::Sell, U256::from(1_000_000), 6, 18), None, "{price}");
    }
    let digits = "9".repeat(78);
    assert_eq!(amount_at(&digits, Side::Sell, U256::from(1), 0, 0), None);
    assert_eq!(amount_at("2", Side::Sell, U256::MAX, 0, 0), None, "above 256 bits");
    assert_eq!(amount_at("1", Side::Sell, U256::MAX, 0, 0), Some(U256::MAX));
    assert_eq!(amount_at("2", Side::Buy, U256::from(1), 0, 0), None, "an amount of 0");
    let places = format!("0.{}1", "0".repeat(77));
    assert_eq!(amount_at(&places, Side::Sell, U256::from(1), 0, 77), None, "more than 77 places");
    assert_eq!(amount_at("0001.500", Side::Sell, U256::from(2), 0, 0), Some(U256::from(3)));
    assert_eq!(parse_units("0001.500", 1).unwrap(), U256::from(15));
}

#[test]
fn plans_out_of_bounds_have_no_schedule() {
    for (plan, field) in [
        (r#"{"numSlices":1,"intervalSecs":60,"total":"100"}"#, "plan.numSlices"),
        (r#"{"numSlices":2,"intervalSecs":59,"total":"100"}"#, "plan.intervalSecs"),
        (r#"{"numSlices":101,"intervalSecs":60,"total":"100"}"#, "plan.amount"),
        (r#"{"numSlices":4294967296,"intervalSecs":60,"total":"99999999999"}"#, "plan.numSlices"),
        (r#"{"numSlices":10001,"intervalSecs":60,"total":"99999999999"}"#, "plan.numSlices"),
        (r#"{"intervalSecs":60,"total":"100"}"#, "plan.numSlices"),
        (r#"{"total":"100"}"#, "plan.numSlices"),
        (r#"{"numSlices":2,"intervalSecs":60}"#, "plan.total"),
    ] {
        let error = schedule(&JsonAt::input(&parse(plan).unwrap(), "plan"), 0).unwrap_err();
        assert_eq!(error.field.as_deref(), Some(field), "{plan}");
    }
    let most = parse(r#"{"numSlices":10000,"intervalSecs":60,"total":"10000"}"#).unwrap();
    assert!(schedule(&JsonAt::input(&most, "plan"), 0).is_ok());
}
