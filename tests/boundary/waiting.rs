//! Waiting: aborts, calls that are shared, several at once.

use super::page::{
    NEVER, POST, Page, REQUEST, SEND, SIGN, apply, assert_error, get, js, moment, page, page_with, settled, text,
};
use js_sys::{Object, Promise, Reflect};
use wasm_bindgen::prelude::*;
use wasm_bindgen_test::wasm_bindgen_test;

async fn aborted_during(page: &Page, name: &str, argument: &JsValue) {
    let controller = js("new AbortController()");
    let options = js("{}");
    Reflect::set(&options, &"signal".into(), &get(&controller, "signal")).unwrap();
    if name == "build" {
        Reflect::set(&options, &"slippageBps".into(), &50.into()).unwrap();
    }
    let running = page.start(name, argument, &options);
    moment().await;
    apply("(controller) => controller.abort()", &controller);
    assert_error(settled(running).await, "ABORTED", None);
}

#[wasm_bindgen_test]
async fn an_abort_ends_a_wait_that_would_never_end() {
    let page = page();
    let quote = page.quote().await;
    let build = page.built().await;
    page.answer("answers", "/v2/quote", NEVER);
    aborted_during(&page, "quote", &js(REQUEST)).await;
    page.answer("answers", "/v2/delta/orders/build", NEVER);
    aborted_during(&page, "build", &quote).await;
    page.answer("wallets", "eth_chainId", NEVER);
    aborted_during(&page, "submit", &build).await;
    assert_eq!((page.asked(SIGN), page.sent(POST).len()), (0, 0));
}

#[wasm_bindgen_test]
async fn a_signature_given_after_the_abort_serves_the_next_attempt() {
    let page = page();
    let build = page.built().await;
    page.answer(
        "wallets",
        SIGN,
        "(params, own) => new Promise((resolve) => { globalThis.signNow = () => resolve(own()); })",
    );
    aborted_during(&page, "submit", &build).await;
    assert_eq!((page.asked(SIGN), page.sent(POST).len()), (1, 0));
    let second = page.start("submit", &build, &JsValue::UNDEFINED);
    moment().await;
    js("globalThis.signNow()");
    settled(second).await.unwrap();
    assert_eq!((page.asked(SIGN), page.sent(POST).len()), (1, 1));
}

#[wasm_bindgen_test]
async fn closing_a_client_ends_what_waits() {
    let page = page();
    page.answer("answers", "/v2/quote", NEVER);
    let running = page.start("quote", &js(REQUEST), &JsValue::UNDEFINED);
    moment().await;
    page.client.close();
    assert_error(settled(running).await, "ABORTED", None);
}

#[wasm_bindgen_test]
async fn a_second_submit_of_an_order_gets_the_first_ones_promise() {
    let page = page();
    let build = page.built().await;
    let first = page.start("submit", &build, &JsValue::UNDEFINED);
    let second = page.start("submit", &apply("(v) => structuredClone(v)", &build), &JsValue::UNDEFINED);
    assert!(Object::is(&first, &second));
    settled(first.clone()).await.unwrap();
    // And after it arrived, too.
    assert!(Object::is(&first, &page.start("submit", &build, &JsValue::UNDEFINED)));
    assert_eq!((page.asked(SIGN), page.sent(POST).len()), (1, 1));
}

#[wasm_bindgen_test]
async fn a_submit_that_failed_can_be_done_again() {
    let page = page();
    let build = page.built().await;
    page.answer("wallets", SIGN, "() => Promise.reject({ code: 4001, message: 'no' })");
    let first = page.start("submit", &build, &JsValue::UNDEFINED);
    assert_error(settled(first.clone()).await, "USER_REJECTED", None);
    page.answer("wallets", SIGN, "undefined");
    let second = page.start("submit", &build, &JsValue::UNDEFINED);
    assert!(!Object::is(&first, &second));
    settled(second).await.unwrap();
}

#[wasm_bindgen_test]
async fn calls_that_run_together_do_not_mix() {
    let page = page();
    page.answer(
        "answers",
        "/v2/quote",
        // The first asked is answered last.
        "(request, own) => { globalThis.late = (globalThis.late ?? 60) - 10;
            return new Promise((resolve) => setTimeout(() => resolve(own()), globalThis.late)); }",
    );
    let amounts = [1_000_000_u64, 2_000_000, 3_000_000, 4_000_000];
    let running: Vec<Promise> = amounts
        .iter()
        .map(|amount| {
            let request = js(&REQUEST.replace("100000000n", &format!("{amount}n")));
            page.start("quote", &request, &JsValue::UNDEFINED)
        })
        .collect();
    for (amount, promise) in amounts.iter().zip(running) {
        assert_eq!(text(&settled(promise).await.unwrap(), "srcAmount"), amount.to_string());
    }
}

#[wasm_bindgen_test]
async fn a_chain_that_does_not_answer_is_a_network_error_and_a_person_is_waited_for() {
    let page = page_with("{ advanced: { timeoutMs: 50 } }");
    page.answer("wallets", "eth_getBlockByNumber", NEVER);
    let quote = page.quote().await;
    let build = page.start("build", &quote, &js("{ slippageBps: 50 }"));
    assert_error(settled(build).await, "NETWORK", None);
    page.answer("wallets", "eth_getBlockByNumber", "undefined");
    let build = page.built().await;
    page.answer("wallets", SIGN, "(params, own) => new Promise((resolve) => setTimeout(() => resolve(own()), 400))");
    page.call("submit", &build).await.unwrap();
}

/// Lets the page go on until the wallet was asked that.
async fn asked(page: &Page, method: &str) {
    for _ in 0..1_000 {
        if page.asked(method) > 0 {
            return;
        }
        moment().await;
    }
    panic!("{method} was not asked");
}

#[wasm_bindgen_test]
async fn consent_on_chain_does_not_wait_for_the_signature_that_was_asked_for_before() {
    let page = page();
    let build = page.built().await;
    page.answer("wallets", SIGN, NEVER);
    let first = page.start("submit", &build, &JsValue::UNDEFINED);
    asked(&page, SIGN).await;
    page.answer("wallets", "eth_call", "([{ data }], own) => data.startsWith('0xeb8fb268') ? '0x' : own()");
    page.answer("wallets", "eth_getBalance", "() => '0x1'");
    page.answer("wallets", SEND, "() => Promise.reject({ code: 4001, message: 'no' })");
    let second = page.start("submit", &build, &js("{ preSign: true }"));
    assert!(!Object::is(&first, &second));
    assert_error(settled(second).await, "USER_REJECTED", None);
    assert_eq!((page.asked(SIGN), page.asked(SEND), page.sent(POST).len()), (1, 1, 0));
}

#[wasm_bindgen_test]
async fn consent_on_chain_asked_for_twice_at_once_is_one_submission() {
    let page = page();
    let build = page.built().await;
    page.answer("wallets", "eth_call", "([{ data }], own) => data.startsWith('0xeb8fb268') ? '0x' : own()");
    page.answer("wallets", "eth_getBalance", "() => '0x1'");
    page.answer("wallets", SEND, "() => Promise.reject({ code: 4001, message: 'no' })");
    let first = page.start("submit", &build, &js("{ preSign: true }"));
    let second = page.start("submit", &build, &js("{ preSign: true }"));
    let third = page.start("submit", &apply("({ orderHash, ...rest }) => rest", &build), &js("{ preSign: true }"));
    assert!(Object::is(&first, &second) && Object::is(&first, &third));
    assert_error(settled(first).await, "USER_REJECTED", None);
    assert_eq!(page.asked(SEND), 1);
    // Another signature is another submission, the same one is not.
    let signed = |byte: &str| page.start("submit", &build, &js(&format!("{{ signature: '0x{}' }}", byte.repeat(65))));
    let (first, second, third) = (signed("01"), signed("01"), signed("02"));
    assert!(Object::is(&first, &second) && !Object::is(&first, &third));
    for one in [first, third] {
        assert_error(settled(one).await, "SIGNATURE_MISMATCH", Some("signature"));
    }
}

#[wasm_bindgen_test]
async fn a_copy_without_the_orders_hash_is_the_same_order() {
    let page = page();
    let build = page.built().await;
    let first = page.start("submit", &build, &JsValue::UNDEFINED);
    let second = page.start("submit", &apply("({ orderHash, ...rest }) => rest", &build), &js("{ preSign: false }"));
    assert!(Object::is(&first, &second));
    settled(first).await.unwrap();
    assert_eq!((page.asked(SIGN), page.sent(POST).len()), (1, 1));
}

#[wasm_bindgen_test]
async fn an_approval_asked_for_twice_at_once_is_one_prompt() {
    let page = page();
    let allowance = "([{ data }], own) => data.startsWith('0xdd62ed3e') ? `0x${'0'.repeat(48)}${globalThis.allowed ?? '0'.repeat(16)}` : own()";
    page.answer("wallets", "eth_call", allowance);
    page.answer("wallets", "eth_getTransactionReceipt", "() => ({ status: '0x1' })");
    page.answer(
        "wallets",
        SEND,
        "() => new Promise((resolve) => { globalThis.send = () => { globalThis.allowed = 'f'.repeat(16); resolve(`0x${'11'.repeat(32)}`); }; })",
    );
    let approval = get(&page.built().await, "approval");
    let running = [0, 1].map(|_| page.start("approve", &approval, &JsValue::UNDEFINED));
    asked(&page, SEND).await;
    moment().await;
    js("globalThis.send()");
    for one in running {
        settled(one).await.unwrap();
    }
    assert_eq!(page.asked(SEND), 1);
    js("delete globalThis.allowed");
}
