//! Quotes: their shape, their rules, and what they refuse.

use serde_json::json;

use crate::started::{hex_number, sandbox};
use crate::trade::{Swap, number};

#[test]
fn the_price_is_the_pools_less_the_stated_gas() {
    let sandbox = sandbox();
    let quote = Swap { dest: "USDT", ..Swap::default() }.quote(&sandbox).delta;
    let out = number(&quote["route"]["origin"]["output"]["amount"]);
    let gas = number(&quote["route"]["fees"]["gas"]["amount"]);
    let arguments = [sandbox.token("USDC"), sandbox.token("USDT")].map(|token| format!("{:0>64}", &token[2..]));
    let selector = &alloy_primitives::keccak256("amountOut(address,address,uint256)").to_string()[..10];
    let data = format!("{selector}{}{}{:0>64x}", arguments[0], arguments[1], 100_000_000);
    let pool = sandbox.rpc("eth_call", json!([{"to": sandbox.text("pool"), "data": data}, "latest"]));
    assert_eq!(out + gas, hex_number(&pool));
    assert!(gas > 0);
}

#[test]
fn a_price_mines_a_block_on_a_chain_that_stood_still() {
    let sandbox = sandbox();
    let time = |tag: &str| hex_number(&sandbox.rpc("eth_getBlockByNumber", json!([tag, false]))["timestamp"]);
    sandbox.rpc("evm_increaseTime", json!([1_500]));
    assert!(time("pending") >= time("latest") + 1_500);
    Swap::default().quote(&sandbox);
    assert!(time("pending") < time("latest") + 1_500);
}

#[test]
fn dollar_values_are_decimal_text() {
    let sandbox = sandbox();
    let quote = Swap { dest: "ETH", amount: 3_000_000_000, ..Swap::default() }.quote(&sandbox).delta;
    assert_eq!(quote["route"]["origin"]["input"]["amountUSD"], "3000.0000000000");
    let received: f64 = quote["route"]["origin"]["output"]["amountUSD"].as_str().unwrap().parse().unwrap();
    assert!((2_950.0..3_050.0).contains(&received), "{received}");
}

#[test]
fn the_native_token_is_answered_in_lowercase() {
    let sandbox = sandbox();
    let quote = Swap { dest: "ETH", ..Swap::default() }.quote(&sandbox).delta;
    assert_eq!(quote["outputToken"]["address"], "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee");
}

#[test]
fn the_partners_fee_is_stated() {
    let sandbox = sandbox();
    let percent = |swap: &Swap| swap.quote(&sandbox).delta["partner"]["feePercent"].clone();
    let shop = Swap { partner: "shop", ..Swap::default() };
    assert_eq!(percent(&shop), json!(0.0));
    assert_eq!(percent(&Swap { query: "&partnerFeeBps=25".into(), ..shop.clone() }), json!(0.25));
    assert_eq!(percent(&Swap { query: "&partnerFeeBps=25".into(), ..Swap::default() }), json!(0.26));
    sandbox.settings(json!({"feeBps": 30}));
    assert_eq!(percent(&shop), json!(0.3));
    assert_eq!(percent(&Swap::default()), json!(0.01));
    // The registered fee and the requested one add up, to 200 bps at most.
    let asking = |bps: u64| Swap { query: format!("&partnerFeeBps={bps}"), ..shop.clone() };
    assert_eq!(percent(&asking(170)), json!(2.0));
    let details = sandbox.get(&asking(171).quote_target(&sandbox)).refused(400, "InvalidInput");
    assert!(details.contains("add up to 201 bps"), "{details}");
}

#[test]
fn delta_prices_go_by_the_agents_that_are_let_in() {
    let sandbox = sandbox();
    let target = Swap::default().quote_target(&sandbox).replace("/v2/quote/", "/v2/delta/prices");
    let agents = sandbox.get("/v2/delta/agents/list/31337").ok();
    let (trading, idle) = (agents[0].as_str().unwrap(), agents[1].as_str().unwrap());
    let with = |query: &str| sandbox.get(&format!("{target}&{query}"));
    for query in [
        format!("includeAgents={trading},{idle}&excludeAgents={idle}"),
        "includeBridges=Across&excludeBridges=Relay&allowBridgeAndSwap=false&degenMode=true&maxUSDImpact=5".into(),
    ] {
        assert!(with(&query).ok()["route"].is_object(), "{query}");
    }
    with(&format!("includeAgents={idle}")).refused(400, "PricingError");
    with(&format!("excludeAgents={trading}")).refused(400, "PricingError");
    with("maxUSDImpact=0.001").refused(400, "PricingError");
    for (query, name) in [
        ("includeAgents=nobody", "includeAgents"),
        ("excludeAgents=nobody", "excludeAgents"),
        ("allowBridgeAndSwap=1", "allowBridgeAndSwap"),
        ("degenMode=yes", "degenMode"),
        ("maxUSDImpact=x", "maxUSDImpact"),
        ("partnerFeeBps=201", "partnerFeeBps"),
        ("beneficiary=me", "beneficiary"),
    ] {
        let details = with(query).refused(400, "InvalidInput");
        assert!(details.contains(name), "{query}: {details}");
    }
}

#[test]
fn the_mode_is_read_in_both_casings() {
    let sandbox = sandbox();
    let target = Swap::default().quote_target(&sandbox);
    for mode in ["ALL", "all", "DELTA", "delta"] {
        sandbox.get(&target.replace("DELTA", mode)).ok();
    }
    sandbox.get(&target.replace("&mode=DELTA", "")).ok();
    for mode in ["MARKET", "market"] {
        assert!(sandbox.get(&target.replace("DELTA", mode)).ok()["market"].is_object());
    }
    sandbox.get(&target.replace("DELTA", "BOTH")).refused(400, "InvalidInput");
}

#[test]
fn each_invalid_quote_request_is_refused_by_name() {
    let sandbox = sandbox();
    let target = Swap::default().quote_target(&sandbox);
    let (src, dest) = (sandbox.token("USDC"), sandbox.token("DAI"));
    let changes = [
        (format!("srcToken={src}"), "srcToken=0x0", "srcToken"),
        (format!("srcToken={src}"), "srcToken=0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee", "srcToken"),
        (format!("destToken={dest}"), "destToken=0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee", "destToken"),
        (format!("destToken={dest}"), "destToken=DAI", "destToken"),
        ("amount=100000000".into(), "amount=0", "amount"),
        ("amount=100000000".into(), "amount=1.5", "amount"),
        ("amount=100000000".into(), "amount=", "amount"),
        ("srcDecimals=6".into(), "x=1", "srcDecimals"),
        ("destDecimals=18".into(), "destDecimals=x", "destDecimals"),
        ("chainId=31337".into(), "x=1", "chainId"),
        ("side=SELL".into(), "side=sell", "side"),
        ("side=SELL".into(), "partnerFeeBps=201", "partnerFeeBps"),
        ("side=SELL".into(), "userAddress=me", "userAddress"),
        ("side=SELL".into(), "maxImpact=-1", "maxImpact"),
    ];
    for (from, to, name) in changes {
        assert!(target.contains(&from));
        let details = sandbox.get(&target.replace(&from, to)).refused(400, "InvalidInput");
        assert!(details.contains(name), "{to}: {details}");
    }
    sandbox.get(&target.replace(&dest, &src)).refused(400, "InvalidInput");
    sandbox.get(&target.replace("chainId=31337", "chainId=1")).refused(422, "UnsupportedChain");
    sandbox.get(&target.replace(&dest, "0x00000000000000000000000000000000000f12e4")).refused(422, "UnsupportedToken");
    sandbox.get(&format!("{target}&destChainId=10")).refused(400, "PricingError");
}

#[test]
fn amounts_the_pool_cannot_serve_have_no_price() {
    let sandbox = sandbox();
    let refused = |swap: Swap, error_type: &str| sandbox.get(&swap.quote_target(&sandbox)).refused(400, error_type);
    refused(Swap { amount: 1_000, ..Swap::default() }, "GasCostExceedsTradeAmount");
    refused(Swap { side: "BUY", amount: 1_000_000, ..Swap::default() }, "GasCostExceedsTradeAmount");
    refused(Swap { amount: 20_000_000_000_000, ..Swap::default() }, "PricingError");
    refused(Swap { side: "BUY", amount: 10_u128.pow(26), ..Swap::default() }, "PricingError");
    refused(Swap { amount: u128::MAX, ..Swap::default() }, "PricingError");
    let willing = Swap { amount: 20_000_000_000_000, query: "&maxImpact=90".into(), ..Swap::default() };
    willing.quote(&sandbox);
    let all_of_it = Swap::default().quote_target(&sandbox).replace("100000000", &format!("1{}", "0".repeat(77)));
    sandbox.get(&all_of_it).refused(400, "PricingError");
}
