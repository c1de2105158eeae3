//! An allowance that is missing when something is submitted: the error says what to approve, and approved it goes on.

use super::fake_host::{DELTA, DEST, RFQ, ROUTER, Rig, SELL, SRC, at, json, selling_native, text};
use super::market;
use super::otc::{DECIMALS, OFFER, desk};
use alloy_primitives::{Address, U256};
use verify::internal::error::{Error, ErrorCode};
use verify::internal::json::Json;

/// The allowance of the source token for a path's contract, from now on.
fn allow(rig: &Rig, spender: &str, amount: u64) {
    let key: (Address, Address) = (SRC.parse().unwrap(), spender.parse().unwrap());
    rig.world.chain.borrow_mut().node(8453).allowances.insert(key, U256::from(amount));
}

/// The approval that the error offers: as the build does, where it has one.
#[track_caller]
fn offered(error: &Error, path: &str, spender: &str) -> Json {
    assert_eq!(error.code, ErrorCode::InsufficientAllowance, "{error:?}");
    let approval = json(error.approval.as_ref().expect("what to approve"));
    assert_eq!((text(&approval, "path"), text(&approval, "amount")), (path, "100000000"));
    assert_eq!(text(&approval, "token"), SRC);
    assert!(text(&approval, "spender").eq_ignore_ascii_case(spender), "{}", text(&approval, "spender"));
    assert_eq!(json(&error.write()).get("approval"), Some(&approval), "as JavaScript sees it");
    approval
}

#[test]
fn a_gasless_order_that_lost_its_allowance_says_what_to_approve() {
    let rig = Rig::default();
    let build = rig.built(SELL).unwrap();
    assert_eq!(at(&build, "approval"), &Json::Null);
    allow(&rig, DELTA, 99_999_999);
    rig.world.age_reads();
    let error = rig.submit(&build).unwrap_err();
    let approval = offered(&error, "delta", DELTA);
    assert_eq!(text(&approval, "current"), "99999999");
    assert_eq!(at(&rig.built(SELL).unwrap(), "approval"), &approval, "the very approval that a build offers now");
    rig.world.assert_untouched();
    rig.approve(&approval, "{}").unwrap();
    rig.submit(&build).unwrap();
}

#[test]
fn a_refusal_of_the_service_says_what_to_approve_and_keeps_what_is_signed() {
    let rig = Rig::default();
    let build = rig.built(SELL).unwrap();
    // It is taken away while the order is on its way.
    rig.world.at_each(|world, moment| {
        if moment == super::fake_host::Moment::Fetch("post") {
            let key: (Address, Address) = (SRC.parse().unwrap(), DELTA.parse().unwrap());
            world.chain.borrow_mut().node(8453).allowances.insert(key, U256::ZERO);
        }
    });
    rig.world.service.borrow_mut().next_is("post", 400, r#"{"errorType":"InsufficientAllowance"}"#);
    let error = rig.submit(&build).unwrap_err();
    let approval = offered(&error, "delta", DELTA);
    rig.world.at_each(|_, _| {});
    rig.approve(&approval, "{}").unwrap();
    rig.submit(&json(error.signed_order.as_ref().unwrap())).unwrap();
    assert_eq!(rig.world.prompts(), 1);
}

#[test]
fn a_service_that_misses_an_allowance_that_is_there_gets_no_approval_offered() {
    let rig = Rig::default();
    let build = rig.built(SELL).unwrap();
    rig.world.service.borrow_mut().next_is("post", 400, r#"{"errorType":"InsufficientAllowance"}"#);
    let error = rig.submit(&build).unwrap_err();
    assert_eq!((error.code, &error.approval), (ErrorCode::InsufficientAllowance, &None));
    assert!(error.signed_order.is_some());
}

#[test]
fn a_service_whose_node_is_behind_gets_the_approved_order_again_for_half_a_minute() {
    const REFUSED: &str = r#"{"errorType":"InsufficientAllowance"}"#;
    for (until_sent, recovers) in [(false, true), (true, true), (false, false)] {
        let rig = Rig::default();
        allow(&rig, DELTA, 0);
        let build = rig.built(SELL).unwrap();
        rig.approve(at(&build, "approval"), if until_sent { r#"{"until":"sent"}"# } else { "{}" }).unwrap();
        rig.world.service.borrow_mut().always_is("post", 400, REFUSED);
        let began = rig.world.unix_ms.get();
        rig.world.at_each(move |world, moment| {
            if recovers && moment == super::fake_host::Moment::Sleep && world.unix_ms.get() > began + 20_000 {
                world.service.borrow_mut().recovers();
            }
        });
        let outcome = rig.submit(&build);
        let took = rig.world.unix_ms.get() - began;
        assert_eq!(outcome.is_ok(), recovers, "{outcome:?}");
        assert!(if recovers { took < 30_000 } else { (25_000..=31_000).contains(&took) }, "{took}");
        // The same bytes, not a request each millisecond.
        let posts = rig.world.posts();
        assert!((5..=12).contains(&posts.len()) && posts.iter().all(|post| *post == posts[0]), "{}", posts.len());
        if let Err(error) = outcome {
            assert_eq!(error.code, ErrorCode::InsufficientAllowance);
            assert!(error.signed_order.is_some());
        }
        assert_eq!(rig.world.wallet_was_asked("eth_signTypedData_v4").len(), 1);
    }
}

#[test]
fn a_transaction_that_lost_its_allowance_says_what_to_approve() {
    let rig = market::allowed(100_000_000);
    let build = market::built(&rig, SELL).unwrap();
    assert_eq!(at(&build, "approval"), &Json::Null);
    allow(&rig, ROUTER, 0);
    rig.world.age_reads();
    let error = rig.call("submit", &build, "{}").unwrap_err();
    let approval = offered(&error, "market", ROUTER);
    assert!(rig.world.wallet_was_asked("eth_sendTransaction").is_empty());
    rig.approve(&approval, "{}").unwrap();
    rig.call("submit", &build, "{}").unwrap();
}

#[test]
fn a_makers_offer_and_a_takers_fill_say_what_to_approve() {
    let rig = Rig::default();
    allow(&rig, RFQ, 100_000_000);
    let build = rig.call("otc.build", &json(OFFER), "{}").unwrap();
    allow(&rig, RFQ, 1);
    rig.world.age_reads();
    let error = rig.call("submit", &build, "{}").unwrap_err();
    let approval = offered(&error, "otc", RFQ);
    rig.world.assert_untouched();
    rig.approve(&approval, "{}").unwrap();
    rig.call("submit", &build, "{}").unwrap();

    let desk = desk();
    let build = desk.rig.call("otc.buildFill", &desk.order(&[]), DECIMALS).unwrap();
    assert_eq!(at(&build, "approval"), &Json::Null);
    desk.market.borrow_mut().allowances.insert((DEST.parse().unwrap(), desk.rig.owner()), U256::ZERO);
    desk.rig.world.age_reads();
    let error = desk.rig.call("submit", &build, "{}").unwrap_err();
    assert_eq!(error.code, ErrorCode::InsufficientAllowance);
    let approval = json(error.approval.as_ref().unwrap());
    assert_eq!((text(&approval, "token"), text(&approval, "amount")), (DEST, "40000000000000000"));
}

#[test]
fn the_native_token_needs_no_approval_whatever_the_service_says() {
    let rig = Rig::default();
    let request = selling_native(SELL);
    let contract = Box::new(|_: &Json| Ok(json(r#""0x""#)));
    rig.world.chain.borrow_mut().node(8453).contracts.insert(DELTA.parse().unwrap(), contract);
    let build = rig.built(&request).unwrap();
    rig.world.service.borrow_mut().next_is("post", 400, r#"{"errorType":"InsufficientAllowance"}"#);
    rig.world.signer.borrow_mut().next_fails("eth_sendTransaction", 4001);
    let error = rig.submit(&build).unwrap_err();
    assert_eq!((error.code, &error.approval), (ErrorCode::UserRejected, &None));
}
