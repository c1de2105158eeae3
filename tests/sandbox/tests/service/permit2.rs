//! The stand-in for Permit2, at its address, and the tokens' own permits.

use alloy_primitives::{Address, Bytes, U256, hex, keccak256};
use alloy_sol_types::{SolCall, SolValue, sol};
use serde_json::{Value, json};

use crate::permit::{Grant, PERMIT2, compacted, dai_style, eip_2612, permit2_allowance, permit2_transfer, token_nonce};
use crate::started::{Sandbox, hex_number, sandbox};

sol! {
    struct TokenPermissions { address token; uint256 amount; }
    struct PermitTransferFrom { TokenPermissions permitted; uint256 nonce; uint256 deadline; }
    struct SignatureTransferDetails { address to; uint256 requestedAmount; }
    struct PermitDetails { address token; uint160 amount; uint48 expiration; uint48 nonce; }
    struct PermitSingle { PermitDetails details; address spender; uint256 sigDeadline; }

    interface IPermit2 {
        function permitTransferFrom(
            PermitTransferFrom permit, SignatureTransferDetails transferDetails, address owner, bytes signature
        ) external;
        function permit(address owner, PermitSingle permitSingle, bytes signature) external;
        function transferFrom(address from, address to, uint160 amount, address token) external;
        function approve(address token, address spender, uint160 amount, uint48 expiration) external;
        function allowance(address owner, address token, address spender)
            external view returns (uint160 amount, uint48 expiration, uint48 nonce);
        function invalidateUnorderedNonces(uint256 wordPos, uint256 mask) external;
        function DOMAIN_SEPARATOR() external view returns (bytes32);
    }
}

const FRIEND: &str = "0x00000000000000000000000000000000000f12e4";

/// The selector of the error a call to Permit2 fails with; none when it would go well.
fn refusal<C: SolCall>(sandbox: &Sandbox, from: &str, call: &C) -> Option<String> {
    let call = json!({"from": from, "to": PERMIT2, "data": Bytes::from(call.abi_encode())});
    let reply = sandbox.try_rpc("eth_call", json!([call, "latest"]));
    Some(reply.get("error")?["data"].as_str().unwrap().chars().take(10).collect())
}

fn send<C: SolCall>(sandbox: &Sandbox, from: &str, call: &C) {
    sandbox.send(&json!({"from": from, "to": PERMIT2, "data": Bytes::from(call.abi_encode())}));
}

fn error(signature: &str) -> Option<String> {
    Some(keccak256(signature).to_string()[..10].to_owned())
}

/// The owner lets Permit2 move all its USDC.
fn approved(sandbox: &Sandbox, owner: &str) {
    let body = json!({
        "chainId": 31337, "token": sandbox.token("USDC"), "owner": owner, "spender": PERMIT2, "amount": "1000000000",
    });
    sandbox.post("/sandbox/approve", &body).ok();
}

fn transfer(
    sandbox: &Sandbox,
    nonce: U256,
    deadline: u64,
    amount: u64,
    asked: u64,
) -> IPermit2::permitTransferFromCall {
    let token: Address = sandbox.token("USDC").parse().unwrap();
    IPermit2::permitTransferFromCall {
        permit: PermitTransferFrom {
            permitted: TokenPermissions { token, amount: U256::from(amount) },
            nonce,
            deadline: U256::from(deadline),
        },
        transferDetails: SignatureTransferDetails { to: FRIEND.parse().unwrap(), requestedAmount: U256::from(asked) },
        owner: sandbox.account(1).parse().unwrap(),
        signature: Bytes::new(),
    }
}

#[test]
fn permit2_is_where_it_is_on_every_chain_with_its_own_domain() {
    let sandbox = sandbox();
    assert_eq!(IPermit2::permitTransferFromCall::SELECTOR, hex!("30f28b7a"));
    assert_eq!(IPermit2::permitCall::SELECTOR, hex!("2b67b570"));
    assert_eq!(IPermit2::transferFromCall::SELECTOR, hex!("36c78516"));
    assert_eq!(IPermit2::allowanceCall::SELECTOR, hex!("927da105"));
    for (index, chain) in sandbox.config()["chains"].as_array().unwrap().iter().enumerate() {
        assert_eq!(chain["permit2"], PERMIT2);
        let data = Bytes::from(IPermit2::DOMAIN_SEPARATORCall {}.abi_encode());
        let params = json!([{"to": PERMIT2, "data": data}, "latest"]);
        let call = json!({"jsonrpc": "2.0", "id": 1, "method": "eth_call", "params": params});
        let reply = sandbox.post(chain["rpc"].as_str().unwrap(), &call).ok();
        let domain = (
            keccak256("EIP712Domain(string name,uint256 chainId,address verifyingContract)"),
            keccak256("Permit2"),
            U256::from(31_337 + index),
            PERMIT2.parse::<Address>().unwrap(),
        );
        assert_eq!(reply["result"], keccak256(domain.abi_encode()).to_string());
    }
}

#[test]
fn a_signed_transfer_happens_once_for_its_spender_and_at_most_its_amount() {
    let sandbox = sandbox();
    let (owner, spender, stranger) = (sandbox.account(1), sandbox.account(2), sandbox.account(3));
    approved(&sandbox, &owner);
    let (nonce, deadline) = (U256::from(sandbox.now()) << 8 | U256::from(77), sandbox.now() + 600);
    let usdc = sandbox.token("USDC");
    let signature = permit2_transfer(&sandbox, &owner, (&usdc, 5_000_000), &spender, nonce, deadline);
    let call = |amount: u64, asked: u64, signature: &Bytes| IPermit2::permitTransferFromCall {
        signature: signature.clone(),
        ..transfer(&sandbox, nonce, deadline, amount, asked)
    };
    assert_eq!(refusal(&sandbox, &stranger, &call(5_000_000, 1, &signature)), error("InvalidSigner()"));
    assert_eq!(refusal(&sandbox, &spender, &call(5_000_001, 1, &signature)), error("InvalidSigner()"));
    assert_eq!(refusal(&sandbox, &spender, &call(5_000_000, 5_000_001, &signature)), error("InvalidAmount(uint256)"));
    let short = Bytes::copy_from_slice(&signature[..63]);
    assert_eq!(refusal(&sandbox, &spender, &call(5_000_000, 1, &short)), error("InvalidSignatureLength()"));
    assert_eq!(refusal(&sandbox, &spender, &call(5_000_000, 5_000_000, &signature)), None, "65 bytes");
    let before = sandbox.balance("USDC", FRIEND);
    send(&sandbox, &spender, &call(5_000_000, 4_000_000, &compacted(&signature)));
    assert_eq!(sandbox.balance("USDC", FRIEND) - before, 4_000_000);
    assert_eq!(refusal(&sandbox, &spender, &call(5_000_000, 1, &signature)), error("InvalidNonce()"));

    let late = permit2_transfer(&sandbox, &owner, (&usdc, 1), &spender, nonce + U256::from(1), deadline);
    let late = IPermit2::permitTransferFromCall {
        signature: late,
        ..transfer(&sandbox, nonce + U256::from(1), deadline, 1, 1)
    };
    assert_eq!(refusal(&sandbox, &spender, &late), None);
    let (word, bit) = (nonce >> 8, U256::from(1) << 78);
    send(&sandbox, &owner, &IPermit2::invalidateUnorderedNoncesCall { wordPos: word, mask: bit });
    assert_eq!(refusal(&sandbox, &spender, &late), error("InvalidNonce()"));
    sandbox.advance(700);
    assert_eq!(refusal(&sandbox, &spender, &late), error("SignatureExpired(uint256)"));
}

#[test]
fn a_signed_allowance_is_counted_and_expires() {
    let sandbox = sandbox();
    let (owner, spender) = (sandbox.account(1), sandbox.account(2));
    approved(&sandbox, &owner);
    let usdc = sandbox.token("USDC");
    let [owner_address, spender_address, token] =
        [&owner, &spender, &usdc].map(|text| text.parse::<Address>().unwrap());
    let allowance = || {
        let call = IPermit2::allowanceCall { owner: owner_address, token, spender: spender_address };
        let data = Bytes::from(call.abi_encode());
        let answer = sandbox.rpc("eth_call", json!([{"to": PERMIT2, "data": data}, "latest"]));
        let answer: Bytes = answer.as_str().unwrap().parse().unwrap();
        IPermit2::allowanceCall::abi_decode_returns(&answer).unwrap()
    };
    let nonce = allowance().nonce.to::<u64>();
    let grant = Grant { amount: 3_000_000, expiration: sandbox.now() + 600, nonce, sig_deadline: sandbox.now() + 300 };
    let permit = |grant: Grant, signature: Bytes| IPermit2::permitCall {
        owner: owner_address,
        permitSingle: PermitSingle {
            details: PermitDetails {
                token,
                amount: alloy_primitives::Uint::from(grant.amount),
                expiration: alloy_primitives::Uint::from(grant.expiration),
                nonce: alloy_primitives::Uint::from(grant.nonce),
            },
            spender: spender_address,
            sigDeadline: U256::from(grant.sig_deadline),
        },
        signature,
    };
    let signed = |grant: Grant| permit2_allowance(&sandbox, &owner, &usdc, &spender, grant);
    let more = Grant { amount: 3_000_001, ..grant };
    assert_eq!(refusal(&sandbox, &spender, &permit(more, signed(grant))), error("InvalidSigner()"));
    let skipped = Grant { nonce: nonce + 1, ..grant };
    assert_eq!(refusal(&sandbox, &spender, &permit(skipped, signed(skipped))), error("InvalidNonce()"));
    send(&sandbox, &sandbox.account(4), &permit(grant, compacted(&signed(grant))));
    assert_eq!(refusal(&sandbox, &spender, &permit(grant, signed(grant))), error("InvalidNonce()"));
    let take = |amount: u64| IPermit2::transferFromCall {
        from: owner_address,
        to: FRIEND.parse().unwrap(),
        amount: alloy_primitives::Uint::from(amount),
        token,
    };
    let before = sandbox.balance("USDC", FRIEND);
    send(&sandbox, &spender, &take(2_000_000));
    assert_eq!(sandbox.balance("USDC", FRIEND) - before, 2_000_000);
    assert_eq!(refusal(&sandbox, &spender, &take(1_000_001)), error("InsufficientAllowance(uint256)"));
    assert_eq!(refusal(&sandbox, &sandbox.account(3), &take(1)), error("AllowanceExpired(uint256)"), "another spender");
    assert_eq!((allowance().amount.to::<u64>(), allowance().nonce.to::<u64>()), (1_000_000, nonce + 1));
    sandbox.advance(601);
    assert_eq!(refusal(&sandbox, &spender, &take(1)), error("AllowanceExpired(uint256)"));
    let late = Grant { nonce: nonce + 1, ..grant };
    assert_eq!(refusal(&sandbox, &spender, &permit(late, signed(late))), error("SignatureExpired(uint256)"));
    let approve = IPermit2::approveCall {
        token,
        spender: spender_address,
        amount: alloy_primitives::Uint::from(9_u64),
        expiration: alloy_primitives::Uint::from(sandbox.now() + 60),
    };
    send(&sandbox, &owner, &approve);
    assert_eq!((allowance().amount.to::<u64>(), refusal(&sandbox, &spender, &take(9))), (9, None));
}

/// A token's answer to a call, or the error's data.
fn call(sandbox: &Sandbox, from: &str, symbol: &str, data: &str) -> Result<Value, String> {
    let call = json!({"from": from, "to": sandbox.token(symbol), "data": data});
    let reply = sandbox.try_rpc("eth_call", json!([call, "latest"]));
    reply
        .get("error")
        .map_or_else(|| Ok(reply["result"].clone()), |error| Err(error["data"].as_str().unwrap_or_default().to_owned()))
}

fn selector(signature: &str) -> String {
    keccak256(signature).to_string()[..10].to_owned()
}

fn allowance(sandbox: &Sandbox, symbol: &str, owner: &str, spender: &str) -> u128 {
    let data = format!("0xdd62ed3e{:0>64}{:0>64}", &owner[2..], &spender[2..]);
    let answer = sandbox.rpc("eth_call", json!([{"to": sandbox.token(symbol), "data": data}, "latest"]));
    let digits = answer.as_str().unwrap().trim_start_matches("0x");
    if digits.trim_start_matches('f').is_empty() { u128::MAX } else { hex_number(&answer) }
}

#[test]
fn dai_gives_all_or_nothing_by_signature_once() {
    let sandbox = sandbox();
    let (owner, spender) = (sandbox.account(2), "0x00000000000000000000000000000000000f12e5");
    let permit = selector("permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)");
    assert_eq!(permit, "0x8fcbaf0c");
    let words = dai_style(&sandbox, &owner, spender);
    assert_eq!(words.len(), 256);
    let data = format!("{permit}{}", hex::encode(&words));
    let mut forged = words.to_vec();
    forged[3 * 32 + 31] ^= 1;
    assert!(call(&sandbox, &owner, "DAI", &format!("{permit}{}", hex::encode(forged))).is_err(), "another expiry");
    let nonce = token_nonce(&sandbox, "DAI", &owner);
    sandbox.send(&json!({"from": sandbox.account(1), "to": sandbox.token("DAI"), "data": data}));
    assert_eq!(allowance(&sandbox, "DAI", &owner, spender), u128::MAX);
    assert_eq!(token_nonce(&sandbox, "DAI", &owner), nonce + 1);
    assert!(call(&sandbox, &owner, "DAI", &data).is_err(), "the same again");
}

#[test]
fn one_token_takes_allowances_by_signature_only_and_describes_its_domain() {
    let sandbox = sandbox();
    let (owner, spender) = (sandbox.account(2), "0x00000000000000000000000000000000000f12e5");
    let approve = format!("0x095ea7b3{:0>64}{:0>64}", &spender[2..], "7");
    let refused = call(&sandbox, &owner, "PUSD", &approve).unwrap_err();
    assert_eq!(refused, selector("ApproveByPermit()"));
    let words = eip_2612(&sandbox, "PUSD", &owner, spender, 7);
    let data = format!("0xd505accf{}", hex::encode(&words));
    sandbox.send(&json!({"from": sandbox.account(1), "to": sandbox.token("PUSD"), "data": data}));
    assert_eq!(allowance(&sandbox, "PUSD", &owner, spender), 7);

    sol! { function eip712Domain() external view returns (bytes1, string, string, uint256, address, bytes32, uint256[]); }
    assert_eq!(eip712DomainCall::SELECTOR, hex!("84b0196e"));
    let answer = call(&sandbox, &owner, "PUSD", "0x84b0196e").unwrap();
    let answer: Bytes = answer.as_str().unwrap().parse().unwrap();
    let domain = eip712DomainCall::abi_decode_returns(&answer).unwrap();
    assert_eq!((domain._0.0, domain._1.as_str(), domain._2.as_str()), ([0x0f], "Permit Dollar", "2"));
    assert_eq!((domain._3, domain._4.to_string()), (U256::from(31337), sandbox.token("PUSD")));
}
