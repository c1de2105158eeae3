//! A maker takes orders back.

use super::{Desk, Rig, Signer, desk, json, otc_hash, set, text};
use crate::fake_host::{RFQ, at};
use alloy_primitives::keccak256;
use verify::internal::error::ErrorCode;
use verify::internal::json::Json;

/// The desk with the maker at the wallet.
pub fn maker() -> Desk {
    let desk = desk();
    *desk.rig.world.signer.borrow_mut() = Signer::new(super::MAKER_KEY);
    desk
}

pub fn cancellation(rig: &Rig, orders: &Json) -> Result<Json, verify::internal::error::Error> {
    rig.call("otc.buildCancellation", orders, "{}")
}

#[test]
fn one_order_and_several_are_cancelled_by_their_hashes() {
    let desk = maker();
    let (one, two) = (desk.order(&[]), desk.order(&[("nonceAndMeta", r#""8""#)]));
    let build = cancellation(&desk.rig, &one).unwrap();
    assert_eq!((text(&build, "purpose"), text(&build, "transaction.to")), ("cancel", RFQ));
    assert_eq!(at(&build, "approval"), &Json::Null);
    let expected = format!("Cancel 1 OTC order of {} on Base", desk.maker.accounts[0]);
    assert_eq!(text(&build, "report.sentence"), expected);
    let selector = |name: &str| keccak256(name)[..4].to_vec();
    assert_eq!(desk.sent(&build), [selector("cancelOrder(bytes32)"), otc_hash(&one).to_vec()].concat());
    let build = cancellation(&desk.rig, &Json::Array(vec![one.clone(), two.clone()])).unwrap();
    let word = |number: u8| [&[0; 31][..], &[number]].concat();
    let hashes = [otc_hash(&one).to_vec(), otc_hash(&two).to_vec()].concat();
    let data = [selector("cancelOrders(bytes32[])"), word(32), word(2), hashes].concat();
    assert_eq!(desk.sent(&build), data);
}

#[test]
fn another_makers_order_is_not_cancelled() {
    // The contract takes such a call, and changes nothing.
    let desk = desk();
    let error = cancellation(&desk.rig, &desk.order(&[])).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::VerifyMismatch, Some("order.maker")));
}

#[test]
fn an_order_that_is_over_is_not_cancelled_again() {
    let desk = maker();
    let (one, two) = (desk.order(&[]), desk.order(&[("nonceAndMeta", r#""8""#)]));
    desk.leaves(&two, 1);
    let error = cancellation(&desk.rig, &Json::Array(vec![one.clone(), two])).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::VerifyMismatch, Some("orders.1.remaining")));
    desk.leaves(&one, 2);
    cancellation(&desk.rig, &one).unwrap();
}

#[test]
fn a_hash_that_is_not_the_orders_own_is_refused() {
    let desk = maker();
    let mut order = desk.order(&[]);
    set(&mut order, "makerAmount", r#""100000001""#);
    let error = cancellation(&desk.rig, &order).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::VerifyMismatch, Some("order.orderHash")));
    let error = cancellation(&desk.rig, &json("[]")).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("orders")));
}
