//! Orders whose proceeds arrive on the other chain, or come back.

use serde_json::{Value, json};

use crate::started::{Sandbox, hex_number, sandbox};
use crate::trade::{Routes, Swap, number, raw_route, sign, wait_for};

/// A token of the second chain.
fn over_there(sandbox: &Sandbox, symbol: &str) -> String {
    let tokens = sandbox.config()["chains"][1]["tokens"].as_array().unwrap();
    let token = tokens.iter().find(|token| token["symbol"] == symbol).unwrap();
    token["address"].as_str().unwrap().to_owned()
}

/// A call to the second chain's node.
fn rpc(sandbox: &Sandbox, method: &str, params: Value) -> Value {
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    sandbox.post("/rpc/31338", &call).ok()["result"].clone()
}

fn balance(sandbox: &Sandbox, symbol: &str, owner: &str) -> u128 {
    if symbol == "ETH" {
        return hex_number(&rpc(sandbox, "eth_getBalance", json!([owner, "latest"])));
    }
    let data = format!("0x70a08231{:0>64}", owner.trim_start_matches("0x"));
    hex_number(&rpc(sandbox, "eth_call", json!([{"to": over_there(sandbox, symbol), "data": data}, "latest"])))
}

fn target(sandbox: &Sandbox, swap: &Swap, dest: &str, more: &str) -> String {
    format!(
        "/v2/quote/?chainId=31337&destChainId=31338&srcToken={}&destToken={}&amount={}&srcDecimals={}&destDecimals=18&side={}&mode=DELTA&partner=anon{more}",
        sandbox.token(swap.src),
        over_there(sandbox, dest),
        swap.amount,
        sandbox.decimals(swap.src),
        swap.side,
    )
}

fn quote(sandbox: &Sandbox, swap: &Swap, dest: &str, more: &str) -> (String, Value) {
    let answer = sandbox.get(&target(sandbox, swap, dest, more));
    assert_eq!(answer.status, 200, "{}", answer.body);
    (raw_route(&answer.body), answer.json()["delta"].clone())
}

/// Quotes, builds, signs and posts.
fn posted(sandbox: &Sandbox, swap: &Swap, dest: &str) -> (Value, Value, Value) {
    swap.approve(sandbox);
    let (route, delta) = quote(sandbox, swap, dest, "");
    let built = swap.try_build(sandbox, &route).ok();
    let signed = sign(sandbox, &sandbox.account(swap.owner), &built);
    let order = swap.post(sandbox, &signed).ok();
    (delta, signed.order, order)
}

#[test]
fn a_quote_to_the_other_chain_has_a_bridge_and_alternatives() {
    let sandbox = sandbox();
    let swap = Swap { src: "DAI", amount: 10_u128.pow(20), ..Swap::default() };
    let (_, delta) = quote(&sandbox, &swap, "USDB", "");
    let route = &delta["route"];
    assert_eq!(delta["outputToken"], json!({"chainId": 31338, "address": over_there(&sandbox, "USDB").to_lowercase()}));
    assert_eq!(route["origin"]["output"]["token"]["address"], sandbox.token("USDC").to_lowercase());
    assert_eq!(route["destination"]["output"]["token"], delta["outputToken"]);
    let bridge = &route["bridge"];
    assert_eq!((&bridge["protocol"], &bridge["tags"]), (&json!("sandbox-fast"), &json!(["recommended", "fastest"])));
    assert!(bridge["estimatedTimeMs"].as_u64() > Some(0));
    let params = bridge["contractParams"].as_object().unwrap();
    let mut names: Vec<_> = params.keys().collect();
    names.sort();
    assert_eq!(names, ["outputToken", "protocolData", "protocolSelector", "scalingFactor"]);
    assert_eq!((&params["scalingFactor"], &params["protocolSelector"]), (&json!(12), &json!("0xfa570001")));
    // 8 bps of what is sent, rounded up, and 12 more digits for what is left.
    let sent = number(&route["origin"]["output"]["amount"]);
    let fee = (sent * 8).div_ceil(10_000);
    assert_eq!(number(&route["fees"]["bridge"][0]["amount"]), fee);
    assert_eq!(number(&route["destination"]["output"]["amount"]), (sent - fee) * 10_u128.pow(12));
    let alternatives = delta["alternatives"].as_array().unwrap();
    assert_eq!(alternatives.len(), 1);
    assert_eq!(alternatives[0]["bridge"]["protocol"], "sandbox-slow");
    assert_eq!(alternatives[0]["bridge"]["tags"], json!(["best-return"]));
    assert!(
        number(&alternatives[0]["destination"]["output"]["amount"]) > number(&route["destination"]["output"]["amount"])
    );
}

#[test]
fn bridges_are_chosen_by_the_request() {
    let sandbox = sandbox();
    let swap = Swap::default();
    let protocols = |more: &str| {
        let (_, delta) = quote(&sandbox, &swap, "DAI", more);
        let others = delta["alternatives"].as_array().unwrap().iter();
        let all: Vec<_> = std::iter::once(&delta["route"]).chain(others).collect();
        all.iter().map(|route| route["bridge"]["protocol"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(protocols(""), ["sandbox-fast", "sandbox-slow"]);
    assert_eq!(protocols("&includeBridges=sandbox-slow"), ["sandbox-slow"]);
    assert_eq!(protocols("&excludeBridges=sandbox-slow"), ["sandbox-fast"]);
    let none = target(&sandbox, &swap, "DAI", "&excludeBridges=sandbox-slow,sandbox-fast");
    sandbox.get(&none).refused(400, "PricingError");
    // USDT does not travel: something else is swapped into it over there, where that is allowed.
    let (_, delta) = quote(&sandbox, &swap, "USDT", "");
    let destination = &delta["route"]["destination"];
    assert_eq!(destination["input"]["token"]["address"], over_there(&sandbox, "USDC").to_lowercase());
    assert_ne!(destination["input"]["amount"], destination["output"]["amount"]);
    sandbox.get(&target(&sandbox, &swap, "USDT", "&allowBridgeAndSwap=false")).refused(400, "PricingError");
    let purchase = Swap { side: "BUY", ..swap.clone() };
    sandbox.get(&target(&sandbox, &purchase, "USDT", "")).refused(400, "PricingError");
    sandbox.get(&target(&sandbox, &swap, "DAI", "").replace("31338", "10")).refused(400, "PricingError");
    let market = target(&sandbox, &swap, "DAI", "").replace("mode=DELTA", "mode=MARKET");
    assert_eq!(sandbox.get(&market).refused(400, "PricingError"), "Error getting price data");
}

#[test]
fn a_purchase_delivers_the_exact_amount_on_the_other_chain() {
    let sandbox = sandbox();
    let owner = sandbox.account(1);
    let amount = 10_u128.pow(20) + 1;
    let swap = Swap { src: "DAI", side: "BUY", amount, owner: 1, ..Swap::default() };
    let before = balance(&sandbox, "USDB", &owner);
    let spent = sandbox.balance("DAI", &owner);
    let (delta, signed, order) = posted(&sandbox, &swap, "USDB");
    assert_eq!(number(&delta["route"]["destination"]["output"]["amount"]), amount);
    assert_eq!(signed["destAmount"], delta["route"]["origin"]["output"]["amount"]);
    assert_eq!(number(&order["output"]["amount"]), amount);
    let order = wait_for(&sandbox, &order["id"], "COMPLETED");
    assert_eq!(balance(&sandbox, "USDB", &owner) - before, amount);
    assert_eq!(number(&order["input"]["executedAmount"]), spent - sandbox.balance("DAI", &owner));
}

#[test]
fn routes_of_delta_prices_can_be_built_too() {
    let sandbox = sandbox();
    let swap = Swap::default();
    let target = target(&sandbox, &swap, "USDB", "").replace("/v2/quote/", "/v2/delta/prices/");
    let answer = sandbox.get(&target);
    let block = answer.ok();
    assert_eq!(
        (&block["spender"], block["alternatives"].as_array().unwrap().len()),
        (&json!(sandbox.text("delta").to_lowercase()), 1)
    );
    for route in serde_json::from_str::<Routes>(&answer.body).unwrap().texts() {
        let built = swap.try_build(&sandbox, route).ok();
        assert_eq!(built["toSign"]["value"]["bridge"]["scalingFactor"], 12);
    }
}

#[test]
fn fewer_decimals_on_arrival_round_down() {
    let sandbox = sandbox();
    let owner = sandbox.account(4);
    let (usdb, amount) = (over_there(&sandbox, "USDB"), 100 * 10_u128.pow(18) + 1);
    let target = format!(
        "/v2/quote/?chainId=31338&destChainId=31337&srcToken={usdb}&destToken={}&amount={amount}&srcDecimals=18&destDecimals=6&mode=DELTA&partner=anon",
        sandbox.token("USDC"),
    );
    let answer = sandbox.get(&target);
    let route = answer.ok()["delta"]["route"].clone();
    assert_eq!(route["origin"]["output"]["token"]["address"], usdb.to_lowercase(), "it travels as it is");
    assert_eq!(route["bridge"]["contractParams"]["scalingFactor"], -12);
    let sent = number(&route["origin"]["output"]["amount"]);
    let arrives = (sent - (sent * 8).div_ceil(10_000)) / 10_u128.pow(12);
    assert_eq!(number(&route["destination"]["output"]["amount"]), arrives);
    // The partner's fee is taken before the bridge has it.
    let sent = sent - sent / 10_000;
    let arrives = (sent - (sent * 8).div_ceil(10_000)) / 10_u128.pow(12);

    let approve = json!({"chainId": 31338, "token": usdb, "owner": owner, "amount": amount.to_string()});
    sandbox.post("/sandbox/approve", &approve).ok();
    let now = hex_number(&rpc(&sandbox, "eth_getBlockByNumber", json!(["pending", false]))["timestamp"]);
    let build = json!({"deadline": u64::try_from(now).unwrap() + 600});
    let swap = Swap { owner: 4, build, ..Swap::default() };
    let built = swap.try_build(&sandbox, &raw_route(&answer.body)).ok();
    let signed = sign(&sandbox, &owner, &built);
    let mut body = swap.post_body(&signed);
    body["chainId"] = json!(31338);
    let before = (balance(&sandbox, "USDB", &owner), sandbox.balance("USDC", &owner));
    let posted = sandbox.post("/v2/delta/orders", &body).ok();
    wait_for(&sandbox, &posted["id"], "COMPLETED");
    assert_eq!(before.0 - balance(&sandbox, "USDB", &owner), amount);
    assert_eq!(sandbox.balance("USDC", &owner) - before.1, arrives);
}

#[test]
fn an_order_is_on_its_way_until_it_arrives() {
    let sandbox = sandbox();
    sandbox.settings(json!({"bridge": "hold"}));
    let (_, _, order) = posted(&sandbox, &Swap::default(), "DAI");
    let order = wait_for(&sandbox, &order["id"], "BRIDGING");
    let transaction = &order["transactions"][0];
    assert!(transaction["originTx"].is_string());
    assert_eq!((&transaction["destinationTx"], &transaction["receivedAmount"]), (&Value::Null, &Value::Null));
    assert_eq!(order["output"]["executedAmount"], Value::Null);
    sandbox.advance(10_000);
    std::thread::sleep(std::time::Duration::from_millis(400));
    let same = sandbox.get(&format!("/v2/delta/orders/{}", order["id"].as_str().unwrap())).ok();
    assert_eq!(same["status"], "BRIDGING", "past the deadline, too");
    sandbox.settings(json!({"bridge": "fill", "bridgeDelayMs": 0}));
    wait_for(&sandbox, &order["id"], "COMPLETED");
}

#[test]
fn a_failed_bridge_transfer_goes_back_to_the_owner() {
    let sandbox = sandbox();
    let (owner, friend) = (sandbox.account(2), "0x00000000000000000000000000000000000f12e7");
    sandbox.settings(json!({"bridge": "fail", "bridgeDelayMs": 600}));
    let swap = Swap {
        src: "DAI",
        amount: 10_u128.pow(20),
        owner: 2,
        build: json!({"beneficiary": friend}),
        ..Swap::default()
    };
    let before = sandbox.balance("USDC", &owner);
    let (_, signed, order) = posted(&sandbox, &swap, "USDB");
    let going = wait_for(&sandbox, &order["id"], "REFUNDING");
    assert_eq!(going["refunds"], json!([]));
    let order = wait_for(&sandbox, &order["id"], "REFUNDED");
    let refund = &order["refunds"][0];
    assert_eq!((&refund["chainId"], &refund["token"]), (&json!(31337), &signed["destToken"]));
    let back = number(&refund["amount"]);
    assert_eq!(sandbox.balance("USDC", &owner) - before, back);
    assert!(back >= number(&signed["destAmount"]) * 9_999 / 10_000);
    let receipt = sandbox.rpc("eth_getTransactionReceipt", json!([refund["tx"]]));
    assert_eq!(receipt["status"], "0x1");
    assert_eq!(balance(&sandbox, "USDB", friend), 0);
    assert_eq!(order["transactions"][0]["destinationTx"], Value::Null);
}

#[test]
fn an_order_for_an_unknown_bridge_is_refused() {
    let sandbox = sandbox();
    let swap = Swap::default();
    swap.approve(&sandbox);
    for (path, value) in [
        ("protocolSelector", json!("0x00000001")),
        ("destinationChainId", json!(31337)),
        ("destinationChainId", json!(10)),
        ("outputToken", json!("0x00000000000000000000000000000000000f12e4")),
        ("scalingFactor", json!(11)),
        ("protocolData", json!("0x01")),
    ] {
        let (route, _) = quote(&sandbox, &swap, "USDB", "");
        let patch = json!([{"op": "replace", "path": format!("/toSign/value/bridge/{path}"), "value": value}]);
        sandbox.post("/sandbox/tamper", &json!({"target": "build", "rehash": true, "patch": patch})).ok();
        let built = swap.try_build(&sandbox, &route).ok();
        let signed = sign(&sandbox, &sandbox.account(0), &built);
        let details = swap.post(&sandbox, &signed).refused(400, "InvalidInput");
        assert!(details.contains("order.bridge"), "{path}: {details}");
    }
}

#[test]
fn an_order_for_another_contract_stays_on_its_chain() {
    let sandbox = sandbox();
    let build = json!({"orderType": "ExternalOrder", "handler": sandbox.text("depository"), "data": "0x"});
    let swap = Swap { build, ..Swap::default() };
    let (route, _) = quote(&sandbox, &swap, "USDB", "");
    let details = swap.try_build(&sandbox, &route).refused(400, "InvalidExternalOrderParams");
    assert!(details.contains("stays on its chain"), "{details}");
    swap.try_build(&sandbox, &swap.quote(&sandbox).route).ok();
}

#[test]
fn bridge_routes_are_listed() {
    let sandbox = sandbox();
    let protocols = sandbox.get("/v2/delta/prices/bridge-protocols/").ok();
    let slugs: Vec<_> =
        protocols["bridgeProtocols"].as_array().unwrap().iter().map(|it| it["protocol"].clone()).collect();
    assert_eq!(slugs, ["sandbox-fast", "sandbox-slow"]);
    assert!(protocols["bridgeProtocols"][0]["icon"].as_str().unwrap().starts_with("https://"));
    let tokens = |query: &str| {
        let routes = sandbox.get(&format!("/v2/delta/prices/bridge-routes{query}")).ok()["routes"].clone();
        let to_two = routes.as_array().unwrap().iter().find(|route| route["destChainId"] == 31338).cloned();
        let tokens = to_two.map(|route| route["tokens"].as_array().unwrap().clone()).unwrap_or_default();
        tokens.iter().map(|token| token.as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let address = |symbol: &str| over_there(&sandbox, symbol).to_lowercase();
    assert!(tokens("").contains(&address("USDT")) && tokens("").contains(&address("ETH")));
    assert!(!tokens("?allowBridgeAndSwap=false").contains(&address("USDT")));
    assert!(tokens("?allowBridgeAndSwap=false").contains(&address("USDB")));
    assert!(!tokens("?bridges=sandbox-slow").contains(&address("ETH")));
    assert!(tokens("?bridges=nothing").is_empty());
    assert!(!tokens("").contains(&address("TAX")));
}
