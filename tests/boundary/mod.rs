//! The boundary to JavaScript, in a browser: what goes in and out, and what it looks like to a page.

mod page;
mod pure;
mod quirks;
mod tabs;
mod values;
mod waiting;
mod wallets;

use page::{POST, Page, SIGN, apply, get, js, open, page, page_with, settled, text};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

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
    let refused = open(&js("({ baseUrl: 'https://service.test', apiKey: 'secret key' })")).err().unwrap();
    assert_eq!((text(&refused, "field"), text(&refused, "actual")), ("apiKey".into(), "something else".into()));
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
async fn a_watch_answers_its_calls_with_values() {
    let page = page();
    let order = page.call("submit", &page.built().await).await.unwrap();
    let watch = page.client.follow(&order, &js("{ intervalMs: 50, maxIntervalMs: 50 }")).unwrap();
    let plan = settled(watch.call("plan".into(), "{}".into())).await.unwrap();
    assert_eq!(get(&plan, "isTransaction").as_bool(), Some(false), "{plan:?}");
    assert_eq!(get(&plan, "intervalMs").as_f64(), Some(50.0));
    assert!(settled(watch.call("none".into(), "{}".into())).await.is_err());
    assert!(settled(watch.call("plan".into(), "{".into())).await.is_err());
}
