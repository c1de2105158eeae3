//! Orders that reach the chain, and those that do not.

use serde_json::{Value, json};

use crate::started::sandbox;
use crate::trade::{Swap, number, wait_for};

#[test]
fn a_purchase_delivers_exactly_what_was_bought_and_takes_the_fee_from_the_source() {
    let sandbox = sandbox();
    let amount = 250_000_000_000_000_000_000;
    let swap = Swap { side: "BUY", amount, owner: 1, ..Swap::default() };
    let owner = sandbox.account(1);
    let (dollars, dai) = (sandbox.balance("USDC", &owner), sandbox.balance("DAI", &owner));
    let vault = sandbox.balance("USDC", "0x00700052c0608f670705380a4900e0a8080010cc");
    let (signed, posted) = swap.posted(&sandbox);
    assert_eq!((&signed.order["kind"], &signed.order["destAmount"]), (&json!(1), &json!(amount.to_string())));
    let order = wait_for(&sandbox, &posted["id"], "COMPLETED");

    assert_eq!(sandbox.balance("DAI", &owner) - dai, amount);
    let spent = dollars - sandbox.balance("USDC", &owner);
    assert_eq!(number(&order["input"]["executedAmount"]), spent);
    assert!(spent <= number(&signed.order["srcAmount"]));
    assert_eq!(spent, number(&order["input"]["expectedAmount"]), "the quote holds while the pool does");
    let fee = sandbox.balance("USDC", "0x00700052c0608f670705380a4900e0a8080010cc") - vault;
    assert_eq!(fee, (spent - fee) / 10_000);
    assert!(fee > 0);
    assert_eq!(order["output"]["amount"], amount.to_string());
}

#[test]
fn the_partner_gets_its_fee_on_chain() {
    let sandbox = sandbox();
    let payee = "0x0000000000000000000000000000000000005e11";
    let build = json!({"partnerFeeBps": 150, "partnerAddress": payee});
    let swap = Swap { partner: "shop", query: "&partnerFeeBps=150".into(), build, ..Swap::default() };
    let before = sandbox.balance("DAI", payee);
    let (signed, posted) = swap.posted(&sandbox);
    let order = wait_for(&sandbox, &posted["id"], "COMPLETED");
    let fee = sandbox.balance("DAI", payee) - before;
    let gross = fee + number(&order["output"]["executedAmount"]);
    assert_eq!(fee, gross * 150 / 10_000);
    assert_eq!(gross, number(&signed.order["expectedAmount"]), "the quote holds while the pool does");
}

#[test]
fn a_token_that_returns_nothing_trades_both_ways() {
    let sandbox = sandbox();
    for (src, dest) in [("USDT", "USDC"), ("USDC", "USDT")] {
        let swap = Swap { src, dest, owner: 3, ..Swap::default() };
        let owner = sandbox.account(3);
        let (sold, bought) = (sandbox.balance(src, &owner), sandbox.balance(dest, &owner));
        let (_, posted) = swap.posted(&sandbox);
        let order = wait_for(&sandbox, &posted["id"], "COMPLETED");
        assert_eq!(sold - sandbox.balance(src, &owner), 100_000_000);
        assert_eq!(sandbox.balance(dest, &owner) - bought, number(&order["output"]["executedAmount"]));
    }
}

#[test]
fn wrapped_and_native_token_trade_one_to_one_but_for_gas() {
    let sandbox = sandbox();
    let swap = Swap { src: "WETH", dest: "ETH", amount: 1_000_000_000_000_000_000, ..Swap::default() };
    let (_, posted) = swap.posted(&sandbox);
    let order = wait_for(&sandbox, &posted["id"], "COMPLETED");
    assert_eq!(number(&order["output"]["executedAmount"]), 999_900_000_000_000_000 - 99_990_000_000_000);
}

#[test]
fn an_order_past_its_deadline_expires_and_moves_nothing() {
    let sandbox = sandbox();
    sandbox.settings(json!({"solving": false}));
    let swap = Swap { valid_for_secs: 120, ..Swap::default() };
    let (signed, posted) = swap.posted(&sandbox);
    let order = wait_for(&sandbox, &posted["id"], "ACTIVE");
    assert!(sandbox.now() < signed.order["deadline"].as_u64().unwrap());
    let dollars = sandbox.balance("USDC", &sandbox.account(0));
    sandbox.advance(300);
    sandbox.settings(json!({"solving": true}));
    let expired = wait_for(&sandbox, &posted["id"], "EXPIRED");
    assert_eq!(expired["transactions"], json!([]));
    assert_eq!(sandbox.balance("USDC", &sandbox.account(0)), dollars);
    assert!(expired["updatedAt"].as_str().unwrap() > order["updatedAt"].as_str().unwrap(), "by the chain's clock");
    assert!(expired["updatedAt"].as_str().unwrap() > expired["expiresAt"].as_str().unwrap());
}

#[test]
fn an_order_whose_allowance_or_balance_went_away_fails_without_a_transaction() {
    let sandbox = sandbox();
    let owner = sandbox.account(4);
    let withdraw: [&dyn Fn(); 2] = [&|| sandbox.approve("USDC", &owner, 0), &|| {
        let held = sandbox.balance("USDC", &owner);
        let data = format!("0xa9059cbb{:0>64}{held:0>64x}", "dead");
        sandbox.send(&json!({"from": owner, "to": sandbox.token("USDC"), "data": data}));
    }];
    for withdraw in withdraw {
        sandbox.settings(json!({"solving": false}));
        let swap = Swap { owner: 4, ..Swap::default() };
        let (_, posted) = swap.posted(&sandbox);
        wait_for(&sandbox, &posted["id"], "ACTIVE");
        withdraw();
        sandbox.settings(json!({"solving": true}));
        let order = wait_for(&sandbox, &posted["id"], "FAILED");
        assert_eq!(order["transactions"], json!([]));
        assert_eq!(order["output"]["executedAmount"], Value::Null);
    }
    let refill = json!({"chainId": 31337, "address": owner, "token": sandbox.token("USDC"), "amount": "10000000000"});
    assert_eq!(sandbox.post("/sandbox/faucet", &refill).ok()["balance"], "10000000000");
}

#[test]
fn an_order_whose_price_is_not_reached_stays_active() {
    let sandbox = sandbox();
    let limit = json!({"limitAmount": "200000000000000000000", "slippage": null});
    let swap = Swap { build: limit, ..Swap::default() };
    let (signed, posted) = swap.posted(&sandbox);
    assert_eq!(signed.order["destAmount"], "200000000000000000000");
    assert_eq!(signed.order["expectedAmount"], "200000000000000000000");
    wait_for(&sandbox, &posted["id"], "ACTIVE");
    let other = Swap { owner: 1, ..Swap::default() };
    let (_, later) = other.posted(&sandbox);
    wait_for(&sandbox, &later["id"], "COMPLETED");
    let order = sandbox.get(&format!("/v2/delta/orders/{}", posted["id"].as_str().unwrap())).ok();
    assert_eq!(order["status"], "ACTIVE");
    sandbox.advance(700);
    wait_for(&sandbox, &posted["id"], "EXPIRED");
}

#[test]
fn of_two_orders_with_one_nonce_only_one_settles() {
    let sandbox = sandbox();
    sandbox.settings(json!({"solving": false}));
    let nonce = sandbox.now().to_string();
    let swap = Swap { build: json!({"nonce": nonce}), ..Swap::default() };
    let (one, first) = swap.posted(&sandbox);
    let (two, second) = Swap { amount: 50_000_000, ..swap }.posted(&sandbox);
    assert_eq!((&one.order["nonce"], &two.order["nonce"]), (&json!(nonce), &json!(nonce)));
    let dollars = sandbox.balance("USDC", &sandbox.account(0));
    sandbox.settings(json!({"solving": true}));
    wait_for(&sandbox, &first["id"], "COMPLETED");
    wait_for(&sandbox, &second["id"], "FAILED");
    assert_eq!(dollars - sandbox.balance("USDC", &sandbox.account(0)), 100_000_000);
}

#[test]
fn a_delay_keeps_an_order_active_before_it_settles() {
    let sandbox = sandbox();
    sandbox.settings(json!({"settleDelayMs": 3_600_000}));
    let (_, posted) = Swap::default().posted(&sandbox);
    wait_for(&sandbox, &posted["id"], "ACTIVE");
    sandbox.settings(json!({"settleDelayMs": 0}));
    wait_for(&sandbox, &posted["id"], "COMPLETED");
}

#[test]
fn a_purchase_below_expectation_is_shared_as_the_order_says() {
    let sandbox = sandbox();
    let vault = "0x00700052c0608f670705380a4900e0a8080010cc";
    for cap in [true, false] {
        let scale = json!({"op": "scale", "path": "/delta/route/origin/input/amount", "num": 2, "den": 1});
        sandbox.post("/sandbox/tamper", &json!({"target": "quote", "patch": [scale]})).ok();
        let amount = 10_u128.pow(20);
        let swap = Swap { side: "BUY", amount, build: json!({"capSurplus": cap}), ..Swap::default() };
        let before = sandbox.balance("USDC", vault);
        let (signed, posted) = swap.posted(&sandbox);
        let honest = number(&signed.order["expectedAmount"]) / 2;
        let order = wait_for(&sandbox, &posted["id"], "COMPLETED");
        let (spent, got) = (number(&order["input"]["executedAmount"]), sandbox.balance("USDC", vault) - before);
        let share = if cap { honest * 2 / 100 / 2 } else { honest / 2 };
        assert_eq!(got - (spent - got) / 10_000, share);
        assert_eq!(spent, honest + share);
    }
}

#[test]
fn a_fill_above_expectation_is_shared_as_the_order_says() {
    let sandbox = sandbox();
    let (payee, vault) = ("0x0000000000000000000000000000000000005e12", "0x00700052c0608f670705380a4900e0a8080010cc");
    for partner_takes in [true, false] {
        // The quote is made worse, so that the real price is a surplus far above the cap of 1 %.
        let scale = json!({"op": "scale", "path": "/delta/route/origin/output/amount", "num": 1, "den": 2});
        sandbox.post("/sandbox/tamper", &json!({"target": "quote", "patch": [scale]})).ok();
        if !partner_takes {
            // The partner is named, but bit 8 is not set: no honest build has that.
            let encoded = (alloy_primitives::U256::from(0x5e12) << 96usize) | alloy_primitives::U256::from(0x200);
            let replace = json!({"op": "replace", "path": "/toSign/value/partnerAndFee", "value": encoded.to_string()});
            sandbox.post("/sandbox/tamper", &json!({"target": "build", "rehash": true, "patch": [replace]})).ok();
        }
        let build = json!({"partnerTakesSurplus": true, "partnerAddress": payee});
        let swap = Swap { partner: "shop", build, ..Swap::default() };
        let before = [payee, vault].map(|account| sandbox.balance("DAI", account));
        let (signed, posted) = swap.posted(&sandbox);
        wait_for(&sandbox, &posted["id"], "COMPLETED");
        let after = [payee, vault].map(|account| sandbox.balance("DAI", account));
        let capped = number(&signed.order["expectedAmount"]) / 100;
        assert_eq!(after[1] - before[1], capped / 2);
        assert_eq!(after[0] - before[0], if partner_takes { capped - capped / 2 } else { 0 });
    }
}
