//! A journal that cannot be read is no empty one: no prompt opens beside it, unless the caller says so for one call.

use super::fake_host::{DELTA, Moment, RFQ, Rig, SELL, SRC, at, json, selling_native, set, text};
use super::journal::{code, left_signed, list, next, tab};
use super::market;
use super::otc::OFFER;
use alloy_primitives::{U256, hex};
use verified_swap_trade::host::HttpFailure;
use verify::internal::error::{Error, ErrorCode, Result};
use verify::internal::json::Json;

pub const WITHOUT: &str = r#"{"withoutJournal":true}"#;
const FAILED: &str = "UnknownError: the server was lost";
const NEWER: &str = "VersionError: the requested version (1) is less than the existing version (2)";

/// From now on the storage fails, in those words.
fn fail(rig: &Rig, why: &str) {
    *rig.world.browser.fault.borrow_mut() = Some(why.into());
}

fn recover(rig: &Rig) {
    rig.world.browser.fault.take();
}

#[track_caller]
fn refused<T: core::fmt::Debug>(outcome: Result<T>, actual: &str) -> Error {
    let error = outcome.unwrap_err();
    assert_eq!((error.code, error.actual.as_deref()), (ErrorCode::JournalUnreadable, Some(actual)), "{error:?}");
    assert!(error.message.contains("withoutJournal"), "{error:?}");
    assert_eq!(error.message.contains("reload the page"), actual == "newer", "{error:?}");
    error
}

/// The allowance of the owner's tokens for that contract.
fn allow(rig: &Rig, spender: &str, amount: U256) {
    let key = (SRC.parse().unwrap(), spender.parse().unwrap());
    rig.world.chain.borrow_mut().node(8453).allowances.insert(key, amount);
}

/// A call that opens a prompt: its name, and what it takes.
pub type Asked = fn(&Rig) -> (&'static str, Json, &'static str);

/// Every way to a prompt for which there is a note.
pub const WAYS: [Asked; 6] = [
    |rig| ("submit", rig.built(SELL).unwrap(), "{}"),
    |rig| {
        rig.world.service.borrow_mut().takes = Some(Box::new(|signature| signature == "0x"));
        ("submit", rig.built(SELL).unwrap(), r#"{"preSign":true}"#)
    },
    |rig| ("submit", market::built(rig, SELL).unwrap(), "{}"),
    |rig| ("submit", market::built(rig, &selling_native(SELL)).unwrap(), "{}"),
    |rig| {
        allow(rig, RFQ, U256::MAX);
        ("submit", rig.call("otc.build", &json(OFFER), "{}").unwrap(), "{}")
    },
    |rig| {
        allow(rig, DELTA, U256::ZERO);
        let approval = at(&rig.built(SELL).unwrap(), "approval").clone();
        ("approve", approval, "{}")
    },
];

/// A tab in which each of the ways is open.
pub fn open() -> Rig {
    let rig = tab();
    market::prepare(&rig, 8453, SRC, u64::MAX);
    let contract = Box::new(|_: &Json| Ok(json(r#""0x""#)));
    rig.world.chain.borrow_mut().node(8453).contracts.insert(DELTA.parse().unwrap(), contract);
    rig
}

/// How often a wallet was asked to sign or to send.
pub fn prompts(rig: &Rig) -> usize {
    rig.world.prompts() + rig.world.wallet_was_asked("eth_sendTransaction").len()
}

#[test]
fn no_prompt_opens_while_the_storage_fails_and_the_same_click_goes_on_once_it_does_not() {
    for (number, way) in WAYS.into_iter().enumerate() {
        for why in [FAILED, NEWER, "AbortError: the disk"] {
            let rig = open();
            let (name, argument, options) = way(&rig);
            fail(&rig, why);
            let began = rig.world.monotonic_ms.get();
            refused(rig.call(name, &argument, options), if why == NEWER { "newer" } else { why });
            assert!(rig.world.monotonic_ms.get() - began <= 6_000, "{number}");
            assert_eq!((prompts(&rig), rig.world.posts().len()), (0, 0), "{number}");
            recover(&rig);
            assert!(list(&rig, "trades.list").is_empty(), "{number}: what was not asked is no trade");
            rig.call(name, &argument, options).unwrap_or_else(|error| panic!("{number}: {error:?}"));
            assert_eq!(prompts(&rig), 1, "{number}");
        }
    }
}

#[test]
fn no_prompt_opens_for_what_cannot_be_noted() {
    for (number, way) in WAYS.into_iter().enumerate() {
        let rig = open();
        let (name, argument, options) = way(&rig);
        rig.world.browser.is_full.set(true);
        let error = rig.call(name, &argument, options).unwrap_err();
        assert_eq!((error.code, prompts(&rig)), (ErrorCode::JournalUnreadable, 0), "{number}: {error:?}");
        assert!(list(&rig, "trades.list").is_empty(), "{number}");
        // The user goes on all the same, for this one.
        let options = options.replacen(
            '}',
            if options == "{}" { r#""withoutJournal":true}"# } else { r#","withoutJournal":true}"# },
            1,
        );
        rig.call(name, &argument, &options).unwrap_or_else(|error| panic!("{number}: {error:?}"));
        assert_eq!(prompts(&rig), 1, "{number}");
    }
}

#[test]
fn without_a_storage_or_after_the_prompt_a_trade_goes_on() {
    for way in WAYS {
        let rig = open();
        rig.world.browser.has_storage.set(false);
        let (name, argument, options) = way(&rig);
        rig.call(name, &argument, options).unwrap();
        for method in ["eth_signTypedData_v4", "eth_sendTransaction"] {
            let rig = open();
            let (name, argument, options) = way(&rig);
            let browser = rig.world.browser.clone();
            rig.world.once(Moment::Answer(method), move |_| *browser.fault.borrow_mut() = Some(FAILED.into()));
            rig.call(name, &argument, options).unwrap();
        }
    }
}

#[test]
fn what_was_signed_before_is_found_once_the_storage_answers_and_nothing_is_signed_beside_it() {
    let page = next(&left_signed());
    let (before, build) = (prompts(&page), page.built(SELL).unwrap());
    fail(&page, FAILED);
    refused(page.submit(&build), FAILED);
    for call in ["trades.resume", "trades.list", "trades.forget"] {
        refused(page.call(call, &json("{}"), "{}"), FAILED);
    }
    refused(page.call("trades.abandon", at(&build, "orderHash"), "{}"), FAILED);
    recover(&page);
    assert_eq!(code(page.submit(&build)), ErrorCode::AlreadySigned);
    assert_eq!(text(&list(&page, "trades.resume")[0], "state"), "posted");
    assert_eq!((prompts(&page), page.world.posts().len()), (before, 6));
}

#[test]
fn a_nonce_that_cannot_be_read_is_not_written_over() {
    let rig = left_signed();
    let stored = |rig: &Rig| {
        let stored = rig.world.browser.stored.borrow();
        stored.iter().filter(|(name, _)| name.starts_with("nonce/")).map(|(_, nonce)| nonce.clone()).collect::<Vec<_>>()
    };
    let (before, page) = (stored(&rig), next(&rig));
    fail(&page, FAILED);
    let other = page.built(SELL).unwrap();
    recover(&page);
    assert_eq!(stored(&page), before);
    assert!(!before.contains(&text(&other, "nonce").to_owned()));
}

#[test]
fn a_storage_that_is_slow_is_waited_for_and_one_that_hangs_for_five_seconds() {
    for (load_ms, is_read) in [(1_200, true), (4_900, true), (25_000, false)] {
        let page = next(&left_signed());
        let build = page.built(SELL).unwrap();
        page.world.browser.load_ms.set(load_ms);
        let began = page.world.monotonic_ms.get();
        let error = page.submit(&build).unwrap_err();
        let expected = if is_read { ErrorCode::AlreadySigned } else { ErrorCode::JournalUnreadable };
        assert_eq!(error.code, expected, "{error:?}");
        assert!(is_read || page.world.monotonic_ms.get() - began < 6_000);
        assert_eq!(page.call("trades.resume", &json("{}"), "{}").is_ok(), is_read);
    }
}

#[test]
fn a_storage_that_fails_for_a_moment_is_asked_again_in_the_same_call() {
    for call in ["submit", "trades.resume"] {
        let page = next(&left_signed());
        let build = page.built(SELL).unwrap();
        fail(&page, FAILED);
        let browser = page.world.browser.clone();
        page.world.once(Moment::Sleep, move |_| drop(browser.fault.take()));
        match call {
            "submit" => assert_eq!(code(page.submit(&build)), ErrorCode::AlreadySigned),
            _ => assert_eq!(list(&page, call).len(), 1),
        }
    }
}

/// The same trade, clicked again and again in one page after the other, while a third of all that is asked of the storage
/// fails, and some posts get lost.
#[test]
fn however_often_the_storage_fails_one_trade_has_one_nonce() {
    for seed in 0..60 {
        let mut page = tab();
        page.world.browser.luck.set(Some(seed));
        for life in 0..4 {
            for click in 0..3 {
                if (seed + life + click) % 3 == 0 {
                    (0..5).for_each(|_| page.world.service.borrow_mut().next_is_lost("post"));
                }
                let _ = page.submit(&page.built(SELL).unwrap());
                page.world.service.borrow_mut().forget_faults();
            }
            page.world.pass(life * 40_000);
            page = next(&page);
            let _ = page.call("trades.resume", &json("{}"), "{}");
        }
        let asked = page.world.wallet_was_asked("eth_signTypedData_v4");
        let mut nonces: Vec<String> =
            asked.iter().map(|params| text(&json(text(&json(params), "1")), "message.nonce").to_owned()).collect();
        nonces.dedup();
        assert_eq!(nonces.len(), 1, "{seed}: {nonces:?}");
    }
}

#[test]
fn without_the_journal_the_services_open_orders_stand_in_the_way() {
    // Nobody knows of one.
    let rig = tab();
    let build = rig.built(SELL).unwrap();
    fail(&rig, FAILED);
    rig.submit_with(&build, WITHOUT).unwrap();
    assert_eq!((prompts(&rig), rig.world.posts().len()), (1, 1));
    // An earlier page posted one.
    for is_away in [false, true] {
        let first = tab();
        first.submit(&first.built(SELL).unwrap()).unwrap();
        first.world.service.borrow_mut().lists = true;
        let page = next(&first);
        fail(&page, FAILED);
        let build = page.built(SELL).unwrap();
        if is_away {
            page.world.service.borrow_mut().always("orders", || Err(HttpFailure::Network(None)));
        }
        let expected = if is_away { ErrorCode::Network } else { ErrorCode::AlreadySigned };
        assert_eq!(code(page.submit_with(&build, WITHOUT)), expected);
        assert_eq!(prompts(&page), 1, "only the first one's");
    }
}

#[test]
fn a_signed_order_is_posted_whatever_the_storage_does() {
    let page = left_signed();
    let signed = at(&list(&page, "trades.list")[0], "signedOrder").clone();
    let page = next(&page);
    fail(&page, FAILED);
    let prompts_before = prompts(&page);
    page.submit(&signed).unwrap();
    assert_eq!(prompts(&page), prompts_before);
}

#[test]
fn a_signed_order_that_cannot_be_opened_stands_in_the_way_until_the_user_gives_it_up() {
    let rig = left_signed();
    for (_, text) in rig.world.browser.stored.borrow_mut().iter_mut().filter(|(name, _)| name.starts_with("trade/")) {
        let mut entry = json(text);
        set(&mut entry, "payload", r#""{\"kind\":\"signedOrder\",\"sealed\":\"0.{}\"}""#);
        *text = entry.write();
    }
    let page = next(&rig);
    let (before, build) = (prompts(&page), page.built(SELL).unwrap());
    refused(page.submit(&build), "newer");
    page.submit(&page.built(&SELL.replace("100000000", "50000000")).unwrap()).unwrap();
    let id = at(&list(&page, "trades.list")[1], "id").clone();
    page.call("trades.abandon", &id, "{}").unwrap();
    page.submit(&page.built_as(SELL, r#"{"slippageBps":60}"#).unwrap()).unwrap();
    assert_eq!(prompts(&page), before + 2);
}

#[test]
fn a_signature_made_elsewhere_is_not_posted_for_a_build_beside_what_is_not_known() {
    let (first, other) = (tab(), Rig::default());
    let build = first.built(SELL).unwrap();
    let hash = text(&build, "orderHash").parse().unwrap();
    let signature = other.world.signer.borrow().sign(hash);
    let options = format!(r#"{{"signature":"{}"}}"#, hex::encode_prefixed(signature));
    fail(&first, FAILED);
    refused(first.submit_with(&build, &options), FAILED);
    assert!(first.world.posts().is_empty());
    recover(&first);
    first.submit_with(&build, &options).unwrap();
    assert_eq!((prompts(&first), first.world.posts().len()), (0, 1));
}

/// The entries of all trades, changed as a newer version might have written them.
fn rewrite(rig: &Rig, state: &str) {
    for (name, text) in rig.world.browser.stored.borrow_mut().iter_mut().filter(|(name, _)| name.starts_with("trade/"))
    {
        let mut entry = json(text);
        let kept = ["intent", "state"].map(|member| at(&entry, member).write());
        assert_eq!(*name, format!("trade/{}", super::fake_host::text(&entry, "key")));
        entry = json(&format!(r#"{{"version":2,"intent":{},"state":"{state}","rest":[{{"kind":7}}]}}"#, kept[0]));
        *text = entry.write();
    }
}

#[test]
fn an_entry_of_a_newer_version_stands_in_the_way_of_its_trade_until_it_has_ended() {
    for is_market in [false, true] {
        for (state, other, is_free) in
            [("posting", false, false), ("later", false, false), ("ended", false, true), ("posting", true, true)]
        {
            let rig = open();
            let built = |rig: &Rig, request: &str| match is_market {
                true => market::built(rig, request).unwrap(),
                false => rig.built(request).unwrap(),
            };
            rig.submit(&built(&rig, SELL)).unwrap();
            rewrite(&rig, state);
            let (page, before) = (next(&rig), rig.world.browser.stored.borrow().clone());
            let request = if other { SELL.replace("100000000", "50000000") } else { SELL.into() };
            let build = built(&page, &request);
            // The second look finds nothing new, and knows it still.
            for _ in 0..if is_free { 0 } else { 2 } {
                refused(page.submit(&build), "newer");
            }
            assert_eq!(prompts(&page), 1);
            // Nothing of it is listed, or changed.
            assert!(list(&page, "trades.list").is_empty());
            let is_entry = |(name, _): &(&String, &String)| name.starts_with("trade/");
            let after = page.world.browser.stored.borrow().clone();
            assert!(before.iter().filter(is_entry).eq(after.iter().filter(is_entry)));
            page.submit_with(&build, if is_free { "{}" } else { WITHOUT }).unwrap();
            assert_eq!(prompts(&page), 2);
            // Nor is it written over, where this one has its name.
            let after = page.world.browser.stored.borrow();
            assert!(is_free || before.iter().filter(is_entry).all(|(name, text)| after.get(name) == Some(text)));
        }
    }
}

#[test]
fn both_are_made_beside_an_entry_of_a_newer_version_where_the_user_says_so() {
    let rig = open();
    rig.submit(&market::built(&rig, SELL).unwrap()).unwrap();
    rewrite(&rig, "sent");
    let page = next(&rig);
    page.submit_with(&market::built(&page, SELL).unwrap(), r#"{"existing":"keepBoth"}"#).unwrap();
    assert_eq!(prompts(&page), 2);
}

#[test]
fn what_another_tab_removes_of_a_newer_version_stands_in_the_way_no_more() {
    let rig = tab();
    rig.submit(&rig.built(SELL).unwrap()).unwrap();
    rewrite(&rig, "asking");
    let page = next(&rig);
    let build = page.built(SELL).unwrap();
    refused(page.submit(&build), "newer");
    page.world.browser.stored.borrow_mut().retain(|name, _| !name.starts_with("trade/"));
    page.submit(&build).unwrap();
}

#[test]
fn the_option_is_one_of_the_calls_that_open_a_prompt() {
    let rig = tab();
    let quote = rig.quote(SELL).unwrap();
    assert_eq!(code(rig.build(&quote, r#"{"slippageBps":50,"withoutJournal":true}"#)), ErrorCode::InvalidInput);
    let error = rig.submit_with(&rig.built(SELL).unwrap(), r#"{"withoutJournal":1}"#).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("options.withoutJournal")));
}

#[test]
fn who_aborts_while_the_storage_is_asked_hears_of_that() {
    for (name, way) in
        [("trades.resume", None), ("trades.list", None)].into_iter().chain(WAYS.map(|way| ("", Some(way))))
    {
        for is_full in [false, true] {
            if is_full && way.is_none() {
                continue;
            }
            let rig = open();
            let (name, argument, options) = way.map_or((name, json("{}"), "{}"), |way| way(&rig));
            match is_full {
                true => rig.world.browser.is_full.set(true),
                false => fail(&rig, FAILED),
            }
            let signal = rig.signal.0.clone();
            rig.world.at_each(move |_, moment| {
                if moment == Moment::Sleep {
                    signal.set(true);
                }
            });
            let outcome = rig.call(name, &argument, options);
            assert_eq!((code(outcome), prompts(&rig)), (ErrorCode::Aborted, 0), "{name} {is_full}");
        }
    }
}

#[test]
fn what_helps_is_said_by_what_is_wrong() {
    for (why, advice) in [
        ("HungError: no answer", "reload the page"),
        ("LostKeyError: no key", "trades.abandon"),
        ("QuotaExceededError: the disk is full", "make room"),
        (FAILED, "close other tabs"),
    ] {
        let rig = open();
        let build = rig.built(SELL).unwrap();
        fail(&rig, why);
        let began = rig.world.monotonic_ms.get();
        let error = rig.submit(&build).unwrap_err();
        assert_eq!((error.code, error.actual.as_deref()), (ErrorCode::JournalUnreadable, Some(why)));
        for words in ["reload the page", "trades.abandon", "make room", "close other tabs"] {
            assert_eq!(error.message.contains(words), words == advice, "{error:?}");
        }
        // Asking again is of no use where the page or its user has to do something first.
        let is_asked_again = advice == "close other tabs" || advice == "make room";
        assert_eq!(rig.world.monotonic_ms.get() > began, is_asked_again, "{why}");
    }
}
