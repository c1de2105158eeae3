//! The calls of the RFQ contract: a taker fills orders, a maker cancels them, anybody reads the remaining amount.
//!
//! Calldata is built here from verified orders; nothing in it comes from the service.

use super::fill::Share;
use super::order::OtcOrder;
use crate::domain::abi::{Part, call};
use alloy_primitives::{Address, B256};
use alloy_sol_types::{SolCall, sol};

// Only for the selectors. A struct's members stand in the order of its signed type.
sol! {
    struct Order {
        uint256 nonceAndMeta; uint128 expiry; address makerAsset; address takerAsset; address maker; address taker;
        uint256 makerAmount; uint256 takerAmount;
    }
    struct OrderInfo {
        Order order; bytes signature; uint256 takerTokenFillAmount; bytes permitTakerAsset; bytes permitMakerAsset;
    }

    function fillOrder(Order order, bytes signature);
    function fillOrderWithTarget(Order order, bytes signature, address target);
    function partialFillOrder(Order order, bytes signature, uint256 takerTokenFillAmount);
    function partialFillOrderWithTarget(Order order, bytes signature, uint256 takerTokenFillAmount, address target);
    function partialFillOrderWithTargetPermit(
        Order order,
        bytes signature,
        uint256 takerTokenFillAmount,
        address target,
        bytes permitTakerAsset,
        bytes permitMakerAsset
    );
    function batchFillOrderWithTarget(OrderInfo[] orderInfos, address target);
    function cancelOrder(bytes32 orderHash);
    function cancelOrders(bytes32[] orderHashes);
    function remaining(address maker, bytes32 orderHash) view returns (uint256);
}

/// An order with the arguments that the contract needs to fill it.
#[derive(Clone, Debug)]
pub struct Fill<'a> {
    /// The struct that the maker signed.
    pub order: &'a OtcOrder,
    /// The maker's signature.
    pub signature: &'a [u8],
    /// The amounts of this fill.
    pub share: Share,
    /// Whether no part of the order has been filled yet, and all of it is filled now.
    pub is_whole: bool,
    /// The taker's permit in place of an approval; empty if there is none.
    pub taker_permit: &'a [u8],
    /// The maker's permit in place of an approval; empty if there is none.
    pub maker_permit: &'a [u8],
}

impl<'a> Fill<'a> {
    /// The order's members as arguments.
    fn order(&self) -> Vec<Part<'a>> {
        self.order.parts()
    }
}

/// Calldata with which `taker` fills these orders and `target` receives, and the function's name: the plainest function
/// that can do it, or the batch one for several orders.
pub fn fill<'a>(fills: &[Fill<'a>], taker: Address, target: Address) -> (Vec<u8>, &'static str) {
    let [one] = fills else { return batch(fills, target) };
    single(one, one.is_whole, target, target != taker)
}

/// Every calldata that fills these orders so, [`fill`]'s first: a whole order can be filled as a part of itself, the taker
/// can be named as target, and one order is a batch of one.
pub fn fill_forms(fills: &[Fill<'_>], taker: Address, target: Address) -> Vec<Vec<u8>> {
    let mut forms = vec![fill(fills, taker, target).0];
    if let [one] = fills {
        forms.push(single(one, one.is_whole, target, true).0);
        forms.push(single(one, false, target, true).0);
        forms.push(single(one, false, target, target != taker).0);
        forms.push(batch(fills, target).0);
    }
    forms
}

/// The call that fills one order, whole or as a part; for `target`, which otherwise is the sender.
fn single(one: &Fill<'_>, is_whole: bool, target: Address, names_target: bool) -> (Vec<u8>, &'static str) {
    let (mut parts, has_permit) = (one.order(), !one.taker_permit.is_empty() || !one.maker_permit.is_empty());
    parts.push(Part::Bytes(one.signature));
    if !is_whole || has_permit {
        parts.push(one.share.give.into());
    }
    if names_target || has_permit {
        parts.push(target.into());
    }
    let (selector, name) = match (is_whole, names_target) {
        _ if has_permit => {
            parts.push(Part::Bytes(one.taker_permit));
            parts.push(Part::Bytes(one.maker_permit));
            (partialFillOrderWithTargetPermitCall::SELECTOR, "partialFillOrderWithTargetPermit")
        }
        (true, false) => (fillOrderCall::SELECTOR, "fillOrder"),
        (true, true) => (fillOrderWithTargetCall::SELECTOR, "fillOrderWithTarget"),
        (false, false) => (partialFillOrderCall::SELECTOR, "partialFillOrder"),
        (false, true) => (partialFillOrderWithTargetCall::SELECTOR, "partialFillOrderWithTarget"),
    };
    (call(selector, &parts), name)
}

/// The batch call, which fills all of the orders or none.
fn batch(fills: &[Fill<'_>], target: Address) -> (Vec<u8>, &'static str) {
    let mut infos = Vec::new();
    for one in fills {
        let mut parts = one.order();
        parts.push(Part::Bytes(one.signature));
        parts.push(one.share.give.into());
        parts.push(Part::Bytes(one.taker_permit));
        parts.push(Part::Bytes(one.maker_permit));
        infos.push(Part::Struct(parts));
    }
    let infos = Part::Array(infos);
    (call(batchFillOrderWithTargetCall::SELECTOR, &[infos, target.into()]), "batchFillOrderWithTarget")
}

/// Calldata that cancels orders of the sender, by hash, and the function's name. For an order of another maker the
/// contract does nothing, without an error.
pub fn cancel(hashes: &[B256]) -> (Vec<u8>, &'static str) {
    match hashes {
        [one] => (call(cancelOrderCall::SELECTOR, &[Part::Word(*one)]), "cancelOrder"),
        all => {
            let mut words = Vec::new();
            for hash in all {
                words.push(Part::Word(*hash));
            }
            (call(cancelOrdersCall::SELECTOR, &[Part::Array(words)]), "cancelOrders")
        }
    }
}

/// Calldata of `remaining(maker, orderHash)`; [`super::fill::left`] reads the answer.
pub fn remaining(maker: Address, order_hash: B256) -> Vec<u8> {
    call(remainingCall::SELECTOR, &[maker.into(), Part::Word(order_hash)])
}
