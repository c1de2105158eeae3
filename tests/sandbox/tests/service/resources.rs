//! The small reads.

use serde_json::json;

use crate::started::sandbox;
use crate::trade::Swap;

#[test]
fn both_lists_of_contracts_name_the_spender_of_the_quote() {
    let sandbox = sandbox();
    let spender = Swap::default().quote(&sandbox).delta["spender"].clone();
    let contracts = sandbox.get("/adapters/contracts/?chainId=31337&version=6.2").ok();
    assert_eq!(contracts["ParaswapDelta"], spender);
    let resource = sandbox.get("/resources/contracts.json").ok();
    assert_eq!(resource["chains"]["31337"]["delta"], spender);
    assert!(resource["chains"]["31338"]["deltaWrappedNative"].is_string() && resource["_meta"].is_object());
    sandbox.settings(json!({"contractsResource": false}));
    sandbox.get("/resources/contracts.json").refused(404, "NotFound");
    sandbox.get("/adapters/contracts?chainId=1").refused(422, "UnsupportedChain");
    sandbox.get("/adapters/contracts").refused(400, "InvalidInput");
}

#[test]
fn chains_and_tokens_are_those_of_the_config() {
    let sandbox = sandbox();
    let chains = sandbox.get("/chains").ok();
    assert_eq!((&chains[0]["chainId"], &chains[1]["chainId"]), (&json!(31337), &json!(31338)));
    let tokens = sandbox.get("/tokens/31337").ok()["tokens"].as_array().unwrap().clone();
    let configured = sandbox.chain()["tokens"].as_array().unwrap();
    assert_eq!(tokens.len(), configured.len());
    for (token, entry) in tokens.iter().zip(configured) {
        assert_eq!(token["address"], entry["address"].as_str().unwrap().to_lowercase());
        assert_eq!((&token["symbol"], &token["decimals"]), (&entry["symbol"], &entry["decimals"]));
        assert_eq!(token["network"], 31337);
    }
    sandbox.get("/tokens/1").refused(422, "UnsupportedChain");
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
