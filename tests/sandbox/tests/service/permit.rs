//! Permits, signed by the node's accounts and encoded as contracts take them.

use alloy_primitives::{Bytes, U256};
use serde_json::{Value, json};

use crate::started::{Sandbox, hex_number};

/// EIP-2612, 224 bytes: the words of `permit`, good for an hour.
pub fn eip_2612(sandbox: &Sandbox, symbol: &str, owner: &str, spender: &str, value: u128) -> Bytes {
    let deadline = sandbox.now() + 3_600;
    let nonce = token_nonce(sandbox, symbol, owner);
    let (name, version) = domain_of(symbol);
    let typed = json!({
        "primaryType": "Permit",
        "types": {
            "EIP712Domain": domain_fields(true),
            "Permit": fields(&[
                ("owner", "address"),
                ("spender", "address"),
                ("value", "uint256"),
                ("nonce", "uint256"),
                ("deadline", "uint256"),
            ]),
        },
        "domain": {
            "name": name, "version": version, "chainId": 31337, "verifyingContract": sandbox.token(symbol),
        },
        "message": {
            "owner": owner,
            "spender": spender,
            "value": value.to_string(),
            "nonce": nonce.to_string(),
            "deadline": deadline.to_string(),
        },
    });
    let signature = sign(sandbox, owner, &typed);
    words(&[address_word(owner), address_word(spender), U256::from(value), U256::from(deadline)], &signature)
}

/// The domain's name and version, as the token was deployed.
fn domain_of(symbol: &str) -> (&'static str, &'static str) {
    match symbol {
        "USDC" => ("USD Coin", "2"),
        other => panic!("{other} takes no permits"),
    }
}

pub fn token_nonce(sandbox: &Sandbox, symbol: &str, owner: &str) -> u128 {
    let selector = &alloy_primitives::keccak256("nonces(address)").to_string()[..10];
    let data = format!("{selector}{:0>64}", owner.trim_start_matches("0x"));
    hex_number(&sandbox.rpc("eth_call", json!([{"to": sandbox.token(symbol), "data": data}, "latest"])))
}

/// 65 bytes.
pub fn sign(sandbox: &Sandbox, owner: &str, typed: &Value) -> Bytes {
    let signature = sandbox.rpc("eth_signTypedData_v4", json!([owner, typed.to_string()]));
    signature.as_str().unwrap().parse().unwrap()
}

pub fn fields(list: &[(&str, &str)]) -> Value {
    list.iter().map(|(name, kind)| json!({"name": name, "type": kind})).collect()
}

pub fn domain_fields(has_version: bool) -> Value {
    let mut list = vec![("name", "string")];
    if has_version {
        list.push(("version", "string"));
    }
    list.extend([("chainId", "uint256"), ("verifyingContract", "address")]);
    fields(&list)
}

pub fn address_word(address: &str) -> U256 {
    U256::from_str_radix(address.trim_start_matches("0x"), 16).unwrap()
}

/// Words, then v, r and s.
pub fn words(head: &[U256], signature: &[u8]) -> Bytes {
    let mut bytes: Vec<u8> = head.iter().flat_map(|word| word.to_be_bytes::<32>()).collect();
    bytes.extend(U256::from(signature[64]).to_be_bytes::<32>());
    bytes.extend(&signature[..64]);
    bytes.into()
}
