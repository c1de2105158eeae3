//! Orders in slices.

use super::fake_host::{BUY, Rig, SELL, at, json, set, text, with};
use super::limit::PERMIT;
use verified_swap_trade::flows;
use verify::internal::error::ErrorCode;
use verify::internal::json::Json;

const THREE: &str = r#""numSlices":3,"intervalSecs":600"#;

#[test]
fn one_slice_is_priced_and_the_total_is_sold() {
    let rig = Rig::default();
    let quote = rig.quote(&with(SELL, THREE)).unwrap();
    assert!(rig.world.sent("quote")[0].url.contains("&amount=33333333&"));
    assert_eq!(text(&quote, "srcAmount"), "33333333");
    let plan = json(
        r#"{"numSlices":3,"intervalSecs":600,"total":"100000000","sliceAmount":"33333333","lastSliceAmount":"33333334"}"#,
    );
    assert_eq!(at(&quote, "twap"), &plan);
    assert_eq!(
        text(&quote, "report.sentence"),
        "About 33.333333 USDX (0x111111111111...111111111111) for 0.0133333332 WETX (0x222222222222...222222222222) on Base for one slice"
    );
    let build = rig.build(&quote, r#"{"slippageBps":50}"#).unwrap();
    assert_eq!(at(&build, "twap"), &plan);
    let body = rig.world.sent("build")[0].body.clone().unwrap();
    assert!(
        body.ends_with(r#","orderType":"TWAPOrder","interval":600,"numSlices":3,"totalSrcAmount":"100000000"}"#),
        "{body}"
    );
    // 1 800 s for the slices, 600 to spare.
    assert_eq!(text(&build, "deadline"), "1800002400");
    assert_eq!(text(&build, "maxSpent"), "100000000");
    // 13333333200000000 x 0.995, three times; then 1 bp less for each.
    assert_eq!(text(&build, "minDestAmount"), "39799999602000000");
    assert_eq!(text(&build, "minReceived"), "39796019602039800");
    let sentence = text(&build, "report.sentence");
    assert!(
        sentence
            .starts_with("Sell 100 USDX (0x111111111111...111111111111) on Base in 3 slices, one every 600 s, for at least 0.0397960196020398 WETX (0x222222222222...222222222222)"),
        "{sentence}"
    );
    rig.submit(&build).unwrap();
    assert!(
        rig.world.posts()[0]
            .ends_with(r#""type":"MARKET","chainId":8453,"partner":"anon","onChainOrderType":"TWAPOrder"}"#)
    );
}

#[test]
fn the_total_is_bought_for_at_most_what_the_caller_says() {
    let rig = Rig::default();
    let quote = rig.quote(&with(BUY, THREE)).unwrap();
    assert!(rig.world.sent("quote")[0].url.contains("&amount=13333333333333333&"));
    let build = rig.build(&quote, r#"{"maxSrcAmount":"101000000"}"#).unwrap();
    let body = rig.world.sent("build")[0].body.clone().unwrap();
    assert!(body.contains(r#""maxSrcAmount":"101000000""#) && !body.contains("slippage"), "{body}");
    assert!(
        body.ends_with(
            r#""orderType":"TWAPBuyOrder","interval":600,"numSlices":3,"totalDestAmount":"40000000000000000"}"#
        ),
        "{body}"
    );
    assert_eq!(text(&build, "maxSpent"), "101000000");
    assert_eq!(text(&build, "minDestAmount"), "40000000000000000");
    // Each slice less 1 bp, rounded down: 13331999999999999 twice and 13332000000000000.
    assert_eq!(text(&build, "minReceived"), "39995999999999998");
    rig.submit(&build).unwrap();
}

#[test]
fn the_bounds_of_a_quote_are_those_of_all_slices() {
    let rig = Rig::default();
    for (request, options) in [(SELL, r#"{"slippageBps":50}"#), (BUY, r#"{"maxSrcAmount":"100500000"}"#)] {
        let quote = rig.quote(&with(request, THREE)).unwrap();
        let build = rig.build(&quote, options).unwrap();
        for name in ["minReceived", "maxSpent"] {
            let bound = flows::compute(name, &quote, &json("50")).unwrap();
            assert_eq!(bound, format!("\"{}\"", text(&build, name)), "{name}");
        }
    }
}

#[test]
fn a_route_that_is_not_for_one_slice_is_refused() {
    for (request, place) in [(SELL, "origin.input"), (BUY, "destination.output")] {
        for amount in ["100000000", "33333334", "40000000000000000"] {
            let rig = Rig::default();
            rig.world.service.borrow_mut().quote_lie = Some(Box::new(move |quote| {
                set(quote, &format!("delta.route.{place}.amount"), &format!("\"{amount}\""));
            }));
            let error = rig.quote(&with(request, THREE)).unwrap_err();
            assert_eq!(error.code, ErrorCode::VerifyMismatch);
            let field = if request == SELL { "quote.srcAmount" } else { "quote.destAmount" };
            assert_eq!(error.field.as_deref(), Some(field));
        }
    }
}

#[test]
fn the_approval_is_for_the_total() {
    for (request, options, amount) in
        [(SELL, r#"{"slippageBps":50}"#, "100000000"), (BUY, r#"{"maxSrcAmount":"101000000"}"#, "101000000")]
    {
        let rig = Rig::default();
        rig.world.chain.borrow_mut().node(8453).allowances.clear();
        let build = rig.built_as(&with(request, THREE), options).unwrap();
        assert_eq!(text(&build, "approval.amount"), amount);
        let error = rig.submit(&build).unwrap_err();
        assert_eq!(error.code, ErrorCode::InsufficientAllowance);
        rig.approve(at(&build, "approval"), "{}").unwrap();
        rig.submit(&build).unwrap();
    }
}

#[test]
fn a_deadline_leaves_time_for_every_slice() {
    let rig = Rig::default();
    let quote = rig.quote(&with(SELL, THREE)).unwrap();
    rig.build(&quote, r#"{"slippageBps":50,"deadline":1800001800}"#).unwrap();
    for (option, field, expected) in [
        (r#""deadline":1800001799"#, "options.deadline", "unix seconds after 1800001799"),
        (r#""validForSecs":1799"#, "options.validForSecs", "at least 1800"),
    ] {
        let error = rig.build(&quote, &format!(r#"{{"slippageBps":50,{option}}}"#)).unwrap_err();
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some(field)));
        assert_eq!(error.expected.as_deref(), Some(expected));
    }
}

#[test]
fn slices_and_intervals_have_their_bounds() {
    for (slices, field) in [
        (r#""numSlices":1,"intervalSecs":60"#, "request.numSlices"),
        (r#""numSlices":2,"intervalSecs":59"#, "request.intervalSecs"),
        (r#""numSlices":2"#, "request.intervalSecs"),
        (r#""intervalSecs":60"#, "request.numSlices"),
        (r#""numSlices":4294967296,"intervalSecs":60"#, "request.numSlices"),
        (r#""numSlices":100000001,"intervalSecs":60"#, "request.amount"),
        (r#""numSlices":2.5,"intervalSecs":60"#, "request.numSlices"),
    ] {
        let rig = Rig::default();
        let error = rig.quote(&with(SELL, slices)).expect_err(slices);
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some(field)), "{slices}");
        assert!(rig.world.sent("quote").is_empty());
    }
    Rig::default().quote(&with(SELL, r#""numSlices":2,"intervalSecs":60"#)).unwrap();
}

#[test]
fn slices_are_gasless_and_have_their_own_options() {
    for mode in ["MARKET", "ALL"] {
        let error = Rig::default().quote(&with(SELL, &format!(r#"{THREE},"mode":"{mode}""#))).unwrap_err();
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("request.mode")));
        assert_eq!(error.expected.as_deref(), Some("DELTA: only gasless orders come in slices"));
    }
    let rig = Rig::default();
    for (request, options, field) in [
        (BUY, "{}", "options.maxSrcAmount"),
        (BUY, r#"{"slippageBps":50}"#, "options.maxSrcAmount"),
        (BUY, r#"{"maxSrcAmount":"101000000","limitAmount":"1"}"#, "options.limitAmount"),
        (BUY, r#"{"maxSrcAmount":"101000000","slippageBps":50}"#, "options.slippageBps"),
        (SELL, r#"{"slippageBps":50,"maxSrcAmount":"1"}"#, "options.maxSrcAmount"),
        (SELL, &format!(r#"{{"slippageBps":50,"permit":{PERMIT}}}"#), "options.permit"),
        (SELL, r#"{"slippageBps":50,"type":"LIMIT","partiallyFillable":true}"#, "options.partiallyFillable"),
        (SELL, r#"{}"#, "options.slippageBps"),
    ] {
        let error = rig.built_as(&with(request, THREE), options).expect_err(options);
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some(field)), "{options}");
        if field == "options.maxSrcAmount" {
            let expected = error.expected.as_deref().unwrap();
            assert_eq!(expected.ends_with("as the user says it"), request == BUY, "{expected}");
        }
    }
    let rig = Rig::default();
    for (options, expected) in [
        (r#"{"slippageBps":50,"validForSecs":86401}"#, "an integer from 1 to 86400; longer: deadline"),
        (r#"{"limitPrice":1.01}"#, r#"a decimal above 0 as text, e.g. "1.01""#),
    ] {
        assert_eq!(rig.built_as(SELL, options).unwrap_err().expected.as_deref(), Some(expected));
    }
    assert_eq!(
        rig.call("info.tokens", &json("{}"), "{}").unwrap_err().expected.as_deref(),
        Some(r#"a chain id above 0, or "all""#)
    );
}

#[test]
fn a_limit_price_is_that_of_each_slice() {
    let rig = Rig::default();
    let build = rig.built_as(&with(SELL, THREE), r#"{"limitPrice":"0.0004"}"#).unwrap();
    assert_eq!(text(&build, "typedData.message.destAmountPerSlice"), "13333333200000000");
    assert_eq!(at(&build, "type"), &Json::String("LIMIT".into()));
}

#[test]
fn a_schedule_is_plain_data() {
    let plan = json(r#"{"numSlices":2,"intervalSecs":60,"total":"5"}"#);
    let schedule = flows::compute("twapSchedule", &plan, &json("1000")).unwrap();
    assert_eq!(schedule, r#"[{"index":0,"notBefore":1000,"amount":"2"},{"index":1,"notBefore":1060,"amount":"3"}]"#);
}
