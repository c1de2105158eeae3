//! Limit orders: they rest until the price is reached, or their time is over.

use serde_json::{Value, json};

use crate::started::Sandbox;
use crate::started::sandbox;
use crate::trade::{Swap, number, read, wait_for};

/// Sells 100 USDC of that account at a price that is `bps` better than the pool's.
fn sale(sandbox: &Sandbox, owner: usize, bps: u128) -> Swap {
    let swap = Swap { owner, ..Swap::default() };
    let quoted = number(&swap.quote(sandbox).delta["route"]["origin"]["output"]["amount"]);
    let limit = quoted * (10_000 + bps) / 10_000;
    Swap { build: json!({"limitAmount": limit.to_string(), "slippage": null}), post: json!({"type": "LIMIT"}), ..swap }
}

fn move_price(sandbox: &Sandbox, src: &str, dest: &str, amount: u128) {
    let (src, dest) = (sandbox.token(src), sandbox.token(dest));
    let trade = json!({"chainId": 31337, "srcToken": src, "destToken": dest, "amount": amount.to_string()});
    assert!(number(&sandbox.post("/sandbox/trade", &trade).ok()["received"]) > 0);
}

#[test]
fn a_sale_rests_until_the_price_is_there_and_then_gets_at_least_its_limit() {
    let sandbox = sandbox();
    let swap = sale(&sandbox, 0, 100);
    let owner = sandbox.account(0);
    let (signed, posted) = swap.posted(&sandbox);
    let limit = &signed.order["destAmount"];
    assert_eq!((limit, &posted["type"]), (&signed.order["expectedAmount"], &json!("LIMIT")));
    assert_eq!((&posted["output"]["minAmount"], &posted["output"]["expectedAmount"]), (limit, limit));
    wait_for(&sandbox, &posted["id"], "ACTIVE");
    let early = sandbox.post("/sandbox/fill", &json!({"orderId": posted["id"]})).refused(400, "PricingError");
    assert!(early.contains("worse than the order's"), "{early}");
    let (dollars, dai) = (sandbox.balance("USDC", &owner), sandbox.balance("DAI", &owner));
    // 1 % of price is half a percent of each reserve.
    move_price(&sandbox, "DAI", "USDC", 200_000 * 10_u128.pow(18));
    let order = wait_for(&sandbox, &posted["id"], "COMPLETED");
    let received = sandbox.balance("DAI", &owner) - dai;
    assert_eq!(dollars - sandbox.balance("USDC", &owner), 100_000_000);
    assert_eq!(number(&order["output"]["executedAmount"]), received);
    assert!(received >= number(limit) * 9_999 / 10_000, "the limit, of which anon's fee is 1 bps");
    move_price(&sandbox, "USDC", "DAI", 199_000 * 10_u128.pow(6));
}

#[test]
fn a_resting_order_is_suspended_while_allowance_or_balance_is_away_and_comes_back() {
    let sandbox = sandbox();
    let owner = sandbox.account(4);
    let (_, posted) = sale(&sandbox, 4, 500).posted(&sandbox);
    wait_for(&sandbox, &posted["id"], "ACTIVE");
    sandbox.approve("USDC", &owner, 99_999_999);
    wait_for(&sandbox, &posted["id"], "SUSPENDED");
    sandbox.approve("USDC", &owner, 100_000_000);
    wait_for(&sandbox, &posted["id"], "ACTIVE");
    let held = sandbox.balance("USDC", &owner);
    let data = format!("0xa9059cbb{:0>64}{held:0>64x}", "dead");
    sandbox.send(&json!({"from": owner, "to": sandbox.token("USDC"), "data": data}));
    wait_for(&sandbox, &posted["id"], "SUSPENDED");
    let refill = json!({"chainId": 31337, "address": owner, "token": sandbox.token("USDC"), "amount": "10000000000"});
    sandbox.post("/sandbox/faucet", &refill).ok();
    wait_for(&sandbox, &posted["id"], "ACTIVE");
    sandbox.approve("USDC", &owner, 0);
    wait_for(&sandbox, &posted["id"], "SUSPENDED");
    // Also past its deadline, however it is covered.
    sandbox.advance(700);
    wait_for(&sandbox, &posted["id"], "EXPIRED");
}

#[test]
fn the_agents_an_order_names_are_the_only_ones_that_take_it() {
    let sandbox = sandbox();
    let agents = sandbox.get("/v2/delta/agents/list/31337").ok();
    assert_eq!(agents, json!(["sandbox-solver", "sandbox-idle"]));
    let posted = |agents: Value| {
        let mut post = json!({"type": "LIMIT", "referrerAddress": sandbox.account(3)});
        post.as_object_mut().unwrap().extend(agents.as_object().unwrap().clone());
        Swap { post, ..Swap::default() }.posted(&sandbox).1
    };
    let waiting =
        [json!({"includeAgents": ["sandbox-idle"]}), json!({"excludeAgents": ["sandbox-solver"]})].map(posted);
    let taken = [json!({"includeAgents": ["sandbox-solver"]}), json!({"excludeAgents": ["sandbox-idle"]})].map(posted);
    for order in taken {
        wait_for(&sandbox, &order["id"], "COMPLETED");
    }
    assert!(waiting.iter().all(|order| read(&sandbox, &order["id"])["status"] == "ACTIVE"));
}

#[test]
fn members_posted_beside_an_order_are_checked() {
    let sandbox = sandbox();
    let swap = Swap::default();
    swap.approve(&sandbox);
    let body = swap.post_body(&swap.signed(&sandbox));
    for (member, value) in [
        ("type", json!("STOP")),
        ("partiallyFillable", json!("yes")),
        ("includeAgents", json!("sandbox-solver")),
        ("excludeAgents", json!(["somebody"])),
        ("onChainOrderType", json!("TWAPOrder")),
        ("onChainOrderType", json!(1)),
        ("referrerAddress", json!("me")),
    ] {
        let mut changed = body.clone();
        changed[member] = value.clone();
        let details = sandbox.post("/v2/delta/orders", &changed).refused(400, "InvalidInput");
        assert!(details.contains(member), "{member} {value}: {details}");
    }
    sandbox.post("/v2/delta/orders?degenMode=maybe", &body).refused(400, "InvalidInput");
    sandbox.post("/v2/delta/orders?degenMode=true", &body).ok();
}
