//! POST /transactions/{chainId} and GET /swap: their rules.

use alloy_primitives::U256;
use serde_json::{Value, json};

use super::swap::{MarketSwap, word_number, words};
use crate::permit;
use crate::started::{Sandbox, hex_number, sandbox};
use crate::trade::number;

/// Where arguments of the generic methods are, in words.
const FROM_AMOUNT: usize = 3;
const TO_AMOUNT: usize = 4;
const QUOTED_AMOUNT: usize = 5;
const METADATA: usize = 6;
const BENEFICIARY: usize = 7;
const PARTNER_AND_FEE: usize = 8;

fn names(answer: &Value) -> String {
    answer.as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(" ")
}

/// A swap's transaction, nothing checked on chain.
fn unchecked(sandbox: &Sandbox, swap: &MarketSwap) -> Value {
    let swap = MarketSwap { options: "ignoreChecks=true", ..swap.clone() };
    swap.try_transaction(sandbox, &swap.price(sandbox).text).ok()
}

#[test]
fn the_query_decides_what_the_envelope_has() {
    let sandbox = sandbox();
    let with = |options: &'static str| {
        let swap = MarketSwap { options, ..MarketSwap::default() };
        swap.approve(&sandbox, u128::MAX);
        swap.try_transaction(&sandbox, &swap.price(&sandbox).text)
    };
    assert_eq!(names(&with("ignoreChecks=true").ok()), "chainId data from gasPrice to value");
    assert_eq!(names(&with("ignoreGasEstimate=true").ok()), "chainId data from gasPrice to value");
    assert_eq!(with("gasPrice=7").ok()["gasPrice"], "7");
    let two = with("eip1559=true").ok();
    assert_eq!(names(&two), "chainId data from gas maxFeePerGas maxPriorityFeePerGas to value");
    let two = with("eip1559=true&maxFeePerGas=9&maxPriorityFeePerGas=8").ok();
    assert_eq!((&two["maxFeePerGas"], &two["maxPriorityFeePerGas"]), (&json!("9"), &json!("8")));
    for wrong in ["eip1559=1", "onlyParams=yes", "ignoreChecks=", "gasPrice=0x1", "ignoreAllowance=no", "degenMode=2"] {
        let details = with(wrong).refused(400, "InvalidInput");
        assert!(details.contains(wrong.split('=').next().unwrap()), "{wrong}: {details}");
    }
}

#[test]
fn only_params_answers_with_the_calls_arguments() {
    let sandbox = sandbox();
    let swap = MarketSwap { options: "onlyParams=true", ..MarketSwap::default() };
    let arguments = swap.transaction(&sandbox);
    let arguments = arguments.as_array().unwrap();
    assert_eq!(arguments.len(), 5);
    assert_eq!(arguments[0], sandbox.text("marketExecutor").to_lowercase());
    let data = arguments[1].as_array().unwrap();
    assert_eq!(data[0], sandbox.token("USDC").to_lowercase());
    assert_eq!((&data[2], data.len()), (&json!("100000000"), 7));
    assert_eq!(data[6], "0x0000000000000000000000000000000000000000");
    assert_eq!(arguments[3], "0x");
}

#[test]
fn a_route_comes_back_byte_for_byte_or_not_at_all() {
    let sandbox = sandbox();
    let swap = MarketSwap { options: "ignoreChecks=true", ..MarketSwap::default() };
    let priced = swap.price(&sandbox);
    let altered = [
        priced.route.to_string(),
        priced.text.replace(r#""version":"6.2""#, r#""version": "6.2""#),
        priced.text.replace("1.0", "1"),
        priced.text.replace(r"Caf\u00e9", "Café"),
        priced.text.replace(r#""srcAmount":"100000000""#, r#""srcAmount":"200000000""#),
        priced.text.replace(r#","hmac":""#, r#","more":1,"hmac":""#),
    ];
    for text in &altered {
        assert_ne!(*text, priced.text);
        let details = swap.try_transaction(&sandbox, text).refused(400, "InvalidInput");
        assert!(details.starts_with("Invalid priceRoute"), "{details}");
    }
    swap.try_transaction(&sandbox, "null").refused(400, "InvalidInput");
    swap.try_transaction(&sandbox, &priced.text).ok();
    assert_ne!(priced.route["hmac"], swap.price(&sandbox).route["hmac"]);
}

#[test]
fn a_route_that_was_parsed_and_written_again_is_taken_where_routes_are_json() {
    let sandbox = sandbox();
    sandbox.settings(json!({"routes": "json"}));
    let swap = MarketSwap { options: "ignoreChecks=true", ..MarketSwap::default() };
    let priced = swap.price(&sandbox);
    swap.try_transaction(&sandbox, &priced.route.to_string()).ok();
    swap.try_transaction(&sandbox, &priced.text).ok();
    let other = priced.text.replace(r#""srcAmount":"100000000""#, r#""srcAmount":"200000000""#);
    swap.try_transaction(&sandbox, &other).refused(400, "InvalidInput");
}

#[test]
fn a_transaction_is_for_the_chain_of_its_route() {
    let sandbox = sandbox();
    let swap = MarketSwap::default();
    let body = swap.body(&sandbox, &swap.price(&sandbox).text);
    let post = |chain: &str| sandbox.post_text(&format!("/transactions/{chain}"), &body).unwrap();
    let details = post("31338").refused(400, "InvalidInput");
    assert!(details.contains("priceRoute.network"), "{details}");
    post("1").refused(422, "UnsupportedChain");
}

#[test]
fn each_invalid_transaction_request_is_refused_by_name() {
    let sandbox = sandbox();
    let cases = [
        (json!({"slippage": null}), "slippage or destAmount"),
        (json!({"slippage": 10_001}), "slippage"),
        (json!({"slippage": "50"}), "slippage"),
        (json!({"slippage": -1}), "slippage"),
        (json!({"slippage": 0.5}), "slippage"),
        (json!({"srcAmount": null}), "srcAmount"),
        (json!({"srcAmount": "99999999"}), "srcAmount"),
        (json!({"destAmount": "0"}), "destAmount"),
        (json!({"destAmount": "1.5"}), "destAmount"),
        (json!({"srcToken": sandbox.token("USDT")}), "srcToken"),
        (json!({"destToken": sandbox.token("USDT")}), "destToken"),
        (json!({"destToken": "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"}), "Invalid destToken"),
        (json!({"srcToken": null}), "srcToken"),
        (json!({"srcDecimals": 18}), "srcDecimals"),
        (json!({"destDecimals": "18"}), "destDecimals"),
        (json!({"userAddress": null}), "userAddress"),
        (json!({"userAddress": "me"}), "userAddress"),
        (json!({"receiver": "0x0"}), "receiver"),
        (json!({"txOrigin": 1}), "txOrigin"),
        (json!({"partner": 1}), "partner"),
        (json!({"partnerAddress": "x"}), "partnerAddress"),
        (json!({"partnerFeeBps": "201"}), "partnerFeeBps"),
        (json!({"permit": "01"}), "permit"),
        (json!({"deadline": sandbox.now() - 100}), "deadline"),
        (json!({"isCapSurplus": "true"}), "isCapSurplus"),
        (json!({"takeSurplus": 1}), "takeSurplus"),
        (json!({"isSurplusToUser": "no"}), "isSurplusToUser"),
        (json!({"isDirectFeeTransfer": 0}), "isDirectFeeTransfer"),
    ];
    let priced = MarketSwap::default().price(&sandbox);
    for (body, name) in cases {
        let swap = MarketSwap { options: "ignoreChecks=true", body, ..MarketSwap::default() };
        let details = swap.try_transaction(&sandbox, &priced.text).refused(400, "InvalidInput");
        assert!(details.contains(name), "{}: {details}", swap.body);
    }
    let buying = MarketSwap { side: "BUY", amount: 10_u128.pow(20), ..MarketSwap::default() };
    let priced = buying.price(&sandbox);
    for (body, name) in [
        (json!({"destAmount": null}), "destAmount"),
        (json!({"destAmount": "1"}), "destAmount"),
        (json!({"slippage": null}), "slippage or srcAmount"),
        (json!({"srcAmount": "0"}), "srcAmount"),
    ] {
        let swap = MarketSwap { options: "ignoreChecks=true", body, ..buying.clone() };
        let details = swap.try_transaction(&sandbox, &priced.text).refused(400, "InvalidInput");
        assert!(details.contains(name), "{}: {details}", swap.body);
    }
}

#[test]
fn the_free_side_is_given_or_follows_from_slippage() {
    let sandbox = sandbox();
    let sale = MarketSwap::default();
    let priced = number(&sale.price(&sandbox).route["destAmount"]);
    let said = words(&unchecked(&sandbox, &sale));
    assert_eq!(word_number(&said[FROM_AMOUNT]), 100_000_000);
    assert_eq!(word_number(&said[TO_AMOUNT]), priced * 9_950 / 10_000);
    assert_eq!(word_number(&said[QUOTED_AMOUNT]), priced);
    let given = MarketSwap { body: json!({"destAmount": "77", "slippage": null}), ..sale.clone() };
    assert_eq!(word_number(&words(&unchecked(&sandbox, &given))[TO_AMOUNT]), 77);
    let none = MarketSwap { body: json!({"slippage": 0}), ..sale };
    assert_eq!(word_number(&words(&unchecked(&sandbox, &none))[TO_AMOUNT]), priced);

    let purchase = MarketSwap { side: "BUY", amount: 10_u128.pow(20), ..MarketSwap::default() };
    let route = purchase.price(&sandbox).route;
    let said = words(&unchecked(&sandbox, &purchase));
    assert_eq!(word_number(&said[TO_AMOUNT]), purchase.amount);
    assert_eq!(word_number(&said[FROM_AMOUNT]), number(&route["srcAmountAfterFee"]) * 10_050 / 10_000);
    assert_eq!(word_number(&said[QUOTED_AMOUNT]), number(&route["srcAmount"]));
    let given = MarketSwap { body: json!({"srcAmount": "200000000", "slippage": null}), ..purchase };
    assert_eq!(word_number(&words(&unchecked(&sandbox, &given))[FROM_AMOUNT]), 200_000_000);
}

#[test]
fn beneficiary_and_metadata_are_in_the_call() {
    let sandbox = sandbox();
    let said = |body: Value| words(&unchecked(&sandbox, &MarketSwap { body, ..MarketSwap::default() }));
    let zero = "0".repeat(64);
    assert_eq!(said(json!({}))[BENEFICIARY], zero);
    assert_eq!(said(json!({"receiver": sandbox.account(0)}))[BENEFICIARY], zero);
    let other = sandbox.account(1).to_lowercase();
    assert_eq!(said(json!({"receiver": other}))[BENEFICIARY], format!("{:0>64}", &other[2..]));
    let metadata = said(json!({}))[METADATA].clone();
    let height = hex_number(&sandbox.rpc("eth_blockNumber", json!([])));
    assert_eq!(word_number(&metadata[32..]), height);
    assert_ne!(said(json!({}))[METADATA][..32], metadata[..32]);
}

#[test]
fn partner_and_fee_are_in_the_routers_own_bits() {
    let sandbox = sandbox();
    let payee = "0x0000000000000000000000000000000000000abc";
    let vault = "0x00700052c0608f670705380a4900e0a8080010cc";
    let bit = |index: usize| U256::from(1) << index;
    let partner = |address: &str| U256::from_str_radix(&address[2..], 16).unwrap() << 96usize;
    let fee = |bps: u64| U256::from(bps);
    let shop = |more: Value| {
        let mut body = json!({"partner": "shop", "partnerAddress": payee});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        body
    };
    let cases = [
        (json!({}), partner(vault) | bit(92) | fee(1)),
        (json!({"partner": "shop"}), bit(92)),
        (shop(json!({})), bit(92)),
        (shop(json!({"partnerFeeBps": "200"})), partner(payee) | bit(92) | fee(200)),
        (shop(json!({"partnerFeeBps": 25, "isDirectFeeTransfer": true})), partner(payee) | bit(92) | bit(91) | fee(25)),
        (shop(json!({"takeSurplus": true})), partner(payee) | bit(92) | bit(95)),
        (shop(json!({"takeSurplus": true, "isCapSurplus": false})), partner(payee) | bit(95)),
        (shop(json!({"takeSurplus": true, "partnerFeeBps": "10"})), partner(payee) | bit(92) | fee(10)),
        (shop(json!({"isSurplusToUser": true})), bit(92) | bit(90)),
        (json!({"partner": "shop", "referrer": payee}), partner(payee) | bit(92) | bit(94)),
    ];
    for (body, expected) in cases {
        let swap = MarketSwap { body, ..MarketSwap::default() };
        assert_eq!(words(&unchecked(&sandbox, &swap))[PARTNER_AND_FEE], format!("{expected:064x}"), "{}", swap.body);
    }
    sandbox.settings(json!({"feeBps": 30}));
    let swap = MarketSwap { body: shop(json!({"partnerFeeBps": "10"})), ..MarketSwap::default() };
    let expected = partner(payee) | bit(92) | fee(40);
    assert_eq!(words(&unchecked(&sandbox, &swap))[PARTNER_AND_FEE], format!("{expected:064x}"));
}

#[test]
fn a_referrer_may_be_any_text() {
    let sandbox = sandbox();
    let named = |referrer: Value| MarketSwap { body: json!({"referrer": referrer}), ..MarketSwap::default() };
    unchecked(&sandbox, &named(json!("shop & sons")));
    let swap = MarketSwap { options: "ignoreChecks=true", ..named(json!(7)) };
    let refused = swap.try_transaction(&sandbox, &swap.price(&sandbox).text).refused(400, "InvalidInput");
    assert!(refused.contains("referrer"), "{refused}");
}

#[test]
fn balance_and_allowance_are_checked_unless_that_is_waived() {
    let sandbox = sandbox();
    let poor = MarketSwap { owner: 2, ..MarketSwap::default() };
    poor.approve(&sandbox, 99_999_999);
    let priced = poor.price(&sandbox);
    poor.try_transaction(&sandbox, &priced.text).refused(400, "InsufficientAllowance");
    let waived = MarketSwap { options: "ignoreAllowance=true", ..poor.clone() };
    assert_eq!(names(&waived.try_transaction(&sandbox, &priced.text).ok()), "chainId data from gasPrice to value");
    poor.approve(&sandbox, 100_000_000);
    poor.try_transaction(&sandbox, &priced.text).ok();
    poor.approve(&sandbox, 0);

    let greedy = MarketSwap { amount: 10_u128.pow(12), ..poor };
    let priced = greedy.price(&sandbox);
    greedy.try_transaction(&sandbox, &priced.text).refused(400, "InsufficientBalance");
    let unchecked = MarketSwap { options: "ignoreChecks=true", ..greedy };
    unchecked.try_transaction(&sandbox, &priced.text).ok();
    let sale = MarketSwap { src: "ETH", dest: "USDC", amount: 10_u128.pow(21), ..MarketSwap::default() };
    let rich = sale.price(&sandbox);
    let user = json!({"userAddress": "0x00000000000000000000000000000000000000aa"});
    MarketSwap { body: user, ..sale }.try_transaction(&sandbox, &rich.text).refused(400, "InsufficientBalance");
}

#[test]
fn a_minimum_out_of_reach_fails_the_estimate_by_the_routers_error() {
    let sandbox = sandbox();
    let swap =
        MarketSwap { body: json!({"destAmount": "200000000000000000000", "slippage": null}), ..MarketSwap::default() };
    swap.approve(&sandbox, u128::MAX);
    let details = swap.try_transaction(&sandbox, &swap.price(&sandbox).text).refused(400, "EstimationFailed");
    assert_eq!(details, "Estimated transaction fail: InsufficientReturnAmount");
}

#[test]
fn a_permit_takes_the_place_of_an_approval() {
    let sandbox = sandbox();
    let (owner, router) = (sandbox.account(3), sandbox.text("router").to_owned());
    let usdc = sandbox.token("USDC");
    let approved = json!({
        "chainId": 31337, "token": usdc, "owner": owner, "spender": permit::PERMIT2, "amount": "50000000",
    });
    sandbox.post("/sandbox/approve", &approved).ok();
    let transfer = permit::router_transfer(&sandbox, &owner, (&usdc, 60_000_000), sandbox.now() + 600);
    let permits = [
        (permit::eip_2612(&sandbox, "USDC", &owner, &router, 50_000_000), "TokenTransferFailed"),
        (transfer, "Permit2Failed"),
    ];
    for (permit, used) in permits {
        let amount = 50_000_000;
        let swap = MarketSwap { amount, owner: 3, body: json!({"permit": permit}), ..MarketSwap::default() };
        let transaction = swap.try_transaction(&sandbox, &swap.price(&sandbox).text).ok();
        assert!(transaction["gas"].is_string());
        assert_eq!(swap.send(&sandbox, &transaction).spent, amount, "{used}");
        let again = swap.try_transaction(&sandbox, &swap.price(&sandbox).text);
        assert!(again.refused(400, "EstimationFailed").ends_with(used), "{used}: used once");
    }
}

#[test]
fn tokens_are_named_by_symbol_too() {
    let sandbox = sandbox();
    let body = json!({"srcToken": "usdc", "destToken": "DAI", "srcDecimals": 6, "destDecimals": 18});
    let swap = MarketSwap { body, options: "ignoreChecks=true", ..MarketSwap::default() };
    swap.try_transaction(&sandbox, &swap.price(&sandbox).text).ok();
}

#[test]
fn a_swap_is_a_price_and_its_transaction_without_gas() {
    let sandbox = sandbox();
    for (side, amount) in [("SELL", 100_000_000), ("BUY", 10_u128.pow(20))] {
        let swap = MarketSwap { side, amount, ..MarketSwap::default() };
        let more = "&slippage=50&isCapSurplus=true&partnerFeeBps=20";
        let target = format!("/swap?{}&userAddress={}{more}", swap.price_query(&sandbox), sandbox.account(0));
        let answer = sandbox.get(&target).ok();
        assert_eq!(names(&answer), "priceRoute txParams");
        assert_eq!(names(&answer["txParams"]), "chainId data from gasPrice to value");
        swap.approve(&sandbox, u128::MAX);
        let moved = swap.send(&sandbox, &answer["txParams"]);
        let route = &answer["priceRoute"];
        if side == "SELL" {
            assert!(moved.received.abs_diff(number(&route["destAmountAfterFee"])) <= 2);
        } else {
            assert_eq!((moved.received, moved.spent), (amount, number(&route["srcAmountAfterFee"])));
        }
        let rfq = format!("{target}&includeContractMethods=swapOnAugustusRFQTryBatchFill");
        sandbox.get(&rfq).refused(400, "PricingError");
        sandbox.get(&target.replace("&slippage=50", "")).refused(400, "InvalidInput");
        sandbox.get(&target.replace("userAddress", "user")).refused(400, "InvalidInput");
        sandbox.get(&target.replace("slippage=50", "slippage=x")).refused(400, "InvalidInput");
        sandbox.get(&target.replace("isCapSurplus=true", "isCapSurplus=1")).refused(400, "InvalidInput");
    }
}
