//! The boundary to JavaScript, in a browser: what goes in and out, and what it looks like to a page.

#![cfg(target_arch = "wasm32")]

#[path = "wasm_boundary/page.rs"]
mod page;

use js_sys::{Object, Promise, Reflect};
use page::{Page, REQUEST, apply, get, js, moment, page, page_with, settled, text};
use verified_swap::js::{compute, open_client};
use wasm_bindgen::prelude::*;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

const SIGN: &str = "eth_signTypedData_v4";
const SEND: &str = "eth_sendTransaction";
const POST: &str = "POST /v2/delta/orders";

fn is_error(value: &JsValue) -> bool {
    value.is_instance_of::<js_sys::Error>()
        && text(value, "name") == "TradeError"
        && apply("(e) => String(e.stack).length > 0 && String(e) === `TradeError: ${e.message}`", value).is_truthy()
}

#[track_caller]
fn assert_error(outcome: page::Settled, code: &str, field: Option<&str>) -> JsValue {
    let error = outcome.expect_err(code);
    assert!(is_error(&error), "{error:?}");
    assert_eq!(text(&error, "code"), code, "{error:?}");
    assert_eq!(get(&error, "field").as_string().as_deref(), field, "{error:?}");
    error
}

#[wasm_bindgen_test]
async fn a_trade_goes_from_quote_to_posted_order() {
    let page = page();
    let build = page.built().await;
    let order = page.call("submit", &build).await.unwrap();
    assert_eq!(text(&order, "orderHash"), text(&build, "orderHash"));
    assert_eq!((page.asked(SIGN), page.sent(POST).len()), (1, 1));
    let posted = text(&page.sent(POST)[0], "body");
    assert!(posted.starts_with(&format!(r#"{{"order":{},"signature":"0x"#, text(&page.world, "value"))), "{posted}");
}

#[wasm_bindgen_test]
async fn the_route_goes_back_byte_for_byte() {
    let page = page();
    page.built().await;
    let body = text(&page.sent("POST /v2/delta/orders/build")[0], "body");
    let route = text(&page.world, "route");
    assert!(route.contains(r#""Caf\u00e9","10":"ten","2":1.0,"serial":12345678901234567890"#));
    assert!(body.starts_with(&format!(r#"{{"route":{route},"owner""#)), "{body}");
}

#[wasm_bindgen_test]
async fn the_key_goes_to_the_service_and_is_nowhere_in_the_client() {
    let keys = |page: &Page| {
        let requests = js_sys::Array::from(&get(&page.world, "requests"));
        requests.iter().map(|request| get(&request, "key").as_string()).collect::<Vec<_>>()
    };
    let page = page_with("{ apiKey: 'k3y', rpc: { 8453: 'https://node.test/rpc' } }");
    page.answer("answers", "/rpc", "() => new Response('{}', { status: 500 })");
    page.quote().await;
    let build = settled(page.start("build", &page.quote().await, &js("{ slippageBps: 50 }"))).await;
    let error = build.expect_err("a node that does not answer");
    let asked = keys(&page);
    assert!(asked.contains(&Some("k3y".into())) && asked.contains(&None), "{asked:?}");
    let to_node = js_sys::Array::from(&get(&page.world, "requests"));
    for request in to_node.iter() {
        let is_service = text(&request, "url").starts_with("https://service.test/");
        assert_eq!(get(&request, "key").as_string().is_some(), is_service, "{request:?}");
    }
    let told = apply("(e) => JSON.stringify(e, Object.getOwnPropertyNames(e)) + e.stack", &error);
    assert!(!told.as_string().unwrap().contains("k3y"));
    let plain = page_with("{}");
    plain.quote().await;
    assert_eq!(keys(&plain), [None]);
    let refused = open_client(&js("({ baseUrl: 'https://service.test', apiKey: 'secret key' })")).err().unwrap();
    assert_eq!((text(&refused, "field"), text(&refused, "actual")), ("apiKey".into(), "something else".into()));
}

#[wasm_bindgen_test]
async fn an_error_is_an_error_of_the_page_with_facts_as_members() {
    let page = page();
    let outcome = page.call("quote", &js(&REQUEST.replace("100000000n", "0n"))).await;
    let error = assert_error(outcome, "INVALID_INPUT", Some("request.amount"));
    assert_eq!(text(&error, "action"), "none");
    assert_eq!((text(&error, "expected"), text(&error, "actual")), ("an amount above 0".into(), r#""0""#.into()));
    assert!(text(&error, "message").contains("request.amount"));
    // What is not known is not there, rather than undefined.
    let absent = r#"(e) => ["status", "errorType", "signedOrder", "report", "cause"].every((name) => !(name in e))"#;
    assert!(apply(absent, &error).is_truthy());
}

#[wasm_bindgen_test]
async fn a_wrong_argument_is_a_rejection_and_not_a_throw() {
    let page = page();
    for (argument, field) in [
        ("undefined", "request"),
        ("null", "request"),
        ("7", "request"),
        ("[]", "request"),
        ("() => 1", "request"),
        ("({ chainid: 1 })", "request.chainid"),
        ("({ srcToken: Symbol('a') })", "request.srcToken"),
        ("({ get chainId() { throw new Error('no') } })", "request"),
        ("new Proxy({}, { ownKeys() { throw new Error('no') } })", "request"),
        ("new Proxy([1], { get() { throw new Error('no') } })", "request"),
        ("(() => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy; })()", "request"),
        ("({ delta: Object.defineProperty([], 0, { get() { throw new Error('no') } }) })", "request.delta"),
        ("(() => { const a = {}; a.a = a; return a; })()", ""),
    ] {
        let outcome = page.call("quote", &js(argument)).await;
        let error = outcome.expect_err(argument);
        assert!(is_error(&error), "{argument}");
        assert_eq!(text(&error, "code"), "INVALID_INPUT", "{argument}");
        if !field.is_empty() {
            assert_eq!(text(&error, "field"), field, "{argument}");
        }
    }
    let outcome = settled(page.start("quote", &js(REQUEST), &js("{ singal: null }"))).await;
    let error = assert_error(outcome, "INVALID_INPUT", Some("options.singal"));
    assert!(text(&error, "expected").contains("did you mean"), "{error:?}");
    assert_eq!(text(&error, "actual"), r#""singal""#);
    for (options, field) in [
        ("{ baseUrl: 'http://service.test' }", "baseUrl"),
        ("{ baseUrl: 'https://service.test', timeoutMs: 0 }", "timeoutMs"),
        ("{ baseUrl: 'https://service.test', partner: '' }", "partner"),
        ("{ baseUrl: 'https://service.test', agreement: { feeBps: 201 } }", "agreement.feeBps"),
        ("{ baseUrl: 'https://service.test', agreement: { takeSurplus: true } }", "agreement.takeSurplus"),
        ("{ baseUrl: 'https://service.test', allowServiceContracts: 'yes' }", "allowServiceContracts"),
    ] {
        let error = open_client(&js(options)).err().expect(options);
        assert!(is_error(&error) && text(&error, "field") == field, "{error:?}");
    }
    assert!(page.sent("GET /v2/quote").is_empty());
}

#[wasm_bindgen_test]
async fn inputs_are_read_once() {
    let page = page();
    let request = apply(
        "(request) => { let reads = 0; return Object.defineProperty(request, 'amount', { enumerable: true,
            get: () => (reads++ ? 1n : 100000000n) }) }",
        &js(REQUEST),
    );
    let quote = page.call("quote", &request).await.unwrap();
    assert_eq!(text(&quote, "srcAmount"), "100000000");
}

#[wasm_bindgen_test]
async fn a_bigint_of_any_width_keeps_its_digits_and_a_number_is_refused() {
    let page = page();
    let wide = "123456789012345678901234567890";
    let request = REQUEST.replace("100000000n", &format!("{wide}n"));
    let quote = page.call("quote", &js(&request)).await.unwrap();
    assert_eq!(text(&quote, "srcAmount"), wide);
    assert_eq!(text(&quote, "destAmount"), "49382715604938271560493827156000000000");
    for amount in ["1n << 256n", "-1n", "1e8", "100000000", "0.5", "NaN", "'1e8'", "'0x5f5e100'", "' 1'"] {
        let outcome = page.call("quote", &js(&REQUEST.replace("100000000n", amount))).await;
        assert_error(outcome, "INVALID_INPUT", Some("request.amount"));
    }
    assert_eq!(page.sent("GET /v2/quote").len(), 1);
}

#[wasm_bindgen_test]
async fn what_comes_out_is_plain_data_that_survives_the_trip() {
    let plain = "(value) => { const plain = (v) => v === null || ['string', 'number', 'boolean'].includes(typeof v)
        || (Array.isArray(v) && v.every(plain))
        || (Object.getPrototypeOf(v) === Object.prototype && Object.values(v).every(plain)); return plain(value); }";
    for trip in ["(v) => structuredClone(v)", "(v) => JSON.parse(JSON.stringify(v))", "(v) => ({ note: 1, ...v })"] {
        let page = page();
        let quote = page.quote().await;
        assert!(apply(plain, &quote).is_truthy());
        let build = settled(page.start("build", &apply(trip, &quote), &js("{ slippageBps: 50 }"))).await.unwrap();
        assert!(apply(plain, &build).is_truthy());
        let order = page.call("submit", &apply(trip, &build)).await.unwrap();
        assert!(apply(plain, &order).is_truthy());
        assert_eq!(page.sent(POST).len(), 1, "{trip}");
    }
}

#[wasm_bindgen_test]
async fn an_edited_build_is_refused() {
    let page = page();
    let build = page.built().await;
    let edited = apply("(build) => ({ ...build, beneficiary: `0x${'ba'.repeat(20)}` })", &build);
    assert_error(page.call("submit", &edited).await, "INVALID_INPUT", Some("build.beneficiary"));
    assert_eq!((page.asked(SIGN), page.sent(POST).len()), (0, 0));
}

/// A promise that never settles, so that only an abort can end what waits for it.
const NEVER: &str = "() => new Promise(() => {})";

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
    page.answer("wallets", "eth_getBlockByNumber", NEVER);
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
async fn the_wallets_own_error_is_the_cause_itself() {
    let page = page();
    let build = page.built().await;
    js("globalThis.thrown = Object.assign(new Error('nope'), { code: 4001, data: { a: 1 } })");
    // Rejected, or thrown where it was called: the same.
    for answer in ["() => Promise.reject(globalThis.thrown)", "() => { throw globalThis.thrown; }"] {
        page.answer("wallets", SIGN, answer);
        let error = assert_error(page.call("submit", &build).await, "USER_REJECTED", None);
        assert!(Object::is(&get(&error, "cause"), &js("globalThis.thrown")), "{answer}");
    }
    page.answer("wallets", SIGN, "() => { throw undefined; }");
    assert_error(page.call("submit", &build).await, "WALLET_FAILED", None);
    page.answer("wallets", SIGN, "() => Promise.reject({ code: -32603, data: { originalError: { code: 4001 } } })");
    assert_error(page.call("submit", &build).await, "USER_REJECTED", None);
    page.answer(
        "wallets",
        SIGN,
        "() => Promise.reject({ code: -32603, message: 'Wrapped', data: { message: 'node' } })",
    );
    let error = assert_error(page.call("submit", &build).await, "WALLET_FAILED", None);
    assert_eq!(text(&error, "message"), "eth_signTypedData_v4: node");
    let revoked = "() => { const { proxy, revoke } = Proxy.revocable([], {}); revoke(); return [proxy]; }";
    page.answer("wallets", "eth_accounts", revoked);
    assert_error(page.call("submit", &build).await, "WALLET_FAILED", None);
    page.answer("wallets", "eth_accounts", "undefined");
    page.answer("wallets", SIGN, "() => Promise.reject({ code: -32002 })");
    assert_error(page.call("submit", &build).await, "WALLET_PENDING", None);
    assert!(page.sent(POST).is_empty());
}

#[wasm_bindgen_test]
async fn the_networks_own_error_is_the_cause_itself() {
    let page = page();
    js("globalThis.down = new TypeError('Failed to fetch')");
    page.answer("answers", "/v2/quote", "() => { throw globalThis.down; }");
    let error = assert_error(page.call("quote", &js(REQUEST)).await, "NETWORK", None);
    assert!(Object::is(&get(&error, "cause"), &js("globalThis.down")));
    page.answer("answers", "/v2/quote", "() => new Response('{\"errorType\":\"PricingError\"}', { status: 400 })");
    let error = assert_error(page.call("quote", &js(REQUEST)).await, "NO_ROUTE", None);
    assert_eq!((get(&error, "status").as_f64(), text(&error, "errorType")), (Some(400.0), "PricingError".into()));
}

#[wasm_bindgen_test]
async fn an_answer_without_end_is_not_read_to_its_end() {
    let page = page();
    page.answer(
        "answers",
        "/v2/quote",
        "() => new Response(new ReadableStream({ pull(c) { c.enqueue(new Uint8Array(65536).fill(32)); } }))",
    );
    assert_error(page.call("quote", &js(REQUEST)).await, "SERVICE_MALFORMED", None);
    let slow = page_with("{ timeoutMs: 50 }");
    slow.answer("answers", "/v2/quote", NEVER);
    assert_error(slow.call("quote", &js(REQUEST)).await, "TIMEOUT", None);
}

#[wasm_bindgen_test]
async fn a_chain_that_does_not_answer_is_a_network_error_and_a_person_is_waited_for() {
    let page = page_with("{ timeoutMs: 50 }");
    let build = page.built().await;
    page.answer("wallets", "eth_getBlockByNumber", NEVER);
    assert_error(page.call("submit", &build).await, "NETWORK", None);
    page.answer("wallets", "eth_getBlockByNumber", "undefined");
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

#[wasm_bindgen_test]
async fn an_answer_that_is_no_promise_is_an_answer() {
    let page = page();
    let build = page.built().await;
    for method in [SIGN, "eth_accounts", "eth_chainId", "eth_getCode", "eth_call"] {
        page.answer("wallets", method, "(params, own) => own()");
    }
    page.call("submit", &build).await.unwrap();
}

#[wasm_bindgen_test]
async fn a_wallet_is_asked_as_a_method_of_its_object() {
    // The wallet keeps its methods private: called without its object, it throws.
    let page = page();
    let bare = apply(
        "(wallet) => { const { request } = wallet; try { request({ method: 'eth_accounts' }) }
        catch (e) { return e instanceof TypeError } }",
        &get(&page.world, "wallet"),
    );
    assert!(bare.is_truthy(), "the wallet does not care, and proves nothing");
    page.call("submit", &page.built().await).await.unwrap();
}

#[wasm_bindgen_test]
async fn a_local_account_signs_what_it_is_given_as_an_object() {
    let page = page();
    let owner = get(&page.world, "owner");
    let node = get(&page.world, "wallet");
    let options =
        apply("([wallet]) => ({ baseUrl: 'https://service.test', rpc: { 8453: wallet } })", &js_sys::Array::of1(&node));
    let binding = apply(
        "([wallet, address]) => ({ account: { address }, async signTypedData(typedData) {
            globalThis.given = typedData;
            return wallet.request({ method: 'eth_signTypedData_v4', params: [address, JSON.stringify(typedData)] });
        } })",
        &js_sys::Array::of2(&node, &owner),
    );
    let client = open_client(&options).unwrap().with_wallet(&binding).unwrap();
    let page = Page { client, world: page.world };
    page.call("submit", &page.built().await).await.unwrap();
    let given = js("globalThis.given");
    assert_eq!((text(&given, "primaryType"), get(&given, "domain.chainId").as_f64()), ("Order".into(), Some(8453.0)));
    assert_eq!(text(&given, "message.srcAmount"), "100000000");
}

#[wasm_bindgen_test]
async fn a_provider_or_an_account_itself_is_told_how_it_is_bound() {
    let client = page().client;
    for (binding, field, expected, actual) in [
        ("{ isMetaMask: true, _events: {}, request() {} }", "binding", "{ wallet: provider }", "the provider itself"),
        ("new (class { _state = {}; request() {} })()", "binding", "{ wallet: provider }", "the provider itself"),
        (
            "{ address: '0x', type: 'local', signMessage() {}, signTypedData() {} }",
            "binding",
            "{ account, signTypedData }",
            "the account itself",
        ),
        ("{ request() {}, acount: '0x' }", "binding.acount", "a known option (did you mean account?)", "\"acount\""),
        ("{ wallet: 7, request() {} }", "binding", "one of wallet, request, signTypedData", "none or several"),
    ] {
        let error = client.with_wallet(&js(&format!("({binding})"))).err().expect(binding);
        assert!(is_error(&error));
        let told = ["field", "expected", "actual"].map(|name| text(&error, name));
        assert_eq!(told, [field, expected, actual], "{binding}");
    }
    // What is no more than a provider binds itself.
    client.with_wallet(&js("({ request() {} })")).unwrap();
}

#[wasm_bindgen_test]
async fn listeners_that_throw_do_not_stop_a_trade() {
    let page = page_with("{ onEvent() { throw new Error('listener') } }");
    let build = page.built().await;
    let options = js("{ onProgress(step) { (globalThis.steps ??= []).push(step.step); throw new Error('listener') } }");
    settled(page.start("submit", &build, &options)).await.unwrap();
    let steps = apply("(steps) => steps.join()", &js("globalThis.steps"));
    assert_eq!(steps.as_string().as_deref(), Some("checking,signing,signed,posting,posted"));
}

#[wasm_bindgen_test]
async fn an_order_is_followed_to_its_end() {
    let page = page();
    let order = page.call("submit", &page.built().await).await.unwrap();
    let answer = "async (request, own) => { const order = await (await own()).json();
        const status = ['PENDING', 'PENDING', 'ACTIVE', 'COMPLETED'][(globalThis.read = (globalThis.read ?? -1) + 1)];
        return new Response(JSON.stringify({ ...order, status })); }";
    page.answer("answers", "/v2/delta/orders/order-1", answer);
    let watch = page.client.follow(&order, &js("{ intervalMs: 50, maxIntervalMs: 50 }")).unwrap();
    for status in ["PENDING", "ACTIVE", "COMPLETED"] {
        assert_eq!(text(&settled(watch.next()).await.unwrap(), "status"), status);
    }
    assert!(settled(watch.next()).await.unwrap().is_null());
    assert_eq!(page.sent("GET /v2/delta/orders/order-1").len(), 4);
}

/// What a pure function says of two arguments, written in JavaScript.
fn computed(name: &str, first: &str, second: &str) -> Result<JsValue, JsValue> {
    compute(name, &js(first), &js(second))
}

#[wasm_bindgen_test]
fn a_pure_function_takes_strings_and_bigints_and_small_numbers() {
    let one = ["1", &"0".repeat(77)].concat();
    for (name, first, second, expected) in [
        ("parseUnits", "'1.5'", "6", "1500000"),
        ("parseUnits", "'1.5'", "'6'", "1500000"),
        ("parseUnits", "'1.5'", "6n", "1500000"),
        ("parseUnits", "15n", "0", "15"),
        ("parseUnits", "'7'", "-0", "7"),
        ("parseUnits", "'7'", "6.0", "7000000"),
        ("parseUnits", "'1'", "77", one.as_str()),
        ("parseUnits", "'0'.repeat(100000) + '1'", "0", "1"),
        ("formatUnits", "'1500000'", "6", "1.5"),
        ("formatUnits", "10n ** 30n", "18", "1000000000000"),
        (
            "formatUnits",
            "2n ** 256n - 1n",
            "0",
            "115792089237316195423570985008687907853269984665640564039457584007913129639935",
        ),
        (
            "parseAddress",
            "'0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'",
            "undefined",
            "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
        ),
    ] {
        let answer = computed(name, first, second).unwrap();
        assert_eq!(answer.as_string().as_deref(), Some(expected), "{name}({first}, {second})");
    }
}

#[wasm_bindgen_test]
fn a_pure_function_names_the_argument_that_is_none() {
    for (name, first, second, field) in [
        ("parseUnits", "15", "6", "text"),
        ("parseUnits", "''", "6", "text"),
        ("parseUnits", "'\\ud800'", "6", "text"),
        ("parseUnits", "'1\\udc00'", "6", "text"),
        ("parseUnits", "'9'.repeat(1000000)", "6", "text"),
        ("parseUnits", "null", "6", "text"),
        ("parseUnits", "undefined", "6", "text"),
        ("parseUnits", "true", "6", "text"),
        ("parseUnits", "new String('1')", "6", "text"),
        ("parseUnits", "({ toString: () => '1' })", "6", "toString"),
        ("parseUnits", "['1']", "6", "text"),
        ("parseUnits", "() => '1'", "6", ""),
        ("parseUnits", "Symbol('1')", "6", ""),
        ("parseUnits", "'1'", "undefined", "decimals"),
        ("parseUnits", "'1'", "-1", "decimals"),
        ("parseUnits", "'1'", "0.5", "decimals"),
        ("parseUnits", "'1'", "78", "decimals"),
        ("parseUnits", "'1'", "2 ** 32", "decimals"),
        ("parseUnits", "'1'", "2 ** 32 + 6", "decimals"),
        ("parseUnits", "'1'", "1e21", "decimals"),
        ("parseUnits", "'1'", "NaN", "decimals"),
        ("parseUnits", "'1'", "Infinity", "decimals"),
        ("parseUnits", "'1'", "'6.0'", "decimals"),
        ("parseUnits", "'1'", "({})", "decimals"),
        ("formatUnits", "1500000", "6", "amount"),
        ("formatUnits", "-1n", "6", "amount"),
        ("formatUnits", "2n ** 256n", "6", "amount"),
        ("formatUnits", "'1.5'", "6", "amount"),
        ("parseAddress", "'0x833589fcd6edb6e08f4c7c32d4f71b54bda0291\\ud83d'", "undefined", "address"),
        ("parseAddress", "7", "undefined", "address"),
        ("comparable", "'MARKET'", "undefined", "request.mode"),
        ("nothing", "1", "undefined", "name"),
    ] {
        assert_error(computed(name, first, second), "INVALID_INPUT", Some(field));
    }
    assert!(computed("comparable", "undefined", "undefined").unwrap().is_null());
}

#[wasm_bindgen_test]
fn whether_something_is_an_address_has_an_answer_for_all_plain_data() {
    assert!(computed("isAddress", "'0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'", "undefined").unwrap().is_truthy());
    for odd in [
        "'0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02914'",
        "'\\ud800'.repeat(42)",
        "'0x' + '1'.repeat(1000000)",
        "7",
        "NaN",
        "undefined",
        "null",
        "0n",
    ] {
        assert_eq!(computed("isAddress", odd, "undefined").unwrap().as_bool(), Some(false), "{odd}");
    }
}
