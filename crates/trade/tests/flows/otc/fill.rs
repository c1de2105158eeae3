//! A taker's fill: the call that fits, and what it gives and gets.

use super::{DEST, Desk, RFQ, SRC, address, desk, set, text};
use crate::fake_host::{at, json};
use crate::otc_abi::IRfq::{
    batchFillOrderWithTargetCall, fillOrderCall, fillOrderWithTargetCall, partialFillOrderCall,
    partialFillOrderWithTargetCall, partialFillOrderWithTargetPermitCall,
};
use crate::otc_abi::{Order, OrderInfo};
use alloy_primitives::{Address, U256, hex, keccak256};
use alloy_sol_types::SolCall;
use verify::internal::error::ErrorCode;
use verify::internal::json::Json;

const FRIEND: &str = "0x5555555555555555555555555555555555555555";

fn rfq_order(order: &Json) -> Order {
    let amount = |name: &str| text(order, name).parse::<U256>().unwrap();
    Order {
        nonceAndMeta: amount("nonceAndMeta"),
        expiry: text(order, "expiry").parse().unwrap(),
        makerAsset: address(text(order, "makerAsset")),
        takerAsset: address(text(order, "takerAsset")),
        maker: address(text(order, "maker")),
        taker: address(text(order, "taker")),
        makerAmount: amount("makerAmount"),
        takerAmount: amount("takerAmount"),
    }
}

fn signature(order: &Json) -> alloy_primitives::Bytes {
    hex::decode(text(order, "signature")).unwrap().into()
}

fn sent(desk: &Desk, order: &Json, more: &str) -> Vec<u8> {
    desk.sent(&desk.fill(order, more).unwrap())
}

#[test]
fn an_untouched_order_is_filled_whole_by_fill_order() {
    let desk = desk();
    let order = desk.order(&[]);
    let build = desk.fill(&order, "").unwrap();
    let (maker, taker) = (desk.maker.accounts[0], desk.rig.owner());
    let expected = format!(
        "Give 0.04 WETX (0x222222222222...222222222222) for 100 USDX (0x111111111111...111111111111) of {maker} on Base to {taker}"
    );
    assert_eq!(text(&build, "report.sentence"), expected);
    assert_eq!((text(&build, "purpose"), text(&build, "owner")), ("fill", taker.to_string().as_str()));
    let call = fillOrderCall { order: rfq_order(&order), signature: signature(&order) };
    assert_eq!(desk.sent(&build), call.abi_encode());
}

#[test]
fn every_selector_is_the_one_of_its_signature() {
    for (known, call) in [
        ("98f9b46b", fillOrderCall::SELECTOR),
        ("00154008", fillOrderWithTargetCall::SELECTOR),
        ("c88ae6dc", partialFillOrderCall::SELECTOR),
        ("24abf828", partialFillOrderWithTargetCall::SELECTOR),
        ("da6b84af", partialFillOrderWithTargetPermitCall::SELECTOR),
        ("077822bd", batchFillOrderWithTargetCall::SELECTOR),
    ] {
        assert_eq!(hex::encode(call), known);
    }
    assert_eq!(keccak256("remaining(address,bytes32)")[..4], [0x0b, 0x57, 0xf0, 0x91]);
}

#[test]
fn another_receiver_gets_a_whole_fill_by_its_own_call() {
    let desk = desk();
    let order = desk.order(&[("taker", &format!(r#""{}""#, desk.rig.owner()))]);
    let target = address(FRIEND);
    let call = fillOrderWithTargetCall { order: rfq_order(&order), signature: signature(&order), target };
    assert_eq!(sent(&desk, &order, &format!(r#","receiver":"{FRIEND}""#)), call.abi_encode());
}

#[test]
fn a_part_is_filled_at_the_orders_price_rounded_down() {
    let desk = desk();
    let order = desk.order(&[]);
    let build = desk.fill(&order, r#","takerAmount":"1000000001""#).unwrap();
    assert!(text(&build, "report.sentence").starts_with("Give 0.000000001000000001 WETX (0x222222222222...222222222222) for 0.000002 USDX (0x111111111111...111111111111) of "));
    let give = U256::from(1_000_000_001);
    let call =
        partialFillOrderCall { order: rfq_order(&order), signature: signature(&order), takerTokenFillAmount: give };
    assert_eq!(desk.sent(&build), call.abi_encode());
    let target = address(FRIEND);
    let (order, signature) = (rfq_order(&order), signature(&order));
    let call = partialFillOrderWithTargetCall { order, signature, takerTokenFillAmount: give, target };
    let order = desk.order(&[]);
    let more = format!(r#","takerAmount":"1000000001","receiver":"{FRIEND}""#);
    assert_eq!(sent(&desk, &order, &more), call.abi_encode());
}

#[test]
fn what_is_left_of_a_partly_filled_order_is_filled_in_part() {
    let desk = desk();
    let order = desk.order(&[]);
    // 40 of 100 are left: one more is what the contract stores.
    desk.leaves(&order, 40_000_001);
    let give = U256::from(16_000_000_000_000_000_u64);
    let call =
        partialFillOrderCall { order: rfq_order(&order), signature: signature(&order), takerTokenFillAmount: give };
    assert_eq!(sent(&desk, &order, ""), call.abi_encode());
}

#[test]
fn a_rest_between_two_units_is_never_overfilled() {
    // Three of the maker's for one of the taker's, five left: two would get six.
    let desk = desk();
    let order = desk.order(&[("makerAmount", r#""30""#), ("takerAmount", r#""10""#)]);
    desk.leaves(&order, 6);
    let build = desk.fill(&order, "").unwrap();
    assert!(text(&build, "report.sentence").starts_with("Give 0.000000000000000001 WETX (0x222222222222...222222222222) for 0.000003 USDX (0x111111111111...111111111111) of "));
    // One of the maker's for three of the taker's, five left: fifteen, and no unit more.
    let order = desk.order(&[("makerAmount", r#""10""#), ("takerAmount", r#""30""#)]);
    desk.leaves(&order, 6);
    let build = desk.fill(&order, "").unwrap();
    assert!(text(&build, "report.sentence").starts_with("Give 0.000000000000000015 WETX (0x222222222222...222222222222) for 0.000005 USDX (0x111111111111...111111111111) of "));
}

#[test]
fn more_than_is_left_is_refused_and_all_of_it_is_not() {
    let desk = desk();
    let order = desk.order(&[]);
    desk.leaves(&order, 40_000_001);
    desk.fill(&order, r#","takerAmount":"16000000000000000""#).unwrap();
    let error = desk.fill(&order, r#","takerAmount":"16000000000000001""#).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("options.takerAmount")));
    assert_eq!(error.expected.as_deref(), Some("at most 16000000000000000, which is left"));
}

#[test]
fn a_price_below_the_one_that_was_shown_is_refused() {
    let desk = desk();
    let order = desk.order(&[]);
    desk.fill(&order, r#","minMakerAmount":"100000000""#).unwrap();
    let error = desk.fill(&order, r#","minMakerAmount":"100000001""#).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::VerifyMismatch, Some("fill.makerAmount")));
    let error = desk.fill(&order, r#","takerAmount":"399999999""#).unwrap_err();
    assert_eq!(error.field.as_deref(), Some("fill.makerAmount"), "for less than one unit there is nothing");
    desk.fill(&order, r#","takerAmount":"400000000""#).unwrap();
}

#[test]
fn several_orders_of_a_pair_are_filled_in_one_call_in_their_order() {
    let desk = desk();
    let (one, two) = (desk.order(&[]), desk.order(&[("nonceAndMeta", r#""8""#)]));
    desk.leaves(&two, 50_000_001);
    let orders = Json::Array(vec![one.clone(), two.clone()]);
    let info = |order: &Json, give: u64| OrderInfo {
        order: rfq_order(order),
        signature: signature(order),
        takerTokenFillAmount: U256::from(give),
        permitTakerAsset: Default::default(),
        permitMakerAsset: Default::default(),
    };
    let batch = |infos| batchFillOrderWithTargetCall { orderInfos: infos, target: desk.rig.owner() }.abi_encode();
    let all = vec![info(&one, 40_000_000_000_000_000), info(&two, 20_000_000_000_000_000)];
    assert_eq!(sent(&desk, &orders, ""), batch(all));
    let part = vec![info(&one, 40_000_000_000_000_000), info(&two, 4_000)];
    assert_eq!(sent(&desk, &orders, r#","takerAmount":"40000000000004000""#), batch(part));
    // Fills that the first order alone can give need no batch.
    let call = fillOrderCall { order: rfq_order(&one), signature: signature(&one) };
    assert_eq!(sent(&desk, &orders, r#","takerAmount":"40000000000000000""#), call.abi_encode());
}

#[test]
fn one_makers_funds_count_once_for_several_orders() {
    let desk = desk();
    let orders = Json::Array(vec![desk.order(&[]), desk.order(&[("nonceAndMeta", r#""8""#)])]);
    let key = (address(SRC), desk.maker.accounts[0]);
    desk.market.borrow_mut().balances.insert(key, U256::from(200_000_000));
    desk.fill(&orders, "").unwrap();
    desk.market.borrow_mut().balances.insert(key, U256::from(199_999_999));
    desk.rig.world.age_reads();
    let error = desk.fill(&orders, "").unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::VerifyMismatch, Some("orders.1.makerBalance")));
}

#[test]
fn orders_of_another_chain_or_pair_and_one_twice_do_not_go_together() {
    let desk = desk();
    let one = desk.order(&[]);
    let other = format!(r#""{RFQ}""#);
    for (changes, field) in [
        ([("makerAsset", other.as_str())], "orders.1.makerAsset"),
        ([("takerAsset", other.as_str())], "orders.1.takerAsset"),
        ([("chainId", "1")], "orders.1.chainId"),
        ([("extra", "2")], "orders.1"),
    ] {
        let orders = Json::Array(vec![one.clone(), desk.order(&changes)]);
        let error = desk.fill(&orders, "").unwrap_err();
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some(field)));
    }
}

#[test]
fn what_the_taker_gives_is_approved_to_the_rfq_contract_exactly() {
    let desk = desk();
    let order = desk.order(&[]);
    let key = (address(DEST), desk.rig.owner());
    desk.market.borrow_mut().allowances.insert(key, U256::from(39_999_999_999_999_999_u64));
    let build = desk.fill(&order, "").unwrap();
    let approval = at(&build, "approval");
    assert_eq!((text(approval, "path"), text(approval, "spender")), ("otc", RFQ));
    assert_eq!((text(approval, "token"), text(approval, "amount")), (DEST, "40000000000000000"));
    let error = desk.rig.call("submit", &build, "{}").unwrap_err();
    assert_eq!(error.code, ErrorCode::InsufficientAllowance);
    desk.rig.world.assert_untouched();
    desk.market.borrow_mut().allowances.insert(key, U256::from(40_000_000_000_000_000_u64));
    desk.rig.call("submit", &build, "{}").unwrap();
}

#[test]
fn a_fill_that_would_revert_is_stopped_before_the_wallet_with_the_contracts_words() {
    let desk = desk();
    let build = desk.fill(&desk.order(&[]), "").unwrap();
    desk.market.borrow_mut().reverts = true;
    desk.rig.world.age_reads();
    let error = desk.rig.call("submit", &build, "{}").unwrap_err();
    assert_eq!((error.code, error.actual.as_deref()), (ErrorCode::WalletFailed, Some("Access denied")));
    desk.rig.world.assert_untouched();
}

#[test]
fn a_fills_options_are_refused_by_name() {
    let desk = desk();
    let order = desk.order(&[]);
    for (more, field) in [
        (r#","takerAmount":"0""#.into(), "options.takerAmount"),
        (r#","takerAmount":5"#.into(), "options.takerAmount"),
        (format!(r#","receiver":"{SRC}""#), "options.receiver"),
        (format!(r#","receiver":"{RFQ}""#), "options.receiver"),
        (format!(r#","receiver":"{}""#, Address::ZERO), "options.receiver"),
        (r#","target":"x""#.into(), "options.target"),
    ] {
        let error = desk.fill(&order, &more).unwrap_err();
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some(field)));
    }
    for (name, wrong) in [("makerDecimals", 7), ("takerDecimals", 17)] {
        let mut options = json(super::DECIMALS);
        set(&mut options, name, &wrong.to_string());
        let error = desk.rig.call("otc.buildFill", &order, &options.write()).unwrap_err();
        assert_eq!((error.code, error.field.clone()), (ErrorCode::InvalidInput, Some(format!("options.{name}"))));
    }
}

#[test]
fn a_key_signature_needs_no_call_to_the_makers_code() {
    // A key that delegates to code still signs for itself, as the contract sees it.
    let desk = desk();
    let maker = desk.maker.accounts[0];
    desk.rig.world.chain.borrow_mut().node(8453).code.insert(maker, [&[0xef, 1, 0][..], &[7; 20]].concat());
    desk.fill(&desk.order(&[]), "").unwrap();
}
