//! The oracles' states by `POST /sandbox/reference`.

use alloy_primitives::U256;
use serde_json::{Value, json};

use super::lens::{look, look_at};
use super::{dollars, ether, feed, is_near, pool, quoted, tell};
use crate::started::{Sandbox, sandbox};

fn answer(sandbox: &Sandbox) -> f64 {
    f64::from(u32::try_from(ether(sandbox).1.unwrap().answer / 1_000_000).unwrap()) / 100.0
}

/// How old the answers of the feeds of ETH and DAI are.
fn ages(sandbox: &Sandbox) -> [u64; 2] {
    let reading = look(sandbox, &[], &["ETH", "DAI"].map(|symbol| feed(sandbox, symbol)));
    [0, 1].map(|index| reading.at - reading.feeds[index].unwrap().updated_at)
}

/// The windows that the pools of USDC and WETH, and of USDC and DAI, answer; 1 for one that shows no past.
fn windows(sandbox: &Sandbox) -> [u64; 2] {
    let pools = ["WETH", "DAI"].map(|other| pool(sandbox, "USDC", other, 500));
    let reading = look(sandbox, &pools, &[]);
    [0, 1].map(|index| reading.pools[index].as_ref().map_or(0, |seen| seen.window))
}

#[test]
fn stale_feeds_and_those_with_other_decimals() {
    let sandbox = sandbox();
    tell(&sandbox, &json!({"state": "stale"}));
    assert_eq!(ages(&sandbox), [7_200, 7_200]);
    tell(&sandbox, &json!({"state": "stale", "token": sandbox.token("DAI"), "ageSecs": 3_601}));
    assert_eq!(ages(&sandbox), [7_200, 3_601]);
    tell(&sandbox, &json!({"state": "fresh", "token": sandbox.token("ETH")}));
    assert_eq!(ages(&sandbox), [60, 3_601]);
    tell(&sandbox, &json!({"state": "wrongDecimals", "decimals": 6, "chainId": 31337}));
    assert_eq!(ether(&sandbox).1.unwrap().decimals, 6);
    tell(&sandbox, &json!({"state": "wrongDecimals"}));
    assert_eq!((ether(&sandbox).1.unwrap().decimals, ages(&sandbox)), (18, [60, 60]));
    sandbox.post("/sandbox/reset", &json!({})).ok();
    assert_eq!(ether(&sandbox).1.unwrap().decimals, 8);
    assert_eq!(windows(&sandbox), [1_800, 1_800]);
}

#[test]
fn a_thin_pool_is_as_deep_as_was_asked_for() {
    let sandbox = sandbox();
    let deep = ether(&sandbox).0.mean_liquidity();
    for (more, times) in [(json!({}), 30.0), (json!({"dollars": 5_000_000}), 6.0)] {
        let mut body = json!({"state": "thin", "token": sandbox.token("WETH")});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        tell(&sandbox, &body);
        assert!(is_near(deep / ether(&sandbox).0.mean_liquidity(), times, 1.0));
    }
    tell(&sandbox, &json!({"state": "fresh"}));
    assert!(is_near(deep, ether(&sandbox).0.mean_liquidity(), 1.0));
}

#[test]
fn one_block_of_another_price_is_in_the_means_by_its_seconds() {
    let sandbox = sandbox();
    let true_tick = ether(&sandbox).0.mean();
    let sign = if dollars(&sandbox, true_tick + 1) > dollars(&sandbox, true_tick) { 1 } else { -1 };
    tell(&sandbox, &json!({"state": "manipulated"}));
    let (seen, _) = ether(&sandbox);
    let moved = [seen.mean(), seen.mean_of_5_minutes()].map(|tick| sign * (tick - true_tick));
    // 23,027 ticks for 12 s.
    assert!((moved[0] - 153).abs() <= 1 && (moved[1] - 921).abs() <= 1, "{moved:?}");
    assert!(is_near(quoted(&sandbox), answer(&sandbox), 50.0));
    // Not yet over: no second of it is in a mean, but it grows with each block.
    tell(&sandbox, &json!({"state": "manipulated", "secs": 0, "ago": 0, "ticks": -10_000}));
    let (seen, _) = ether(&sandbox);
    assert_eq!((seen.mean(), seen.mean_of_5_minutes()), (true_tick, true_tick));
    sandbox.advance(30);
    let moved = sign * (ether(&sandbox).0.mean_of_5_minutes() - true_tick);
    assert!((-1_100..=-1_000).contains(&moved), "{moved}");
}

#[test]
fn a_market_that_moved_takes_pools_feeds_and_the_service_with_it() {
    let sandbox = sandbox();
    let (before, price) = (ether(&sandbox).0, quoted(&sandbox));
    let prices = || [quoted(&sandbox), answer(&sandbox), dollars(&sandbox, ether(&sandbox).0.mean())];
    tell(&sandbox, &json!({"state": "moved", "bps": 1_000}));
    for one in prices() {
        assert!(is_near(one / price, 1.1, 30.0), "{one} {price}");
    }
    // Just now, and back again.
    tell(&sandbox, &json!({"state": "moved", "bps": -909, "secs": 0}));
    let [service, feed, mean] = prices();
    assert!(is_near(service / price, 1.0, 30.0) && is_near(feed / price, 1.0, 30.0), "{service} {feed} {price}");
    assert!(is_near(mean / dollars(&sandbox, before.mean()), 1.1, 30.0), "{mean}");
    tell(&sandbox, &json!({"state": "moved", "bps": 500, "only": "feeds"}));
    let [service, feed, mean] = prices();
    assert!(is_near(service / price, 1.0, 30.0) && is_near(feed / price, 1.05, 30.0), "{service} {feed}");
    assert!(is_near(mean / price, 1.1, 30.0), "{mean}");
    tell(&sandbox, &json!({"state": "moved", "bps": -5_000, "only": "pools", "token": sandbox.token("ETH")}));
    let [service, feed, mean] = prices();
    assert!(is_near(service / price, 1.0, 30.0) && is_near(feed / price, 1.05, 30.0), "{service} {feed}");
    assert!(is_near(mean / price, 0.5, 30.0), "{mean}");
    sandbox.post("/sandbox/reset", &json!({})).ok();
    for one in prices() {
        assert!(is_near(one / price, 1.0, 30.0), "{one} {price}");
    }
}

#[test]
fn the_feeds_dollar_is_usdc_so_that_all_others_move_where_it_does() {
    let sandbox = sandbox();
    let of = |symbol: &str| look(&sandbox, &[], &[feed(&sandbox, symbol)]).feeds[0].unwrap().answer;
    let before = ["USDC", "DAI"].map(of);
    tell(&sandbox, &json!({"state": "moved", "bps": 100, "token": sandbox.token("USDC")}));
    let after = ["USDC", "DAI"].map(of);
    assert_eq!((before[0], after[0]), (100_000_000, 100_000_000));
    assert!((before[1] * 10_000 / after[1] - 10_100).abs() <= 1, "{before:?} {after:?}");
    tell(&sandbox, &json!({"state": "moved", "bps": -99, "token": sandbox.token("USDC")}));
}

#[test]
fn what_is_missing_comes_back_and_a_short_memory_answers_what_it_has() {
    let sandbox = sandbox();
    let dai = sandbox.token("DAI");
    tell(&sandbox, &json!({"state": "missing", "token": dai, "only": "pools"}));
    assert_eq!((windows(&sandbox), ages(&sandbox)), ([1_800, 0], [60, 60]));
    tell(&sandbox, &json!({"state": "missing"}));
    let reading =
        look(&sandbox, &[pool(&sandbox, "USDC", "WETH", 3_000)], &["ETH", "USDC"].map(|of| feed(&sandbox, of)));
    assert_eq!((reading.pools, reading.feeds), (vec![None], vec![None, None]));
    // Trades go on without them.
    super::trade(&sandbox, "USDC", "WETH", 1_000_000);
    for (secs, window) in
        [(json!(null), 300), (json!(0), 1), (json!(299), 1), (json!(1_199), 600), (json!(1_800), 1_800)]
    {
        tell(&sandbox, &json!({"state": "noHistory", "secs": secs, "chainId": 31337}));
        assert_eq!(windows(&sandbox), [window, window], "{secs}");
    }
    assert_eq!(look(&sandbox, &[], &[feed(&sandbox, "ETH")]).feeds, [None], "feeds have no memory");
    tell(&sandbox, &json!({"state": "fresh"}));
    assert_eq!((windows(&sandbox), ages(&sandbox)), ([1_800, 1_800], [60, 60]));
}

#[test]
fn what_was_told_a_state_keeps_it_while_the_market_moves_and_the_rest_follows() {
    let sandbox = sandbox();
    let weth = sandbox.token("WETH");
    tell(&sandbox, &json!({"state": "stale", "token": weth}));
    let (price, fair) = (answer(&sandbox), quoted(&sandbox));
    let received = super::trade(&sandbox, "USDC", "WETH", 600_000 * 1_000_000);
    let factor = quoted(&sandbox) / fair;
    sandbox.advance(1_800);
    let prices = |sandbox: &Sandbox| [answer(sandbox), dollars(sandbox, ether(sandbox).0.mean())];
    let [said, mean] = prices(&sandbox);
    assert!(factor > 1.02 && is_near(mean / price, factor, 30.0), "{mean} {price} {factor}");
    assert_eq!((said.to_bits(), ages(&sandbox)), (price.to_bits(), [7_200, 60]));
    tell(&sandbox, &json!({"state": "fresh", "token": weth}));
    let [said, mean] = prices(&sandbox);
    assert!(is_near(said / price, factor, 30.0) && is_near(mean / price, factor, 30.0), "{said} {mean} {price}");
    // The other way round.
    tell(&sandbox, &json!({"state": "moved", "bps": -2_000, "only": "pools"}));
    super::trade(&sandbox, "WETH", "USDC", received);
    sandbox.advance(1_800);
    let [said, mean] = prices(&sandbox);
    assert!(is_near(said / price, 1.0, 30.0) && is_near(mean / price, factor * 0.8, 30.0), "{said} {mean} {price}");
}

/// The liquidity around the price of the pool of that fee, in the latest block and so many before it.
fn depths(sandbox: &Sandbox, fee: u16) -> Vec<U256> {
    let (pool, latest) = (pool(sandbox, "USDC", "WETH", fee), look(sandbox, &[], &[]).number);
    let around = |ago: u64| {
        let block = json!(format!("{:#x}", latest - ago));
        let reading = look_at(sandbox, 31337, &[pool], &[], &block).unwrap();
        assert_eq!(reading.number, latest - ago);
        reading.pools[0].as_ref().map_or(U256::ZERO, |seen| seen.around)
    };
    (0..=2).map(around).collect()
}

#[test]
fn what_is_told_was_so_a_few_blocks_ago_but_for_what_is_sudden() {
    let sandbox = sandbox();
    let whole = depths(&sandbox, 500);
    assert_eq!(whole, [whole[0]; 3]);
    tell(&sandbox, &json!({"state": "thin", "fee": 500}));
    assert_eq!(depths(&sandbox, 500), [whole[0] / U256::from(30); 3]);
    assert_eq!(windows(&sandbox), [1_800, 1_800]);
    let second = depths(&sandbox, 3_000);
    assert!(second[0] > whole[0] / U256::from(4), "the pool of another fee is as it was");
    tell(&sandbox, &json!({"state": "moved", "bps": -5_000, "only": "pools", "fee": 500, "sudden": true}));
    let [now, earlier, before] = depths(&sandbox, 500).try_into().unwrap();
    assert!(now == whole[0] && earlier == before && before <= whole[0] / U256::from(20));
    tell(&sandbox, &json!({"state": "fresh"}));
    assert_eq!(depths(&sandbox, 500), whole);
}

#[test]
fn what_cannot_be_is_refused() {
    let sandbox = sandbox();
    for (body, word) in [
        (json!({"state": "moved"}), "bps"),
        (json!({"state": "moved", "bps": -10_000}), "bps"),
        (json!({"state": "moved", "bps": 1, "secs": 3_601}), "secs"),
        (json!({"state": "manipulated", "secs": 3_600, "ago": 1}), "secs and ago"),
        (json!({"state": "noHistory", "secs": u32::MAX}), "secs"),
        (json!({"state": "stale", "token": sandbox.account(0)}), "token"),
        (json!({"state": "gone"}), "unknown variant"),
        (json!({"state": "fresh", "window": 1}), "unknown field"),
    ] {
        let details = sandbox.post("/sandbox/reference", &body).refused(400, "InvalidInput");
        assert!(details.contains(word), "{body}: {details}");
    }
    let elsewhere: Value = json!({"state": "fresh", "chainId": 1});
    sandbox.post("/sandbox/reference", &elsewhere).refused(422, "UnsupportedChain");
}
