//! From one chain to another, by one signature.

use super::fake_host::{BETWEEN, BRIDGED, BUY, DEST, Place, Rig, SELL, at, json, raw, set, text, verdicts, with};
use alloy_primitives::U256;
use verified_swap_trade::flows;
use verify::internal::error::ErrorCode;
use verify::internal::json::{Json, items};

fn bridge(request: &str) -> String {
    with(request, r#""destChainId":10"#)
}

const OPTIONS: &str = r#"{"slippageBps":50}"#;

#[test]
fn a_sale_arrives_on_the_other_chain() {
    let rig = Rig::default();
    let quote = rig.quote(&bridge(SELL)).unwrap();
    assert!(rig.world.sent("quote")[0].url.ends_with("&partner=anon&destChainId=10"));
    assert_eq!(text(&quote, "destAmount"), "40000000000000000");
    assert_eq!(text(&quote, "request.destChainId"), "10");
    assert_eq!(at(&quote, "bridge"), &json(r#"{"protocol":"Fast","estimatedTimeMs":12000,"tags":["recommended"]}"#));
    assert_eq!(
        text(&quote, "report.sentence"),
        "About 100 USDX (0x111111111111...111111111111) on Base for 0.04 WETX (0x222222222222...222222222222) on Optimism"
    );
    assert_eq!(text(&quote, "arrival"), "guaranteed");
    assert_eq!(text(&quote, "bridgeInput.amount"), "40000000000000000000000");
    let build = rig.build(&quote, OPTIONS).unwrap();
    // On the source chain: of what enters the bridge, in its own units.
    assert_eq!(text(&build, "typedData.message.destToken").to_ascii_lowercase(), BRIDGED);
    assert_eq!(text(&build, "minDestAmount"), "39800000000000000000000");
    assert_eq!(text(&build, "minReceived"), "39796020000000000000000");
    let destination = format!(
        r#"{{"chainId":10,"token":"{DEST}","decimals":18,"minReceived":"39796020000000000","arrival":"guaranteed","expected":"39996000000000000","bridgeInput":{{"token":"{BRIDGED}","decimals":24,"least":"39796020000000000000000"}}}}"#
    );
    assert_eq!(at(&build, "destination"), &json(&destination));
    let expected = "Sell 100 USDX (0x111111111111...111111111111) on Base for at least 0.03979602 WETX (0x222222222222...222222222222) on Optimism, if the bridge delivers, to 0x4a62316623ad457F02cDC5D997deD67a383EC569; expires 2027-01-15 08:20 UTC; fee 0.01 % included";
    assert_eq!(text(&build, "report.sentence"), expected);
    assert_eq!(verdicts(&build, "order.bridge.protocolSelector"), ["ok", "ok", "opaque"]);
    assert_eq!(verdicts(&build, "order.bridge.protocolData"), ["ok", "opaque"]);
    assert_eq!(verdicts(&build, "order.bridge.scalingFactor"), ["ok", "ok"]);
    rig.submit(&build).unwrap();
    assert!(rig.world.posts()[0].contains(r#""chainId":8453"#));
}

/// Data that means something to the bridge alone may name another receiver. Without any, it delivers to the beneficiary.
#[test]
fn the_receiver_is_named_only_where_the_bridge_is_given_no_data() {
    let promised = with(SELL, r#""destChainId":10,"advanced":{"bridgeTokens":[]}"#);
    let slices = with(&bridge(SELL), r#""numSlices":4,"intervalSecs":600"#);
    for request in [bridge(SELL), bridge(BUY), promised, slices] {
        for (data, is_bound) in [("0x", true), ("0x00", false), ("0xBEEF", false)] {
            let rig = Rig::default();
            rig.world.service.borrow_mut().quote_lie = Some(Box::new(move |quote| {
                set(quote, "delta.route.bridge.contractParams.protocolData", &format!("\"{data}\""));
            }));
            let options = r#"{"slippageBps":50,"acceptUnguaranteedArrival":true}"#;
            let build = rig.built_as(&request, options).unwrap();
            let sentence = text(&build, "report.sentence");
            let unread = " over a bridge whose data was not read; the order does not bind who receives; expires ";
            assert_eq!(sentence.contains(&format!(" to {}; expires ", rig.owner())), is_bound, "{sentence}");
            assert_eq!(sentence.contains(unread), !is_bound, "{sentence}");
            assert_eq!(sentence.contains(", if delivered,"), !is_bound && !request.contains("[]"), "{sentence}");
        }
    }
}

#[test]
fn a_purchase_is_of_what_arrives() {
    let rig = Rig::default();
    let build = rig.built_as(&bridge(BUY), OPTIONS).unwrap();
    assert_eq!(text(&build, "minDestAmount"), "40000000000000000000000");
    assert_eq!(text(&build, "destination.minReceived"), "39996000000000000");
    assert_eq!(text(&build, "maxSpent"), "100500000");
    assert!(text(&build, "report.sentence").starts_with(
        "Buy at least 0.039996 WETX (0x222222222222...222222222222) on Optimism, if the bridge delivers, for at most 100.5 USDX (0x111111111111...111111111111) on Base to 0x4a62316623ad457F02cDC5D997deD67a383EC569; expires"
    ));
    rig.submit(&build).unwrap();
}

#[test]
fn another_route_is_sent_to_the_byte_and_is_what_counts() {
    let rig = Rig::default();
    let quote = rig.quote(&bridge(SELL)).unwrap();
    assert_eq!(text(&quote, "alternatives.0.destAmount"), "39600000000000000");
    assert_eq!(text(&quote, "alternatives.0.bridge.protocol"), "Slow");
    let build = rig.build(&quote, r#"{"slippageBps":0,"advanced":{"route":0}}"#).unwrap();
    let answer = rig.world.said("quote");
    let other = items(raw(raw(&answer, "delta"), "alternatives")).unwrap()[0];
    assert!(other.contains(r#"Caf\u00e9","10":"ten","2":1.0"#));
    let body = rig.world.sent("build")[0].body.clone().unwrap();
    assert_eq!(raw(&body, "route"), other);
    assert_eq!(text(&build, "minDestAmount"), "39600000000000000000000");
    assert_eq!(text(&build, "typedData.message.bridge.protocolSelector"), "0x99999999");
    rig.submit(&build).unwrap();
    for (index, rig) in [("1", Rig::default()), ("255", Rig::default())] {
        let quote = rig.quote(&bridge(SELL)).unwrap();
        let error = rig.build(&quote, &format!(r#"{{"slippageBps":0,"advanced":{{"route":{index}}}}}"#)).unwrap_err();
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("options.advanced.route")));
    }
}

#[test]
fn another_route_is_held_against_the_request_too() {
    for (place, value, field) in [
        ("destination.output.token.chainId", "11", "quote.destChain"),
        ("destination.output.amountUSD", r#""1.00""#, "quote.loss"),
        ("origin.input.amount", r#""100000001""#, "quote.srcAmount"),
    ] {
        let rig = Rig::default();
        rig.world.service.borrow_mut().quote_lie =
            Some(Box::new(move |quote| set(quote, &format!("delta.alternatives.0.{place}"), value)));
        let quote = rig.quote(&bridge(SELL)).unwrap();
        let error = rig.build(&quote, r#"{"slippageBps":0,"advanced":{"route":0}}"#).unwrap_err();
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::VerifyMismatch, Some(field)));
        rig.build(&quote, r#"{"slippageBps":0}"#).unwrap();
    }
}

#[test]
fn every_part_of_a_crosschain_quote_has_a_check_of_its_own() {
    let other = r#""0x00000000000000000000000000000000000bad00""#;
    for (path, value, field) in [
        ("inputToken.chainId", "10", "quote.inputToken"),
        ("outputToken.chainId", "8453", "quote.outputToken"),
        ("outputToken.address", other, "quote.outputToken"),
        ("route.origin.input.token.chainId", "10", "quote.srcChain"),
        ("route.origin.output.token.chainId", "10", "quote.origin.output.chain"),
        ("route.destination.output.token.chainId", "8453", "quote.destChain"),
        ("route.destination.output.token.address", other, "quote.destToken"),
        ("route.origin.input.amount", r#""99""#, "quote.srcAmount"),
        ("spender", other, "quote.spender"),
    ] {
        let rig = Rig::default();
        rig.world.service.borrow_mut().quote_lie =
            Some(Box::new(move |quote| set(quote, &format!("delta.{path}"), value)));
        let error = rig.quote(&bridge(SELL)).expect_err(path);
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::VerifyMismatch, Some(field)), "{path}");
    }
}

#[test]
fn without_a_bridge_block_the_scaling_is_the_difference_of_decimals() {
    // 24 decimals become 18: any other power is no price, whatever was quoted.
    for (factor, passes) in [("-7", false), ("-6", true), ("-5", false), ("-128", false)] {
        for block in ["null", r#"{"protocol":"Fast"}"#] {
            let rig = Rig::default();
            rig.world.service.borrow_mut().quote_lie =
                Some(Box::new(move |quote| set(quote, "delta.route.bridge", block)));
            rig.world.service.borrow_mut().build_lie =
                Some(Box::new(move |build| set(build, "toSign.value.bridge.scalingFactor", factor)));
            if block == "null" {
                let error = rig.built_as(&bridge(SELL), OPTIONS).map(|_| ()).map_err(|error| error.field.clone());
                let refused = Err(Some("order.bridge.scalingFactor".into()));
                assert_eq!(error, if passes { Ok(()) } else { refused }, "{factor}");
            } else {
                assert_eq!(rig.built_as(&bridge(SELL), OPTIONS).is_ok(), passes, "{factor}");
            }
        }
    }
}

#[test]
fn the_callers_floor_is_in_units_of_what_arrives() {
    let rig = Rig::default();
    let quote = rig.quote(&bridge(SELL)).unwrap();
    let bound = flows::compute("minReceived", &quote, &json("50")).unwrap();
    assert_eq!(bound, r#""39796020000000000""#);
    let with = |least: &str| rig.build(&quote, &format!(r#"{{"slippageBps":50,"minReceived":"{least}"}}"#));
    with("39796020000000000").unwrap();
    let error = with("39796020000000001").unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::VerifyMismatch, Some("order.minReceived")));
}

#[test]
fn bridge_fees_are_not_guaranteed_and_coarse_units_break_no_bound() {
    for (coarse, keeps_percent) in [(false, 0), (true, 0), (false, 3), (true, 3)] {
        let rig = Rig::default();
        let mut service = rig.world.service.borrow_mut();
        (service.bridge.coarse, service.bridge.keeps_percent) = (coarse, keeps_percent);
        drop(service);
        let decimals = if coarse { 6 } else { 24 };
        rig.world.chain.borrow_mut().node(8453).decimals.insert(BRIDGED.parse().unwrap(), decimals);
        // An amount that no rounding leaves alone.
        let quote = rig.quote(&bridge(SELL).replace("100000000", "100000007")).unwrap();
        let build = rig.build(&quote, OPTIONS).unwrap();
        let arrives = text(&build, "destination.minReceived").to_owned();
        // 0.5 % and 1 bp less than what was quoted, within a raw unit of what enters the bridge; never what it keeps.
        let quoted = U256::from(40_000_002_800_000_000_u64);
        let exact = quoted * U256::from(9950 * 9999) / U256::from(100_000_000);
        let found: U256 = arrives.parse().unwrap();
        let unit = U256::from(if coarse { 2_000_000_000_000_u64 } else { 1 });
        assert!(found <= exact + unit && found + unit >= exact, "{found} {exact}");
        let bound = flows::compute("minReceived", &quote, &json("50")).unwrap();
        let again = rig.build(&quote, &format!(r#"{{"slippageBps":50,"minReceived":{bound}}}"#)).unwrap();
        rig.submit(&again).unwrap();
        let more: U256 = bound.trim_matches('"').parse::<U256>().unwrap() + unit + unit;
        let error = rig.build(&quote, &format!(r#"{{"slippageBps":50,"minReceived":"{more}"}}"#)).unwrap_err();
        assert_eq!(error.field.as_deref(), Some("order.minReceived"));
    }
}

#[test]
fn the_decimals_of_what_arrives_are_read_where_it_arrives() {
    let rig = Rig::with(|shared, _| shared.settings.rpc.push((10, Place::Node(10))));
    let quote = rig.quote(&bridge(SELL)).unwrap();
    // On the source chain there is no such token.
    let dest = DEST.parse().unwrap();
    rig.world.chain.borrow_mut().node(8453).decimals.remove(&dest);
    rig.submit(&rig.build(&quote, OPTIONS).unwrap()).unwrap();
    rig.world.chain.borrow_mut().node(10).decimals.insert(dest, 6);
    rig.client.shared.nodes.questions.forget(|_, _| true);
    let error = rig.build(&quote, OPTIONS).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("request.destDecimals")));
}

#[test]
fn the_same_token_on_two_chains_is_a_trade_and_one_chain_is_no_crossing() {
    let src = at(&json(SELL), "srcToken").write();
    let same = SELL.replace(&format!("\"{DEST}\""), &src).replace(r#""destDecimals":18"#, r#""destDecimals":6"#);
    Rig::default().quote(&bridge(&same)).unwrap();
    assert_eq!(Rig::default().quote(&same).unwrap_err().field.as_deref(), Some("request.destToken"));
    let rig = Rig::default();
    let quote = rig.quote(&with(SELL, r#""destChainId":8453"#)).unwrap();
    assert!(!rig.world.sent("quote")[0].url.contains("destChainId"));
    assert_eq!((at(&quote, "bridge"), quote.get("destination")), (&Json::Null, None));
}

#[test]
fn orders_that_cannot_cross_chains_are_refused() {
    let market = with(&bridge(SELL), r#""mode":"MARKET""#);
    assert_eq!(Rig::default().quote(&market).unwrap_err().field.as_deref(), Some("request.destChainId"));
    let slices = with(&bridge(BUY), r#""numSlices":2,"intervalSecs":60"#);
    assert_eq!(Rig::default().quote(&slices).unwrap_err().field.as_deref(), Some("request.destChainId"));
    for (options, field) in [
        (r#"{"limitPrice":"0.0004"}"#, "options.limitPrice"),
        (
            r#"{"slippageBps":50,"advanced":{"external":{"handler":"0x5555555555555555555555555555555555555555","data":"0x"}}}"#,
            "options.advanced.external",
        ),
    ] {
        let error = Rig::default().built_as(&bridge(SELL), options).unwrap_err();
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some(field)));
    }
}

#[test]
fn the_native_token_of_the_other_chain_is_written_either_way() {
    let native = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE";
    let pair = format!(r#"[{{"from":{{"chainId":8453,"token":"{BRIDGED}"}},"to":{{"chainId":10,"token":"native"}}}}]"#);
    let request = bridge(&SELL.replace(DEST, native))
        .replace(r#""destChainId""#, &format!(r#""advanced":{{"bridgeTokens":{pair}}},"destChainId""#));
    for (token, passes) in [(native, true), ("0x0000000000000000000000000000000000000000", true), (BETWEEN, false)] {
        let rig = Rig::default();
        rig.world.service.borrow_mut().quote_lie = Some(Box::new(move |quote| {
            set(quote, "delta.route.bridge.contractParams.outputToken", &format!("\"{token}\""));
        }));
        rig.world.service.borrow_mut().build_lie = Some(Box::new(move |build| {
            set(build, "toSign.value.bridge.outputToken", &format!("\"{token}\""));
        }));
        let outcome = rig.built_as(&request, OPTIONS).map(|_| ()).map_err(|error| error.field.clone());
        let refused = Err(Some("order.bridge.outputToken".into()));
        assert_eq!(outcome, if passes { Ok(()) } else { refused }, "{token}");
    }
}

#[test]
fn two_destinations_are_two_trades() {
    let rig = Rig::default();
    let here = rig.built_as(SELL, OPTIONS).unwrap();
    let there = rig.built_as(&bridge(SELL), OPTIONS).unwrap();
    let nonce = |build: &Json| text(build, "nonce").parse::<U256>().unwrap();
    assert_ne!(nonce(&here), nonce(&there));
}

#[test]
fn every_parameter_of_a_delta_price_arrives() {
    let options = r#""advanced":{"delta":{"includeAgents":["a","b"],"excludeAgents":["c"],"includeBridges":["Fast"],"excludeBridges":["Slow","Odd"],"allowBridgeAndSwap":false,"degenMode":true},"maxImpactPercent":"2.5","maxUsdImpact":"100"}"#;
    let rig = Rig::default();
    let request = with(&bridge(SELL), options);
    let quote = rig.quote(&request).unwrap();
    let url = &rig.world.sent("deltaPrices")[0].url;
    let (path, query) = url.split_once('?').unwrap();
    assert_eq!(path, "https://service.test/v2/delta/prices");
    assert!(
        query.ends_with(
            "&side=SELL&partner=anon&maxImpact=2.5&maxUSDImpact=100&destChainId=10&includeAgents=a,b&excludeAgents=c&includeBridges=Fast&excludeBridges=Slow,Odd&allowBridgeAndSwap=false&degenMode=true"
        ),
        "{query}"
    );
    assert!(!query.contains("mode=D"), "{query}");
    let build = rig.build(&quote, OPTIONS).unwrap();
    rig.submit(&build).unwrap();
    let posted = &rig.world.sent("post")[0];
    assert_eq!(posted.url, "https://service.test/v2/delta/orders?degenMode=true");
    assert!(posted.body.as_ref().unwrap().ends_with(r#""includeAgents":["a","b"],"excludeAgents":["c"]}"#));
}

#[test]
fn parameters_of_a_delta_price_have_their_form() {
    for (options, field) in [
        (r#"{"includeAgents":"a"}"#, "request.advanced.delta.includeAgents"),
        (r#"{"includeAgents":["a,b"]}"#, "request.advanced.delta.includeAgents.0"),
        (r#"{"includeAgents":[""]}"#, "request.advanced.delta.includeAgents.0"),
        (r#"{"allowBridgeAndSwap":"true"}"#, "request.advanced.delta.allowBridgeAndSwap"),
        (r#"{"agents":[]}"#, "request.advanced.delta.agents"),
    ] {
        let rig = Rig::default();
        let request = with(SELL, &format!(r#""advanced":{{"delta":{options}}}"#));
        let error = rig.quote(&request).expect_err(options);
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some(field)), "{options}");
    }
    let rig = Rig::default();
    let request = with(SELL, r#""mode":"ALL","advanced":{"delta":{}}"#);
    assert_eq!(rig.quote(&request).unwrap_err().field.as_deref(), Some("request.advanced.delta"));
}
