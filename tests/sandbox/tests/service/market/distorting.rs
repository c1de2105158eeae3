//! Tampers and lies about market swaps.

use serde_json::{Value, json};

use super::swap::{MarketSwap, word_number, words};
use crate::started::{Sandbox, sandbox};
use crate::trade::number;

const THIEF: &str = "0xBaD0000000000000000000000000000000000BAD";

fn tamper(sandbox: &Sandbox, args: &Value) {
    sandbox.post("/sandbox/tamper", &json!({"target": "transactions", "args": args})).ok();
}

fn lie(sandbox: &Sandbox, kind: &str) {
    sandbox.post("/sandbox/lie", &json!({"kind": kind})).ok();
}

/// Which words of two calls to one method differ, the metadata left aside.
fn differing(one: &Value, two: &Value, metadata: usize) -> Vec<usize> {
    let (one, two) = (words(one), words(two));
    (0..one.len().max(two.len())).filter(|index| *index != metadata && one.get(*index) != two.get(*index)).collect()
}

#[test]
fn one_argument_is_changed_and_nothing_else() {
    let sandbox = sandbox();
    let cases = [
        ("swapExactAmountIn", "executor", json!(THIEF), 0, 6),
        ("swapExactAmountIn", "swapData.srcToken", json!(THIEF), 1, 6),
        ("swapExactAmountIn", "beneficiary", json!(THIEF), 7, 6),
        ("swapExactAmountIn", "toAmount", json!("1"), 4, 6),
        ("swapExactAmountIn", "partnerAndFee", json!({"plus": 7}), 8, 6),
        ("swapExactAmountInOnCurveV1", "curveV1Data.destToken", json!(THIEF), 3, 7),
        ("swapExactAmountInOnCurveV2", "quotedAmount", json!({"minus": 1}), 8, 9),
        ("swapExactAmountInOnBalancerV2", "balancerData.fromAmount", json!({"num": 2, "den": 1}), 0, 3),
        ("swapExactAmountInOnBalancerV2", "beneficiaryAndApproveFlag", json!({"low": THIEF}), 4, 3),
        ("swapExactAmountInOutOnMakerPSM", "toAmount", json!({"num": 1, "den": 2}), 3, 8),
    ];
    for (method, path, value, word, metadata) in cases {
        let swap = MarketSwap { options: "ignoreChecks=true", ..MarketSwap::by(method) };
        let priced = swap.price(&sandbox);
        let honest = swap.try_transaction(&sandbox, &priced.text).ok();
        tamper(&sandbox, &json!({path: value}));
        let patched = swap.try_transaction(&sandbox, &priced.text).ok();
        assert_eq!(differing(&honest, &patched, metadata), [word], "{method} {path}");
        let again = swap.try_transaction(&sandbox, &priced.text).ok();
        assert!(differing(&honest, &again, metadata).is_empty(), "{method} {path}");
    }
}

#[test]
fn arguments_of_other_lengths_and_other_selectors_are_encoded_anew() {
    let sandbox = sandbox();
    let swap = MarketSwap { options: "ignoreChecks=true", ..MarketSwap::by("swapOnAugustusRFQTryBatchFill") };
    let transaction = |args: Value| {
        tamper(&sandbox, &args);
        swap.try_transaction(&sandbox, &swap.price(&sandbox).text).ok()
    };
    let honest = transaction(json!({}));
    let longer = transaction(json!({"permit": format!("0x{}", "ab".repeat(224))}));
    assert_eq!(words(&longer).len(), words(&honest).len() + 7);
    let maker = transaction(json!({"orders.0.order.maker": THIEF}));
    assert!(maker["data"].as_str().unwrap().to_lowercase().contains(&THIEF[2..].to_lowercase()));
    assert_eq!(words(&maker).len(), words(&honest).len());
    let other = transaction(json!({"selector": "0x12345678"}));
    assert_eq!(&other["data"].as_str().unwrap()[..10], "0x12345678");
    let misspelt = transaction(json!({"toAmonut": "1"}));
    assert_eq!(words(&misspelt).len(), words(&honest).len(), "what is not there is left out");
}

#[test]
fn a_patched_route_is_taken_back_as_it_was_sent() {
    let sandbox = sandbox();
    let patch = json!([{"op": "scale", "path": "/priceRoute/destAmount", "num": 1, "den": 2}]);
    sandbox.post("/sandbox/tamper", &json!({"target": "marketPrices", "patch": patch})).ok();
    let swap = MarketSwap { options: "ignoreChecks=true", ..MarketSwap::default() };
    let priced = swap.price(&sandbox);
    let said = words(&swap.try_transaction(&sandbox, &priced.text).ok());
    assert_eq!(word_number(&said[5]), number(&priced.route["destAmount"]));
    assert!(number(&priced.route["destAmount"]) < 51 * 10_u128.pow(18));
}

#[test]
fn lies_about_the_call_fit_every_method() {
    let sandbox = sandbox();
    for (method, receiver, minimum) in [
        ("swapExactAmountIn", 7, 4),
        ("swapExactAmountInOnCurveV1", 8, 5),
        ("swapExactAmountInOnBalancerV2", 4, 1),
        ("swapExactAmountInOutOnMakerPSM", 9, 3),
        ("swapOnAugustusRFQTryBatchFill", 4, 1),
    ] {
        let swap = MarketSwap::by(method);
        lie(&sandbox, "none");
        let honest = words(&swap.transaction(&sandbox));
        for kind in ["marketReceiver", "receiver"] {
            lie(&sandbox, kind);
            let said = words(&swap.transaction(&sandbox));
            assert!(said[receiver].to_lowercase().ends_with(&THIEF[2..].to_lowercase()), "{method}");
            assert_eq!(said[receiver][..24], honest[receiver][..24], "flags stay: {method}");
        }
        lie(&sandbox, "marketMinimum");
        let said = words(&swap.transaction(&sandbox));
        assert!(word_number(&said[minimum]) < 10 * 10_u128.pow(18), "{method}");
    }
}

#[test]
fn a_purchases_lie_is_a_higher_maximum_and_the_value_goes_along() {
    let sandbox = sandbox();
    for method in ["swapExactAmountOut", "swapExactAmountOutOnUniswapV2", "swapExactAmountOutOnBalancerV2"] {
        let query = format!("&includeContractMethods={method}");
        let swap = MarketSwap { src: "ETH", dest: "USDC", side: "BUY", query, ..MarketSwap::default() };
        lie(&sandbox, "none");
        let honest = number(&swap.transaction(&sandbox)["value"]);
        lie(&sandbox, "minimum");
        let liar = swap.transaction(&sandbox);
        assert!(number(&liar["value"]).abs_diff(honest * 10) < honest / 10, "{method}");
        assert!(swap.send(&sandbox, &liar).spent < honest * 2, "it goes through all the same");
    }
    let psm = MarketSwap { side: "BUY", amount: 10_u128.pow(20), ..MarketSwap::by("swapExactAmountInOutOnMakerPSM") };
    lie(&sandbox, "marketMinimum");
    assert!(word_number(&words(&psm.transaction(&sandbox))[2]) > 1_000_000_000);
}

#[test]
fn lies_about_price_and_spender_are_in_every_market_quote() {
    let sandbox = sandbox();
    let swap = MarketSwap::default();
    let honest = number(&swap.price(&sandbox).route["destAmount"]);
    let quote = crate::trade::Swap::default().quote_target(&sandbox).replace("mode=DELTA", "mode=MARKET");
    let fused = format!("/swap?{}&slippage=50&userAddress={}", swap.price_query(&sandbox), sandbox.account(0));
    let routes = || {
        let (quoted, fused) = (sandbox.get(&quote).ok(), sandbox.get(&fused).ok());
        [swap.price(&sandbox).route, quoted["market"].clone(), fused["priceRoute"].clone()]
    };
    let dollars = swap.price(&sandbox).route["destUSD"].clone();
    lie(&sandbox, "price");
    for route in routes() {
        assert_eq!((number(&route["destAmount"]), &route["destUSD"]), (honest * 8 / 10, &dollars));
        let hop = &route["bestRoute"][0]["swaps"][0]["swapExchanges"][0];
        assert_eq!(hop["destAmount"], route["destAmount"]);
        assert!(number(&route["destAmountAfterFee"]) < honest * 8 / 10);
    }
    // The transaction fits it: it guarantees 0.5 % less than that.
    let at_once = sandbox.get(&fused).ok();
    let agreed = number(&at_once["priceRoute"]["destAmount"]) * 9_950 / 10_000;
    assert_eq!(word_number(&words(&at_once["txParams"])[4]), agreed);
    let purchase = MarketSwap { side: "BUY", amount: 10_u128.pow(20), ..MarketSwap::default() };
    let worse = purchase.price(&sandbox).route;
    lie(&sandbox, "none");
    let fair = purchase.price(&sandbox).route;
    assert_eq!(number(&worse["srcAmount"]), number(&fair["srcAmount"]) * 10 / 8);
    let dollars = |route: &Value, member: &str| -> f64 { route[member].as_str().unwrap().parse().unwrap() };
    for member in ["srcUSD", "destUSD"] {
        assert!((dollars(&worse, member) / dollars(&fair, member) - 1.25).abs() < 1e-6, "{member}");
    }
    lie(&sandbox, "spender");
    for route in routes() {
        assert_eq!((&route["contractAddress"], &route["tokenTransferProxy"]), (&json!(THIEF), &json!(THIEF)));
    }
    lie(&sandbox, "marketTo");
    assert_eq!(swap.transaction(&sandbox)["to"], THIEF);
    assert_eq!(sandbox.get(&fused).ok()["txParams"]["to"], THIEF);
}
