//! The Delta contract itself, asked directly: whatever the service would let through, it refuses what was not signed.

use alloy_primitives::{Address, Bytes, U256};
use alloy_sol_types::{SolCall, SolValue};
use sandbox::chain::{Execution, IDelta, Order};
use sandbox::json::Json;
use sandbox::order::read_struct;
use serde_json::{Value, json};

use crate::started::{Sandbox, sandbox};
use crate::trade::{Signed, Swap, number, wait_for};

struct Settlement {
    order: Order,
    signature: Bytes,
    spend: U256,
    promised: U256,
}

impl Settlement {
    /// What the solver would do for the order at its minimum.
    fn of(signed: &Signed) -> Self {
        let order: Order = read_struct(&Json::parse(&signed.order.to_string()).unwrap(), "order").unwrap();
        let signature = signed.signature.parse().unwrap();
        Self { spend: order.srcAmount, promised: order.destAmount, order, signature }
    }

    fn call_data(&self, sandbox: &Sandbox) -> Bytes {
        let call = IDelta::settleCall {
            order: self.order.clone(),
            signature: self.signature.clone(),
            execution: Execution {
                spend: self.spend,
                executor: sandbox.text("executor").parse().unwrap(),
                data: (self.spend, self.promised).abi_encode_params().into(),
            },
        };
        call.abi_encode().into()
    }

    /// The selector of the error the contract refuses with; none when it settles.
    fn refusal(&self, sandbox: &Sandbox, agent: &str) -> Option<String> {
        let call = json!({"from": agent, "to": sandbox.text("delta"), "data": self.call_data(sandbox)});
        let reply = sandbox.try_rpc("eth_call", json!([call, "latest"]));
        reply.get("error").map(|error| error["data"].as_str().unwrap_or_default().chars().take(10).collect())
    }
}

fn error(signature: &str) -> Option<String> {
    Some(alloy_primitives::keccak256(signature).to_string()[..10].to_owned())
}

/// A signed order whose owner has approved, that no solver takes.
fn signed(sandbox: &Sandbox, swap: &Swap) -> Signed {
    sandbox.settings(json!({"solving": false}));
    swap.approve(sandbox);
    swap.signed(sandbox)
}

#[test]
fn the_contract_hashes_the_order_to_the_same_digest() {
    let sandbox = sandbox();
    let patch = json!([
        {"op": "replace", "path": "/toSign/value/permit", "value": "0x0102"},
        {"op": "replace", "path": "/toSign/value/bridge", "value": {
            "protocolSelector": "0x01020304", "destinationChainId": 10, "scalingFactor": -12, "protocolData": "0xff",
            "outputToken": "0x00000000000000000000000000000000000f12e4",
        }},
    ]);
    for patch in [json!([]), patch] {
        sandbox.post("/sandbox/tamper", &json!({"target": "build", "rehash": true, "patch": patch})).ok();
        let signed = Swap::default().signed(&sandbox);
        let order = Settlement::of(&signed).order;
        let data = Bytes::from(IDelta::orderHashCall { order }.abi_encode());
        let hash = sandbox.rpc("eth_call", json!([{"to": sandbox.text("delta"), "data": data}, "latest"]));
        assert_eq!(hash, signed.hash.as_str());
    }
}

#[test]
fn only_what_was_signed_settles() {
    let sandbox = sandbox();
    let settlement = Settlement::of(&signed(&sandbox, &Swap::default()));
    let solver = sandbox.text("solver");
    assert_eq!(settlement.refusal(&sandbox, solver), None);
    let invalid = error("InvalidSignature()");
    let other: Address = sandbox.account(1).parse().unwrap();
    let changes: [&dyn Fn(&mut Order); 12] = [
        &|order| order.owner = other,
        &|order| order.beneficiary = other,
        &|order| order.srcToken = sandbox.token("USDT").parse().unwrap(),
        &|order| order.destToken = sandbox.token("USDT").parse().unwrap(),
        &|order| order.srcAmount += U256::from(1),
        &|order| order.destAmount -= U256::from(1),
        &|order| order.expectedAmount += U256::from(1),
        &|order| order.deadline += U256::from(1),
        &|order| order.kind = 1,
        &|order| order.nonce += U256::from(1),
        &|order| order.partnerAndFee += U256::from(1),
        &|order| order.metadata = Bytes::new(),
    ];
    for (index, change) in changes.iter().enumerate() {
        let mut order = settlement.order.clone();
        change(&mut order);
        let changed = Settlement { order, signature: settlement.signature.clone(), ..settlement };
        assert_eq!(changed.refusal(&sandbox, solver), invalid, "change {index}");
    }
    for byte in [0, 31, 32, 63] {
        let mut bytes = settlement.signature.to_vec();
        bytes[byte] ^= 1;
        let changed = Settlement { order: settlement.order.clone(), signature: bytes.into(), ..settlement };
        assert_eq!(changed.refusal(&sandbox, solver), invalid, "byte {byte}");
    }
    for signature in [[&settlement.signature[..], &[27]].concat(), settlement.signature[..63].to_vec(), Vec::new()] {
        let changed = Settlement { order: settlement.order.clone(), signature: signature.into(), ..settlement };
        assert_eq!(changed.refusal(&sandbox, solver), invalid, "{} bytes", changed.signature.len());
    }
}

#[test]
fn an_owner_with_code_is_not_asked_by_signature_alone() {
    let sandbox = sandbox();
    let settlement = Settlement::of(&signed(&sandbox, &Swap { owner: 4, ..Swap::default() }));
    sandbox.rpc("anvil_setCode", json!([sandbox.account(4), "0x00"]));
    let refusal = settlement.refusal(&sandbox, sandbox.text("solver"));
    sandbox.rpc("anvil_setCode", json!([sandbox.account(4), "0x"]));
    assert_eq!(refusal, error("InvalidSignature()"));
    assert_eq!(settlement.refusal(&sandbox, sandbox.text("solver")), None);
}

#[test]
fn a_solver_cannot_give_less_or_take_more() {
    let sandbox = sandbox();
    let solver = sandbox.text("solver").to_owned();
    let sale = Settlement::of(&signed(&sandbox, &Swap::default()));
    let refusal = |spend: U256, promised: U256, of: &Settlement| {
        let order = of.order.clone();
        Settlement { order, signature: of.signature.clone(), spend, promised }.refusal(&sandbox, &solver)
    };
    let one = U256::from(1);
    assert_eq!(refusal(sale.spend, sale.promised, &sale), None);
    assert_eq!(refusal(sale.spend, sale.promised - one, &sale), error("ReceivedBelowMinimum()"));
    assert_eq!(refusal(sale.spend - one, sale.promised, &sale), error("SpendDiffersFromOrder()"));
    assert_eq!(refusal(sale.spend + one, sale.promised, &sale), error("SpendDiffersFromOrder()"));

    let swap = Swap { side: "BUY", amount: 10_u128.pow(20), build: json!({"slippage": 100}), ..Swap::default() };
    let purchase = Settlement::of(&signed(&sandbox, &swap));
    // The most that leaves room for the fee of 1 bps, rounded down.
    let most = (purchase.order.srcAmount * U256::from(10_000)).div_ceil(U256::from(10_001));
    assert_eq!(refusal(most, purchase.promised, &purchase), None);
    assert_eq!(refusal(most + one, purchase.promised, &purchase), error("SpendAboveMaximum()"));
    assert_eq!(refusal(most, purchase.promised - one, &purchase), error("ReceivedBelowMinimum()"));
}

#[test]
fn what_a_solver_delivers_beyond_a_purchase_is_the_protocols() {
    let sandbox = sandbox();
    let swap = Swap { side: "BUY", amount: 10_u128.pow(20), build: json!({"slippage": 100}), ..Swap::default() };
    let mut settlement = Settlement::of(&signed(&sandbox, &swap));
    settlement.spend = settlement.order.expectedAmount;
    settlement.promised += U256::from(5);
    let (vault, owner) = ("0x00700052c0608f670705380a4900e0a8080010cc", sandbox.account(0));
    let before = [vault, &owner].map(|account| sandbox.balance("DAI", account));
    let transaction = json!({
        "from": sandbox.text("solver"),
        "to": sandbox.text("delta"),
        "data": settlement.call_data(&sandbox),
    });
    sandbox.send(&transaction);
    let after = [vault, &owner].map(|account| sandbox.balance("DAI", account));
    assert_eq!([after[0] - before[0], after[1] - before[1]], [5, swap.amount]);
}

#[test]
fn an_order_settled_by_another_solver_is_completed() {
    let sandbox = sandbox();
    sandbox.settings(json!({"solving": false}));
    let (signed, posted) = Swap::default().posted(&sandbox);
    let data = Settlement::of(&signed).call_data(&sandbox);
    sandbox.send(&json!({"from": sandbox.text("solver"), "to": sandbox.text("delta"), "data": data}));
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
    let solver = sandbox.text("solver").to_owned();
    let settlement = Settlement::of(&signed(&sandbox, &Swap { valid_for_secs: 100, ..Swap::default() }));
    assert_eq!(settlement.refusal(&sandbox, &sandbox.account(1)), error("NotAgent()"));
    let transaction = json!({"from": solver, "to": sandbox.text("delta"), "data": settlement.call_data(&sandbox)});
    sandbox.send(&transaction);
    assert_eq!(settlement.refusal(&sandbox, &solver), error("InvalidNonce()"));

    let late = Settlement::of(&signed(&sandbox, &Swap { valid_for_secs: 100, ..Swap::default() }));
    sandbox.advance(101);
    assert_eq!(late.refusal(&sandbox, &solver), error("OrderExpired()"));
}

#[test]
fn signed_orders_of_kinds_to_come_are_refused() {
    let sandbox = sandbox();
    let solver = sandbox.text("solver").to_owned();
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
        let settlement = Settlement::of(&signed(&sandbox, &Swap::default()));
        assert_eq!(settlement.refusal(&sandbox, &solver), error(refusal), "{path}");
    }
}
