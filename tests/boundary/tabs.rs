//! The module's use of `pkg-template/src/tabs.ts`, and of one that fails.

use super::page::{apply, get, js};
use crate::{host::Browser, tabs::Tabs};
use js_sys::Reflect;
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Waker};
use trade::host::{Host, LockFailure, StorageFailure};
use wasm_bindgen::prelude::*;
use wasm_bindgen_test::wasm_bindgen_test;

/// Notes what it is asked for, and answers with what a test puts in `answers`.
const TABS: &str = "(() => {
    const asked = [], answers = {}, wakes = new Set();
    const note = (name) => (...given) => (asked.push([name, ...given].join()), answers[name]);
    const names = ['open', 'close', 'isVisible', 'load', 'changes', 'store', 'lock', 'tell', 'inbox'];
    const own = { asked, answers, wakes, wakeBy: (wake) => wakes.add(wake), forget: (wake) => wakes.delete(wake) };
    return { ...own, ...Object.fromEntries(names.map((name) => [name, note(name)])) };
})()";

fn browser(tabs: &JsValue) -> Browser {
    Browser { on_event: None, tabs: tabs.clone().unchecked_into::<Tabs>(), early: None, load: None }
}

fn answer(tabs: &JsValue, name: &str, value: &str) {
    Reflect::set(&get(tabs, "answers"), &name.into(), &js(value)).unwrap();
}

fn asked(tabs: &JsValue) -> String {
    apply("(tabs) => tabs.asked.splice(0).join(' ')", tabs).as_string().unwrap()
}

/// Polls a future once, and drops it; whether it waits.
fn starts_to_wait(future: impl Future) -> bool {
    pin!(future).poll(&mut Context::from_waker(Waker::noop())).is_pending()
}

#[wasm_bindgen_test]
async fn entries_are_passed_as_they_are() {
    let tabs = js(TABS);
    let host = browser(&tabs);
    answer(&tabs, "load", "Promise.resolve([['trade/1', 'one'], ['trade/2'], 5, ['trade/3', 3], ['trade/4', '']])");
    let pair = |name: &str, text: &str| (name.to_owned(), text.to_owned());
    assert_eq!(host.load("trade/", 5).await, Ok(vec![pair("trade/1", "one"), pair("trade/4", "")]));
    answer(&tabs, "changes", "Promise.resolve([7, [['trade/1', 'one'], ['trade/2', null], 5]])");
    let changes = vec![("trade/1".to_owned(), Some("one".to_owned())), ("trade/2".to_owned(), None)];
    assert_eq!(host.changes("trade/", 6, 7).await, Ok((7, changes)));
    answer(&tabs, "store", "Promise.resolve(true)");
    assert_eq!(host.store("trade/1", Some("one"), true, 8).await, Ok(()));
    assert_eq!(host.store("trade/2", None, false, 9).await, Ok(()));
    assert_eq!(asked(&tabs), "load,trade/,5 changes,trade/,6,7 store,trade/1,one,true,8 store,trade/2,,false,9");
}

#[wasm_bindgen_test]
async fn what_fails_in_the_tabs_counts_as_missing_but_a_storage_only_where_it_is() {
    let tabs = js(TABS);
    let host = browser(&tabs);
    let unreadable = |why: &str| StorageFailure::Unreadable(why.into());
    let unknown = unreadable("an unknown answer");
    let failures = [
        ("undefined", unknown.clone()),
        ("null", StorageFailure::Absent),
        ("5", unknown.clone()),
        ("'VersionError: 2'", unreadable("VersionError: 2")),
        ("Promise.resolve(null)", StorageFailure::Absent),
        ("Promise.reject(new Error('broken'))", unknown.clone()),
    ];
    for (failure, expected) in failures {
        for name in ["load", "changes", "store", "lock", "inbox", "isVisible"] {
            answer(&tabs, name, failure);
        }
        assert_eq!(host.load("", 5).await, Err(expected.clone()), "{failure}");
        assert_eq!(host.changes("", 0, 5).await, Err(expected.clone()), "{failure}");
        assert_eq!(host.store("trade/1", None, true, 5).await, Err(expected), "{failure}");
        assert!(host.lock("trade/1", 0).await.is_ok(), "{failure}");
        assert_eq!(host.next_message(&host.inbox("nonce")), None, "{failure}");
    }
    let throwing = "new Proxy({}, { get() { throw new Error('broken') } })";
    for host in [browser(&js(throwing)), browser(&JsValue::UNDEFINED)] {
        assert_eq!(host.load("", 5).await, Err(unknown.clone()));
        assert_eq!(host.store("trade/1", Some("one"), true, 5).await, Err(unknown.clone()));
        assert!(!host.hears_tabs());
        assert!(host.lock("trade/1", 5).await.is_ok() && host.is_visible());
        host.publish("nonce", "1");
        assert_eq!(host.next_message(&host.inbox("nonce")), None);
    }
}

#[wasm_bindgen_test]
async fn a_lock_ends_when_it_is_dropped_even_if_it_was_never_awaited() {
    let tabs = js(TABS);
    let host = browser(&tabs);
    js("globalThis.ended = []");
    let ended = || js("ended.splice(0).join()").as_string().unwrap();
    answer(&tabs, "lock", "{ got: Promise.resolve(true), close: () => ended.push('taken') }");
    let held = host.lock("trade/1", 250).await.ok().unwrap();
    assert_eq!((asked(&tabs).as_str(), ended().as_str()), ("lock,trade/1,250", ""));
    drop(held);
    assert_eq!(ended(), "taken");
    answer(&tabs, "lock", "{ got: Promise.resolve(false), close: () => ended.push('not taken') }");
    assert_eq!(host.lock("trade/1", 0).await.err(), Some(LockFailure::Taken));
    assert_eq!(ended(), "not taken");
    answer(&tabs, "lock", "{ got: Promise.resolve(null), close: () => ended.push('silent') }");
    assert_eq!(host.lock("trade/1", 0).await.err(), Some(LockFailure::Silent));
    assert_eq!(ended(), "silent");
    answer(&tabs, "lock", "{ got: new Promise(() => {}), close: () => ended.push('waiting') }");
    assert!(starts_to_wait(host.lock("trade/1", 1_000)));
    assert_eq!(ended(), "waiting");
}

#[wasm_bindgen_test]
async fn an_inbox_gives_its_messages_in_order_and_ends_when_it_is_dropped() {
    let tabs = js(TABS);
    let host = browser(&tabs);
    answer(
        &tabs,
        "inbox",
        "(globalThis.box = { all: ['1', '2'], next: () => box.all.shift(), close: () => box.all.push('closed') })",
    );
    let inbox = host.inbox("nonce");
    let next = || host.next_message(&inbox);
    assert_eq!((next(), next(), next()), (Some("1".into()), Some("2".into()), None));
    drop(inbox);
    host.publish("nonce", "3");
    assert_eq!(js("box.all.join()").as_string().unwrap(), "closed");
    assert_eq!(asked(&tabs), "inbox,nonce tell,nonce,3");
}

#[wasm_bindgen_test]
async fn the_tabs_are_closed_with_their_host() {
    let tabs = js(TABS);
    drop(browser(&tabs));
    assert_eq!(asked(&tabs), "close");
}
