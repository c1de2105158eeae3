//! Transactions that are really sent, and what they move.

use serde_json::json;

use super::swap::{MarketSwap, word_number, words};
use crate::started::sandbox;
use crate::trade::number;

/// Methods that sell, with the selectors that were published.
const SALES: [(&str, &str); 9] = [
    ("swapExactAmountIn", "0xe3ead59e"),
    ("swapExactAmountInPro", "0x0d893d62"),
    ("swapExactAmountInOnUniswapV2", "0xe8bb3b6c"),
    ("swapExactAmountInOnUniswapV3", "0x876a02f6"),
    ("swapExactAmountInOnCurveV1", "0x1a01c532"),
    ("swapExactAmountInOnCurveV2", "0xe37ed256"),
    ("swapExactAmountInOnBalancerV2", "0xd85ca173"),
    ("swapOnAugustusRFQTryBatchFill", "0xda35bb0d"),
    ("swapExactAmountInOutOnMakerPSM", "0x987e7d8e"),
];

const PURCHASES: [(&str, &str); 7] = [
    ("swapExactAmountOut", "0x7f457675"),
    ("swapExactAmountOutPro", "0x44224add"),
    ("swapExactAmountOutOnUniswapV2", "0xa76f4eb6"),
    ("swapExactAmountOutOnUniswapV3", "0x5e94e28d"),
    ("swapExactAmountOutOnBalancerV2", "0xd6ed22e6"),
    ("swapOnAugustusRFQTryBatchFill", "0xda35bb0d"),
    ("swapExactAmountInOutOnMakerPSM", "0x987e7d8e"),
];

/// Methods without the fee of `anon`.
fn is_free(method: &str) -> bool {
    method.contains("RFQ") || method.contains("PSM")
}

fn selector(transaction: &serde_json::Value) -> &str {
    &transaction["data"].as_str().unwrap()[..10]
}

#[test]
fn every_selling_method_sells_what_was_priced() {
    let sandbox = sandbox();
    for (method, published) in SALES {
        let swap = MarketSwap::by(method);
        swap.approve(&sandbox, 100_000_000);
        let priced = swap.price(&sandbox);
        assert_eq!(priced.route["contractMethod"], method);
        let transaction = swap.try_transaction(&sandbox, &priced.text).ok();
        assert_eq!(selector(&transaction), published, "{method}");
        let moved = swap.send(&sandbox, &transaction);
        let after_fee = if is_free(method) { "destAmount" } else { "destAmountAfterFee" };
        assert_eq!(moved.spent, 100_000_000, "{method}");
        // The fee's parts are rounded down one by one.
        assert!(moved.received.abs_diff(number(&priced.route[after_fee])) <= 2, "{method}: {}", moved.received);
    }
}

#[test]
fn every_buying_method_buys_exactly_what_was_asked_for() {
    let sandbox = sandbox();
    for (method, published) in PURCHASES {
        let swap = MarketSwap { side: "BUY", amount: 10_u128.pow(20), ..MarketSwap::by(method) };
        let priced = swap.price(&sandbox);
        swap.approve(&sandbox, u128::MAX);
        let transaction = swap.try_transaction(&sandbox, &priced.text).ok();
        assert_eq!(selector(&transaction), published, "{method}");
        let moved = swap.send(&sandbox, &transaction);
        let with_fee = if is_free(method) { "srcAmount" } else { "srcAmountAfterFee" };
        assert_eq!(moved.received, swap.amount, "{method}");
        assert_eq!(moved.spent, number(&priced.route[with_fee]), "{method}");
    }
}

#[test]
fn methods_with_hops_trade_along_them_both_ways() {
    let sandbox = sandbox();
    for (side, amount) in [("SELL", 100_000_000), ("BUY", 10_u128.pow(20))] {
        for exchange in ["", "OnUniswapV2", "OnUniswapV3"] {
            let method = format!("swapExactAmount{}{exchange}", if side == "SELL" { "In" } else { "Out" });
            let query = format!("&includeContractMethods={method}&route=USDC-WETH-USDT-DAI");
            let swap = MarketSwap { side, amount, query, ..MarketSwap::default() };
            let moved = swap.done(&sandbox);
            if side == "SELL" {
                assert!(moved.received > 99 * 10_u128.pow(18), "{method}: {moved:?}");
            } else {
                assert_eq!(moved.received, amount, "{method}");
                assert!(moved.spent < 101_000_000, "{method}: {moved:?}");
            }
        }
    }
}

#[test]
fn the_native_token_goes_in_as_value_and_comes_out_unwrapped() {
    let sandbox = sandbox();
    let methods = |side: &str| if side == "SELL" { &SALES[..8] } else { &PURCHASES[..6] };
    for (src, dest, side, amount) in [
        ("ETH", "USDC", "SELL", 10_u128.pow(17)),
        ("USDC", "ETH", "SELL", 100_000_000),
        ("ETH", "USDC", "BUY", 100_000_000),
        ("USDC", "ETH", "BUY", 10_u128.pow(16)),
    ] {
        for (method, _) in methods(side) {
            let swap = MarketSwap { src, dest, side, amount, ..MarketSwap::by(method) };
            let transaction = swap.transaction(&sandbox);
            let value = number(&transaction["value"]);
            let moved = swap.send(&sandbox, &transaction);
            if side == "SELL" {
                assert_eq!(moved.spent, amount, "{method}");
                assert!(moved.received > 0);
            } else {
                assert_eq!(moved.received, amount, "{method}");
            }
            assert_eq!(value > 0, src == "ETH");
            assert!(src != "ETH" || value >= moved.spent, "what is left comes back: {method}");
        }
    }
}

#[test]
fn the_native_token_and_its_wrapping_are_exchanged_one_to_one() {
    let sandbox = sandbox();
    for (src, dest) in [("ETH", "WETH"), ("WETH", "ETH")] {
        let amount = 10_u128.pow(16);
        let query = "&partner=shop".to_owned();
        let body = json!({"partner": "shop"});
        let sale = MarketSwap { src, dest, amount, query: query.clone(), body: body.clone(), ..MarketSwap::default() };
        let moved = sale.done(&sandbox);
        assert_eq!((moved.spent, moved.received), (amount, amount));
        let purchase = MarketSwap { side: "BUY", src, dest, amount, query, body, ..MarketSwap::default() };
        let moved = purchase.done(&sandbox);
        assert_eq!((moved.spent, moved.received), (amount, amount));
    }
}

#[test]
fn a_receiver_gets_what_the_user_pays_for() {
    let sandbox = sandbox();
    let receiver = "0x000000000000000000000000000000000000feed";
    for (method, _) in SALES {
        let swap = MarketSwap { body: json!({"receiver": receiver}), ..MarketSwap::by(method) };
        let before = sandbox.balance("DAI", receiver);
        let moved = swap.done(&sandbox);
        assert_eq!((moved.spent, moved.received), (100_000_000, 0), "{method}");
        assert!(sandbox.balance("DAI", receiver) - before > 99 * 10_u128.pow(18), "{method}");
    }
}

#[test]
fn a_taxed_token_needs_its_tax_in_the_price() {
    let sandbox = sandbox();
    let amount = 10_u128.pow(20);
    let untold = MarketSwap { src: "TAX", amount, ..MarketSwap::default() };
    untold.approve(&sandbox, amount);
    let details = untold.try_transaction(&sandbox, &untold.price(&sandbox).text).refused(400, "EstimationFailed");
    assert!(details.ends_with("InsufficientReturnAmount"), "{details}");
    for method in ["swapExactAmountIn", "swapExactAmountInOnUniswapV2", "swapExactAmountInOnUniswapV3"] {
        let query = format!("&srcTokenTransferFee=100&includeContractMethods={method}");
        let sale = MarketSwap { query, ..untold.clone() };
        let priced = sale.price(&sandbox).route;
        let moved = sale.done(&sandbox);
        assert_eq!(moved.spent, amount);
        assert!(moved.received.abs_diff(number(&priced["destAmountAfterFee"])) <= 2, "{method}");
        let query = format!("&destTokenTransferFee=100&includeContractMethods={method}");
        let purchase = MarketSwap { src: "DAI", dest: "TAX", amount, query, ..MarketSwap::default() };
        let priced = number(&purchase.price(&sandbox).route["destAmountAfterFee"]);
        // The payment to the user is taxed as every other.
        assert!(purchase.done(&sandbox).received.abs_diff(priced - priced / 100) <= 2, "{method}");
    }
}

#[test]
fn fees_go_to_the_vault_or_at_once_to_the_partner() {
    let sandbox = sandbox();
    let (payee, vault) = ("0x0000000000000000000000000000000000005e13", "0x00700052c0608f670705380a4900e0a8080010cc");
    for direct in [false, true] {
        let body = json!({
            "partner": "shop", "partnerAddress": payee, "partnerFeeBps": "200", "isDirectFeeTransfer": direct,
        });
        let swap = MarketSwap { body, query: "&partner=shop&partnerFeeBps=200".into(), ..MarketSwap::default() };
        let before = [payee, vault].map(|account| sandbox.balance("DAI", account));
        let priced = number(&swap.price(&sandbox).route["destAmount"]);
        let moved = swap.done(&sandbox);
        let after = [payee, vault].map(|account| sandbox.balance("DAI", account));
        let fee = priced * 200 / 10_000;
        let operators = fee * 15 / 100;
        assert_eq!(moved.received, priced - fee);
        let expected = if direct { [fee - operators, operators] } else { [0, fee] };
        assert_eq!([after[0] - before[0], after[1] - before[1]], expected);
    }
    let query = "&partner=shop&partnerFeeBps=100";
    let body = json!({"partner": "shop", "partnerAddress": payee, "partnerFeeBps": "100", "isDirectFeeTransfer": true});
    let swap = MarketSwap { side: "BUY", amount: 10_u128.pow(20), query: query.into(), body, ..MarketSwap::default() };
    let before = [payee, vault].map(|account| sandbox.balance("USDC", account));
    let priced = number(&swap.price(&sandbox).route["srcAmount"]);
    let moved = swap.done(&sandbox);
    let after = [payee, vault].map(|account| sandbox.balance("USDC", account));
    let fee = priced / 100;
    assert_eq!(moved.spent, priced + fee);
    assert_eq!([after[0] - before[0], after[1] - before[1]], [fee - fee * 15 / 100, fee * 15 / 100]);
}

#[test]
fn surplus_is_shared_as_the_bits_say() {
    let sandbox = sandbox();
    let (payee, vault) = ("0x0000000000000000000000000000000000005e14", "0x00700052c0608f670705380a4900e0a8080010cc");
    // (members, per mille of the surplus: partner, vault), the surplus being 1 % of the quote where it is capped.
    let cases = [
        (json!({}), true, 0, 500),
        (json!({"isCapSurplus": false}), false, 0, 500),
        (json!({"takeSurplus": true, "partnerAddress": payee, "isDirectFeeTransfer": true}), true, 500, 500),
        (json!({"isSurplusToUser": true}), true, 0, 0),
    ];
    for (members, is_capped, partners, vaults) in cases {
        let mut body = json!({"partner": "shop"});
        body.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
        let swap = MarketSwap { body, query: "&partner=shop".into(), ..MarketSwap::default() };
        // Quoted at half, so that the real price is a surplus of as much again.
        let args = json!({"quotedAmount": {"num": 1, "den": 2}});
        sandbox.post("/sandbox/tamper", &json!({"target": "transactions", "args": args})).ok();
        let transaction = swap.transaction(&sandbox);
        let quoted = word_number(&words(&transaction)[5]);
        let before = [payee, vault].map(|account| sandbox.balance("DAI", account));
        let moved = swap.send(&sandbox, &transaction);
        let after = [payee, vault].map(|account| sandbox.balance("DAI", account));
        let (partner, operator) = (after[0] - before[0], after[1] - before[1]);
        let surplus = moved.received + partner + operator - quoted;
        let shared = if is_capped { quoted / 100 } else { surplus };
        assert!(partner.abs_diff(shared * partners / 1000) <= 1, "{members}: {partner} of {shared}");
        assert!(operator.abs_diff(shared * vaults / 1000) <= 1, "{members}: {operator} of {shared}");
    }
}
