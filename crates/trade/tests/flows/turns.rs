//! How often a trade waits behind a network: every answer takes a turn, of service and nodes alike, and what is under way
//! together takes one.

use super::fake_host::{
    DELTA, Moment, Place, ROUTER, Rig, SELL, SRC, Stop, Task, answer, at, failure, json, text, with,
};
use super::market::market;
use super::otc::{DECIMALS, desk_in};
use super::reference::{DEEP, FAIR, pool, pool_says, rig as with_pools};
use alloy_primitives::{Address, U256};
use std::cell::Cell;
use std::rc::Rc;
use verified_swap_trade::host::Signal;
use verify::internal::json::Json;

/// Milliseconds of a turn: short enough for what counts for 2 s to count, and no pause is as long.
const TURN_MS: u32 = 100;

/// An owner who has approved that much to Delta and to the router. An approval is in a block once the wallet answered that.
fn allowed(amount: u64, mined_by: &'static str) -> Rig {
    let rig = Rig::default();
    let spenders = [DELTA, ROUTER].map(|spender| (SRC.parse().unwrap(), spender.parse::<Address>().unwrap()));
    let mut chains = rig.world.chain.borrow_mut();
    let node = chains.node(8453);
    node.allowances.extend(spenders.map(|key| (key, U256::from(amount))));
    let is_approved = Rc::new(Cell::new(amount > 0));
    let seen = is_approved.clone();
    // Without its allowance a call of the router reverts.
    let call = move |_: &Json| match seen.get() {
        true => Ok(json(r#""0x""#)),
        false => Err(failure(3, "execution reverted")),
    };
    node.contracts.insert(spenders[1].1, Box::new(call));
    drop(chains);
    rig.world.at_each(move |world, moment| {
        if moment == Moment::Answer(mined_by) {
            is_approved.set(true);
            let allowances = spenders.map(|key| (key, U256::from(100_000_000)));
            world.chain.borrow_mut().node(8453).allowances.extend(allowances);
        }
    });
    rig
}

/// How many turns the calls of a trade take, one after the other.
fn turns<'a>(rig: &'a Rig, trade: impl AsyncFnOnce(&'a Rig) + 'a) -> u64 {
    let timeline = &rig.world.timeline;
    rig.world.latency_ms.set(TURN_MS);
    rig.world.node_latency_ms.set(TURN_MS.into());
    let before = timeline.now();
    let task: Task<'_, ()> = Box::pin(trade(rig));
    timeline.run(vec![task]);
    let passed = timeline.now() - before;
    assert_eq!(passed % u64::from(TURN_MS), 0, "nothing else is waited for");
    passed / u64::from(TURN_MS)
}

async fn call(rig: &Rig, name: &str, data: &Json, options: &str) -> Json {
    rig.beside(name, data, options, &Stop::never()).await.unwrap()
}

/// A trade from its price on, with those options of its build, of the approval that it may lack, and of its submission.
async fn trade(rig: &Rig, request: &str, [build, approve, submit]: [&str; 3]) {
    let quote = call(rig, "quote", &json(request), "{}").await;
    let build = call(rig, "build", &quote, build).await;
    if *at(&build, "approval") != Json::Null {
        call(rig, "approve", at(&build, "approval"), approve).await;
    }
    call(rig, "submit", &build, submit).await;
}

const PLAIN: [&str; 3] = [r#"{"slippageBps":50}"#, "{}", "{}"];
const SENT: [&str; 3] = [PLAIN[0], r#"{"until":"sent"}"#, "{}"];
const BOTH: [&str; 3] = [r#"{"slippageBps":50,"existing":"keepBoth"}"#, "{}", r#"{"existing":"keepBoth"}"#];

#[test]
fn a_trade_waits_for_nothing_twice() {
    let mut took = Vec::new();
    for (what, allowance, request, options) in [
        ("gasless", u64::MAX, SELL, PLAIN),
        ("gasless, nothing approved", 0, SELL, PLAIN),
        ("gasless, too little approved", 5, SELL, PLAIN),
        ("gasless, signed while the approval is on its way", 0, SELL, SENT),
        ("market", u64::MAX, &market(SELL), PLAIN),
        ("market, nothing approved", 0, &market(SELL), PLAIN),
    ] {
        // Behind the signature where that is not waited for, else behind the transaction.
        let rig = allowed(allowance, if options == SENT { "eth_signTypedData_v4" } else { "eth_sendTransaction" });
        let account = format!(r#""account":"{}""#, rig.owner());
        took.push((what, turns(&rig, async |rig| trade(rig, &with(request, &account), options).await)));
    }
    let rig = allowed(u64::MAX, "");
    turns(&rig, async |rig| trade(rig, SELL, PLAIN).await);
    took.push(("the same once more", turns(&rig, async |rig| trade(rig, SELL, BOTH).await)));
    took.push(("fill", fill()));
    let expected = [
        ("gasless", 3),
        ("gasless, nothing approved", 4),
        ("gasless, too little approved", 5),
        ("gasless, signed while the approval is on its way", 5),
        ("market", 3),
        ("market, nothing approved", 3),
        ("the same once more", 4),
        ("fill", 2),
    ];
    assert_eq!(took, expected);
}

/// The turns of a fill whose references are a pool, which is read at older blocks, too.
fn fill() -> u64 {
    let rig = with_pools();
    pool(&rig, 500, pool_says(1_800, FAIR, FAIR, DEEP));
    rig.world.chain.borrow_mut().node(8453).quiet_blocks = 1_000;
    let desk = desk_in(Rig::in_world(rig.world, |shared, _| {
        shared.settings.given_sources = rig.client.shared.settings.given_sources.clone();
        // The order alone names its chain.
        shared.settings.rpc = vec![(8453, Place::Node(8453))];
    }));
    let order = desk.order(&[]);
    let (hash, said) = (text(&order, "orderHash").to_owned(), order.write());
    desk.rig.world.service.borrow_mut().next("otcOrder", move |_, _| answer(200, said));
    turns(&desk.rig, async |rig| {
        let order = call(rig, "otc.order", &Json::String(hash), "{}").await;
        let build = call(rig, "otc.buildFill", &order, DECIMALS).await;
        assert!(text(&build, "report.price.text").contains("depth held"), "{}", at(&build, "report.price").write());
        call(rig, "submit", &build, "{}").await;
    })
}
