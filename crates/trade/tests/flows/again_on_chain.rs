//! The chain's word on an order ends it, or not, before another one for the same trade is signed.

use super::again::{
    ANOTHER, PARTS, REPLACE, assert_refused, assert_words_once_spent, consenting, hash, signed_and_built,
};
use super::fake_host::{Moment, Rig, SELL, json, selling_native, text};
use verify::internal::error::ErrorCode;

#[test]
fn consent_on_chain_counts_as_a_signature() {
    const PRE_SIGN: &str = r#"{"preSign":true}"#;
    let sent = |rig: &Rig| rig.world.wallet_was_asked("eth_sendTransaction").len();
    for (fault, counts) in
        [("", true), ("rejected", false), ("reverted", false), ("dropped", true), ("abandoned", true)]
    {
        let rig = consenting();
        let first = rig.built(SELL).unwrap();
        match fault {
            "rejected" => rig.world.signer.borrow_mut().next_fails("eth_sendTransaction", 4001),
            "reverted" => rig.world.chain.borrow_mut().node(8453).reverts = true,
            "dropped" => {
                rig.world.chain.borrow_mut().node(8453).pending_for = u32::MAX;
                rig.world.chain.borrow_mut().node(8453).forgets = true;
            }
            "abandoned" => {
                let stop = rig.signal.0.clone();
                rig.world.once(Moment::Answer("eth_sendTransaction"), move |_| stop.set(true));
            }
            _ => {}
        }
        let outcome = rig.submit_with(&first, PRE_SIGN);
        assert_eq!(outcome.is_ok(), fault.is_empty(), "{fault}: {outcome:?}");
        rig.signal.0.set(false);
        rig.world.chain.borrow_mut().node(8453).reverts = false;
        rig.world.pass(1_000);
        rig.mine_now(8453);
        let (second, before) = (rig.built(SELL).unwrap(), sent(&rig));
        for options in ["{}", PRE_SIGN] {
            let outcome = rig.submit_with(&second, options);
            assert_eq!(outcome.as_ref().is_err_and(|error| error.code == ErrorCode::AlreadySigned), counts, "{fault}");
            if !counts {
                break;
            }
        }
        assert_eq!(sent(&rig), before);
    }
}

#[test]
fn a_build_whose_nonce_was_used_meanwhile_is_not_signed_for_nothing() {
    for options in ["{}", REPLACE, ANOTHER, r#"{"preSign":true}"#] {
        let (rig, first, second) = signed_and_built();
        rig.fill(&first);
        let error = rig.submit_with(&second, options).unwrap_err();
        assert_refused(&rig, &error, &first, (1, 1));
        assert_words_once_spent(&error, &first, options.contains("existing"));
        rig.world.pass(1_000);
        rig.submit(&rig.built(SELL).unwrap()).unwrap();
    }
}

#[test]
fn an_order_in_parts_is_settled_by_a_cancellation_that_went_through() {
    for reverts in [false, true] {
        let rig = consenting();
        let request = selling_native(SELL);
        rig.world.service.borrow_mut().building.native = Some(super::fake_host::WRAPPED);
        let build = || rig.built_as(&request, PARTS).unwrap();
        let first = build();
        rig.submit(&first).unwrap();
        let typed = super::fake_host::at(&first, "typedData.message").write();
        let order = format!(
            r#"{{"status":"ACTIVE","orderHash":"{}","owner":"{}","input":{{"chainId":8453}},"order":{typed}}}"#,
            hash(&first),
            rig.owner()
        );
        let cancellation = rig.call("buildCancellation", &json(&order), "{}").unwrap();
        rig.world.pass(1_000);
        // It is built, not sent.
        assert_eq!(rig.submit(&build()).unwrap_err().code, ErrorCode::AlreadySigned);
        rig.world.chain.borrow_mut().node(8453).reverts = reverts;
        rig.world.chain.borrow_mut().node(8453).pending_for = u32::MAX;
        rig.call("submit", &cancellation, "{}").unwrap();
        // It is sent, not in a block.
        rig.world.pass(1_000);
        assert_eq!(rig.submit(&build()).unwrap_err().code, ErrorCode::AlreadySigned);
        rig.world.chain.borrow_mut().node(8453).pending_for = 0;
        rig.world.pass(1_000);
        assert_eq!(rig.submit(&build()).is_ok(), !reverts);
    }
}

#[test]
fn a_cancellation_by_the_nonce_settles_no_order_in_parts_whatever_the_service_calls_it() {
    let rig = consenting();
    rig.world.service.borrow_mut().building.fillable = "Order";
    let first = rig.built_as(SELL, PARTS).unwrap();
    rig.submit(&first).unwrap();
    let typed = super::fake_host::at(&first, "typedData.message").write();
    let order = format!(
        r#"{{"status":"ACTIVE","onChainOrderType":"Order","orderHash":"{}","owner":"{}","input":{{"chainId":8453}},"order":{typed}}}"#,
        hash(&first),
        rig.owner()
    );
    let cancellation = rig.call("buildCancellation", &json(&order), "{}").unwrap();
    rig.call("submit", &cancellation, "{}").unwrap();
    rig.fill(&first);
    rig.world.pass(1_000);
    assert_refused(&rig, &rig.submit(&rig.built_as(SELL, PARTS).unwrap()).unwrap_err(), &first, (1, 1));
}

#[test]
fn an_order_that_is_over_leaves_its_nonce_to_its_replacement() {
    let rig = Rig::default();
    let first = rig.built_as(SELL, r#"{"slippageBps":50,"validForSecs":600}"#).unwrap();
    let replaced = || rig.built_as(SELL, r#"{"slippageBps":50,"existing":"replace","validForSecs":6000}"#).unwrap();
    rig.submit(&first).unwrap();
    rig.world.pass(1_000);
    let second = replaced();
    rig.submit(&second).unwrap();
    // The first cannot be filled any more; the second can, and a third one with its nonce in its place.
    rig.world.pass(700_000);
    rig.world.chain.borrow_mut().node(8453).time += 701;
    let third = replaced();
    assert_eq!(text(&third, "nonce"), text(&second, "nonce"));
    rig.submit(&third).unwrap();
    assert_eq!(rig.world.posts().len(), 3);
}
