//! The oracles: where they are, their answer in each state, and how they follow the market.

mod hostile;
mod lens;
mod published;
mod states;

use alloy_primitives::{Address, B256, U256, keccak256};
use alloy_sol_types::SolValue;
use serde_json::{Value, json};

use self::lens::{Seen, look};
use crate::started::{Sandbox, sandbox};
use crate::trade::{Swap, number, wait_for};

/// The first chain's pool of two tokens, as a client computes it.
fn pool(sandbox: &Sandbox, a: &str, b: &str, fee: u16) -> Address {
    pool_on(sandbox.chain(), a, b, fee)
}

fn pool_on(chain: &Value, a: &str, b: &str, fee: u16) -> Address {
    let token = |symbol: &str| {
        let tokens = chain["tokens"].as_array().unwrap();
        let token = tokens.iter().find(|token| token["symbol"] == symbol).unwrap();
        token["address"].as_str().unwrap().parse::<Address>().unwrap()
    };
    let (a, b) = (token(a), token(b));
    let salt = keccak256((a.min(b), a.max(b), U256::from(fee)).abi_encode());
    let references = &chain["references"];
    let factory: Address = references["factory"].as_str().unwrap().parse().unwrap();
    factory.create2(salt, references["initCodeHash"].as_str().unwrap().parse::<B256>().unwrap())
}

fn feed(sandbox: &Sandbox, symbol: &str) -> Address {
    let token = sandbox.token(symbol);
    let feeds = sandbox.chain()["references"]["feeds"].as_array().unwrap();
    let feed = feeds.iter().find(|feed| feed["token"].as_str() == Some(&token)).unwrap();
    feed["feed"].as_str().unwrap().parse().unwrap()
}

/// The pool of USDC and WETH, and the feed of the native token.
fn ether(sandbox: &Sandbox) -> (Seen, Option<lens::Answer>) {
    let reading = look(sandbox, &[pool(sandbox, "USDC", "WETH", 500)], &[feed(sandbox, "ETH")]);
    (reading.pools[0].clone().expect("the pool answers"), reading.feeds[0])
}

/// Dollars per ether, by a tick of the pool of USDC and WETH.
fn dollars(sandbox: &Sandbox, tick: i64) -> f64 {
    let is_first = sandbox.token("WETH").to_lowercase() < sandbox.token("USDC").to_lowercase();
    #[expect(clippy::cast_precision_loss, reason = "a tick is small")]
    let ratio = 1.0001_f64.powf(if is_first { tick as f64 } else { -(tick as f64) });
    ratio * 1e12
}

fn tell(sandbox: &Sandbox, body: &Value) {
    sandbox.post("/sandbox/reference", body).ok();
}

fn trade(sandbox: &Sandbox, src: &str, dest: &str, amount: u128) -> u128 {
    let (src, dest) = (sandbox.token(src), sandbox.token(dest));
    let trade = json!({"chainId": 31337, "srcToken": src, "destToken": dest, "amount": amount.to_string()});
    number(&sandbox.post("/sandbox/trade", &trade).ok()["received"])
}

/// The service's price of an ether, in dollars.
fn quoted(sandbox: &Sandbox) -> f64 {
    let swap = Swap { src: "WETH", dest: "USDC", amount: 10_u128.pow(18), ..Swap::default() };
    let output = &swap.quote(sandbox).delta["route"]["destination"]["output"]["amount"];
    f64::from(u32::try_from(number(output) / 10_000).unwrap()) / 100.0
}

fn is_near(one: f64, other: f64, bps: f64) -> bool {
    (one / other - 1.0).abs() * 10_000.0 <= bps
}

#[test]
fn both_chains_have_pools_where_create2_says_and_feeds_and_all_say_the_market_s_price() {
    let sandbox = sandbox();
    for chain in sandbox.config()["chains"].as_array().unwrap() {
        let references = &chain["references"];
        assert_eq!(references["wrappedNative"], chain["weth"]);
        let symbols = |list: &Value, member: &str| -> Vec<String> {
            let of =
                |one: &Value| chain["tokens"].as_array().unwrap().iter().find(|t| t["address"] == one[member]).cloned();
            list.as_array().unwrap().iter().map(|one| of(one).unwrap()["symbol"].as_str().unwrap().to_owned()).collect()
        };
        assert_eq!(symbols(&references["dollars"], "address"), ["USDC", "DAI", "USDT"]);
        assert_eq!(symbols(&references["feeds"], "token"), ["USDC", "DAI", "USDT", "ETH"]);
        for feed in references["feeds"].as_array().unwrap() {
            assert_eq!((&feed["decimals"], &feed["heartbeatSecs"]), (&json!(8), &json!(3_600)));
        }
        let mut pairs = vec![
            ("USDC", "WETH", 500),
            ("USDC", "WETH", 3_000),
            ("USDC", "DAI", 500),
            ("PUSD", "WETH", 500),
            ("USDT", "PUSD", 500),
        ];
        if chain["chainId"] == 31338 {
            pairs.extend([("USDB", "USDC", 500), ("USDB", "WETH", 500)]);
        }
        let pools: Vec<Address> = pairs.iter().map(|(a, b, fee)| pool_on(chain, a, b, *fee)).collect();
        let feeds: Vec<Address> = references["feeds"]
            .as_array()
            .unwrap()
            .iter()
            .map(|feed| feed["feed"].as_str().unwrap().parse().unwrap())
            .collect();
        let reading = lens::look_on(&sandbox, chain["chainId"].as_u64().unwrap(), &pools, &feeds);
        for (pool, pair) in reading.pools.iter().zip(&pairs) {
            let seen = pool.as_ref().unwrap_or_else(|| panic!("{pair:?} does not answer"));
            assert_eq!(
                (seen.window, seen.mean(), seen.mean_of_5_minutes()),
                (1_800, seen.mean(), seen.mean()),
                "{pair:?}"
            );
        }
        for answer in &reading.feeds {
            assert_eq!(answer.unwrap().decimals, 8);
            assert_eq!(reading.at - answer.unwrap().updated_at, 60);
        }
        let untold = ["USDC", "WETH"].map(|other| pool_on(chain, "TAX", other, 500));
        assert_eq!(lens::look_on(&sandbox, 31337, &untold, &[]).pools, [None, None], "TAX has no reference");
    }
    let (seen, answer) = ether(&sandbox);
    let answer = f64::from(u32::try_from(answer.unwrap().answer / 1_000_000).unwrap()) / 100.0;
    assert!(is_near(dollars(&sandbox, seen.mean()), answer, 15.0), "{seen:?} {answer}");
    assert!(is_near(quoted(&sandbox), answer, 15.0), "{answer}");
    let depth = |seen: &Seen| seen.mean_liquidity();
    let (deep, shallow) = (depth(&seen), look(&sandbox, &[pool(&sandbox, "USDC", "WETH", 3_000)], &[]));
    assert!(is_near(deep / depth(shallow.pools[0].as_ref().unwrap()), 3.0, 5.0));
    // At 30 million dollars on each side the root of the product of both is 30 million / sqrt(3000), in raw units. Tests
    // that move the market leave it deeper.
    assert!((0.98..1.5).contains(&(deep / (3e7 * 1e12 / 3_000_f64.sqrt()))), "{deep}");
}

#[test]
fn a_trade_moves_pools_and_feeds_and_time_makes_neither_stale() {
    let sandbox = sandbox();
    let (before, said) = ether(&sandbox);
    let fair = quoted(&sandbox);
    let received = trade(&sandbox, "USDC", "WETH", 600_000 * 1_000_000);
    let factor = quoted(&sandbox) / fair;
    assert!(factor > 1.02, "{factor}");
    let (after, says) = ether(&sandbox);
    let moved = |seen: &Seen| dollars(&sandbox, seen.mean_of_5_minutes()) / dollars(&sandbox, before.mean());
    assert!(is_near(moved(&after), 1.0, 20.0), "the means take their time: {}", moved(&after));
    let price = |answer: Option<lens::Answer>| f64::from(u32::try_from(answer.unwrap().answer / 1_000_000).unwrap());
    assert!(is_near(price(says) / price(said), factor, 15.0), "{} {}", price(says), price(said));
    sandbox.advance(300);
    let (later, _) = ether(&sandbox);
    assert!(is_near(moved(&later), factor, 15.0), "{}", moved(&later));
    assert!(dollars(&sandbox, later.mean()) < dollars(&sandbox, later.mean_of_5_minutes()) * 0.99);
    sandbox.advance(100_000);
    let reading = look(&sandbox, &[pool(&sandbox, "USDC", "WETH", 500)], &[feed(&sandbox, "ETH")]);
    assert_eq!(reading.at - reading.feeds[0].unwrap().updated_at, 60);
    assert_eq!(reading.pools[0].as_ref().unwrap().mean(), later.mean_of_5_minutes());
    trade(&sandbox, "WETH", "USDC", received);
    // As if the price had always been this one.
    sandbox.post("/sandbox/reset", &json!({})).ok();
    let (reset, _) = ether(&sandbox);
    assert!(is_near(dollars(&sandbox, reset.mean()) / dollars(&sandbox, before.mean()), 1.0, 20.0));
    assert_eq!(reset.mean(), reset.mean_of_5_minutes());
}

#[test]
fn a_settled_order_moves_them_too() {
    let sandbox = sandbox();
    let amount = 900_000 * 1_000_000_u128;
    let owner = sandbox.account(1);
    let faucet =
        json!({"chainId": 31337, "address": owner, "token": sandbox.token("USDC"), "amount": amount.to_string()});
    sandbox.post("/sandbox/faucet", &faucet).ok();
    sandbox.approve("USDC", &owner, amount);
    let (before, _) = ether(&sandbox);
    let swap = Swap { dest: "WETH", amount, owner: 1, ..Swap::default() };
    let received = {
        let (signed, posted) = swap.posted(&sandbox);
        wait_for(&sandbox, &posted["id"], "COMPLETED");
        number(&signed.order["expectedAmount"])
    };
    let has_moved = || {
        sandbox.advance(1_800);
        dollars(&sandbox, ether(&sandbox).0.mean()) > dollars(&sandbox, before.mean()) * 1.03
    };
    for round in 0.. {
        if has_moved() {
            break;
        }
        assert!(round < 100, "the pool stays where it was");
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    trade(&sandbox, "WETH", "USDC", received);
}
