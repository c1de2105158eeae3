//! The states of a trade in the journal: which of them `abandon`, `forget` and `resume` change, what they ask for that,
//! and what is stored of it.

use super::fake_host::{Moment, Place, RFQ, Rig, SELL, SRC, Signer, Stop, at, json, set, text, with};
use super::journal::{code, is_empty, left_asking, left_signed, list, next, tab};
use super::kinds::kinds;
use super::market;
use super::otc::OFFER;
use alloy_primitives::{U256, hex};
use std::cell::Cell;
use std::rc::Rc;
use verified_swap_trade::host::{HttpFailure, Signal};
use verified_swap_trade::ledger::record::Entry;
use verified_swap_trade::ledger::step::Event;
use verify::internal::error::ErrorCode;
use verify::internal::json::Json;

/// A reloaded page whose order was asked for in a prompt that nobody answered.
fn left_in_prompt() -> Rig {
    let rig = tab();
    let build = rig.built(SELL).unwrap();
    rig.world.wallet_waits.set(true);
    let signal = rig.signal.0.clone();
    rig.world.once(Moment::Answer("eth_signTypedData_v4"), move |_| signal.set(true));
    assert_eq!(code(rig.submit(&build)), ErrorCode::Aborted);
    next(&rig)
}

/// A page whose order the service has.
fn left_posted() -> Rig {
    let rig = tab();
    rig.submit(&rig.built(SELL).unwrap()).unwrap();
    next(&rig)
}

/// A page whose Market transaction is in no block yet.
fn left_sent() -> Rig {
    let rig = tab();
    market::prepare(&rig, 8453, SRC, u64::MAX);
    rig.world.chain.borrow_mut().node(8453).pending_for = u32::MAX;
    rig.submit(&market::built(&rig, SELL).unwrap()).unwrap();
    next(&rig)
}

/// The deadline of the first trade has passed by that many seconds: by this machine's clock, and by the chain's.
fn pass_deadline(page: &Rig, machine: u64, chain: u64) {
    let deadline: u64 = at(&list(page, "trades.list")[0], "deadline").write().parse().unwrap();
    page.world.unix_ms.set((deadline + machine) * 1_000);
    page.world.chain.borrow_mut().node(8453).time = deadline + chain;
}

#[test]
fn only_what_nobody_else_has_is_abandoned() {
    type Way = (fn() -> Rig, Result<&'static str, &'static str>);
    let ways: [Way; 5] = [
        (left_posted, Err("posted")),
        (left_sent, Err("sent")),
        (left_in_prompt, Ok("UNSIGNED")),
        (left_asking, Ok("UNSIGNED")),
        (left_signed, Ok("ABANDONED")),
    ];
    for (way, expected) in ways {
        let page = way();
        let id = at(&list(&page, "trades.list")[0], "id").clone();
        // By a page that has read nothing yet.
        let page = next(&page);
        let outcome = page.call("trades.abandon", &id, "{}");
        let trade = list(&next(&page), "trades.list")[0].clone();
        match expected {
            Ok(status) => {
                for trade in [&outcome.unwrap(), &trade] {
                    assert_eq!((text(trade, "state"), text(trade, "status")), ("ended", status));
                }
            }
            Err(state) => {
                let error = outcome.unwrap_err();
                assert_eq!((error.field.as_deref(), error.actual.as_deref()), (Some("id"), Some(state)));
                assert_eq!(text(&trade, "state"), state);
            }
        }
    }
}

#[test]
fn what_has_ended_is_not_abandoned_instead() {
    let page = left_posted();
    page.world.service.borrow_mut().statuses = ["COMPLETED"].into();
    let id = at(&list(&page, "trades.resume")[0], "id").clone();
    assert_eq!(text(&page.call("trades.abandon", &id, "{}").unwrap(), "status"), "COMPLETED");
}

#[test]
fn forget_deletes_what_cannot_be_read_too() {
    let page = left_posted();
    page.world.browser.stored.borrow_mut().insert("trade/junk".into(), "junk".into());
    // So does what became no trade.
    page.built(&SELL.replace("100000000", "50000000")).unwrap();
    page.call("trades.forget", &json("{}"), "{}").unwrap();
    assert!(is_empty(&page));
}

#[test]
fn the_latest_trade_comes_first() {
    let rig = tab();
    let ids = ["100000000", "50000000", "70000000"].map(|amount| {
        rig.world.pass(1_000);
        let build = rig.built(&SELL.replace("100000000", amount)).unwrap();
        rig.submit(&build).unwrap();
        text(&build, "orderHash").to_owned()
    });
    let listed = list(&next(&rig), "trades.list");
    assert_eq!(listed.iter().rev().map(|trade| text(trade, "id")).collect::<Vec<_>>(), ids);
}

#[test]
fn an_order_expires_by_the_chain_or_two_hours_later_by_this_machine() {
    for (way, status) in [(left_signed as fn() -> Rig, "EXPIRED"), (left_in_prompt, "UNSIGNED")] {
        // The chain answers; seconds past the deadline by this machine and by the chain.
        for (answers, machine, chain, is_over) in
            [(true, 60, 60, true), (false, 60, 60, false), (false, 7_200, 0, false), (false, 7_201, 0, true)]
        {
            let page = next(&way());
            pass_deadline(&page, machine, chain);
            page.world.chain.borrow_mut().node(8453).unreachable = !answers;
            let trade = list(&page, "trades.resume")[0].clone();
            let expected = if is_over { Json::String(status.into()) } else { Json::Null };
            assert_eq!(at(&trade, "status"), &expected, "{answers} {machine}: {trade:?}");
        }
    }
}

#[test]
fn a_price_is_asked_for_only_where_the_user_has_to_decide() {
    type Way = (fn() -> Rig, fn(&Rig), &'static str, bool);
    let ways: [Way; 5] = [
        (left_signed, |_| {}, "posted", false),
        (left_signed, |page| page.world.pass(120_000), "posting", true),
        (left_signed, |page| pass_deadline(page, 60, 60), "ended", false),
        (left_in_prompt, |page| page.world.pass(120_000), "asking", false),
        // The service does not know its order any more. It was there.
        (left_posted, |page| page.world.service.borrow_mut().next_is("orderByHash", 404, "{}"), "posted", false),
    ];
    for (way, change, state, is_priced) in ways {
        let page = next(&way());
        change(&page);
        let asked = |page: &Rig| ["quote", "post"].map(|endpoint| page.world.sent(endpoint).len());
        let before = asked(&page);
        let trade = list(&page, "trades.resume")[0].clone();
        assert_eq!((text(&trade, "state"), at(&trade, "today") != &Json::Null), (state, is_priced), "{trade:?}");
        let more = [is_priced, state == "posted" && way as usize == left_signed as fn() -> Rig as usize];
        assert_eq!(asked(&page), [before[0] + usize::from(more[0]), before[1] + usize::from(more[1])], "{state}");
    }
}

#[test]
fn a_look_up_that_fails_or_finds_another_order_leaves_the_trade_as_it_is() {
    let other = {
        let rig = tab();
        rig.submit(&rig.built(&SELL.replace("100000000", "50000000")).unwrap()).unwrap();
        rig.world.said("post")
    };
    for (status, body) in [(500, "{}".to_owned()), (400, "{}".to_owned()), (200, other)] {
        let page = next(&left_signed());
        let posts = page.world.posts().len();
        page.world.service.borrow_mut().always_is("orderByHash", status, body);
        let trade = list(&page, "trades.resume")[0].clone();
        assert_eq!(text(&trade, "state"), "posting");
        assert_ne!(at(&trade, "error"), &Json::Null);
        assert_eq!(page.world.posts().len(), posts, "{status}");
    }
}

#[test]
fn resume_ends_with_its_signal() {
    let page = next(&left_signed());
    let signal = page.signal.0.clone();
    page.world.once(Moment::Fetch("orderByHash"), move |_| signal.set(true));
    assert_eq!(code(page.call("trades.resume", &json("{}"), "{}")), ErrorCode::Aborted);
}

#[test]
fn an_offer_that_the_service_has_is_adopted_and_not_posted_again() {
    let rig = tab();
    let key = (SRC.parse().unwrap(), RFQ.parse().unwrap());
    rig.world.chain.borrow_mut().node(8453).allowances.insert(key, U256::MAX);
    for _ in 0..5 {
        rig.world.service.borrow_mut().next("otcPost", |service, request| {
            service.honest(request)?;
            Err(HttpFailure::Network(None))
        });
    }
    rig.world.service.borrow_mut().always_is("otcOrder", 503, "{}");
    rig.submit(&rig.call("otc.build", &json(OFFER), "{}").unwrap()).unwrap_err();
    rig.world.service.borrow_mut().recovers();
    let page = next(&rig);
    let posts = page.world.sent("otcPost").len();
    let trade = list(&page, "trades.resume")[0].clone();
    assert_eq!((text(&trade, "state"), text(&trade, "status")), ("posted", "PENDING"), "{trade:?}");
    assert_eq!(page.world.sent("otcPost").len(), posts);
}

#[test]
fn what_the_service_says_is_stored_when_it_is_news() {
    let page = left_posted();
    let written = Rc::new(Cell::new(0));
    let count = written.clone();
    page.world.at_each(move |_, moment| count.set(count.get() + usize::from(moment == Moment::Stored)));
    let stored = |page: &Rig| {
        let all = page.world.browser.stored.borrow();
        all.iter().filter(|(key, _)| key.starts_with("trade/")).map(|(_, entry)| entry.clone()).collect::<String>()
    };
    let mut known = stored(&page);
    for (status, is_news) in
        [("PENDING", false), ("ACTIVE", true), ("ACTIVE", false), ("CANCELLED", true), ("ACTIVE", false)]
    {
        page.world.pass(1_000);
        page.world.service.borrow_mut().statuses = [status].into();
        list(&page, "trades.resume");
        let now = stored(&page);
        assert_eq!(now != known, is_news, "{status}: {now}");
        known = now;
    }
    // The next page knows it without asking.
    let later = next(&page);
    let trade = list(&later, "trades.list")[0].clone();
    assert_eq!(text(&trade, "status"), "CANCELLED");
    assert!(later.client.shared.ledger.signed(None, Some(text(&trade, "orderId"))).is_some());
}

#[test]
fn what_could_not_be_stored_is_known_while_the_page_lives() {
    let page = left_posted();
    page.world.browser.is_full.set(true);
    page.world.service.borrow_mut().statuses = ["CANCELLED"].into();
    let id = text(&list(&page, "trades.resume")[0], "id").to_owned();
    page.world.browser.is_full.set(false);
    // Another tab writes, so that all is read again.
    let other = next(&page);
    other.submit(&other.built(&SELL.replace("100000000", "50000000")).unwrap()).unwrap();
    let all = list(&page, "trades.list");
    let trade = all.iter().find(|trade| text(trade, "id") == id).unwrap();
    assert_eq!((all.len(), text(trade, "status")), (2, "CANCELLED"));
}

#[test]
fn what_the_user_refused_in_another_tab_is_gone_here_too() {
    let (page, seen) = (left_posted(), Rc::new(Cell::new(0)));
    let other = next(&page);
    let build = other.built(&SELL.replace("100000000", "50000000")).unwrap();
    page.world.signer.borrow_mut().next_fails("eth_signTypedData_v4", 4001);
    let (page, count) = (Rc::new(page), seen.clone());
    let watcher = page.clone();
    other.world.once(Moment::Ask(Place::Wallet, "eth_signTypedData_v4"), move |_| {
        count.set(list(&watcher, "trades.list").len());
    });
    assert_eq!(code(other.submit(&build)), ErrorCode::UserRejected);
    assert_eq!((seen.get(), list(&page, "trades.list").len()), (2, 1));
}

#[test]
fn what_another_tab_abandons_meanwhile_is_not_posted() {
    let rig = left_signed();
    for _ in 0..5 {
        rig.world.service.borrow_mut().next_is_lost("post");
    }
    rig.submit(&rig.built(&SELL.replace("100000000", "50000000")).unwrap()).unwrap_err();
    let (page, other) = (next(&rig), next(&rig));
    let posts = page.world.posts().len();
    page.world.once(Moment::Fetched("orderByHash"), move |world| {
        let url = world.sent("orderByHash").last().unwrap().url.clone();
        for trade in list(&other, "trades.list") {
            let outcome = other.call("trades.abandon", at(&trade, "id"), "{}");
            // The one that this page is at work on may be posted at any moment.
            let is_taken = url.contains(text(&trade, "id"));
            assert_eq!(outcome.err().map(|error| error.code), is_taken.then_some(ErrorCode::AlreadySigned));
        }
    });
    let all = list(&page, "trades.resume");
    let mut states: Vec<&str> = all.iter().map(|trade| text(trade, "state")).collect();
    states.sort_unstable();
    assert_eq!((states, page.world.posts().len()), (vec!["ended", "posted"], posts + 1));
}

#[test]
fn an_order_that_is_over_stays_over_when_a_node_falls_behind() {
    let page = left_posted();
    let first = page.built(SELL).unwrap();
    page.fill(&first);
    // This page sees that it is filled.
    page.world.pass(1_000);
    let second = next(&page).built(SELL).unwrap();
    assert_ne!(text(&first, "nonce"), text(&second, "nonce"));
    assert_eq!(text(&second, "nonce"), text(&next(&page).built(SELL).unwrap(), "nonce"), "tabs share the next one too");
    page.world.chain.borrow_mut().node(8453).used_nonces.clear();
    let later = next(&page);
    later.world.pass(1_000);
    later.submit(&later.built(SELL).unwrap()).unwrap();
}

#[test]
fn a_trade_started_when_the_wallet_was_first_asked() {
    let rig = tab();
    let build = rig.built(SELL).unwrap();
    let began = rig.world.unix_ms.get();
    rig.world.once(Moment::Answer("eth_signTypedData_v4"), |world| world.pass(5_000));
    rig.submit(&build).unwrap();
    let trade = list(&rig, "trades.list")[0].clone();
    let time = |name| at(&trade, name).write().parse::<u64>().unwrap() - began;
    assert_eq!(["startedAt", "signedAt"].map(time), [0, 5_000]);
}

#[test]
fn a_transaction_that_was_found_is_sent_also_if_its_receipt_cannot_be_read() {
    let page = left_asking();
    page.world.once(Moment::Ask(Place::Node(8453), "eth_getTransactionReceipt"), |world| {
        world.chain.borrow_mut().node(8453).unreachable = true;
    });
    let trade = list(&page, "trades.resume")[0].clone();
    assert_eq!(text(&trade, "state"), "sent", "{trade:?}");
    assert!(text(&trade, "transaction").starts_with("0x"));
}

#[test]
fn somebody_elses_bad_signature_removes_no_entry_of_another_version() {
    let rig = tab();
    let build = rig.built(SELL).unwrap();
    rig.world.service.borrow_mut().next_is("post", 400, r#"{"errorType":"InvalidInput"}"#);
    let mut signed = json(rig.submit(&build).unwrap_err().signed_order.as_ref().unwrap());
    let other = Signer::new([8; 32]).sign(text(&build, "orderHash").parse().unwrap());
    set(&mut signed, "signature", &format!(r#""{}""#, hex::encode_prefixed(other)));
    let elsewhere = Rig::in_world(rig.world.clone(), |shared, _| shared.settings.secret = [9; 32]);
    let name = format!("trade/{}", text(&build, "orderHash"));
    let newer = r#"{"version":2}"#.to_owned();
    elsewhere.world.browser.stored.borrow_mut().insert(name.clone(), newer.clone());
    assert_eq!(code(elsewhere.submit(&signed)), ErrorCode::SignatureMismatch);
    assert_eq!(elsewhere.world.browser.stored.borrow().get(&name), Some(&newer));
}

#[test]
fn orders_of_others_that_the_service_lists_are_not_learned() {
    let rig = Rig::default();
    let owner = rig.world.signer.replace(Signer::new([8; 32]));
    let other = rig.built(SELL).unwrap();
    rig.submit(&other).unwrap();
    rig.world.signer.replace(owner);
    rig.world.service.borrow_mut().lists = true;
    let page = next(&rig);
    page.call("trades.resume", &json("{}"), "{}").unwrap();
    assert!(page.client.shared.ledger.signed(Some(text(&other, "orderHash").parse().unwrap()), None).is_none());
}

#[test]
fn what_the_service_lists_of_any_kind_stands_in_the_way_of_the_same_trade() {
    for (number, kind) in kinds().into_iter().enumerate() {
        let rig = kind.rig();
        rig.world.chain.borrow_mut().node(8453).balance = U256::from(10).pow(U256::from(24));
        let build = kind.built(&rig).unwrap();
        rig.submit(&build).unwrap();
        rig.world.service.borrow_mut().lists = true;
        // The struct does not say that a limit was made of a slippage, nor that an "Order" may be filled in parts, nor
        // what arrives of a purchase on another chain, nor for whom a handler buys.
        let has = |word| kind.request.contains(word) || kind.options.contains(word);
        let is_limit_untold = text(&build, "type") == "LIMIT" && has("slippageBps");
        let is_purchase_untold = has("BUY") && (has("destChainId") || has("beneficiary"));
        let is_told = !is_limit_untold && !is_purchase_untold && kind.fillable == "FillableOrder";
        // Orders that this page signed are not learned from the service.
        for (page, knows) in [(&rig, true), (&next(&rig), is_told)] {
            page.call("trades.resume", &json("{}"), "{}").unwrap();
            let outcome = page.submit(&kind.once_more(page, ""));
            assert_eq!(outcome.is_err_and(|error| error.code == ErrorCode::AlreadySigned), knows, "{number}");
        }
    }
}

#[test]
fn a_call_that_stops_removes_nothing_that_another_call_had_signed() {
    let rig = Rc::new(tab());
    let build = rig.built(SELL).unwrap();
    let (page, same) = (rig.clone(), build.clone());
    rig.world.once(Moment::Answer("eth_signTypedData_v4"), move |_| {
        pollster::block_on(page.beside("submit", &same, "{}", &Stop::never())).unwrap();
        page.signal.0.set(true);
    });
    assert_eq!(code(rig.submit(&build)), ErrorCode::Aborted);
    assert_eq!(rig.world.prompts(), 1);
    assert_eq!(text(&list(&next(&rig), "trades.list")[0], "state"), "posted");
}

#[test]
fn slices_and_their_distance_are_two_numbers() {
    let rig = tab();
    let nonces = [(2, 1_300), (21, 300)].map(|(slices, secs)| {
        let request = with(SELL, &format!(r#""numSlices":{slices},"intervalSecs":{secs}"#));
        let build = rig.built_as(&request, r#"{"slippageBps":50}"#).unwrap();
        text(&build, "nonce").to_owned()
    });
    assert_ne!(nonces[0], nonces[1]);
}

#[test]
fn an_entry_in_another_form_is_listed_as_unreadable_unless_it_is_newer_and_left_as_it_is() {
    for (member, value) in
        [("version", "2"), ("isOver", "7"), ("summary", r#""{""#), ("payload", r#""{""#), ("permit", r#""{""#)]
    {
        let page = left_posted();
        let mut stored = page.world.browser.stored.borrow_mut();
        let entry = stored.iter_mut().find(|(name, _)| name.starts_with("trade/")).unwrap().1;
        let mut changed = json(entry);
        set(&mut changed, member, value);
        *entry = changed.write();
        let before = stored.clone();
        drop(stored);
        let all = list(&page, "trades.list");
        let states: Vec<_> = all.iter().map(|trade| text(trade, "state")).collect();
        assert_eq!(states, if member == "version" { vec![] } else { vec!["unreadable"] }, "{member}");
        assert_eq!(*page.world.browser.stored.borrow(), before);
    }
}

#[test]
fn an_entry_is_not_the_order_that_another_ones_payload_is() {
    let page = next(&left_signed());
    let other = format!("0x{}", "ab".repeat(32));
    let own = {
        let mut stored = page.world.browser.stored.borrow_mut();
        let name = stored.keys().find(|name| name.starts_with("trade/")).unwrap().clone();
        let mut entry = json(&stored.remove(&name).unwrap());
        set(&mut entry, "key", &format!(r#""{other}""#));
        stored.insert(format!("trade/{other}"), entry.write());
        name.strip_prefix("trade/").unwrap().parse().unwrap()
    };
    let posts = page.world.posts().len();
    let trade = list(&page, "trades.resume")[0].clone();
    assert_eq!((text(&trade, "id"), text(&trade, "state")), (other.as_str(), "posting"));
    assert_eq!((text(&trade, "today.kind"), page.world.posts().len()), ("delta", posts));
    assert!(page.client.shared.ledger.signed(Some(own), None).is_none());
}

#[test]
fn the_number_of_a_transaction_is_stored_once_a_node_knows_it() {
    let page = left_sent();
    for (forgets, number) in [(true, None), (false, Some(7))] {
        let mut stored = page.world.browser.stored.borrow_mut();
        let entry = stored.iter_mut().find(|(name, _)| name.starts_with("trade/")).unwrap().1;
        if forgets {
            let unknown = Entry { nonce: None, ..Entry::read(entry).unwrap() };
            *entry = unknown.write();
        }
        drop(stored);
        page.world.chain.borrow_mut().node(8453).forgets = forgets;
        list(&next(&page), "trades.resume");
        let stored = page.world.browser.stored.borrow();
        let entry = stored.iter().find(|(name, _)| name.starts_with("trade/")).unwrap().1;
        let entry = Entry::read(entry).unwrap();
        assert_eq!((entry.status.as_deref(), entry.nonce), (Some("PENDING"), number));
    }
}

#[test]
fn an_order_is_posted_unasked_for_a_minute_to_the_millisecond() {
    for (after, state) in [(60_000, "posted"), (60_001, "posting")] {
        let page = next(&left_signed());
        let signed_at: u64 = at(&list(&page, "trades.list")[0], "signedAt").write().parse().unwrap();
        page.world.unix_ms.set(signed_at + after);
        assert_eq!(text(&list(&page, "trades.resume")[0], "state"), state);
    }
}

#[test]
fn no_more_entries_are_stored_than_a_memory_holds() {
    let page = left_posted();
    list(&page, "trades.list");
    let shared = &page.client.shared;
    let known = shared.ledger.trades(|_| true)[0].clone();
    for number in 0..300_u64 {
        let key = U256::from(number).into();
        pollster::block_on(async {
            shared.ledger.apply(key, Event::StorageRead(Box::new(Entry { key, ..known.clone() }), None)).await;
            shared.ledger.apply(key, Event::Ended("VOID")).await;
        });
    }
    let stored = page.world.browser.stored.borrow().keys().filter(|name| name.starts_with("trade/")).count();
    assert_eq!((stored, shared.ledger.trades(|_| true).len()), (256, 256));
}
