//! Tampers, lies, the record, settings and reset.

use sandbox::order::OrderKind;
use serde_json::{Value, json};

use crate::started::{Sandbox, sandbox};
use crate::trade::{Swap, number, raw_route, sign};

const THIEF: &str = "0xBaD0000000000000000000000000000000000BAD";

fn lie(sandbox: &Sandbox, kind: &str) {
    sandbox.post("/sandbox/lie", &json!({"kind": kind})).ok();
}

/// Whether `orderHash` is the digest of `toSign`: the node signs what it is shown, and the post compares.
fn hash_fits(sandbox: &Sandbox, built: &Value) -> bool {
    let chain_id = built["toSign"]["domain"]["chainId"].as_u64().unwrap();
    let delta = built["toSign"]["domain"]["verifyingContract"].as_str().unwrap().parse().unwrap();
    let _node_accepts = sign(sandbox, &sandbox.account(0), built);
    sandbox::order::order_hash(chain_id, delta, OrderKind::Order, &built["toSign"]["value"]).unwrap().to_string()
        == built["orderHash"]
}

#[test]
fn a_patched_build_is_rehashed_or_not_as_asked() {
    let sandbox = sandbox();
    let patch = json!([{"op": "replace", "path": "/toSign/value/nonce", "value": "7"}]);
    for rehash in [true, false] {
        let tamper = json!({"target": "build", "patch": patch, "rehash": rehash});
        sandbox.post("/sandbox/tamper", &tamper).ok();
        let swap = Swap::default();
        let route = swap.quote(&sandbox).route;
        let built = swap.try_build(&sandbox, &route).ok();
        assert_eq!(built["toSign"]["value"]["nonce"], "7");
        assert_eq!(hash_fits(&sandbox, &built), rehash);
        let honest = swap.try_build(&sandbox, &route).ok();
        assert_ne!(honest["toSign"]["value"]["nonce"], "7");
        assert!(hash_fits(&sandbox, &honest));
    }
}

#[test]
fn a_patched_quote_keeps_the_rest_of_its_text_and_is_taken_back() {
    let sandbox = sandbox();
    let patch = json!([{"op": "scale", "path": "/delta/route/origin/output/amount", "num": 1, "den": 2}]);
    sandbox.post("/sandbox/tamper", &json!({"target": "quote", "patch": patch})).ok();
    let swap = Swap::default();
    let answer = sandbox.get(&swap.quote_target(&sandbox));
    let route = raw_route(&answer.body);
    assert!(route.contains(r#""solver":"Caf\u00e9","weight":1.0,"id":1"#), "{route}");
    let built = swap.try_build(&sandbox, &route).ok();
    let half = number(&answer.json()["delta"]["route"]["origin"]["output"]["amount"]);
    assert_eq!(number(&built["toSign"]["value"]["expectedAmount"]), half);
    let honest = number(&swap.quote(&sandbox).delta["route"]["origin"]["output"]["amount"]);
    assert_eq!(half, honest / 2);
}

#[test]
fn a_route_that_was_altered_on_its_way_is_not_taken_back() {
    let sandbox = sandbox();
    let patch = json!([{"op": "replace", "path": "/delta/route/fees/gas/amountUSD", "value": "7"}]);
    sandbox.post("/sandbox/tamper", &json!({"target": "quote", "patch": patch, "onTheWay": true})).ok();
    let swap = Swap::default();
    let route = swap.quote(&sandbox).route;
    assert!(route.contains(r#""amountUSD":"7""#), "{route}");
    swap.try_build(&sandbox, &route).refused(400, "InvalidInput");
    let honest = swap.quote(&sandbox).route;
    swap.try_build(&sandbox, &honest).ok();
}

#[test]
fn every_answer_can_be_patched() {
    let sandbox = sandbox();
    let patch = json!([{"op": "add", "path": "/seen", "value": true}]);
    sandbox.post("/sandbox/tamper", &json!({"target": "contracts", "patch": patch, "times": -1})).ok();
    for _ in 0..2 {
        assert_eq!(sandbox.get("/adapters/contracts?chainId=31337").ok()["seen"], json!(true));
    }
    sandbox.post("/sandbox/tamper", &json!({"target": "contracts", "times": 0})).ok();
    assert_eq!(sandbox.get("/adapters/contracts?chainId=31337").ok().get("seen"), None);
    sandbox.post("/sandbox/tamper", &json!({"target": "nothing"})).refused(400, "InvalidInput");
    sandbox
        .post("/sandbox/tamper", &json!({"target": "quote", "patch": [{"op": "move"}]}))
        .refused(400, "InvalidInput");
}

#[test]
fn lies_about_the_order_are_consistent_and_last_until_cleared() {
    let sandbox = sandbox();
    let swap = Swap::default();
    let build = || swap.try_build(&sandbox, &swap.quote(&sandbox).route).ok();
    lie(&sandbox, "receiver");
    for _ in 0..2 {
        let built = build();
        assert_eq!(built["toSign"]["value"]["beneficiary"], THIEF);
        assert!(hash_fits(&sandbox, &built));
    }
    lie(&sandbox, "minimum");
    let built = build();
    let value = &built["toSign"]["value"];
    assert_ne!(value["beneficiary"], THIEF, "a new lie takes the place of the old");
    assert!(number(&value["destAmount"]) * 9 < number(&value["expectedAmount"]) && hash_fits(&sandbox, &built));
    lie(&sandbox, "deadline");
    let built = build();
    assert!(built["toSign"]["value"]["deadline"].as_u64().unwrap() > sandbox.now() + 300_000_000);
    assert!(hash_fits(&sandbox, &built));
    lie(&sandbox, "none");
    let built = build();
    assert!(built["toSign"]["value"]["deadline"].as_u64().unwrap() < sandbox.now() + 3_600);
    let purchase = Swap { side: "BUY", amount: 10_u128.pow(18), ..Swap::default() };
    lie(&sandbox, "minimum");
    let value = purchase.signed(&sandbox).order;
    assert!(number(&value["srcAmount"]) > number(&value["expectedAmount"]) * 9);
    sandbox.post("/sandbox/lie", &json!({"kind": "big"})).refused(400, "InvalidInput");
}

#[test]
fn lies_about_the_quote_are_in_both_quotes_and_are_built() {
    let sandbox = sandbox();
    let swap = Swap::default();
    let honest = swap.quote(&sandbox).delta;
    lie(&sandbox, "spender");
    assert_eq!(swap.quote(&sandbox).delta["spender"], THIEF);
    let bare = swap.quote_target(&sandbox).replace("/v2/quote/", "/v2/delta/prices");
    assert_eq!(sandbox.get(&bare).ok()["spender"], THIEF);

    lie(&sandbox, "price");
    let quote = swap.quote(&sandbox);
    let output = |delta: &Value, member: &str| delta["route"]["destination"]["output"][member].clone();
    assert_eq!(number(&output(&quote.delta, "amount")), number(&output(&honest, "amount")) * 8 / 10);
    // By its dollars nothing is lost, and gas is worth as many.
    assert_eq!(output(&quote.delta, "amountUSD"), output(&honest, "amountUSD"));
    let gas = |delta: &Value, member: &str| delta["route"]["fees"]["gas"][member].clone();
    assert_eq!(number(&gas(&quote.delta, "amount")), number(&gas(&honest, "amount")) * 8 / 10);
    assert_eq!(gas(&quote.delta, "amountUSD"), gas(&honest, "amountUSD"));
    assert_eq!(quote.delta["route"]["origin"]["output"], quote.delta["route"]["destination"]["output"]);
    let built = swap.try_build(&sandbox, &quote.route).ok();
    assert_eq!(built["toSign"]["value"]["expectedAmount"], output(&quote.delta, "amount"));

    let purchase = Swap { side: "BUY", amount: 10_u128.pow(18), ..Swap::default() };
    let member = |delta: &Value, step: &str, member: &str| delta["route"].pointer(step).unwrap()[member].clone();
    sandbox.post("/sandbox/lie", &json!({"kind": "price", "bps": 7_500})).ok();
    let worse = purchase.quote(&sandbox).delta;
    lie(&sandbox, "none");
    let fair = purchase.quote(&sandbox).delta;
    let input = |delta: &Value| number(&member(delta, "/origin/input", "amount"));
    assert_eq!(input(&worse), input(&fair) * 4);
    let dollars =
        |delta: &Value, step: &str| -> f64 { member(delta, step, "amountUSD").as_str().unwrap().parse().unwrap() };
    for step in ["/origin/input", "/origin/output", "/destination/input", "/destination/output"] {
        assert!((dollars(&worse, step) / dollars(&fair, step) - 4.0).abs() < 1e-6, "{step}");
    }
    for bps in [0, 10_000] {
        sandbox.post("/sandbox/lie", &json!({"kind": "price", "bps": bps})).refused(400, "InvalidInput");
    }
}

#[test]
fn a_lie_about_the_price_is_in_all_ways_across_a_bridge() {
    let sandbox = sandbox();
    let query = format!("&destChainId={}", sandbox.config()["chains"][1]["chainId"]);
    let swap = Swap { src: "WETH", dest: "USDC", amount: 10_u128.pow(18), query, ..Swap::default() };
    let honest = swap.quote(&sandbox).delta;
    lie(&sandbox, "price");
    let worse = swap.quote(&sandbox).delta;
    for route in ["/route", "/alternatives/0"] {
        for step in ["origin/output", "destination/input", "destination/output", "fees/bridge/0", "fees/gas"] {
            let step =
                |delta: &Value, member: &str| delta.pointer(&format!("{route}/{step}/{member}")).unwrap().clone();
            assert_eq!(number(&step(&worse, "amount")), number(&step(&honest, "amount")) * 8 / 10, "{route}");
            assert_eq!(step(&worse, "amountUSD"), step(&honest, "amountUSD"));
        }
    }
}

#[test]
fn a_lie_can_be_told_once() {
    let sandbox = sandbox();
    sandbox.post("/sandbox/lie", &json!({"kind": "receiver", "times": 1})).ok();
    let beneficiary = || Swap::default().signed(&sandbox).order["beneficiary"].clone();
    assert_eq!(beneficiary(), THIEF);
    assert_ne!(beneficiary(), THIEF);
}

#[test]
fn requests_and_answers_are_recorded() {
    let sandbox = sandbox();
    let swap = Swap::default();
    let route = swap.quote(&sandbox).route;
    let body = swap.build_body(&sandbox, &route);
    sandbox.post_text("/v2/delta/orders/build", &body).unwrap().ok();
    sandbox.post_text("/v2/delta/orders/build", "{").unwrap();
    let record = sandbox.get("/sandbox/record").ok();
    let requests = record["requests"].as_array().unwrap();
    let endpoints: Vec<_> = requests.iter().map(|request| request["endpoint"].as_str().unwrap()).collect();
    assert_eq!(endpoints, ["quote", "build", "build"]);
    assert_eq!((&requests[0]["method"], &requests[0]["path"]), (&json!("GET"), &json!("/v2/quote/")));
    assert_eq!((&requests[0]["query"]["amount"], &requests[0]["query"]["side"]), (&json!("100000000"), &json!("SELL")));
    assert_eq!(requests[1]["body"].as_str().unwrap(), body);
    assert_eq!((&requests[1]["status"], &requests[2]["status"]), (&json!(200), &json!(400)));
    assert!(requests[0]["at"].as_u64().unwrap() > 1_700_000_000_000);
    let served = record["served"]["quote"].as_array().unwrap();
    assert!(served.contains(&json!("delta/route/origin/input/amountUSD")), "{served:?}");
    assert!(record["served"]["build"].as_array().unwrap().contains(&json!("toSign/types/Order[]/name")));
    let refused =
        json!({"endpoint": "build", "status": 400, "errorType": "InvalidInput", "members": ["details", "errorType"]});
    assert_eq!(record["errors"], json!([refused]));
    let (_, order) = swap.posted(&sandbox);
    assert_eq!(order["status"], "PENDING");
    sandbox.post("/sandbox/fault", &json!({"endpoint": "order", "status": 503, "errorType": "Tired"})).ok();
    sandbox.get("/v2/delta/orders/00000000-0000-4000-8000-000000000000");
    sandbox.get("/v2/delta/orders/00000000-0000-4000-8000-000000000000");
    let record = sandbox.get("/sandbox/record").ok();
    assert!(record["said"]["status"].as_array().unwrap().contains(&json!("PENDING")), "{}", record["said"]);
    assert_eq!(record["said"]["onChainOrderType"], json!(["Order"]));
    let errors = record["errors"].as_array().unwrap().iter().map(|error| (&error["status"], &error["errorType"]));
    let expected = [(json!(400), json!("InvalidInput")), (json!(404), json!("NotFound")), (json!(503), json!("Tired"))];
    assert!(errors.eq(expected.iter().map(|(status, error_type)| (status, error_type))), "{}", record["errors"]);
    let emptied = crate::client::request(sandbox.url(), "DELETE", "/sandbox/record", &[], "").unwrap();
    assert_eq!(emptied.status, 200);
    let empty = json!({"requests": [], "reads": [], "preflights": [], "served": {}, "said": {}, "errors": []});
    assert_eq!(sandbox.get("/sandbox/record").ok(), empty);
}

#[test]
fn reset_brings_back_the_start_but_keeps_orders() {
    let sandbox = sandbox();
    let defaults = sandbox.post("/sandbox/settings", &json!({})).ok();
    let (_, order) = Swap::default().posted(&sandbox);
    let changed =
        sandbox.post("/sandbox/settings", &json!({"feeBps": 9, "solving": false, "duplicateStatus": 409})).ok();
    assert_eq!(
        (&changed["feeBps"], &changed["solving"], &changed["rateLimit"]),
        (&json!(9), &json!(false), &json!(false))
    );
    lie(&sandbox, "spender");
    sandbox.post("/sandbox/fault", &json!({"endpoint": "*", "status": 500, "times": 9})).ok();
    sandbox.post("/sandbox/reset", &json!({})).ok();
    assert_eq!(sandbox.post("/sandbox/settings", &json!({})).ok(), defaults);
    assert_ne!(Swap::default().quote(&sandbox).delta["spender"], THIEF);
    sandbox.get(&format!("/v2/delta/orders/{}", order["id"].as_str().unwrap())).ok();
    sandbox.post("/sandbox/settings", &json!({"duplicateStatus": 201})).refused(400, "InvalidInput");
    for (name, value) in [("feeBps", 201), ("fillPercent", 0), ("fillPercent", 101)] {
        let details = sandbox.post("/sandbox/settings", &json!({name: value})).refused(400, "InvalidInput");
        assert!(details.contains(name), "{details}");
    }
    sandbox.post("/sandbox/settings", &json!({"feebps": 1})).refused(400, "InvalidInput");
}

#[test]
fn the_faucet_mints_tokens_and_sets_the_native_balance() {
    let sandbox = sandbox();
    let account = "0x00000000000000000000000000000000000fa0ce";
    for (symbol, before) in [("USDC", 0), ("USDT", 0), ("WETH", 0), ("ETH", 0)] {
        assert_eq!(sandbox.balance(symbol, account), before);
        let body = json!({"chainId": 31337, "address": account, "token": sandbox.token(symbol), "amount": "1234"});
        sandbox.post("/sandbox/faucet", &body).ok();
        assert_eq!(sandbox.balance(symbol, account), 1_234, "{symbol}");
    }
    let wrong = json!({"chainId": 31337, "address": account, "token": sandbox.token("USDC"), "amount": "1.5"});
    sandbox.post("/sandbox/faucet", &wrong).refused(400, "InvalidInput");
    let unknown = json!({"chainId": 31337, "address": account, "token": account, "amount": "1"});
    sandbox.post("/sandbox/faucet", &unknown).refused(400, "InvalidInput");
    let eth = sandbox.token("ETH");
    let approval = json!({"chainId": 31337, "owner": account, "token": eth, "amount": "1"});
    sandbox.post("/sandbox/approve", &approval).refused(400, "InvalidInput");
    let trade = json!({"chainId": 31337, "srcToken": eth, "destToken": sandbox.token("USDC"), "amount": "1"});
    sandbox.post("/sandbox/trade", &trade).refused(400, "InvalidInput");
    // Approvals for an account without a known key, also where a change has to go through zero; it pays nothing.
    for amount in [5, 7, 0] {
        sandbox.approve("USDT", account, amount);
    }
    assert_eq!(sandbox.balance("ETH", account), 1_234);
}

#[test]
fn concurrent_control_calls_do_not_collide() {
    let sandbox = sandbox();
    let account = "0x00000000000000000000000000000000000fa0cf";
    let body = json!({"chainId": 31337, "address": account, "token": sandbox.token("USDC"), "amount": "1"});
    let (sandbox, body) = (&*sandbox, &body);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(move || {
                for _ in 0..8 {
                    sandbox.post("/sandbox/faucet", body).ok();
                }
            });
        }
    });
    assert_eq!(sandbox.balance("USDC", account), 64);
}

#[test]
fn time_moves_on_one_chain_or_on_both() {
    let sandbox = sandbox();
    let clocks = |body: Value| sandbox.post("/sandbox/time", &body).ok()["now"].clone();
    let before = clocks(json!({"advanceSecs": 0}));
    let one = clocks(json!({"advanceSecs": 5_000, "chainId": 31338}));
    assert_eq!(one.as_object().unwrap().len(), 1);
    assert!(one["31338"].as_u64().unwrap() >= before["31338"].as_u64().unwrap() + 5_000);
    let after = clocks(json!({"advanceSecs": 0}));
    assert!(after["31337"].as_u64().unwrap() < before["31337"].as_u64().unwrap() + 5_000);
    sandbox.post("/sandbox/time", &json!({"advanceSecs": 1, "chainId": 1})).refused(422, "UnsupportedChain");
}
