//! The market in GET /v2/quote.

use serde_json::{Value, json};

use super::swap::MarketSwap;
use crate::started::{Sandbox, sandbox};
use crate::trade::Swap;

fn quote(sandbox: &Sandbox, swap: &Swap, mode: &str) -> crate::client::Answer {
    sandbox.get(&swap.quote_target(sandbox).replace("mode=DELTA", &format!("mode={mode}")))
}

fn names(answer: &Value) -> String {
    answer.as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(" ")
}

/// The text of `market` in a quote that has nothing after it but the reason of the fallback.
fn market_text(body: &str) -> &str {
    let text = body.strip_prefix(r#"{"market":"#).unwrap();
    text.split_once(r#","fallbackReason""#).map_or_else(|| text.strip_suffix('}').unwrap(), |(market, _)| market)
}

#[test]
fn the_market_block_is_a_price_route_that_a_transaction_is_made_of() {
    let sandbox = sandbox();
    let answer = quote(&sandbox, &Swap::default(), "MARKET");
    assert_eq!(names(&answer.ok()), "market");
    assert_eq!(answer.json()["market"]["version"], "6.2");
    let swap = MarketSwap::default();
    swap.approve(&sandbox, 100_000_000);
    let transaction = swap.try_transaction(&sandbox, market_text(&answer.body)).ok();
    assert_eq!(swap.send(&sandbox, &transaction).spent, 100_000_000);
}

#[test]
fn a_refusal_by_delta_falls_back_with_its_reason() {
    let sandbox = sandbox();
    let dust = Swap { amount: 1_000, ..Swap::default() };
    let answer = quote(&sandbox, &dust, "ALL").ok();
    assert_eq!(names(&answer), "fallbackReason market");
    let reason = json!({"errorType": "GasCostExceedsTradeAmount", "details": "Gas cost exceeds trade amount"});
    assert_eq!(answer["fallbackReason"], reason);
    assert_eq!(quote(&sandbox, &dust, "DELTA").refused(400, "GasCostExceedsTradeAmount"), reason["details"]);

    assert_eq!(names(&quote(&sandbox, &Swap::default(), "ALL").ok()), "delta");
    sandbox.settings(json!({"deltaRefuses": "NoSolver"}));
    assert_eq!(quote(&sandbox, &Swap::default(), "ALL").ok()["fallbackReason"]["errorType"], "NoSolver");
    quote(&sandbox, &Swap::default(), "DELTA").refused(400, "NoSolver");
    assert_eq!(names(&quote(&sandbox, &Swap::default(), "MARKET").ok()), "market");
}

#[test]
fn a_trade_without_any_price_is_a_pricing_error() {
    let sandbox = sandbox();
    let all = Swap { amount: 20_000_000_000_000, ..Swap::default() };
    for mode in ["ALL", "MARKET"] {
        assert_eq!(quote(&sandbox, &all, mode).refused(400, "PricingError"), "Error getting price data");
    }
    assert_eq!(
        names(&quote(&sandbox, &Swap { query: "&maxImpact=90".into(), ..all.clone() }, "MARKET").ok()),
        "market"
    );
    quote(&sandbox, &Swap { query: "&maxImpact=90&maxUSDImpact=5".into(), ..all }, "MARKET")
        .refused(400, "PricingError");
    let crosschain = Swap { query: "&destChainId=31338".into(), ..Swap::default() };
    assert_eq!(quote(&sandbox, &crosschain, "MARKET").refused(400, "PricingError"), "Error getting price data");
    quote(&sandbox, &Swap { query: "&maxUSDImpact=-1".into(), ..Swap::default() }, "MARKET")
        .refused(400, "InvalidInput");
}

#[test]
fn a_taxed_token_is_traded_on_the_market_only() {
    let sandbox = sandbox();
    let swap = Swap { src: "TAX", dest: "DAI", amount: 10_u128.pow(20), ..Swap::default() };
    quote(&sandbox, &swap, "DELTA").refused(422, "UnsupportedToken");
    let answer = quote(&sandbox, &swap, "ALL");
    assert_eq!(answer.ok()["fallbackReason"]["errorType"], "UnsupportedToken");
    let supported = format!("/v2/delta/prices/is-token-supported?token={}&chainId=31337", sandbox.token("TAX"));
    assert_eq!(sandbox.get(&supported).ok()["supported"], false);
    let purchase = Swap { side: "BUY", ..swap.clone() };
    assert_eq!(quote(&sandbox, &purchase, "ALL").refused(400, "PricingError"), "Error getting price data");
    let market = MarketSwap { src: "TAX", dest: "DAI", amount: swap.amount, ..MarketSwap::default() };
    market.approve(&sandbox, swap.amount);
    let transaction = market.try_transaction(&sandbox, market_text(&answer.body)).ok();
    assert_eq!(market.send(&sandbox, &transaction).spent, swap.amount);
}
