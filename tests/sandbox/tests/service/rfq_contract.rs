//! The RFQ contract: what it fills, what it refuses and in which words, and what is left afterwards.

use alloy_primitives::{Address, Bytes, U256, b256, hex, keccak256};
use alloy_sol_types::{SolCall, SolEvent, SolStruct};
use sandbox::otc::{IRfq, OrderCancelled, OrderFilled, RfqOrder};
use serde_json::json;

use crate::offer::{Offer, PLENTY, address, approve_rfq, order, otc_sandbox, refusal, send, token};
use crate::started::Sandbox;

const GONE: &str = "Order already filled or expired";
const FRIEND: &str = "0x00000000000000000000000000000000000f12e4";

fn untouched(sandbox: &Sandbox) -> Offer {
    Offer::sign(sandbox, order(sandbox)).with_allowances(sandbox, 2)
}

/// (USDC, WETH) of an account.
fn purse(sandbox: &Sandbox, account: &str) -> (u128, u128) {
    (sandbox.balance("USDC", account), sandbox.balance("WETH", account))
}

#[test]
fn functions_and_events_have_the_published_selectors() {
    let selectors: [(&str, [u8; 4], [u8; 4]); 12] = [
        ("fillOrder", IRfq::fillOrderCall::SELECTOR, hex!("98f9b46b")),
        ("fillOrderWithTarget", IRfq::fillOrderWithTargetCall::SELECTOR, hex!("00154008")),
        ("partialFillOrder", IRfq::partialFillOrderCall::SELECTOR, hex!("c88ae6dc")),
        ("partialFillOrderWithTarget", IRfq::partialFillOrderWithTargetCall::SELECTOR, hex!("24abf828")),
        ("partialFillOrderWithTargetPermit", IRfq::partialFillOrderWithTargetPermitCall::SELECTOR, hex!("da6b84af")),
        ("batchFillOrderWithTarget", IRfq::batchFillOrderWithTargetCall::SELECTOR, hex!("077822bd")),
        ("tryBatchFillOrderTakerAmount", IRfq::tryBatchFillOrderTakerAmountCall::SELECTOR, hex!("1c64b820")),
        ("tryBatchFillOrderMakerAmount", IRfq::tryBatchFillOrderMakerAmountCall::SELECTOR, hex!("01fb36ba")),
        ("cancelOrder", IRfq::cancelOrderCall::SELECTOR, hex!("7489ec23")),
        ("cancelOrders", IRfq::cancelOrdersCall::SELECTOR, hex!("21c77c96")),
        ("remaining", IRfq::remainingCall::SELECTOR, hex!("0b57f091")),
        ("getRemainingOrderBalance", IRfq::getRemainingOrderBalanceCall::SELECTOR, hex!("01568b83")),
    ];
    for (name, ours, published) in selectors {
        assert_eq!(ours, published, "{name}");
    }
    assert!(OrderFilled::SIGNATURE_HASH.to_string().starts_with("0x6621486d"));
    assert!(OrderCancelled::SIGNATURE_HASH.to_string().starts_with("0xa6eb7cdc"));
}

#[test]
fn the_order_has_the_published_type_hash() {
    let published = b256!("95afddf5e4bb9f692716b7fdff640e6b8a0d2869597405c6e9d35857ed19a150");
    let ours = RfqOrder::eip712_encode_type().replace("RfqOrder(", "Order(");
    assert_eq!(keccak256(ours), published);
    // The contract is not deployed when its own text hashes to anything else.
    let source = include_str!("../../contracts/otc/RfqOrders.sol");
    assert!(source.contains(&published.to_string()));
    assert!(source.contains("!= RFQ_LIMIT_ORDER_TYPEHASH) revert TypeHashDiffers()"));
}

#[test]
fn a_whole_fill_moves_both_assets_and_leaves_nothing() {
    let sandbox = otc_sandbox();
    let offer = untouched(&sandbox);
    let (maker, taker) = (sandbox.account(1), sandbox.account(2));
    let before = [&maker, &taker].map(|account| purse(&sandbox, account));
    assert_eq!(offer.remaining(&sandbox), 0, "untouched");
    send(&sandbox, 2, &offer.fill());
    let after = [&maker, &taker].map(|account| purse(&sandbox, account));
    assert_eq!((before[0].0 - after[0].0, after[0].1 - before[0].1), (100_000_000, 50_000_000_000_000_000));
    assert_eq!((after[1].0 - before[1].0, before[1].1 - after[1].1), (100_000_000, 50_000_000_000_000_000));
    assert_eq!(offer.remaining(&sandbox), 1, "filled");
    assert_eq!(refusal(&sandbox, 2, &offer.fill()).as_deref(), Some(GONE));
    assert_eq!(refusal(&sandbox, 2, &offer.part(U256::from(10_u64.pow(9)))).as_deref(), Some(GONE));
}

#[test]
fn a_part_then_the_rest_is_filled_and_never_more() {
    let sandbox = otc_sandbox();
    let offer = untouched(&sandbox);
    let part = offer.order.takerAmount * U256::from(40) / U256::from(100);
    let before = purse(&sandbox, &sandbox.account(2));
    send(&sandbox, 2, &offer.part(part));
    assert_eq!(offer.remaining(&sandbox), 60_000_001, "what is left of the maker's amount, and one");
    let balances =
        IRfq::getRemainingOrderBalanceCall { maker: offer.order.maker, orderHashes: vec![offer.hash, [7; 32].into()] };
    let data = Bytes::from(balances.abi_encode());
    let answer = sandbox.rpc("eth_call", json!([{"to": sandbox.text("rfq"), "data": data}, "latest"]));
    let answer: Bytes = answer.as_str().unwrap().parse().unwrap();
    let answer = IRfq::getRemainingOrderBalanceCall::abi_decode_returns(&answer).unwrap();
    assert_eq!(answer, [U256::from(60_000_001), U256::ZERO]);
    assert_eq!(refusal(&sandbox, 2, &offer.fill()).as_deref(), Some(GONE), "it asks for all of it");
    let rest = offer.order.takerAmount - part;
    assert_eq!(refusal(&sandbox, 2, &offer.part(rest + U256::from(10_u64.pow(9)))).as_deref(), Some(GONE));
    send(&sandbox, 2, &offer.part(rest));
    let after = purse(&sandbox, &sandbox.account(2));
    assert_eq!((after.0 - before.0, before.1 - after.1), (100_000_000, 50_000_000_000_000_000));
    assert_eq!(offer.remaining(&sandbox), 1);
}

#[test]
fn another_receiver_gets_the_makers_asset() {
    let sandbox = otc_sandbox();
    let (whole, part) = (untouched(&sandbox), untouched(&sandbox));
    let target: Address = FRIEND.parse().unwrap();
    let before = (sandbox.balance("USDC", FRIEND), purse(&sandbox, &sandbox.account(2)));
    let (order, signature) = (whole.order.clone(), whole.signature.clone());
    send(&sandbox, 2, &IRfq::fillOrderWithTargetCall { order, signature, target });
    let (order, signature) = (part.order.clone(), part.signature.clone());
    let half = part.order.takerAmount / U256::from(2);
    let call = IRfq::partialFillOrderWithTargetCall { order, signature, takerTokenFillAmount: half, target };
    send(&sandbox, 2, &call);
    assert_eq!(sandbox.balance("USDC", FRIEND) - before.0, 150_000_000);
    let after = purse(&sandbox, &sandbox.account(2));
    assert_eq!((after.0, before.1.1 - after.1), (before.1.0, 75_000_000_000_000_000));
}

#[test]
fn each_invalid_fill_reverts_with_the_public_contracts_text() {
    let sandbox = otc_sandbox();
    let named = RfqOrder { taker: address(&sandbox, 3), ..order(&sandbox) };
    let named = Offer::sign(&sandbox, named).with_allowances(&sandbox, 2).with_allowances(&sandbox, 3);
    assert_eq!(refusal(&sandbox, 2, &named.fill()).as_deref(), Some("Access denied"));
    assert_eq!(refusal(&sandbox, 3, &named.fill()), None);

    let forged = Offer::sign_as(&sandbox, order(&sandbox), &sandbox.account(2));
    assert_eq!(refusal(&sandbox, 2, &forged.fill()).as_deref(), Some("Invalid Signature"));
    let good = untouched(&sandbox);
    for signature in [good.signature[..63].to_vec(), Vec::new(), [&good.signature[..], &[0]].concat()] {
        let broken = Offer { signature: signature.into(), ..good.clone() };
        assert_eq!(refusal(&sandbox, 2, &broken.fill()).as_deref(), Some("Invalid Signature"));
    }
    let changes: [&dyn Fn(&mut RfqOrder); 6] = [
        &|order| order.nonceAndMeta += U256::from(1),
        &|order| order.expiry += 1,
        &|order| order.makerAsset = token(&sandbox, "DAI"),
        &|order| order.takerAsset = token(&sandbox, "DAI"),
        &|order| order.makerAmount += U256::from(1),
        &|order| order.takerAmount -= U256::from(1),
    ];
    for (index, change) in changes.iter().enumerate() {
        let mut changed = good.clone();
        change(&mut changed.order);
        assert_eq!(refusal(&sandbox, 2, &changed.fill()).as_deref(), Some("Invalid Signature"), "change {index}");
    }
    sandbox.advance(601);
    assert_eq!(refusal(&sandbox, 2, &good.fill()).as_deref(), Some("Order expired"));
    let endless = Offer::sign(&sandbox, RfqOrder { expiry: 0, ..order(&sandbox) });
    assert_eq!(refusal(&sandbox, 2, &endless.fill()), None, "zero is never");
    // The token's own reason comes through.
    approve_rfq(&sandbox, token(&sandbox, "WETH"), &sandbox.account(2), 0);
    let selector = &keccak256("TransferExceedsAllowance()").to_string()[..10];
    assert_eq!(refusal(&sandbox, 2, &endless.fill()).as_deref(), Some(selector));
}

#[test]
fn each_zero_amount_has_its_own_revert_text() {
    let sandbox = otc_sandbox();
    let offer = untouched(&sandbox);
    let (none, most) = (U256::ZERO, offer.order.takerAmount);
    for give in [none, most + U256::from(1)] {
        assert_eq!(refusal(&sandbox, 2, &offer.part(give)).as_deref(), Some("Invalid Taker amount"), "{give}");
    }
    let dust = refusal(&sandbox, 2, &offer.part(U256::from(1)));
    assert_eq!(dust.as_deref(), Some("Maker token fill amount cannot be 0"));
    for empty in [RfqOrder { makerAmount: none, ..order(&sandbox) }, RfqOrder { takerAmount: none, ..order(&sandbox) }]
    {
        let empty = Offer::sign(&sandbox, empty);
        assert_eq!(refusal(&sandbox, 2, &empty.fill()).as_deref(), Some("Invalid amount"));
    }
}

#[test]
fn expiry_goes_before_the_taker_and_both_before_the_signature() {
    let sandbox = otc_sandbox();
    let named = RfqOrder { taker: address(&sandbox, 3), ..order(&sandbox) };
    let wrong = Offer::sign_as(&sandbox, named, &sandbox.account(4));
    assert_eq!(refusal(&sandbox, 2, &wrong.fill()).as_deref(), Some("Access denied"));
    assert_eq!(refusal(&sandbox, 3, &wrong.fill()).as_deref(), Some("Invalid Signature"));
    sandbox.advance(601);
    assert_eq!(refusal(&sandbox, 2, &wrong.fill()).as_deref(), Some("Order expired"));
}

#[test]
fn only_the_first_fill_asks_for_the_signature() {
    let sandbox = otc_sandbox();
    let offer = untouched(&sandbox);
    let half = offer.order.takerAmount / U256::from(2);
    let unsigned = Offer { signature: Bytes::new(), ..offer.clone() };
    assert_eq!(refusal(&sandbox, 2, &unsigned.part(half)).as_deref(), Some("Invalid Signature"));
    send(&sandbox, 2, &offer.part(half));
    send(&sandbox, 2, &unsigned.part(half));
    assert_eq!(offer.remaining(&sandbox), 1);
}

#[test]
fn the_makers_asset_moves_first_and_the_event_names_who_receives() {
    let sandbox = otc_sandbox();
    let offer = untouched(&sandbox);
    // The maker allows nothing, the taker has too little: two reasons, the maker's wins.
    let offer = offer.with_allowances(&sandbox, 2);
    let dear = Offer::sign(&sandbox, RfqOrder { takerAmount: U256::from(PLENTY), ..order(&sandbox) });
    let selector = |error: &str| keccak256(error).to_string()[..10].to_owned();
    let poor = refusal(&sandbox, 2, &dear.fill());
    approve_rfq(&sandbox, dear.order.makerAsset, &sandbox.account(1), 0);
    let both = refusal(&sandbox, 2, &dear.fill());
    approve_rfq(&sandbox, dear.order.makerAsset, &sandbox.account(1), PLENTY);
    let told = [poor.unwrap(), both.unwrap()];
    assert_eq!(told, [selector("TransferExceedsBalance()"), selector("TransferExceedsAllowance()")]);
    let before = sandbox.rpc("eth_blockNumber", json!([]));
    let target: Address = FRIEND.parse().unwrap();
    let (order, signature) = (offer.order.clone(), offer.signature.clone());
    send(&sandbox, 2, &IRfq::fillOrderWithTargetCall { order, signature, target });
    let filter =
        json!([{"address": sandbox.text("rfq"), "fromBlock": before, "topics": [OrderFilled::SIGNATURE_HASH]}]);
    let logs = sandbox.rpc("eth_getLogs", filter);
    let topics = logs.as_array().unwrap().last().unwrap()["topics"].clone();
    assert_eq!(topics[1], json!(offer.hash));
    assert!(topics[3].as_str().unwrap().to_lowercase().ends_with(&FRIEND[2..].to_lowercase()), "{topics}");
}

#[test]
fn cancelling_an_order_that_is_over_emits_no_event() {
    let sandbox = otc_sandbox();
    let offer = untouched(&sandbox);
    let said = |sandbox: &Sandbox| {
        let topics = json!([OrderCancelled::SIGNATURE_HASH, offer.hash]);
        let filter = json!([{"address": sandbox.text("rfq"), "fromBlock": "earliest", "topics": topics}]);
        sandbox.rpc("eth_getLogs", filter).as_array().unwrap().len()
    };
    for _ in 0..2 {
        send(&sandbox, 1, &IRfq::cancelOrderCall { orderHash: offer.hash });
        assert_eq!((offer.remaining(&sandbox), said(&sandbox)), (1, 1));
    }
}

#[test]
fn a_cancel_counts_for_its_sender_alone() {
    let sandbox = otc_sandbox();
    let (first, second, third) = (untouched(&sandbox), untouched(&sandbox), untouched(&sandbox));
    send(&sandbox, 4, &IRfq::cancelOrderCall { orderHash: first.hash });
    assert_eq!((first.remaining(&sandbox), refusal(&sandbox, 2, &first.fill())), (0, None));
    send(&sandbox, 1, &IRfq::cancelOrderCall { orderHash: first.hash });
    send(&sandbox, 1, &IRfq::cancelOrdersCall { orderHashes: vec![second.hash, third.hash] });
    for offer in [&first, &second, &third] {
        assert_eq!((offer.remaining(&sandbox), refusal(&sandbox, 2, &offer.fill()).as_deref()), (1, Some(GONE)));
    }
}

#[test]
fn a_batch_fills_all_or_nothing() {
    let sandbox = otc_sandbox();
    let (first, second) = (untouched(&sandbox), untouched(&sandbox));
    let target: Address = FRIEND.parse().unwrap();
    let half = first.order.takerAmount / U256::from(2);
    let batch = |offers: [&Offer; 2]| IRfq::batchFillOrderWithTargetCall {
        orderInfos: offers.map(|offer| offer.info(half)).to_vec(),
        target,
    };
    let before = sandbox.balance("USDC", FRIEND);
    send(&sandbox, 2, &batch([&first, &second]));
    assert_eq!(sandbox.balance("USDC", FRIEND) - before, 100_000_000);
    assert_eq!([&first, &second].map(|offer| offer.remaining(&sandbox)), [50_000_001; 2]);
    send(&sandbox, 1, &IRfq::cancelOrderCall { orderHash: second.hash });
    assert_eq!(refusal(&sandbox, 2, &batch([&first, &second])).as_deref(), Some(GONE));
}

#[test]
fn a_batch_that_tries_leaves_out_what_cannot_be_filled() {
    let sandbox = otc_sandbox();
    let (first, dead, last) = (untouched(&sandbox), untouched(&sandbox), untouched(&sandbox));
    send(&sandbox, 1, &IRfq::cancelOrderCall { orderHash: dead.hash });
    let whole = first.order.takerAmount;
    let target: Address = FRIEND.parse().unwrap();
    let infos = [&first, &dead, &last].map(|offer| offer.info(whole)).to_vec();
    let by_taker = |parts: u64| IRfq::tryBatchFillOrderTakerAmountCall {
        orderInfos: infos.clone(),
        takerFillAmount: whole * U256::from(parts) / U256::from(10),
        target,
    };
    let (before, given) = (sandbox.balance("USDC", FRIEND), sandbox.balance("WETH", &sandbox.account(2)));
    assert_eq!(refusal(&sandbox, 2, &by_taker(21)).as_deref(), Some("Couldn't swap the requested fill amount"));
    send(&sandbox, 2, &by_taker(15));
    assert_eq!(sandbox.balance("USDC", FRIEND) - before, 150_000_000);
    assert_eq!(given - sandbox.balance("WETH", &sandbox.account(2)), 75_000_000_000_000_000);
    assert_eq!([&first, &dead, &last].map(|offer| offer.remaining(&sandbox)), [1, 1, 50_000_001]);
    let by_maker = |amount: u64| IRfq::tryBatchFillOrderMakerAmountCall {
        orderInfos: [&dead, &last].map(|offer| offer.info(last.order.takerAmount / U256::from(2))).to_vec(),
        makerFillAmount: U256::from(amount),
        target,
    };
    assert_eq!(refusal(&sandbox, 2, &by_maker(50_000_001)).as_deref(), Some("Couldn't swap the requested fill amount"));
    send(&sandbox, 2, &by_maker(30_000_000));
    assert_eq!(sandbox.balance("USDC", FRIEND) - before, 180_000_000);
    assert_eq!(last.remaining(&sandbox), 20_000_001);
}

#[test]
fn both_forms_of_a_signature_fill() {
    let sandbox = otc_sandbox();
    let offer = untouched(&sandbox);
    let compact = Offer { signature: offer.compact_signature(), ..untouched(&sandbox) };
    assert_eq!(refusal(&sandbox, 2, &compact.fill()).as_deref(), Some("Invalid Signature"), "of another order");
    let compact = Offer { signature: offer.compact_signature(), ..offer.clone() };
    assert_eq!((compact.signature.len(), offer.signature.len()), (64, 65));
    assert_eq!(refusal(&sandbox, 2, &offer.fill()), None);
    send(&sandbox, 2, &compact.fill());
    assert_eq!(offer.remaining(&sandbox), 1);
}

#[test]
fn a_maker_with_code_answers_for_itself_unless_its_key_signed() {
    let sandbox = otc_sandbox();
    let yes = "0x7f1626ba7e000000000000000000000000000000000000000000000000000000005f5260205ff3";
    let no = "0x7fffffffff000000000000000000000000000000000000000000000000000000005f5260205ff3";
    let wallet = "0x00000000000000000000000000000000a11e7000";
    let faucet = json!({
        "chainId": 31337, "address": wallet, "token": sandbox.token("USDC"), "amount": "100000000",
    });
    sandbox.post("/sandbox/faucet", &faucet).ok();
    let made = RfqOrder { maker: wallet.parse().unwrap(), ..order(&sandbox) };
    // The wallet takes any signature, so a stranger's will do.
    let offer = Offer::sign_as(&sandbox, made, &sandbox.account(3));
    assert_eq!(refusal(&sandbox, 2, &offer.fill()).as_deref(), Some("Invalid Signature"), "no code yet");
    sandbox.rpc("anvil_setCode", json!([wallet, no]));
    assert_eq!(refusal(&sandbox, 2, &offer.fill()).as_deref(), Some("Invalid Signature"));
    offer.post(&sandbox).refused(400, "InvalidSignature");
    sandbox.rpc("anvil_setCode", json!([wallet, yes]));
    let offer = offer.with_allowances(&sandbox, 2);
    assert_eq!(offer.post(&sandbox).ok()["order"]["state"], "PENDING");
    send(&sandbox, 2, &offer.fill());
    assert_eq!((offer.remaining(&sandbox), sandbox.balance("USDC", wallet)), (1, 0));

    let delegated = untouched(&sandbox);
    sandbox.rpc("anvil_setCode", json!([sandbox.account(1), "0x00"]));
    let refused = refusal(&sandbox, 2, &delegated.fill());
    sandbox.rpc("anvil_setCode", json!([sandbox.account(1), "0x"]));
    assert_eq!(refused, None, "the key is asked first");
}

#[test]
fn a_maker_with_code_is_asked_at_the_first_fill_only() {
    let sandbox = otc_sandbox();
    let yes = "0x7f1626ba7e000000000000000000000000000000000000000000000000000000005f5260205ff3";
    let wallet = "0x00000000000000000000000000000000a11e7001";
    let faucet = json!({
        "chainId": 31337, "address": wallet, "token": sandbox.token("USDC"), "amount": "200000000",
    });
    sandbox.post("/sandbox/faucet", &faucet).ok();
    sandbox.rpc("anvil_setCode", json!([wallet, yes]));
    let made = || RfqOrder { maker: wallet.parse().unwrap(), ..order(&sandbox) };
    let signed = |made| Offer::sign_as(&sandbox, made, &sandbox.account(3)).with_allowances(&sandbox, 2);
    let (begun, untouched) = (signed(made()), signed(made()));
    send(&sandbox, 2, &begun.part(begun.order.takerAmount / U256::from(2)));
    // Its code changes: it refuses, reverts, does not end, or is gone.
    for (code, part) in [
        ("0x7fffffffff000000000000000000000000000000000000000000000000000000005f5260205ff3", 4),
        ("0x5f5ffd", 8),
        ("0x5b5f56", 16),
        ("0x", 16),
    ] {
        sandbox.rpc("anvil_setCode", json!([wallet, code]));
        assert_eq!(refusal(&sandbox, 2, &untouched.fill()).as_deref(), Some("Invalid Signature"), "{code}");
        let before = begun.remaining(&sandbox);
        send(&sandbox, 2, &begun.part(begun.order.takerAmount / U256::from(part)));
        assert!(begun.remaining(&sandbox) < before, "{code}");
    }
    assert_eq!(begun.remaining(&sandbox), 1, "all of it");
}

#[test]
fn a_taker_pays_by_a_permit_in_place_of_an_approval() {
    let sandbox = otc_sandbox();
    let taker = sandbox.account(3);
    let sale = RfqOrder {
        makerAsset: token(&sandbox, "WETH"),
        takerAsset: token(&sandbox, "USDC"),
        makerAmount: U256::from(10_u64.pow(16)),
        takerAmount: U256::from(30_000_000),
        ..order(&sandbox)
    };
    let offer = Offer::sign(&sandbox, sale).with_allowances(&sandbox, 2);
    approve_rfq(&sandbox, token(&sandbox, "USDC"), &taker, 0);
    let permit = crate::permit::eip_2612(&sandbox, "USDC", &taker, sandbox.text("rfq"), 30_000_000);
    let call = |permit: Bytes| IRfq::partialFillOrderWithTargetPermitCall {
        order: offer.order.clone(),
        signature: offer.signature.clone(),
        takerTokenFillAmount: U256::from(30_000_000),
        target: address(&sandbox, 3),
        permitTakerAsset: permit,
        permitMakerAsset: Bytes::new(),
    };
    let without = refusal(&sandbox, 3, &call(Bytes::new()));
    assert_eq!(without.as_deref(), Some(&keccak256("TransferExceedsAllowance()").to_string()[..10]));
    // Data of another length is passed over; a permit that fails ends the fill.
    for other in [permit[..192].to_vec(), [&permit[..], &[0; 64]].concat(), vec![1]] {
        assert_eq!(refusal(&sandbox, 3, &call(other.into())), without);
    }
    for broken in [[&[0; 32], &permit[32..]].concat(), [&permit[..], &[0; 32]].concat()] {
        assert_eq!(refusal(&sandbox, 3, &call(broken.into())).as_deref(), Some("Permit failed"));
    }
    let before = (sandbox.balance("WETH", &taker), sandbox.balance("USDC", &taker));
    send(&sandbox, 3, &call(permit.clone()));
    let after = (sandbox.balance("WETH", &taker), sandbox.balance("USDC", &taker));
    assert_eq!((after.0 - before.0, before.1 - after.1), (10_u128.pow(16), 30_000_000));
    approve_rfq(&sandbox, token(&sandbox, "USDC"), &taker, PLENTY);
    assert_eq!(refusal(&sandbox, 3, &call(permit)).as_deref(), Some("Permit failed"), "a permit is used once");
}

#[test]
fn a_taker_pays_with_dai_by_its_own_permit() {
    let sandbox = otc_sandbox();
    let taker = sandbox.account(3);
    let sale =
        RfqOrder { takerAsset: token(&sandbox, "DAI"), takerAmount: U256::from(10_u128.pow(20)), ..order(&sandbox) };
    let offer = Offer::sign(&sandbox, sale).with_allowances(&sandbox, 2);
    approve_rfq(&sandbox, token(&sandbox, "DAI"), &taker, 0);
    let permit = crate::permit::dai_style(&sandbox, &taker, sandbox.text("rfq"));
    let call = IRfq::partialFillOrderWithTargetPermitCall {
        order: offer.order.clone(),
        signature: offer.signature.clone(),
        takerTokenFillAmount: offer.order.takerAmount,
        target: address(&sandbox, 3),
        permitTakerAsset: permit,
        permitMakerAsset: Bytes::new(),
    };
    let before = (sandbox.balance("USDC", &taker), sandbox.balance("DAI", &taker));
    send(&sandbox, 3, &call);
    let after = (sandbox.balance("USDC", &taker), sandbox.balance("DAI", &taker));
    assert_eq!((after.0 - before.0, before.1 - after.1), (100_000_000, 10_u128.pow(20)));
}
