//! Entries of the journal that are there and cannot be opened: each may be any trade, and stands in the way of what a
//! second prompt would make twice, until the user lets go of it.

use super::fake_host::{Rig, SELL, at, json, native_sale, set, text, with};
use super::journal::{left_signed, list, next, tab};
use super::market;
use super::otc::desk_in;
use super::unread::{WAYS, WITHOUT, open, prompts};
use alloy_primitives::keccak256;
use verify::internal::error::{Error, ErrorCode, Result};
use verify::internal::json::Json;

/// Each way in which an entry is lost while its name stands: its key is gone, or the database that had it, as the host
/// hands it over; and, where nothing is sealed, cut, emptied, changed by one bit, or moved to another name.
const LOSSES: [fn(&str) -> String; 6] = [
    |_| String::new(),
    |entry| entry[..entry.len() / 2].into(),
    |entry| entry.replacen('{', "[", 1),
    |entry| entry.replacen(r#""version":1"#, r#""version":0"#, 1),
    |entry| entry.replacen(r#""kind":""#, r#""kind":"x"#, 1),
    |entry| {
        let (before, key) = entry.split_once(r#""key":"0x"#).unwrap();
        let digit = if key.starts_with('0') { '1' } else { '0' };
        format!(r#"{before}"key":"0x{digit}{}"#, &key[1..])
    },
];

/// The stored names with that prefix.
fn names(rig: &Rig, prefix: &str) -> Vec<String> {
    rig.world.browser.stored.borrow().keys().filter(|name| name.starts_with(prefix)).cloned().collect()
}

/// Has every entry with that prefix lost, and returns the ids of the trades.
fn lose(rig: &Rig, prefix: &str, how: fn(&str) -> String) -> Vec<String> {
    for (_, text) in rig.world.browser.stored.borrow_mut().iter_mut().filter(|(name, _)| name.starts_with(prefix)) {
        *text = how(text);
    }
    names(rig, "trade/").iter().map(|name| name["trade/".len()..].to_owned()).collect()
}

/// The journal has an entry for that key, which cannot be opened.
fn leave(rig: &Rig, key: &str) {
    rig.world.browser.stored.borrow_mut().insert(format!("trade/{key}"), String::new());
}

/// JOURNAL_UNREADABLE that names the entry, and both ways on.
#[track_caller]
fn refused<T: core::fmt::Debug>(outcome: Result<T>, id: &str) -> Error {
    let error = outcome.unwrap_err();
    assert_eq!((error.code, error.actual.as_deref()), (ErrorCode::JournalUnreadable, Some(id)), "{error:?}");
    for words in [id, "withoutJournal", "trades.abandon"] {
        assert!(error.message.contains(words), "{error:?}");
    }
    error
}

/// Each call that lists trades has exactly that one of them, as one that cannot be read.
#[track_caller]
fn assert_listed(rig: &Rig, id: &str) {
    for call in ["trades.list", "trades.resume"] {
        let all = list(rig, call);
        assert_eq!(all.len(), 1, "{call}: {all:?}");
        let members = ["id", "kind", "state", "needs"].map(|name| text(&all[0], name));
        assert_eq!(members, [id, "unreadable", "unreadable", "decision"]);
        assert_eq!(at(&all[0], "status"), &Json::Null);
        assert!(!text(&all[0], "summary.sentence").is_empty());
    }
}

fn abandon(rig: &Rig, id: &str) -> Result<Json> {
    rig.call("trades.abandon", &Json::String(id.into()), "{}")
}

fn other(request: &str) -> String {
    request.replace("100000000", "50000000")
}

#[test]
fn a_transaction_that_cannot_be_read_stands_in_the_way_of_every_one_that_trades() {
    for (number, how) in LOSSES.into_iter().enumerate() {
        for has_died in [true, false] {
            let rig = open();
            rig.world.chain.borrow_mut().node(8453).pending_for = u32::MAX;
            rig.submit(&market::built(&rig, SELL).unwrap()).unwrap();
            let ids = lose(&rig, "trade/", how);
            let [id] = &ids[..] else { panic!("{ids:?}") };
            // The page that sent it knows it, but not what another tab wrote since.
            let page = if has_died { next(&rig) } else { rig };
            if has_died {
                assert_listed(&page, id);
            }
            for request in [SELL.into(), other(SELL)] {
                let build = market::built(&page, &request).unwrap();
                for options in ["{}", r#"{"existing":"keepBoth"}"#] {
                    let error = page.submit_with(&build, options).unwrap_err();
                    let is_known = error.code == ErrorCode::AlreadySigned && !has_died;
                    assert!(is_known || error.actual.as_ref() == Some(id), "{number} {options}: {error:?}");
                }
            }
            assert_eq!(prompts(&page), 1, "{number}");
            assert_listed(&page, id);
            // It stays as it is, until the user lets go of it.
            assert_eq!(names(&page, "trade/").len(), 1);
            assert_eq!(text(&abandon(&page, id).unwrap(), "state"), "unreadable");
            assert!(names(&page, "trade/").is_empty());
            if has_died {
                assert!(list(&page, "trades.list").is_empty());
                page.submit(&market::built(&page, SELL).unwrap()).unwrap();
                assert_eq!(prompts(&page), 2, "{number}");
            }
        }
    }
}

#[test]
fn beside_one_that_cannot_be_read_the_user_may_go_on_for_one_call() {
    let rig = open();
    rig.submit(&market::built(&rig, SELL).unwrap()).unwrap();
    let ids = lose(&rig, "trade/", LOSSES[0]);
    let page = next(&rig);
    page.submit_with(&market::built(&page, &other(SELL)).unwrap(), WITHOUT).unwrap();
    assert_eq!(prompts(&page), 2);
    refused(page.submit(&market::built(&page, &other(SELL)).unwrap()), &ids[0]);
}

#[test]
fn a_fill_and_a_deposit_wait_for_what_cannot_be_read_and_an_approval_does_not() {
    let key = keccak256("any").to_string();
    let rig = tab();
    leave(&rig, &key);
    let desk = desk_in(rig);
    let build = desk.fill(&desk.order(&[]), "").unwrap();
    refused(desk.rig.submit(&build), &key);
    assert_eq!(prompts(&desk.rig), 0);
    desk.rig.submit_with(&build, WITHOUT).unwrap();

    let rig = open();
    let (name, approval, options) = WAYS[5](&rig);
    leave(&rig, &key);
    rig.call(name, &approval, options).unwrap();
    assert_eq!(prompts(&rig), 1);

    let rig = open();
    rig.world.service.borrow_mut().takes = Some(Box::new(|signature| signature == "0x"));
    let build = rig.built(&native_sale()).unwrap();
    leave(&rig, &key);
    refused(rig.submit_with(&build, r#"{"preSign":true}"#), &key);
    assert!(rig.world.wallet_was_asked("eth_sendTransaction").is_empty());
}

#[test]
fn no_prompt_of_any_kind_opens_for_the_very_trade_whose_entry_cannot_be_read() {
    for (number, way) in WAYS.into_iter().enumerate() {
        let rig = open();
        if number == 5 {
            // The same call of the wallet has the same key, in every page.
            let twin = open();
            let (name, approval, options) = way(&twin);
            twin.call(name, &approval, options).unwrap();
            leave(&rig, &names(&twin, "trade/")[0]["trade/".len()..]);
        }
        let (name, argument, options) = way(&rig);
        let sealed = text(&argument, "sealed").split_once('.').unwrap().1;
        let hash = argument.get("orderHash").and_then(Json::as_text).map(String::from);
        let key = hash.unwrap_or_else(|| keccak256(sealed).to_string());
        let key = if number == 5 { names(&rig, "trade/")[0]["trade/".len()..].to_owned() } else { key };
        leave(&rig, &key);
        refused(rig.call(name, &argument, options), &key);
        assert_eq!(prompts(&rig), 0, "{number}");
        // Nor is it written over where the user goes on.
        let with = if options == "{}" { r#"{"# } else { r#"{"preSign":true,"# };
        rig.call(name, &argument, &format!(r#"{with}"withoutJournal":true}}"#)).unwrap();
        assert_eq!(rig.world.browser.stored.borrow()[&format!("trade/{key}")], "", "{number}");
    }
}

#[test]
fn an_order_may_be_signed_beside_what_cannot_be_read_only_with_the_nonce_that_both_would_have() {
    // The nonce of the same trade is there: one of the two orders can be filled.
    let rig = left_signed();
    let lost = json(&rig.world.wallet_was_asked("eth_signTypedData_v4")[0]);
    let [id] = &lose(&rig, "trade/", LOSSES[0])[..] else { panic!() };
    let page = next(&rig);
    assert_listed(&page, id);
    page.world.pass(1_000);
    page.submit(&page.built(SELL).unwrap()).unwrap();
    let nonce = |params: &Json| text(&json(text(params, "1")), "message.nonce").to_owned();
    let asked = page.world.wallet_was_asked("eth_signTypedData_v4");
    assert_eq!(nonce(&json(asked.last().unwrap())), nonce(&lost));
    // It is filled: the next one has another nonce, and the first may be another trade's.
    let sliced = with(SELL, r#""numSlices":3,"intervalSecs":600"#);
    let before = prompts(&page);
    refused(page.submit(&page.built(&sliced).unwrap()), id);
    assert_eq!(prompts(&page), before, "no nonce keeps slices from being filled twice");
    page.submit(&page.built(&other(SELL)).unwrap()).unwrap();
    assert_eq!(prompts(&page), before + 1, "another trade");
}

#[test]
fn a_nonce_that_cannot_be_opened_is_none_that_both_would_have_and_is_not_written_over() {
    for lost in ["", "not a number"] {
        let rig = left_signed();
        let [id] = &lose(&rig, "trade/", LOSSES[0])[..] else { panic!() };
        lose(&rig, "nonce/", if lost.is_empty() { |_| String::new() } else { |_| "not a number".into() });
        let page = next(&rig);
        page.world.pass(1_000);
        let before = prompts(&page);
        for _ in 0..2 {
            let build = page.built(SELL).unwrap();
            assert!(text(&build, "nonce").len() > 9, "no nonce is read from what cannot be");
            refused(page.submit(&build), id);
        }
        assert_eq!(prompts(&page), before);
        let name = names(&page, "nonce/")[0].clone();
        assert_eq!(page.world.browser.stored.borrow()[&name], lost);
        // Another trade's nonce can be read.
        page.submit(&page.built(&other(SELL)).unwrap()).unwrap();
        abandon(&page, id).unwrap();
        page.submit(&page.built(SELL).unwrap()).unwrap();
        next(&page).built(SELL).unwrap();
        assert_ne!(page.world.browser.stored.borrow()[&name], lost, "let go of");
    }
}

#[test]
fn nonces_are_kept_while_an_entry_cannot_be_read() {
    let rig = left_signed();
    lose(&rig, "trade/", LOSSES[0]);
    for number in 0..300 {
        let name = format!("nonce/{}", keccak256([number as u8, (number >> 8) as u8]));
        rig.world.browser.stored.borrow_mut().insert(name, "5".into());
    }
    let page = next(&rig);
    list(&page, "trades.resume");
    assert_eq!(names(&page, "nonce/").len(), 301);
    // Nor does an old trade that is dropped, or one that is forgotten, take the nonce of both along.
    for is_old in [true, false] {
        let rig = tab();
        rig.submit(&rig.built(SELL).unwrap()).unwrap();
        let id = names(&rig, "trade/")[0]["trade/".len()..].to_owned();
        if is_old {
            let mut stored = rig.world.browser.stored.borrow_mut();
            let entry = stored.get_mut(&format!("trade/{id}")).unwrap();
            let mut changed = json(entry);
            for (name, value) in [("state", r#""ended""#), ("isOver", "true"), ("changedAt", "1")] {
                set(&mut changed, name, value);
            }
            *entry = changed.write();
        }
        // It comes behind all others.
        leave(&rig, &format!("0x{}", "ff".repeat(32)));
        let page = next(&rig);
        list(&page, "trades.resume");
        assert_eq!(list(&page, "trades.list").len(), if is_old { 1 } else { 2 });
        page.call("trades.forget", &json(&format!(r#"["{id}"]"#)), "{}").unwrap();
        assert_eq!((names(&page, "trade/").len(), names(&page, "nonce/").len()), (1, 1));
    }
}

#[test]
fn an_entry_that_cannot_be_read_is_left_out_only_of_what_has_ended() {
    let rig = tab();
    leave(&rig, &keccak256("any").to_string());
    let count = |filter: String| {
        let Json::Array(all) = rig.call("trades.list", &json(&filter), "{}").unwrap() else { panic!() };
        all.len()
    };
    let owner = rig.owner();
    for (filter, expected) in
        [(format!(r#"{{"account":"{owner}","chainId":1,"open":true}}"#), 1), (r#"{"open":false}"#.into(), 0)]
    {
        assert_eq!(count(filter), expected);
    }
    // Names that no entry can have are none.
    for name in ["trade/", "trade/5", "trade/0xff"] {
        rig.world.browser.stored.borrow_mut().insert(name.into(), "junk".into());
    }
    assert_eq!(count("{}".into()), 1);
    let forget = |ids: &str| rig.call("trades.forget", &json(ids), "{}").unwrap();
    forget(&format!(r#"["{}"]"#, keccak256("any")));
    assert_eq!((count("{}".into()), names(&rig, "trade/").len()), (0, 3));
    leave(&rig, &keccak256("any").to_string());
    forget("{}");
    assert_eq!((count("{}".into()), names(&rig, "").len()), (0, 0));
}

#[test]
fn an_entry_is_let_go_of_only_once_the_storage_has_deleted_it() {
    let rig = open();
    let key = keccak256("any").to_string();
    leave(&rig, &key);
    assert_listed(&rig, &key);
    rig.world.browser.is_full.set(true);
    assert_eq!(abandon(&rig, &key).unwrap_err().code, ErrorCode::JournalUnreadable);
    refused(rig.submit(&market::built(&rig, SELL).unwrap()), &key);
    rig.world.browser.is_full.set(false);
    abandon(&rig, &key).unwrap();
    rig.submit(&market::built(&rig, SELL).unwrap()).unwrap();
}
