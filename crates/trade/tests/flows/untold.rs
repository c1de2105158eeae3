//! A post that was taken, and nobody was told: what may have happened stands in the way of the same trade until a call
//! said how it ended.

use super::again::ANOTHER;
use super::fake_host::{DELTA, Moment, Rig, SELL, at, json, text, with};
use super::journal::{list, next, tab};
use super::kinds::{Kind, kinds};
use super::market;
use alloy_primitives::U256;
use std::rc::Rc;
use verified_swap_trade::host::HttpFailure;
use verify::internal::error::{Error, ErrorCode};
use verify::internal::json::Json;

/// The post of that order is taken; its answer and every look-up are lost, and so is what follows.
fn post_untold(rig: &Rig, build: &Json) {
    {
        let mut service = rig.world.service.borrow_mut();
        service.accepts_but(|_| Err(HttpFailure::Network(None)));
        for endpoint in ["post", "orderByHash"] {
            service.always(endpoint, || Err(HttpFailure::Network(None)));
        }
    }
    assert_eq!(rig.submit(build).unwrap_err().code, ErrorCode::Network);
    rig.world.service.borrow_mut().recovers();
}

/// A tab whose order was posted and filled, and nobody was told; and the order's build.
fn filled_untold() -> (Rig, Json) {
    let rig = tab();
    let build = rig.built(SELL).unwrap();
    post_untold(&rig, &build);
    rig.fill(&build);
    rig.world.pass(10_000);
    (rig, build)
}

/// The same trade is refused, by a page that opened no prompt for it, with the first one's hash.
#[track_caller]
fn assert_in_the_way(rig: &Rig, first: &Json) -> Error {
    let before = (rig.world.prompts(), rig.world.posts().len());
    let error = rig.submit(&rig.built(SELL).unwrap()).unwrap_err();
    assert_eq!((error.code, error.actual.as_deref()), (ErrorCode::AlreadySigned, Some("filled or cancelled")));
    assert_eq!(error.order_hash.unwrap().to_string(), text(first, "orderHash"));
    assert_eq!((rig.world.prompts(), rig.world.posts().len()), before);
    error
}

#[test]
fn an_order_that_was_filled_untold_stands_in_the_way_of_the_next_click() {
    let (rig, first) = filled_untold();
    rig.world.service.borrow_mut().statuses = ["COMPLETED"].into();
    let error = assert_in_the_way(&rig, &first);
    // The status that the refusal itself found out is in it, and does not count as told.
    assert!(error.message.contains("the service says COMPLETED"), "{error:?}");
    assert!(error.signed_order.is_some());
    rig.world.service.borrow_mut().always_is("orderByHash", 503, "");
    assert!(assert_in_the_way(&rig, &first).message.contains("could not be asked"), "the second click");
    rig.world.service.borrow_mut().always_is("orderByHash", 404, "{}");
    assert!(assert_in_the_way(&rig, &first).message.contains("does not know it"), "the third click");
}

#[test]
fn a_page_that_trades_before_it_resumed_knows_what_was_not_told() {
    let (rig, first) = filled_untold();
    let page = next(&rig);
    assert_in_the_way(&page, &first);
    // Nor does its own look at the journal tell anybody.
    list(&page, "trades.list");
    assert_in_the_way(&page, &first);
    list(&page, "trades.resume");
    page.submit(&page.built(SELL).unwrap()).unwrap_err();
}

#[test]
fn every_call_that_says_how_it_ended_frees_the_way() {
    type Tell = fn(&Rig, &Json);
    let ways: [(&str, Tell); 4] = [
        ("order", |rig, first| drop(rig.call("order", at(first, "orderHash"), "{}").unwrap())),
        ("resume", |rig, _| drop(list(rig, "trades.resume"))),
        ("the signed order", |rig, first| {
            let error = assert_in_the_way(rig, first);
            rig.submit(&json(error.signed_order.as_ref().unwrap())).unwrap();
        }),
        ("the same build", |rig, first| drop(rig.submit(first).unwrap())),
    ];
    for (name, tell) in ways {
        for is_reloaded in [false, true] {
            let (rig, first) = filled_untold();
            let page = if is_reloaded { next(&rig) } else { rig };
            if is_reloaded && name == "the same build" {
                continue;
            }
            page.world.service.borrow_mut().statuses = ["COMPLETED"; 4].into();
            assert_in_the_way(&page, &first);
            tell(&page, &first);
            page.world.pass(10_000);
            let second = page.built(SELL).unwrap();
            page.submit(&second).unwrap_or_else(|error| panic!("{name}, {is_reloaded}: {error:?}"));
            // And so does every page after it.
            assert_eq!(text(&list(&next(&page), "trades.list")[0], "id"), text(&second, "orderHash"));
        }
    }
}

#[test]
fn an_order_that_is_told_to_wait_is_not_told_to_have_ended() {
    let rig = tab();
    let first = rig.built(SELL).unwrap();
    post_untold(&rig, &first);
    rig.call("order", at(&first, "orderHash"), "{}").unwrap();
    rig.fill(&first);
    rig.world.pass(10_000);
    assert_in_the_way(&rig, &first);
}

#[test]
fn both_are_made_where_the_user_says_so_and_the_first_still_has_to_be_told() {
    let (rig, first) = filled_untold();
    let second = rig.built_as(SELL, &with(r#"{"slippageBps":50}"#, r#""existing":"keepBoth""#)).unwrap();
    rig.submit(&second).unwrap();
    rig.fill(&second);
    rig.world.pass(10_000);
    assert_in_the_way(&rig, &first);
    rig.submit_with(&rig.built(SELL).unwrap(), ANOTHER).unwrap();
}

#[test]
fn of_two_that_share_a_nonce_the_one_that_was_told_explains_it() {
    let rig = tab();
    let first = rig.built(SELL).unwrap();
    post_untold(&rig, &first);
    rig.world.pass(10_000);
    let second = rig.built_as(SELL, &with(r#"{"slippageBps":50}"#, r#""existing":"replace""#)).unwrap();
    rig.submit(&second).unwrap();
    rig.fill(&second);
    rig.world.pass(10_000);
    assert_in_the_way(&rig, &first);
    rig.world.service.borrow_mut().statuses = ["COMPLETED"].into();
    rig.call("order", at(&second, "orderHash"), "{}").unwrap();
    rig.submit(&rig.built(SELL).unwrap()).unwrap();
}

/// Submits a build with an answer to each of its questions: the price feeds are too old by then.
fn submit_accepted(page: &Rig, build: &Json) -> Result<Json, Error> {
    let Json::Array(asked) = at(build, "report.questions") else { panic!() };
    let ids: Vec<String> = asked.iter().map(|question| at(question, "id").write()).collect();
    page.submit_with(build, &format!(r#"{{"accept":[{}]}}"#, ids.join(",")))
}

#[test]
fn one_that_expired_unfilled_is_nobodys_trade_unless_it_is_filled_in_parts() {
    for kind in kinds() {
        let rig = kind.rig();
        rig.world.browser.has_storage.set(true);
        rig.world.chain.borrow_mut().node(8453).balance = U256::from(10).pow(U256::from(24));
        let first = kind.built(&rig).unwrap();
        post_untold(&rig, &first);
        let deadline: u64 = at(&first, "deadline").write().parse().unwrap();
        let wait = |secs: u64| {
            rig.world.unix_ms.set((deadline + secs) * 1_000);
            rig.mine_now(8453);
            rig.mine_now(10);
        };
        wait(1);
        rig.world.service.borrow_mut().always_is("orderByHash", 404, "{}");
        // The feeds say nothing at that time.
        let submit = |page: &Rig, kind: &Kind| submit_accepted(page, &kind.once_more(page, ""));
        let again = |kind: &Kind| submit(&rig, kind);
        if !kind.is_in_parts() {
            again(&kind).unwrap();
            continue;
        }
        let error = again(&kind).unwrap_err();
        assert_eq!(error.code, ErrorCode::AlreadySigned, "{}", kind.request);
        assert!(!error.message.contains("abandon"), "{error:?}");
        // Given up before then, it is still not known to be unfilled.
        rig.call("trades.abandon", at(&first, "orderHash"), "{}").unwrap();
        assert_eq!(again(&kind).unwrap_err().code, ErrorCode::AlreadySigned);
        wait(3_601);
        for page in [&rig, &next(&rig)] {
            let error = submit(page, &kind).unwrap_err();
            assert!(error.message.contains("trades.abandon() lets go"), "{error:?}");
        }
        let page = next(&rig);
        page.call("trades.abandon", at(&first, "orderHash"), "{}").unwrap();
        submit(&page, &kind).unwrap_or_else(|error| panic!("{}: {error:?}", kind.request));
    }
}

#[test]
fn who_never_said_again_is_not_told_to_leave_it_out() {
    let rig = tab();
    let (first, second) = {
        let first = rig.built(SELL).unwrap();
        rig.world.pass(1_000);
        (first, rig.built(SELL).unwrap())
    };
    assert_eq!(text(&first, "nonce"), text(&second, "nonce"));
    rig.submit(&first).unwrap();
    rig.fill(&first);
    rig.world.age_reads();
    let error = rig.submit(&second).unwrap_err();
    assert_eq!((error.code, error.actual.as_deref()), (ErrorCode::AlreadySigned, Some("filled or cancelled")));
    assert!(error.message.contains("quote and build again") && !error.message.contains("again`"), "{error:?}");
}

/// The same sale of another amount.
fn other_sale() -> String {
    SELL.replace("100000000", "50000000")
}

/// A page whose journal has an order of each sale that was filled untold; and their builds, in the order in which
/// `resume` looks at them.
fn two_filled_untold() -> (Rc<Rig>, Json, Json) {
    let rig = tab();
    let [first, second] = [SELL.to_owned(), other_sale()].map(|request| {
        let build = rig.built(&request).unwrap();
        post_untold(&rig, &build);
        rig.fill(&build);
        rig.world.pass(1_000);
        build
    });
    rig.world.pass(10_000);
    rig.world.service.borrow_mut().statuses = ["COMPLETED"].into();
    let page = next(&rig);
    list(&page, "trades.list");
    (Rc::new(page), first, second)
}

/// Calls `then` when `resume` of the page looks up the second order: the end of the first is noted by then.
fn at_the_second_look(page: &Rc<Rig>, then: impl FnOnce(&Rig) + 'static) {
    let (mut looks, mut then, page) = (0, Some(then), page.clone());
    page.world.clone().at_each(move |_, moment| {
        looks += u32::from(moment == Moment::Fetch("orderByHash"));
        if looks == 2
            && let Some(then) = then.take()
        {
            then(&page);
        }
    });
}

#[test]
fn what_resume_has_noted_is_not_told_while_it_looks_up_another_trade() {
    let (page, first, _) = two_filled_untold();
    let before = page.world.prompts();
    at_the_second_look(&page, move |page| {
        assert_in_the_way(page, &first);
    });
    assert_eq!(list(&page, "trades.resume").len(), 2);
    assert_eq!(page.world.prompts(), before);
    page.world.pass(10_000);
    page.submit(&page.built(SELL).unwrap()).unwrap();
}

#[test]
fn a_page_that_dies_after_it_noted_an_end_leaves_the_next_one_to_tell_it() {
    let (page, first, _) = two_filled_untold();
    // The page is gone: nobody gets what `resume` found.
    at_the_second_look(&page, |page| page.signal.0.set(true));
    let gone = page.call("trades.resume", &json("{}"), "{}").unwrap_err();
    assert_eq!(gone.code, ErrorCode::Aborted);
    let after = next(&page);
    let is_first = |trade: &Json| text(trade, "id") == text(&first, "orderHash");
    let listed = list(&after, "trades.list").into_iter().find(is_first).unwrap();
    assert_eq!((text(&listed, "state"), text(&listed, "status")), ("ended", "COMPLETED"));
    assert_in_the_way(&after, &first);
    assert!(list(&after, "trades.resume").iter().any(is_first));
    after.world.pass(10_000);
    after.submit(&after.built(SELL).unwrap()).unwrap();
    // And it is told once.
    assert!(!list(&next(&after), "trades.resume").iter().any(is_first));
}

/// A Market trade whose page died as its wallet answered, and that is in a block.
fn sent_untold() -> Rig {
    let rig = tab();
    market::prepare(&rig, 8453, super::fake_host::SRC, u64::MAX);
    rig.submit(&market::built(&rig, SELL).unwrap()).unwrap();
    // The entry that was written last before the call returned.
    let written = rig.world.browser.written.borrow().clone();
    let is_sent = |one: &&(String, String, bool)| one.1.contains(r#""state":"sent""#);
    let (name, entry, _) = written.iter().find(is_sent).unwrap().clone();
    rig.world.browser.stored.borrow_mut().insert(name, entry);
    rig.world.pass(10_000);
    next(&rig)
}

#[test]
fn a_click_before_the_end_was_told_is_refused_once() {
    for is_market in [false, true] {
        let (page, first) = match is_market {
            true => (sent_untold(), None),
            false => {
                let (rig, first) = filled_untold();
                rig.world.service.borrow_mut().statuses = ["COMPLETED"].into();
                (next(&rig), Some(first))
            }
        };
        let request = if is_market { market::market(SELL) } else { SELL.into() };
        let asked = |method| page.world.wallet_was_asked(method).len();
        let before = asked("eth_signTypedData_v4") + asked("eth_sendTransaction");
        // The user clicks, and the page learns how the first trade ended while it asks for the price.
        let quote = page.quote(&request).unwrap();
        page.world.pass(10);
        assert_eq!(text(&list(&page, "trades.resume")[0], "status"), "COMPLETED");
        page.world.pass(10);
        let build = page.build(&quote, r#"{"slippageBps":50}"#).unwrap();
        let error = page.submit(&build).unwrap_err();
        assert_eq!((error.code, error.actual.as_deref()), (ErrorCode::AlreadySigned, Some("filled or cancelled")));
        assert!(error.message.contains("COMPLETED"), "{error:?}");
        assert_eq!(error.order_hash.map(|hash| hash.to_string()), first.map(|first| text(&first, "orderHash").into()));
        assert_eq!(asked("eth_signTypedData_v4") + asked("eth_sendTransaction"), before);
        // Once: now it is known.
        page.submit(&build).unwrap();
    }
}

#[test]
fn an_order_in_parts_that_expired_may_have_traded_one() {
    for kind in kinds() {
        let rig = kind.rig();
        rig.world.browser.has_storage.set(true);
        rig.world.chain.borrow_mut().node(8453).balance = U256::from(10).pow(U256::from(24));
        let first = kind.built(&rig).unwrap();
        rig.submit(&first).unwrap();
        let deadline: u64 = at(&first, "deadline").write().parse().unwrap();
        rig.world.pass((deadline - 5) * 1_000 - rig.world.unix_ms.get());
        // The price is asked for, and only then the end of the first order is told.
        let second = kind.built(&rig).unwrap();
        rig.world.pass(6_000);
        rig.mine_now(8453);
        rig.mine_now(10);
        rig.world.service.borrow_mut().statuses = ["EXPIRED"; 4].into();
        rig.call("order", at(&first, "orderHash"), "{}").unwrap();
        rig.world.pass(10);
        let submit = || submit_accepted(&rig, &second);
        if kind.is_in_parts() {
            let error = submit().unwrap_err();
            assert_eq!((error.code, error.actual.as_deref()), (ErrorCode::AlreadySigned, Some("filled or cancelled")));
            assert!(error.message.contains("was not known when this price was asked for"), "{error:?}");
        }
        submit().unwrap_or_else(|error| panic!("{}: {error:?}", kind.request));
    }
}

#[test]
fn a_transaction_whose_page_died_as_the_wallet_answered_is_told_first() {
    let page = sent_untold();
    let submit = |page: &Rig| page.submit(&market::built(page, SELL).unwrap());
    assert_eq!(submit(&page).unwrap_err().code, ErrorCode::AlreadySigned);
    assert_eq!(list(&page, "trades.resume").len(), 1);
    page.world.pass(10_000);
    submit(&page).unwrap();
    assert_eq!(page.world.wallet_was_asked("eth_sendTransaction").len(), 2);
}

#[test]
fn the_owners_own_cancellation_on_chain_explains_a_used_nonce() {
    for (reverts, is_untold, is_reloaded) in
        [(false, false, false), (false, true, false), (false, false, true), (true, false, false), (true, true, false)]
    {
        let rig = tab();
        let first = rig.built(SELL).unwrap();
        match is_untold {
            true => post_untold(&rig, &first),
            false => drop(rig.submit(&first).unwrap()),
        }
        let order = format!(
            r#"{{"status":"ACTIVE","orderHash":"{}","owner":"{}","input":{{"chainId":8453}},"order":{}}}"#,
            text(&first, "orderHash"),
            rig.owner(),
            at(&first, "typedData.message").write()
        );
        let cancellation = rig.call("buildCancellation", &json(&order), "{}").unwrap();
        {
            let mut chains = rig.world.chain.borrow_mut();
            let node = chains.node(8453);
            node.reverts = reverts;
            node.contracts.insert(DELTA.parse().unwrap(), Box::new(|_: &Json| Ok(json(r#""0x""#))));
        }
        rig.submit(&cancellation).unwrap();
        rig.world.chain.borrow_mut().node(8453).contracts.remove(&DELTA.parse::<alloy_primitives::Address>().unwrap());
        // Whatever used it, the nonce is used now.
        rig.fill(&first);
        rig.world.pass(20_000);
        rig.world.service.borrow_mut().statuses = ["FAILED"].into();
        if !is_untold {
            rig.call("order", at(&first, "orderHash"), "{}").unwrap();
        }
        let page = if is_reloaded { next(&rig) } else { rig };
        let again = page.submit(&page.built(SELL).unwrap());
        assert_eq!(again.is_ok(), !reverts, "{reverts} {is_untold} {is_reloaded}: {again:?}");
    }
}

#[test]
fn a_second_price_from_before_the_first_was_sent_is_refused_once() {
    let rig = Rig::default();
    market::prepare(&rig, 8453, super::fake_host::SRC, u64::MAX);
    let [first, second] = [(); 2].map(|()| market::built(&rig, SELL).unwrap());
    rig.world.pass(1);
    rig.submit(&first).unwrap();
    rig.mine_now(8453);
    let error = rig.submit(&second).unwrap_err();
    assert_eq!(error.code, ErrorCode::AlreadySigned);
    assert!(error.message.contains("not known when this price was asked for"), "{}", error.message);
    rig.submit(&second).unwrap();
    // A price that is asked for now is another trade.
    rig.mine_now(8453);
    rig.world.pass(1);
    rig.submit(&market::built(&rig, SELL).unwrap()).unwrap();
}

/// Two clicks: the price of the second is asked for while the first trade is open, which is done before the second is
/// built. Returns the page and the build of the second.
fn twice(is_market: bool, has_tabs: bool, is_told: bool, clock: i64) -> (Rig, Json) {
    let rig = tab();
    let page = if has_tabs { next(&rig) } else { Rig::in_world(rig.world.clone(), |_, _| {}) };
    let (first_page, second_page) = if has_tabs { (&rig, &page) } else { (&page, &page) };
    market::prepare(&rig, 8453, super::fake_host::SRC, u64::MAX);
    let request = if is_market { market::market(SELL) } else { SELL.into() };
    let first = first_page.built(&request).unwrap();
    // A transaction that is sent was told to be.
    let early = is_market.then(|| second_page.quote(&request).unwrap());
    rig.world.pass(10);
    first_page.submit(&first).unwrap();
    rig.world.pass(10);
    let second = early.unwrap_or_else(|| second_page.quote(&request).unwrap());
    rig.world.unix_ms.set(rig.world.unix_ms.get().saturating_add_signed(clock));
    rig.world.pass(10);
    if is_market {
        rig.mine_now(8453);
    } else {
        rig.fill(&first);
    }
    rig.world.service.borrow_mut().statuses = ["COMPLETED"].into();
    if is_told {
        assert_eq!(text(&list(first_page, "trades.resume")[0], "status"), "COMPLETED");
    }
    rig.world.pass(10_000);
    let build = second_page.build(&second, r#"{"slippageBps":50}"#).unwrap();
    (page, build)
}

#[test]
fn a_price_from_before_the_end_of_the_same_trade_is_refused_once() {
    for case in 0..16 {
        let [is_market, has_tabs, is_told] = [1, 2, 4].map(|bit| case & bit != 0);
        // The clock is set back meanwhile.
        let clock = if case & 8 != 0 { -3_600_000 } else { 0 };
        let (page, build) = twice(is_market, has_tabs, is_told, clock);
        let case = format!("market {is_market}, tabs {has_tabs}, told {is_told}, {clock} ms");
        let asked = |method| page.world.wallet_was_asked(method).len();
        let before = asked("eth_signTypedData_v4") + asked("eth_sendTransaction");
        let error = page.submit(&build).expect_err(&case);
        let known = (error.code, error.actual.as_deref());
        assert_eq!(known, (ErrorCode::AlreadySigned, Some("filled or cancelled")), "{case}: {error:?}");
        assert!(error.message.contains("not known when this price was asked for"), "{case}: {error:?}");
        assert_eq!(asked("eth_signTypedData_v4") + asked("eth_sendTransaction"), before, "{case}");
        page.submit(&build).unwrap_or_else(|error| panic!("{case}: {error:?}"));
    }
}

#[test]
fn whoever_wants_both_or_asks_for_the_price_afterwards_is_not_asked_again() {
    for is_market in [false, true] {
        let (page, build) = twice(is_market, true, true, 0);
        page.submit_with(&build, ANOTHER).unwrap();
        let (page, _) = twice(is_market, true, true, 0);
        page.world.pass(1);
        let request = if is_market { market::market(SELL) } else { SELL.into() };
        page.submit(&page.built(&request).unwrap()).unwrap();
    }
    // An order that no call reported was over at its deadline.
    let rig = tab();
    let first = rig.built(SELL).unwrap();
    rig.submit(&first).unwrap();
    rig.fill(&first);
    let deadline: u64 = at(&first, "deadline").write().parse().unwrap();
    rig.world.unix_ms.set((deadline + 1) * 1_000);
    rig.mine_now(8453);
    let quote = rig.quote(SELL).unwrap();
    rig.world.pass(10_000);
    rig.submit(&rig.build(&quote, r#"{"slippageBps":50}"#).unwrap()).unwrap();
}

#[test]
fn a_trade_that_ended_without_a_fill_is_not_in_the_way() {
    let rig = tab();
    market::prepare(&rig, 8453, super::fake_host::SRC, u64::MAX);
    let [first, second] = [(); 2].map(|()| market::built(&rig, SELL).unwrap());
    rig.world.pass(10);
    rig.world.chain.borrow_mut().node(8453).reverts = true;
    rig.submit(&first).unwrap();
    assert_eq!(text(&list(&rig, "trades.resume")[0], "status"), "FAILED");
    rig.world.chain.borrow_mut().node(8453).reverts = false;
    rig.submit(&second).unwrap();
}
