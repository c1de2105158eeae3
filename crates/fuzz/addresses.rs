//! Addresses: a checksum that another library finds right, or letters of one case.

use alloy_primitives::{Address, hex};
use verify::internal::value::address::{any_case, checksummed, parse};

pub fn run(data: &[u8]) {
    if let Some(bytes) = data.get(..20) {
        let address = Address::from_slice(bytes);
        assert_eq!(checksummed(address), address.to_checksum(None));
        // Letters of the other case by the bits of what follows.
        let bits = data.get(20..25).unwrap_or_default();
        let flips = |at: usize| bits.get(at / 8).is_some_and(|byte| byte >> (at % 8) & 1 == 1);
        let other = |letter: char| {
            if letter.is_lowercase() { letter.to_ascii_uppercase() } else { letter.to_ascii_lowercase() }
        };
        let digits = checksummed(address).split_off(2);
        let turned: String = digits.chars().enumerate().map(|(at, c)| if flips(at) { other(c) } else { c }).collect();
        read(&["0x", &turned].concat());
    }
    read(&String::from_utf8_lossy(data));
}

fn read(text: &str) {
    // The other library would pass over a second prefix.
    let is_hex = |digits: &&str| digits.len() == 40 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let digits = text.strip_prefix("0x").filter(is_hex);
    let known = digits.and_then(|digits| hex::decode(digits).ok()).map(|bytes| Address::from_slice(&bytes));
    assert_eq!(any_case(text), known, "{text:?}");
    let is_of_one_case =
        text.get(2..).is_some_and(|digits| digits == digits.to_lowercase() || digits == digits.to_uppercase());
    let right = known.filter(|_| is_of_one_case || Address::parse_checksummed(text, None).is_ok());
    assert_eq!(parse(text).ok(), right, "{text:?}");
}
