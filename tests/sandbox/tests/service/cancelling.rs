//! Cancelling off chain, by a signature of the owner.

use serde_json::{Value, json};

use crate::client::Answer;
use crate::started::{Sandbox, sandbox};
use crate::trade::{Signed, Swap, compact, flip, raw_route, read, sign, sign_typed_data, wait_for};

const BUILD: &str = "/v2/delta/orders/build/cancellation";
const CANCEL: &str = "/v2/delta/orders/cancel";

/// An order of that account that no solver takes.
fn resting(sandbox: &Sandbox, owner: usize) -> Value {
    let swap = Swap { owner, post: json!({"type": "LIMIT", "includeAgents": ["sandbox-idle"]}), ..Swap::default() };
    let (_, posted) = swap.posted(sandbox);
    wait_for(sandbox, &posted["id"], "ACTIVE");
    posted["id"].clone()
}

/// The owner's text to sign, built by the service.
fn built(sandbox: &Sandbox, ids: &[&Value]) -> Value {
    sandbox.post(BUILD, &json!({"orderIds": ids})).ok()
}

fn cancel(sandbox: &Sandbox, ids: &[&Value], signature: &str) -> Answer {
    sandbox.post(CANCEL, &json!({"orderIds": ids, "signature": signature}))
}

/// Builds, signs and posts a cancellation by that account.
fn cancelled(sandbox: &Sandbox, owner: usize, ids: &[&Value]) -> Value {
    let signature = sign_typed_data(sandbox, &sandbox.account(owner), &built(sandbox, ids)["toSign"]);
    cancel(sandbox, ids, &compact(&signature)).ok()
}

#[test]
fn one_order_or_many_are_cancelled_and_settle_no_more() {
    let sandbox = sandbox();
    let ids = [0, 0, 0].map(|owner| resting(&sandbox, owner));
    assert_eq!(cancelled(&sandbox, 0, &[&ids[0]]), json!({"cancelled": [ids[0]]}));
    assert_eq!(read(&sandbox, &ids[0])["status"], "CANCELLED");
    assert_eq!(read(&sandbox, &ids[1])["status"], "ACTIVE");
    sandbox.settings(json!({"cancelReply": "success"}));
    assert_eq!(cancelled(&sandbox, 0, &[&ids[1], &ids[2]]), json!({"success": true}));
    for id in &ids {
        let order = wait_for(&sandbox, id, "CANCELLED");
        assert_eq!(order["transactions"], json!([]));
        sandbox.post("/sandbox/fill", &json!({"orderId": id})).refused(400, "InvalidInput");
    }
}

#[test]
fn only_the_owners_signature_over_exactly_these_ids_cancels() {
    let sandbox = sandbox();
    let (one, two) = (resting(&sandbox, 0), resting(&sandbox, 0));
    let to_sign = built(&sandbox, &[&one])["toSign"].clone();
    let long = sign_typed_data(&sandbox, &sandbox.account(0), &to_sign);
    for bit in [0, 256, 511] {
        cancel(&sandbox, &[&one], &flip(&compact(&long), bit)).refused(400, "InvalidSignature");
    }
    let other = sign_typed_data(&sandbox, &sandbox.account(1), &to_sign);
    cancel(&sandbox, &[&one], &compact(&other)).refused(400, "InvalidSignature");
    for ids in [vec![&two], vec![&one, &two], vec![&one, &one]] {
        cancel(&sandbox, &ids, &compact(&long)).refused(400, "InvalidSignature");
    }
    for signature in ["0x", "0x12", "text"] {
        cancel(&sandbox, &[&one], signature).refused(400, "InvalidSignature");
    }
    assert_eq!(read(&sandbox, &one)["status"], "ACTIVE");
    // Nothing on chain sees it: the long form is as good.
    cancel(&sandbox, &[&one], &long).ok();
}

#[test]
fn what_cannot_be_cancelled_is_refused_by_name() {
    let sandbox = sandbox();
    let (mine, theirs) = (resting(&sandbox, 0), resting(&sandbox, 1));
    let unknown = json!("00000000-0000-4000-8000-000000000000");
    let build = |ids: Value| sandbox.post(BUILD, &json!({"orderIds": ids}));
    assert_eq!(build(json!([unknown])).refused(404, "NotFound"), "Orders are not found");
    assert_eq!(build(json!([mine, unknown])).refused(404, "NotFound"), "Orders are not found");
    let details = build(json!([mine, theirs])).refused(400, "InvalidInput");
    assert_eq!(details, "All orders must belong to the same user and chain");
    build(json!([])).refused(400, "InvalidInput");
    build(json!(vec![mine.clone(); 101])).refused(400, "InvalidInput");
    build(json!(vec![mine.clone(); 100])).ok();
    sandbox.post(BUILD, &json!({})).refused(400, "InvalidInput");
    sandbox.post(CANCEL, &json!({"orderIds": [mine]})).refused(400, "InvalidInput");

    let signature = compact(&sign_typed_data(&sandbox, &sandbox.account(0), &built(&sandbox, &[&mine])["toSign"]));
    cancel(&sandbox, &[&mine], &signature).ok();
    assert_eq!(cancel(&sandbox, &[&mine], &signature).refused(400, "InvalidInput"), "Order already settled");
    assert_eq!(build(json!([mine])).refused(400, "InvalidInput"), "All orders are already finalized");
    // Those still open among them are cancelled.
    let open = resting(&sandbox, 0);
    assert_eq!(cancelled(&sandbox, 0, &[&mine, &open]), json!({"cancelled": [open]}));
}

#[test]
fn orders_of_two_chains_are_not_cancelled_by_one_signature() {
    let sandbox = sandbox();
    let here = resting(&sandbox, 1);
    let owner = sandbox.account(1);
    let token = sandbox.token("USDC");
    let approve = json!({"chainId": 31338, "token": token, "owner": owner, "amount": "100000000"});
    sandbox.post("/sandbox/approve", &approve).ok();
    let swap = Swap { owner: 1, post: json!({"chainId": 31338, "includeAgents": ["sandbox-idle"]}), ..Swap::default() };
    let target = swap.quote_target(&sandbox).replace("chainId=31337", "chainId=31338");
    let route = raw_route(&sandbox.get(&target).body);
    let signed = sign(&sandbox, &owner, &swap.try_build(&sandbox, &route).ok());
    let there = swap.post(&sandbox, &signed).ok()["id"].clone();
    for path in [BUILD, CANCEL] {
        let body = json!({"orderIds": [here, there], "signature": "0x"});
        let details = sandbox.post(path, &body).refused(400, "InvalidInput");
        assert_eq!(details, "All orders must belong to the same user and chain");
    }
    assert_eq!(cancelled(&sandbox, 1, &[&there]), json!({"cancelled": [there]}));
}

#[test]
fn every_state_before_a_final_one_can_be_cancelled() {
    let sandbox = sandbox();
    let swap = Swap { owner: 4, post: json!({"type": "LIMIT", "includeAgents": ["sandbox-idle"]}), ..Swap::default() };
    let (_, suspended) = swap.posted(&sandbox);
    sandbox.approve("USDC", &sandbox.account(4), 0);
    wait_for(&sandbox, &suspended["id"], "SUSPENDED");
    swap.approve(&sandbox);
    let waiting = swap.post(&sandbox, &Signed { signature: "0x".into(), ..swap.signed(&sandbox) }).ok();
    assert_eq!(waiting["status"], "AWAITING_SIGNATURE");
    let ids = [&suspended["id"], &waiting["id"]];
    assert_eq!(cancelled(&sandbox, 4, &ids), json!({"cancelled": ids}));
}

#[test]
fn a_fill_under_way_may_land_before_the_cancellation() {
    let sandbox = sandbox();
    sandbox.settings(json!({"solving": false}));
    let in_flight = |swap: &Swap| {
        sandbox.settings(json!({"flightMs": 3_600_000}));
        let (_, posted) = swap.posted(&sandbox);
        wait_for(&sandbox, &posted["id"], "ACTIVE");
        let begin = json!({"orderId": posted["id"], "hold": true});
        sandbox.post("/sandbox/fill", &begin).ok();
        assert!(sandbox.post("/sandbox/fill", &begin).refused(400, "InvalidInput").contains("under way"));
        assert_eq!(cancelled(&sandbox, swap.owner, &[&posted["id"]]), json!({"cancelled": [posted["id"]]}));
        assert_eq!(read(&sandbox, &posted["id"])["status"], "CANCELLING");
        posted["id"].clone()
    };
    let lands = || sandbox.settings(json!({"flightMs": 0}));
    let whole = in_flight(&Swap::default());
    lands();
    wait_for(&sandbox, &whole, "COMPLETED");
    let gone = in_flight(&Swap::default());
    sandbox.approve("USDC", &sandbox.account(0), 0);
    lands();
    assert_eq!(wait_for(&sandbox, &gone, "CANCELLED")["transactions"], json!([]));
    let build = json!({"partiallyFillable": true, "slippage": 500});
    sandbox.settings(json!({"fillPercent": 30}));
    let part = in_flight(&Swap { build, post: json!({"partiallyFillable": true}), ..Swap::default() });
    lands();
    assert_eq!(wait_for(&sandbox, &part, "CANCELLED")["transactions"][0]["spentAmount"], "30000000");
}

#[test]
fn a_smart_account_cancels_as_it_signs() {
    let sandbox = sandbox();
    let body = json!({"chainId": 31337, "owner": sandbox.account(2), "kind": "contract", "fund": true});
    let owner = sandbox.post("/sandbox/wallet", &body).ok()["address"].clone();
    sandbox.approve("USDC", owner.as_str().unwrap(), 100_000_000);
    let swap =
        Swap { build: json!({"owner": owner}), post: json!({"includeAgents": ["sandbox-idle"]}), ..Swap::default() };
    let order = swap.try_build(&sandbox, &swap.quote(&sandbox).route).ok();
    let signature = sign_typed_data(&sandbox, &sandbox.account(2), &order["toSign"]);
    let signed = Signed { order: order["toSign"]["value"].clone(), hash: String::new(), signature };
    let id = swap.post(&sandbox, &signed).ok()["id"].clone();
    let long = sign_typed_data(&sandbox, &sandbox.account(2), &built(&sandbox, &[&id])["toSign"]);
    cancel(&sandbox, &[&id], &compact(&long)).refused(400, "InvalidSignature");
    assert_eq!(cancel(&sandbox, &[&id], &long).ok(), json!({"cancelled": [id]}));
    assert_eq!(read(&sandbox, &id)["status"], "CANCELLED");
}
