//! Amounts: text and integer are one and the same, and arithmetic is that of wider numbers.

use alloy_primitives::{U256, U512};
use arbitrary::{Result, Unstructured};
use verify::internal::domain::product::product;
use verify::internal::value::amount::{div_rem, format_units, mul_div, parse_uint, parse_units, text, times};

pub fn run(data: &[u8]) {
    let (numbers, digits) = data.split_at(data.len().min(70));
    let _ = computed(&mut Unstructured::new(numbers));
    let decimals = data.first().copied().unwrap_or_default();
    read(&String::from_utf8_lossy(digits), decimals);
    read(&String::from_utf8_lossy(data), decimals % 78);
}

/// Reads a text, and writes what was read.
fn read(amount: &str, decimals: u8) {
    let is_canonical = !amount.is_empty()
        && amount.bytes().all(|byte| byte.is_ascii_digit())
        && (amount == "0" || !amount.starts_with('0'));
    let known = U256::from_str_radix(amount, 10).ok().filter(|_| is_canonical);
    assert_eq!(parse_uint(amount).ok(), known, "{amount:?}");
    if let Ok(value) = parse_units(amount, decimals) {
        let written = format_units(value, decimals).expect("decimals that were taken");
        assert_eq!(parse_units(&written, decimals), Ok(value));
        let (whole, fraction) = amount.split_once('.').unwrap_or((amount, ""));
        let digits: String = [whole, fraction, &"0".repeat(77)].concat();
        let scaled = &digits[..whole.len() + usize::from(decimals)];
        assert_eq!(U256::from_str_radix(scaled, 10), Ok(value), "{amount:?} with {decimals} decimals");
    }
}

fn computed(bytes: &mut Unstructured<'_>) -> Result<()> {
    let drop: [u8; 2] = bytes.arbitrary()?;
    let (b, c): (u16, u16) = (bytes.arbitrary()?, bytes.arbitrary()?);
    let [x, y] = bytes.arbitrary::<[[u8; 32]; 2]>()?.map(U256::from_be_bytes::<32>);
    let (x, y) = (x >> usize::from(drop[0]), y >> usize::from(drop[1]));
    let wide = |number: U256| U512::from(number);
    assert_eq!(text(x), x.to_string());
    assert_eq!(times(x, b.into()), x.checked_mul(U256::from(b)));
    assert_eq!(product(&[&x, &y]).number(), x.checked_mul(y));
    assert_eq!(product(&[&x]).cmp(&product(&[&y])), x.cmp(&y));
    assert_eq!(div_rem(x, y), (!y.is_zero()).then(|| x.div_rem(y)));
    let share = (c != 0).then(|| (wide(x) * U512::from(b)).div_rem(U512::from(c)));
    let share = share.filter(|(share, _)| *share <= wide(U256::MAX));
    assert_eq!(
        mul_div(x, b, c).map(|(share, exact)| (wide(share), exact)),
        share.map(|(all, rest)| (all, rest.is_zero()))
    );
    Ok(())
}
