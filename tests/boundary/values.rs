//! Values in and out: arguments, answers, errors. `tests/package/values.test.mjs` has each kind of value.

use super::page::{
    NEVER, POST, REQUEST, SIGN, apply, assert_error, get, is_error, js, open, page, page_with, settled, text,
};
use js_sys::Object;
use wasm_bindgen_test::wasm_bindgen_test;

#[wasm_bindgen_test]
async fn an_error_is_an_error_of_the_page_with_facts_as_members() {
    let page = page();
    let outcome = page.call("quote", &js(&REQUEST.replace("100000000n", "0n"))).await;
    let error = assert_error(outcome, "INVALID_INPUT", Some("request.amount"));
    assert_eq!(text(&error, "action"), "none");
    assert_eq!((text(&error, "expected"), text(&error, "actual")), ("an amount above 0".into(), r#""0""#.into()));
    assert!(text(&error, "message").contains("request.amount"));
    // An unknown member is not there, rather than undefined.
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
        ("({ get chainId() { throw new Error('no') } })", "request"),
        ("({ amount: { raw: [Symbol('a')] } })", "request.amount.raw.0"),
    ] {
        let outcome = page.call("quote", &js(argument)).await;
        let error = outcome.expect_err(argument);
        assert!(is_error(&error), "{argument}");
        assert_eq!(text(&error, "code"), "INVALID_INPUT", "{argument}");
        assert_eq!(text(&error, "field"), field, "{argument}");
    }
    let outcome = settled(page.start("quote", &js(REQUEST), &js("{ singal: null }"))).await;
    let error = assert_error(outcome, "INVALID_INPUT", Some("options.singal"));
    assert!(text(&error, "expected").contains("did you mean"), "{error:?}");
    assert_eq!(text(&error, "actual"), r#""singal""#);
    for (options, field) in [
        ("{ baseUrl: 'http://service.test' }", "baseUrl"),
        ("{ baseUrl: 'https://service.test', advanced: { timeoutMs: 0 } }", "advanced.timeoutMs"),
        ("{ baseUrl: 'https://service.test', partner: '' }", "partner"),
        ("{ baseUrl: 'https://service.test', agreement: { feeBps: 201 } }", "agreement.feeBps"),
        ("{ baseUrl: 'https://service.test', agreement: { takeSurplus: true } }", "agreement.takeSurplus"),
        ("{ baseUrl: 'https://service.test', advanced: { allowServiceContracts: 'yes' } }", "advanced.allowServiceContracts"),
        ("{ baseUrl: 'https://service.test', advanced: { rpcQuorum: 0 } }", "advanced.rpcQuorum"),
        ("{ baseUrl: 'https://service.test', advanced: { rpcQuorum: 17 } }", "advanced.rpcQuorum"),
        ("{ baseUrl: 'https://service.test', rpcQuorum: 2 }", "options.rpcQuorum"),
        ("{ baseUrl: 'https://service.test', advanced: { rpcQuorums: 2 } }", "options.advanced.rpcQuorums"),
        ("{ baseUrl: 'https://service.test', advanced: { partner: 'shop' } }", "options.advanced.partner"),
        ("{ baseUrl: 'https://service.test', advanced: 7 }", "options.advanced"),
        ("{ baseUrl: 'https://service.test', advanced: { rpcQuorum: 2 }, rpc: { 7: 'https://a.test' } }", "rpc.7"),
        // The same one twice is one node, not two.
        (
            "{ baseUrl: 'https://service.test', advanced: { rpcQuorum: 2 }, rpc: { 7: ['https://a.test', 'https://a.test'] } }",
            "rpc.7",
        ),
        (
            "(() => { const wallet = { request() {} };
                return { baseUrl: 'https://service.test', advanced: { rpcQuorum: 2 }, rpc: { 7: [wallet, wallet] } } })()",
            "rpc.7",
        ),
    ] {
        let error = open(&js(options)).err().expect(options);
        assert!(is_error(&error) && text(&error, "field") == field, "{error:?}");
    }
    for options in [
        "{ baseUrl: 'https://service.test', advanced: { rpcQuorum: 2 } }",
        "{ baseUrl: 'https://service.test', advanced: { rpcQuorum: 2 }, rpc: { 7: ['https://a.test', { request() {} }] } }",
    ] {
        assert!(open(&js(options)).is_ok(), "{options}");
    }
    assert!(page.sent("GET /v2/quote").is_empty());
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
    let slow = page_with("{ advanced: { timeoutMs: 50 } }");
    slow.answer("answers", "/v2/quote", NEVER);
    assert_error(slow.call("quote", &js(REQUEST)).await, "TIMEOUT", None);
}
