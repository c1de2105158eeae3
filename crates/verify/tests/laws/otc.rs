//! Laws of OTC: fills as a contract computes them, orders and calls as another library writes them.

use alloy_primitives::{Address, B256, U256, U512};
use alloy_sol_types::{Eip712Domain, SolCall, SolStruct};
use otc_abi::IRfq::{batchFillOrderWithTargetCall, cancelOrdersCall, partialFillOrderWithTargetPermitCall};
use otc_abi::{Order, OrderInfo};
use proptest::prelude::*;
use verified_swap_verify::internal::domain::otc::calls::{self, Fill};
use verified_swap_verify::internal::domain::otc::fill::{Share, left, rest, share};
use verified_swap_verify::internal::domain::otc::order::{self, OtcOrder};

#[path = "../../../../tests/shared/otc_abi.rs"]
mod otc_abi;

fn amount() -> impl Strategy<Value = U256> {
    (any::<[u64; 4]>(), 1usize..=120)
        .prop_map(|(limbs, bits)| (U256::from_limbs(limbs) >> (256 - bits)) | U256::from(1))
}

fn address() -> impl Strategy<Value = Address> {
    any::<[u8; 20]>().prop_map(Address::from)
}

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 0..=70)
}

prop_compose! {
    fn any_order()(
        (nonce, expiry) in (any::<[u64; 4]>(), any::<u64>()),
        (maker_asset, taker_asset, maker, taker) in (address(), address(), address(), address()),
        (maker_amount, taker_amount) in (amount(), amount()),
    ) -> Order {
        Order {
            nonceAndMeta: U256::from_limbs(nonce), expiry: expiry.into(), makerAsset: maker_asset, takerAsset: taker_asset,
            maker, taker, makerAmount: maker_amount, takerAmount: taker_amount,
        }
    }
}

fn ours(order: &Order) -> OtcOrder {
    let word = |address: Address| U256::from_be_bytes(address.into_word().0);
    order::from_words([
        order.nonceAndMeta,
        U256::from(order.expiry),
        word(order.makerAsset),
        word(order.takerAsset),
        word(order.maker),
        word(order.taker),
        order.makerAmount,
        order.takerAmount,
    ])
}

fn wide(value: U256) -> U512 {
    U512::from(value)
}

proptest! {
    #[test]
    fn an_order_hashes_as_by_another_library(order in any_order(), chain_id in any::<u64>(), rfq in address()) {
        let domain = Eip712Domain::new(
            Some("AUGUSTUS RFQ".into()), Some("1".into()), Some(U256::from(chain_id)), Some(rfq), None,
        );
        let digest = ours(&order).digest(&order::domain(chain_id, rfq));
        prop_assert_eq!(digest.digest, order.eip712_signing_hash(&domain));
        prop_assert_eq!(digest.domain_separator, domain.separator());
    }

    #[test]
    fn a_nonce_and_a_taker_stay_apart(nonce in any::<[u64; 2]>(), taker in address()) {
        let nonce = U256::from_limbs([nonce[0], nonce[1] >> 32, 0, 0]);
        prop_assume!(nonce < order::NONCES);
        let both = order::nonce_and_meta(nonce, taker);
        prop_assert_eq!(both >> 160, nonce);
        prop_assert_eq!(Address::from_word(B256::from(both & ((U256::from(1) << 160) - U256::from(1)))), taker);
    }

    #[test]
    fn a_share_is_the_price_rounded_down(order in any_order(), give in amount()) {
        let expected = wide(give) * wide(order.makerAmount) / wide(order.takerAmount);
        let found = share(&ours(&order), give).unwrap();
        prop_assert_eq!((found.give, wide(found.get)), (give, expected));
    }

    #[test]
    fn the_rest_takes_what_there_is_and_gives_no_unit_too_many(order in any_order(), part in amount()) {
        let whole = order.makerAmount;
        let remaining = part % whole + U256::from(2);
        let there = left(&ours(&order), remaining);
        prop_assert_eq!(there, remaining - U256::from(1));
        let Share { give, get } = rest(&ours(&order), there).unwrap();
        prop_assert!(get <= there, "no more than there is");
        let got_by = |give: U256| wide(give) * wide(whole) / wide(order.takerAmount);
        prop_assert_eq!(got_by(give), wide(get), "as the contract computes it");
        prop_assert!(got_by(give + U256::from(1)) > wide(there) || get == there, "another unit would be too many");
        prop_assert!(give.is_zero() || got_by(give - U256::from(1)) < wide(get), "one unit less gets less");
    }

    #[test]
    fn an_untouched_order_is_left_whole(order in any_order()) {
        let all = ours(&order);
        let found = rest(&all, left(&all, U256::ZERO)).unwrap();
        prop_assert_eq!((found.give, found.get), (order.takerAmount, order.makerAmount));
        prop_assert_eq!(left(&all, U256::from(1)), U256::ZERO);
    }

    #[test]
    fn calls_are_laid_out_as_by_another_library(
        orders in prop::collection::vec((any_order(), bytes(), bytes(), bytes(), amount()), 2..=4),
        (taker, target) in (address(), address()),
    ) {
        let structs: Vec<OtcOrder> = orders.iter().map(|(order, ..)| ours(order)).collect();
        let fills: Vec<Fill<'_>> = orders.iter().zip(&structs).map(|((_, signature, one, two, give), order)| Fill {
            order, signature, share: Share { give: *give, get: U256::ZERO }, is_whole: false,
            taker_permit: one, maker_permit: two,
        }).collect();
        let infos = orders.iter().map(|(order, signature, one, two, give)| OrderInfo {
            order: order.clone(), signature: signature.clone().into(), takerTokenFillAmount: *give,
            permitTakerAsset: one.clone().into(), permitMakerAsset: two.clone().into(),
        }).collect();
        prop_assert_eq!(calls::fill(&fills, taker, target).0, batchFillOrderWithTargetCall { orderInfos: infos, target }.abi_encode());
        let (order, signature, one, two, give) = orders[0].clone();
        prop_assume!(!one.is_empty() || !two.is_empty());
        let expected = partialFillOrderWithTargetPermitCall {
            order, signature: signature.into(), takerTokenFillAmount: give, target, permitTakerAsset: one.into(),
            permitMakerAsset: two.into(),
        };
        prop_assert_eq!(calls::fill(&fills[..1], taker, target).0, expected.abi_encode());
    }

    #[test]
    fn cancellations_are_laid_out_as_by_another_library(hashes in prop::collection::vec(any::<[u8; 32]>(), 2..=5)) {
        let hashes: Vec<B256> = hashes.into_iter().map(B256::from).collect();
        prop_assert_eq!(calls::cancel(&hashes).0, cancelOrdersCall { orderHashes: hashes }.abi_encode());
    }
}
