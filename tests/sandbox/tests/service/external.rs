//! Orders whose proceeds go to a contract.

use alloy_primitives::keccak256;
use serde_json::{Value, json};

use crate::started::{Sandbox, hex_number, sandbox};
use crate::trade::{Signed, Swap, flip, number, wait_for};

fn sale(sandbox: &Sandbox, data: &str) -> Swap {
    let build = json!({"orderType": "ExternalOrder", "handler": sandbox.text("depository"), "data": data});
    Swap { build, ..Swap::default() }
}

fn deposited(sandbox: &Sandbox, account: &str, symbol: &str) -> u128 {
    let selector = &keccak256("deposited(address,address)").to_string()[..10];
    let word = |address: &str| format!("{:0>64}", address.trim_start_matches("0x"));
    let data = format!("{selector}{}{}", word(account), word(&sandbox.token(symbol)));
    hex_number(&sandbox.rpc("eth_call", json!([{"to": sandbox.text("depository"), "data": data}, "latest"])))
}

#[test]
fn the_handler_gets_the_proceeds_and_does_what_the_data_says() {
    let sandbox = sandbox();
    let (owner, friend) = (sandbox.account(0), sandbox.account(3));
    for (data, account) in [("0x".to_owned(), &owner), (format!("0x{:0>64}", &friend[2..]), &friend)] {
        let (dollars, dai) = (sandbox.balance("USDC", &owner), sandbox.balance("DAI", &owner));
        let before = deposited(&sandbox, account, "DAI");
        let (signed, posted) = sale(&sandbox, &data).posted(&sandbox);
        assert_eq!(
            (&signed.order["data"], &posted["onChainOrderType"]),
            (&json!(data.to_lowercase()), &json!("ExternalOrder"))
        );
        let order = wait_for(&sandbox, &posted["id"], "COMPLETED");
        assert_eq!(order["beneficiary"].as_str().unwrap().to_lowercase(), sandbox.text("depository").to_lowercase());
        let received = deposited(&sandbox, account, "DAI") - before;
        assert_eq!(number(&order["output"]["executedAmount"]), received);
        assert!(received >= number(&signed.order["destAmount"]) * 9_999 / 10_000);
        assert_eq!(dollars - sandbox.balance("USDC", &owner), 100_000_000);
        assert_eq!(sandbox.balance("DAI", &owner), dai);
    }
}

#[test]
fn a_purchase_delivers_exactly_to_the_handler() {
    let sandbox = sandbox();
    let amount = 10_u128.pow(20);
    let before = deposited(&sandbox, &sandbox.account(0), "DAI");
    let (_, posted) = Swap { side: "BUY", amount, ..sale(&sandbox, "0x") }.posted(&sandbox);
    wait_for(&sandbox, &posted["id"], "COMPLETED");
    assert_eq!(deposited(&sandbox, &sandbox.account(0), "DAI") - before, amount);
}

#[test]
fn only_what_the_owner_signed_is_taken() {
    let sandbox = sandbox();
    let swap = sale(&sandbox, "0x");
    swap.approve(&sandbox);
    let signed = swap.signed(&sandbox);
    let changed = Signed { signature: flip(&signed.signature, 300), ..signed.clone() };
    swap.post(&sandbox, &changed).refused(400, "InvalidSignature");
    for (member, value) in [("handler", json!(sandbox.text("pool"))), ("data", json!("0x01"))] {
        let mut changed = signed.clone();
        changed.order[member] = value;
        swap.post(&sandbox, &changed).refused(400, "InvalidSignature");
    }
    let degen = sandbox.post("/v2/delta/orders?degenMode=true", &swap.post_body(&signed));
    assert!(degen.refused(400, "InvalidInput").contains("degenMode"));
}

#[test]
fn what_it_needs_is_asked_for_by_name() {
    let sandbox = sandbox();
    for (member, value, error_type) in [
        ("handler", Value::Null, "InvalidExternalOrderParams"),
        ("handler", json!(sandbox.account(2)), "InvalidExternalOrderParams"),
        ("data", Value::Null, "InvalidExternalOrderParams"),
        ("data", json!("text"), "InvalidExternalOrderParams"),
        ("beneficiary", json!(sandbox.account(2)), "InvalidExternalOrderParams"),
        ("partiallyFillable", json!(true), "InvalidInput"),
    ] {
        let mut swap = sale(&sandbox, "0x");
        swap.build[member] = value;
        let details = swap.try_build(&sandbox, &swap.quote(&sandbox).route).refused(400, error_type);
        assert!(details.contains(member), "{details}");
    }
}

#[test]
fn an_order_that_earns_is_refused_by_name() {
    let sandbox = sandbox();
    let build = |build: Value| {
        let swap = Swap { build, ..Swap::default() };
        swap.try_build(&sandbox, &swap.quote(&sandbox).route)
    };
    let details = build(json!({"orderType": "ProductiveOrder"})).refused(400, "InvalidProductiveOrderParams");
    assert!(details.contains("strategy"), "{details}");
    let vault =
        sandbox.get("/v2/delta/prices/strategies/31337").ok()[sandbox.token("DAI")]["strategies"][0]["vault"].clone();
    let details = build(json!({"orderType": "ProductiveOrder", "strategy": vault})).refused(400, "InvalidInput");
    assert!(details.contains("ProductiveOrder"), "{details}");
}
