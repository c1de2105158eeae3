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
fn each_request_takes_as_long_as_its_class_and_preflights_do_too() {
    let sandbox = sandbox();
    sandbox.settings(json!({"serviceDelayMs": 30, "nodeDelayMs": 60, "corsMaxAge": 600}));
    for (path, wanted) in [("/v2/quote", "GET"), ("/rpc/31337", "POST")] {
        let headers = [("access-control-request-method", wanted)];
        let answer = request(sandbox.url(), "OPTIONS", path, &headers, "").unwrap();
        assert_eq!(answer.header("access-control-max-age"), Some("600"));
    }
    std::thread::scope(|threads| {
        for _ in 0..2 {
            threads.spawn(|| sandbox.get("/chains"));
        }
    });
    sandbox.rpc("eth_chainId", json!([]));
    let record = sandbox.get("/sandbox/record").ok();
    let times = |list: &str| -> Vec<(u64, u64)> {
        let all = record[list].as_array().unwrap().iter();
        all.map(|one| (one["at"].as_u64().unwrap(), one["end"].as_u64().unwrap())).collect()
    };
    let [(at, end), (next_at, next_end)] = times("requests")[..] else { panic!("{}", record["requests"]) };
    assert!(end - at >= 30 && next_end - next_at >= 30 && next_at < end, "at once, and each as long: {record}");
    let ([to_service, to_node], [read]) = (&times("preflights")[..], &times("reads")[..]) else { panic!("{record}") };
    for ((at, end), least) in [(to_service, 30), (to_node, 60), (read, 60)] {
        assert!(end - at >= least, "{record}");
    }
    assert_eq!([0, 1].map(|place: usize| &record["preflights"][place]["endpoint"]), ["quote", "rpc"]);
    sandbox.settings(json!({"corsMaxAge": null}));
    assert_eq!(request(sandbox.url(), "OPTIONS", "/chains", &[], "").unwrap().header("access-control-max-age"), None);
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
