//! The tokens' differences.

use serde_json::{Value, json};

use crate::started::{Sandbox, hex_number, sandbox};

/// 32 bytes of calldata, from hex or an address.
fn word(hex: &str) -> String {
    format!("{:0>64}", hex.trim_start_matches("0x"))
}

fn selector(signature: &str) -> String {
    alloy_primitives::keccak256(signature).to_string()[..10].to_owned()
}

fn call(sandbox: &Sandbox, from: &str, symbol: &str, data: &str) -> Value {
    let call = json!({"from": from, "to": sandbox.token(symbol), "data": data});
    sandbox.try_rpc("eth_call", json!([call, "latest"]))
}

fn approve(sandbox: &Sandbox, amount: u8) -> String {
    format!("{}{}{}", selector("approve(address,uint256)"), word(sandbox.text("delta")), word(&format!("{amount:x}")))
}

#[test]
fn usdt_returns_nothing_and_wants_its_allowance_reset_first() {
    let sandbox = sandbox();
    let owner = sandbox.account(3);
    sandbox.approve("USDT", &owner, 0);
    assert_eq!(call(&sandbox, &owner, "USDT", &approve(&sandbox, 5))["result"], "0x");
    sandbox.approve("USDT", &owner, 5);
    let refused = call(&sandbox, &owner, "USDT", &approve(&sandbox, 7));
    assert!(refused["error"]["data"].as_str().unwrap().starts_with(&selector("ResetAllowanceFirst()")));
    assert_eq!(call(&sandbox, &owner, "USDT", &approve(&sandbox, 0))["result"], "0x");
    let transfer = format!("{}{}{}", selector("transfer(address,uint256)"), word(&sandbox.account(1)), word("1"));
    assert_eq!(call(&sandbox, &owner, "USDT", &transfer)["result"], "0x");
}

#[test]
fn the_other_tokens_return_true_and_change_allowances_freely() {
    let sandbox = sandbox();
    let owner = sandbox.account(3);
    for symbol in ["USDC", "DAI", "WETH"] {
        sandbox.approve(symbol, &owner, 5);
        let answer = call(&sandbox, &owner, symbol, &approve(&sandbox, 7));
        assert_eq!(hex_number(&answer["result"]), 1, "{symbol}");
    }
}

#[test]
fn usdc_takes_an_allowance_by_signature_once() {
    let sandbox = sandbox();
    let (owner, spender, token) = (sandbox.account(2), sandbox.text("delta"), sandbox.token("USDC"));
    sandbox.approve("USDC", &owner, 0);
    let nonces = call(&sandbox, &owner, "USDC", &format!("{}{}", selector("nonces(address)"), word(&owner)));
    let (nonce, deadline) = (hex_number(&nonces["result"]), sandbox.now() + 600);
    let field = |name: &str, kind: &str| json!({"name": name, "type": kind});
    let typed_data = json!({
        "primaryType": "Permit",
        "types": {
            "EIP712Domain": [
                field("name", "string"),
                field("version", "string"),
                field("chainId", "uint256"),
                field("verifyingContract", "address"),
            ],
            "Permit": [
                field("owner", "address"),
                field("spender", "address"),
                field("value", "uint256"),
                field("nonce", "uint256"),
                field("deadline", "uint256"),
            ],
        },
        "domain": {"name": "USD Coin", "version": "2", "chainId": 31337, "verifyingContract": token},
        "message": {
            "owner": owner, "spender": spender, "value": "77", "nonce": nonce.to_string(), "deadline": deadline,
        },
    });
    let signature = sandbox.rpc("eth_signTypedData_v4", json!([owner, typed_data.to_string()]));
    let signature = signature.as_str().unwrap();
    let permit = |value: &str| {
        let arguments = [&owner, spender, value, &format!("{deadline:x}"), &signature[130..], &signature[2..66]];
        let words: String = arguments.iter().map(|argument| word(argument)).collect();
        let permit = selector("permit(address,address,uint256,uint256,uint8,bytes32,bytes32)");
        format!("{permit}{words}{}", &signature[66..130])
    };
    let relayer = sandbox.account(1);
    assert!(call(&sandbox, &relayer, "USDC", &permit("4e")).get("error").is_some(), "another amount");
    sandbox.send(&json!({"from": relayer, "to": token, "data": permit("4d")}));
    let allowance = format!("{}{}{}", selector("allowance(address,address)"), word(&owner), word(spender));
    assert_eq!(hex_number(&call(&sandbox, &owner, "USDC", &allowance)["result"]), 77);
    assert!(call(&sandbox, &relayer, "USDC", &permit("4d")).get("error").is_some(), "the same again");
}

#[test]
fn nobody_mints_but_the_sandbox() {
    let sandbox = sandbox();
    let user = sandbox.account(0);
    for symbol in ["USDC", "DAI", "USDT", "WETH"] {
        let mint = format!("{}{}{}", selector("mint(address,uint256)"), word(&user), word("1"));
        let refused = call(&sandbox, &user, symbol, &mint);
        assert!(refused["error"]["data"].as_str().unwrap().starts_with(&selector("NotMinter()")), "{symbol}");
    }
}
