//! Submitted again, shared or joined: one order for one intent, whichever attempt it was and wherever it was signed.

use super::again::{PARTS, REPLACE, assert_refused, consenting, hash, signed_and_built};
use super::fake_host::{Moment, Place, Rig, SELL, json, set, text, with};
use super::journal::note;
use super::kinds::kinds;
use alloy_primitives::{B256, U256};
use std::cell::RefCell;
use std::rc::Rc;
use verified_swap_trade::ledger::record::Entry;
use verified_swap_trade::ledger::step::Event;
use verify::internal::error::ErrorCode;
use verify::internal::json::Json;

#[test]
fn what_is_submitted_again_goes_on_where_it_was() {
    for kind in kinds() {
        let rig = kind.rig();
        rig.world.chain.borrow_mut().node(8453).balance = U256::from(10).pow(U256::from(24));
        let build = kind.built(&rig).unwrap();
        rig.world.service.borrow_mut().next_is("post", 400, r#"{"errorType":"InvalidInput"}"#);
        let signed = json(rig.submit(&build).unwrap_err().signed_order.as_ref().unwrap());
        let other = kind.once_more(&rig, "");
        let error = rig.submit(&other).unwrap_err();
        assert_refused(&rig, &error, &build, (1, 1));
        // A signed order is there to go on with.
        assert_eq!(json(error.signed_order.as_ref().unwrap()), signed);
        rig.submit(&build).unwrap();
        rig.submit(&signed).unwrap();
        assert_eq!((rig.world.prompts(), rig.world.posts().len()), (1, 3));
        assert!(rig.submit(&other).unwrap_err().signed_order.is_none(), "it is posted");
    }
}

#[test]
fn a_signed_order_from_before_a_reload_counts_once_it_is_handed_in() {
    let rig = Rig::default();
    let first = rig.built(SELL).unwrap();
    rig.world.service.borrow_mut().next_is("post", 400, r#"{"errorType":"InvalidInput"}"#);
    let signed = json(rig.submit(&first).unwrap_err().signed_order.as_ref().unwrap());
    let reloaded = Rig::in_world(Rc::clone(&rig.world), |shared, _| shared.settings.secret = [9; 32]);
    reloaded.submit(&signed).unwrap();
    rig.world.pass(1_000);
    let second = reloaded.built(SELL).unwrap();
    assert_refused(&reloaded, &reloaded.submit(&second).unwrap_err(), &first, (1, 2));
    assert_eq!(text(&second, "nonce"), text(&first, "nonce"));
    reloaded.submit_with(&second, REPLACE).unwrap();
}

#[test]
fn options_inside_a_noted_build_do_not_count() {
    let rig = Rig::default();
    rig.submit(&rig.built(SELL).unwrap()).unwrap();
    let elsewhere = Rig::in_world(Rc::clone(&rig.world), |shared, _| shared.settings.secret = [9; 32]);
    let build = elsewhere.built_as(SELL, r#"{"slippageBps":50,"existing":"keepBoth"}"#).unwrap();
    let request = with(SELL, &format!(r#""minReceived":"1","account":"{}""#, rig.owner()));
    note(&rig, &build);
    let error = rig.submit_with(&build, &format!(r#"{{"request":{request}}}"#)).unwrap_err();
    assert_eq!(error.code, ErrorCode::AlreadySigned);
    rig.submit_with(&build, &format!(r#"{{"request":{request},"existing":"keepBoth"}}"#)).unwrap();
}

#[test]
fn a_signature_made_elsewhere_for_a_second_order_is_not_posted() {
    let (rig, first, second) = signed_and_built();
    let signature = rig.world.signer.borrow().sign(hash(&second).parse().unwrap());
    let signature = alloy_primitives::hex::encode_prefixed(signature);
    let error = rig.submit_with(&second, &format!(r#"{{"signature":"{signature}"}}"#)).unwrap_err();
    assert_refused(&rig, &error, &first, (1, 1));
}

#[test]
fn an_order_that_the_user_rejected_is_not_signed() {
    for kind in kinds() {
        let rig = kind.rig();
        rig.world.chain.borrow_mut().node(8453).balance = U256::from(10).pow(U256::from(24));
        let build = kind.built(&rig).unwrap();
        rig.world.signer.borrow_mut().next_fails("eth_signTypedData_v4", 4001);
        assert_eq!(rig.submit(&build).unwrap_err().code, ErrorCode::UserRejected);
        rig.submit(&kind.once_more(&rig, "")).unwrap();
    }
}

#[test]
fn a_prompt_that_was_given_up_counts_once_it_is_answered() {
    for kind in kinds() {
        for (waits, code) in [(true, 0), (false, 0), (false, 4001)] {
            let rig = kind.rig();
            rig.world.chain.borrow_mut().node(8453).balance = U256::from(10).pow(U256::from(24));
            let first = kind.built(&rig).unwrap();
            if code != 0 {
                rig.world.signer.borrow_mut().next_fails("eth_signTypedData_v4", code);
            }
            rig.give_up(&first);
            rig.world.wallet_waits.set(waits);
            let second = kind.once_more(&rig, "");
            let outcome = rig.submit(&second);
            // While it is open it does no harm, where one nonce binds both.
            let is_signed = !waits && code == 0;
            match is_signed || (waits && kind.is_in_parts()) {
                true => assert_refused(&rig, &outcome.unwrap_err(), &first, (1, 0)),
                false => drop(outcome.unwrap()),
            }
            if is_signed {
                rig.submit(&first).unwrap();
            }
        }
    }
}

#[test]
fn a_second_prompt_opens_only_for_one_nonce_and_once_nobody_waits_for_the_first() {
    for (request, options, both) in [(SELL, r#"{"slippageBps":50}"#, true), (SELL, PARTS, false)] {
        let rig = Rc::new(Rig::default());
        let first = rig.built_as(request, options).unwrap();
        rig.world.pass(1_000);
        let second = rig.built_as(request, &with(options, r#""validForSecs":600"#)).unwrap();
        assert_eq!(text(&first, "nonce") == text(&second, "nonce"), both || options == PARTS);
        rig.world.wallet_waits.set(true);
        let (other, copy, told) = (Rc::clone(&rig), second.clone(), Rc::new(RefCell::new(None)));
        let tell = Rc::clone(&told);
        rig.world.once(Moment::Answer("eth_signTypedData_v4"), move |_| {
            *tell.borrow_mut() = Some(other.submit(&copy));
            other.signal.0.set(true);
        });
        assert_eq!(rig.submit(&first).unwrap_err().code, ErrorCode::Aborted);
        let error = told.borrow_mut().take().unwrap().unwrap_err();
        assert_eq!((error.code, rig.world.prompts()), (ErrorCode::AlreadySigned, 1));
        rig.signal.0.set(false);
        let told = rig.submit(&second);
        assert_eq!(told.is_ok(), both, "{told:?}");
        assert_eq!(rig.world.prompts(), if both { 2 } else { 1 });
    }
}

#[test]
fn an_order_signed_during_the_checks_stops_the_other() {
    for options in ["{}", r#"{"preSign":true}"#] {
        let rig = Rc::new(consenting());
        // One beside another has a lock of its own.
        let first = rig.built_as(SELL, r#"{"slippageBps":50,"existing":"keepBoth"}"#).unwrap();
        rig.world.pass(1_000);
        let second = rig.built(SELL).unwrap();
        rig.world.age_reads();
        let (other, copy) = (Rc::clone(&rig), first.clone());
        // After it was found to be alone.
        rig.world.once(Moment::Ask(Place::Node(8453), "eth_getBlockByNumber"), move |_| {
            other.submit(&copy).unwrap();
        });
        assert_refused(&rig, &rig.submit_with(&second, options).unwrap_err(), &first, (1, 1));
        assert!(rig.world.wallet_was_asked("eth_sendTransaction").is_empty());
    }
}

#[test]
fn a_double_click_shares_the_build() {
    for kind in kinds() {
        for more in ["", r#""existing":"keepBoth""#] {
            let rig = Rc::new(kind.rig());
            rig.world.chain.borrow_mut().node(8453).balance = U256::from(10).pow(U256::from(24));
            let quote = rig.quote(&kind.request).unwrap();
            let options = if more.is_empty() { kind.options.into() } else { with(kind.options, more) };
            // The second click while the service builds for the first.
            let told = Rc::new(RefCell::new(None));
            let (other, copy, words, tell) = (Rc::clone(&rig), quote.clone(), options.clone(), Rc::clone(&told));
            rig.world.once(Moment::Fetched("build"), move |world| {
                world.pass(1_500);
                world.chain.borrow_mut().node(8453).time += 1;
                *tell.borrow_mut() = Some(other.build(&copy, &words).unwrap());
            });
            let first = rig.build(&quote, &options).unwrap();
            let second = told.borrow_mut().take().unwrap();
            // And one later, for which nobody is asked.
            rig.world.pass(2_000);
            let asked = rig.world.sent("build").len();
            let third = rig.build(&quote, &options).unwrap();
            assert_eq!(rig.world.sent("build").len(), asked);
            assert_eq!(hash(&first), hash(&second), "{}", kind.request);
            assert_eq!(hash(&first), hash(&third), "{}", kind.request);
            for build in [&first, &second, &third] {
                assert_eq!(text(&rig.submit(build).unwrap(), "orderHash"), hash(&first));
            }
            assert_eq!((rig.world.prompts(), rig.world.posts().len()), (1, 1));
            // Said in other words, or for another price, it is another build.
            let other = rig.build(&quote, &with(&options, r#""minReceived":"1""#)).unwrap();
            assert_ne!(text(&other, "sealed"), text(&first, "sealed"));
        }
    }
}

#[test]
fn a_build_that_is_shared_is_verified_again_and_lies_are_not_kept() {
    let rig = Rig::default();
    let quote = rig.quote(SELL).unwrap();
    rig.world.service.borrow_mut().build_lie = Some(Box::new(|build| set(build, "toSign.value.destAmount", r#""1""#)));
    rig.build(&quote, r#"{"slippageBps":50}"#).unwrap_err();
    rig.world.service.borrow_mut().build_lie = None;
    let first = rig.build(&quote, r#"{"slippageBps":50}"#).unwrap();
    // The approval is the one that is missing by then.
    rig.world.age_reads();
    rig.world.chain.borrow_mut().node(8453).allowances.clear();
    let second = rig.build(&quote, r#"{"slippageBps":50}"#).unwrap();
    assert_eq!(hash(&first), hash(&second));
    assert!(first.get("approval") == Some(&Json::Null) && second.get("approval") != Some(&Json::Null));
}

#[test]
fn what_is_signed_already_is_submitted_also_beside_another_one() {
    let rig = Rig::default();
    let first = rig.built(SELL).unwrap();
    rig.world.service.borrow_mut().next_is("post", 400, r#"{"errorType":"InvalidInput"}"#);
    rig.submit(&first).unwrap_err();
    rig.world.pass(1_000);
    let other = rig.built_as(SELL, r#"{"slippageBps":50,"existing":"keepBoth"}"#).unwrap();
    let error = rig.submit_with(&other, REPLACE).unwrap_err();
    assert_eq!(error.actual.as_deref(), Some("a build of another nonce"));
    rig.submit(&other).unwrap();
    rig.submit(&first).unwrap();
    assert_eq!((rig.world.prompts(), rig.world.posts().len()), (2, 3));
}

#[test]
fn a_prompt_that_is_open_for_an_order_in_parts_is_named() {
    let rig = Rig::default();
    let request = with(SELL, r#""numSlices":3,"intervalSecs":600"#);
    let built = || rig.built_as(&request, r#"{"slippageBps":50}"#).unwrap();
    rig.world.wallet_waits.set(true);
    let signal = rig.signal.0.clone();
    rig.world.once(Moment::Answer("eth_signTypedData_v4"), move |_| signal.set(true));
    rig.submit(&built()).unwrap_err();
    rig.signal.0.set(false);
    rig.world.pass(1_000);
    let error = rig.submit(&built()).unwrap_err();
    assert!(error.code == ErrorCode::AlreadySigned && error.message.contains(") is in the wallet"), "{error:?}");
}

#[test]
fn the_chain_is_asked_for_orders_of_the_same_trade_alone() {
    let rig = Rig::default();
    let asked = || rig.world.questions.borrow().iter().filter(|(.., params)| params.contains("0xcab7e8eb")).count();
    rig.submit(&rig.built(&SELL.replace("100000000", "50000000")).unwrap()).unwrap();
    let before = asked();
    rig.submit(&rig.built(SELL).unwrap()).unwrap();
    assert_eq!(asked(), before);
    rig.world.pass(1_000);
    rig.submit(&rig.built(SELL).unwrap()).unwrap_err();
    assert!(asked() > before);
}

#[test]
fn builds_of_another_order_have_one_nonce_until_one_is_signed() {
    let rig = Rig::default();
    rig.submit(&rig.built(SELL).unwrap()).unwrap();
    let nonce = || {
        let build = rig.built_as(SELL, r#"{"slippageBps":50,"existing":"keepBoth"}"#).unwrap();
        text(&build, "nonce").to_owned()
    };
    assert_eq!(nonce(), nonce());
}

#[test]
fn memories_are_bounded_and_what_may_be_filled_is_dropped_last() {
    let rig = Rig::default();
    rig.submit(&rig.built(SELL).unwrap()).unwrap();
    let shared = &rig.client.shared;
    let first = shared.ledger.records.borrow()[0].clone();
    let key = |number: u64| B256::from(U256::from(number));
    let known = |number: u64| {
        let mut order = (**first.order.as_ref().unwrap()).clone();
        order.signed.hash = key(number);
        Event::ServiceListed(Box::new(Entry { key: key(number), payload: None, ..first.entry.clone() }), order.into())
    };
    let remember = |numbers: std::ops::Range<u64>| {
        for number in numbers {
            shared.ledger.record(key(number), known(number)).unwrap();
            if (100..150).contains(&number) {
                shared.ledger.record(key(number), Event::ChainUnfillable(false)).unwrap();
            }
            shared.ledger.record(key(1_000 + number), Event::PermitTaken(key(number))).unwrap();
        }
    };
    remember(0..256);
    let hash = first.entry.key;
    assert!(shared.ledger.is_signed(hash) && shared.ledger.signed(Some(key(100)), None).is_none());
    assert!(shared.ledger.permit_carrier(key(0)).is_none());
    // More of them, and all of these may still be filled.
    remember(256..400);
    assert!(shared.ledger.is_signed(hash) && (150..400).all(|number| shared.ledger.is_signed(key(number))));
    assert_eq!((shared.ledger.orders().len(), shared.ledger.records.borrow().len()), (351, 352));
}
