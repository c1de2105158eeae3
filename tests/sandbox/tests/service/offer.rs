//! An OTC order, step by step, as maker and taker make it.

use alloy_primitives::{Address, B256, Bytes, U256};
use alloy_sol_types::{SolCall, SolError};
use sandbox::otc::{IRfq, OrderInfo, RfqOrder, rfq_domain, rfq_hash, rfq_types};
use serde_json::{Value, json};

use crate::client::Answer;
use crate::started::{Sandbox, hex_number, sandbox};
use crate::trade::compact;

/// Far more than any test needs.
pub const PLENTY: u128 = u128::MAX / 2;

/// A signed order.
#[derive(Clone)]
pub struct Offer {
    pub order: RfqOrder,
    pub hash: B256,
    /// 65 bytes.
    pub signature: Bytes,
}

/// The sandbox, with every order of earlier tests expired.
pub fn otc_sandbox() -> std::sync::MutexGuard<'static, Sandbox> {
    let sandbox = sandbox();
    sandbox.advance(1_000);
    sandbox
}

pub fn address(sandbox: &Sandbox, account: usize) -> Address {
    sandbox.account(account).parse().unwrap()
}

pub fn token(sandbox: &Sandbox, symbol: &str) -> Address {
    sandbox.token(symbol).parse().unwrap()
}

/// 100 USDC of account 1 for 0.05 WETH of anyone, good for ten minutes, under a nonce of its own.
pub fn order(sandbox: &Sandbox) -> RfqOrder {
    RfqOrder {
        nonceAndMeta: U256::from_be_bytes(B256::random().0) >> 200 << 160,
        expiry: u128::from(sandbox.now() + 600),
        makerAsset: token(sandbox, "USDC"),
        takerAsset: token(sandbox, "WETH"),
        maker: address(sandbox, 1),
        taker: Address::ZERO,
        makerAmount: U256::from(100_000_000),
        takerAmount: U256::from(50_000_000_000_000_000_u64),
    }
}

impl Offer {
    /// Has the node sign for the maker.
    pub fn sign(sandbox: &Sandbox, order: RfqOrder) -> Self {
        let signer = order.maker.to_string();
        Self::sign_as(sandbox, order, &signer)
    }

    pub fn sign_as(sandbox: &Sandbox, order: RfqOrder, signer: &str) -> Self {
        let rfq = sandbox.text("rfq").parse().unwrap();
        let mut types = rfq_types();
        types["EIP712Domain"] = json!([
            {"name": "name", "type": "string"},
            {"name": "version", "type": "string"},
            {"name": "chainId", "type": "uint256"},
            {"name": "verifyingContract", "type": "address"},
        ]);
        let mut message = members(&order);
        message["expiry"] = json!(order.expiry.to_string());
        let typed = json!({
            "types": types, "primaryType": "Order", "domain": rfq_domain(31337, rfq), "message": message,
        });
        let signature = sandbox.rpc("eth_signTypedData_v4", json!([signer, typed.to_string()]));
        let hash = rfq_hash(31337, rfq, &order).unwrap();
        Self { order, hash, signature: signature.as_str().unwrap().parse().unwrap() }
    }

    /// Both sides approve what they may have to give.
    pub fn with_allowances(self, sandbox: &Sandbox, taker: usize) -> Self {
        approve_rfq(sandbox, self.order.makerAsset, &self.order.maker.to_string(), PLENTY);
        approve_rfq(sandbox, self.order.takerAsset, &sandbox.account(taker), PLENTY);
        self
    }

    pub fn compact_signature(&self) -> Bytes {
        compact(&self.signature.to_string()).parse().unwrap()
    }

    pub fn body(&self) -> Value {
        let mut body = members(&self.order);
        body["signature"] = json!(self.signature);
        body
    }

    pub fn post(&self, sandbox: &Sandbox) -> Answer {
        sandbox.post("/ft/p2p/31337/", &self.body())
    }

    /// The order as the service has it.
    pub fn stored(&self, sandbox: &Sandbox) -> Value {
        sandbox.get(&format!("/ft/order/{}", self.hash)).ok()
    }

    pub fn info(&self, give: U256) -> OrderInfo {
        OrderInfo {
            order: self.order.clone(),
            signature: self.signature.clone(),
            takerTokenFillAmount: give,
            permitTakerAsset: Bytes::new(),
            permitMakerAsset: Bytes::new(),
        }
    }

    pub fn fill(&self) -> IRfq::fillOrderCall {
        IRfq::fillOrderCall { order: self.order.clone(), signature: self.signature.clone() }
    }

    pub fn part(&self, give: U256) -> IRfq::partialFillOrderCall {
        let (order, signature) = (self.order.clone(), self.signature.clone());
        IRfq::partialFillOrderCall { order, signature, takerTokenFillAmount: give }
    }

    /// `remaining` as the contract stores it.
    pub fn remaining(&self, sandbox: &Sandbox) -> u128 {
        let call = IRfq::remainingCall { maker: self.order.maker, orderHash: self.hash };
        let data = Bytes::from(call.abi_encode());
        hex_number(&sandbox.rpc("eth_call", json!([{"to": sandbox.text("rfq"), "data": data}, "latest"])))
    }
}

/// The order's members as the service writes them.
pub fn members(order: &RfqOrder) -> Value {
    json!({
        "nonceAndMeta": order.nonceAndMeta.to_string(),
        "expiry": u64::try_from(order.expiry).unwrap(),
        "makerAsset": order.makerAsset,
        "takerAsset": order.takerAsset,
        "maker": order.maker,
        "taker": order.taker,
        "makerAmount": order.makerAmount.to_string(),
        "takerAmount": order.takerAmount.to_string(),
    })
}

pub fn approve_rfq(sandbox: &Sandbox, token: Address, owner: &str, amount: u128) {
    let body = json!({
        "chainId": 31337, "token": token, "owner": owner, "spender": sandbox.text("rfq"), "amount": amount.to_string(),
    });
    assert_eq!(sandbox.post("/sandbox/approve", &body).ok()["allowance"], amount.to_string());
}

/// Sends a call to the RFQ contract, mined and gone well.
pub fn send<C: SolCall>(sandbox: &Sandbox, from: usize, call: &C) {
    let data = Bytes::from(call.abi_encode());
    sandbox.send(&json!({"from": sandbox.account(from), "to": sandbox.text("rfq"), "data": data}));
}

/// The text a call would revert with; none when it would go well. A custom error is its selector.
pub fn refusal<C: SolCall>(sandbox: &Sandbox, from: usize, call: &C) -> Option<String> {
    let data = Bytes::from(call.abi_encode());
    let call = json!({"from": sandbox.account(from), "to": sandbox.text("rfq"), "data": data});
    let reply = sandbox.try_rpc("eth_call", json!([call, "latest"]));
    let data: Bytes = reply.get("error")?["data"].as_str().unwrap().parse().unwrap();
    let text = alloy_sol_types::Revert::abi_decode(&data).map(|revert| revert.reason);
    Some(text.unwrap_or_else(|_| data.to_string().chars().take(10).collect()))
}
