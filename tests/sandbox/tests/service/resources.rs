//! The small reads.

use serde_json::json;

use crate::started::sandbox;
use crate::trade::Swap;

#[test]
fn both_lists_of_contracts_name_the_spender_of_the_quote_and_the_rfq_contract() {
    let sandbox = sandbox();
    let spender = Swap::default().quote(&sandbox).delta["spender"].clone();
    let contracts = sandbox.get("/adapters/contracts/?chainId=31337&version=6.2").ok();
    let rfq = json!(sandbox.text("rfq").to_lowercase());
    assert_eq!((&contracts["ParaswapDelta"], &contracts["AugustusRFQ"]), (&spender, &rfq));
    let resource = sandbox.get("/resources/contracts.json").ok();
    let listed = &resource["chains"]["31337"];
    assert_eq!((&listed["delta"], &listed["augustusRFQ"]), (&spender, &rfq));
    assert!(resource["chains"]["31338"]["deltaWrappedNative"].is_string() && resource["_meta"].is_object());
    sandbox.settings(json!({"contractsResource": false}));
    sandbox.get("/resources/contracts.json").refused(404, "NotFound");
    sandbox.get("/adapters/contracts?chainId=1").refused(422, "UnsupportedChain");
    sandbox.get("/adapters/contracts").refused(400, "InvalidInput");
}

#[test]
fn the_newer_list_of_tokens_has_categories_and_can_be_switched_off() {
    let sandbox = sandbox();
    let listed = |path: &str| sandbox.get(path).ok()["tokens"].as_array().unwrap().clone();
    let older = listed("/tokens/31337");
    let tokens = listed("/fiat/tokens/31337");
    for (token, older) in tokens.iter().zip(&older) {
        for name in ["address", "symbol", "decimals"] {
            assert_eq!(token[name], older[name]);
        }
        assert_eq!((&token["chainId"], &token["sources"]), (&json!(31337), &json!(["sandbox"])));
        assert!(token["name"].is_string());
    }
    assert_eq!(tokens.len(), older.len());
    // Not every token has one.
    for name in ["logoURI", "tags"] {
        assert!(
            tokens.iter().any(|token| token.get(name).is_some())
                && tokens.iter().any(|token| token.get(name).is_none())
        );
    }
    let all = listed("/fiat/tokens/all/");
    assert_eq!(all.len(), tokens.len() + listed("/fiat/tokens/31338").len());
    let categories = sandbox.get("/fiat/tokens/categories").ok()["categories"].as_array().unwrap().clone();
    let mut sorted = 0;
    for category in &categories {
        let id = category["id"].as_str().unwrap();
        assert!(category["name"].is_string());
        let some = listed(&format!("/fiat/tokens/all?category={id}"));
        assert!(!some.is_empty() && some.iter().all(|token| token["categories"] == json!([id])));
        sorted += some.len();
    }
    assert_eq!(sorted, all.len());
    assert!(listed("/fiat/tokens/31337?category=none").is_empty());
    sandbox.get("/fiat/tokens/1").refused(422, "UnsupportedChain");
    sandbox.settings(json!({"fiatTokens": false}));
    for path in ["/fiat/tokens/31337", "/fiat/tokens/all", "/fiat/tokens/categories"] {
        sandbox.get(path).refused(404, "NotFound");
    }
    assert_eq!(listed("/tokens/31337").len(), older.len());
}

#[test]
fn the_placeholder_in_another_casing_is_refused_unless_the_switch_allows_it() {
    let sandbox = sandbox();
    let native = sandbox.token("ETH");
    let swap = Swap { src: "ETH", amount: 10_u128.pow(17), ..Swap::default() };
    let delta = |text: &str| swap.quote_target(&sandbox).replace(&native, text);
    let priced = |text: &str| {
        let usdc = sandbox.token("USDC");
        format!(
            "/prices?network=31337&srcToken={text}&destToken={usdc}&amount=1000000000000000&srcDecimals=18&destDecimals=6&version=6.2"
        )
    };
    let lower = native.to_lowercase();
    let transaction = |text: &str| {
        let answer = sandbox.get(&priced(&native));
        let route = &answer.body[r#"{"priceRoute":"#.len()..answer.body.len() - 1];
        let rest = json!({
            "srcToken": text, "destToken": sandbox.token("USDC"), "srcAmount": "1000000000000000", "slippage": 100,
            "userAddress": sandbox.account(0),
        });
        let body = format!(r#"{{"priceRoute":{route},{}"#, &rest.to_string()[1..]);
        sandbox.post_text("/transactions/31337?ignoreChecks=true", &body).unwrap()
    };
    assert_eq!(sandbox.get(&delta(&lower)).refused(400, "InvalidInput"), "Invalid srcToken");
    assert_eq!(sandbox.get(&priced(&lower)).refused(400, "InvalidInput"), "Invalid srcToken");
    assert_eq!(transaction(&lower).refused(400, "InvalidInput"), "Invalid srcToken");
    sandbox.settings(json!({"placeholder": "any"}));
    for text in [lower.clone(), lower.to_uppercase().replace("0X", "0x"), native.clone()] {
        assert_eq!(sandbox.get(&delta(&text)).ok()["delta"]["side"], "SELL");
        assert_eq!(sandbox.get(&priced(&text)).ok()["priceRoute"]["side"], "SELL");
        assert!(transaction(&text).ok()["data"].is_string());
    }
}

#[test]
fn a_token_is_supported_or_not() {
    let sandbox = sandbox();
    let supported = |token: &str| {
        sandbox.get(&format!("/v2/delta/prices/is-token-supported/?token={token}&chainId=31337")).ok()["supported"]
            .clone()
    };
    assert_eq!(supported(&sandbox.token("USDT")), json!(true));
    assert_eq!(supported("0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE"), json!(true));
    assert_eq!(supported("0x00000000000000000000000000000000000f12e4"), json!(false));
    sandbox.get("/v2/delta/prices/is-token-supported?token=x&chainId=31337").refused(400, "InvalidInput");
}

#[test]
fn users_begin_with_tokens_and_without_allowances_on_both_chains() {
    let sandbox = sandbox();
    for (chain, entry) in sandbox.config()["chains"].as_array().unwrap().iter().enumerate() {
        let call = |to: &str, data: String| {
            let params = json!([{"to": to, "data": data}, "latest"]);
            let request = json!({"jsonrpc": "2.0", "id": 1, "method": "eth_call", "params": params});
            let reply = sandbox.post(entry["rpc"].as_str().unwrap(), &request).ok();
            crate::started::hex_number(&reply["result"])
        };
        // On the first chain other tests trade; the second is as it began.
        let owner = if chain == 0 { continue } else { sandbox.account(4) };
        for token in entry["tokens"].as_array().unwrap().iter().filter(|token| token["kind"] != "native") {
            let address = token["address"].as_str().unwrap();
            assert!(call(address, format!("0x70a08231{:0>64}", &owner[2..])) > 0, "{token}");
            let spender = entry["delta"].as_str().unwrap();
            let allowance = call(address, format!("0xdd62ed3e{:0>64}{:0>64}", &owner[2..], &spender[2..]));
            assert_eq!(allowance, 0, "{token}");
        }
    }
}
