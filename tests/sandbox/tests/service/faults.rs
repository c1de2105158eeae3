//! Answers that go wrong on request.

use serde_json::{Value, json};

use crate::client::is_unanswered;
use crate::started::{Sandbox, sandbox};
use crate::trade::{Swap, wait_for};

fn set(sandbox: &Sandbox, fault: Value) {
    sandbox.post("/sandbox/fault", &fault).ok();
}

#[test]
fn an_error_is_answered_once_and_without_effect() {
    let sandbox = sandbox();
    set(&sandbox, json!({"endpoint": "chains", "status": 503, "errorType": "Overloaded", "details": "later"}));
    assert_eq!(sandbox.get("/chains").refused(503, "Overloaded"), "later");
    sandbox.get("/chains").ok();
    let swap = Swap::default();
    swap.approve(&sandbox);
    let signed = swap.signed(&sandbox);
    set(&sandbox, json!({"endpoint": "post", "status": 500}));
    assert_eq!(swap.post(&sandbox, &signed).status, 500);
    sandbox.get(&format!("/v2/delta/orders/hash/{}", signed.hash)).refused(404, "NotFound");
}

#[test]
fn a_fault_concerns_its_endpoint_as_often_as_asked() {
    let sandbox = sandbox();
    set(&sandbox, json!({"endpoint": "chains", "times": 2, "status": 429}));
    sandbox.get("/tokens/31337").ok();
    assert_eq!(
        [sandbox.get("/chains").status, sandbox.get("/chains").status, sandbox.get("/chains").status],
        [429, 429, 200]
    );
    set(&sandbox, json!({"endpoint": "*", "status": 418}));
    assert_eq!(sandbox.get("/tokens/31337").status, 418);
    sandbox.post("/sandbox/fault", &json!({"endpoint": "chain"})).refused(400, "InvalidInput");
    sandbox.post("/sandbox/fault", &json!({"endpoint": "chains", "stauts": 1})).refused(400, "InvalidInput");
    for status in [199, 600] {
        sandbox.post("/sandbox/fault", &json!({"endpoint": "chains", "status": status})).refused(400, "InvalidInput");
    }
}

#[test]
fn an_html_page_comes_in_place_of_json() {
    let sandbox = sandbox();
    set(&sandbox, json!({"endpoint": "chains", "html": true, "status": 429}));
    let answer = sandbox.get("/chains");
    assert_eq!((answer.status, answer.header("content-type")), (429, Some("text/html; charset=utf-8")));
    assert!(answer.body.starts_with("<!doctype html>"));
}

#[test]
fn a_body_is_sent_as_it_is_given() {
    let sandbox = sandbox();
    let body = r#"{"a":1,"a":2,"\u0061":3"#;
    set(&sandbox, json!({"endpoint": "chains", "body": body}));
    let answer = sandbox.get("/chains");
    assert_eq!((answer.status, answer.body.as_str()), (200, body));
}

#[test]
fn a_cut_body_is_shorter_than_announced() {
    let sandbox = sandbox();
    let whole = sandbox.get("/chains");
    assert!(!whole.is_cut);
    set(&sandbox, json!({"endpoint": "chains", "cutBody": true}));
    let cut = sandbox.get("/chains");
    assert!(cut.is_cut && cut.status == 200);
    assert_eq!(cut.body, whole.body[..whole.body.len() / 2]);
}

#[test]
fn a_connection_dropped_after_accepting_leaves_the_order_alive() {
    let sandbox = sandbox();
    let swap = Swap::default();
    swap.approve(&sandbox);
    let signed = swap.signed(&sandbox);
    set(&sandbox, json!({"endpoint": "post", "dropAfterAccept": true}));
    assert!(sandbox.post_text("/v2/delta/orders", &swap.post_body(&signed).to_string()).is_none());
    let order = sandbox.get(&format!("/v2/delta/orders/hash/{}", signed.hash)).ok();
    assert_eq!(swap.post(&sandbox, &signed).ok()["id"], order["id"]);
    wait_for(&sandbox, &order["id"], "COMPLETED");
}

#[test]
fn a_connection_dropped_before_leaves_nothing() {
    let sandbox = sandbox();
    let swap = Swap::default();
    swap.approve(&sandbox);
    let signed = swap.signed(&sandbox);
    set(&sandbox, json!({"endpoint": "post", "dropBefore": true}));
    assert!(sandbox.post_text("/v2/delta/orders", &swap.post_body(&signed).to_string()).is_none());
    sandbox.get(&format!("/v2/delta/orders/hash/{}", signed.hash)).refused(404, "NotFound");
}

#[test]
fn an_error_after_accepting_leaves_the_order_alive() {
    let sandbox = sandbox();
    let swap = Swap::default();
    swap.approve(&sandbox);
    let signed = swap.signed(&sandbox);
    set(&sandbox, json!({"endpoint": "post", "afterAccept": true, "status": 502, "html": true}));
    assert_eq!(swap.post(&sandbox, &signed).status, 502);
    sandbox.get(&format!("/v2/delta/orders/hash/{}", signed.hash)).ok();
}

#[test]
fn a_delayed_answer_waits_and_comes_whole() {
    let sandbox = sandbox();
    set(&sandbox, json!({"endpoint": "chains", "delayMs": 1}));
    sandbox.get("/chains").ok();
    set(&sandbox, json!({"endpoint": "chains", "delayMs": 3_600_000}));
    assert!(is_unanswered(sandbox.url(), "/chains"));
    sandbox.get("/chains").ok();
}

#[test]
fn an_answer_without_cors_headers_is_one_browsers_hide() {
    let sandbox = sandbox();
    set(&sandbox, json!({"endpoint": "chains", "status": 429, "noCors": true}));
    let answer = sandbox.get("/chains");
    assert_eq!((answer.status, answer.header("access-control-allow-origin")), (429, None));
}

#[test]
fn the_free_tier_is_one_request_a_second() {
    let sandbox = sandbox();
    sandbox.settings(json!({"rateLimit": true}));
    assert_eq!(sandbox.get("/chains").status, 200);
    let refused = || (0..50).map(|_| sandbox.get("/chains")).find(|answer| answer.status == 429).unwrap();
    let answer = refused();
    assert_eq!(answer.refused(429, "RateLimitExceeded"), "1 request per second, 3000 per day");
    assert_eq!(answer.header("access-control-allow-origin"), Some("*"));
    sandbox.settings(json!({"rateLimitCors": false}));
    assert_eq!(refused().header("access-control-allow-origin"), None);
    sandbox.settings(json!({"rateLimit": false}));
    assert!((0..5).all(|_| sandbox.get("/chains").status == 200));
}
