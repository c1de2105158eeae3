//! The pool against the one that Uniswap published (a devDependency; nothing of it is part of this repository): given
//! the same observations both answer the same, and what ours writes down is as in the other.

use alloy_primitives::{Address, B256, Bytes, I256, U256, aliases::I24, hex, keccak256};
use alloy_sol_types::{SolCall, sol};
use serde_json::{Value, json};

use super::lens::look;
use crate::started::{Sandbox, hex_number, repository, sandbox};

sol! {
    function observe(uint32[] secondsAgos) external view returns (int56[] ticks, uint160[] secondsPerLiquidity);
    function observations(uint256 index) external view returns (
        uint32 time, int56 ticks, uint160 secondsPerLiquidity, bool initialized
    );
    function slot0() external view returns (
        uint160 sqrtPriceX96, int24 tick, uint16 index, uint16 cardinality, uint16 next, uint8 protocol, bool unlocked
    );
    function liquidity() external view returns (uint128);
    function increaseObservationCardinalityNext(uint16 next) external;
    function createPool(address a, address b, uint24 fee) external returns (address);
    function getPool(address a, address b, uint24 fee) external view returns (address);
    function keeper() external view returns (address);
    function move(int24 tick, uint128 amount) external;
    function run(address[] targets, bytes[] calls) external;
}

/// A call's answer, or the data it reverts with.
fn try_call<C: SolCall>(sandbox: &Sandbox, to: Address, call: &C) -> Result<Bytes, Value> {
    let reply = sandbox.try_rpc("eth_call", json!([{"to": to, "data": Bytes::from(call.abi_encode())}, "latest"]));
    reply["result"].as_str().map(|data| hex::decode(data).unwrap().into()).ok_or_else(|| reply["error"]["data"].clone())
}

fn call<C: SolCall>(sandbox: &Sandbox, to: Address, call: &C) -> C::Return {
    C::abi_decode_returns(&try_call(sandbox, to, call).unwrap()).unwrap()
}

fn send<C: SolCall>(sandbox: &Sandbox, from: &Value, to: Address, call: &C) {
    // A pool's move costs more in the second after than in the one of which the node would estimate it.
    let gas = U256::from(15_000_000);
    sandbox.send(&json!({"from": from, "to": to, "data": Bytes::from(call.abi_encode()), "gas": gas}));
}

/// A pool of that factory, of two addresses without meaning.
fn created(sandbox: &Sandbox, from: &Value, factory: Address, first: u8) -> Address {
    let (a, b, fee) = (Address::with_last_byte(first), Address::with_last_byte(first + 1), "500".parse().unwrap());
    send(sandbox, from, factory, &createPoolCall { a, b, fee });
    call(sandbox, factory, &getPoolCall { a, b, fee })
}

fn published_factory(sandbox: &Sandbox, from: &Value) -> Address {
    let path = "node_modules/@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json";
    let text = std::fs::read_to_string(repository().join(path)).unwrap_or_else(|_| panic!("run `npm ci`: no {path}"));
    let artifact: Value = serde_json::from_str(&text).unwrap();
    let hash = sandbox.rpc("eth_sendTransaction", json!([{"from": from, "data": artifact["bytecode"]}]));
    loop {
        let receipt = sandbox.rpc("eth_getTransactionReceipt", json!([hash]));
        if let Some(created) = receipt["contractAddress"].as_str() {
            return created.parse().unwrap();
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
}

/// Gives the published pool what ours has: its state (slot 0), liquidity (slot 4), and observations (from slot 8 on).
fn copy(sandbox: &Sandbox, from: Address, to: Address) {
    let set = |slot: U256, parts: &[(U256, usize)]| {
        let value = parts.iter().fold(U256::ZERO, |all, (part, at)| all | (*part << *at));
        sandbox.rpc("anvil_setStorageAt", json!([to, slot, B256::from(value)]));
    };
    let state = call(sandbox, from, &slot0Call {});
    let numbers = [state.index, state.cardinality, state.next].map(U256::from);
    let [index, cardinality, next] = numbers;
    let price = U256::from(state.sqrtPriceX96);
    let tick = U256::from(state.tick.into_raw());
    set(U256::ZERO, &[(price, 0), (tick, 160), (index, 184), (cardinality, 200), (next, 216), (U256::from(1), 240)]);
    set(U256::from(4), &[(U256::from(call(sandbox, from, &liquidityCall {})), 0)]);
    for index in (0..state.cardinality).map(U256::from) {
        let one = call(sandbox, from, &observationsCall { index });
        let (time, ticks) = (U256::from(one.time), U256::from(one.ticks.into_raw()));
        let is_there = U256::from(u8::from(one.initialized));
        set(
            U256::from(8) + index,
            &[(time, 0), (ticks, 32), (U256::from(one.secondsPerLiquidity), 88), (is_there, 248)],
        );
    }
    assert_eq!(try_call(sandbox, to, &slot0Call {}), try_call(sandbox, from, &slot0Call {}));
}

#[test]
fn our_pool_observes_and_writes_down_what_the_published_one_does() {
    let sandbox = sandbox();
    let operator = &sandbox.rpc("eth_accounts", json!([]))[9];
    let factory = sandbox.chain()["references"]["factory"].as_str().unwrap().parse().unwrap();
    let ours = created(&sandbox, operator, factory, 1);
    let theirs = created(&sandbox, operator, published_factory(&sandbox, operator), 1);
    send(&sandbox, operator, ours, &increaseObservationCardinalityNextCall { next: 5 });
    let keeper = call(&sandbox, factory, &keeperCall {});
    let mut seed = 1_u64;
    let mut random = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        seed >> 33
    };
    let mut refused = 0;
    for round in 0..14 {
        sandbox.advance(random() % 700);
        copy(&sandbox, ours, theirs);
        let state = call(&sandbox, ours, &slot0Call {});
        let times = (0..state.cardinality)
            .map(|index| call(&sandbox, ours, &observationsCall { index: U256::from(index) }).time);
        let oldest = times.filter(|time| *time > 0).min().unwrap();
        let block = sandbox.rpc("eth_getBlockByNumber", json!(["latest", false]));
        let longest = u64::try_from(hex_number(&block["timestamp"])).unwrap() - u64::from(oldest);
        let agos = [0, 1, 11, 150, 300, 600, 1_200, 1_800, longest, longest + 1];
        let agos = agos.into_iter().chain((0..8).map(|_| random() % 3_000));
        for ago in agos {
            let observe = observeCall { secondsAgos: vec![u32::try_from(ago).unwrap(), 0] };
            let answer = try_call(&sandbox, theirs, &observe);
            assert_eq!(try_call(&sandbox, ours, &observe), answer, "{ago} s ago, round {round}");
            refused += u32::from(answer.is_err());
        }
        let tick = I24::try_from(i64::try_from(random() % 1_700_000).unwrap() - 850_000).unwrap();
        let amount = if round == 3 { 0 } else { u128::from(random()) << (random() % 90) };
        let calls = vec![moveCall { tick, amount }.abi_encode().into()];
        send(&sandbox, operator, keeper, &runCall { targets: vec![ours], calls });
        let index = U256::from(call(&sandbox, ours, &slot0Call {}).index);
        let (written, now) = (
            call(&sandbox, ours, &observationsCall { index }),
            call(&sandbox, theirs, &observeCall { secondsAgos: vec![0] }),
        );
        assert_eq!(
            (&[written.ticks][..], &[written.secondsPerLiquidity][..]),
            (&now.ticks[..], &now.secondsPerLiquidity[..])
        );
    }
    assert_eq!(call(&sandbox, ours, &slot0Call {}).cardinality, 5, "the ring went round");
    assert!(refused > 20, "OLD was seen {refused} times");
}

/// Writes into the published pool, of spacing 10, that liquidity grows by so much at these multiples of the spacing, from
/// below: `ticks` (slot 5) and `tickBitmap` (slot 6).
fn lay(sandbox: &Sandbox, pool: Address, grows: &[(i64, i64)]) {
    let word = |value: i64| I256::try_from(value).unwrap().into_raw();
    let key =
        |of: i64, slot: u64| keccak256([word(of), U256::from(slot)].map(|word| word.to_be_bytes::<32>()).concat());
    let set = |slot: B256, value: U256| sandbox.rpc("anvil_setStorageAt", json!([pool, slot, B256::from(value)]));
    let mut words = std::collections::BTreeMap::<i64, U256>::new();
    for (multiple, by) in grows {
        set(key(multiple * 10, 5), (word(*by) << 128) | U256::from(by.unsigned_abs()));
        *words.entry(multiple >> 8).or_default() |= U256::from(1) << (multiple & 255);
    }
    for (place, bits) in words {
        set(key(place, 6), bits);
    }
}

/// The mean liquidity over the 200 ticks above `tick`, or below it, whichever is less.
fn around(tick: i64, liquidity: i64, grows: &[(i64, i64)]) -> U256 {
    let at = |of: i64| {
        let over =
            |from: i64, to: i64| grows.iter().filter(move |(multiple, _)| (from + 1..=to).contains(&(multiple * 10)));
        let sum = |from, to| over(from, to).map(|(_, by)| by).sum::<i64>();
        if of >= tick { liquidity + sum(tick, of) } else { liquidity - sum(of, tick) }
    };
    let mean = |ticks: std::ops::Range<i64>| ticks.map(at).sum::<i64>().max(0) / 200;
    U256::from(mean(tick..tick + 200).min(mean(tick - 200..tick)).unsigned_abs())
}

#[test]
fn the_lens_walks_the_ticks_of_the_published_pool() {
    let sandbox = sandbox();
    let operator = &sandbox.rpc("eth_accounts", json!([]))[9];
    let factory = sandbox.chain()["references"]["factory"].as_str().unwrap().parse().unwrap();
    let ours = created(&sandbox, operator, factory, 3);
    let keeper = call(&sandbox, factory, &keeperCall {});
    let theirs = created(&sandbox, operator, published_factory(&sandbox, operator), 3);
    for (tick, grows) in [
        (0, vec![]),
        (-7, vec![(-1, 400), (0, -400)]),
        (123, vec![(12, 1_000), (13, -1_000)]),
        (120, vec![(12, 1_000), (13, -1_000)]),
        (119, vec![(12, 1_000), (30, -600), (31, -300), (-6, 300), (-8, 500)]),
        (-2_561, vec![(-257, 900), (-256, -900), (-255, 100), (-277, 50), (-276, 3)]),
        (700_003, vec![(69_999, 999), (70_001, -999), (69_990, -5), (70_019, 12)]),
    ] {
        let calls = vec![moveCall { tick: I24::try_from(tick).unwrap(), amount: 1_000 }.abi_encode().into()];
        send(&sandbox, operator, keeper, &runCall { targets: vec![ours], calls });
        sandbox.advance(2_000);
        copy(&sandbox, ours, theirs);
        lay(&sandbox, theirs, &grows);
        let seen = look(&sandbox, &[theirs, ours], &[]).pools;
        let [Some(theirs_seen), Some(ours_seen)] = &seen[..] else { panic!("{tick}: both answer") };
        assert_eq!(theirs_seen.around, around(tick, 1_000, &grows), "{tick} {grows:?}");
        assert_eq!(ours_seen.around, U256::from(1_000));
        // The liquidity is taken away again.
        let none: Vec<(i64, i64)> = grows.iter().map(|(multiple, _)| (*multiple, 0)).collect();
        lay(&sandbox, theirs, &none);
    }
}

#[test]
fn what_lies_in_a_single_tick_is_nothing_around_the_price() {
    let sandbox = sandbox();
    let pool = super::pool(&sandbox, "USDC", "WETH", 500);
    let around = || look(&sandbox, &[pool], &[]).pools[0].as_ref().unwrap().around;
    let whole = around();
    super::tell(&sandbox, &json!({"state": "narrow"}));
    assert!(around() <= whole / U256::from(20));
    super::tell(&sandbox, &json!({"state": "fresh"}));
    assert_eq!(around(), whole);
}
