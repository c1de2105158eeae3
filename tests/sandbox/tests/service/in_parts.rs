//! Orders that may be filled in parts.

use alloy_primitives::keccak256;
use serde_json::{Value, json};

use crate::started::{Sandbox, sandbox};
use crate::trade::{Swap, number, read, wait_for, wait_for_fills};

pub fn sale() -> Swap {
    Swap {
        // Every part costs gas.
        build: json!({"partiallyFillable": true, "slippage": 500}),
        post: json!({"type": "LIMIT", "partiallyFillable": true}),
        ..Swap::default()
    }
}

fn fill(sandbox: &Sandbox, id: &Value, percent: u64) -> Value {
    sandbox.post("/sandbox/fill", &json!({"orderId": id, "percent": percent})).ok()
}

#[test]
fn parts_add_up_to_the_whole_sale_at_its_price_or_better() {
    let sandbox = sandbox();
    sandbox.settings(json!({"solving": false}));
    let swap = Swap { amount: 100_000_003, ..sale() };
    let owner = sandbox.account(0);
    let (dollars, dai) = (sandbox.balance("USDC", &owner), sandbox.balance("DAI", &owner));
    let (signed, posted) = swap.posted(&sandbox);
    assert_eq!(posted["onChainOrderType"], "FillableOrder");
    wait_for(&sandbox, &posted["id"], "ACTIVE");
    let third = fill(&sandbox, &posted["id"], 33);
    assert_eq!(third["status"], "ACTIVE");
    assert_eq!(third["transactions"][0]["spentAmount"], "33000000");
    assert_eq!(dollars - sandbox.balance("USDC", &owner), 33_000_000);
    assert_eq!(sandbox.balance("DAI", &owner) - dai, number(&third["transactions"][0]["receivedAmount"]));
    assert_eq!(
        (&third["output"]["executedAmount"], &third["transactions"][0]["filledPercent"]),
        (&Value::Null, &json!(32.99))
    );
    fill(&sandbox, &posted["id"], 33);
    let done = fill(&sandbox, &posted["id"], 100);
    assert_eq!(done["status"], "COMPLETED");
    assert_eq!(done["transactions"][2]["spentAmount"], "34000003");
    let percents: Vec<f64> =
        done["transactions"].as_array().unwrap().iter().map(|entry| entry["filledPercent"].as_f64().unwrap()).collect();
    assert!((percents.iter().sum::<f64>() - 100.0).abs() < 1e-9, "{percents:?}");
    assert_eq!(dollars - sandbox.balance("USDC", &owner), swap.amount);
    let received = sandbox.balance("DAI", &owner) - dai;
    assert_eq!(number(&done["output"]["executedAmount"]), received);
    assert!(received >= number(&signed.order["destAmount"]) * 9_999 / 10_000);
    let again = sandbox.post("/sandbox/fill", &json!({"hash": signed.hash})).refused(400, "InvalidInput");
    assert!(again.contains("COMPLETED"), "{again}");
}

#[test]
fn parts_add_up_to_the_whole_purchase_for_at_most_its_price() {
    let sandbox = sandbox();
    sandbox.settings(json!({"fillPercent": 40}));
    let swap = Swap { side: "BUY", amount: 10_u128.pow(20) + 7, owner: 1, ..sale() };
    let owner = sandbox.account(1);
    let (dollars, dai) = (sandbox.balance("USDC", &owner), sandbox.balance("DAI", &owner));
    let (signed, posted) = swap.posted(&sandbox);
    let order = wait_for(&sandbox, &posted["id"], "COMPLETED");
    let received: Vec<u128> =
        order["transactions"].as_array().unwrap().iter().map(|entry| number(&entry["receivedAmount"])).collect();
    let part = swap.amount * 40 / 100;
    assert_eq!(received, [part, part, swap.amount - 2 * part]);
    assert_eq!(sandbox.balance("DAI", &owner) - dai, swap.amount);
    let spent = dollars - sandbox.balance("USDC", &owner);
    assert_eq!(number(&order["input"]["executedAmount"]), spent);
    assert!(spent <= number(&signed.order["srcAmount"]));
}

#[test]
fn a_part_that_is_filled_stays_filled_when_the_order_expires() {
    let sandbox = sandbox();
    sandbox.settings(json!({"solving": false}));
    let (_, posted) = sale().posted(&sandbox);
    wait_for(&sandbox, &posted["id"], "ACTIVE");
    fill(&sandbox, &posted["id"], 40);
    sandbox.advance(700);
    let order = wait_for(&sandbox, &posted["id"], "EXPIRED");
    assert_eq!(
        (&order["transactions"][0]["filledPercent"], &order["transactions"][0]["spentAmount"]),
        (&json!(40), &json!("40000000"))
    );
}

#[test]
fn the_order_is_signed_under_its_own_name_or_the_plain_one() {
    let sandbox = sandbox();
    for name in ["FillableOrder", "Order"] {
        sandbox.settings(json!({"fillableName": name, "fillPercent": 50}));
        let swap = sale();
        let built = swap.try_build(&sandbox, &swap.quote(&sandbox).route).ok();
        let types = built["toSign"]["types"].as_object().unwrap();
        assert_eq!(types.keys().collect::<Vec<_>>(), ["Bridge", name]);
        let (_, posted) = swap.posted(&sandbox);
        assert_eq!(posted["onChainOrderType"], "FillableOrder");
        let order = wait_for(&sandbox, &posted["id"], "COMPLETED");
        assert_eq!(order["transactions"].as_array().unwrap().len(), 2, "{name}");
    }
}

#[test]
fn an_order_that_is_whole_or_nothing_is_not_filled_in_parts() {
    let sandbox = sandbox();
    sandbox.settings(json!({"fillPercent": 10}));
    let (_, whole) = Swap::default().posted(&sandbox);
    assert_eq!(wait_for(&sandbox, &whole["id"], "COMPLETED")["transactions"].as_array().unwrap().len(), 1);
    sandbox.settings(json!({"solving": false}));
    let (_, whole) = Swap::default().posted(&sandbox);
    wait_for(&sandbox, &whole["id"], "ACTIVE");
    let body = json!({"orderId": whole["id"], "percent": 50});
    assert!(sandbox.post("/sandbox/fill", &body).refused(400, "InvalidInput").contains("percent"));
    for percent in [0, 101] {
        let body = json!({"orderId": whole["id"], "percent": percent});
        assert!(sandbox.post("/sandbox/fill", &body).refused(400, "InvalidInput").contains("1 to 100"));
    }
    assert_eq!(read(&sandbox, &whole["id"])["transactions"], json!([]));
    let body = json!({"orderId": whole["id"]});
    assert_eq!(sandbox.post("/sandbox/fill", &body).ok()["status"], "COMPLETED");
}

#[test]
fn the_post_repeats_whether_it_may_be_filled_in_parts() {
    let sandbox = sandbox();
    for (name, built, said) in
        [("FillableOrder", true, false), ("Order", true, false), ("FillableOrder", false, true), ("Order", false, true)]
    {
        sandbox.settings(json!({"fillableName": name}));
        let swap = Swap {
            build: json!({"partiallyFillable": built}),
            post: json!({"partiallyFillable": said}),
            ..Swap::default()
        };
        swap.approve(&sandbox);
        let signed = swap.signed(&sandbox);
        let details = swap.post(&sandbox, &signed).refused(400, "InvalidInput");
        assert!(details.contains("partiallyFillable"), "{details}");
    }
}

#[test]
fn its_nonce_does_not_cancel_it_and_stays_free_for_others() {
    let sandbox = sandbox();
    sandbox.settings(json!({"solving": false}));
    let nonce = sandbox.now() + 31;
    let build = json!({"partiallyFillable": true, "slippage": 500, "nonce": nonce.to_string()});
    let (_, posted) = Swap { build, ..sale() }.posted(&sandbox);
    wait_for(&sandbox, &posted["id"], "ACTIVE");
    let selector = &keccak256("invalidateNonce(uint256)").to_string()[..10];
    let data = format!("{selector}{nonce:0>64x}");
    sandbox.send(&json!({"from": sandbox.account(0), "to": sandbox.text("delta"), "data": data}));
    fill(&sandbox, &posted["id"], 50);
    wait_for_fills(&sandbox, &posted["id"], 1);
    assert_eq!(fill(&sandbox, &posted["id"], 100)["status"], "COMPLETED");
}
