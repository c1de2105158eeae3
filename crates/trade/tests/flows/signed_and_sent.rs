//! The steps stored, reported and asked from prompt to post, by one call or several, and by the page after a reload.

use super::fake_host::{Moment, Place, RFQ, Rig, SELL, SRC, Signer, Stop, at, json, set, text, with};
use super::journal::{code, list, next, note, tab};
use super::market;
use super::otc::{self, OFFER};
use alloy_primitives::{U256, hex};
use pollster::block_on;
use std::rc::Rc;
use verified_swap_trade::host::{HttpFailure, Signal};
use verify::internal::error::ErrorCode;
use verify::internal::json::Json;

const SIGN: &str = "eth_signTypedData_v4";
const SEND: &str = "eth_sendTransaction";

/// The request of a build once more, with bounds that it keeps.
fn stated(build: &Json) -> String {
    let mut request = at(build, "request").clone();
    set(&mut request, "minReceived", r#""1""#);
    format!(r#"{{"request":{}}}"#, request.write())
}

#[test]
fn what_cannot_be_taken_back_is_on_the_disk_before() {
    for (market, expected) in [
        // The last one is that the call returns it.
        (false, &[("asking", true), ("signed", true), ("posting", false), ("posted", false), ("posted", false)][..]),
        (true, &[("asking", true), ("sent", true), ("sent", false)][..]),
    ] {
        let rig = tab();
        market::prepare(&rig, 8453, SRC, u64::MAX);
        let build = if market { market::built(&rig, SELL) } else { rig.built(SELL) }.unwrap();
        rig.submit(&build).unwrap();
        assert_eq!(rig.postings.get(), 1);
        let written = rig.world.browser.written.borrow();
        let trades = written.iter().filter(|(name, ..)| name.starts_with("trade/"));
        let states: Vec<_> =
            trades.map(|(_, entry, durable)| (text(&json(entry), "state").to_owned(), *durable)).collect();
        let states: Vec<_> = states.iter().map(|(state, durable)| (state.as_str(), *durable)).collect();
        assert_eq!(states, expected);
        let steps = rig.steps.borrow();
        for step in steps.iter().filter(|step| ["sent", "signed"].contains(&step.step)) {
            assert_eq!((step.is_stored, step.transaction.is_some()), (Some(true), market));
        }
    }
}

#[test]
fn a_call_that_joins_a_prompt_asks_the_wallet_nothing_and_notes_nothing() {
    for (market, method) in [(false, SIGN), (true, SEND)] {
        let rig = Rc::new(tab());
        market::prepare(&rig, 8453, SRC, u64::MAX);
        let build = if market { market::built(&rig, SELL) } else { rig.built(SELL) }.unwrap();
        let (page, same) = (rig.clone(), build.clone());
        rig.world.once(Moment::Answer(method), move |world| {
            let asked = || world.questions.borrow().iter().filter(|(place, ..)| *place == Place::Wallet).count();
            let asking =
                || world.browser.written.borrow().iter().filter(|(_, entry, _)| entry.contains("asking")).count();
            let before = (asked(), asking());
            block_on(page.beside("submit", &same, "{}", &Stop::never())).unwrap();
            assert_eq!((asked(), asking()), before);
        });
        rig.submit(&build).unwrap();
        assert_eq!(rig.world.wallet_was_asked(method).len(), 1);
    }
}

#[test]
fn a_build_that_was_signed_before_a_reload_is_posted_by_a_page_that_has_read_nothing() {
    for (lost, posts) in [(5, 1), (0, 0)] {
        let rig = tab();
        let build = rig.built(SELL).unwrap();
        for _ in 0..lost {
            rig.world.service.borrow_mut().next_is_lost("post");
        }
        assert_eq!(rig.submit(&build).is_err(), lost > 0);
        let page = next(&rig);
        let before = page.world.posts().len();
        page.submit_with(&build, &stated(&build)).unwrap();
        assert_eq!((page.world.prompts(), page.world.posts().len() - before), (1, posts));
    }
}

#[test]
fn an_order_that_was_posted_on_chain_before_a_reload_is_only_looked_up() {
    let rig = tab();
    consent(&rig);
    let build = rig.built(SELL).unwrap();
    rig.submit_with(&build, r#"{"preSign":true}"#).unwrap();
    let page = next(&rig);
    page.submit_with(&build, &stated(&build)).unwrap();
    assert_eq!(page.step_names(), ["checking", "signed", "posting", "posted"]);
    assert_eq!((page.world.posts().len(), page.world.wallet_was_asked(SEND).len()), (1, 1));
}

/// The chain and the service take consent on chain.
fn consent(rig: &Rig) {
    let contract = Box::new(|_: &Json| Ok(json(r#""0x""#)));
    rig.world.chain.borrow_mut().node(8453).contracts.insert(super::fake_host::DELTA.parse().unwrap(), contract);
    rig.world.service.borrow_mut().takes = Some(Box::new(|_| true));
}

#[test]
fn each_call_that_waits_for_the_same_consent_tells_the_order_and_its_transaction() {
    let rig = tab();
    consent(&rig);
    let build = rig.built(SELL).unwrap();
    rig.world.chain.borrow_mut().node(8453).pending_for = u32::MAX;
    for _ in 0..2 {
        rig.steps.borrow_mut().clear();
        let signal = rig.signal.0.clone();
        signal.set(false);
        rig.world.once(Moment::Sleep, move |_| signal.set(true));
        let error = rig.submit_with(&build, r#"{"preSign":true}"#).unwrap_err();
        assert_eq!((error.code, error.signed_order.is_some()), (ErrorCode::Aborted, true));
        let steps = rig.steps.borrow();
        let last = steps.last().unwrap();
        assert_eq!((last.step, last.transaction.is_some(), last.signed_order.is_some()), ("confirming", true, true));
    }
    assert_eq!(rig.world.wallet_was_asked(SEND).len(), 1);
}

#[test]
fn a_look_up_that_is_refused_for_their_number_is_made_again_before_another_post() {
    let rig = Rig::default();
    let build = rig.built(SELL).unwrap();
    rig.world.service.borrow_mut().accepts_but(|_| Err(HttpFailure::Network(None)));
    rig.world.service.borrow_mut().next_is("orderByHash", 429, "{}");
    rig.submit(&build).unwrap();
    assert_eq!((rig.world.posts().len(), rig.world.sent("orderByHash").len()), (1, 2));
}

#[test]
fn somebody_elses_signed_order_is_no_trade_of_this_page() {
    let rig = Rig::default();
    rig.world.service.borrow_mut().next_is("post", 400, r#"{"errorType":"InvalidInput"}"#);
    let signed = json(rig.submit(&rig.built(SELL).unwrap()).unwrap_err().signed_order.as_ref().unwrap());
    rig.world.browser.has_storage.set(true);
    let page = next(&rig);
    page.submit(&signed).unwrap();
    assert!(list(&page, "trades.list").is_empty());
    assert!(page.steps.borrow().iter().all(|step| step.is_stored.is_none()));
}

#[test]
fn an_offer_in_a_prompt_is_one_after_a_reload() {
    let rig = tab();
    let key = (SRC.parse().unwrap(), RFQ.parse().unwrap());
    rig.world.chain.borrow_mut().node(8453).allowances.insert(key, U256::MAX);
    rig.world.wallet_waits.set(true);
    let signal = rig.signal.0.clone();
    rig.world.once(Moment::Answer(SIGN), move |_| signal.set(true));
    assert_eq!(code(rig.submit(&rig.call("otc.build", &json(OFFER), "{}").unwrap())), ErrorCode::Aborted);
    let page = next(&rig);
    let trade = list(&page, "trades.resume")[0].clone();
    let request = format!(r#"{{"request":{}}}"#, at(&trade, "summary.request").write());
    page.submit_with(at(&trade, "build"), &request).unwrap();
    let asked = page.world.wallet_was_asked(SIGN);
    assert_eq!((asked.len(), &asked[0]), (2, &asked[1]));
}

#[test]
fn what_another_tab_signs_while_this_one_opens_the_same_trade_is_seen_before_the_prompt() {
    let first = Rc::new(tab());
    let second = next(&first);
    let build = first.built(SELL).unwrap();
    second.world.pass(5_000);
    let other = next(&first).built(SELL).unwrap();
    let page = first.clone();
    second.world.once(Moment::Ask(Place::Wallet, "eth_accounts"), move |_| {
        page.submit(&build).unwrap();
    });
    let request = with(SELL, r#""minReceived":"1""#);
    note(&second, &other);
    let error = second.submit_with(&other, &format!(r#"{{"request":{request}}}"#)).unwrap_err();
    assert_eq!((error.code, second.world.prompts()), (ErrorCode::AlreadySigned, 1));
}

#[test]
fn a_signature_that_could_not_be_checked_stands_in_the_way_of_another_order() {
    let rig = Rig::default();
    let build = rig.built(SELL).unwrap();
    // Perhaps its account has code that takes it.
    let other = Signer::new([8; 32]);
    rig.world
        .signer
        .borrow_mut()
        .next(SIGN, move |_, digest| Ok(Json::String(hex::encode_prefixed(other.sign(digest)))));
    rig.world.once(Moment::Answer(SIGN), |world| world.chain.borrow_mut().node(8453).unreachable = true);
    let signed = rig.submit(&build).unwrap_err().signed_order.clone();
    assert!(signed.is_some());
    rig.world.chain.borrow_mut().node(8453).unreachable = false;
    rig.world.pass(1_000);
    let error = rig.submit(&rig.built(SELL).unwrap()).unwrap_err();
    assert_eq!((error.code, &error.signed_order), (ErrorCode::AlreadySigned, &signed));
}

#[test]
fn a_transaction_that_no_node_tells_of_is_not_sent_twice() {
    let rig = market::allowed(u64::MAX);
    let build = market::built(&rig, SELL).unwrap();
    rig.world.once(Moment::Ask(Place::Node(8453), "eth_getTransactionByHash"), |world| {
        world.chain.borrow_mut().node(8453).unreachable = true;
    });
    let sent = rig.submit(&build).unwrap();
    assert!(rig.submit(&build).unwrap().same_as(&sent));
    assert_eq!(rig.world.wallet_was_asked(SEND).len(), 1);
}

#[test]
fn a_build_that_was_sent_before_a_reload_is_not_sent_again() {
    for (pending, reverts, prompts) in [(u32::MAX, false, 1), (0, false, 2), (0, true, 2)] {
        let rig = tab();
        market::prepare(&rig, 8453, SRC, u64::MAX);
        let build = market::built(&rig, SELL).unwrap();
        rig.world.chain.borrow_mut().node(8453).reverts = reverts;
        rig.world.chain.borrow_mut().node(8453).pending_for = pending;
        let sent = rig.submit(&build).unwrap();
        let page = next(&rig);
        match reverts {
            false => assert_eq!(text(&page.submit(&build).unwrap(), "hash"), text(&sent, "hash")),
            true => assert_eq!(code(page.submit(&build)), ErrorCode::InvalidInput),
        }
        assert_eq!(page.world.wallet_was_asked(SEND).len(), 1);
        // Another build is another trade, once the first has failed or is mined.
        let outcome = page.submit(&market::built(&page, SELL).unwrap());
        assert_eq!(outcome.is_ok(), pending == 0, "{outcome:?}");
        assert_eq!(page.world.wallet_was_asked(SEND).len(), prompts);
    }
}

#[test]
fn only_the_same_trade_waits_for_a_transaction_and_the_journal_is_told_when_it_is_mined() {
    let rig = tab();
    market::prepare(&rig, 8453, SRC, u64::MAX);
    rig.world.chain.borrow_mut().node(8453).pending_for = u32::MAX;
    rig.submit(&market::built(&rig, SELL).unwrap()).unwrap();
    rig.submit(&market::built(&rig, &SELL.replace("100000000", "50000000")).unwrap()).unwrap();
    assert_eq!(code(rig.submit(&market::built(&rig, SELL).unwrap())), ErrorCode::AlreadySigned);
    rig.world.chain.borrow_mut().node(8453).pending_for = 0;
    rig.submit(&market::built(&rig, SELL).unwrap()).unwrap();
    let states: Vec<_> = list(&rig, "trades.list").iter().map(|trade| text(trade, "state").to_owned()).collect();
    assert_eq!(states.iter().filter(|state| *state == "ended").count(), 1, "{states:?}");
}

#[test]
fn orders_are_filled_once_at_a_time_and_anything_else_as_often_as_one_likes() {
    let desk = otc::desk();
    let order = desk.order(&[]);
    let rig = &desk.rig;
    rig.world.chain.borrow_mut().node(8453).pending_for = u32::MAX;
    rig.submit(&desk.fill(&order, "").unwrap()).unwrap();
    assert_eq!(code(rig.submit(&desk.fill(&order, "").unwrap())), ErrorCode::AlreadySigned);
    let rig = Rig::default();
    consent(&rig);
    rig.world.chain.borrow_mut().node(8453).pending_for = u32::MAX;
    let order = rig.submit(&rig.built(SELL).unwrap()).unwrap();
    for _ in 0..2 {
        rig.submit(&rig.call("buildCancellation", &order, "{}").unwrap()).unwrap();
    }
}
