//! The RFQ contract's calls.

use super::fill::Share;
use crate::domain::abi::{Part, call};
use crate::domain::typed_struct::TypedStruct;
use alloy_primitives::{Address, B256};

/// An order with what the contract needs to fill it.
#[derive(Clone, Debug)]
pub struct Fill<'a> {
    /// What the maker signed.
    pub order: &'a TypedStruct,
    /// The maker's signature.
    pub signature: &'a [u8],
    /// How much of it.
    pub share: Share,
    /// Nobody has touched the order, and all of it is filled.
    pub is_whole: bool,
    /// Stands in for the taker's approval; empty where there is one.
    pub taker_permit: &'a [u8],
    /// Stands in for the maker's approval; empty where there is one.
    pub maker_permit: &'a [u8],
}

impl<'a> Fill<'a> {
    fn order(&self) -> Vec<Part<'a>> {
        self.order.parts()
    }
}

/// Calldata that fills these orders for `target`, and the function's name.
pub fn fill<'a>(fills: &[Fill<'a>], taker: Address, target: Address) -> (Vec<u8>, &'static str) {
    let [one] = fills else { return batch(fills, target) };
    let (mut parts, signature, give) = (one.order(), Part::Bytes(one.signature), Part::from(one.share.give));
    parts.push(signature);
    if !one.is_whole || !one.taker_permit.is_empty() || !one.maker_permit.is_empty() {
        parts.push(give);
    }
    let (selector, name) = match (target == taker, one) {
        (_, Fill { taker_permit, maker_permit, .. }) if !taker_permit.is_empty() || !maker_permit.is_empty() => {
            parts.push(target.into());
            parts.push(Part::Bytes(taker_permit));
            parts.push(Part::Bytes(maker_permit));
            ([0xda, 0x6b, 0x84, 0xaf], "partialFillOrderWithTargetPermit")
        }
        (true, Fill { is_whole: true, .. }) => ([0x98, 0xf9, 0xb4, 0x6b], "fillOrder"),
        (true, _) => ([0xc8, 0x8a, 0xe6, 0xdc], "partialFillOrder"),
        (false, _) => {
            parts.push(target.into());
            match one.is_whole {
                true => ([0x00, 0x15, 0x40, 0x08], "fillOrderWithTarget"),
                false => ([0x24, 0xab, 0xf8, 0x28], "partialFillOrderWithTarget"),
            }
        }
    };
    (call(selector, &parts), name)
}

/// All of them, or none.
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
    (call([0x07, 0x78, 0x22, 0xbd], &[infos, target.into()]), "batchFillOrderWithTarget")
}

/// Calldata that cancels orders of the sender, and the function's name.
pub fn cancel(hashes: &[B256]) -> (Vec<u8>, &'static str) {
    match hashes {
        [one] => (call([0x74, 0x89, 0xec, 0x23], &[Part::Word(*one)]), "cancelOrder"),
        all => {
            let mut words = Vec::new();
            for hash in all {
                words.push(Part::Word(*hash));
            }
            (call([0x21, 0xc7, 0x7c, 0x96], &[Part::Array(words)]), "cancelOrders")
        }
    }
}

/// Calldata of `remaining(maker, orderHash)`.
pub fn remaining(maker: Address, order_hash: B256) -> Vec<u8> {
    call([0x0b, 0x57, 0xf0, 0x91], &[maker.into(), Part::Word(order_hash)])
}
