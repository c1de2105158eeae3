//! Permits, signed by the node's accounts and encoded as contracts take them.

use alloy_primitives::{Address, Bytes, U256};
use alloy_sol_types::SolValue;
use serde_json::{Value, json};

use crate::started::{Sandbox, hex_number};

/// Permit2's address on every chain.
pub const PERMIT2: &str = "0x000000000022D473030F116dDEE9F6B43aC78BA3";

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

/// DAI style, 256 bytes: all of it, good for an hour.
pub fn dai_style(sandbox: &Sandbox, owner: &str, spender: &str) -> Bytes {
    let expiry = sandbox.now() + 3_600;
    let nonce = token_nonce(sandbox, "DAI", owner);
    let (name, version) = domain_of("DAI");
    let typed = json!({
        "primaryType": "Permit",
        "types": {
            "EIP712Domain": domain_fields(true),
            "Permit": fields(&[
                ("holder", "address"),
                ("spender", "address"),
                ("nonce", "uint256"),
                ("expiry", "uint256"),
                ("allowed", "bool"),
            ]),
        },
        "domain": {
            "name": name, "version": version, "chainId": 31337, "verifyingContract": sandbox.token("DAI"),
        },
        "message": {
            "holder": owner,
            "spender": spender,
            "nonce": nonce.to_string(),
            "expiry": expiry.to_string(),
            "allowed": true,
        },
    });
    let signature = sign(sandbox, owner, &typed);
    let head = [address_word(owner), address_word(spender), U256::from(nonce), U256::from(expiry), U256::from(1)];
    words(&head, &signature)
}

/// The signature of a Permit2 transfer, 65 bytes.
pub fn permit2_transfer(
    sandbox: &Sandbox,
    owner: &str,
    (token, amount): (&str, u128),
    spender: &str,
    nonce: U256,
    deadline: u64,
) -> Bytes {
    let typed = json!({
        "primaryType": "PermitTransferFrom",
        "types": {
            "EIP712Domain": domain_fields(false),
            "PermitTransferFrom": fields(&[
                ("permitted", "TokenPermissions"),
                ("spender", "address"),
                ("nonce", "uint256"),
                ("deadline", "uint256"),
            ]),
            "TokenPermissions": fields(&[("token", "address"), ("amount", "uint256")]),
        },
        "domain": {"name": "Permit2", "chainId": 31337, "verifyingContract": PERMIT2},
        "message": {
            "permitted": {"token": token, "amount": amount.to_string()},
            "spender": spender,
            "nonce": nonce.to_string(),
            "deadline": deadline.to_string(),
        },
    });
    sign(sandbox, owner, &typed)
}

/// A transfer signed for Permit2 as the router takes it: the arguments of `permitTransferFrom`, here with zeros
/// where the router writes its own.
pub fn router_transfer(sandbox: &Sandbox, owner: &str, (token, amount): (&str, u128), deadline: u64) -> Bytes {
    let nonce = U256::from_be_bytes(alloy_primitives::B256::random().0);
    let signature = permit2_transfer(sandbox, owner, (token, amount), sandbox.text("router"), nonce, deadline);
    let signed = ((address_word(token), U256::from(amount)), nonce, U256::from(deadline));
    let nobody = Address::ZERO;
    (signed, (nobody, U256::ZERO), nobody, signature).abi_encode_params().into()
}

/// An allowance in Permit2: raw units, unix seconds, and how often it was set by signature before.
#[derive(Clone, Copy)]
pub struct Grant {
    pub amount: u128,
    pub expiration: u64,
    pub nonce: u64,
    pub sig_deadline: u64,
}

/// The signature of a Permit2 allowance, 65 bytes.
pub fn permit2_allowance(sandbox: &Sandbox, owner: &str, token: &str, spender: &str, grant: Grant) -> Bytes {
    let typed = json!({
        "primaryType": "PermitSingle",
        "types": {
            "EIP712Domain": domain_fields(false),
            "PermitSingle": fields(&[
                ("details", "PermitDetails"),
                ("spender", "address"),
                ("sigDeadline", "uint256"),
            ]),
            "PermitDetails": fields(&[
                ("token", "address"),
                ("amount", "uint160"),
                ("expiration", "uint48"),
                ("nonce", "uint48"),
            ]),
        },
        "domain": {"name": "Permit2", "chainId": 31337, "verifyingContract": PERMIT2},
        "message": {
            "details": {
                "token": token,
                "amount": grant.amount.to_string(),
                "expiration": grant.expiration.to_string(),
                "nonce": grant.nonce.to_string(),
            },
            "spender": spender,
            "sigDeadline": grant.sig_deadline.to_string(),
        },
    });
    sign(sandbox, owner, &typed)
}

/// 65 bytes to 64.
pub fn compacted(signature: &Bytes) -> Bytes {
    crate::trade::compact(&signature.to_string()).parse().unwrap()
}

/// The domain's name and version, as the token was deployed.
fn domain_of(symbol: &str) -> (&'static str, &'static str) {
    match symbol {
        "USDC" => ("USD Coin", "2"),
        "DAI" => ("Dai Stablecoin", "1"),
        "PUSD" => ("Permit Dollar", "2"),
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
