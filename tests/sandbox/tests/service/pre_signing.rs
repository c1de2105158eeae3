//! Orders whose owner signs on chain.

use alloy_primitives::keccak256;
use serde_json::json;

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
    // A stranger's signature is none.
    send(&sandbox, &sandbox.account(3), &signed.hash, true);
    std::thread::sleep(std::time::Duration::from_millis(400));
    assert_eq!(read(&sandbox, &posted["id"])["status"], "AWAITING_SIGNATURE");
    send(&sandbox, &sandbox.account(1), &signed.hash, true);
    let order = wait_for(&sandbox, &posted["id"], "COMPLETED");
    assert_eq!(order["transactions"][0]["spentAmount"], "100000000");
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
