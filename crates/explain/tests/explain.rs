//! The answers of `explain` to honest payloads, to lies in one place, and to any bytes.
//!
//! docs/explain.md has three tables, and pkg-template/src/types/explain.ts the types of ids, made here: `WRITE=1 cargo test -p verified-swap-explain --test explain`.

#![allow(clippy::restriction, clippy::cast_possible_truncation)]

#[path = "../../verify/tests/rules/absence_law.rs"]
mod absence;
mod held;

use alloy_dyn_abi::{DynSolType, DynSolValue, JsonAbiExt};
use alloy_json_abi::{Function, Param, StateMutability};
use alloy_primitives::{Address, B256, U256, address, b256, hex, keccak256};
use held::hold;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;
use verified_swap_explain::explain;
use verified_swap_explain::{KINDS, PARTS, WARNINGS, anchor};
use verify::internal::domain::chain::{Protocol, pinned};
use verify::internal::domain::delta::calls;
use verify::internal::domain::delta::cancellation::cancellation;
use verify::internal::domain::delta::order::{self as delta, TYPES};
use verify::internal::domain::erc20;
use verify::internal::domain::market::method::METHODS;
use verify::internal::domain::otc::calls as otc_calls;
use verify::internal::domain::otc::fill::Share;
use verify::internal::domain::otc::order as otc;
use verify::internal::domain::permit::typed::{DAI, message};
use verify::internal::domain::permit::{Grant, PERMIT2, PermitKind};
use verify::internal::domain::token::NATIVE;
use verify::internal::domain::typed_struct::{TypedStruct, Value as Member, name, part};
use verify::internal::value::visible::visible;

const OWNER: Address = address!("0x4a62316623ad457f02cdc5d997ded67a383ec569");
const HANDLER: Address = address!("0x7777000000000000000000000000000000007778");
const THIEF: Address = address!("0xBaD0000000000000000000000000000000000BAD");
const USDC: Address = address!("0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913");
/// USDC on chain 10.
const USDC_THERE: Address = address!("0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85");
const WETH: Address = address!("0x4200000000000000000000000000000000000006");
const CHAIN: u64 = 8453;
const NOW: u64 = 1_800_000_000;
const SOON: u64 = NOW + 1_200;

fn contract(protocol: Protocol) -> Address {
    pinned(CHAIN).unwrap().of(protocol).unwrap()
}

fn context() -> Value {
    json!({
        "accounts": [OWNER.to_string()], "chainId": CHAIN, "now": NOW,
        "addressBook": [{ "address": HANDLER.to_string(), "name": "Lending" }],
        "references": { "8453": { USDC.to_string(): "1", WETH.to_string(): "2500", "native": "2500" } },
    })
}

fn explained_in(call: &Value, context: &Value) -> Value {
    serde_json::from_str(&explain(&call.to_string(), &context.to_string()).unwrap()).unwrap()
}

/// Explained where the payload is for.
fn explained(call: &Value) -> Value {
    let mut context = context();
    if call["params"][0]["chainId"] == "0x1" {
        context["chainId"] = json!(1);
    }
    explained_in(call, &context)
}

fn typed_call(typed: &Value) -> Value {
    json!({ "method": "eth_signTypedData_v4", "params": [OWNER.to_string(), typed.to_string()] })
}

fn sent(to: Address, value: U256, data: &[u8]) -> Value {
    let value = format!("{value:#x}");
    json!({ "method": "eth_sendTransaction", "params": [{ "from": OWNER.to_string(), "to": to.to_string(),
        "value": value, "data": hex::encode_prefixed(data), "chainId": format!("{CHAIN:#x}") }] })
}

fn in_domain(typed: &TypedStruct, domain: &TypedStruct) -> Value {
    serde_json::from_str(&typed.typed_data(domain)).unwrap()
}

/// An order of one of the types: 3,000 USDC for at least 1 WETH.
fn order(encoded: &'static str, receiver: Address) -> TypedStruct {
    fn of(encoded: &'static str, whole: &'static str, receiver: Address) -> TypedStruct {
        TypedStruct::made(encoded, &|member, kind| match member {
            "owner" => OWNER.into(),
            "beneficiary" => receiver.into(),
            "handler" => HANDLER.into(),
            "srcToken" => USDC.into(),
            "destToken" => WETH.into(),
            "srcAmount" | "totalSrcAmount" | "maxSrcAmount" => U256::from(2_520_000_000_u64).into(),
            "destAmount" | "totalDestAmount" | "expectedAmount" => U256::from(10).pow(U256::from(18)).into(),
            "destAmountPerSlice" => (U256::from(10).pow(U256::from(18)) / U256::from(4)).into(),
            "numSlices" => 4_u64.into(),
            "interval" => 3_600_u64.into(),
            "deadline" => SOON.into(),
            "nonce" => 7_u64.into(),
            "bridge" => Member::Struct(of(part(whole, kind).unwrap(), whole, receiver)),
            _ if kind == "bytes" => Member::Bytes(vec![]),
            _ => 0_u64.into(),
        })
    }
    of(encoded, encoded, receiver)
}

/// USDC of the order's chain for at least as much of a token on Optimism.
fn bridged(output: Address, factor: Value) -> Value {
    let mut typed = in_domain(&order(delta::ORDER, OWNER), &delta::domain(CHAIN, contract(Protocol::Delta)));
    typed["message"]["srcToken"] = json!(WETH.to_string());
    typed["message"]["srcAmount"] = json!("1000000000000000000");
    typed["message"]["destToken"] = json!(USDC.to_string());
    typed["message"]["destAmount"] = json!("2480000000");
    typed["message"]["bridge"] = json!({ "protocolSelector": "0x12345678", "destinationChainId": "10",
        "outputToken": output.to_string(), "scalingFactor": factor, "protocolData": "0x" });
    typed_call(&typed)
}

fn offer(maker: Address, taker: Address) -> otc::OtcOrder {
    let word = |address: Address| U256::from_be_bytes(address.into_word().0);
    let (one, other) = (U256::from(2_500_000_000_u64), U256::from(10).pow(U256::from(18)));
    let nonce = otc::nonce_and_meta(U256::from(5), taker);
    otc::from_words([nonce, U256::from(SOON), word(USDC), word(WETH), word(maker), word(taker), one, other])
}

fn grant(kind: PermitKind, spender: Address) -> Grant {
    let amount = U256::from(1_000_000);
    let nonce = U256::from(3);
    Grant { kind, chain_id: CHAIN, token: USDC, owner: OWNER, spender, amount, deadline: SOON, nonce }
}

/// A permit of DAI's kind, by the owner, which this package signs none of.
fn dai_permit(spender: Address) -> Value {
    let permit = TypedStruct::of(DAI, vec![OWNER.into(), spender.into(), 3.into(), SOON.into(), true.into()]);
    in_domain(&permit, &permit_domain(PermitKind::Eip2612))
}

fn permit_domain(kind: PermitKind) -> TypedStruct {
    if kind.by_permit2() {
        let encoded = "EIP712Domain(string name,uint256 chainId,address verifyingContract)";
        TypedStruct::of(encoded, vec!["Permit2".into(), CHAIN.into(), PERMIT2.into()])
    } else {
        TypedStruct::of(delta::DOMAIN_TYPE, vec!["USD Coin".into(), "2".into(), CHAIN.into(), USDC.into()])
    }
}

fn function(signature: &str) -> Function {
    let (name, mut rest) = signature.split_once('(').unwrap();
    let inputs = params(&mut rest);
    Function { name: name.into(), inputs, outputs: vec![], state_mutability: StateMutability::Payable }
}

fn params(text: &mut &str) -> Vec<Param> {
    let mut found = Vec::new();
    while !text.starts_with(')') {
        let components = match text.strip_prefix('(') {
            Some(rest) => {
                *text = rest;
                let inner = params(text);
                *text = &text[1..];
                inner
            }
            None => vec![],
        };
        let end = text.find([' ', ',', ')']).unwrap();
        let (kind, rest) = text.split_at(end);
        let rest = rest.strip_prefix(' ').unwrap_or(rest);
        let end = rest.find([',', ')']).unwrap();
        let ty = if components.is_empty() { kind.into() } else { format!("tuple{kind}") };
        found.push(Param { ty, name: rest[..end].into(), components, internal_type: None });
        *text = rest[end..].trim_start_matches(',');
    }
    found
}

/// Calldata by another library than the reader's: `value` gives the arguments by name, the others are zero.
fn encoded(signature: &str, value: &dyn Fn(&str) -> Option<DynSolValue>) -> Vec<u8> {
    fn of(param: &Param, value: &dyn Fn(&str) -> Option<DynSolValue>) -> DynSolValue {
        if let Some(found) = value(&param.name) {
            return found;
        }
        if !param.components.is_empty() {
            let one = DynSolValue::Tuple(param.components.iter().map(|inner| of(inner, value)).collect());
            return if param.ty.ends_with("[]") { DynSolValue::Array(vec![one]) } else { one };
        }
        let kind: DynSolType = param.ty.parse().unwrap();
        match kind {
            DynSolType::Bytes => DynSolValue::Bytes(vec![]),
            DynSolType::String => DynSolValue::String(String::new()),
            DynSolType::Array(_) => DynSolValue::Array(vec![]),
            DynSolType::Uint(bits) => DynSolValue::Uint(U256::ZERO, bits),
            DynSolType::Address => DynSolValue::Address(Address::ZERO),
            DynSolType::Bool => DynSolValue::Bool(false),
            DynSolType::FixedBytes(size) => DynSolValue::FixedBytes(B256::ZERO, size),
            other => panic!("{other:?}"),
        }
    }
    let called = function(signature);
    let values: Vec<_> = called.inputs.iter().map(|input| of(input, value)).collect();
    called.abi_encode_input(&values).unwrap()
}

fn uint(value: impl TryInto<U256>) -> Option<DynSolValue> {
    value.try_into().ok().map(|value| DynSolValue::Uint(value, 256))
}

fn uint8(is: bool, value: u8) -> Option<DynSolValue> {
    is.then(|| DynSolValue::Uint(U256::from(value), 8))
}

/// A swap of 2,520 USDC for at least 1 WETH by each of the router's methods.
fn swap(method: usize, receiver: Address) -> Vec<u8> {
    swap_but(method, receiver, &|_| None)
}

/// [`swap`] with other values for some arguments.
fn swap_but(method: usize, receiver: Address, other: &dyn Fn(&str) -> Option<DynSolValue>) -> Vec<u8> {
    let signature = METHODS[method].signature;
    let wide = U256::from_be_bytes(receiver.into_word().0);
    let pools = if signature.contains("UniswapV2") {
        [USDC.as_slice(), WETH.as_slice(), &[0; 23], &[1]].concat()
    } else {
        let mut first = USDC.into_word();
        first[0] = 0x80;
        [first.as_slice(), WETH.into_word().as_slice(), &[0; 32]].concat()
    };
    let vault = encoded(
        "swap((bytes32 poolId,uint8 kind,address assetIn,address assetOut,uint256 amount,bytes userData) singleSwap,(address sender,bool fromInternalBalance,address recipient,bool toInternalBalance) funds,uint256 limit,uint256 deadline)",
        &|member| match member {
            "assetIn" => Some(DynSolValue::Address(USDC)),
            "assetOut" => Some(DynSolValue::Address(WETH)),
            _ => None,
        },
    );
    encoded(signature, &|member| match member {
        _ if other(member).is_some() => other(member),
        "srcToken" | "takerAsset" => Some(DynSolValue::Address(USDC)),
        "destToken" | "makerAsset" => Some(DynSolValue::Address(WETH)),
        "beneficiary" => Some(DynSolValue::Address(receiver)),
        "beneficiaryAndFlags" => uint(wide),
        "fromAmount" => uint(2_520_000_000_u64),
        "toAmount" | "quotedAmount" => uint(U256::from(10).pow(U256::from(18))),
        "pools" => Some(DynSolValue::Bytes(pools.clone())),
        "data" if signature.contains("BalancerV2") => Some(DynSolValue::Bytes(vault.clone())),
        "executorData" => Some(DynSolValue::Bytes(vec![1; 64])),
        _ => None,
    })
}

/// Maker's module for USDC and DAI on chain 1.
const PSM: Address = address!("0x89B78CfA322F6C5dE0aBcEecab66Aee45393cC5A");

/// A sale of 2,520 USDC to a stability module, for at least 2,519 DAI, with other values for some arguments.
fn psm_swap(module: Address, other: &dyn Fn(&str) -> Option<DynSolValue>) -> Vec<u8> {
    encoded(METHODS[method_named("MakerPSM")].signature, &|member| match member {
        _ if other(member).is_some() => other(member),
        "srcToken" => Some(DynSolValue::Address(address!("0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"))),
        "destToken" => Some(DynSolValue::Address(address!("0x6B175474E89094C44Da98b954EedeAC495271d0F"))),
        "fromAmount" => uint(2_520_000_000_u64),
        "toAmount" => uint(U256::from(2_519) * U256::from(10).pow(U256::from(18))),
        "to18ConversionFactor" => uint(1_000_000_000_000_u64),
        "exchange" => Some(DynSolValue::Address(module)),
        _ => None,
    })
}

fn method_named(part: &str) -> usize {
    METHODS.iter().position(|method| method.signature.contains(part)).unwrap()
}

/// A call of the router on chain 1, where the modules are.
fn on_mainnet(data: &[u8]) -> Value {
    let mut call = sent(pinned(1).unwrap().router, U256::ZERO, data);
    call["params"][0]["chainId"] = json!("0x1");
    call
}

/// A payload with the findings above `info` that it has by its nature.
struct Honest {
    name: String,
    call: Value,
    known: &'static [&'static str],
}

/// One of each kind that this package builds, and a permit of DAI's kind.
fn corpus() -> Vec<Honest> {
    let mut all = Vec::new();
    let mut add = |name: String, call: Value, known: &'static [&'static str]| all.push(Honest { name, call, known });
    let domain = delta::domain(CHAIN, contract(Protocol::Delta));
    for encoded in TYPES {
        add(format!("{} to sign", name(encoded)), typed_call(&in_domain(&order(encoded, OWNER), &domain)), &[]);
    }
    add("Order over a bridge to sign".into(), bridged(USDC_THERE, json!("0")), &[]);
    let ids = cancellation(&["a1".into(), "b2".into()]);
    add("cancellation to sign".into(), typed_call(&in_domain(&ids, &domain)), &[]);
    let rfq = contract(Protocol::Otc);
    let made = offer(OWNER, Address::ZERO);
    add("OTC offer to sign".into(), typed_call(&in_domain(&made, &otc::domain(CHAIN, rfq))), &[]);
    for (kind, label) in PermitKind::ALL {
        if let Some(permit) = message(&grant(kind, contract(Protocol::Delta))) {
            add(format!("permit {label}"), typed_call(&in_domain(&permit, &permit_domain(kind))), &[]);
        }
        if kind == PermitKind::Eip2612 {
            // It has no amount: `verifyPermit` has a question about it, too.
            add("permit dai".into(), typed_call(&dai_permit(contract(Protocol::Delta))), &["amount.unlimited"]);
        }
    }
    for (index, method) in
        METHODS.iter().map(|method| method.signature).enumerate().filter(|(_, method)| !method.contains("MakerPSM"))
    {
        let call = sent(contract(Protocol::Market), U256::ZERO, &swap(index, OWNER));
        add(format!("router: {}", method.split('(').next().unwrap()), call, &[]);
    }
    add("router: swapExactAmountInOutOnMakerPSM".into(), on_mainnet(&psm_swap(PSM, &|_| None)), &[]);
    for (protocol, label) in Protocol::ALL {
        let data = erc20::approve(contract(protocol), U256::from(5_000_000));
        add(format!("approval for {label}"), sent(USDC, U256::ZERO, &data), &[]);
        let data = erc20::approve(contract(protocol), U256::ZERO);
        add(format!("approval of nothing for {label}"), sent(USDC, U256::ZERO, &data), &[]);
    }
    let at_delta = |value: u64, data: Vec<u8>| sent(contract(Protocol::Delta), U256::from(value), &data);
    // The order behind the hash is not in the transaction.
    add("pre-signature".into(), at_delta(0, calls::pre_sign(B256::repeat_byte(9))), &["hash.unread"]);
    let deposit = at_delta(5, calls::deposit_and_pre_sign(B256::repeat_byte(9)));
    add("deposit with pre-signature".into(), deposit, &["hash.unread"]);
    add("end of a nonce".into(), at_delta(0, calls::invalidate_nonce(U256::from(4))), &[]);
    add("withdrawal".into(), at_delta(0, calls::withdraw_native(U256::from(4))), &[]);
    for encoded in TYPES {
        if let Some(data) = calls::cancel_and_withdraw(&order(encoded, OWNER)) {
            add(format!("{} cancelled", name(encoded)), at_delta(0, data), &[]);
        }
    }
    let theirs = offer(HANDLER, Address::ZERO);
    let share = Share { give: U256::from(10).pow(U256::from(18)), get: U256::from(2_500_000_000_u64) };
    let fill = otc_calls::Fill {
        order: &theirs,
        signature: &[7; 65],
        share,
        is_whole: true,
        taker_permit: &[],
        maker_permit: &[],
    };
    let part = otc_calls::Fill { is_whole: false, ..fill.clone() };
    let permitted = otc_calls::Fill { taker_permit: &[8; 224], ..fill.clone() };
    for fills in [vec![fill.clone()], vec![part.clone()], vec![permitted], vec![fill, part]] {
        let (data, method) = otc_calls::fill(&fills, OWNER, OWNER);
        add(format!("OTC: {method}"), sent(rfq, U256::ZERO, &data), &[]);
    }
    for hashes in [vec![B256::repeat_byte(1)], vec![B256::repeat_byte(1), B256::repeat_byte(2)]] {
        let (data, method) = otc_calls::cancel(&hashes);
        add(format!("OTC: {method}"), sent(rfq, U256::ZERO, &data), &[]);
    }
    let data = verify::internal::domain::permit::calls::revoke(USDC, contract(Protocol::Delta));
    add("Permit2 allowance taken back".into(), sent(PERMIT2, U256::ZERO, &data), &[]);
    let batch = json!({ "method": "wallet_sendCalls", "params": [{ "version": "2.0.0", "from": OWNER.to_string(),
        "chainId": format!("{CHAIN:#x}"), "calls": [
            { "to": USDC.to_string(), "data": hex::encode_prefixed(erc20::approve(contract(Protocol::Market), U256::from(2_520_000_000_u64))) },
            { "to": contract(Protocol::Market).to_string(), "data": hex::encode_prefixed(swap(0, OWNER)) },
        ] }] });
    add("approval and swap together (EIP-5792)".into(), batch, &[]);
    all
}

/// The arguments that no reader of this package takes apart.
const OPAQUE: [&str; 7] =
    ["executorData", "pools", "data.data", "orderHash", "metadata", "message.data", "bridge.protocolData"];

fn findings(answer: &Value) -> Vec<(&str, &str)> {
    let all = answer["findings"].as_array().unwrap();
    all.iter().map(|found| (found["id"].as_str().unwrap(), found["severity"].as_str().unwrap())).collect()
}

fn above_info(answer: &Value) -> BTreeSet<&str> {
    findings(answer).into_iter().filter(|(_, severity)| *severity != "info").map(|(id, _)| id).collect()
}

#[test]
fn honest_payloads_are_read_and_accused_of_nothing() {
    for Honest { name, call, known } in corpus() {
        let answer = explained(&call);
        assert_eq!(answer["verdict"], "explained", "{name}: {answer:#}");
        assert_eq!(above_info(&answer), known.iter().copied().collect(), "{name}: {answer:#}");
        for path in answer["opaque"].as_array().unwrap() {
            let path = path.as_str().unwrap();
            assert!(OPAQUE.iter().any(|known| path.ends_with(known)), "{name}: {path}");
        }
        assert!(!answer["sentence"].as_str().unwrap().is_empty(), "{name}");
    }
}

/// Every value is of this package: the kinds, parts and findings that docs/explain.md lists.
#[test]
fn answers_have_the_documented_kinds_parts_and_findings() {
    let all = corpus().into_iter().map(|honest| honest.call).chain(lies().into_iter().map(|lie| lie.call));
    for call in all {
        check_words(&explained(&call));
    }
}

fn check_words(answer: &Value) {
    let is = |id: &Value, known: Vec<&str>| known.into_iter().any(|one| Some(one) == id.as_str());
    assert!(is(&answer["kind"], KINDS.iter().map(|kind| kind.0).collect()), "{}", answer["kind"]);
    let shared = verify::internal::domain::sentence::part::ALL;
    for part in answer["parts"].as_array().unwrap() {
        let found = PARTS.iter().chain(shared).find(|one| Some(one.id) == part["id"].as_str());
        let found = found.unwrap_or_else(|| panic!("{part}"));
        let mut names: Vec<_> = part["values"].as_object().unwrap().keys().map(String::as_str).collect();
        let mut known = found.names.to_vec();
        names.sort_unstable();
        known.sort_unstable();
        assert_eq!(names, known, "{part}");
    }
    for finding in answer["findings"].as_array().unwrap() {
        assert!(is(&finding["id"], WARNINGS.iter().map(|one| one.part.id).collect()), "{finding}");
        // Every place of a value has one; a value may have the mark itself.
        let has_mark = finding["values"].to_string().contains('#');
        assert!(has_mark || !finding["text"].as_str().unwrap().contains('#'), "{finding}");
    }
    for finding in answer["findings"].as_array().unwrap() {
        let end = format!("docs/explain.md#{}", anchor(finding["id"].as_str().unwrap()));
        assert!(finding["link"].as_str().unwrap().ends_with(&end), "{finding}");
    }
    answer["inner"].as_array().unwrap().iter().for_each(check_words);
}

#[test]
fn ids_are_told_apart_and_each_rendering_has_its_values() {
    let shared = verify::internal::domain::sentence::part::ALL;
    let parts: Vec<_> = PARTS.iter().chain(shared).copied().collect();
    let warnings: Vec<_> = WARNINGS.iter().map(|one| one.part).collect();
    for list in [&parts, &warnings] {
        let ids: BTreeSet<_> = list.iter().map(|part| part.id).collect();
        assert_eq!(ids.len(), list.len());
        for part in list {
            let places = part.english.matches('#').count();
            // A finding may say less than it knows.
            assert!(places <= part.names.len(), "{}", part.id);
        }
    }
    assert!(parts.iter().all(|part| part.english.matches('#').count() == part.names.len()));
    let anchors: BTreeSet<_> = WARNINGS.iter().map(|one| anchor(one.part.id)).collect();
    assert_eq!(anchors.len(), WARNINGS.len());
    for text in parts.iter().chain(&warnings).map(|part| part.english.to_lowercase()) {
        assert!(!text.contains("harmless") && !text.contains("safe to"), "{text}");
    }
}

#[test]
fn what_the_client_says_of_an_order_is_said_here_to_the_letter() {
    use verify::internal::domain::intent::{Intent, Token};
    use verify::internal::domain::sentence;
    use verify::internal::domain::side::Side;
    let token = |address, decimals| Token { chain_id: CHAIN, address, decimals, ..Token::default() };
    let intent = |side| Intent {
        chain_id: CHAIN,
        dest_chain_id: CHAIN,
        src: token(USDC, 6),
        dest: token(WETH, 18),
        side,
        ..Intent::default()
    };
    let (spent, received) = (U256::from(2_520_000_000_u64), U256::from(10).pow(U256::from(18)));
    for (index, method) in
        METHODS.iter().map(|method| method.signature).enumerate().filter(|(_, method)| !method.contains("MakerPSM"))
    {
        let side = if method.starts_with("swapExactAmountOut") { Side::Buy } else { Side::Sell };
        let said = sentence::transaction(&intent(side), spent, received, OWNER, 0);
        let answer = explained(&sent(contract(Protocol::Market), U256::ZERO, &swap(index, OWNER)));
        assert_eq!(answer["sentence"], said.as_str());
    }
    let domain = delta::domain(CHAIN, contract(Protocol::Delta));
    let mut text = String::new();
    sentence::trade(&mut text, &intent(Side::Sell), spent, received, None);
    let answer = explained(&typed_call(&in_domain(&order(delta::ORDER, OWNER), &domain)));
    assert!(answer["sentence"].as_str().unwrap().starts_with(&text), "{answer:#}");
}

/// A lie in one place of an honest payload, or a payload that is one.
struct Lie {
    name: &'static str,
    call: Value,
    /// The findings by which it is seen; `Err` says why it cannot be.
    seen: Result<&'static [&'static str], &'static str>,
    /// Whether it is one of the sandbox's ready-made lies.
    sandbox: bool,
}

fn changed(typed: &Value, pointer: &str, value: Value) -> Value {
    let mut typed = typed.clone();
    *typed.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer}")) = value;
    typed_call(&typed)
}

fn lies() -> Vec<Lie> {
    let mut all = Vec::new();
    let domain = delta::domain(CHAIN, contract(Protocol::Delta));
    let honest = in_domain(&order(delta::ORDER, OWNER), &domain);
    let signed = |pointer: &str, value: Value| changed(&honest, pointer, value);
    let far = (SOON + 315_360_000).to_string();
    let thief = || json!(THIEF.to_string());
    let router = contract(Protocol::Market);
    let worse = |num: u64| {
        let least = U256::from(10).pow(U256::from(18)) / U256::from(10_000) * U256::from(num);
        encoded(METHODS[0].signature, &|member| match member {
            "srcToken" => Some(DynSolValue::Address(USDC)),
            "destToken" => Some(DynSolValue::Address(WETH)),
            "beneficiary" => Some(DynSolValue::Address(OWNER)),
            "fromAmount" => uint(2_520_000_000_u64),
            "toAmount" => uint(least),
            _ => None,
        })
    };
    let mut add = |sandbox, name, call, seen| all.push(Lie { name, call, seen, sandbox });
    // The ready-made lies of the sandbox (tests/sandbox/src/control/lie.rs), as what the wallet gets.
    add(true, "receiver", signed("/message/beneficiary", thief()), Ok(&["receiver.other"]));
    add(true, "minimum", signed("/message/destAmount", json!("100000000000000000")), Ok(&["price.poor"]));
    let approval = erc20::approve(THIEF, U256::from(2_520_000_000_u64));
    add(true, "spender", sent(USDC, U256::ZERO, &approval), Ok(&["spender.unknown"]));
    add(true, "deadline", signed("/message/deadline", json!(far)), Ok(&["deadline.far"]));
    add(true, "price", signed("/message/destAmount", json!("800000000000000000")), Ok(&["price.poor"]));
    add(true, "marketReceiver", sent(router, U256::ZERO, &swap(0, THIEF)), Ok(&["receiver.other"]));
    add(true, "marketMinimum", sent(router, U256::ZERO, &worse(1_000)), Ok(&["price.poor"]));
    add(true, "marketTo", sent(THIEF, U256::ZERO, &swap(0, OWNER)), Ok(&["contract.other"]));
    let mut lie = |name, call, seen| add(false, name, call, seen);
    // Other lies in the same payloads, which the client refuses, too.
    for (index, method) in METHODS
        .iter()
        .map(|method| method.signature)
        .enumerate()
        .skip(1)
        .filter(|(_, method)| !method.contains("MakerPSM"))
    {
        let name = method.split('(').next().unwrap();
        let name: &'static str = format!("{name} that pays somebody else").leak();
        lie(name, sent(router, U256::ZERO, &swap(index, THIEF)), Ok(&["receiver.other"]));
    }
    lie("another chain in the domain", signed("/domain/chainId", json!(1)), Ok(&["chain.other"]));
    lie("another contract in the domain", signed("/domain/verifyingContract", thief()), Ok(&["domain.contract"]));
    lie("another name in the domain", signed("/domain/name", json!("Velora")), Ok(&["domain.foreign"]));
    lie("another version in the domain", signed("/domain/version", json!("1")), Ok(&["domain.foreign"]));
    lie("another owner", signed("/message/owner", thief()), Ok(&["sender.other"]));
    let resembling = address!("0x8335000000000000000000000000000000002913");
    lie(
        "a token that looks like a known one",
        signed("/message/destToken", json!(resembling.to_string())),
        Ok(&["address.resembles"]),
    );
    lie(
        "a member more in the message",
        {
            let mut typed = honest.clone();
            typed["message"]["tip"] = json!("1");
            typed_call(&typed)
        },
        Ok(&["member.extra"]),
    );
    lie(
        "a type beside the order's",
        {
            let mut typed = honest.clone();
            typed["types"]["Unused"] = json!([{ "name": "a", "type": "uint256" }]);
            typed_call(&typed)
        },
        Ok(&["member.extra"]),
    );
    lie(
        "a member more in the type",
        {
            let mut typed = honest.clone();
            typed["types"]["Order"].as_array_mut().unwrap().push(json!({ "name": "tip", "type": "uint256" }));
            typed["message"]["tip"] = json!("1");
            typed_call(&typed)
        },
        Ok(&["typedData.unknown"]),
    );
    lie(
        "a member less in the message",
        {
            let mut typed = honest.clone();
            typed["message"].as_object_mut().unwrap().remove("nonce");
            typed_call(&typed)
        },
        Ok(&["typedData.unhashable"]),
    );
    lie(
        "a name twice",
        {
            let text = honest.to_string().replace(
                "\"beneficiary\":\"0x",
                "\"beneficiary\":\"0xBaD0000000000000000000000000000000000BAD\",\"beneficiary\":\"0x",
            );
            json!({ "method": "eth_signTypedData_v4", "params": [OWNER.to_string(), text] })
        },
        Ok(&["json.duplicate"]),
    );
    lie("a fee above the cap", signed("/message/partnerAndFee", json!("255")), Ok(&["fee.high"]));
    lie("a time that is over", signed("/message/deadline", json!("1700000000")), Ok(&["deadline.passed"]));
    lie(
        "bridge data",
        {
            let mut typed = honest.clone();
            typed["message"]["bridge"]["protocolData"] = json!("0x1234");
            typed["message"]["bridge"]["protocolSelector"] = json!("0x12345678");
            typed["message"]["bridge"]["destinationChainId"] = json!("10");
            typed_call(&typed)
        },
        Ok(&["receiver.unbound"]),
    );
    let stranger = address!("0x00000000000000000000000000000000dEaDBeE1");
    lie("a bridge to a token of no table", bridged(stranger, json!("0")), Ok(&["bridge.unjudged"]));
    lie("a bridge that leaves nothing", bridged(USDC_THERE, json!("-128")), Ok(&["bridge.factor"]));
    lie(
        "an order through a stranger's contract",
        changed(&in_domain(&order(delta::EXTERNAL_ORDER, OWNER), &domain), "/message/handler", thief()),
        Ok(&["handler.unknown"]),
    );
    let orders = method_named("RFQTry");
    let flags = swap_but(orders, OWNER, &|name| uint8(name == "wrapApproveDirection", 10));
    lie("makers' orders that buy the native token", sent(router, U256::ZERO, &flags), Ok(&["route.argument"]));
    lie(
        "an amount that is a bare number",
        {
            let text = honest.to_string().replace("\"2520000000\"", "2520000000000000001");
            json!({ "method": "eth_signTypedData_v4", "params": [OWNER.to_string(), text] })
        },
        Ok(&["number.form"]),
    );
    lie(
        "an approval without bound",
        sent(USDC, U256::ZERO, &erc20::approve(router, U256::MAX)),
        Ok(&["amount.unlimited"]),
    );
    lie(
        "an approval without bound for a stranger",
        sent(USDC, U256::ZERO, &erc20::approve(THIEF, U256::MAX)),
        Ok(&["amount.unlimitedUnknown"]),
    );
    lie(
        "an approval for the hacked router",
        sent(USDC, U256::ZERO, &erc20::approve(address!("0x00000000FdAC7708D0D360BDDc1bc7d097F47439"), U256::from(1))),
        Ok(&["spender.retired"]),
    );
    lie(
        "a permit for a stranger",
        typed_call(&in_domain(
            &message(&grant(PermitKind::Eip2612, THIEF)).unwrap(),
            &permit_domain(PermitKind::Eip2612),
        )),
        Ok(&["spender.signed"]),
    );
    lie(
        "a Permit2 transfer to a stranger",
        typed_call(&in_domain(
            &message(&grant(PermitKind::Permit2Transfer, THIEF)).unwrap(),
            &permit_domain(PermitKind::Permit2Transfer),
        )),
        Ok(&["spender.signed"]),
    );
    lie(
        "native token with an approval",
        sent(USDC, U256::from(5), &erc20::approve(router, U256::from(5))),
        Ok(&["value.extra"]),
    );
    lie("native token with a sale of another", sent(router, U256::from(5), &swap(0, OWNER)), Ok(&["value.other"]));
    lie(
        "calldata of no known method",
        sent(THIEF, U256::from(5), &[1, 2, 3, 4]),
        Ok(&["call.unknown", "call.unknownPaid", "contract.unknown"]),
    );
    lie(
        "a fill whose proceeds go elsewhere",
        {
            let theirs = offer(HANDLER, Address::ZERO);
            let give = U256::from(10).pow(U256::from(18));
            let share = Share { give, get: U256::from(2_500_000_000_u64) };
            let fill = otc_calls::Fill {
                order: &theirs,
                signature: &[7; 65],
                share,
                is_whole: true,
                taker_permit: &[],
                maker_permit: &[],
            };
            sent(contract(Protocol::Otc), U256::ZERO, &otc_calls::fill(&[fill], OWNER, THIEF).0)
        },
        Ok(&["receiver.other"]),
    );
    lie(
        "a hash to sign as text",
        json!({ "method": "personal_sign", "params": [B256::repeat_byte(7).to_string(), OWNER.to_string()] }),
        Ok(&["hash.personal"]),
    );
    lie(
        "a bare hash to sign",
        json!({ "method": "eth_sign", "params": [OWNER.to_string(), B256::repeat_byte(7).to_string()] }),
        Ok(&["hash.raw"]),
    );
    lie(
        "a delegation",
        json!({ "method": "eth_sendTransaction", "params": [{ "from": OWNER.to_string(), "to": OWNER.to_string(), "value": "0x0", "authorizationList": [{ "address": THIEF.to_string(), "chainId": "0x2105", "nonce": "0x0" }] }] }),
        Ok(&["delegation"]),
    );
    // Lies that show beside a request only.
    lie(
        "another token",
        signed("/message/destToken", json!("0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb")),
        Err("the payload names it, and nothing says which one was wanted"),
    );
    lie(
        "more is sold",
        signed("/message/srcAmount", json!("2900000000")),
        Err("the payload names the amount; only a price that gets poor by it is found"),
    );
    lie(
        "another nonce",
        signed("/message/nonce", json!("8")),
        Err("any nonce is a good one: only the request's own client knows what it drew"),
    );
    lie(
        "a partner with a fee below the cap",
        signed("/message/partnerAndFee", json!("200")),
        Err("facts and sentence name the fee; whether it was agreed on is not in the payload"),
    );
    all
}

#[test]
fn every_lie_about_receiver_chain_or_contract_is_found() {
    let lies = lies();
    assert_eq!(lies.iter().filter(|lie| lie.sandbox).count(), 8);
    for Lie { name, call, seen, .. } in lies {
        let answer = explained(&call);
        let found = above_info(&answer);
        match seen {
            Ok(ids) => assert!(ids.iter().all(|id| found.contains(id)), "{name}: {found:?} {answer:#}"),
            Err(_) => assert!(found.is_empty() || found == BTreeSet::from(["price.poor"]), "{name}: {found:?}"),
        }
    }
}

/// A call does not hide by being wrapped.
#[test]
fn what_is_inside_is_found_from_outside() {
    let stolen = erc20::approve(THIEF, U256::MAX);
    let safe = address!("0x5afe00000000000000000000000000000000005a");
    let multi_send = address!("0x40A2aCCbd92BCA938b02010E17A5b8929b49130D");
    let packed = |operation: u8, to: Address, data: &[u8]| {
        let length = U256::from(data.len()).to_be_bytes::<32>();
        [&[operation][..], to.as_slice(), &[0; 32], &length, data].concat()
    };
    let bytes = |data: Vec<u8>| Some(DynSolValue::Bytes(data));
    let batch = encoded("multiSend(bytes transactions)", &|_| {
        bytes([packed(0, USDC, &stolen), packed(0, contract(Protocol::Market), &swap(0, safe))].concat())
    });
    let exec = |to: Address, operation: u8, data: &[u8]| {
        encoded(
            "execTransaction(address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,uint256 gasPrice,address gasToken,address refundReceiver,bytes signatures)",
            &|member| match member {
                "to" => Some(DynSolValue::Address(to)),
                "data" => bytes(data.to_vec()),
                "operation" => Some(DynSolValue::Uint(U256::from(operation), 8)),
                _ => None,
            },
        )
    };
    let safe_tx = |to: Address, operation: u8, data: &[u8]| {
        json!({
            "types": {
                "EIP712Domain": [{ "name": "chainId", "type": "uint256" }, { "name": "verifyingContract", "type": "address" }],
                "SafeTx": [
                    { "name": "to", "type": "address" }, { "name": "value", "type": "uint256" }, { "name": "data", "type": "bytes" },
                    { "name": "operation", "type": "uint8" }, { "name": "safeTxGas", "type": "uint256" }, { "name": "baseGas", "type": "uint256" },
                    { "name": "gasPrice", "type": "uint256" }, { "name": "gasToken", "type": "address" }, { "name": "refundReceiver", "type": "address" },
                    { "name": "nonce", "type": "uint256" },
                ],
            },
            "primaryType": "SafeTx",
            "domain": { "chainId": CHAIN, "verifyingContract": safe.to_string() },
            "message": { "to": to.to_string(), "value": "0", "data": hex::encode_prefixed(data), "operation": operation, "safeTxGas": "0",
                "baseGas": "0", "gasPrice": "0", "gasToken": Address::ZERO.to_string(), "refundReceiver": Address::ZERO.to_string(), "nonce": "3" },
        })
    };
    let operation = encoded(
        "handleOps((address sender,uint256 nonce,bytes initCode,bytes callData,bytes32 accountGasLimits,uint256 preVerificationGas,bytes32 gasFees,bytes paymasterAndData,bytes signature)[] ops,address beneficiary)",
        &|member| match member {
            "sender" => Some(DynSolValue::Address(safe)),
            "callData" => bytes(encoded("execute(address to,uint256 value,bytes data)", &|member| match member {
                "to" => Some(DynSolValue::Address(USDC)),
                "data" => bytes(stolen.clone()),
                _ => None,
            })),
            _ => None,
        },
    );
    let mode = |mode: u8, content: Vec<u8>| {
        encoded("execute(bytes32 mode,bytes executionCalldata)", &move |member| match member {
            "mode" => {
                let mut word = B256::ZERO;
                word[0] = mode;
                Some(DynSolValue::FixedBytes(word, 32))
            }
            _ => bytes(content.clone()),
        })
    };
    let calls = encoded("f((address to,uint256 value,bytes data)[] calls)", &|member| match member {
        "to" => Some(DynSolValue::Address(USDC)),
        "data" => bytes(stolen.clone()),
        _ => None,
    });
    let entry_point = address!("0x0000000071727De22E5E9d8BAf0edAc6f37da032");
    let multicall =
        encoded("multicall(bytes[] data)", &|_| Some(DynSolValue::Array(vec![DynSolValue::Bytes(stolen.clone())])));
    for (name, call) in [
        ("multiSend", typed_call(&safe_tx(multi_send, 1, &batch))),
        ("SafeTx", typed_call(&safe_tx(USDC, 0, &stolen))),
        ("execTransaction", sent(safe, U256::ZERO, &exec(multi_send, 1, &batch))),
        ("handleOps", sent(entry_point, U256::ZERO, &operation)),
        ("execute, single", sent(safe, U256::ZERO, &mode(0, [USDC.as_slice(), &[0; 32], &stolen].concat()))),
        ("execute, batch", sent(safe, U256::ZERO, &mode(1, calls[4..].to_vec()))),
        ("multicall", sent(USDC, U256::ZERO, &multicall)),
        (
            "5792",
            json!({ "method": "wallet_sendCalls", "params": [{ "from": OWNER.to_string(), "chainId": "0x2105", "calls": [{ "to": USDC.to_string(), "data": hex::encode_prefixed(&stolen) }] }] }),
        ),
    ] {
        let answer = explained(&call);
        assert!(above_info(&answer).contains("amount.unlimitedUnknown"), "{name}: {answer:#}");
        assert_eq!(answer["verdict"], "explained", "{name}: {answer:#}");
        assert_eq!(
            answer["opaque"]
                .as_array()
                .unwrap()
                .iter()
                .filter(|path| !path.as_str().unwrap().ends_with("executorData"))
                .count(),
            0,
            "{name}"
        );
    }
    // A delegatecall to anything else is a danger, and not read as if it were a call.
    for call in [
        typed_call(&safe_tx(THIEF, 1, &batch)),
        sent(safe, U256::ZERO, &mode(0xFF, [THIEF.as_slice(), &stolen].concat())),
    ] {
        let answer = explained(&call);
        assert!(above_info(&answer).contains("delegatecall"), "{answer:#}");
        assert_eq!(answer["verdict"], "unread");
    }
    // Calls that cannot be read inside cannot be read from outside.
    let answer = explained(&typed_call(&safe_tx(THIEF, 0, &[9, 9, 9, 9, 1])));
    assert_eq!((answer["verdict"].as_str(), answer["opaque"][0].as_str()), (Some("unread"), Some("inner.0.data")));
    assert_eq!(answer["inner"][0]["verdict"], "unread");
    // Too deep is said, too.
    let mut deep = stolen.clone();
    for _ in 0..20 {
        deep = exec(safe, 0, &deep);
    }
    let answer = explained(&sent(safe, U256::ZERO, &deep));
    assert!(above_info(&answer).contains("inner.tooMany") && answer["verdict"] == "unread");
    // The Safe's hash: of the typed data, of its call, and of the plain transaction that a Safe proposes.
    let mut context = context();
    context["safe"] = json!({ "address": safe.to_string(), "version": "1.3.0", "nonce": "3" });
    let answer = explained_in(&typed_call(&safe_tx(USDC, 0, &stolen)), &context);
    assert_eq!(answer["digests"]["safeTxHash"], answer["digests"]["eip712"]);
    let called = explained_in(&sent(safe, U256::ZERO, &exec(USDC, 0, &stolen)), &context);
    let mut plain = sent(USDC, U256::ZERO, &stolen);
    plain["params"][0]["from"] = json!(safe.to_string());
    let plain = explained_in(&plain, &context);
    for other in [&called, &plain] {
        assert_eq!(other["digests"]["safeTxHash"], answer["digests"]["eip712"], "{other:#}");
    }
    assert!(explained(&typed_call(&safe_tx(USDC, 0, &stolen)))["digests"]["safeTxHash"].is_null());
    context["safe"]["nonce"] = json!("4");
    let answer = explained_in(&typed_call(&safe_tx(USDC, 0, &stolen)), &context);
    assert!(above_info(&answer).contains("safe.hash"), "{answer:#}");
    context["safe"]["address"] = json!(HANDLER.to_string());
    assert!(above_info(&explained_in(&typed_call(&safe_tx(USDC, 0, &stolen)), &context)).contains("safe.other"));
}

/// Batches that an account may follow in another way than they look like are not read.
#[test]
fn batches_that_can_be_read_in_two_ways_are_not_read() {
    let verdict = |data: &[u8]| explained(&sent(OWNER, U256::ZERO, data))["verdict"].as_str().unwrap().to_owned();
    let payment = [OWNER.as_slice(), &[0; 32]].concat();
    let calls = encoded("f((address to,uint256 value,bytes data)[] calls)", &|member| match member {
        "to" => Some(DynSolValue::Address(OWNER)),
        _ => None,
    });
    // The kind, and the selector of the mode: the standard's own, with data for the account, a batch of batches.
    for (kind, selector, expected) in [
        (0_u8, [0_u8; 4], "explained"),
        (1, [0; 4], "explained"),
        (1, [0x78, 0x21, 0, 1], "explained"),
        (1, [0x78, 0x21, 0, 2], "unread"),
        (0, [1, 2, 3, 4], "unread"),
        (2, [0; 4], "unread"),
    ] {
        let data = encoded("execute(bytes32 mode,bytes executionCalldata)", &|member| match member {
            "mode" => {
                let mut word = [0; 32];
                word[0] = kind;
                word[6..10].copy_from_slice(&selector);
                Some(DynSolValue::FixedBytes(word.into(), 32))
            }
            _ => Some(DynSolValue::Bytes(if kind == 0 { payment.clone() } else { calls[4..].to_vec() })),
        });
        assert_eq!(verdict(&data), expected, "{kind} {selector:?}");
    }
    let arrays = |signature: &str, counts: [usize; 3]| {
        let [to, value, data] = counts;
        encoded(signature, &|member| {
            Some(DynSolValue::Array(match member {
                "to" => vec![DynSolValue::Address(OWNER); to],
                "value" => vec![DynSolValue::Uint(U256::from(1), 256); value],
                _ => vec![DynSolValue::Bytes(vec![]); data],
            }))
        })
    };
    let (short, long) =
        ("executeBatch(address[] to,bytes[] data)", "executeBatch(address[] to,uint256[] value,bytes[] data)");
    for (signature, counts, expected) in [
        (short, [2, 0, 2], "explained"),
        (short, [1, 0, 2], "unread"),
        (short, [2, 0, 1], "unread"),
        (long, [2, 2, 2], "explained"),
        (long, [2, 0, 2], "explained"),
        (long, [2, 1, 2], "unread"),
        (long, [1, 1, 0], "unread"),
    ] {
        assert_eq!(verdict(&arrays(signature, counts)), expected, "{signature} {counts:?}");
    }
    let fills = encoded(
        "batchFillOrderWithTarget(((uint256 nonceAndMeta,uint128 expiry,address makerAsset,address takerAsset,address maker,address taker,uint256 makerAmount,uint256 takerAmount) order,bytes signature,uint256 takerTokenFillAmount,bytes permitTakerAsset,bytes permitMakerAsset)[] orderInfos,address target)",
        &|member| (member == "orderInfos").then(|| DynSolValue::Array(vec![])),
    );
    let none = explained(&sent(contract(Protocol::Otc), U256::ZERO, &fills));
    assert!(none["verdict"] == "unread" && none["facts"]["gives"].is_null(), "{none:#}");
}

/// Contents that a contract account signs for an application (ERC-7739), and its texts.
#[test]
fn nested_typed_data_is_read_as_what_it_contains() {
    let domain = delta::domain(CHAIN, contract(Protocol::Delta));
    let mut typed = in_domain(&order(delta::ORDER, OWNER), &domain);
    let contents = typed["message"].take();
    typed["types"]["TypedDataSign"] = json!([
        { "name": "contents", "type": "Order" }, { "name": "name", "type": "string" }, { "name": "version", "type": "string" },
        { "name": "chainId", "type": "uint256" }, { "name": "verifyingContract", "type": "address" }, { "name": "salt", "type": "bytes32" },
    ]);
    typed["primaryType"] = json!("TypedDataSign");
    typed["message"] = json!({ "contents": contents, "name": "Account", "version": "1", "chainId": CHAIN,
        "verifyingContract": OWNER.to_string(), "salt": B256::ZERO.to_string() });
    let answer = explained(&typed_call(&typed));
    assert_eq!(
        (answer["inner"][0]["kind"].as_str(), above_info(&answer).len()),
        (Some("delta.order"), 0),
        "{answer:#}"
    );
    assert_eq!(answer["facts"]["owner"], OWNER.to_string());
    typed["message"]["contents"]["beneficiary"] = json!(THIEF.to_string());
    assert!(above_info(&explained(&typed_call(&typed))).contains("receiver.other"));
    let prefixed = |text: &[u8]| {
        json!({
            "types": { "PersonalSign": [{ "name": "prefixed", "type": "bytes" }] }, "primaryType": "PersonalSign",
            "domain": { "name": "Account", "version": "1", "chainId": CHAIN, "verifyingContract": OWNER.to_string() },
            "message": { "prefixed": hex::encode_prefixed(text) },
        })
    };
    let answer = explained(&typed_call(&prefixed(b"\x19Ethereum Signed Message:\n13123 is enough")));
    assert_eq!(answer["inner"][0]["sentence"], "Sign the text \"123 is enough\"");
    let answer = explained(&typed_call(&prefixed(b"hello")));
    assert_eq!(answer["verdict"], "unread");
}

#[test]
fn all_shapes_of_a_request_are_read_alike() {
    let (to, data) = (contract(Protocol::Market), swap(0, OWNER));
    let text = hex::encode_prefixed(&data);
    let plain = explained(&sent(to, U256::ZERO, &data));
    let snap = json!({ "transaction": { "from": OWNER.to_string(), "to": to.to_string(), "value": "0x0", "data": text },
        "chainId": "eip155:8453", "transactionOrigin": "https://app.example" });
    let snap = explained(&snap);
    assert_eq!(snap["facts"]["origin"], "https://app.example");
    // A chain that is not of its form is not taken for the context's.
    for chain in [
        json!("eip155:0x1"),
        json!("eip155:1 "),
        json!("eip155:+1"),
        json!("eip155:01"),
        json!("solana:1"),
        json!("0x1"),
        json!(1),
    ] {
        let elsewhere = explained(
            &json!({ "transaction": { "from": OWNER.to_string(), "to": to.to_string(), "value": "0x0", "data": text },
            "chainId": chain }),
        );
        assert_eq!(elsewhere["verdict"], "unread", "{chain}");
        assert_eq!(elsewhere["findings"][0]["field"], "chainId", "{chain}");
    }
    let rlp = |items: &[Vec<u8>]| {
        let string = |bytes: &Vec<u8>| match bytes.as_slice() {
            [one] if *one < 0x80 => vec![*one],
            _ if bytes.first() == Some(&0xC0) && bytes.len() == 1 => bytes.clone(),
            _ if bytes.len() < 56 => [&[0x80 + bytes.len() as u8][..], bytes].concat(),
            _ => [&[0xB9, (bytes.len() >> 8) as u8, bytes.len() as u8][..], bytes].concat(),
        };
        let body: Vec<u8> = items.iter().flat_map(string).collect();
        [&[0xF9, (body.len() >> 8) as u8, body.len() as u8][..], &body].concat()
    };
    let n = |number: u64| number.to_be_bytes().into_iter().skip_while(|byte| *byte == 0).collect::<Vec<u8>>();
    let (target, none) = (to.to_vec(), || vec![0xC0]);
    let type_2 = rlp(&[n(CHAIN), n(1), n(2), n(3), n(21_000), target.clone(), n(0), data.clone(), none()]);
    let type_1 = rlp(&[n(CHAIN), n(1), n(2), n(21_000), target.clone(), n(0), data.clone(), none()]);
    let legacy = rlp(&[n(1), n(2), n(21_000), target.clone(), n(0), data.clone(), n(CHAIN), n(0), n(0)]);
    let type_4 = rlp(&[n(CHAIN), n(1), n(2), n(3), n(21_000), target.clone(), n(0), data.clone(), none(), none()]);
    let raw =
        |prefix: &[u8], body: Vec<u8>| explained(&json!({ "raw": hex::encode_prefixed([prefix, &body].concat()) }));
    let all = [snap, raw(&[2], type_2.clone()), raw(&[1], type_1), raw(&[], legacy), raw(&[4], type_4)];
    for answer in all {
        assert_eq!(answer["sentence"], plain["sentence"], "{answer:#}");
        assert_eq!(answer["digests"], plain["digests"]);
        assert_eq!(above_info(&answer), BTreeSet::new(), "{answer:#}");
    }
    let unprotected = rlp(&[n(1), n(2), n(21_000), target, n(0), data.clone()]);
    assert!(above_info(&raw(&[], unprotected)).contains("chain.none"));
    for cut in [1, 40, type_2.len() - 1] {
        assert_eq!(raw(&[2], type_2[..cut].to_vec())["verdict"], "unread");
    }
    assert_eq!(raw(&[3], type_2.clone())["verdict"], "unread");
    // Bytes behind, a length in the longer form, signatures without a chain and for one.
    assert_eq!(raw(&[2], [type_2, vec![0]].concat())["verdict"], "unread");
    let long = |body: &[u8]| [&[0xF8, body.len() as u8][..], body].concat();
    let body = [1, 2, 3, 0x80, 4, 0x80, 27, 5, 6];
    assert_eq!(raw(&[], [&[0xC9][..], &body].concat())["verdict"], "unread", "code is created");
    assert!(above_info(&raw(&[], [&[0xC9][..], &body].concat())).contains("code.created"));
    assert!(!above_info(&raw(&[], long(&body))).contains("code.created"));
    let chain = |v: u64, r: u64| raw(&[], rlp(&[n(1), n(2), n(3), to.to_vec(), n(0), data.clone(), n(v), n(r), n(9)]));
    assert!(above_info(&chain(27, 5)).contains("chain.none"));
    assert_eq!(chain(35 + 2 * CHAIN, 5)["facts"]["chainId"], CHAIN);
    assert_eq!(chain(36 + 2 * CHAIN, 5)["facts"]["chainId"], CHAIN);
    assert_eq!(chain(CHAIN, 5)["facts"]["chainId"], (CHAIN - 35) / 2);
    let domain = delta::domain(CHAIN, contract(Protocol::Delta));
    let typed = in_domain(&order(delta::ORDER, OWNER), &domain);
    let signature = json!({ "signature": { "from": OWNER.to_string(), "data": typed, "signatureMethod": "eth_signTypedData_v4" }, "signatureOrigin": "x" });
    assert_eq!(explained(&signature)["sentence"], explained(&typed_call(&typed))["sentence"]);
}

/// Findings above info of a request, in a context with more.
fn found(call: &Value, more: Value) -> Vec<String> {
    let mut context = context();
    context.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    above_info(&explained_in(call, &context)).into_iter().map(String::from).collect()
}

#[test]
fn nothing_that_is_asked_for_vanishes() {
    let thief = format!("0x{:0>40}", "bad");
    let own = OWNER.to_string();
    let operation = |more: Value| {
        let mut operation = json!({ "sender": own, "nonce": "0x1", "callData": "0x", "signature": "0x" });
        operation.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!({ "method": "eth_sendUserOperation", "params": [operation, "0x0000000071727De22E5E9d8BAf0edAc6f37da032"] })
    };
    assert_eq!(found(&operation(json!({})), json!({})), Vec::<String>::new());
    let delegation = json!({ "eip7702Auth": { "address": thief, "chainId": "0x0", "nonce": "0x0" } });
    assert_eq!(found(&operation(delegation), json!({})), ["delegation.everyChain"]);
    assert_eq!(found(&operation(json!({ "paymaster": thief })), json!({})), ["contract.unknown"]);
    assert_eq!(found(&operation(json!({ "invented": 1 })), json!({})), ["member.unread"]);
    let mut elsewhere = operation(json!({}));
    elsewhere["params"][1] = json!(thief);
    assert_eq!(found(&elsewhere, json!({})), ["contract.unknown"]);
    let paid = operation(json!({ "paymasterAndData": "0x1234" }));
    assert_ne!(explained(&paid)["opaque"], json!([]), "also without calldata");
    let batch = json!({ "method": "wallet_sendCalls", "params": [{ "from": own, "calls": [], "capabilities": { "eip7702Auth": {} } }] });
    assert_eq!(found(&batch, json!({})), ["member.unread"]);
    let wrapper = encoded("multiSend(bytes transactions)", &|_| Some(DynSolValue::Bytes(vec![])));
    let to: Address = "0x40A2aCCbd92BCA938b02010E17A5b8929b49130D".parse().unwrap();
    let answer = explained(&sent(to, U256::from(10).pow(U256::from(18)), &wrapper));
    assert!(above_info(&answer).contains("value.extra") && !answer["facts"]["gives"].is_null(), "{answer:#}");
    let control = encoded("enableModule(address who)", &|_| Some(DynSolValue::Address(to)));
    assert!(above_info(&explained(&sent(OWNER, U256::ZERO, &control))).contains("account.control"));
    assert!(
        found(
            &json!({ "method": "eth_sendTransaction", "params": [{ "from": own, "to": own, "value": "1000" }] }),
            json!({})
        )
        .contains(&"number.form".into())
    );
}

/// Numbers that one program reads in decimal, the next one in hex.
#[test]
fn numbers_have_the_form_of_the_protocol() {
    let own = OWNER.to_string();
    let sent = |more: Value| {
        let mut transaction = json!({ "from": own, "to": own, "value": "0x1" });
        transaction.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        found(&json!({ "method": "eth_sendTransaction", "params": [transaction] }), json!({}))
    };
    // Each name of a number, in each spelling: with what is found, and how it is forwarded.
    let large = json!(9_007_199_254_740_993_u64);
    let spellings = [
        (json!("0x3e8"), Some("0x3e8")),
        (json!("0x03E8"), Some("0x3e8")),
        (json!(1000), Some("0x3e8")),
        (json!("0"), Some("0x0")),
        (json!("1000"), None),
        (json!("01000"), None),
        (json!("0X3e8"), None),
        (json!("0x"), None),
        (json!("1e3"), None),
        (json!(1.5), None),
        (json!(-1), None),
        (large.clone(), None),
        (json!("much"), None),
    ];
    for name in ["value", "gas", "gasLimit", "gasPrice", "maxFeePerGas", "maxPriorityFeePerGas", "nonce"] {
        for (value, expected) in &spellings {
            let call = json!({ "method": "eth_sendTransaction", "params": [{ "from": own, "to": own, name: value }] });
            let answer = explained(&call);
            let is_found = above_info(&answer).contains("number.form");
            assert_eq!(is_found, expected.is_none(), "{name} {value}: {answer:#}");
            if let Some(expected) = expected {
                assert_eq!(answer["request"]["params"][0][name], *expected, "{name} {value}");
            }
        }
    }
    for chain in [json!("0x2105"), json!("0x02105"), json!(8453), json!("8453")] {
        assert_eq!(sent(json!({ "chainId": chain })), Vec::<String>::new(), "{chain}");
        let params = json!([{ "from": own, "chainId": chain, "calls": [{ "to": own, "value": 7, "data": "0xAB" }] }]);
        let batch = explained(&json!({ "method": "wallet_sendCalls", "params": params }));
        assert!(!above_info(&batch).contains("number.form"), "{chain}");
        assert_eq!(batch["request"]["params"][0]["chainId"], "0x2105", "{chain}");
        assert_eq!(batch["request"]["params"][0]["calls"][0]["value"], "0x7");
        assert_eq!(batch["request"]["params"][0]["calls"][0]["data"], "0xab");
    }
    for chain in [json!("08453"), json!("0X2105"), json!("8.453e3"), large] {
        assert!(sent(json!({ "chainId": chain })).contains(&"number.form".into()), "{chain}");
    }
}

#[test]
fn what_is_not_signed_says_nothing() {
    let domain = delta::domain(CHAIN, contract(Protocol::Delta));
    let thief = format!("0x{:0>40}", "bad");
    let mut typed = in_domain(&order(delta::ORDER, contract(Protocol::Market)), &domain);
    typed["message"]["handler"] = json!(OWNER.to_string());
    typed["message"]["numSlices"] = json!("4");
    typed["message"]["totalSrcAmount"] = json!("1");
    let (lying, honest) = (explained(&typed_call(&typed)), order(delta::ORDER, contract(Protocol::Market)));
    let plain = explained(&typed_call(&in_domain(&honest, &domain)));
    assert_eq!(lying["sentence"], plain["sentence"]);
    assert!(above_info(&lying).is_superset(&above_info(&plain)) && above_info(&lying).contains("member.extra"));
    // Each of them is said.
    let mut more = in_domain(&honest, &domain);
    for name in ["One", "Other"] {
        more["types"][name] = json!([{ "name": "a", "type": "uint256" }]);
    }
    let more = explained(&typed_call(&more));
    assert_eq!(findings(&more).iter().filter(|(id, _)| *id == "member.extra").count(), 2, "{more:#}");
    // Several requests in one leave open which is meant.
    let decoy = json!({ "method": "eth_sendTransaction", "params": [{ "to": thief }], "raw": "0x02" });
    assert_eq!(found(&decoy, json!({})), ["request.decoy"]);
    for names in [json!({ "address": Address::ZERO.to_string(), "contractAddress": thief }), json!({ "address": 7 })] {
        let asked = json!({ "method": "wallet_signAuthorization", "params": [names] });
        assert_eq!(explained(&asked)["verdict"], "unread");
    }
    let several = json!({ "method": "wallet_signAuthorizations", "params": [
        { "address": Address::ZERO.to_string(), "chainId": CHAIN }, { "address": thief, "chainId": 0 },
    ] });
    assert!(found(&several, json!({})).contains(&"delegation.everyChain".into()));
    let mut untyped = in_domain(&honest, &domain);
    untyped["types"].as_object_mut().unwrap().remove("EIP712Domain");
    let untyped = typed_call(&untyped);
    assert!(above_info(&explained(&untyped)).contains("typedData.unhashable"));
}

#[test]
fn a_contract_that_anybody_commands_is_no_spender_and_no_account() {
    let anybodys: Address = "0x40A2aCCbd92BCA938b02010E17A5b8929b49130D".parse().unwrap();
    let approve = encoded("approve(address spender,uint256 amount)", &|name| match name {
        "spender" => Some(DynSolValue::Address(anybodys)),
        _ => uint(5),
    });
    assert!(above_info(&explained(&sent(USDC, U256::ZERO, &approve))).contains("spender.unknown"));
    let batch = encoded("multiSend(bytes transactions)", &|_| Some(DynSolValue::Bytes(vec![])));
    assert!(above_info(&explained(&sent(anybodys, U256::ZERO, &batch))).contains("batch.called"));
    let costly = json!({ "method": "eth_sendUserOperation", "params": [{ "sender": OWNER.to_string(), "callData": "0x",
        "preVerificationGas": "0x2540be400", "maxFeePerGas": "0x3b9aca00" }] });
    assert!(found(&costly, json!({})).contains(&"userOperation.gas".into()));
    // Gas in the other form takes nothing away.
    for (limits, fees) in [("0x0", "0x0"), ("0x0", "0x1"), ("0x1", "0x0")] {
        let mut masked = costly.clone();
        masked["params"][0]["accountGasLimits"] = json!(limits);
        masked["params"][0]["gasFees"] = json!(fees);
        assert!(found(&masked, json!({})).contains(&"userOperation.gas".into()), "{limits} {fees}");
    }
    let own = encoded("approve(address spender,uint256 amount)", &|name| match name {
        "spender" => Some(DynSolValue::Address(OWNER)),
        _ => uint(5),
    });
    assert!(!above_info(&explained(&sent(USDC, U256::ZERO, &own))).contains("spender.unknown"));
}

#[test]
fn a_sign_in_names_its_place_account_and_chain() {
    let text = |place: &str, account: Address, chain: u64| {
        let text = format!(
            "{place} wants you to sign in with your Ethereum account:\n{account}\n\nHello\n\nURI: https://{place}\nVersion: 1\nChain ID: {chain}\nNonce: 12345678\nIssued At: 2026-11-26T00:00:00Z"
        );
        json!({ "method": "personal_sign", "params": [hex::encode_prefixed(text), OWNER.to_string()] })
    };
    let at = json!({ "origin": "https://app.example" });
    assert_eq!(found(&text("app.example", OWNER, CHAIN), at.clone()), Vec::<String>::new());
    assert_eq!(
        found(&text("app.example", OWNER, CHAIN), json!({ "origin": "https://evil.example" })),
        ["signIn.origin"]
    );
    assert_eq!(found(&text("app.example", contract(Protocol::Delta), CHAIN), at.clone()), ["sender.other"]);
    assert_eq!(found(&text("app.example", OWNER, CHAIN + 1), at.clone()), ["chain.other"]);
    // The statement, which is anybody's text, does not stand for the fields behind it.
    let stated = format!(
        "app.example wants you to sign in with your Ethereum account:\n{OWNER}\n\nChain ID: {CHAIN}\n\nURI: https://app.example\nVersion: 1\nChain ID: 1\nNonce: 12345678"
    );
    let stated = json!({ "method": "personal_sign", "params": [hex::encode_prefixed(stated), OWNER.to_string()] });
    assert_eq!(found(&stated, at), ["chain.other"]);
}

#[test]
fn wrapping_takes_the_native_token_and_no_arguments() {
    let weth: Address = "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2".parse().unwrap();
    let call = json!({ "method": "eth_sendTransaction", "params": [{ "from": OWNER.to_string(), "to": weth.to_string(), "value": "0xde0b6b3a7640000", "data": "0xd0e30db0" }] });
    let answer = explained_in(&call, &json!({ "accounts": [OWNER.to_string()], "chainId": 1 }));
    assert_eq!((above_info(&answer), answer["verdict"].as_str()), (BTreeSet::new(), Some("explained")), "{answer:#}");
    assert!(answer["sentence"].as_str().unwrap().starts_with("Wrap 1 ETH"), "{answer:#}");
}

#[test]
fn an_item_is_no_amount() {
    let items: Address = "0xBC4CA0EdA7647A8aB7C2061c2E118A18a936f13D".parse().unwrap();
    let approve = encoded("approve(address spender,uint256 amount)", &|name| match name {
        "spender" => Some(DynSolValue::Address(OWNER)),
        _ => uint(0),
    });
    assert!(above_info(&explained(&sent(items, U256::ZERO, &approve))).contains("token.unknown"));
}

/// The findings above info of a call of the router.
fn routed(data: &[u8]) -> Vec<String> {
    found(&sent(contract(Protocol::Market), U256::ZERO, data), json!({}))
}

#[test]
fn the_routers_arguments_are_held_as_with_a_request() {
    let orders = method_named("RFQTry");
    let flags = |value| swap_but(orders, OWNER, &|name| uint8(name == "wrapApproveDirection", value));
    // Wrapped native token is unwrapped; the router approves; a purchase.
    for good in [0, 2, 4, 6, 8, 12] {
        assert_eq!(routed(&flags(good)), Vec::<String>::new(), "{good}");
    }
    assert!(
        explained(&sent(contract(Protocol::Market), U256::ZERO, &flags(2)))["sentence"]
            .as_str()
            .unwrap()
            .contains("1 ETH")
    );
    // USDC cannot be wrapped; what is unwrapped for a purchase is not the makers'; bits without a meaning.
    for bad in [1, 3, 5, 10, 14, 16, 128] {
        assert_eq!(routed(&flags(bad)), ["route.argument"], "{bad}");
    }
    let none = |name: &str| (name == "orders").then(|| DynSolValue::Array(vec![]));
    let none = explained(&sent(contract(Protocol::Market), U256::from(5), &swap_but(orders, THIEF, &none)));
    assert_eq!(above_info(&none), BTreeSet::from(["call.unknownPaid", "receiver.other", "route.tokens"]));
    assert!(none["verdict"] == "unread" && none["facts"]["getsAtLeast"].is_null(), "{none:#}");
    // Another token in the second order alone.
    let maker = |asset: Address| {
        let number = |bits| DynSolValue::Uint(U256::from(1), bits);
        let of = DynSolValue::Address;
        let order =
            vec![number(256), number(128), of(asset), of(USDC), of(HANDLER), of(OWNER), number(256), number(256)];
        let bytes = || DynSolValue::Bytes(vec![]);
        DynSolValue::Tuple(vec![DynSolValue::Tuple(order), bytes(), number(256), bytes(), bytes()])
    };
    let filled = |assets: &[Address]| {
        let list: Vec<_> = assets.iter().map(|asset| maker(*asset)).collect();
        swap_but(orders, OWNER, &move |name| (name == "orders").then(|| DynSolValue::Array(list.clone())))
    };
    assert_eq!(routed(&filled(&[WETH, WETH])), Vec::<String>::new());
    assert_eq!(routed(&filled(&[WETH, USDC_THERE])), ["route.tokens"]);
    assert!(routed(&filled(&[WETH; 65])).contains(&"inner.tooMany".into()));
    let vault = method_named("BalancerV2");
    let packed = |bit: usize| {
        let word = U256::from_be_bytes(OWNER.into_word().0) | (U256::from(1) << bit);
        swap_but(vault, OWNER, &move |name| (name == "beneficiaryAndFlags").then(|| uint(word)).flatten())
    };
    assert_eq!(routed(&packed(255)), Vec::<String>::new(), "the router approves the vault");
    for bit in [160, 200, 254] {
        assert_eq!(routed(&packed(bit)), ["route.argument"], "{bit}");
    }
    let fee = |word: U256| swap_but(0, OWNER, &move |name| (name == "partnerAndFee").then(|| uint(word)).flatten());
    assert_eq!(routed(&fee(U256::from(1) << 95)), ["fee.surplus"]);
    assert_eq!(routed(&fee(U256::from(1) << 92)), Vec::<String>::new());
    assert_eq!(routed(&fee(U256::from(1) << 20)), ["route.argument"]);
    // A stability module, which buys USDC for DAI: the router asks it for what toll and factor leave.
    let dai = address!("0x6B175474E89094C44Da98b954EedeAC495271d0F");
    let usdc = address!("0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48");
    let ether = U256::from(10).pow(U256::from(18));
    let sale = |toll: U256, factor: u64| {
        let data = psm_swap(PSM, &move |name| match name {
            "srcToken" => Some(DynSolValue::Address(dai)),
            "destToken" => Some(DynSolValue::Address(usdc)),
            "fromAmount" => uint(U256::from(2_520) * ether),
            "toAmount" => uint(2_519_000_000_u64),
            "toll" => uint(toll),
            "to18ConversionFactor" => uint(factor),
            _ => None,
        });
        found(&on_mainnet(&data), json!({ "chainId": 1 }))
    };
    assert_eq!(sale(U256::ZERO, 1_000_000_000_000), Vec::<String>::new());
    assert_eq!(sale(ether, 1_000_000_000_000), ["route.argument"], "a toll of 100 %");
    assert_eq!(sale(U256::ZERO, 100_000_000_000), ["route.argument"], "a factor that is not the decimals'");
    let bought =
        swap_but(method_named("MakerPSM"), OWNER, &|name| (name == "exchange").then_some(DynSolValue::Address(THIEF)));
    assert!(found(&on_mainnet(&bought), json!({ "chainId": 1 })).contains(&"route.module".into()));
}

#[test]
fn what_a_bridge_leaves_is_not_said_as_if_it_were_known() {
    let facts = |call: &Value| explained(call)["facts"].clone();
    let bound = facts(&bridged(USDC_THERE, json!(0)));
    assert_eq!(
        (bound["getsAtLeast"][0]["value"].as_str(), bound["entersBridge"].is_null()),
        (Some("2480000000"), true)
    );
    let stranger = address!("0x00000000000000000000000000000000dEaDBeE1");
    for (output, factor, ids) in [
        (USDC_THERE, json!(-128), vec!["bridge.factor"]),
        (USDC_THERE, json!("-1"), vec!["bridge.factor"]),
        (USDC_THERE, json!("12"), vec!["bridge.factor"]),
        (stranger, json!("0"), vec!["bridge.unjudged"]),
        (stranger, json!("12"), vec!["bridge.unjudged"]),
        (stranger, json!(-36), vec!["bridge.unjudged"]),
        (stranger, json!("-37"), vec!["bridge.factor", "bridge.unjudged"]),
        (stranger, json!("127"), vec!["bridge.factor", "bridge.unjudged"]),
        (stranger, json!(-128), vec!["bridge.factor", "bridge.unjudged"]),
    ] {
        let call = bridged(output, factor.clone());
        let answer = explained(&call);
        assert_eq!(above_info(&answer), ids.into_iter().collect(), "{output} {factor}");
        let facts = &answer["facts"];
        assert!(facts["getsAtLeast"].is_null() && facts["entersBridge"]["value"] == "2480000000", "{facts:#}");
    }
    // The token has 18 decimals there.
    let bsc = |factor: &str| {
        let mut call: Value = bridged(address!("0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d"), json!(factor));
        let mut typed: Value = serde_json::from_str(call["params"][1].as_str().unwrap()).unwrap();
        typed["message"]["bridge"]["destinationChainId"] = json!("56");
        call["params"][1] = json!(typed.to_string());
        found(&call, json!({}))
    };
    assert_eq!((bsc("12"), bsc("0")), (vec![], vec!["bridge.factor".to_owned()]));
}

const OPERATION: &str = "(address sender,uint256 nonce,bytes initCode,bytes callData,bytes32 accountGasLimits,uint256 preVerificationGas,bytes32 gasFees,bytes paymasterAndData,bytes signature)[] ops";

#[test]
fn a_user_operation_names_its_account_and_its_cost() {
    let halves = |high: u128, low: u128| B256::from((U256::from(high) << 128) | U256::from(low));
    // 200,000 + 300,000 + 50,000, and 40,000 + 10,000 for the paymaster; a fee of 3 gwei, of which 1 is a tip.
    let typed = |sender: Address, more: Value| {
        let kinds = "address sender,uint256 nonce,bytes initCode,bytes callData,bytes32 accountGasLimits,uint256 preVerificationGas,bytes32 gasFees,bytes paymasterAndData";
        let members: Vec<_> = kinds.split(',').map(|member| member.split_once(' ').unwrap()).collect();
        let members: Vec<_> = members.iter().map(|(kind, name)| json!({ "name": name, "type": kind })).collect();
        let mut message = json!({ "sender": sender.to_string(), "nonce": "0", "initCode": "0x", "callData": "0x",
            "accountGasLimits": halves(200_000, 300_000).to_string(), "preVerificationGas": "50000",
            "gasFees": halves(1_000_000_000, 3_000_000_000).to_string(), "paymasterAndData": "0x" });
        message.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let domain = json!({ "name": "ERC4337", "version": "1", "chainId": CHAIN,
            "verifyingContract": "0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108" });
        let mut types = json!({ "PackedUserOperation": members });
        types["EIP712Domain"] =
            in_domain(&order(delta::ORDER, OWNER), &delta::domain(CHAIN, USDC))["types"]["EIP712Domain"].clone();
        typed_call(
            &json!({ "types": types, "primaryType": "PackedUserOperation", "domain": domain, "message": message }),
        )
    };
    let cost = |call: &Value| explained(call)["facts"]["gasAtMost"]["value"].as_str().unwrap().to_owned();
    let honest = typed(OWNER, json!({}));
    assert_eq!(found(&honest, json!({})), Vec::<String>::new());
    assert_eq!(cost(&honest), (550_000_u64 * 3_000_000_000).to_string());
    let paymaster = hex::encode_prefixed([HANDLER.as_slice(), halves(40_000, 10_000).as_slice(), &[7; 9]].concat());
    assert_eq!(
        cost(&typed(OWNER, json!({ "paymasterAndData": paymaster }))),
        (600_000_u64 * 3_000_000_000).to_string()
    );
    assert_eq!(found(&typed(THIEF, json!({})), json!({})), ["sender.other"]);
    // 0.5 of the native token is the most; of what is paid in any case, a tenth of that.
    let fees = |fee: u128| json!({ "gasFees": halves(0, fee).to_string() });
    let gas = "userOperation.gas".to_owned();
    assert!(!found(&typed(OWNER, fees(900_000_000_000)), json!({})).contains(&gas));
    assert!(found(&typed(OWNER, fees(920_000_000_000)), json!({})).contains(&gas));
    let check = |pre: &str| {
        let limits = halves(1, 1).to_string();
        found(&typed(OWNER, json!({ "preVerificationGas": pre, "accountGasLimits": limits })), json!({})).contains(&gas)
    };
    assert!(!check("16000000") && check("17000000"));
    // The same of an entry point's own call, and of a bundler's.
    let ops = encoded(&format!("handleOps({OPERATION},address beneficiary)"), &|name| match name {
        "sender" => Some(DynSolValue::Address(THIEF)),
        "accountGasLimits" => Some(DynSolValue::FixedBytes(halves(u128::MAX, 1), 32)),
        "gasFees" => Some(DynSolValue::FixedBytes(halves(0, 1), 32)),
        _ => None,
    });
    let entry_point = address!("0x0000000071727De22E5E9d8BAf0edAc6f37da032");
    let called = explained(&sent(entry_point, U256::ZERO, &ops));
    assert_eq!(above_info(&called), BTreeSet::from(["sender.other", "userOperation.gas"]), "{called:#}");
    assert_eq!(called["inner"][0]["facts"]["gasAtMost"]["value"], U256::from(1).saturating_shl(128).to_string());
    let bundled = |more: Value| {
        let mut operation = json!({ "sender": OWNER.to_string(), "callData": "0x", "callGasLimit": "0x1", "verificationGasLimit": "0x2",
            "preVerificationGas": "0x4", "maxFeePerGas": "0x10" });
        operation.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!({ "method": "eth_sendUserOperation", "params": [operation] })
    };
    assert_eq!(cost(&bundled(json!({}))), "112");
    let theirs = json!({ "paymaster": HANDLER.to_string(), "paymasterVerificationGasLimit": "0x8", "paymasterPostOpGasLimit": "0x10" });
    assert_eq!(cost(&bundled(theirs)), "496");
    // Values packed beside the members do not count.
    let zero = B256::ZERO.to_string();
    assert_eq!(cost(&bundled(json!({ "accountGasLimits": zero, "gasFees": zero }))), "112");
    // An entry point of version 0.6 counts the check three times then.
    assert_eq!(cost(&bundled(json!({ "paymasterAndData": HANDLER.to_string() }))), "176");
    assert_eq!(explained(&bundled(json!({ "callGasLimit": "much" })))["verdict"], "unread");
}

#[test]
fn a_safe_of_an_old_version_signs_for_each_chain() {
    let transaction = |chain: Value| {
        let members = "address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,uint256 gasPrice,address gasToken,address refundReceiver,uint256 nonce";
        let members: Vec<_> = members.split(',').map(|member| member.split_once(' ').unwrap()).collect();
        let members: Vec<_> = members.iter().map(|(kind, name)| json!({ "name": name, "type": kind })).collect();
        let mut domain = vec![json!({ "name": "verifyingContract", "type": "address" })];
        domain.extend(chain.is_number().then(|| json!({ "name": "chainId", "type": "uint256" })));
        let zero = Address::ZERO.to_string();
        typed_call(&json!({ "types": { "EIP712Domain": domain, "SafeTx": members }, "primaryType": "SafeTx",
            "domain": { "chainId": chain, "verifyingContract": HANDLER.to_string() },
            "message": { "to": OWNER.to_string(), "value": "1", "data": "0x", "operation": 0, "safeTxGas": "0", "baseGas": "0",
                "gasPrice": "0", "gasToken": zero, "refundReceiver": zero, "nonce": "0" } }))
    };
    assert_eq!(found(&transaction(json!(CHAIN)), json!({})), Vec::<String>::new());
    assert!(found(&transaction(Value::Null), json!({})).contains(&"chain.none".into()));
}

/// JavaScript reads 9007199254740993 as 9007199254740992.
#[test]
fn a_number_that_some_programs_round_is_said() {
    let honest = in_domain(&order(delta::ORDER, OWNER), &delta::domain(CHAIN, contract(Protocol::Delta)));
    let with = |amount: &str| {
        let text = honest.to_string().replace("\"2520000000\"", amount);
        json!({ "method": "eth_signTypedData_v4", "params": [OWNER.to_string(), text] })
    };
    let ids = |call: &Value| explained(call)["findings"].to_string();
    assert!(!ids(&with("9007199254740991")).contains("number.form"));
    assert!(!ids(&with("\"9007199254740993\"")).contains("number.form"));
    for amount in ["9007199254740992", "9007199254740993", "100000000000000000000", "2.52e9", "2520000000.0"] {
        let answer = explained(&with(amount));
        let finding = answer["findings"].as_array().unwrap().iter().find(|one| one["id"] == "number.form");
        assert_eq!(finding.unwrap()["field"], "message.srcAmount", "{amount}");
    }
    let mut paid = sent(OWNER, U256::ZERO, &[]);
    paid["params"][0]["value"] = json!(9_007_199_254_740_993_u64);
    assert!(found(&paid, json!({})).contains(&"number.form".into()));
}

/// Calls of others that signature and standard alone explain.
#[test]
fn everyday_calls_are_read() {
    let items = address!("0xBC4CA0EdA7647A8aB7C2061c2E118A18a936f13D");
    let list = |values: &[u64]| {
        let number = |value: &u64| DynSolValue::Uint(U256::from(*value), 256);
        Some(DynSolValue::Array(values.iter().map(number).collect()))
    };
    let registrar = address!("0x59E16fcCd424Cc24e280Be16E11Bcd56fb0CE547");
    let called = |to: Address, value: u64, data: &[u8]| {
        let mut call = sent(to, U256::from(value), data);
        if to == registrar {
            call["params"][0]["chainId"] = json!("0x1");
        }
        call
    };
    let hash = B256::repeat_byte(5);
    let day = 86_400_u64;
    let value = |member: &str| match member {
        "from" | "owner" => Some(DynSolValue::Address(OWNER)),
        "to" | "spender" => Some(DynSolValue::Address(HANDLER)),
        "token" => Some(DynSolValue::Address(USDC)),
        "id" => uint(7_u64),
        "amount" => uint(3_u64),
        "ids" => list(&[7, 9]),
        "amounts" => list(&[3, 1]),
        "newNonce" => Some(DynSolValue::Uint(U256::from(12), 48)),
        "wordPos" => uint(1_u64),
        "mask" => uint(255_u64),
        "hash" => Some(DynSolValue::FixedBytes(hash, 32)),
        "name" | "label" => Some(DynSolValue::String("alice\u{202e}".into())),
        "duration" => uint(365 * day),
        _ => None,
    };
    let who = format!("from {OWNER} to Lending ({HANDLER}) on Base");
    let lending = format!("Lending ({HANDLER})");
    let name = "\"alice\\u{202e}\" for";
    let book = json!({ "addressBook": [
        { "address": HANDLER.to_string(), "name": "Lending" }, { "address": items.to_string(), "name": "Items" },
    ] });
    let resolved = "address owner,uint256 duration,bytes32 secret,address resolver,bytes[] data";
    for (to, paid, signature, sentence, found) in [
        (
            items,
            0,
            "safeTransferFrom(address from,address to,uint256 id)".to_owned(),
            format!("Move 1 of the item 7 of {items} {who}"),
            vec![],
        ),
        (
            items,
            0,
            "safeTransferFrom(address from,address to,uint256 id,bytes data)".into(),
            format!("Move 1 of the item 7 of {items} {who}"),
            vec![],
        ),
        (
            items,
            0,
            "safeTransferFrom(address from,address to,uint256 id,uint256 amount,bytes data)".into(),
            format!("Move 3 of the item 7 of {items} {who}"),
            vec![],
        ),
        (
            items,
            0,
            "safeBatchTransferFrom(address from,address to,uint256[] ids,uint256[] amounts,bytes data)".into(),
            format!("Move 3 of the item 7 of {items} {who}; Move 1 of the item 9 of {items} {who}"),
            vec![],
        ),
        (
            PERMIT2,
            0,
            "lockdown((address token,address spender)[] approvals)".into(),
            format!("Allow {lending} to take no USDC any more on Base"),
            vec![],
        ),
        (
            PERMIT2,
            0,
            "invalidateNonces(address token,address spender,uint48 newNonce)".into(),
            format!("End the signatures with a nonce below 12 by which {lending} may take USDC on Base"),
            vec![],
        ),
        (
            PERMIT2,
            0,
            "invalidateUnorderedNonces(uint256 wordPos,uint256 mask)".into(),
            format!(
                "End the signed transfers whose nonces are the bits 255 of the word 1 at Permit2 ({PERMIT2}) on Base"
            ),
            vec![],
        ),
        (
            OWNER,
            0,
            "approveHash(bytes32 hash)".into(),
            format!("Call approveHash with the hash {hash} at {OWNER} on Base"),
            vec!["hash.raw"],
        ),
        (
            registrar,
            0,
            "commit(bytes32 hash)".into(),
            format!("Call commit with the hash {hash} at the ENS controller ({registrar}) on Ethereum"),
            vec!["hash.unread"],
        ),
        (
            registrar,
            5,
            "register(string name,address owner,uint256 duration,bytes32 secret)".into(),
            format!(
                "Register the name {name} {OWNER} for 31536000 seconds at the ENS controller ({registrar}) on Ethereum, and send 0.000000000000000005 ETH along"
            ),
            vec![],
        ),
        (
            registrar,
            0,
            format!("register(string name,{resolved},bool reverseRecord,uint16 ownerControlledFuses)"),
            format!(
                "Register the name {name} {OWNER} for 31536000 seconds at the ENS controller ({registrar}) on Ethereum"
            ),
            vec!["contract.unknown"],
        ),
        (
            registrar,
            0,
            format!("register((string label,{resolved},uint8 reverseRecord,bytes32 referrer) registration)"),
            format!(
                "Register the name {name} {OWNER} for 31536000 seconds at the ENS controller ({registrar}) on Ethereum"
            ),
            vec!["contract.unknown"],
        ),
        (
            registrar,
            5,
            "renew(string name,uint256 duration)".into(),
            format!(
                "Renew the name {name} 31536000 seconds at the ENS controller ({registrar}) on Ethereum, and send 0.000000000000000005 ETH along"
            ),
            vec![],
        ),
        (
            registrar,
            0,
            "renew(string name,uint256 duration,bytes32 referrer)".into(),
            format!("Renew the name {name} 31536000 seconds at the ENS controller ({registrar}) on Ethereum"),
            vec![],
        ),
    ] {
        let mut context = context();
        context.as_object_mut().unwrap().extend(book.as_object().unwrap().clone());
        context["chainId"] = json!(if to == registrar { 1 } else { CHAIN });
        let call = called(to, paid, &encoded(&signature, &value));
        let answer = explained_in(&call, &context);
        assert_eq!(
            (answer["sentence"].as_str(), above_info(&answer)),
            (Some(&*sentence), found.into_iter().collect()),
            "{signature}"
        );
        let expected = if signature.starts_with("approveHash") { "unread" } else { "explained" };
        assert_eq!(answer["verdict"], expected, "{signature}");
        // Each receiver is looked at.
        let other = encoded(&signature, &|member| match member {
            "owner" | "to" | "from" => Some(DynSolValue::Address(THIEF)),
            _ => value(member),
        });
        let named = signature.contains("address to,") || signature.contains("address owner,");
        let ids = above_info(&explained(&called(to, 0, &other))).into_iter().map(String::from).collect::<Vec<_>>();
        assert_eq!(named, ids.iter().any(|id| id == "receiver.other" || id == "transfer.out"), "{signature} {ids:?}");
    }
    // A name is bought of its registrars only, on their chain.
    for signature in
        ["renew(string name,uint256 duration)", "register(string name,address owner,uint256 duration,bytes32 secret)"]
    {
        let data = encoded(signature, &value);
        for mut call in [called(HANDLER, 5, &data), sent(registrar, U256::from(5), &data)] {
            let answer = explained(&call);
            assert!(answer["verdict"] == "unread" && above_info(&answer).contains("call.unknownPaid"), "{answer:#}");
            call["params"][0]["to"] = json!(registrar.to_string());
            call["params"][0]["chainId"] = json!("0x1");
            assert_eq!(explained(&call)["verdict"], "explained");
        }
    }
    let like = address!("0x59E100000000000000000000000000000000E547");
    assert!(above_info(&explained(&sent(like, U256::ZERO, &[1, 2, 3, 4]))).contains("address.resembles"));
    // Lists that do not fit, or are empty, or too long.
    let batch = |ids: &[u64], amounts: &[u64]| {
        let (ids, amounts) = (list(ids), list(amounts));
        let data = encoded(
            "safeBatchTransferFrom(address from,address to,uint256[] ids,uint256[] amounts,bytes data)",
            &|member| match member {
                "ids" => ids.clone(),
                "amounts" => amounts.clone(),
                _ => value(member),
            },
        );
        explained(&sent(items, U256::ZERO, &data))["verdict"].clone()
    };
    assert_eq!((batch(&[1], &[]), batch(&[], &[])), (json!("unread"), json!("unread")));
    assert_eq!((batch(&[1; 65], &[1; 65]), batch(&[1; 64], &[1; 64])), (json!("unread"), json!("explained")));
    // Data handed to a receiver is not read.
    let handed = encoded("safeTransferFrom(address from,address to,uint256 id,bytes data)", &|member| match member {
        "data" => Some(DynSolValue::Bytes(vec![1, 2])),
        _ => value(member),
    });
    assert_eq!(explained(&sent(items, U256::ZERO, &handed))["opaque"], json!(["data.data"]));
    let given = explained(&sent(items, U256::ZERO, &handed))["facts"]["gives"][0].clone();
    assert_eq!((&given["type"], &given["item"], &given["value"]), (&json!("item"), &json!("7"), &json!("1")));
}

#[test]
fn sentences_read_as_sentences() {
    let batch = |count: usize| {
        let call = json!({ "to": OWNER.to_string(), "value": "0x1" });
        let calls: Vec<_> = (0..count).map(|_| call.clone()).collect();
        let sent = json!({ "method": "wallet_sendCalls", "params": [{ "from": OWNER.to_string(), "calls": calls }] });
        explained(&sent)["sentence"].as_str().unwrap().to_owned()
    };
    assert!(batch(1).starts_with("Run a batch of 1 on Base: Send"), "{}", batch(1));
    assert!(batch(2).starts_with("Run a batch of 2 on Base: Send"));
    let delegation = |more: Value| {
        let mut transaction = json!({ "from": OWNER.to_string(), "to": OWNER.to_string(), "value": "0x0",
            "authorizationList": [{ "address": HANDLER.to_string(), "chainId": "0x2105", "nonce": "0x0" }] });
        transaction.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        explained(&json!({ "method": "eth_sendTransaction", "params": [transaction] }))
    };
    let alone = delegation(json!({}));
    let told = format!("Let the code of Lending ({HANDLER}) act for the account on Base");
    assert_eq!((alone["sentence"].as_str(), alone["kind"].as_str()), (Some(&*told), Some("authorization")));
    assert_eq!(alone["facts"]["from"], OWNER.to_string());
    let ended = json!({ "method": "wallet_signAuthorization", "params": [{ "address": Address::ZERO.to_string(), "chainId": 0 }] });
    assert_eq!(explained(&ended)["sentence"], "End the account's delegation on every chain");
    // Where something is sent, or somebody else is called, it is said.
    for more in [json!({ "value": "0x1" }), json!({ "to": THIEF.to_string() })] {
        assert!(delegation(more)["sentence"].as_str().unwrap().starts_with("Send "));
    }
    assert!(delegation(json!({ "data": "0x12345678" }))["sentence"].as_str().unwrap().starts_with("Call "));
}

/// Each value is hashed: what has more of them than any honest data is not read, and says so.
#[test]
fn data_of_too_many_values_is_not_read() {
    let data = |count: usize| {
        let items: Vec<_> = (0..count).map(|_| json!("1")).collect();
        typed_call(
            &json!({ "types": { "Root": [{ "name": "a", "type": "uint8[]" }] }, "primaryType": "Root", "domain": {},
            "message": { "a": items } }),
        )
    };
    assert_eq!(found(&data(8_100), json!({})), ["typedData.unknown"]);
    assert_eq!(found(&data(8_192), json!({})), ["json.refused"]);
    assert_eq!(explained(&data(8_192))["verdict"], "unread");
}

/// Ids of orders, which a service makes up, have an end: what is not shown is not read.
#[test]
fn ids_without_end_are_not_read() {
    let dropped = |count: usize, length: usize| {
        let ids: Vec<_> = (0..count).map(|_| "i".repeat(length)).collect();
        let domain = delta::domain(CHAIN, contract(Protocol::Delta));
        explained(&typed_call(&in_domain(&cancellation(&ids), &domain)))
    };
    for (count, length, verdict) in
        [(100, 36, "explained"), (101, 36, "unread"), (7, 1_000, "explained"), (8, 1_000, "unread")]
    {
        let answer = dropped(count, length);
        assert_eq!(answer["verdict"], verdict, "{count}");
        assert_eq!(above_info(&answer).contains("inner.tooMany"), verdict == "unread");
        assert!(answer["sentence"].as_str().unwrap().contains(&format!("drop {count} of")));
    }
}

/// Payloads beside the corpus, each with what decides about it.
fn others() -> Vec<(&'static str, Value)> {
    let ether = U256::from(10).pow(U256::from(18));
    let (address, number) = (DynSolValue::Address, |value: u64, bits| DynSolValue::Uint(U256::from(value), bits));
    let router = contract(Protocol::Market);
    let list = |items: &[DynSolValue]| DynSolValue::Array(items.to_vec());
    let details = |token, amount: u64, expiration: u64| {
        DynSolValue::Tuple(vec![address(token), number(amount, 160), number(expiration, 48), number(0, 48)])
    };
    let bytes = |data: &[u8]| DynSolValue::Bytes(data.to_vec());
    let call = |to, signature: &str, values: &[(&str, DynSolValue)]| {
        let data = encoded(signature, &|member| {
            values.iter().find(|(name, _)| *name == member).map(|(_, value)| value.clone())
        });
        sent(to, U256::ZERO, &data)
    };
    let paid = |mut call: Value, wei: U256| {
        call["params"][0]["value"] = json!(format!("{wei:#x}"));
        call
    };
    let (permit, dai) = (
        "permit(address owner,address spender,uint256 value,uint256 deadline,uint8 v,bytes32 r,bytes32 s)",
        "permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed,uint8 v,bytes32 r,bytes32 s)",
    );
    let single = "permit(address owner,((address token,uint160 amount,uint48 expiration,uint48 nonce) details,address spender,uint256 sigDeadline) permitSingle,bytes signature)";
    let batch = "permit(address owner,((address token,uint160 amount,uint48 expiration,uint48 nonce)[] details,address spender,uint256 sigDeadline) permitBatch,bytes signature)";
    let approve2 = "approve(address token,address spender,uint160 amount,uint48 expiration)";
    let to_lending = ("spender", address(HANDLER));
    let typed2 = |kind: &str, types: Value, message: Value| {
        let mut all = json!({ "EIP712Domain": [{ "name": "name", "type": "string" }, { "name": "chainId", "type": "uint256" },
            { "name": "verifyingContract", "type": "address" }] });
        all.as_object_mut().unwrap().extend(types.as_object().unwrap().clone());
        let domain = json!({ "name": "Permit2", "chainId": CHAIN, "verifyingContract": PERMIT2.to_string() });
        typed_call(&json!({ "types": all, "primaryType": kind, "domain": domain, "message": message }))
    };
    let members = |text: &str| -> Value {
        text.split(',')
            .map(|one| one.split_once(' ').unwrap())
            .map(|(kind, name)| json!({ "name": name, "type": kind }))
            .collect()
    };
    let (tokens, inside) = (
        members("address token,uint256 amount"),
        members("address token,uint160 amount,uint48 expiration,uint48 nonce"),
    );
    let of = |token: Address, amount: &str| json!({ "token": token.to_string(), "amount": amount });
    let detail = |token: Address, amount: &str| json!({ "token": token.to_string(), "amount": amount, "expiration": SOON, "nonce": 0 });
    let permitted =
        |kind: PermitKind| in_domain(&message(&grant(kind, contract(Protocol::Delta))).unwrap(), &permit_domain(kind));
    let signed = |method: &str, text: &[u8]| {
        json!({ "method": method, "params": if method == "eth_sign" {
        json!([OWNER.to_string(), hex::encode_prefixed(text)]) } else { json!([hex::encode_prefixed(text), OWNER.to_string()]) } })
    };
    let theirs = |data: &[u8]| bytes(data);
    let fill = otc_calls::Fill {
        order: &offer(HANDLER, Address::ZERO),
        signature: &[7; 65],
        share: Share { give: ether, get: U256::from(2_500_000_000_u64) },
        is_whole: true,
        taker_permit: &[8; 7],
        maker_permit: &[],
    };
    vec![
        (
            "more for a known spender",
            call(
                USDC,
                "increaseAllowance(address spender,uint256 addedValue)",
                &[("spender", address(router)), ("addedValue", number(5_000_000, 256))],
            ),
        ),
        (
            "more without bound for a stranger",
            call(
                USDC,
                "increaseAllowance(address spender,uint256 addedValue)",
                &[("spender", address(THIEF)), ("addedValue", DynSolValue::Uint(U256::MAX, 256))],
            ),
        ),
        (
            "less for a stranger",
            call(
                USDC,
                "decreaseAllowance(address spender,uint256 subtractedValue)",
                &[("spender", address(THIEF)), ("subtractedValue", number(5_000_000, 256))],
            ),
        ),
        (
            "transfer to a named one",
            call(
                USDC,
                "transfer(address to,uint256 amount)",
                &[("to", address(HANDLER)), ("amount", number(5_000_000, 256))],
            ),
        ),
        (
            "transfer to a stranger",
            call(
                USDC,
                "transfer(address to,uint256 amount)",
                &[("to", address(THIEF)), ("amount", number(5_000_000, 256))],
            ),
        ),
        (
            "transfer of an unknown token",
            call(
                HANDLER,
                "transfer(address to,uint256 amount)",
                &[("to", address(HANDLER)), ("amount", number(5, 256))],
            ),
        ),
        (
            "transfer of one's own",
            call(
                USDC,
                "transferFrom(address from,address to,uint256 amount)",
                &[("from", address(OWNER)), ("to", address(HANDLER)), ("amount", number(5_000_000, 256))],
            ),
        ),
        (
            "transfer of another's",
            call(
                USDC,
                "transferFrom(address from,address to,uint256 amount)",
                &[("from", address(HANDLER)), ("to", address(OWNER)), ("amount", number(5_000_000, 256))],
            ),
        ),
        (
            "transfer through Permit2",
            call(
                PERMIT2,
                "transferFrom(address from,address to,uint160 amount,address token)",
                &[
                    ("from", address(OWNER)),
                    ("to", address(THIEF)),
                    ("amount", number(5_000_000, 160)),
                    ("token", address(USDC)),
                ],
            ),
        ),
        (
            "all tokens to a stranger",
            call(
                HANDLER,
                "setApprovalForAll(address operator,bool approved)",
                &[("operator", address(THIEF)), ("approved", DynSolValue::Bool(true))],
            ),
        ),
        (
            "no tokens to a stranger any more",
            call(
                HANDLER,
                "setApprovalForAll(address operator,bool approved)",
                &[("operator", address(THIEF)), ("approved", DynSolValue::Bool(false))],
            ),
        ),
        (
            "all tokens to what looks like a named one",
            call(
                HANDLER,
                "setApprovalForAll(address operator,bool approved)",
                &[
                    ("operator", address(address!("0x7777111111111111111111111111111111117778"))),
                    ("approved", DynSolValue::Bool(true)),
                ],
            ),
        ),
        ("wrapping", paid(call(WETH, "deposit()", &[]), ether)),
        ("wrapping at a stranger's", paid(call(THIEF, "deposit()", &[]), ether)),
        ("unwrapping", call(WETH, "withdraw(uint256 amount)", &[("amount", DynSolValue::Uint(ether, 256))])),
        ("payment to a named one", sent(HANDLER, ether, &[])),
        ("payment to a stranger", sent(THIEF, ether, &[])),
        (
            "payment to what looks like one's own",
            sent(address!("0x4a6200000000000000000000000000000000c569"), ether, &[]),
        ),
        (
            "permit used",
            call(
                USDC,
                permit,
                &[
                    ("owner", address(OWNER)),
                    to_lending.clone(),
                    ("value", number(7_000_000, 256)),
                    ("deadline", number(SOON, 256)),
                ],
            ),
        ),
        (
            "permit of another used",
            call(
                USDC,
                permit,
                &[
                    ("owner", address(THIEF)),
                    to_lending.clone(),
                    ("value", number(7_000_000, 256)),
                    ("deadline", number(SOON, 256)),
                ],
            ),
        ),
        (
            "permit of DAI's kind without end",
            call(USDC, dai, &[("holder", address(OWNER)), to_lending.clone(), ("allowed", DynSolValue::Bool(true))]),
        ),
        (
            "permit of DAI's kind of another, taken back",
            call(USDC, dai, &[("holder", address(THIEF)), to_lending.clone(), ("expiry", number(SOON, 256))]),
        ),
        (
            "permit of DAI's kind, signed without end",
            changed(&dai_permit(contract(Protocol::Delta)), "/message/expiry", json!("0")),
        ),
        (
            "permit of DAI's kind, signed by another",
            changed(&dai_permit(contract(Protocol::Delta)), "/message/holder", json!(THIEF.to_string())),
        ),
        ("permit by another", changed(&permitted(PermitKind::Eip2612), "/message/owner", json!(THIEF.to_string()))),
        (
            "permit without bound",
            changed(&permitted(PermitKind::Eip2612), "/message/value", json!(U256::MAX.to_string())),
        ),
        (
            "permit without end",
            changed(&permitted(PermitKind::Eip2612), "/message/deadline", json!(U256::MAX.to_string())),
        ),
        (
            "Permit2 allowance, late to be used",
            changed(
                &permitted(PermitKind::Permit2Allowance),
                "/message/sigDeadline",
                json!((NOW + 40 * 86_400).to_string()),
            ),
        ),
        (
            "Permit2 allowance until the block's time",
            changed(&permitted(PermitKind::Permit2Allowance), "/message/details/expiration", json!("0")),
        ),
        (
            "Permit2 allowance without end",
            changed(
                &permitted(PermitKind::Permit2Allowance),
                "/message/details/expiration",
                json!(((1_u64 << 48) - 1).to_string()),
            ),
        ),
        (
            "Permit2 allowance of a token like a known one",
            changed(
                &permitted(PermitKind::Permit2Allowance),
                "/message/details/token",
                json!("0x8335000000000000000000000000000000002913"),
            ),
        ),
        (
            "Permit2 allowance given",
            call(
                PERMIT2,
                approve2,
                &[
                    ("token", address(USDC)),
                    to_lending.clone(),
                    ("amount", number(9_000_000, 160)),
                    ("expiration", number(SOON, 48)),
                ],
            ),
        ),
        (
            "Permit2 allowance given for one block",
            call(
                PERMIT2,
                approve2,
                &[("token", address(USDC)), to_lending.clone(), ("amount", number(9_000_000, 160))],
            ),
        ),
        (
            "Permit2 allowance used",
            call(
                PERMIT2,
                single,
                &[
                    ("owner", address(OWNER)),
                    ("details", details(USDC, 9_000_000, SOON)),
                    to_lending.clone(),
                    ("sigDeadline", number(SOON, 256)),
                ],
            ),
        ),
        (
            "Permit2 allowances used, another's",
            call(
                PERMIT2,
                batch,
                &[
                    ("owner", address(THIEF)),
                    ("details", list(&[details(USDC, 9_000_000, SOON), details(WETH, 8, SOON)])),
                    to_lending.clone(),
                    ("sigDeadline", number(SOON, 256)),
                ],
            ),
        ),
        (
            "Permit2 allowances for a stranger",
            typed2(
                "PermitBatch",
                json!({ "PermitBatch": members("PermitDetails[] details,address spender,uint256 sigDeadline"), "PermitDetails": inside }),
                json!({ "details": [detail(USDC, "5"), detail(WETH, "6")], "spender": THIEF.to_string(), "sigDeadline": SOON }),
            ),
        ),
        (
            "Permit2 transfers",
            typed2(
                "PermitBatchTransferFrom",
                json!({ "PermitBatchTransferFrom": members("TokenPermissions[] permitted,address spender,uint256 nonce,uint256 deadline"), "TokenPermissions": tokens }),
                json!({ "permitted": [of(USDC, "5"), of(WETH, "6")], "spender": HANDLER.to_string(), "nonce": "1", "deadline": SOON }),
            ),
        ),
        (
            "Permit2 transfer of nothing",
            typed2(
                "PermitBatchTransferFrom",
                json!({ "PermitBatchTransferFrom": members("TokenPermissions[] permitted,address spender,uint256 nonce,uint256 deadline"), "TokenPermissions": tokens }),
                json!({ "permitted": [], "spender": HANDLER.to_string(), "nonce": "1", "deadline": SOON }),
            ),
        ),
        (
            "Permit2 transfer with a witness",
            typed2(
                "PermitWitnessTransferFrom",
                json!({ "PermitWitnessTransferFrom": members("TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,Order witness"), "TokenPermissions": tokens, "Order": members("uint256 a") }),
                json!({ "permitted": of(USDC, "5"), "spender": HANDLER.to_string(), "nonce": "1", "deadline": SOON, "witness": { "a": "1" } }),
            ),
        ),
        (
            "Permit2 locked down",
            call(
                PERMIT2,
                "lockdown((address token,address spender)[] approvals)",
                &[(
                    "approvals",
                    list(&[
                        DynSolValue::Tuple(vec![address(USDC), address(THIEF)]),
                        DynSolValue::Tuple(vec![address(WETH), address(HANDLER)]),
                    ]),
                )],
            ),
        ),
        (
            "an owner more",
            call(
                HANDLER,
                "addOwnerWithThreshold(address who,uint256 threshold)",
                &[("who", address(THIEF)), ("threshold", number(1, 256))],
            ),
        ),
        ("another threshold", call(HANDLER, "changeThreshold(uint256 threshold)", &[("threshold", number(3, 256))])),
        (
            "a guard like one's own",
            call(
                HANDLER,
                "setGuard(address who)",
                &[("who", address(address!("0x4a6200000000000000000000000000000000c569")))],
            ),
        ),
        (
            "a Safe's hash approved",
            call(HANDLER, "approveHash(bytes32 hash)", &[("hash", DynSolValue::FixedBytes(B256::repeat_byte(5), 32))]),
        ),
        (
            "calls in one, with values",
            call(
                HANDLER,
                "aggregate3Value((address to,bool allowFailure,uint256 value,bytes data)[] calls)",
                &[(
                    "calls",
                    list(&[
                        DynSolValue::Tuple(vec![address(THIEF), DynSolValue::Bool(false), number(5, 256), bytes(&[])]),
                        DynSolValue::Tuple(vec![
                            address(USDC),
                            DynSolValue::Bool(false),
                            number(0, 256),
                            theirs(&erc20::approve(HANDLER, U256::from(3))),
                        ]),
                    ]),
                )],
            ),
        ),
        (
            "a fill with a permit that is not read",
            sent(contract(Protocol::Otc), U256::ZERO, &otc_calls::fill(&[fill], HANDLER, OWNER).0),
        ),
        (
            "an order of another cancelled",
            sent(contract(Protocol::Delta), U256::ZERO, &{
                let mut data = calls::cancel_and_withdraw(&order(delta::ORDER, OWNER)).unwrap();
                let place = data.windows(20).position(|window| window == OWNER.as_slice()).unwrap();
                data[place..place + 20].copy_from_slice(THIEF.as_slice());
                data
            }),
        ),
        ("an offer without end, of another", {
            let mut typed = in_domain(&offer(OWNER, HANDLER), &otc::domain(CHAIN, contract(Protocol::Otc)));
            typed["message"]["expiry"] = json!("0");
            changed(&typed, "/message/maker", json!(THIEF.to_string()))
        }),
        (
            "a contract",
            json!({ "method": "eth_sendTransaction", "params": [{ "from": OWNER.to_string(), "value": "0x5", "data": "0x6000" }] }),
        ),
        (
            "a call of nothing known, with bytes behind",
            sent(USDC, U256::ZERO, &[erc20::approve(router, U256::from(5)), vec![7; 9]].concat()),
        ),
        ("a text", signed("personal_sign", b"hello")),
        ("a hash as text", signed("personal_sign", &[0xFE; 32])),
        ("a bare hash", signed("eth_sign", &[0xFE; 32])),
        ("bytes", signed("personal_sign", &[0xFE; 33])),
        (
            "a delegation on another chain",
            json!({ "method": "wallet_signAuthorization", "params": [{ "address": HANDLER.to_string(), "chainId": 10, "nonce": 0 }] }),
        ),
        (
            "a delegation on each chain",
            json!({ "method": "wallet_signAuthorization", "params": [{ "address": HANDLER.to_string(), "chainId": 0, "nonce": 0 }] }),
        ),
        (
            "the end of a delegation",
            json!({ "method": "wallet_signAuthorization", "params": [{ "address": Address::ZERO.to_string(), "chainId": CHAIN, "nonce": 0 }] }),
        ),
    ]
}

/// Requests whose form decides about them, and what wraps a call.
fn requests() -> Vec<(&'static str, Value)> {
    let router = contract(Protocol::Market);
    let approval = erc20::approve(HANDLER, U256::from(5));
    let send = |more: Value| {
        let mut transaction = json!({ "from": OWNER.to_string(), "to": HANDLER.to_string(), "value": "0x1" });
        transaction.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!({ "method": "eth_sendTransaction", "params": [transaction] })
    };
    let asked = |method: &str, params: Value| json!({ "method": method, "params": params });
    let exec = |to: Address, data: &[u8], operation: u8, price: u64| {
        let data = encoded(
            "execTransaction(address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,uint256 gasPrice,address gasToken,address refundReceiver,bytes signatures)",
            &|member| match member {
                "to" => Some(DynSolValue::Address(to)),
                "data" => Some(DynSolValue::Bytes(data.to_vec())),
                "operation" => uint8(true, operation),
                "gasPrice" => uint(price),
                "refundReceiver" => Some(DynSolValue::Address(THIEF)),
                _ => None,
            },
        );
        sent(HANDLER, U256::ZERO, &data)
    };
    let item = |to: Address| [&[0][..], to.as_slice(), &U256::from(3).to_be_bytes::<32>(), &[0; 32]].concat();
    let packed =
        |bytes: Vec<u8>| encoded("multiSend(bytes transactions)", &|_| Some(DynSolValue::Bytes(bytes.clone())));
    let multi_send = address!("0x40A2aCCbd92BCA938b02010E17A5b8929b49130D");
    let like_multi_send = address!("0x40A200000000000000000000000000000000130D");
    let like_router = address!("0x6A00000000000000000000000000000000001068");
    let mode = |first: u8, content: Vec<u8>| {
        sent(
            OWNER,
            U256::ZERO,
            &encoded("execute(bytes32 mode,bytes executionCalldata)", &|member| match member {
                "mode" => {
                    let mut word = B256::ZERO;
                    word[0] = first;
                    Some(DynSolValue::FixedBytes(word, 32))
                }
                _ => Some(DynSolValue::Bytes(content.clone())),
            }),
        )
    };
    let calls = encoded("f((address to,uint256 value,bytes data)[] calls,bytes opData)", &|member| match member {
        "to" => Some(DynSolValue::Address(USDC)),
        "data" => Some(DynSolValue::Bytes(approval.clone())),
        "opData" => Some(DynSolValue::Bytes(vec![4; 5])),
        _ => None,
    });
    let delegated = json!({ "address": HANDLER.to_string(), "chainId": format!("{CHAIN:#x}"), "nonce": "0x0" });
    let operation = |more: Value| {
        let mut operation = json!({ "sender": OWNER.to_string(), "callData": hex::encode_prefixed(&approval), "preVerificationGas": "0x1", "maxFeePerGas": "0x1" });
        operation.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        asked("eth_sendUserOperation", json!([operation, "0x0000000071727De22E5E9d8BAf0edAc6f37da032"]))
    };
    let safe = |kind: &str, members: Value, message: Value| {
        typed_call(
            &json!({ "types": { "EIP712Domain": [{ "name": "chainId", "type": "uint256" }, { "name": "verifyingContract", "type": "address" }], kind: members },
            "primaryType": kind, "domain": { "chainId": CHAIN, "verifyingContract": HANDLER.to_string() }, "message": message }),
        )
    };
    let item_sent = encoded(
        "safeTransferFrom(address from,address to,uint256 id,uint256 amount,bytes data)",
        &|member| match member {
            "from" => Some(DynSolValue::Address(OWNER)),
            "to" => Some(DynSolValue::Address(HANDLER)),
            "id" => uint(7_u64),
            "amount" => uint(3_u64),
            _ => None,
        },
    );
    let one = |chain: u64, sender: &str| {
        json!({ "signature": { "from": sender, "data": hex::encode_prefixed(
        format!("app.example wants you to sign in with your Ethereum account:\n{sender}\n\nURI: https://app.example\nVersion: 1\nChain ID: {chain}\nNonce: abcdefgh")),
        "signatureMethod": "personal_sign" }, "signatureOrigin": "https://other.example" })
    };
    vec![
        ("items", sent(HANDLER, U256::ZERO, &item_sent)),
        ("a text at its longest", asked("personal_sign", json!(["x".repeat(1_000), OWNER.to_string()]))),
        ("a text beyond that", asked("personal_sign", json!(["x".repeat(1_001), OWNER.to_string()]))),
        ("a sign-in", one(CHAIN, &OWNER.to_string())),
        ("a sign-in on another chain, of another account", one(1, &THIEF.to_string())),
        ("an unknown request", asked("wallet_somethingElse", json!([1]))),
        (
            "typed data of the first version",
            asked("eth_signTypedData", json!([[{ "type": "string", "name": "a", "value": "b" }], OWNER.to_string()])),
        ),
        ("no typed data", asked("eth_signTypedData_v4", json!([OWNER.to_string()]))),
        ("a call malformed", sent(USDC, U256::from(5), &approval[..40])),
        ("a swap malformed", sent(router, U256::ZERO, &swap(0, OWNER)[..40])),
        ("a swap at what looks like the router", sent(like_router, U256::ZERO, &swap(0, OWNER))),
        ("code of a stranger", exec(THIEF, &approval, 1, 0)),
        ("code like a known one", exec(like_multi_send, &approval, 1, 0)),
        ("no operation that there is", exec(USDC, &approval, 2, 0)),
        ("a refund", exec(USDC, &approval, 0, 7)),
        ("a batch by code", exec(multi_send, &packed([item(HANDLER), item(OWNER)].concat()), 1, 0)),
        ("a batch by a call", exec(multi_send, &packed(item(HANDLER)), 0, 0)),
        ("a batch with a rest", exec(multi_send, &packed([item(HANDLER), vec![1, 2]].concat()), 1, 0)),
        ("code by an account", mode(0xFF, [THIEF.as_slice(), &approval].concat())),
        ("calls with data for the account", mode(1, calls[4..].to_vec())),
        ("calls that are none", mode(1, vec![1, 2, 3])),
        ("a call that is none", mode(0, vec![1, 2, 3])),
        (
            "a Safe's message",
            safe(
                "SafeMessage",
                json!([{ "name": "message", "type": "bytes" }]),
                json!({ "message": hex::encode_prefixed("hello") }),
            ),
        ),
        ("a user operation", operation(json!({}))),
        (
            "a user operation, others pay",
            operation(
                json!({ "paymaster": THIEF.to_string(), "paymasterData": "0x01", "factory": HANDLER.to_string(), "factoryData": "0x0102" }),
            ),
        ),
        ("a user operation with a delegation", operation(json!({ "eip7702Auth": delegated }))),
        (
            "a user operation with half a delegation",
            operation(json!({ "authorization": { "address": "me" }, "more": 1 })),
        ),
        ("a user operation of no form", operation(json!({ "initCode": "none" }))),
        ("delegations", asked("wallet_signAuthorizations", json!([delegated, delegated]))),
        ("delegations in a list", asked("wallet_signAuthorizations", json!([[delegated, delegated]]))),
        ("no delegation", asked("wallet_signAuthorization", json!([[]]))),
        ("a delegation with a transaction", send(json!({ "authorizationList": [delegated] }))),
        (
            "a delegation of two",
            send(
                json!({ "authorizationList": [{ "address": HANDLER.to_string(), "contractAddress": THIEF.to_string() }] }),
            ),
        ),
        ("a transaction of two contents", send(json!({ "data": "0x12345678", "input": "0x87654321" }))),
        ("a transaction of one content twice", send(json!({ "data": "0x12345678", "input": "0x12345678" }))),
        ("a value that is none", send(json!({ "value": true }))),
        ("a value in decimal", send(json!({ "value": "1" }))),
        ("no transaction", asked("eth_sendTransaction", json!(["0x"]))),
        ("a transaction of another", send(json!({ "from": THIEF.to_string(), "more": 1 }))),
        (
            "a transaction on two chains",
            json!({ "transaction": { "from": OWNER.to_string(), "to": HANDLER.to_string(), "value": "0x1", "chainId": "0x1" }, "chainId": "eip155:8453" }),
        ),
        (
            "a batch with a sender inside",
            asked(
                "wallet_sendCalls",
                json!([{ "from": OWNER.to_string(), "more": 1, "calls": [{ "from": THIEF.to_string(), "to": HANDLER.to_string(), "value": "0x1" }] }]),
            ),
        ),
        (
            "a batch on another chain",
            asked(
                "wallet_sendCalls",
                json!([{ "from": THIEF.to_string(), "chainId": "0xa", "calls": [{ "to": HANDLER.to_string(), "value": "0x1" }] }]),
            ),
        ),
        ("a batch of no form", asked("wallet_sendCalls", json!([{ "from": OWNER.to_string() }]))),
        (
            "an offer for the native token",
            typed_call(&in_domain(
                &otc::from_words([
                    otc::nonce_and_meta(U256::from(5), Address::ZERO),
                    U256::from(SOON),
                    U256::from_be_bytes(USDC.into_word().0),
                    U256::ZERO,
                    U256::from_be_bytes(OWNER.into_word().0),
                    U256::ZERO,
                    U256::from(2_500_000_000_u64),
                    U256::from(10).pow(U256::from(18)),
                ]),
                &otc::domain(CHAIN, contract(Protocol::Otc)),
            )),
        ),
    ]
}

/// Trades and typed data with one value of an honest one changed.
fn variants() -> Vec<(&'static str, Value)> {
    let (delta_at, rfq, router) = (contract(Protocol::Delta), contract(Protocol::Otc), contract(Protocol::Market));
    let domain = delta::domain(CHAIN, delta_at);
    let typed = in_domain(&order(delta::ORDER, OWNER), &domain);
    let ether = U256::from(10).pow(U256::from(18));
    let offered = offer(HANDLER, Address::ZERO);
    let half = Share { give: ether / U256::from(2), get: U256::from(1_250_000_000_u64) };
    let fill = |order, share, is_whole| otc_calls::Fill {
        order,
        signature: &[7; 65],
        share,
        is_whole,
        taker_permit: &[],
        maker_permit: &[],
    };
    let word = |address: Address| U256::from_be_bytes(address.into_word().0);
    let other = otc::from_words([
        otc::nonce_and_meta(U256::from(6), Address::ZERO),
        U256::from(SOON),
        word(USDC_THERE),
        word(WETH),
        word(HANDLER),
        U256::ZERO,
        U256::from(2_500_000_000_u64),
        ether,
    ]);
    let all = |fills: &[otc_calls::Fill<'_>]| sent(rfq, U256::ZERO, &otc_calls::fill(fills, OWNER, OWNER).0);
    let whole = Share { give: ether, get: U256::from(2_500_000_000_u64) };
    let pools = |part: &str, name: &'static str, bytes: Vec<u8>| {
        let data =
            swap_but(method_named(part), OWNER, &|member| (member == name).then(|| DynSolValue::Bytes(bytes.clone())));
        sent(router, U256::ZERO, &data)
    };
    let selling = |value: u64| {
        let data = swap_but(0, OWNER, &|member| (member == "srcToken").then_some(DynSolValue::Address(NATIVE)));
        sent(router, U256::from(value), &data)
    };
    let unknown = |domain_type: Value, domain: Value| {
        let mut types = json!({ "Vote": [{ "name": "choice", "type": "uint8" }] });
        if domain_type.is_array() {
            types["EIP712Domain"] = domain_type;
        }
        typed_call(&json!({ "types": types, "primaryType": "Vote", "domain": domain, "message": { "choice": 1 } }))
    };
    let member = |kind: &str, name: &str| json!({ "name": name, "type": kind });
    let (name, chain, at) =
        (member("string", "name"), member("uint256", "chainId"), member("address", "verifyingContract"));
    let mut twice = typed.clone();
    twice["value"] = twice["message"].clone();
    let permit =
        in_domain(&message(&grant(PermitKind::Eip2612, delta_at)).unwrap(), &permit_domain(PermitKind::Eip2612));
    let mut nowhere = permit.clone();
    nowhere["types"]["EIP712Domain"] = json!([name, chain]);
    nowhere["domain"] = json!({ "name": "USD Coin", "chainId": CHAIN });
    let mut half_typed = typed.clone();
    half_typed["types"]["EIP712Domain"] = json!([name, member("string", "version")]);
    let mut untyped = typed.clone();
    untyped["types"].as_object_mut().unwrap().remove("EIP712Domain");
    let mut nested = typed.clone();
    let contents = nested["message"].take();
    nested["types"]["TypedDataSign"] =
        json!([member("Order", "contents"), name, member("string", "version"), chain, at, member("bytes32", "salt")]);
    nested["primaryType"] = json!("TypedDataSign");
    nested["message"] = json!({ "contents": contents, "name": "Account", "version": "1", "chainId": 10,
        "verifyingContract": THIEF.to_string(), "salt": B256::ZERO.to_string() });
    let wrapped = pinned(CHAIN).unwrap().wrapped_native.unwrap();
    vec![
        (
            "an order of a deposit",
            changed(
                &changed_value(&typed, "/message/srcToken", json!(wrapped.to_string())),
                "/message/srcAmount",
                json!("400000000000000000"),
            ),
        ),
        ("an order with metadata", changed(&typed, "/message/metadata", json!("0x010203"))),
        ("an order for a named one", changed(&typed, "/message/beneficiary", json!(HANDLER.to_string()))),
        (
            "an order with a fee",
            changed(
                &typed,
                "/message/partnerAndFee",
                json!((word(THIEF).wrapping_shl(96) | U256::from(100)).to_string()),
            ),
        ),
        ("a swap for a named one", sent(router, U256::ZERO, &swap(0, HANDLER))),
        ("a swap of the native token", selling(2_520_000_000)),
        ("a swap of the native token, without it", selling(0)),
        ("a path that is none", pools("InOnUniswapV3", "pools", vec![1; 5])),
        ("a vault's data that is none", pools("InOnBalancerV2", "data", vec![1; 5])),
        ("half of an offer filled", all(&[fill(&offered, half, false)])),
        ("offers of two tokens filled", all(&[fill(&offered, whole, true), fill(&other, whole, true)])),
        ("a pre-signature taken back", {
            let mut data = calls::pre_sign(B256::repeat_byte(9));
            data[67] = 0;
            sent(delta_at, U256::ZERO, &data)
        }),
        ("a vote without a place", unknown(json!([name]), json!({ "name": "Votes" }))),
        (
            "a vote without a chain",
            unknown(json!([name, at]), json!({ "name": "Votes", "verifyingContract": THIEF.to_string() })),
        ),
        (
            "a vote on this chain",
            unknown(
                json!([name, chain, at]),
                json!({ "name": "Votes", "chainId": CHAIN, "verifyingContract": HANDLER.to_string() }),
            ),
        ),
        (
            "a vote in an untyped domain",
            unknown(
                Value::Null,
                json!({ "name": "Votes", "chainId": CHAIN, "verifyingContract": HANDLER.to_string() }),
            ),
        ),
        ("an order twice", typed_call(&twice)),
        ("an order in an untyped domain", typed_call(&untyped)),
        ("an order in half a domain", typed_call(&half_typed)),
        ("a permit of no token", typed_call(&nowhere)),
        ("contents of another account on another chain", typed_call(&nested)),
    ]
}

fn changed_value(typed: &Value, pointer: &str, value: Value) -> Value {
    let mut typed = typed.clone();
    *typed.pointer_mut(pointer).unwrap() = value;
    typed
}

/// Wherever an address stands.
#[test]
fn what_resembles_a_known_address_is_found_in_each_place() {
    let like = |address: Address| {
        Address::new(core::array::from_fn(|at| if (2..18).contains(&at) { 0x11 } else { address.0[at] }))
    };
    let domain = delta::domain(CHAIN, contract(Protocol::Delta));
    let typed = in_domain(&order(delta::ORDER, OWNER), &domain);
    let external = in_domain(&order(delta::EXTERNAL_ORDER, OWNER), &domain);
    let offered = in_domain(&offer(OWNER, Address::ZERO), &otc::domain(CHAIN, contract(Protocol::Otc)));
    let permit = in_domain(
        &message(&grant(PermitKind::Eip2612, contract(Protocol::Delta))).unwrap(),
        &permit_domain(PermitKind::Eip2612),
    );
    let mut over: Value = serde_json::from_str(bridged(USDC_THERE, json!("0"))["params"][1].as_str().unwrap()).unwrap();
    over["message"]["protocolData"] = Value::Null;
    over["message"].as_object_mut().unwrap().remove("protocolData");
    let swapped = |name: &'static str, address: Address| {
        let data = swap_but(0, OWNER, &|member| {
            (member == name).then(|| match name {
                "beneficiary" | "srcToken" | "destToken" => DynSolValue::Address(address),
                _ => unreachable!(),
            })
        });
        sent(contract(Protocol::Market), U256::ZERO, &data)
    };
    for (typed, path, known) in [
        (&typed, "/message/srcToken", USDC),
        (&typed, "/message/destToken", WETH),
        (&typed, "/message/owner", OWNER),
        (&typed, "/message/beneficiary", OWNER),
        (&typed, "/domain/verifyingContract", contract(Protocol::Delta)),
        (&external, "/message/handler", HANDLER),
        (&over, "/message/bridge/outputToken", USDC_THERE),
        (&offered, "/message/makerAsset", USDC),
        (&offered, "/message/takerAsset", WETH),
        (&offered, "/message/maker", OWNER),
        (&permit, "/domain/verifyingContract", USDC),
        (&permit, "/message/spender", contract(Protocol::Delta)),
    ] {
        assert!(!above_info(&explained(&typed_call(typed))).contains("address.resembles"), "{path}");
        let answer = explained(&changed(typed, path, json!(like(known).to_string())));
        let field = path[1..].replace('/', ".");
        let found = answer["findings"]
            .as_array()
            .unwrap()
            .iter()
            .any(|one| one["id"] == "address.resembles" && one["field"] == field.as_str());
        assert!(found, "{path} {:#}", answer["findings"]);
    }
    for call in [
        swapped("srcToken", like(USDC)),
        swapped("destToken", like(WETH)),
        swapped("beneficiary", like(OWNER)),
        sent(USDC, U256::ZERO, &erc20::approve(like(contract(Protocol::Market)), U256::from(5))),
        sent(like(USDC), U256::ZERO, &erc20::approve(contract(Protocol::Market), U256::from(5))),
        sent(like(HANDLER), U256::ZERO, &[1, 2, 3, 4]),
        sent(like(PERMIT2), U256::ZERO, &verify::internal::domain::permit::calls::revoke(USDC, OWNER)),
    ] {
        assert!(above_info(&explained(&call)).contains("address.resembles"), "{call}");
    }
}

/// Lists are read up to a hundred items, and what is beyond is said to be unread.
#[test]
fn what_is_too_much_is_said() {
    let one = json!({ "address": HANDLER.to_string(), "chainId": format!("{CHAIN:#x}"), "nonce": "0x0" });
    let call = json!({ "to": THIEF.to_string(), "value": "0x1", "data": "0x12345678" });
    let sent = |count: usize| json!({ "method": "wallet_sendCalls", "params": [{ "from": OWNER.to_string(), "calls": vec![call.clone(); count] }] });
    let listed = |count: usize| json!({ "method": "wallet_signAuthorizations", "params": vec![one.clone(); count] });
    let along = |count: usize| json!({ "method": "eth_sendTransaction", "params": [{ "from": OWNER.to_string(), "to": OWNER.to_string(), "authorizationList": vec![one.clone(); count] }] });
    for (call, field) in
        [(&sent as &dyn Fn(usize) -> Value, "calls"), (&listed, "params"), (&along, "authorizationList")]
    {
        let (most, more) = (explained(&call(128)), explained(&call(129)));
        let count = |answer: &Value| answer["inner"].as_array().unwrap().len();
        assert_eq!((count(&most), count(&more)), (128, 128), "{field}");
        let has = |answer: &Value| findings(answer).iter().any(|(id, _)| *id == "inner.tooMany");
        let length = |answer: &Value, name: &str| answer[name].as_array().unwrap().len();
        assert!(!has(&most) && length(&more, "findings") <= 100 && length(&more, "opaque") <= 100, "{field}");
        assert_eq!(more["verdict"], "unread", "{field}");
        if field != "calls" {
            assert!(most["verdict"] == "explained" && more["opaque"] == json!([field]), "{field}");
        }
    }
    // Items beyond the limit are dropped, unless they are worse.
    let mut all = vec![call; 100];
    all.push(json!({ "to": USDC.to_string(), "data": hex::encode_prefixed(erc20::approve(THIEF, U256::MAX)) }));
    let batch = json!({ "method": "wallet_sendCalls", "params": [{ "from": OWNER.to_string(), "calls": all }] });
    assert!(above_info(&explained(&batch)).contains("amount.unlimitedUnknown"));
}

/// JSON that two readers may differ about is said to be so where it is a request, and refused where it is none.
#[test]
fn what_is_no_request_is_refused() {
    let refused = |call: &str| explain(call, &context().to_string()).is_err();
    assert!(!refused(r#"{"method":"a","method":"b"}"#));
    assert!(refused(r#"[{"a":1,"a":2}]"#) && refused("{") && refused("1") && refused(r#""a""#));
}

/// An answer in lines: what is said of it, inner answers with two blanks before.
fn lines(answer: &Value, depth: usize, out: &mut Vec<String>) {
    let blank = "  ".repeat(depth);
    let text = |name: &str| answer[name].as_str().unwrap();
    out.push(format!("{blank}{} ({}, {}): {}", text("title"), text("kind"), text("verdict"), text("sentence")));
    for part in answer["parts"].as_array().unwrap() {
        out.push(format!("{blank}- part {} {}", part["id"].as_str().unwrap(), part["values"]));
    }
    for (name, value) in answer["facts"].as_object().unwrap() {
        out.push(format!("{blank}- fact {name} {value}"));
    }
    for found in answer["findings"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|one| !one["field"].as_str().unwrap().starts_with("inner."))
    {
        out.push(format!(
            "{blank}- {} {} in {}: {} {}",
            found["severity"].as_str().unwrap(),
            found["id"].as_str().unwrap(),
            found["field"],
            found["text"].as_str().unwrap(),
            found["values"]
        ));
    }
    let (bytes, fields) = (&answer["coverage"]["bytes"], &answer["coverage"]["fields"]);
    out.push(format!(
        "{blank}- read {} of {} bytes, {} of {} values, not {}",
        bytes["read"], bytes["total"], fields["read"], fields["total"], answer["opaque"]
    ));
    for (name, digest) in answer["digests"].as_object().unwrap() {
        out.push(format!("{blank}- {name} {digest}"));
    }
    answer["inner"].as_array().unwrap().iter().for_each(|inner| lines(inner, depth + 1, out));
}

/// All that is said of each payload: tests/explained.txt, where a change of it is seen by whoever reviews it.
#[test]
fn what_is_said_is_what_was_reviewed() {
    let corpus = corpus().into_iter().map(|honest| (honest.name, honest.call));
    let others = others().into_iter().chain(requests()).chain(variants()).map(|(name, call)| (name.to_owned(), call));
    let mut made = Vec::new();
    for (name, call) in corpus.chain(others) {
        made.push(format!("# {name}"));
        lines(&explained(&call), 0, &mut made);
        made.push(String::new());
    }
    hold("crates/explain/tests/explained.txt", None, &made.join("\n"));
}

#[test]
fn the_digest_of_calldata_is_the_drafts() {
    // The test case of the draft ERC-8213.
    let data = hex::decode("a9059cbb0000000000000000000000004675c7e5baafbffbca748158becba61ef3b0a2630000000000000000000000000000000000000000000000000de0b6b3a7640000").unwrap();
    let expected = b256!("0x812cee5d9cc7461c04bbcd7b70af9c28b243ac5d74d3453b008b93b7dac69985");
    assert_eq!(explained(&sent(USDC, U256::ZERO, &data))["digests"]["calldata"], expected.to_string());
}

#[test]
fn a_device_shows_the_digests_of_typed_data() {
    let field = |name: &str, kind: &str| json!([{ "name": name, "type": kind }]);
    let types = json!({ "EIP712Domain": field("name", "string"), "Note": field("text", "string") });
    let note = json!({ "types": types, "primaryType": "Note", "domain": { "name": "a" }, "message": { "text": "b" } });
    let answer = explained(&typed_call(&note));
    let part = |name: &str| hex::decode(answer["digests"][name].as_str().unwrap()).unwrap();
    // EIP-712: keccak256("\x19\x01" ‖ domainSeparator ‖ hashStruct(message)).
    let both = [&[0x19, 0x01], &part("domainSeparator")[..], &part("structHash")[..]].concat();
    assert_eq!(part("eip712"), keccak256(both).to_vec());
}

#[test]
fn what_the_caller_says_is_marked_as_the_callers() {
    let token = address!("0x1234567890123456789012345678901234567890");
    let mut context = context();
    context["tokens"] = json!([{ "address": token.to_string(), "symbol": "A\" to\u{202e}me", "decimals": 6 }]);
    let answer = explained_in(&sent(token, U256::ZERO, &erc20::approve(HANDLER, U256::from(1_500_000))), &context);
    let values = &answer["parts"][0]["values"];
    assert_eq!(
        (values["spender"]["statedBy"].as_str(), values["amount"]["statedBy"].as_str()),
        (Some("caller"), Some("caller"))
    );
    assert!(values["spender"]["display"].as_str().unwrap().contains(&HANDLER.to_string()));
    let shown = values["amount"]["display"].as_str().unwrap();
    assert!(
        shown.starts_with("1.5 \"A\\\"\\u{20}to\\u{202e}me\" (") && shown.ends_with("(1500000 raw units)"),
        "{shown}"
    );
    // Without decimals there are raw units.
    let answer = explained(&sent(token, U256::ZERO, &erc20::approve(HANDLER, U256::from(1_500_000))));
    assert_eq!(answer["parts"][0]["values"]["amount"]["display"], format!("1500000 raw units of token {token}"));
    for (member, value, field) in [
        ("accounts", json!(["0x1"]), "context.accounts.0"),
        ("chainId", json!(0), "context.chainId"),
        ("spoken", json!(1), "context.spoken"),
        ("references", json!({ "8453": { "0x1": "1" } }), "context.references.8453.0x1"),
        ("safe", json!({ "address": HANDLER.to_string() }), "context.safe.version"),
    ] {
        let mut context = self::context();
        context[member] = value;
        let error = explain("{}", &context.to_string()).unwrap_err();
        assert_eq!(error.field.as_deref(), Some(field));
    }
    assert!(
        explain("[]", &self::context().to_string()).is_err() && explain("{", &self::context().to_string()).is_err()
    );
}

/// No text of a payload may reverse or hide what stands around it (`hidden_characters.rs` says what does).
fn check_visible(answer: &Value) {
    match answer {
        Value::String(text) => assert_eq!(&visible(text), text),
        Value::Array(items) => items.iter().for_each(check_visible),
        Value::Object(members) => members.iter().for_each(|(name, value)| {
            check_visible(&Value::String(name.clone()));
            check_visible(value);
        }),
        _ => {}
    }
}

fn check_laws(answer: &str) {
    let answer: Value = serde_json::from_str(answer).expect("JSON");
    check_visible(&answer);
    for share in [&answer["coverage"]["bytes"], &answer["coverage"]["fields"]] {
        assert!(share["read"].as_u64().unwrap() <= share["total"].as_u64().unwrap(), "{share}");
    }
    assert!(["explained", "unread"].contains(&answer["verdict"].as_str().unwrap()));
    assert!(answer["verdict"] == "explained" || !answer["opaque"].as_array().unwrap().is_empty(), "{answer:#}");
    check_words(&answer);
    check_inner(&answer);
}

/// Places unread inside are unread from outside, and findings inside are found from outside, up to 100 of each.
fn check_inner(answer: &Value) {
    let list = |of: &Value, name: &str| of[name].as_array().unwrap().clone();
    for (index, inner) in list(answer, "inner").iter().enumerate() {
        assert!(inner["verdict"] == "explained" || answer["verdict"] == "unread");
        let here = |path: &Value| json!(format!("inner.{index}.{}", path.as_str().unwrap()));
        let (opaque, found) = (list(answer, "opaque"), list(answer, "findings"));
        assert!(opaque.len() == 100 || list(inner, "opaque").iter().all(|path| opaque.contains(&here(path))));
        let is_outside =
            |one: &Value| found.iter().any(|all| all["id"] == one["id"] && all["field"] == here(&one["field"]));
        assert!(found.len() == 100 || list(inner, "findings").iter().all(is_outside), "{answer:#}");
        check_inner(inner);
    }
}

fn hostile_text() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[\u{202a}-\u{202e}\u{e000}\u{13430}\u{fdd0}\u{0}-\u{1f}\u{85}\u{2066}-\u{2069}a-z0-9]{0,12}",
        Just("0x".into()),
        Just(THIEF.to_string()),
        Just("115792089237316195423570985008687907853269984665640564039457584007913129639935".into()),
    ]
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        hostile_text().prop_map(Value::String),
        any::<u64>().prop_map(|number| json!(number)),
        any::<bool>().prop_map(|is| json!(is)),
        Just(Value::Null),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            prop::collection::btree_map(hostile_text(), inner, 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// Where a value can be put in the place of another: all pointers of a tree.
fn pointers(value: &Value, here: &str, found: &mut Vec<String>) {
    found.push(here.into());
    match value {
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(at, one)| pointers(one, &format!("{here}/{at}"), found))
        }
        Value::Object(members) => {
            members.iter().for_each(|(name, one)| pointers(one, &format!("{here}/{name}"), found))
        }
        _ => {}
    }
}

proptest! {
    #[test]
    fn any_request_has_an_answer(method in prop_oneof![
        Just("eth_signTypedData_v4"), Just("personal_sign"), Just("eth_sendTransaction"), Just("wallet_sendCalls"),
        Just("eth_sendUserOperation"), Just("wallet_signAuthorization"), Just("\u{202e}x"),
    ], params in any_json()) {
        let call = json!({ "method": method, "params": params });
        check_laws(&explain(&call.to_string(), &context().to_string()).unwrap());
    }

    #[test]
    fn an_honest_request_with_any_value_in_any_place_has_an_answer(
        index in any::<prop::sample::Index>(), place in any::<prop::sample::Index>(), value in any_json(),
    ) {
        let all = corpus();
        let mut call = index.get(&all).call.clone();
        let text = call["params"][1].as_str().map(str::to_owned);
        let typed = text.and_then(|text| serde_json::from_str::<Value>(&text).ok()).filter(Value::is_object);
        let mut tree = typed.clone().unwrap_or_else(|| call.clone());
        let mut places = Vec::new();
        pointers(&tree, "", &mut places);
        let pointer = place.get(&places).clone();
        if !(pointer.is_empty() && typed.is_none()) {
            *tree.pointer_mut(&pointer).unwrap() = value;
        }
        if typed.is_some() { call["params"][1] = Value::String(tree.to_string()) } else { call = tree }
        check_laws(&explain(&call.to_string(), &context().to_string()).unwrap());
    }

    #[test]
    fn calldata_with_any_bytes_changed_has_an_answer(
        index in any::<prop::sample::Index>(), changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6), cut in 0_usize..70,
    ) {
        let all: Vec<_> = corpus().into_iter().filter(|one| one.call["params"][0]["data"].is_string()).collect();
        let mut call = index.get(&all).call.clone();
        let mut data = hex::decode(call["params"][0]["data"].as_str().unwrap()).unwrap();
        for (place, byte) in changes {
            let place = place.index(data.len());
            data[place] = byte;
        }
        data.truncate(data.len().saturating_sub(cut.saturating_sub(35)));
        call["params"][0]["data"] = json!(hex::encode_prefixed(&data));
        check_laws(&explain(&call.to_string(), &context().to_string()).unwrap());
        check_laws(&explain(&json!({ "raw": hex::encode_prefixed(&data) }).to_string(), &context().to_string()).unwrap());
    }

    /// No receiver that the account does not name passes in silence.
    #[test]
    fn no_other_receiver_passes(bytes: [u8; 20], method in 0..METHODS.len()) {
        let other = Address::from(bytes);
        prop_assume!(other != OWNER && other != HANDLER && !other.is_zero());
        let answer = explained(&sent(contract(Protocol::Market), U256::ZERO, &swap(method, other)));
        prop_assert!(above_info(&answer).contains("receiver.other"));
        let domain = delta::domain(CHAIN, contract(Protocol::Delta));
        let answer = explained(&typed_call(&in_domain(&order(delta::ORDER, other), &domain)));
        prop_assert!(above_info(&answer).contains("receiver.other"));
    }

    #[test]
    fn no_other_domain_passes(chain in 1_u64..100_000, bytes: [u8; 20]) {
        let contract = Address::from(bytes);
        prop_assume!(chain != CHAIN);
        let domain = delta::domain(chain, self::contract(Protocol::Delta));
        let answer = explained(&typed_call(&in_domain(&order(delta::ORDER, OWNER), &domain)));
        prop_assert!(above_info(&answer).contains("chain.other"));
        let domain = delta::domain(CHAIN, contract);
        let answer = explained(&typed_call(&in_domain(&order(delta::ORDER, OWNER), &domain)));
        prop_assert!(above_info(&answer).contains("domain.contract"));
    }
}

/// The tables of docs/explain.md: what there is to find, what is read of each kind, and each lie.
#[test]
fn the_tables_of_the_page_are_what_happens() {
    let row = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let mut reads = String::from("| payload | kind | bytes | values | not read |\n|---|---|---|---|---|\n");
    for Honest { name, call, .. } in corpus() {
        let answer = explained(&call);
        let share =
            |part: &str| format!("{} of {}", answer["coverage"][part]["read"], answer["coverage"][part]["total"]);
        let opaque: Vec<_> =
            answer["opaque"].as_array().unwrap().iter().map(|path| format!("`{}`", path.as_str().unwrap())).collect();
        reads += &row(&[
            name,
            format!("`{}`", answer["kind"].as_str().unwrap()),
            share("bytes"),
            share("fields"),
            opaque.join(", "),
        ]);
    }
    let mut told = String::from("| lie | severity | found by, or why not |\n|---|---|---|\n");
    for Lie { name, call, seen, sandbox } in lies() {
        let answer = explained(&call);
        let severity = |id: &str| {
            findings(&answer)
                .into_iter()
                .find(|(known, _)| *known == id)
                .map_or("", |(_, severity)| severity)
                .to_owned()
        };
        let name = if sandbox { format!("sandbox: `{name}`") } else { name.into() };
        told += &match seen {
            Ok(ids) => {
                row(&[name, severity(ids[0]), ids.iter().map(|id| format!("`{id}`")).collect::<Vec<_>>().join(", ")])
            }
            Err(why) => row(&[name, String::new(), why.into()]),
        };
    }
    let mut found = String::new();
    for one in WARNINGS {
        let mut text = one.part.english.to_owned();
        for name in one.part.names {
            text = text.replacen('#', &format!("*{name}*"), 1);
        }
        found += &format!("### {}\n\n`{}`: {}.\n\n", one.part.id, one.severity.name(), text);
    }
    for (marker, table) in [("reads", reads), ("lies", told), ("findings", found)] {
        hold("docs/explain.md", Some(marker), &table);
    }
}

/// The types of ids in TypeScript have each that there is, and no other.
#[test]
fn the_types_of_ids_have_each_of_them() {
    let file = "pkg-template/src/types/explain.ts";
    let mut made = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(file)).unwrap();
    let shared = verify::internal::domain::sentence::part::ALL;
    for (name, ids) in [
        ("ExplainedKind", KINDS.iter().map(|kind| kind.0).collect::<BTreeSet<_>>()),
        ("PartId", PARTS.iter().chain(shared).map(|part| part.id).collect()),
        ("FindingId", WARNINGS.iter().map(|one| one.part.id).collect()),
    ] {
        let start = format!("export type {name} =");
        let (before, rest) = made.split_once(&start).unwrap_or_else(|| panic!("no {name}"));
        let (_, after) = rest.split_once(';').unwrap();
        let ids: Vec<_> = ids.into_iter().map(|id| format!("\"{id}\"")).collect();
        let lines: Vec<_> = ids.chunks(6).map(|line| line.join(" | ")).collect();
        made = format!("{before}{start}\n  | {};{after}", lines.join("\n  | "));
    }
    hold(file, None, &made);
}

/// Calls of a contract that is not the user's are not the user's: it may be anybody's, whatever method it has.
#[test]
fn a_strangers_wrapper_is_not_the_user() {
    let bytes = |data: &[u8]| Some(DynSolValue::Bytes(data.to_vec()));
    let pull = |thief: Address| {
        encoded("transferFrom(address from,address to,uint256 amount)", &|member| match member {
            "from" => Some(DynSolValue::Address(OWNER)),
            "to" => Some(DynSolValue::Address(thief)),
            _ => uint(5_000_000_u64),
        })
    };
    let pull2 = encoded("transferFrom(address from,address to,uint160 amount,address token)", &|member| match member {
        "from" => Some(DynSolValue::Address(OWNER)),
        "to" => Some(DynSolValue::Address(THIEF)),
        "token" => Some(DynSolValue::Address(USDC)),
        _ => Some(DynSolValue::Uint(U256::from(5), 160)),
    });
    let item = |kind: &str, to: Address, data: &[u8]| {
        let flag = DynSolValue::Bool(false);
        let (to, value, data) = (DynSolValue::Address(to), DynSolValue::Uint(U256::ZERO, 256), bytes(data).unwrap());
        DynSolValue::Array(vec![DynSolValue::Tuple(if kind == "aggregate3" {
            vec![to, flag, data]
        } else {
            vec![to, value, data]
        })])
    };
    let wrap = |signature: &str, to: Address, data: &[u8]| {
        encoded(signature, &|member| match member {
            "to" if signature.contains("[] to") => Some(DynSolValue::Array(vec![DynSolValue::Address(to)])),
            "data" if signature.contains("[] data") => Some(DynSolValue::Array(vec![bytes(data).unwrap()])),
            "to" => Some(DynSolValue::Address(to)),
            "data" => bytes(data),
            "calls" => Some(item(signature.split('(').next().unwrap(), to, data)),
            "executionCalldata" => bytes(&[to.as_slice(), &[0; 32], data].concat()),
            _ => None,
        })
    };
    let wrappers = [
        "execute(address to,uint256 value,bytes data)",
        "execute(bytes32 mode,bytes executionCalldata)",
        "executeBatch((address to,uint256 value,bytes data)[] calls)",
        "executeBatch(address[] to,bytes[] data)",
        "aggregate3((address to,bool allowFailure,bytes data)[] calls)",
        "execTransaction(address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,uint256 gasPrice,address gasToken,address refundReceiver,bytes signatures)",
    ];
    let router = contract(Protocol::Market);
    for signature in wrappers {
        let found_at = |at: Address, to: Address, data: &[u8]| {
            let answer = explained(&sent(at, U256::ZERO, &wrap(signature, to, data)));
            let found = above_info(&answer).into_iter().map(String::from).collect::<BTreeSet<_>>();
            (found, answer)
        };
        let (found, answer) = found_at(THIEF, USDC, &pull(THIEF));
        assert!(found.contains("transfer.out"), "{signature}: {answer:#}");
        assert!(!answer["inner"][0]["facts"]["gives"].is_null(), "{signature}");
        assert!(!answer["sentence"].as_str().unwrap().contains("The account"), "{signature}: {answer:#}");
        assert_eq!(found.contains("batch.called"), signature.starts_with("aggregate"), "{signature}");
        assert!(found_at(THIEF, PERMIT2, &pull2).0.contains("transfer.out"), "{signature}");
        // A swap that pays whoever sends it, or names him.
        for receiver in [THIEF, Address::ZERO] {
            assert!(found_at(THIEF, router, &swap(0, receiver)).0.contains("receiver.other"), "{signature}");
        }
        // Tokens wrapped there stay there.
        let withdraw = ["withdraw(uint256 amount)", "withdrawNative(uint256 amount)"];
        let [unwrap, withdraw] = withdraw.map(|signature| encoded(signature, &|_| uint(5_u64)));
        let deposit = encoded("deposit()", &|_| None);
        for (at, data) in [(WETH, &deposit), (WETH, &unwrap), (contract(Protocol::Delta), &withdraw)] {
            assert!(found_at(THIEF, at, data).0.contains("receiver.other"), "{signature}");
        }
        // The same of the user's own contract account.
        let (found, answer) = found_at(OWNER, router, &swap(0, Address::ZERO));
        assert_eq!(found, BTreeSet::new(), "{signature}: {answer:#}");
        let shown = ["The account", "The Safe", "Run a batch"];
        assert!(shown.iter().any(|text| answer["sentence"].as_str().unwrap().starts_with(text)), "{signature}");
    }
    // An account that acts gives its own tokens.
    let own = encoded("transferFrom(address from,address to,uint256 amount)", &|member| match member {
        "from" => Some(DynSolValue::Address(THIEF)),
        "to" => Some(DynSolValue::Address(OWNER)),
        _ => uint(5_u64),
    });
    let answer = explained(&sent(THIEF, U256::ZERO, &wrap(wrappers[0], USDC, &own)));
    assert_eq!(answer["inner"][0]["facts"]["gives"][0]["value"], "5");
    // Multicall3 is everybody's.
    let everybodys = address!("0xcA11bde05977b3631167028862bE2a173976CA11");
    let wrapped = wrap(wrappers[4], USDC, &pull(everybodys));
    assert_eq!(
        above_info(&explained(&sent(everybodys, U256::ZERO, &wrapped))),
        BTreeSet::from(["batch.called", "transfer.out"])
    );
    // A batch that is only called acts in its own name, too.
    let multi_send = address!("0x40A2aCCbd92BCA938b02010E17A5b8929b49130D");
    let data = swap(0, Address::ZERO);
    let length = U256::from(data.len()).to_be_bytes::<32>();
    let packed = [&[0][..], router.as_slice(), &[0; 32], &length, &data].concat();
    let batch = encoded("multiSend(bytes transactions)", &|_| bytes(&packed));
    assert!(above_info(&explained(&sent(multi_send, U256::ZERO, &batch))).contains("receiver.other"));
    // The context's Safe is the user's.
    let mut context = context();
    context["safe"] = json!({ "address": THIEF.to_string(), "version": "1.4.1", "nonce": "0" });
    let own = explained_in(&sent(THIEF, U256::ZERO, &wrap(wrappers[5], router, &swap(0, Address::ZERO))), &context);
    assert_eq!(above_info(&own), BTreeSet::new(), "{own:#}");
}

/// The factory of an account, and its paymaster, are looked at in both forms of a user operation.
#[test]
fn what_sets_up_an_account_is_not_passed_over() {
    let operation = |more: Value| {
        let mut operation = json!({ "sender": OWNER.to_string(), "nonce": "0x1", "callData": "0x", "signature": "0x" });
        operation.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!({ "method": "eth_sendUserOperation", "params": [operation] })
    };
    let of = |name: &str, content: &[&[u8]]| operation(json!({ name: hex::encode_prefixed(content.concat()) }));
    let marker = [&[0x77, 0x02][..], &[0; 18]].concat();
    let both = BTreeSet::from(["contract.unknown", "userOperation.init"]);
    let init = BTreeSet::from(["userOperation.init"]);
    for (call, expected) in [
        (of("initCode", &[THIEF.as_slice(), &[1; 9]]), both.clone()),
        (of("initCode", &[HANDLER.as_slice(), &[1; 9]]), init.clone()),
        (of("initCode", &[&marker, &[1; 9]]), init.clone()),
        (of("initCode", &[&[1; 9]]), init.clone()),
        (operation(json!({ "factory": THIEF.to_string(), "factoryData": "0x01" })), both),
        (operation(json!({ "factory": "0x7702", "factoryData": "0x01" })), init.clone()),
        (operation(json!({ "factory": HANDLER.to_string() })), init),
    ] {
        let answer = explained(&call);
        assert_eq!((above_info(&answer), &answer["verdict"]), (expected, &json!("unread")), "{answer:#}");
    }
    // The mark alone calls nothing; a paymaster is looked at, too.
    for (call, expected) in [
        (of("initCode", &[&marker]), BTreeSet::new()),
        (operation(json!({ "factory": "0x7702" })), BTreeSet::new()),
        (of("paymasterAndData", &[THIEF.as_slice(), &[0; 32]]), BTreeSet::from(["contract.unknown"])),
        (of("paymasterAndData", &[HANDLER.as_slice(), &[0; 32]]), BTreeSet::new()),
    ] {
        let answer = explained(&call);
        assert_eq!((above_info(&answer), &answer["verdict"]), (expected, &json!("explained")), "{answer:#}");
    }
    assert_eq!(explained(&operation(json!({ "factory": "nobody" })))["verdict"], "unread");
    // An entry point's own call has the packed form.
    let ops = encoded(&format!("handleOps({OPERATION},address beneficiary)"), &|name| match name {
        "sender" => Some(DynSolValue::Address(OWNER)),
        "initCode" => Some(DynSolValue::Bytes([THIEF.as_slice(), &[1; 9]].concat())),
        "paymasterAndData" => Some(DynSolValue::Bytes([THIEF.as_slice(), &[0; 32]].concat())),
        _ => None,
    });
    let answer = explained(&sent(address!("0x0000000071727De22E5E9d8BAf0edAc6f37da032"), U256::ZERO, &ops));
    let fields = |id: &str| {
        let all = answer["findings"].as_array().unwrap().iter().filter(|one| one["id"] == id);
        all.map(|one| one["field"].as_str().unwrap()).collect::<Vec<_>>()
    };
    let expected = ["inner.0.data.ops.0.initCode", "inner.0.data.ops.0.paymasterAndData"];
    assert_eq!((fields("contract.unknown"), fields("userOperation.init")), (expected.to_vec(), expected[..1].to_vec()));
    assert_eq!(answer["verdict"], "unread");
}

/// Methods that many contracts have mean something at the contracts that are known for them only.
#[test]
fn a_deposit_is_a_wrapping_at_the_wrapped_token_only() {
    let ether = U256::from(10).pow(U256::from(18));
    let (deposit, withdraw) = (encoded("deposit()", &|_| None), encoded("withdraw(uint256 amount)", &|_| uint(ether)));
    for (at, value, data) in [
        (HANDLER, ether, &deposit),
        (USDC, ether, &deposit),
        (THIEF, ether, &deposit),
        (contract(Protocol::Delta), ether, &deposit),
        (pinned(CHAIN).unwrap().wrapped_native.unwrap(), ether, &deposit),
        (HANDLER, U256::ZERO, &withdraw),
        (USDC, U256::ZERO, &withdraw),
    ] {
        let answer = explained(&sent(at, value, data));
        assert_eq!(answer["verdict"], "unread", "{answer:#}");
        assert!(answer["facts"]["getsAtLeast"].is_null() && above_info(&answer).contains("call.unknown"), "{answer:#}");
        assert!(answer["sentence"].as_str().unwrap().starts_with("Call "), "{answer:#}");
        assert_eq!(answer["facts"]["gives"].is_null(), value.is_zero(), "{answer:#}");
        assert_eq!(above_info(&answer).contains("contract.unknown"), at == THIEF, "{answer:#}");
    }
    for (value, data) in [(ether, &deposit), (U256::ZERO, &withdraw)] {
        let answer = explained(&sent(WETH, value, data));
        assert_eq!((above_info(&answer), &answer["verdict"]), (BTreeSet::new(), &json!("explained")), "{answer:#}");
        assert!(!answer["facts"]["getsAtLeast"].is_null());
    }
    // A chain of no table: what the context names as its wrapped token.
    let mut context = context();
    context["chainId"] = json!(31337);
    let mut call = sent(HANDLER, ether, &deposit);
    call["params"][0]["chainId"] = json!("0x7a69");
    assert_eq!(explained_in(&call, &context)["verdict"], "unread");
    context["contracts"] = json!({ "31337": { "delta": USDC.to_string(), "wrappedNative": HANDLER.to_string() } });
    assert_eq!(explained_in(&call, &context)["verdict"], "explained");
}

/// The cost of a transaction is what its gas and its price come to.
#[test]
fn a_transaction_names_what_its_gas_may_cost() {
    let gas = |more: Value| {
        let mut call = sent(OWNER, U256::ZERO, &[]);
        call["params"][0].as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        explained(&call)
    };
    let cost = |answer: &Value| answer["facts"]["gasAtMost"]["value"].as_str().map(String::from);
    let is_high = |answer: &Value| above_info(answer).contains("gas.high");
    assert_eq!(cost(&gas(json!({}))), None);
    assert_eq!(cost(&gas(json!({ "gas": "0x10" }))), None);
    for more in [
        json!({ "gas": "0x7530", "gasPrice": "0x3" }),
        json!({ "gasLimit": "0x7530", "maxFeePerGas": "0x3", "maxPriorityFeePerGas": "0x1" }),
        // Readers of the one do not see the other.
        json!({ "gas": "0x5300", "gasLimit": "0x7530", "gasPrice": "0x3", "maxFeePerGas": "0x1" }),
    ] {
        assert_eq!(cost(&gas(more)), Some("90000".into()));
    }
    // No limit is lower than what it takes at least.
    assert_eq!(cost(&gas(json!({ "gas": "0x0", "gasPrice": "0x3" }))), Some("63000".into()));
    assert_eq!(gas(json!({ "gas": "much" }))["verdict"], "unread");
    // 21,000 gas for 0.02 of the native token, and a little more: by each price, and without a limit.
    let (half, more) = (20_000_000_000_000_000_u64 / 21_000, 20_000_000_000_000_000_u64 / 21_000 + 1);
    for (price, expected) in [(half, false), (more, true)] {
        for name in ["gasPrice", "maxFeePerGas", "maxPriorityFeePerGas"] {
            for limit in [json!("0x5208"), Value::Null] {
                let answer = gas(json!({ "gas": limit, name: format!("{price:#x}") }));
                assert_eq!(is_high(&answer), expected, "{name} {limit}: {answer:#}");
                assert_eq!(cost(&answer), Some((21_000 * u128::from(price)).to_string()));
            }
        }
    }
    // Calldata costs 4 of gas for a byte of zero, and 16 for any other.
    assert_eq!(cost(&gas(json!({ "data": "0x0001", "gasPrice": "0x1" }))), Some("21020".into()));
    // Gas is compared with 5 % of what a trade gives; a payment of as much gives no room.
    let ether = U256::from(10).pow(U256::from(18));
    let market = |to: Address, data: &[u8], wei: u64| {
        let mut call = sent(to, ether, data);
        let price = U256::from(wei) * U256::from(10).pow(U256::from(6)) / U256::from(1_000);
        call["params"][0]["gas"] = json!("0xf4240");
        call["params"][0]["gasPrice"] = json!(format!("{price:#x}"));
        is_high(&explained(&call))
    };
    let sells = |name: &str| match name {
        "srcToken" => Some(DynSolValue::Address(NATIVE)),
        "fromAmount" => uint(ether),
        "toAmount" | "quotedAmount" => uint(2_500_000_000_u64),
        "destToken" => Some(DynSolValue::Address(USDC)),
        _ => None,
    };
    let swapped = swap_but(0, OWNER, &sells);
    let router = contract(Protocol::Market);
    assert_eq!([50_000_000, 50_000_001].map(|milli| market(router, &swapped, milli)), [false, true]);
    assert!(market(OWNER, &[], 50_000_000), "a payment");
    // 2,520 USDC are 1.008 ETH by the context's prices; without them the bound is that of any transaction.
    let priced = |milli: u64, more: Value| {
        let mut call = sent(router, U256::ZERO, &swap(0, OWNER));
        let price = U256::from(milli) * U256::from(10).pow(U256::from(3));
        call["params"][0]["gas"] = json!("0xf4240");
        call["params"][0]["gasPrice"] = json!(format!("{price:#x}"));
        found(&call, more).contains(&"gas.high".into())
    };
    assert_eq!([50_400_000, 50_400_001].map(|milli| priced(milli, json!({}))), [false, true]);
    assert_eq!([20_000_000, 20_000_001].map(|milli| priced(milli, json!({ "references": {} }))), [false, true]);
    // A coin that is worth less has a bound of as much.
    let mut cheap = sent(OWNER, U256::ZERO, &[]);
    cheap["params"][0]["chainId"] = json!(137);
    cheap["params"][0]["gasPrice"] = json!("0x48c27395000");
    assert!(!is_high(&explained(&cheap)));
    // Raw ones of each type.
    let n = |number: u64| {
        let bytes: Vec<u8> = number.to_be_bytes().into_iter().skip_while(|byte| *byte == 0).collect();
        if matches!(bytes[..], [0..0x80]) { bytes } else { [&[0x80 + bytes.len() as u8][..], &bytes].concat() }
    };
    let to = [&[0x94][..], OWNER.as_slice()].concat();
    let list = |items: &[Vec<u8>]| {
        let body = items.concat();
        if body.len() < 56 {
            [&[0xC0 + body.len() as u8][..], &body].concat()
        } else {
            [&[0xF8, body.len() as u8][..], &body].concat()
        }
    };
    for (price, expected) in [(half, false), (more, true)] {
        let (fee, gas, none) = (n(price), n(21_000), n(0));
        let empty = vec![0xC0];
        let tail = [to.clone(), none.clone(), none.clone()];
        let legacy = list(&[&[n(1), fee.clone(), gas.clone()], &tail[..], &[n(CHAIN), n(0), n(0)]].concat());
        let type_1 =
            list(&[&[n(CHAIN), n(1), fee.clone(), gas.clone()], &tail[..], core::slice::from_ref(&empty)].concat());
        let type_2 = list(
            &[&[n(CHAIN), n(1), n(7), fee.clone(), gas.clone()], &tail[..], core::slice::from_ref(&empty)].concat(),
        );
        let type_4 = list(&[&[n(CHAIN), n(1), n(7), fee, gas], &tail[..], &[empty.clone(), empty]].concat());
        for raw in [legacy, [vec![1], type_1].concat(), [vec![2], type_2].concat(), [vec![4], type_4].concat()] {
            let answer = explained(&json!({ "raw": hex::encode_prefixed(&raw) }));
            assert_eq!(cost(&answer), Some((21_000 * u128::from(price)).to_string()), "{answer:#}");
            assert_eq!(is_high(&answer), expected, "{answer:#}");
        }
    }
}

/// The partner's share of what an order gets beyond the expected amount, and the bits that no reader knows.
#[test]
fn what_a_partner_takes_beyond_its_fee_is_said() {
    let word = |low: u64| (U256::from_be_bytes(THIEF.into_word().0).wrapping_shl(96) | U256::from(low)).to_string();
    let asked = |encoded: &'static str, low: u64, more: &[(&str, Value)]| {
        let mut typed = in_domain(&order(encoded, OWNER), &delta::domain(CHAIN, contract(Protocol::Delta)));
        typed["message"]["partnerAndFee"] = json!(word(low));
        for (name, value) in more {
            typed["message"][*name] = value.clone();
        }
        explained(&typed_call(&typed))
    };
    let found = |answer: &Value| above_info(answer).into_iter().map(String::from).collect::<Vec<_>>();
    let answer = asked(delta::ORDER, 50, &[]);
    assert_eq!((found(&answer), &answer["facts"]["fees"]["surplusBeyond"]), (vec![], &Value::Null), "{answer:#}");
    let answer = asked(delta::ORDER, 0x100, &[]);
    let fees = &answer["facts"]["fees"];
    assert_eq!(found(&answer), ["fee.surplus"], "{answer:#}");
    assert_eq!((&fees["partner"], &fees["surplusBeyond"]["display"]), (&json!(THIEF.to_string()), &json!("1 WETH")));
    assert!(fees["capSurplus"].is_null());
    let text = answer["findings"][0]["text"].as_str().unwrap();
    assert!(text.contains(&THIEF.to_string()) && text.contains("1 WETH"), "{text}");
    // With a cap; of a purchase it is what is sold that counts.
    assert_eq!(asked(delta::ORDER, 0x300, &[])["facts"]["fees"]["capSurplus"], true);
    let bought = asked(delta::ORDER, 0x100, &[("kind", json!(1)), ("expectedAmount", json!("2000000000"))]);
    assert_eq!(bought["facts"]["fees"]["surplusBeyond"]["display"], "2000 USDC", "{bought:#}");
    // The same of the router, with bits of its own.
    let swapped = |bits: U256| {
        let word = U256::from_be_bytes(THIEF.into_word().0).wrapping_shl(96) | bits;
        let data = swap_but(0, OWNER, &|member| (member == "partnerAndFee").then_some(DynSolValue::Uint(word, 256)));
        explained(&sent(contract(Protocol::Market), U256::ZERO, &data))
    };
    let bit = |bit: usize| U256::from(1).wrapping_shl(bit);
    assert_eq!(found(&swapped(bit(92))), Vec::<String>::new());
    let shared = swapped(bit(92) | bit(95));
    assert_eq!(found(&shared), ["fee.surplus"], "{shared:#}");
    assert_eq!(shared["facts"]["fees"]["surplusBeyond"]["display"], "1 WETH");
    // Bits without a meaning here; a share of what the type has no amount for.
    assert_eq!(found(&asked(delta::ORDER, 0x400, &[])), ["fee.unknown"]);
    assert_eq!(found(&asked(delta::TWAP_ORDER, 0x100, &[])), ["fee.unknown"]);
    for (kind, verdict) in [(0, "explained"), (1, "explained"), (2, "unread"), (255, "unread")] {
        assert_eq!(asked(delta::ORDER, 0, &[("kind", json!(kind))])["verdict"], verdict, "{kind}");
    }
}

/// Each token of a batch has its own findings.
#[test]
fn each_token_of_a_batch_is_judged() {
    let members = |text: &str| -> Value {
        text.split(',')
            .map(|one| one.split_once(' ').unwrap())
            .map(|(kind, name)| json!({ "name": name, "type": kind }))
            .collect()
    };
    let batch = |primary: &str, types: Value, message: Value| {
        let mut all = json!({ "EIP712Domain": members("string name,uint256 chainId,address verifyingContract") });
        all.as_object_mut().unwrap().extend(types.as_object().unwrap().clone());
        let domain = json!({ "name": "Permit2", "chainId": CHAIN, "verifyingContract": PERMIT2.to_string() });
        typed_call(&json!({ "types": all, "primaryType": primary, "domain": domain, "message": message }))
    };
    let most = U256::from(1).wrapping_shl(160) - U256::from(1);
    let detail = |token: Address| json!({ "token": token.to_string(), "amount": most.to_string(), "expiration": SOON, "nonce": 0 });
    let permitted = |token: Address| json!({ "token": token.to_string(), "amount": most.to_string() });
    for (call, list) in [
        (
            batch(
                "PermitBatch",
                json!({ "PermitBatch": members("PermitDetails[] details,address spender,uint256 sigDeadline"),
                    "PermitDetails": members("address token,uint160 amount,uint48 expiration,uint48 nonce") }),
                json!({ "details": [detail(HANDLER), detail(USDC)], "spender": THIEF.to_string(), "sigDeadline": SOON }),
            ),
            "details",
        ),
        (
            batch(
                "PermitBatchTransferFrom",
                json!({ "PermitBatchTransferFrom": members("TokenPermissions[] permitted,address spender,uint256 nonce,uint256 deadline"),
                    "TokenPermissions": members("address token,uint256 amount") }),
                json!({ "permitted": [permitted(HANDLER), permitted(USDC)], "spender": THIEF.to_string(), "nonce": 0, "deadline": SOON }),
            ),
            "permitted",
        ),
    ] {
        let answer = explained(&call);
        let all = answer["findings"].as_array().unwrap();
        let fields = |id: &str| {
            let fields = all.iter().filter(|one| one["id"] == id).map(|one| one["field"].as_str().unwrap());
            fields.collect::<Vec<_>>()
        };
        let own = [0, 1].map(|index| format!("message.{list}.{index}.amount"));
        assert_eq!(fields("amount.unlimitedUnknown"), own, "{answer:#}");
        assert_eq!(fields("spender.signed"), ["message.spender"], "said once");
        assert!(all.iter().any(|one| one["text"].as_str().unwrap().contains("USDC")), "{answer:#}");
    }
}

/// The findings above `info`, with their places; and all that is said.
fn heard(answer: &Value) -> (BTreeSet<String>, BTreeSet<String>) {
    let all = answer["findings"].as_array().unwrap().iter();
    let of = |one: &Value| format!("{} {}", one["id"].as_str().unwrap(), one["field"].as_str().unwrap());
    let warned = all.clone().filter(|one| one["severity"] != "info").map(of).collect();
    let mut said: BTreeSet<_> = all.map(of).collect();
    for list in ["opaque", "unjudged"] {
        said.extend(answer[list].as_array().into_iter().flatten().map(|name| name.as_str().unwrap().to_owned()));
    }
    said.insert(answer["verdict"].as_str().unwrap().into());
    (warned, said)
}

#[test]
fn no_absence_makes_an_explanation_milder() {
    let rows = absence::table();
    let mut context = context();
    context["origin"] = json!("https://app.example");
    context["tokens"] = json!([{ "address": HANDLER.to_string(), "symbol": "LEND", "decimals": 18 }]);
    let calls = corpus().into_iter().map(|honest| (honest.name, honest.call));
    let calls = calls.chain(lies().into_iter().map(|lie| (lie.name.to_owned(), lie.call)));
    let others = others().into_iter().chain(requests()).chain(variants()).map(|(name, call)| (name.to_owned(), call));
    let mut wrong = BTreeSet::new();
    let mut calls: Vec<_> = calls.chain(others).collect();
    // The place is another one than the one that asks; and gas eats the account.
    let elsewhere = format!(
        "evil.example wants you to sign in with your Ethereum account:\n{OWNER}\n\nURI: https://evil.example\nVersion: 1\nChain ID: {CHAIN}\nNonce: 12345678"
    );
    let elsewhere =
        json!({ "method": "personal_sign", "params": [hex::encode_prefixed(elsewhere), OWNER.to_string()] });
    calls.push(("a sign-in elsewhere".into(), elsewhere));
    let sent: Vec<_> = calls
        .iter()
        .filter(|(_, call)| call["params"][0].is_object() && call["method"] == "eth_sendTransaction")
        .cloned()
        .collect();
    for (name, call) in sent {
        for price in ["gasPrice", "maxFeePerGas"] {
            let dear = absence::changed(&call, "/params/0/gas", Some(json!("0x5208")));
            let dear = absence::changed(&dear, &format!("/params/0/{price}"), Some(json!("0xde0b6b3a7640000")));
            calls.push((format!("{name}, at 1 native token for a unit of gas"), dear));
        }
    }
    for (name, call) in calls {
        let mut check = |path: String, with: &Value, without: Option<Value>| {
            let kind = absence::row_of(&rows, &path).unwrap_or_else(|| panic!("no row of {path}")).kind;
            let Some(without) = without else {
                assert!(matches!(kind, absence::Kind::Identity), "{path}");
                return;
            };
            let ((warned, said), (still, rest)) = (heard(with), heard(&without));
            let lost: Vec<_> = warned.difference(&still).collect();
            let is_said = match kind {
                absence::Kind::Excuse => still.len() >= warned.len(),
                absence::Kind::Evidence => rest.difference(&said).next().is_some(),
                _ => true,
            };
            if !lost.is_empty() && !is_said {
                wrong.insert(format!("{path} ({kind:?}): {name}: {lost:?}"));
            }
        };
        let with = explained_in(&call, &context);
        for member in context.as_object().unwrap().keys() {
            let left = absence::changed(&context, &format!("/{member}"), None);
            let without = explain(&call.to_string(), &left.to_string()).ok();
            check(format!("context.{member}"), &with, without.map(|text| serde_json::from_str(&text).unwrap()));
        }
        let is_sent = call["method"] == "eth_sendTransaction";
        let sent = if is_sent { call["params"][0].as_object() } else { call["transaction"].as_object() };
        let place = if is_sent { "/params/0" } else { "/transaction" };
        for member in sent.into_iter().flat_map(|sent| sent.keys()) {
            let left = absence::changed(&call, &format!("{place}/{member}"), None);
            check(format!("call.{member}"), &with, Some(explained_in(&left, &context)));
        }
    }
    assert!(wrong.is_empty(), "{} {wrong:#?}", wrong.len());
}
