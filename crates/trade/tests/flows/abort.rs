//! A caller who stops: no prompt after that, nothing half-done, nothing signed thrown away.

use super::fake_host::{Moment, Place, Rig, SELL, Signer, json, text};
use alloy_primitives::U256;
use std::cell::Cell;
use std::rc::Rc;
use verified_swap_trade::flows;
use verify::internal::error::{Error, ErrorCode};
use verify::internal::json::Json;

const SIGN: &str = "eth_signTypedData_v4";

/// A rig whose signal fires at the first such moment after this call.
fn abort_at(rig: &Rig, moment: Moment) {
    let signal = rig.signal.0.clone();
    rig.world.once(moment, move |_| signal.set(true));
}

/// The caller tries again.
fn go_on(rig: &Rig) {
    rig.signal.0.set(false);
}

#[track_caller]
fn assert_aborted(outcome: Result<Json, Error>) -> Error {
    let error = outcome.unwrap_err();
    assert_eq!(error.code, ErrorCode::Aborted, "{error:?}");
    error
}

#[test]
fn quote_and_build_end_wherever_they_are() {
    let rig = Rig::default();
    rig.signal.0.set(true);
    assert_aborted(rig.quote(SELL));
    assert!(rig.world.requests.borrow().is_empty());
    for moment in [Moment::Fetch("quote"), Moment::Fetched("quote")] {
        let rig = Rig::default();
        abort_at(&rig, moment);
        assert_aborted(rig.quote(SELL));
    }
    for moment in
        [Moment::Answer("eth_accounts"), Moment::Answer("eth_call"), Moment::Fetch("build"), Moment::Fetched("build")]
    {
        let rig = Rig::default();
        let quote = rig.quote(SELL).unwrap();
        abort_at(&rig, moment);
        assert_aborted(rig.build(&quote, r#"{"slippageBps":50}"#));
        rig.world.assert_untouched();
        go_on(&rig);
        rig.submit(&rig.build(&quote, r#"{"slippageBps":50}"#).unwrap()).unwrap();
    }
}

#[test]
fn no_prompt_opens_after_an_abort() {
    let node = Place::Node(8453);
    for moment in [
        Moment::Ask(Place::Wallet, "eth_accounts"),
        Moment::Answer("eth_accounts"),
        Moment::Ask(Place::Wallet, "eth_chainId"),
        Moment::Answer("eth_chainId"),
        Moment::Ask(node, "eth_getBlockByNumber"),
        Moment::Answer("eth_getBlockByNumber"),
        Moment::Ask(node, "eth_call"),
        Moment::Answer("eth_call"),
    ] {
        let rig = Rig::default();
        let build = rig.built(SELL).unwrap();
        rig.world.age_reads();
        abort_at(&rig, moment);
        assert_aborted(rig.submit(&build));
        rig.world.assert_untouched();
        go_on(&rig);
        rig.submit(&build).unwrap();
        assert_eq!((rig.world.prompts(), rig.world.posts().len()), (1, 1), "{moment:?}");
    }
}

#[test]
fn an_abort_at_the_last_question_before_the_prompt_is_in_time() {
    // The wallet's chain is asked for twice: before the checks, and right before the prompt. The application is told of
    // each answer, and may stop there: nothing waits for an answer after the last.
    let asked = Moment::Ask(Place::Wallet, "eth_chainId");
    for (moment, last) in [(asked, 2), (Moment::Told("eth_chainId"), 1), (Moment::Told("eth_chainId"), 2)] {
        let rig = Rig::default();
        let build = rig.built(SELL).unwrap();
        let (signal, seen) = (rig.signal.0.clone(), Rc::new(Cell::new(0)));
        rig.world.at_each(move |_, now| {
            if now == moment {
                seen.set(seen.get() + 1);
                signal.set(signal.get() || seen.get() == last);
            }
        });
        assert_aborted(rig.submit(&build));
        rig.world.assert_untouched();
    }
}

#[test]
fn a_rejection_reaches_an_attempt_that_joined_the_prompt() {
    let rig = Rig::default();
    let build = rig.built(SELL).unwrap();
    rig.world.signer.borrow_mut().next_fails(SIGN, 4001);
    abort_at(&rig, Moment::Answer(SIGN));
    assert_aborted(rig.submit(&build));
    go_on(&rig);
    // The user takes a second to say no.
    rig.world.once(Moment::Answer(SIGN), |world| world.pass(1_000));
    assert_eq!(rig.submit(&build).unwrap_err().code, ErrorCode::UserRejected);
    assert_eq!((rig.world.prompts(), rig.world.posts().len()), (1, 0));
}

#[test]
fn an_approval_given_after_the_abort_is_found_by_the_next_attempt() {
    let rig = Rig::default();
    rig.world.chain.borrow_mut().node(8453).allowances.clear();
    let build = rig.built(SELL).unwrap();
    abort_at(&rig, Moment::Answer("eth_sendTransaction"));
    assert_aborted(rig.approve(build.get("approval").unwrap(), "{}"));
    go_on(&rig);
    let result = rig.approve(build.get("approval").unwrap(), "{}").unwrap();
    assert_eq!(text(&result, "allowance"), "100000000");
    assert_eq!(rig.world.wallet_was_asked("eth_sendTransaction").len(), 1, "one prompt for both");
}

#[test]
fn node_requests_have_a_timeout_and_wallet_prompts_have_none() {
    let rig = Rig::default();
    rig.world.chain.borrow_mut().node(8453).allowances.clear();
    let build = rig.built(SELL).unwrap();
    rig.approve(build.get("approval").unwrap(), "{}").unwrap();
    rig.submit(&build).unwrap();
    let limits = rig.world.limits.borrow();
    for (method, limit) in limits.iter() {
        match *method {
            "eth_call" | "eth_getCode" | "eth_getBlockByNumber" | "eth_getTransactionReceipt" => {
                assert_eq!(*limit, Some(15_000), "{method}");
            }
            "eth_signTypedData_v4" | "eth_sendTransaction" => assert_eq!(*limit, None, "{method}"),
            _ => {}
        }
    }
    assert!(limits.iter().any(|(method, _)| *method == "eth_sendTransaction"));
}

#[test]
fn a_wallet_that_reads_the_chain_is_waited_for_as_a_node_is() {
    let rig = Rig::with(|shared, _| shared.settings.rpc.clear());
    rig.built(SELL).unwrap();
    let limits = rig.world.limits.borrow();
    let mut asked = limits.iter().filter(|(method, _)| *method == "eth_chainId").peekable();
    assert!(asked.peek().is_some() && asked.all(|(_, limit)| *limit == Some(15_000)));
}

#[test]
fn an_abort_between_signature_and_post_keeps_what_was_signed() {
    let rig = Rig::default();
    let build = rig.built(SELL).unwrap();
    let signal = rig.signal.0.clone();
    let tell = |step: flows::Progress| signal.set(signal.get() || step.step == "signed");
    let error = rig.call_telling("submit", &build, "{}", &tell).unwrap_err();
    assert_eq!(error.code, ErrorCode::Aborted);
    assert!(rig.world.posts().is_empty());
    go_on(&rig);
    let signed = json(error.signed_order.as_ref().unwrap());
    let order = rig.submit(&signed).unwrap();
    assert_eq!(text(&order, "orderHash"), text(&build, "orderHash"));
    assert_eq!((rig.world.prompts(), rig.world.posts().len()), (1, 1));
}

#[test]
fn a_posted_order_is_reported_although_the_caller_stopped_meanwhile() {
    for moment in [Moment::Fetch("post"), Moment::Fetched("post")] {
        let rig = Rig::default();
        let build = rig.built(SELL).unwrap();
        abort_at(&rig, moment);
        let order = rig.submit(&build).unwrap();
        assert_eq!(text(&order, "orderHash"), text(&build, "orderHash"));
        assert_eq!((rig.world.prompts(), rig.world.posts().len()), (1, 1));
    }
}

#[test]
fn posting_goes_on_to_its_end_although_the_caller_stopped() {
    let rig = Rig::default();
    let build = rig.built(SELL).unwrap();
    rig.world.service.borrow_mut().next_is("post", 503, "");
    abort_at(&rig, Moment::Fetch("orderByHash"));
    rig.submit(&build).unwrap();
    assert_eq!((rig.world.prompts(), rig.world.posts().len()), (1, 2));
}

#[test]
fn an_approval_is_not_sent_after_an_abort() {
    for moment in
        [Moment::Answer("eth_accounts"), Moment::Answer("eth_call"), Moment::Ask(Place::Node(8453), "eth_call")]
    {
        let rig = Rig::default();
        rig.world.chain.borrow_mut().node(8453).allowances.clear();
        let build = rig.built(SELL).unwrap();
        rig.world.pass(2_001);
        abort_at(&rig, moment);
        assert_aborted(rig.approve(build.get("approval").unwrap(), "{}"));
        rig.world.assert_untouched();
    }
}

#[test]
fn where_a_prompt_is_gone_the_next_one_opens_after_all_checks() {
    type Change = fn(&Rig);
    let changes: [(Change, Option<ErrorCode>); 5] = [
        (|_| {}, None),
        (|rig| rig.world.signer.borrow_mut().chain_id = 1, Some(ErrorCode::WrongChain)),
        // Also that of another wallet.
        (
            |rig| rig.world.signer.borrow_mut().accounts = vec![Signer::new([9; 32]).accounts[0]],
            Some(ErrorCode::WrongAccount),
        ),
        (|rig| rig.world.chain.borrow_mut().node(8453).balance = U256::ZERO, Some(ErrorCode::InsufficientBalance)),
        (|rig| rig.world.chain.borrow_mut().node(8453).time += 100_000, Some(ErrorCode::QuoteExpired)),
    ];
    for (change, refused) in changes {
        // The first attempt was given up, and the user rejected its prompt afterwards.
        let rig = Rig::default();
        let build = rig.built(SELL).unwrap();
        rig.world.signer.borrow_mut().next_fails(SIGN, 4001);
        abort_at(&rig, Moment::Answer(SIGN));
        assert_aborted(rig.submit(&build));
        go_on(&rig);
        rig.world.age_reads();
        change(&rig);
        assert_eq!(rig.submit(&build).err().map(|error| error.code), refused);
        let (prompts, posts) = if refused.is_none() { (2, 1) } else { (1, 0) };
        assert_eq!((rig.world.prompts(), rig.world.posts().len()), (prompts, posts), "{refused:?}");
    }
}

#[test]
fn an_attempt_that_is_overtaken_in_its_checks_asks_for_no_second_signature() {
    for seen in [1, 2] {
        let rig = Rc::new(Rig::default());
        let build = rig.built(SELL).unwrap();
        // The same order by its sealed text alone.
        let copy = format!(
            r#"{{"kind":"delta","chainId":8453,"sealed":{}}}"#,
            verify::internal::json::quoted(text(&build, "sealed"))
        );
        let (again, count) = (Rc::clone(&rig), Cell::new(0));
        rig.world.at_each(move |_, moment| {
            if moment == Moment::Ask(Place::Wallet, "eth_chainId") {
                count.set(count.get() + 1);
                if count.get() == seen {
                    again.submit(&json(&copy)).unwrap();
                }
            }
        });
        let order = rig.submit(&build).unwrap();
        assert_eq!(text(&order, "orderHash"), text(&build, "orderHash"));
        assert_eq!((rig.world.prompts(), rig.world.posts().len()), (1, 1));
    }
}
