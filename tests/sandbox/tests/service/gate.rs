//! The bridges' ends, asked directly: who may do what, and that nothing happens twice.

use alloy_primitives::{Address, B256, Bytes, U256, keccak256};
use alloy_sol_types::{SolCall, sol};
use serde_json::{Value, json};

use crate::started::{Sandbox, sandbox};
use crate::trade::{Swap, raw_route, sign, wait_for};

sol! {
    struct Bridge {
        bytes4 protocolSelector;
        uint256 destinationChainId;
        address outputToken;
        int8 scalingFactor;
        bytes protocolData;
    }
    struct Passage { bytes32 orderHash; address owner; address beneficiary; address token; uint256 amount; Bridge bridge; }

    interface IGateDirect {
        function accept(Passage passage) external;
        function claim(uint256 id) external;
        function refund(uint256 id) external;
        function deliver(bytes32 key, address token, uint256 amount, address to) external;
        function count() external view returns (uint256);
    }
}

fn transaction<C: SolCall>(gate: &Value, from: &str, call: &C) -> Value {
    json!({"from": from, "to": gate["address"], "data": Bytes::from(call.abi_encode())})
}

fn refusal<C: SolCall>(sandbox: &Sandbox, gate: &Value, from: &str, call: &C) -> Option<String> {
    let reply = sandbox.try_rpc("eth_call", json!([transaction(gate, from, call), "latest"]));
    Some(reply.get("error")?["data"].as_str().unwrap().chars().take(10).collect())
}

fn error(signature: &str) -> Option<String> {
    Some(keccak256(signature).to_string()[..10].to_owned())
}

#[test]
fn only_delta_sends_and_only_the_relayer_completes_a_transfer() {
    let sandbox = sandbox();
    let (gate, stranger) = (sandbox.chain()["gates"][0].clone(), sandbox.account(0));
    assert_eq!((&gate["protocol"], &gate["selector"]), (&json!("sandbox-fast"), &json!("0xfa570001")));
    let passage = Passage {
        orderHash: B256::ZERO,
        owner: Address::ZERO,
        beneficiary: Address::ZERO,
        token: Address::ZERO,
        amount: U256::ZERO,
        bridge: Bridge {
            protocolSelector: Default::default(),
            destinationChainId: U256::ZERO,
            outputToken: Address::ZERO,
            scalingFactor: 0,
            protocolData: Bytes::new(),
        },
    };
    assert_eq!(refusal(&sandbox, &gate, &stranger, &IGateDirect::acceptCall { passage }), error("NotDelta()"));
    let id = U256::from(1);
    let not_relayer = error("NotRelayer()");
    assert_eq!(refusal(&sandbox, &gate, &stranger, &IGateDirect::claimCall { id }), not_relayer);
    assert_eq!(refusal(&sandbox, &gate, &stranger, &IGateDirect::refundCall { id }), not_relayer);
    let token = sandbox.token("USDC").parse().unwrap();
    let key = B256::repeat_byte(9);
    let to = stranger.parse().unwrap();
    let deliver = IGateDirect::deliverCall { key, token, amount: U256::ZERO, to };
    assert_eq!(refusal(&sandbox, &gate, &stranger, &deliver), not_relayer);
    let relayer = sandbox.text("relayer");
    sandbox.send(&transaction(&gate, relayer, &deliver));
    assert_eq!(refusal(&sandbox, &gate, relayer, &deliver), error("DeliveredBefore()"));
}

#[test]
fn a_bridge_transfer_that_arrived_is_not_refunded() {
    let sandbox = sandbox();
    let swap = Swap::default();
    swap.approve(&sandbox);
    let target = format!("{}&destChainId=31338", swap.quote_target(&sandbox));
    let built = swap.try_build(&sandbox, &raw_route(&sandbox.get(&target).body)).ok();
    let signed = sign(&sandbox, &sandbox.account(0), &built);
    let order = swap.post(&sandbox, &signed).ok();
    wait_for(&sandbox, &order["id"], "COMPLETED");
    let gate = sandbox.chain()["gates"][0].clone();
    let relayer = sandbox.text("relayer");
    let count = Bytes::from(IGateDirect::countCall {}.abi_encode());
    let id = sandbox.rpc("eth_call", json!([{"to": gate["address"], "data": count}, "latest"]));
    let id: U256 = id.as_str().unwrap().parse().unwrap();
    assert!(!id.is_zero());
    assert_eq!(refusal(&sandbox, &gate, relayer, &IGateDirect::refundCall { id }), error("NotWaiting()"));
    assert_eq!(refusal(&sandbox, &gate, relayer, &IGateDirect::claimCall { id }), error("NotWaiting()"));
}
