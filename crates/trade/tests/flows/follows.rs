//! Amounts and times that would follow a lie: what a purchase costs, what a node says the time is.

use super::fake_host::{BUY, Place, Rig, SELL, SRC, at, failure, hex_word, set, text};
use super::market::{allowed, market};
use super::permit::{Token, bank};
use alloy_primitives::U256;
use verify::internal::error::ErrorCode;
use verify::internal::json::Json;

/// 40 thousandths of DEST at 2500 dollars for 100 of SRC at one.
const PRICES: &str = r#"{"advanced":{"srcPriceUsd":"1","destPriceUsd":"2500"},"#;
/// The amount that these leave of 100 dollars at a loss of 15 %: 117.647058 of SRC.
const MOST: u64 = 117_647_058;

/// A purchase that the service says costs that many percent of what it does.
fn overpriced(rig: &Rig, percent: u64) {
    let inflated = move |path: &str, tree: &mut Json| {
        let honest: U256 = text(tree, path).parse().unwrap();
        set(tree, path, &format!(r#""{}""#, honest * U256::from(percent) / U256::from(100)));
    };
    let mut service = rig.world.service.borrow_mut();
    service.quote_lie = Some(Box::new(move |quote| inflated("delta.route.origin.input.amount", quote)));
    service.market.method = 1;
    service.market.route_lie = Some(Box::new(move |route| inflated("srcAmount", route)));
}

#[test]
fn the_approval_of_a_purchase_is_bounded_by_the_callers_prices_or_cap() {
    for is_market in [false, true] {
        for percent in [100, 101, 110, 117, 118, 125, 200, 10_000] {
            let rig = allowed(0);
            rig.world.chain.borrow_mut().node(8453).allowances.clear();
            overpriced(&rig, percent);
            let path = |request: &str| if is_market { market(request) } else { request.into() };
            let priced =
                rig.quote(&path(&BUY.replacen('{', PRICES, 1).replacen('{', r#"{"maxPriceDeviationBps":2000,"#, 1)));
            assert_eq!(priced.is_ok(), percent <= 117, "{percent}");
            if let Ok(quote) = priced {
                let build = rig.build(&quote, r#"{"slippageBps":50}"#).unwrap();
                let amount: U256 = text(&build, "approval.amount").parse().unwrap();
                assert_eq!(text(&build, "approval.amount"), text(&build, "maxSpent"));
                assert!(amount <= U256::from(MOST * 10_050 / 10_000), "{percent}: {amount}");
            }
            let quote = rig.quote(&path(BUY)).unwrap();
            let build = rig.build(&quote, r#"{"slippageBps":50,"maxSpent":"101000000"}"#);
            match build {
                Ok(build) => assert!(text(&build, "approval.amount").parse::<u64>().unwrap() <= 101_000_000),
                Err(error) => {
                    assert!(percent > 100 && error.field.as_deref().unwrap().ends_with(".maxSpent"), "{error:?}")
                }
            }
        }
    }
}

#[test]
fn the_permit_of_a_purchase_is_signed_within_a_bound_of_the_callers_alone() {
    for percent in [100, 110, 117, 125, 10_000] {
        for kind in ["eip2612", "permit2Transfer", "permit2Allowance"] {
            let bank = bank(Token::default());
            overpriced(&bank.rig, percent);
            let sign = |request: &str, more: &str| {
                let quote = bank.rig.quote(request)?;
                bank.sign(&quote, &format!(r#"{{"kind":"{kind}","slippageBps":50{more}}}"#))
            };
            // The service's price is no bound; nor is one that accepts any loss.
            let loose = BUY.replacen('{', &PRICES.replacen('{', r#"{"maxLossBps":10000,"#, 1), 1);
            for request in [BUY, &loose] {
                let error = sign(request, "").unwrap_err();
                assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("options.maxSpent")));
            }
            bank.rig.world.assert_untouched();
            let capped = sign(BUY, r#","maxSpent":"100500000""#);
            match capped {
                Ok(permit) => assert_eq!((percent, text(&permit, "amount")), (100, "100500000")),
                Err(error) => {
                    let said = (error.code, error.field.as_deref());
                    assert_eq!(said, (ErrorCode::VerifyMismatch, Some("permit.amount")), "{percent}");
                    bank.rig.world.assert_untouched();
                }
            }
            match sign(&BUY.replacen('{', PRICES, 1), "") {
                Ok(permit) => {
                    let amount: u64 = text(&permit, "amount").parse().unwrap();
                    assert!(percent <= 117 && amount <= MOST * 10_050 / 10_000, "{percent}: {amount}");
                }
                Err(error) => assert!(percent > 117 && error.field.as_deref() == Some("quote.loss"), "{error:?}"),
            }
        }
    }
    // The amount that is sold is the caller's own figure.
    let bank = bank(Token::default());
    bank.sign(&bank.rig.quote(SELL).unwrap(), r#"{"kind":"eip2612"}"#).unwrap();
    let error = bank.sign(&bank.rig.quote(SELL).unwrap(), r#"{"kind":"eip2612","maxSpent":"99999999"}"#).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::VerifyMismatch, Some("permit.amount")));
    let error = bank.sign(&bank.rig.quote(SELL).unwrap(), r#"{"kind":"eip2612","maxSpent":7}"#).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("options.maxSpent")));
}

/// A chain with a clock of its own, so many seconds ahead of this machine's.
fn elsewhere(ahead: u64) -> Rig {
    let rig = Rig::with(|shared, _| {
        let known = verify::internal::domain::chain::pinned(8453).unwrap();
        shared.settings.given_contracts = vec![(31337, known)];
        shared.settings.rpc.push((31337, Place::Node(31337)));
    });
    rig.world.chain.borrow_mut().node(31337).time += ahead;
    rig.world.signer.borrow_mut().chain_id = 31337;
    rig
}

/// The checks of the deadline in the report, beyond that it is as asked for.
fn said(build: &Json) -> Vec<(String, String)> {
    let Json::Array(checks) = at(build, "report.checks") else { panic!() };
    let clocks = checks.iter().filter(|check| text(check, "actual").contains("clock"));
    clocks
        .map(|check| (text(check, "field").into(), format!("{} {}", text(check, "verdict"), text(check, "actual"))))
        .collect()
}

#[test]
fn a_deadline_by_a_nodes_clock_that_is_an_hour_ahead_says_so() {
    for (is_market, field) in [(false, "order.deadline"), (true, "transaction.deadline")] {
        let request = SELL.replace("8453", "31337");
        let request = if is_market { market(&request) } else { request };
        for (ahead, options, speaks) in [
            (0, "", false),
            (3_600, "", false),
            (3_601, "", true),
            (3_601, r#","validForSecs":60"#, true),
            (400_000_000, "", true),
            // The caller's own is counted from no clock.
            (3_601, r#","deadline":1800010000"#, false),
        ] {
            let rig = elsewhere(ahead);
            let build = rig.built_as(&request, &format!(r#"{{"slippageBps":50{options}}}"#)).unwrap();
            let expected = format!("unknown counted from the node's clock, {ahead} s ahead of this machine's");
            let expected = if speaks { vec![(field.into(), expected)] } else { vec![] };
            assert_eq!(said(&build), expected, "{ahead} {options}");
            // It is the same build when it comes back.
            if !is_market {
                rig.submit(&build).unwrap();
            }
        }
    }
}

#[test]
fn a_permit_is_good_for_no_longer_than_this_machines_clock_says_unless_its_deadline_is_named() {
    for (ahead, signs) in [(3_600, true), (3_601, false), (400_000_000, false)] {
        let rig = elsewhere(ahead);
        let token = |call: &Json| match text(call, "data") {
            "0x313ce567" => Ok(Json::String(hex_word(U256::from(6)))),
            _ => Err(failure(3, "execution reverted")),
        };
        rig.world.chain.borrow_mut().node(31337).contracts.insert(SRC.parse().unwrap(), Box::new(token));
        let quote = rig.quote(&SELL.replace("8453", "31337")).unwrap();
        let error = rig.call("signPermit", &quote, r#"{"kind":"eip2612"}"#).unwrap_err();
        // This token takes no permit: how far it comes tells.
        let field = if signs { "options.kind" } else { "options.deadline" };
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some(field)), "{error:?}");
        let named = format!(r#"{{"kind":"eip2612","deadline":{}}}"#, 1_800_001_800 + ahead);
        let error = rig.call("signPermit", &quote, &named).unwrap_err();
        assert_eq!(error.field.as_deref(), Some("options.kind"), "{error:?}");
        rig.world.assert_untouched();
    }
}
