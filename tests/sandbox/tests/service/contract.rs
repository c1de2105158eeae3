//! The Delta contract itself, asked directly: whatever the service would let through, it refuses what was not signed.

use alloy_primitives::{Bytes, U256};
use alloy_sol_types::SolCall;
use sandbox::chain::IDelta;
use serde_json::{Value, json};

use crate::contract_kinds::{Attempt, error, signed};
use crate::started::sandbox;
use crate::trade::{Swap, number, wait_for};

fn purchase() -> Swap {
    Swap { side: "BUY", amount: 10_u128.pow(20), build: json!({"slippage": 100}), ..Swap::default() }
}

#[test]
fn a_solver_cannot_give_less_or_take_more() {
    let sandbox = sandbox();
    let one = U256::from(1);
    let signed_sale = signed(&sandbox, &Swap::default());
    let sale = || Attempt::of(&signed_sale, false, 0, 100);
    assert_eq!(sale().refusal(&sandbox), None);
    let less = Attempt { promised: sale().promised - one, ..sale() };
    assert_eq!(less.refusal(&sandbox), error("ReceivedBelowMinimum()"));
    for spend in [sale().spend - one, sale().spend + one] {
        assert_eq!(Attempt { spend, ..sale() }.refusal(&sandbox), error("SpendDiffersFromOrder()"));
    }
    let signed_purchase = signed(&sandbox, &purchase());
    let purchase = |spend: U256| Attempt { spend, ..Attempt::of(&signed_purchase, false, 0, 100) };
    // The most that leaves room for the fee of 1 bps, rounded down.
    let most = (purchase(one).part.limit * U256::from(10_000)).div_ceil(U256::from(10_001));
    assert_eq!(purchase(most).refusal(&sandbox), None);
    assert_eq!(purchase(most + one).refusal(&sandbox), error("SpendAboveMaximum()"));
    let less = Attempt { promised: purchase(most).promised - one, ..purchase(most) };
    assert_eq!(less.refusal(&sandbox), error("ReceivedBelowMinimum()"));
}

#[test]
fn output_beyond_a_purchase_goes_to_the_protocol() {
    let sandbox = sandbox();
    let usual = Attempt::of(&signed(&sandbox, &purchase()), false, 0, 100);
    let (vault, owner) = ("0x00700052c0608f670705380a4900e0a8080010cc", sandbox.account(0));
    let before = [vault, &owner].map(|account| sandbox.balance("DAI", account));
    Attempt { spend: usual.part.expected, promised: usual.promised + U256::from(5), ..usual }.settle(&sandbox);
    let after = [vault, &owner].map(|account| sandbox.balance("DAI", account));
    assert_eq!([after[0] - before[0], after[1] - before[1]], [5, purchase().amount]);
}

#[test]
fn an_order_settled_by_another_solver_is_completed() {
    let sandbox = sandbox();
    sandbox.settings(json!({"solving": false}));
    let (signed, posted) = Swap::default().posted(&sandbox);
    Attempt::of(&signed, false, 0, 100).settle(&sandbox);
    let order = wait_for(&sandbox, &posted["id"], "COMPLETED");
    // Delivered at the minimum, of which 1 bps is the fee.
    let minimum = number(&signed.order["destAmount"]);
    assert_eq!(number(&order["output"]["executedAmount"]), minimum - minimum / 10_000);
    assert_eq!(order["transactions"][0]["spentAmount"], "100000000");
}

#[test]
fn an_order_whose_nonce_the_owner_cancels_fails() {
    let sandbox = sandbox();
    sandbox.settings(json!({"solving": false}));
    let (signed, posted) = Swap::default().posted(&sandbox);
    let nonce = signed.order["nonce"].as_str().unwrap().parse().unwrap();
    let data = Bytes::from(IDelta::invalidateNonceCall { nonce }.abi_encode());
    sandbox.send(&json!({"from": sandbox.account(0), "to": sandbox.text("delta"), "data": data}));
    assert_eq!(wait_for(&sandbox, &posted["id"], "FAILED")["transactions"], json!([]));
}

#[test]
fn only_an_agent_settles_and_only_once_and_in_time() {
    let sandbox = sandbox();
    let attempt = || Attempt::of(&signed(&sandbox, &Swap { valid_for_secs: 100, ..Swap::default() }), false, 0, 100);
    let settled = attempt();
    assert_eq!(settled.refusal_of(&sandbox, &sandbox.account(1)), error("NotAgent()"));
    settled.settle(&sandbox);
    assert_eq!(settled.refusal(&sandbox), error("InvalidNonce()"));
    let late = attempt();
    sandbox.advance(101);
    assert_eq!(late.refusal(&sandbox), error("OrderExpired()"));
}

#[test]
fn an_invalid_order_settles_nothing_even_when_it_is_signed() {
    let sandbox = sandbox();
    let cases = [
        ("/permit", json!("0x0101"), "PermitFailed()"),
        ("/bridge/destinationChainId", json!(10), "UnknownBridge()"),
        ("/bridge/protocolData", json!("0x01"), "UnknownBridge()"),
        ("/beneficiary", json!("0x0000000000000000000000000000000000000000"), "ZeroBeneficiary()"),
        ("/partnerAndFee", json!("201"), "FeeTooHigh()"),
    ];
    for (path, value, refusal) in cases {
        let patch: Value = json!([{"op": "replace", "path": format!("/toSign/value{path}"), "value": value}]);
        sandbox.post("/sandbox/tamper", &json!({"target": "build", "rehash": true, "patch": patch})).ok();
        let attempt = Attempt::of(&signed(&sandbox, &Swap::default()), false, 0, 100);
        assert_eq!(attempt.refusal(&sandbox), error(refusal), "{path}");
    }
}
