//! Answers that go wrong on request.

use std::time::Duration;

use serde_json::{Value, json};

use crate::client::{is_reset_by_peer, is_unanswered, request, send_and_leave};
use crate::started::{Sandbox, sandbox};
use crate::trade::Swap;

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

fn wait_until_held(sandbox: &Sandbox, endpoint: &str) {
    while sandbox.get("/sandbox/held").ok() != json!([{"endpoint": endpoint, "tenant": null}]) {
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_held_request_is_answered_when_it_is_released() {
    let sandbox = sandbox();
    set(&sandbox, json!({"endpoint": "chains", "hold": true, "times": -1}));
    let url = sandbox.url().to_owned();
    let ask = || {
        let url = url.clone();
        let asked = std::thread::spawn(move || request(&url, "GET", "/chains", &[], ""));
        wait_until_held(&sandbox, "chains");
        asked
    };
    let release = |body: Value| sandbox.post("/sandbox/release", &body).ok()["released"].clone();
    let asked = ask();
    assert_eq!(release(json!({"endpoint": "quote"})), 0);
    assert_eq!(release(json!({"endpoint": "chains"})), 1);
    assert_eq!(asked.join().unwrap().unwrap().status, 200);
    let asked = ask();
    assert_eq!(release(json!({"drop": true})), 1);
    assert!(asked.join().unwrap().is_none());
    set(&sandbox, json!({"endpoint": "chains", "times": 0}));
    sandbox.get("/chains").ok();
}

#[test]
fn what_takes_effect_goes_on_after_the_sender_has_left() {
    let sandbox = sandbox();
    let swap = Swap { amount: 1_000_000, ..Swap::default() };
    swap.approve(&sandbox);
    for (is_accepted_first, known) in [(true, 200), (false, 404)] {
        let signed = swap.signed(&sandbox);
        set(&sandbox, json!({"endpoint": "post", "hold": true, "afterAccept": is_accepted_first}));
        send_and_leave(sandbox.url(), "/v2/delta/orders", &swap.post_body(&signed).to_string());
        let read = || sandbox.get(&format!("/v2/delta/orders/hash/{}", signed.hash)).status;
        wait_until_held(&sandbox, "post");
        assert_eq!(read(), known);
        assert_eq!(sandbox.post("/sandbox/release", &json!({})).ok()["released"], 1);
        while read() != 200 {
            std::thread::sleep(Duration::from_millis(5));
        }
        let owner = sandbox.get(&format!("/sandbox/owner/{}", sandbox.account(0))).ok();
        let hashes: Vec<_> = owner["delta"].as_array().unwrap().iter().map(|order| &order["orderHash"]).collect();
        assert!(hashes.contains(&&json!(signed.hash)), "{owner}");
        assert!(!owner["transactions"].as_array().unwrap().is_empty(), "{owner}");
    }
}

#[test]
fn a_tenants_faults_are_its_own_and_so_is_its_record() {
    let sandbox = sandbox();
    set(&sandbox, json!({"endpoint": "chains", "tenant": "one", "kind": "429 Retry-After", "times": -1}));
    let statuses: Vec<_> = ["", "/as/one", "/as/two"].map(|who| sandbox.get(&format!("{who}/chains")).status).into();
    assert_eq!(statuses, [200, 429, 200]);
    assert_eq!(sandbox.get("/as/one/chains").header("retry-after"), Some("12"));
    let record = sandbox.get("/sandbox/record?tenant=one").ok();
    let paths: Vec<_> = record["requests"].as_array().unwrap().iter().map(|one| &one["path"]).collect();
    assert_eq!(paths, ["/chains", "/chains"]);
}

#[test]
fn reads_of_a_node_go_wrong_too() {
    let sandbox = sandbox();
    let ask = |method: &str| {
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": []});
        sandbox.post("/as/one/rpc/31337", &body)
    };
    set(&sandbox, json!({"endpoint": "eth_chainId", "status": 500}));
    assert_eq!([ask("eth_blockNumber").status, ask("eth_chainId").status, ask("eth_chainId").status], [200, 500, 200]);
    set(&sandbox, json!({"endpoint": "rpc", "kind": "429 JSON-RPC"}));
    assert_eq!(ask("eth_chainId").ok()["error"]["code"], -32005);
    let record = sandbox.get("/sandbox/record").ok();
    let reads: Vec<_> = record["reads"].as_array().unwrap().iter().map(|one| &one["endpoint"]).collect();
    assert_eq!(reads, ["eth_blockNumber", "eth_chainId", "eth_chainId", "eth_chainId"]);
}

#[test]
fn every_kind_of_fault_shows_on_the_wire() {
    let sandbox = sandbox();
    let whole = sandbox.get("/chains").body;
    let of_kind = |kind: &str| {
        set(&sandbox, json!({"endpoint": "chains", "kind": kind}));
        request(sandbox.url(), "GET", "/chains", &[], "")
    };
    let answered = |kind: &str| of_kind(kind).unwrap();
    let kinds = sandbox.get("/sandbox/fault").ok();
    assert_eq!(kinds.as_array().unwrap().len(), 19);
    assert_eq!(answered("redirect").header("location"), Some("/as/elsewhere/chains?"));
    assert_eq!(answered("cut JSON").body, whole[..whole.len() / 2]);
    assert!(answered("cut TCP").is_cut);
    assert_eq!(answered("10 MB").body.len(), 10_000_000);
    assert_eq!(answered("wrong content type").header("content-type"), Some("text/html"));
    for (kind, body) in [("empty", ""), ("null", "null"), ("{}", "{}")] {
        let answer = answered(kind);
        assert_eq!((answer.status, answer.body.as_str(), answer.is_cut), (200, body, false));
    }
    assert!(of_kind("reset after accept").is_none());
}

#[test]
fn a_reset_connection_is_told_from_a_closed_one() {
    let sandbox = sandbox();
    for is_reset in [true, false] {
        set(&sandbox, json!({"endpoint": "chains", "dropBefore": true, "reset": is_reset}));
        assert_eq!(is_reset_by_peer(sandbox.url(), "/chains"), is_reset);
    }
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
