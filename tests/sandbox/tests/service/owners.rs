//! Owners with code: smart accounts, and accounts that delegate.

use alloy_primitives::{Address, Bytes, U256, address};
use alloy_sol_types::{SolCall, sol};
use serde_json::{Value, json};

use crate::started::{Sandbox, sandbox};
use crate::trade::{Signed, Swap, compact, flip, number, sign_typed_data, wait_for};

sol! {
    struct Call {
        address to;
        uint256 value;
        bytes data;
    }
    function executeBatch(Call[] calls);
    function transfer(address to, uint256 value);
}

/// An account with code that the key of account 2 controls.
fn wallet(sandbox: &Sandbox, kind: &str, compact: bool, fund: bool) -> String {
    let body = json!({"chainId": 31337, "owner": sandbox.account(2), "kind": kind, "compact": compact, "fund": fund});
    let made = sandbox.post("/sandbox/wallet", &body).ok();
    assert_eq!(made["hasCode"], json!(kind != "plain"));
    made["address"].as_str().unwrap().to_owned()
}

/// Sells 100 USDC of that owner, signed by the key of account 2: both forms of the signature.
fn signed(sandbox: &Sandbox, owner: &str) -> (Swap, Signed, String) {
    sandbox.approve("USDC", owner, 1_000_000_000);
    let swap = Swap { owner: 2, build: json!({"owner": owner}), ..Swap::default() };
    let built = swap.try_build(sandbox, &swap.quote(sandbox).route).ok();
    let long = sign_typed_data(sandbox, &sandbox.account(2), &built["toSign"]);
    let hash = built["orderHash"].as_str().unwrap().to_owned();
    let signed = Signed { order: built["toSign"]["value"].clone(), hash, signature: compact(&long) };
    (swap, signed, long)
}

fn settles(sandbox: &Sandbox, owner: &str, posted: &Value) {
    let order = wait_for(sandbox, &posted["id"], "COMPLETED");
    assert_eq!(order["owner"].as_str().unwrap().to_lowercase(), owner.to_lowercase());
    assert_eq!(order["transactions"][0]["spentAmount"], "100000000");
}

#[test]
fn a_smart_account_is_asked_with_the_bytes_as_they_were_posted() {
    let sandbox = sandbox();
    for knows_compact in [false, true] {
        let owner = wallet(&sandbox, "contract", knows_compact, true);
        let (dollars, dai) = (sandbox.balance("USDC", &owner), sandbox.balance("DAI", &owner));
        assert!(dollars > 100_000_000);
        let (swap, signed, long) = signed(&sandbox, &owner);
        let changed = Signed { signature: flip(&long, 99), ..signed.clone() };
        swap.post(&sandbox, &changed).refused(400, "InvalidSignature");
        let answer = swap.post(&sandbox, &signed);
        let posted = if knows_compact {
            answer.ok()
        } else {
            answer.refused(400, "InvalidSignature");
            swap.post(&sandbox, &Signed { signature: long, ..signed }).ok()
        };
        settles(&sandbox, &owner, &posted);
        assert_eq!(dollars - sandbox.balance("USDC", &owner), 100_000_000);
        let received = sandbox.balance("DAI", &owner) - dai;
        assert_eq!(number(&wait_for(&sandbox, &posted["id"], "COMPLETED")["output"]["executedAmount"]), received);
    }
}

#[test]
fn another_keys_signature_is_not_the_smart_accounts() {
    let sandbox = sandbox();
    let owner = wallet(&sandbox, "contract", true, true);
    sandbox.approve("USDC", &owner, 1_000_000_000);
    let swap = Swap { build: json!({"owner": owner}), ..Swap::default() };
    let built = swap.try_build(&sandbox, &swap.quote(&sandbox).route).ok();
    let long = sign_typed_data(&sandbox, &sandbox.account(3), &built["toSign"]);
    let order = built["toSign"]["value"].clone();
    let by_another = Signed { order, hash: String::new(), signature: long };
    swap.post(&sandbox, &by_another).refused(400, "InvalidSignature");
}

#[test]
fn a_delegated_account_is_asked_its_code_and_not_its_key() {
    let sandbox = sandbox();
    let owner = wallet(&sandbox, "delegated", false, false);
    assert_eq!(owner, sandbox.account(2));
    let code = sandbox.rpc("eth_getCode", json!([owner, "latest"]));
    let delegate = sandbox.chain()["delegates"][0].as_str().unwrap().to_lowercase();
    assert_eq!(code, format!("0xef0100{}", &delegate[2..]));
    let (swap, signed_by_key, long) = signed(&sandbox, &owner);
    swap.post(&sandbox, &signed_by_key).refused(400, "InvalidSignature");
    let posted = swap.post(&sandbox, &Signed { signature: long, ..signed_by_key }).ok();
    settles(&sandbox, &owner, &posted);

    wallet(&sandbox, "delegated", true, false);
    let (swap, signed_by_key, _) = signed(&sandbox, &owner);
    settles(&sandbox, &owner, &swap.post(&sandbox, &signed_by_key).ok());

    wallet(&sandbox, "plain", false, false);
    assert_eq!(sandbox.rpc("eth_getCode", json!([owner, "latest"])), "0x");
    let (swap, signed_by_key, long) = signed(&sandbox, &owner);
    let as_it_was = Signed { signature: long, ..signed_by_key.clone() };
    swap.post(&sandbox, &as_it_was).refused(400, "InvalidSignature");
    settles(&sandbox, &owner, &swap.post(&sandbox, &signed_by_key).ok());
}

#[test]
fn only_accounts_of_the_node_can_be_made_to_delegate() {
    let sandbox = sandbox();
    let body = json!({"chainId": 31337, "owner": sandbox.text("pool"), "kind": "delegated"});
    assert!(sandbox.post("/sandbox/wallet", &body).refused(400, "InvalidInput").contains("owner"));
    let body = json!({"chainId": 31337, "owner": sandbox.account(2), "kind": "hardware"});
    sandbox.post("/sandbox/wallet", &body).refused(400, "InvalidInput");
}

#[test]
fn calls_in_a_batch_are_made_together_or_not_at_all_and_for_the_key_alone() {
    const RECEIVER: Address = address!("00000000000000000000000000000000000c0ffe");
    let sandbox = sandbox();
    for kind in ["contract", "delegated"] {
        let owner = wallet(&sandbox, kind, false, true);
        let give =
            json!({"chainId": 31337, "address": owner, "token": sandbox.token("ETH"), "amount": "9000000000000000000"});
        sandbox.post("/sandbox/faucet", &give).ok();
        let batch = |dollars: &[u64]| {
            let mut calls = vec![Call { to: RECEIVER, value: U256::from(7), data: Bytes::new() }];
            calls.extend(dollars.iter().map(|dollars| {
                let data = transferCall { to: RECEIVER, value: U256::from(*dollars) }.abi_encode().into();
                Call { to: sandbox.token("USDC").parse().unwrap(), value: U256::ZERO, data }
            }));
            Bytes::from(executeBatchCall { calls }.abi_encode())
        };
        let send = |from: &str, dollars: &[u64]| {
            // With a limit of gas the node sends what reverts, too.
            let transaction = json!({"from": from, "to": owner, "data": batch(dollars), "gas": "0x1e8480"});
            let hash = sandbox.rpc("eth_sendTransaction", json!([transaction]));
            let mut receipts = (0..500).map(|_| {
                std::thread::sleep(std::time::Duration::from_millis(10));
                sandbox.rpc("eth_getTransactionReceipt", json!([hash]))
            });
            receipts.find(|receipt| !receipt.is_null()).unwrap()["status"].clone()
        };
        let held = || ["USDC", "ETH"].map(|symbol| sandbox.balance(symbol, &RECEIVER.to_string()));
        let [dollars, wei] = held();
        assert_eq!(send(&sandbox.account(2), &[1, 2]), "0x1");
        assert_eq!(held(), [dollars + 3, wei + 7]);
        assert_eq!(send(&sandbox.account(2), &[1, u64::MAX]), "0x0");
        assert_eq!(send(&sandbox.account(3), &[1]), "0x0");
        assert_eq!(held(), [dollars + 3, wei + 7], "{kind}");
    }
    wallet(&sandbox, "plain", false, false);
}
