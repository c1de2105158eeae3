//! Orders whose owner signs on chain.

use alloy_primitives::keccak256;
use serde_json::{Value, json};

use crate::started::{Sandbox, sandbox};
use crate::trade::{Signed, Swap, compact, read, sign_typed_data, wait_for};

/// An order of account 1 with an empty signature.
fn unsigned(sandbox: &Sandbox) -> (Swap, Signed) {
    let swap = Swap { owner: 1, ..Swap::default() };
    swap.approve(sandbox);
    let signed = Signed { signature: "0x".into(), ..swap.signed(sandbox) };
    (swap, signed)
}

/// The call data of setPreSignature.
fn pre_signature(hash: &str, signed: bool) -> String {
    format!("0xeb8fb268{}{:0>64}", &hash[2..], u8::from(signed))
}

fn send(sandbox: &Sandbox, from: &str, hash: &str, signed: bool) {
    sandbox.send(&json!({"from": from, "to": sandbox.text("delta"), "data": pre_signature(hash, signed)}));
}

#[test]
fn an_order_without_a_signature_waits_until_its_owner_signs_on_chain() {
    let sandbox = sandbox();
    let (swap, signed) = unsigned(&sandbox);
    let posted = swap.post(&sandbox, &signed).ok();
    assert_eq!(posted["status"], "AWAITING_SIGNATURE");
    // Somebody else's signature is none.
    send(&sandbox, &sandbox.account(3), &signed.hash, true);
    std::thread::sleep(std::time::Duration::from_millis(400));
    assert_eq!(read(&sandbox, &posted["id"])["status"], "AWAITING_SIGNATURE");
    send(&sandbox, &sandbox.account(1), &signed.hash, true);
    let order = wait_for(&sandbox, &posted["id"], "COMPLETED");
    assert_eq!(order["transactions"][0]["spentAmount"], "100000000");
}

#[test]
fn an_order_signed_on_chain_before_it_is_posted_does_not_wait() {
    let sandbox = sandbox();
    let (swap, signed) = unsigned(&sandbox);
    send(&sandbox, &sandbox.account(1), &signed.hash, true);
    let posted = swap.post(&sandbox, &signed).ok();
    assert_eq!(posted["status"], "PENDING");
    wait_for(&sandbox, &posted["id"], "COMPLETED");
}

#[test]
fn an_owner_may_sign_as_usual_after_all() {
    let sandbox = sandbox();
    let (swap, unsigned) = unsigned(&sandbox);
    let to_sign = json!({
        "domain": {
            "name": "Portikus", "version": "2.0.0", "chainId": 31337, "verifyingContract": sandbox.text("delta"),
        },
        "types": sandbox::order::order_types(sandbox::order::OrderKind::Order),
        "value": unsigned.order,
    });
    let posted = swap.post(&sandbox, &unsigned).ok();
    assert_eq!(swap.post(&sandbox, &unsigned).ok()["status"], "AWAITING_SIGNATURE");
    let signature = compact(&sign_typed_data(&sandbox, &sandbox.account(1), &to_sign));
    let signed = swap.post(&sandbox, &Signed { signature, ..unsigned }).ok();
    assert_eq!((&signed["id"], &signed["status"]), (&posted["id"], &json!("PENDING")));
    wait_for(&sandbox, &posted["id"], "COMPLETED");
}

#[test]
fn a_signature_that_was_taken_back_or_never_came_settles_nothing() {
    let sandbox = sandbox();
    sandbox.settings(json!({"solving": false}));
    let (swap, signed) = unsigned(&sandbox);
    send(&sandbox, &sandbox.account(1), &signed.hash, true);
    let posted = swap.post(&sandbox, &signed).ok();
    send(&sandbox, &sandbox.account(1), &signed.hash, false);
    wait_for(&sandbox, &posted["id"], "ACTIVE");
    let refused = sandbox.post("/sandbox/fill", &json!({"orderId": posted["id"]})).refused(400, "InvalidInput");
    let invalid = &keccak256("InvalidSignature()").to_string()[..10];
    assert!(refused.contains(invalid), "{refused}");

    let (swap, signed) = unsigned(&sandbox);
    let waiting = swap.post(&sandbox, &signed).ok();
    sandbox.advance(700);
    wait_for(&sandbox, &waiting["id"], "EXPIRED");
}

#[test]
fn a_smart_account_signs_on_chain_through_its_key() {
    let sandbox = sandbox();
    let body = json!({"chainId": 31337, "owner": sandbox.account(2), "kind": "contract", "fund": true});
    let owner = sandbox.post("/sandbox/wallet", &body).ok()["address"].as_str().unwrap().to_owned();
    sandbox.approve("USDC", &owner, 100_000_000);
    let swap = Swap { build: json!({"owner": owner}), post: json!({"type": "LIMIT"}), ..Swap::default() };
    let built = swap.try_build(&sandbox, &swap.quote(&sandbox).route).ok();
    let hash = built["orderHash"].as_str().unwrap().to_owned();
    let order = built["toSign"]["value"].clone();
    let posted = swap.post(&sandbox, &Signed { order, hash: hash.clone(), signature: "0x".into() }).ok();
    assert_eq!((&posted["status"], &posted["type"]), (&json!("AWAITING_SIGNATURE"), &json!("LIMIT")));

    let inner = pre_signature(&hash, true);
    let execute = |from: &str| -> Value {
        let selector = &keccak256("execute(address,uint256,bytes)").to_string()[..10];
        let head = format!("{:0>64}{:0>64}{:0>64x}", &sandbox.text("delta")[2..], 0, 0x60);
        let data = format!("{selector}{head}{:0>64x}{:0<192}", (inner.len() - 2) / 2, &inner[2..]);
        json!({"from": from, "to": owner, "data": data})
    };
    let stranger = sandbox.try_rpc("eth_call", json!([execute(&sandbox.account(3)), "latest"]));
    assert!(stranger.get("error").is_some(), "{stranger}");
    sandbox.send(&execute(&sandbox.account(2)));
    wait_for(&sandbox, &posted["id"], "COMPLETED");
}
