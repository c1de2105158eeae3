//! The market in GET /v2/quote.

use serde_json::{Value, json};

use crate::started::{Sandbox, sandbox};
use crate::trade::Swap;

fn quote(sandbox: &Sandbox, swap: &Swap, mode: &str) -> crate::client::Answer {
    sandbox.get(&swap.quote_target(sandbox).replace("mode=DELTA", &format!("mode={mode}")))
}

fn names(answer: &Value) -> String {
    answer.as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(" ")
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
