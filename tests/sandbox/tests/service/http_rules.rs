//! Cross-origin rules, paths, and the page.

use serde_json::json;

use crate::client::request;
use crate::started::sandbox;
use crate::trade::Swap;

#[test]
fn any_origin_may_ask_and_no_header_is_exposed() {
    let sandbox = sandbox();
    let preflight_headers = [
        ("origin", "https://app.example"),
        ("access-control-request-method", "POST"),
        ("access-control-request-headers", "content-type"),
    ];
    for path in ["/v2/delta/orders", "/v2/quote/", "/rpc/31337", "/sandbox/config"] {
        let answer = request(sandbox.url(), "OPTIONS", path, &preflight_headers, "").unwrap();
        assert_eq!(answer.status, 204, "{path}");
        assert_eq!(answer.header("access-control-allow-origin"), Some("*"));
        assert_eq!(answer.header("access-control-allow-headers"), Some("content-type, x-api-key"));
        assert!(answer.header("access-control-allow-methods").unwrap().contains("POST"));
    }
    for answer in [sandbox.get("/chains"), sandbox.get("/v2/nothing"), sandbox.get("/sandbox/config")] {
        assert_eq!(answer.header("access-control-allow-origin"), Some("*"));
        assert_eq!(answer.header("access-control-expose-headers"), None);
    }
}

#[test]
fn a_slash_before_the_question_mark_changes_nothing() {
    let sandbox = sandbox();
    let with = Swap::default().quote_target(&sandbox);
    let without = with.replace("/v2/quote/?", "/v2/quote?");
    assert_ne!(with, without);
    let out = |target: &str| sandbox.get(target).ok()["delta"]["route"]["origin"].clone();
    assert_eq!(out(&with), out(&without));
}

#[test]
fn paths_and_methods_the_service_does_not_have_are_not_found() {
    let sandbox = sandbox();
    sandbox.get("/v2/quotes").refused(404, "NotFound");
    sandbox.post("/v2/quote", &json!({})).refused(404, "NotFound");
    assert_eq!(sandbox.post("/rpc/1", &json!({})).status, 404);
    for path in ["/rpc/31337", "/sandbox/nothing", "/sandbox/faucet"] {
        let answer = sandbox.get(path);
        assert_eq!(answer.refused(404, "NotFound"), "Endpoint not found", "{path}");
        assert_eq!(answer.header("access-control-allow-origin"), Some("*"));
    }
}

#[test]
fn a_request_that_is_too_large_is_refused() {
    let sandbox = sandbox();
    let body = " ".repeat(2_000_001);
    let answer = sandbox.post_text("/v2/delta/orders", &body).unwrap();
    assert_eq!(answer.status, 413);
}

#[test]
fn the_node_answers_through_the_same_origin() {
    let sandbox = sandbox();
    assert_eq!(sandbox.rpc("eth_chainId", json!([])), "0x7a69");
    let batch = json!([
        {"jsonrpc": "2.0", "id": 1, "method": "eth_chainId", "params": []},
        {"jsonrpc": "2.0", "id": 2, "method": "eth_blockNumber", "params": []},
    ]);
    assert_eq!(sandbox.post("/rpc/31338", &batch).ok()[0]["result"], "0x7a6a");
}
