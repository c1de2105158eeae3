//! The loss of a trade to gas and bridge is shown as that, and never used; what they do not explain is a lie as before.

use super::fake_host::{BUY, Rig, SELL, json, set, text, verdicts, with};
use verify::internal::error::{Error, ErrorCode};
use verify::internal::json::Json;

/// 100 dollars go in; what comes out, and what the service says of its costs, is `stated`: places in the route and texts.
fn quoted(request: &str, stated: &[(&'static str, String)]) -> Result<Json, Error> {
    let rig = Rig::default();
    let stated = stated.to_vec();
    rig.world.service.borrow_mut().quote_lie = Some(Box::new(move |quote| {
        for (path, value) in &stated {
            set(quote, &format!("delta.route.{path}"), value);
        }
    }));
    let outcome = rig.quote(request);
    rig.world.assert_untouched();
    outcome
}

const OUT: &str = "destination.output.amountUSD";
const GAS: &str = "fees.gas.amountUSD";
const FEES: &str = "fees.bridge";

#[test]
fn an_honest_small_trade_is_a_loss_and_not_a_mismatch() {
    let sliced = r#""numSlices":2,"intervalSecs":60"#;
    for request in [SELL.into(), BUY.into(), with(SELL, sliced), with(BUY, sliced)] {
        let error = quoted(&request, &[(OUT, r#""69.99""#.into()), (GAS, r#""30""#.into())]).unwrap_err();
        assert_eq!(error.code, ErrorCode::LossTooHigh, "{error:?}");
        assert_eq!(error.loss, Some((3001, 3000)));
        assert!(error.message.contains(": 30.01 % of it is lost. Trade more"), "{}", error.message);
        let written = json(&error.write());
        assert_eq!((text(&written, "lossBps"), text(&written, "costBps")), ("3001", "3000"));
        assert_eq!(text(&written, "field"), "quote.loss");
        assert_eq!(text(&written, "actual"), "100.00 USD in, 69.99 USD out, costs of 30 USD between them");
        assert!(!text(&written, "report.sentence").contains("not what"), "{}", text(&written, "report.sentence"));
    }
}

#[test]
fn only_a_loss_that_the_costs_explain_is_loss_too_high() {
    for out in [0, 1, 20, 50, 69, 70, 84, 85, 86, 99, 100] {
        for gas in [0, 1, 14, 15, 16, 30, 45, 46, 80, 99, 100, 120, 1_000_000] {
            let dollars = |amount: u32| format!(r#""{amount}""#);
            let outcome = quoted(SELL, &[(OUT, dollars(out)), (GAS, dollars(gas))]);
            let expected = match () {
                () if out >= 85 => None,
                () if out + gas >= 85 => Some(ErrorCode::LossTooHigh),
                () => Some(ErrorCode::VerifyMismatch),
            };
            let error = outcome.err();
            assert_eq!(error.as_ref().map(|error| error.code), expected, "{out} out, {gas} gas");
            let names_costs = error.as_ref().and_then(|error| error.actual.as_ref()).map(|told| told.contains("costs"));
            assert_eq!(names_costs, expected.map(|code| code == ErrorCode::LossTooHigh), "{out} out, {gas} gas");
            let told = error.and_then(|error| error.loss);
            let lost = 100 * u64::from(100 - out);
            // Never more than what was lost.
            let expected = expected.filter(|code| *code == ErrorCode::LossTooHigh);
            assert_eq!(told, expected.map(|_| (lost, lost.min(100 * u64::from(gas)))), "{out} out, {gas} gas");
        }
    }
}

#[test]
fn the_callers_own_prices_are_what_a_loss_is_measured_by() {
    // 100 of a dollar each for 0.04 at 1 750 dollars: 70.
    let priced = with(SELL, r#""advanced":{"srcPriceUsd":"1","destPriceUsd":"1750"}"#);
    let gas = |usd: &str| quoted(&priced, &[(OUT, r#""99""#.into()), (GAS, format!(r#""{usd}""#))]).unwrap_err();
    assert_eq!((gas("30").code, gas("30").loss), (ErrorCode::LossTooHigh, Some((3000, 3000))));
    assert_eq!(gas("14.99").code, ErrorCode::VerifyMismatch);
}

#[test]
fn another_check_that_fails_goes_first() {
    let bad = r#""0x00000000000000000000000000000000000bad00""#.to_string();
    let error = quoted(SELL, &[(OUT, r#""70""#.into()), (GAS, r#""30""#.into()), ("origin.input.token.address", bad)]);
    let error = error.unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::VerifyMismatch, Some("quote.srcToken")));
}

#[test]
fn bridge_fees_count_with_the_gas() {
    let bridge = with(SELL, r#""destChainId":10"#);
    let fee = |usd: &str| format!(r#"{{"amountUSD":{usd}}}"#);
    let taken = |fees: String| {
        let stated = [(OUT, r#""70""#.into()), (GAS, r#""10""#.into()), (FEES, format!("[{fees}]"))];
        quoted(&bridge, &stated).unwrap_err()
    };
    let error = taken([fee("5"), fee(r#""15""#)].join(","));
    assert_eq!((error.code, error.loss), (ErrorCode::LossTooHigh, Some((3000, 3000))));
    assert_eq!(taken(String::new()).code, ErrorCode::VerifyMismatch);
    for odd in ["null", r#""-20""#, r#""""#, r#""1e99""#, "[]", r#""twenty""#] {
        assert_eq!(taken(fee(odd)).code, ErrorCode::VerifyMismatch, "{odd}");
    }
}

#[test]
fn gas_paid_beside_the_price_explains_no_loss() {
    let rig = Rig::default();
    rig.world.service.borrow_mut().market.route_lie = Some(Box::new(|route| {
        set(route, "destUSD", r#""70""#);
        set(route, "gasCostUSD", r#""30""#);
    }));
    let error = rig.quote(&with(SELL, r#""mode":"MARKET""#)).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::VerifyMismatch, Some("quote.loss")));
}

#[test]
fn gas_is_shown_to_be_worth_its_dollars_within_a_twentieth() {
    for (amount, usd, verdict) in [
        ("100000000", "0.00", "unknown"),
        ("95000000", "100.00", "unknown"),
        ("96000000", "100.00", "ok"),
        ("100000000", "100.00", "ok"),
        ("105000000", "100.00", "ok"),
        ("106000000", "100.00", "unknown"),
        ("100000000", "94.98", "unknown"),
        ("100000000", "94.99", "ok"),
        ("100000000", "105.01", "ok"),
        ("100000000", "105.02", "unknown"),
    ] {
        let rig = Rig::default();
        rig.world.service.borrow_mut().quote_lie = Some(Box::new(move |quote| {
            set(quote, "delta.route.fees.gas.amount", &format!(r#""{amount}""#));
            set(quote, "delta.route.fees.gas.amountUSD", &format!(r#""{usd}""#));
        }));
        assert_eq!(verdicts(&rig.quote(SELL).unwrap(), "quote.gasFee"), [verdict], "{amount} {usd}");
    }
}
