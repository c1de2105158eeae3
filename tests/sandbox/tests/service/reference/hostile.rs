//! The lens against contracts that answer something else, too much, or nothing. It never reverts.

use alloy_primitives::{Address, I256, U256, hex};
use serde_json::json;

use super::feed;
use super::lens::{Answer, look};
use crate::started::{Sandbox, hex_number, sandbox};

/// Two arrays of three words: what a pool answers.
const OBSERVED: [i64; 10] = [0x40, 0xc0, 3, -5, -6, -7, 3, 11, 12, 13];
const ROUND: [i64; 5] = [1, 300_000_000_000, 3, 1_700_000_000, 1];

fn words(values: &[i64]) -> Vec<u8> {
    values.iter().flat_map(|value| I256::try_from(*value).unwrap().to_be_bytes::<32>()).collect()
}

/// Code that returns this, whatever it is asked; and reverts where the first of the times is above `most`.
fn answering(data: &[u8], most: u16) -> String {
    let length = hex::encode(u16::try_from(data.len()).unwrap().to_be_bytes());
    // PUSH2 most, PUSH1 0x44, CALLDATALOAD, GT, PUSH1 22, JUMPI, then CODECOPY from 26, RETURN, and the revert.
    let code = format!("61{most:04x}6044351160165761{length}601a5f3961{length}5ff35b5f5ffd");
    format!("0x{code}{}", hex::encode(data))
}

/// A feed's code: the word for `decimals()`, and the words for any other call.
fn feeding(decimals: &[u8], round: &[u8]) -> String {
    let [one, two] = [decimals, round].map(|data| hex::encode(u16::try_from(data.len()).unwrap().to_be_bytes()));
    let after = hex::encode(u16::try_from(41 + decimals.len()).unwrap().to_be_bytes());
    let code = format!("5f3560e01c63313ce56714601b5761{two}61{after}5f3961{two}5ff35b61{one}6100295f3961{one}5ff3");
    assert_eq!(code.len(), 82);
    format!("0x{code}{}{}", hex::encode(decimals), hex::encode(round))
}

struct Place<'a>(&'a Sandbox, u8);

impl Place<'_> {
    fn with(&mut self, code: &str) -> Address {
        self.1 += 1;
        let address = Address::with_last_byte(self.1 + 0x80);
        self.0.rpc("anvil_setCode", json!([address, code]));
        address
    }
}

#[test]
fn only_canonical_answers_count_and_the_longest_window_goes_first() {
    let sandbox = sandbox();
    let mut place = Place(&sandbox, 0);
    let up_to = [u16::MAX, 1_800, 1_799, 1_200, 1_199, 600, 599, 300, 299];
    let pools = up_to.map(|most| place.with(&answering(&words(&OBSERVED), most)));
    let windows = look(&sandbox, &pools, &[]).pools.into_iter().map(|seen| seen.map_or(0, |seen| seen.window));
    assert_eq!(windows.collect::<Vec<_>>(), [1_800, 1_800, 1_200, 1_200, 600, 600, 300, 300, 1]);

    let mut altered = Vec::new();
    for (index, value) in [(0, 0x60), (1, 0xe0), (2, 2), (6, 4)] {
        let mut other = OBSERVED;
        other[index] = value;
        altered.push(words(&other));
    }
    altered.extend([words(&OBSERVED[..9]), [words(&OBSERVED), vec![0]].concat(), Vec::new()]);
    let good = place.with(&answering(&words(&OBSERVED), u16::MAX));
    for data in altered {
        let bad = place.with(&answering(&data, u16::MAX));
        let reading = look(&sandbox, &[bad, good], &[]);
        let window = reading.pools[0].as_ref().map_or(0, |seen| seen.window);
        assert_eq!(window, u64::from(!data.is_empty()), "it is there, and cannot tell: {}", hex::encode(data));
        assert_eq!(reading.pools[1].as_ref().unwrap().mean_of_5_minutes(), -1, "(-7 + 6) / 300, rounded down");
    }
    // No code, a revert, an endless loop, an invalid instruction, very much data, more than gas can pay, a write.
    for code in ["0x", "0x5f5ffd", "0x5b5f56", "0xfe", "0x620fffff5ff3", "0x63ffffffff5ff3", "0x60015f55"] {
        let bad = place.with(code);
        let reading = look(&sandbox, &[bad, good], &[bad, feed(&sandbox, "ETH")]);
        assert!(reading.pools[0].is_none() && reading.pools[1].is_some(), "{code}");
        assert!(reading.feeds[0].is_none() && reading.feeds[1].is_some(), "{code}");
    }
}

/// As of Arbitrum's ArbSys, which no node here has: the block's number is what it answers, if that is one word.
#[test]
fn the_number_of_the_block_is_that_of_arb_sys_where_there_is_one() {
    let sandbox = sandbox();
    let arb_sys = Address::with_last_byte(0x64);
    let latest = u64::try_from(hex_number(&sandbox.rpc("eth_blockNumber", json!([])))).unwrap();
    for (code, expected) in [
        (answering(&words(&[123_456_789]), u16::MAX), 123_456_789),
        (answering(&words(&[123_456_789, 1]), u16::MAX), latest),
        (answering(&words(&[123_456_789])[1..], u16::MAX), latest),
        ("0x5b5f56".into(), latest),
        ("0xfe".into(), latest),
        ("0x5f5ffd".into(), latest),
        ("0x".into(), latest),
    ] {
        sandbox.rpc("anvil_setCode", json!([arb_sys, code]));
        assert_eq!(look(&sandbox, &[], &[]).number, expected, "{code}");
    }
}

#[test]
fn a_feed_with_short_data_or_impossible_decimals_does_not_answer() {
    let sandbox = sandbox();
    let mut place = Place(&sandbox, 0x40);
    let huge = U256::MAX.to_be_bytes::<32>();
    let mut code = |decimals: &[u8], round: &[i64]| place.with(&feeding(decimals, &words(round)));
    let silent = [
        code(&huge, &ROUND),
        code(&words(&[256]), &ROUND),
        code(&[], &ROUND),
        code(&words(&[8])[1..], &ROUND),
        code(&words(&[8]), &ROUND[..4]),
        code(&words(&[8]), &[]),
    ];
    let answer = |decimals, answer| Some(Answer { decimals, answer, updated_at: 1_700_000_000 });
    let loud = [
        code(&words(&[8]), &ROUND),
        code(&words(&[0]), &[1, -5, 3, 1_700_000_000, 1]),
        code(&words(&[255, 9]), &[1, 7, 3, 1_700_000_000, 1, 9]),
    ];
    let reading = look(&sandbox, &[], &[silent.as_slice(), &loud].concat());
    assert_eq!(reading.feeds[..6], [None; 6]);
    assert_eq!(reading.feeds[6..], [answer(8, 300_000_000_000), answer(0, -5), answer(255, 7)]);
}
