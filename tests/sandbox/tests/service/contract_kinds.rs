//! The Delta contract asked directly about orders of each kind, and about owners with code.

use alloy_primitives::{B256, Bytes, U256};
use alloy_sol_types::SolCall;
use sandbox::chain::{Filled, IDelta};
use sandbox::json::Json;
use sandbox::order::{Part, SignedOrder, Trading, read_signed};
use serde_json::{Value, json};

use crate::started::{Sandbox, sandbox};
use crate::trade::{Signed, Swap, changed_members};

const INTERVAL: u64 = 120;

/// An agent's attempt at an order that no solver takes.
pub struct Attempt {
    pub order: SignedOrder,
    pub signature: Bytes,
    pub part: Part,
    pub spend: U256,
    pub promised: U256,
}

impl Attempt {
    /// The next part at its limit.
    pub fn of(signed: &Signed, in_parts: bool, fills: u32, percent: u64) -> Self {
        let order = read_signed(&Json::parse(&signed.order.to_string()).unwrap(), in_parts).unwrap();
        let filled = Filled { filled: U256::ZERO, fills, lastAt: 0 };
        let part = order.next_part(&filled, percent);
        let (spend, promised) =
            if order.terms().is_sell { (part.amount, part.limit) } else { (part.limit, part.amount) };
        Self { order, signature: signed.signature.parse().unwrap(), part, spend, promised }
    }

    fn call_data(&self, sandbox: &Sandbox) -> Bytes {
        let executor = sandbox.text("executor").parse().unwrap();
        let trading = Trading { executor, spend: self.spend, trade_in: self.spend, promised: self.promised };
        self.order.settlement(&self.signature, &self.part, &trading)
    }

    /// The selector of the error the contract refuses with; none when it settles.
    pub fn refusal_of(&self, sandbox: &Sandbox, agent: &str) -> Option<String> {
        let data = self.call_data(sandbox);
        let call = json!({"from": agent, "to": sandbox.text("delta"), "data": data});
        let reply = sandbox.try_rpc("eth_call", json!([call, "pending"]));
        reply.get("error").map(|error| error["data"].as_str().unwrap_or_default().chars().take(10).collect())
    }

    pub fn refusal(&self, sandbox: &Sandbox) -> Option<String> {
        self.refusal_of(sandbox, sandbox.text("solver"))
    }

    pub fn settle(&self, sandbox: &Sandbox) {
        let data = self.call_data(sandbox);
        sandbox.send(&json!({"from": sandbox.text("solver"), "to": sandbox.text("delta"), "data": data}));
    }
}

pub fn error(signature: &str) -> Option<String> {
    Some(alloy_primitives::keccak256(signature).to_string()[..10].to_owned())
}

/// A signed order whose owner has approved, that no solver takes.
pub fn signed(sandbox: &Sandbox, swap: &Swap) -> Signed {
    sandbox.settings(json!({"solving": false}));
    swap.approve(sandbox);
    swap.signed(sandbox)
}

fn sale_in_slices() -> Swap {
    let build = json!({
        "orderType": "TWAPOrder", "interval": INTERVAL, "numSlices": 3, "totalSrcAmount": "100000001", "slippage": 500,
    });
    Swap { amount: 33_333_333, build, valid_for_secs: 1_000, ..Swap::default() }
}

fn purchase_in_slices() -> Swap {
    let build = json!({
        "orderType": "TWAPBuyOrder", "interval": INTERVAL, "numSlices": 2, "totalDestAmount": "80000000000000000001",
        "maxSrcAmount": "90000001",
    });
    Swap { side: "BUY", amount: 40 * 10_u128.pow(18), build, valid_for_secs: 1_000, ..Swap::default() }
}

fn in_parts() -> Swap {
    Swap { build: json!({"partiallyFillable": true, "slippage": 500}), ..Swap::default() }
}

#[test]
fn the_contract_hashes_every_kind_to_the_same_digest() {
    let sandbox = sandbox();
    let handler = json!({"orderType": "ExternalOrder", "handler": sandbox.text("depository"), "data": "0xc0ffee"});
    let external = Swap { build: handler, ..Swap::default() };
    // For an order of every kind, and values that no build can have.
    let patch = json!([
        {"op": "replace", "path": "/toSign/value/permit", "value": "0x0102"},
        {"op": "replace", "path": "/toSign/value/bridge", "value": {
            "protocolSelector": "0x01020304", "destinationChainId": 10, "scalingFactor": -12, "protocolData": "0xff",
            "outputToken": "0x00000000000000000000000000000000000f12e4",
        }},
    ]);
    for (swap, is_fillable) in [
        (Swap::default(), false),
        (in_parts(), true),
        (external, false),
        (sale_in_slices(), false),
        (purchase_in_slices(), false),
    ] {
        sandbox.post("/sandbox/tamper", &json!({"target": "build", "rehash": true, "patch": patch})).ok();
        let signed = swap.signed(&sandbox);
        let order = read_signed(&Json::parse(&signed.order.to_string()).unwrap(), is_fillable).unwrap();
        let kind = order.kind();
        let data = match order {
            SignedOrder::Order(order) => IDelta::orderHashCall { order }.abi_encode(),
            SignedOrder::Fillable(order) => IDelta::fillableOrderHashCall { order }.abi_encode(),
            SignedOrder::External(order) => IDelta::externalOrderHashCall { order }.abi_encode(),
            SignedOrder::Twap(order) => IDelta::twapOrderHashCall { order }.abi_encode(),
            SignedOrder::TwapBuy(order) => IDelta::twapBuyOrderHashCall { order }.abi_encode(),
        };
        let hash = sandbox.rpc("eth_call", json!([{"to": sandbox.text("delta"), "data": Bytes::from(data)}, "latest"]));
        assert_eq!(hash, signed.hash.as_str(), "{kind:?}");
    }
}

#[test]
fn a_handler_that_pays_too_little_or_gets_too_little_settles_nothing() {
    let sandbox = sandbox();
    let idle = "0x000000000000000000000000000000000000d1e0";
    // Takes what it is given, and gives nothing.
    sandbox.rpc("anvil_setCode", json!([idle, "0x00"]));
    crate::external::let_depository(&sandbox, 0, 200_000_000);
    for (side, amount) in [("SELL", 100_000_000), ("BUY", 10_u128.pow(20))] {
        for (handler, refusal) in [(idle, error("HandlerPaidTooLittle()")), (sandbox.text("depository"), None)] {
            let build = json!({"orderType": "ExternalOrder", "handler": handler, "data": "0x"});
            let signed = Swap { side, amount, build, ..Swap::default() }.signed(&sandbox);
            let attempt = || Attempt::of(&signed, false, 0, 100);
            let mut usual = attempt();
            // A purchase's fee comes on top.
            if side == "BUY" {
                usual.spend -= usual.spend / U256::from(1_000);
            }
            assert_eq!(usual.refusal(&sandbox), refusal, "{side}");
            let short = Attempt { promised: usual.promised - U256::from(1), ..attempt() };
            let short = Attempt { spend: usual.spend, ..short };
            assert_eq!(short.refusal(&sandbox), error("ReceivedBelowMinimum()"), "{side}");
        }
    }
    sandbox.rpc("anvil_setCode", json!([idle, "0x"]));
}

#[test]
fn a_slice_of_a_sale_is_exact_and_settles_once_an_interval() {
    let sandbox = sandbox();
    let signed = signed(&sandbox, &sale_in_slices());
    let slice = |index: u32| Attempt::of(&signed, false, index, 100);
    let one = U256::from(1);
    let first = slice(0);
    assert_eq!(first.spend, U256::from(33_333_333));
    assert_eq!(
        Attempt { promised: first.promised - one, ..slice(0) }.refusal(&sandbox),
        error("ReceivedBelowMinimum()")
    );
    for spend in [first.spend - one, first.spend + one] {
        assert_eq!(Attempt { spend, ..slice(0) }.refusal(&sandbox), error("SpendDiffersFromOrder()"));
    }
    assert_eq!(first.refusal(&sandbox), None);
    first.settle(&sandbox);
    assert_eq!(slice(1).refusal(&sandbox), error("SliceTooEarly()"));
    sandbox.advance(INTERVAL - 10);
    assert_eq!(slice(1).refusal(&sandbox), error("SliceTooEarly()"));
    sandbox.advance(10);
    // The last one's amount is not the second's.
    assert_eq!(slice(2).refusal(&sandbox), error("SpendDiffersFromOrder()"));
    slice(1).settle(&sandbox);
    sandbox.advance(INTERVAL);
    assert_eq!(slice(2).spend, U256::from(33_333_335));
    slice(2).settle(&sandbox);
    sandbox.advance(INTERVAL);
    let refusal = slice(2).refusal(&sandbox);
    assert!(refusal.is_some() && refusal != error("SliceTooEarly()"), "{refusal:?}");
}

#[test]
fn the_nonce_ends_what_is_left_of_the_slices() {
    let sandbox = sandbox();
    let signed = signed(&sandbox, &sale_in_slices());
    Attempt::of(&signed, false, 0, 100).settle(&sandbox);
    sandbox.advance(INTERVAL);
    assert_eq!(Attempt::of(&signed, false, 1, 100).refusal(&sandbox), None);
    let nonce = signed.order["nonce"].as_str().unwrap().parse().unwrap();
    let data = Bytes::from(IDelta::invalidateNoncesCall { nonces: vec![nonce] }.abi_encode());
    sandbox.send(&json!({"from": sandbox.account(0), "to": sandbox.text("delta"), "data": data}));
    assert_eq!(Attempt::of(&signed, false, 1, 100).refusal(&sandbox), error("InvalidNonce()"));
}

#[test]
fn a_slice_of_a_purchase_takes_at_most_its_share() {
    let sandbox = sandbox();
    let signed = signed(&sandbox, &purchase_in_slices());
    let slice = |index: u32| Attempt::of(&signed, false, index, 100);
    let one = U256::from(1);
    // The most that leaves room for the fee of 1 bps.
    let most = |share: u64| (U256::from(share) * U256::from(10_000)).div_ceil(U256::from(10_001));
    let attempt = |index: u32, spend: U256| Attempt { spend, ..slice(index) };
    assert_eq!(attempt(0, most(45_000_000) + one).refusal(&sandbox), error("SpendAboveMaximum()"));
    let less = Attempt { promised: slice(0).promised - one, ..attempt(0, most(45_000_000)) };
    assert_eq!(less.refusal(&sandbox), error("ReceivedBelowMinimum()"));
    attempt(0, most(45_000_000)).settle(&sandbox);
    sandbox.advance(INTERVAL);
    assert_eq!(slice(1).promised, U256::from(40_000_000_000_000_000_001_u128));
    assert_eq!(attempt(1, most(45_000_001) + one).refusal(&sandbox), error("SpendAboveMaximum()"));
    attempt(1, most(45_000_001)).settle(&sandbox);
}

#[test]
fn parts_are_in_proportion_and_never_more_than_the_whole() {
    let sandbox = sandbox();
    // No part of it is a whole number: the least is rounded up.
    let build = json!({"partiallyFillable": true, "limitAmount": "90000000000000000001", "slippage": null});
    let signed = signed(&sandbox, &Swap { build, ..Swap::default() });
    let part = |percent: u64| Attempt::of(&signed, true, 0, percent);
    let one = U256::from(1);
    let below = Attempt { promised: part(30).promised - one, ..part(30) };
    assert_eq!(below.refusal(&sandbox), error("ReceivedBelowMinimum()"));
    let nothing = Part { amount: U256::ZERO, ..part(30).part };
    let nothing = Attempt { part: nothing, spend: U256::ZERO, promised: U256::ZERO, ..part(30) };
    assert_eq!(nothing.refusal(&sandbox), error("FillsTooMuch()"));
    part(30).settle(&sandbox);
    assert_eq!(part(80).refusal(&sandbox), error("FillsTooMuch()"));
    assert_eq!(part(70).refusal(&sandbox), None);
    part(70).settle(&sandbox);
    assert_eq!(part(1).refusal(&sandbox), error("FillsTooMuch()"));
}

#[test]
fn a_whole_order_and_an_order_in_parts_cannot_replace_each_other() {
    let sandbox = sandbox();
    let whole = signed(&sandbox, &Swap::default());
    assert_eq!(Attempt::of(&whole, false, 0, 100).refusal(&sandbox), None);
    assert_eq!(Attempt::of(&whole, true, 0, 100).refusal(&sandbox), error("InvalidSignature()"));
    let parts = signed(&sandbox, &in_parts());
    assert_eq!(Attempt::of(&parts, true, 0, 100).refusal(&sandbox), None);
    assert_eq!(Attempt::of(&parts, false, 0, 100).refusal(&sandbox), error("InvalidSignature()"));
    // Only the service notes that one signed whole may be filled in parts.
    let hash: B256 = whole.hash.parse().unwrap();
    let note = Bytes::from(IDelta::noteFillableCall { hash }.abi_encode());
    let call = json!({"from": sandbox.text("solver"), "to": sandbox.text("delta"), "data": note});
    let reply = sandbox.try_rpc("eth_call", json!([call, "latest"]));
    assert_eq!(reply["error"]["data"].as_str().map(str::to_owned), error("NotAdmin()"));
}

#[test]
fn only_the_exact_magic_value_is_a_signature() {
    let sandbox = sandbox();
    let owner = sandbox.account(4);
    let signed = signed(&sandbox, &Swap { owner: 4, ..Swap::default() });
    let attempt = Attempt::of(&signed, false, 0, 100);
    // Stops; reverts; returns the magic value in the wrong end of the word; in 4 bytes; with something after it.
    let wrong = [
        "0x00",
        "0x60006000fd",
        "0x631626ba7e60005260206000f3",
        "0x631626ba7e60e01b60005260046000f3",
        "0x631626ba7e60e01b60011760005260206000f3",
    ];
    for code in wrong {
        sandbox.rpc("anvil_setCode", json!([owner, code]));
        assert_eq!(attempt.refusal(&sandbox), error("InvalidSignature()"), "{code}");
    }
    sandbox.rpc("anvil_setCode", json!([owner, "0x631626ba7e60e01b60005260206000f3"]));
    let refusal = attempt.refusal(&sandbox);
    sandbox.rpc("anvil_setCode", json!([owner, "0x"]));
    assert_eq!(refusal, None);
}

#[test]
fn only_what_was_signed_settles() {
    let sandbox = sandbox();
    let invalid = error("InvalidSignature()");
    let build: Value = json!({"orderType": "ExternalOrder", "handler": sandbox.text("depository"), "data": "0x"});
    let external = Swap { build, ..Swap::default() };
    crate::external::let_depository(&sandbox, 0, 200_000_000);
    for (swap, is_in_parts) in [
        (external, false),
        (Swap::default(), false),
        (in_parts(), true),
        (sale_in_slices(), false),
        (purchase_in_slices(), false),
    ] {
        let signed =
            if swap.build["orderType"] == "ExternalOrder" { swap.signed(&sandbox) } else { signed(&sandbox, &swap) };
        let attempt = |signed: &Signed| Attempt::of(signed, is_in_parts, 0, 100);
        for (member, order) in changed_members(&sandbox, &signed.order) {
            let changed = Signed { order, ..signed.clone() };
            assert_eq!(attempt(&changed).refusal(&sandbox), invalid, "{member}");
        }
        for byte in [0, 31, 32, 63] {
            let mut changed = attempt(&signed);
            let mut bytes = changed.signature.to_vec();
            bytes[byte] ^= 1;
            changed.signature = bytes.into();
            assert_eq!(changed.refusal(&sandbox), invalid, "byte {byte}");
        }
        let whole = attempt(&signed).signature;
        for signature in [[&whole[..], &[27]].concat(), whole[..63].to_vec(), Vec::new()] {
            let changed = Attempt { signature: signature.into(), ..attempt(&signed) };
            assert_eq!(changed.refusal(&sandbox), invalid, "{} bytes", changed.signature.len());
        }
        if swap.side == "SELL" {
            assert_eq!(attempt(&signed).refusal(&sandbox), None);
        }
    }
}
