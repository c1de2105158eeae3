//! Orders that rest until their price is reached.

use super::fake_host::{BUY, Rig, SELL, at, json, set, text, with};
use verify::internal::error::ErrorCode;
use verify::internal::json::Json;

/// A permit in form; whether it is one that was signed here is another matter.
pub const PERMIT: &str = r#"{"kind":"permit2Existing","chainId":8453,"token":"0x1111111111111111111111111111111111111111","owner":"0x4a62316623ad457F02cDC5D997deD67a383EC569","spender":"0x0000000000bbF5c5Fd284e657F01Bd000933C96D","amount":"100000000","deadline":1900000000,"nonce":null,"bytes":"0x01","sealed":"none"}"#;

#[track_caller]
fn refused_at(request: &str, options: &str, field: &str) {
    let rig = Rig::default();
    let error = rig.built_as(request, options).expect_err(options);
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some(field)), "{options}: {error:?}");
    assert!(rig.world.sent("build").is_empty(), "{options}");
    rig.world.assert_untouched();
}

#[test]
fn a_limit_goes_in_place_of_slippage_and_is_the_amount_signed() {
    for (request, member, limit) in [(SELL, "destAmount", "41000000000000000"), (BUY, "srcAmount", "99000000")] {
        let rig = Rig::default();
        let build = rig.built_as(request, &format!(r#"{{"limitAmount":"{limit}","validForSecs":86400}}"#)).unwrap();
        assert_eq!(text(&build, &format!("typedData.message.{member}")), limit);
        assert_eq!(text(&build, "typedData.message.expectedAmount"), limit);
        assert_eq!(text(&build, "deadline"), "1800086400");
        let body = json(&rig.world.sent("build")[0].body.clone().unwrap());
        assert_eq!(text(&body, "limitAmount"), limit);
        assert_eq!((body.get("slippage"), body.get("type")), (None, None));
        assert!(text(&build, "report.sentence").contains("; rests until its price is reached; expires"));
        rig.submit(&build).unwrap();
        assert!(rig.world.posts()[0].contains(r#""type":"LIMIT","chainId":8453"#));
    }
}

#[test]
fn a_price_becomes_the_amount_it_says() {
    // 100 at 0.00041 is 0.041; 0.04 at 0.0004 is 100.
    for (request, price, member, amount) in [
        (SELL, "0.00041", "destAmount", "41000000000000000"),
        (BUY, "0.0004", "srcAmount", "100000000"),
        // A third: rounded so that less is never accepted, more never paid.
        (SELL, "0.000333333333333333333", "destAmount", "33333333333333334"),
        (SELL, "0.0000000000000000000001", "destAmount", "1"),
        (BUY, "0.0003", "srcAmount", "133333333"),
    ] {
        let rig = Rig::default();
        let build = rig.built_as(request, &format!(r#"{{"limitPrice":"{price}"}}"#)).unwrap();
        assert_eq!(text(&build, &format!("typedData.message.{member}")), amount, "{price}");
        let body = json(&rig.world.sent("build")[0].body.clone().unwrap());
        assert_eq!(text(&body, "limitAmount"), amount);
        assert_eq!(body.get("limitPrice"), None);
    }
}

#[test]
fn the_expected_amount_of_a_limit_order_is_the_limit_or_the_quotes() {
    // The quote says 0.04 for 100: below it for the sale, above it for the purchase, so that either is in order.
    for (request, limit) in [(SELL, "39000000000000000"), (BUY, "101000000")] {
        for quotes in [true, false] {
            let rig = Rig::default();
            rig.world.service.borrow_mut().building.expects_the_quote = quotes;
            let build = rig.built_as(request, &format!(r#"{{"limitAmount":"{limit}"}}"#)).unwrap();
            rig.submit(&build).unwrap();
        }
    }
    // Where the quote is worse than the limit, the difference would be the protocol's to share in.
    for (request, limit) in [(SELL, "41000000000000000"), (BUY, "99000000")] {
        let rig = Rig::default();
        rig.world.service.borrow_mut().building.expects_the_quote = true;
        let error = rig.built_as(request, &format!(r#"{{"limitAmount":"{limit}"}}"#)).unwrap_err();
        assert_eq!(error.field.as_deref(), Some("order.expectedAmount"));
    }
}

#[test]
fn options_that_contradict_a_limit_are_refused() {
    let limit = r#""limitAmount":"41000000000000000""#;
    for (options, field) in [
        (format!(r#"{{{limit},"slippageBps":50}}"#), "options.slippageBps"),
        (format!(r#"{{{limit},"type":"MARKET"}}"#), "options.type"),
        (format!(r#"{{{limit},"limitPrice":"1"}}"#), "options.limitPrice"),
        (format!(r#"{{{limit},"permit":{PERMIT}}}"#), "options.permit"),
        (format!(r#"{{{limit},"maxSrcAmount":"1"}}"#), "options.maxSrcAmount"),
        (
            format!(r#"{{{limit},"advanced":{{"external":{{"handler":"0x5555555555555555555555555555555555555555","data":"0x"}}}}}}"#),
            "options.advanced.external",
        ),
        (r#"{"slippageBps":50,"type":"limit"}"#.into(), "options.type"),
        (r#"{"limitAmount":"0"}"#.into(), "options.limitAmount"),
        (r#"{"limitAmount":41000000000000000}"#.into(), "options.limitAmount"),
        (r#"{"limitPrice":"0"}"#.into(), "options.limitPrice"),
        (r#"{"limitPrice":0.5}"#.into(), "options.limitPrice"),
        (r#"{"limitPrice":"1e-4"}"#.into(), "options.limitPrice"),
        ("{}".into(), "options.slippageBps"),
        (r#"{"type":"LIMIT"}"#.into(), "options.slippageBps"),
        (r#"{"slippageBps":50,"advanced":{"route":0}}"#.into(), "options.advanced.route"),
        (r#"{"slippageBps":50,"advanced":{"metadata":"zz"}}"#.into(), "options.advanced.metadata"),
        (format!(r#"{{"slippageBps":50,"permit":{PERMIT}}}"#), "options.permit.sealed"),
        (format!(r#"{{"slippageBps":50,"advanced":{{"metadata":"0x{}"}}}}"#, "00".repeat(1025)), "options.advanced.metadata"),
        (
            r#"{"slippageBps":50,"advanced":{"external":{"handler":"0x0000000000000000000000000000000000000000","data":"0x"}}}"#
                .into(),
            "options.advanced.external.handler",
        ),
        (
            r#"{"slippageBps":50,"advanced":{"external":{"handler":"0x5555555555555555555555555555555555555555"}}}"#.into(),
            "options.advanced.external.data",
        ),
        (
            r#"{"slippageBps":50,"advanced":{"productive":{"strategy":"0x5555555555555555555555555555555555555555"}}}"#.into(),
            "options.advanced.productive",
        ),
        (r#"{"slippageBps":50,"advanced":{"takeSurplus":1}}"#.into(), "options.advanced.takeSurplus"),
    ] {
        refused_at(SELL, &options, field);
    }
    let paid = with(SELL, r#""partnerFeeBps":10"#);
    refused_at(&paid, r#"{"slippageBps":50,"advanced":{"takeSurplus":true}}"#, "options.advanced.takeSurplus");
}

#[test]
fn an_order_that_is_not_to_rest_may_be_filled_in_parts_too() {
    for request in [SELL, BUY] {
        let rig = Rig::default();
        rig.world.service.borrow_mut().building.fillable = "FillableOrder";
        let build = rig.built_as(request, r#"{"slippageBps":50,"partiallyFillable":true}"#).unwrap();
        assert_eq!((text(&build, "orderKind"), text(&build, "type")), ("FillableOrder", "MARKET"));
        let sentence = text(&build, "report.sentence");
        assert!(sentence.contains("; may be filled in parts; expires") && !sentence.contains("rests"), "{sentence}");
        rig.submit(&build).unwrap();
        assert!(
            rig.world.posts()[0]
                .contains(r#""type":"MARKET","chainId":8453,"partner":"anon","partiallyFillable":true"#)
        );
    }
    let sliced = with(SELL, r#""numSlices":3,"intervalSecs":600"#);
    refused_at(&sliced, r#"{"slippageBps":50,"partiallyFillable":true}"#, "options.partiallyFillable");
    let external = r#"{"slippageBps":50,"partiallyFillable":true,"advanced":{"external":{"handler":"0x5555555555555555555555555555555555555555","data":"0x"}}}"#;
    refused_at(SELL, external, "options.partiallyFillable");
    // One transfer by Permit2 pays once, for all of it.
    let transfer =
        PERMIT.replace("permit2Existing", "permit2Transfer").replace("0x01", &format!("0x{}", "11".repeat(96)));
    refused_at(
        SELL,
        &format!(r#"{{"slippageBps":50,"partiallyFillable":true,"permit":{transfer}}}"#),
        "options.permit",
    );
}

#[test]
fn the_referrer_is_sent_with_the_post_only() {
    const REFERRER: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
    let rig = Rig::default();
    let build =
        rig.built_as(SELL, &format!(r#"{{"slippageBps":50,"advanced":{{"referrerAddress":"{REFERRER}"}}}}"#)).unwrap();
    assert!(!rig.world.sent("build")[0].body.clone().unwrap().contains("referrer"));
    rig.submit(&build).unwrap();
    assert_eq!(text(&json(&rig.world.posts()[0]), "referrerAddress"), REFERRER);
    let plain = Rig::default();
    plain.submit(&plain.built(SELL).unwrap()).unwrap();
    assert!(!plain.world.posts()[0].contains("referrer"));
    for wrong in [r#""shop""#, r#""0x0000000000000000000000000000000000000000""#, "7"] {
        refused_at(
            SELL,
            &format!(r#"{{"slippageBps":50,"advanced":{{"referrerAddress":{wrong}}}}}"#),
            "options.advanced.referrerAddress",
        );
    }
}

#[test]
fn a_limit_order_needs_an_approval_of_what_it_may_spend() {
    for (request, limit, amount) in [(SELL, "41000000000000000", "100000000"), (BUY, "99000000", "99000000")] {
        let rig = Rig::default();
        rig.world.chain.borrow_mut().node(8453).allowances.clear();
        let build = rig.built_as(request, &format!(r#"{{"limitAmount":"{limit}"}}"#)).unwrap();
        assert_eq!(text(&build, "approval.amount"), amount);
        rig.approve(at(&build, "approval"), "{}").unwrap();
        rig.submit(&build).unwrap();
    }
}

#[test]
fn the_callers_bounds_hold_beside_a_limit() {
    let options = |least: &str| format!(r#"{{"limitAmount":"40000000000000000","minReceived":"{least}"}}"#);
    // 1 bp of fee leaves 39996000000000000.
    Rig::default().built_as(SELL, &options("39996000000000000")).unwrap();
    let error = Rig::default().built_as(SELL, &options("39996000000000001")).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::VerifyMismatch, Some("order.minReceived")));
}

#[test]
fn surplus_is_shared_only_as_asked() {
    let flags = |options: &str, partner: &str, flags| {
        let rig = Rig::default();
        rig.world.service.borrow_mut().building.flags = flags;
        let request = with(SELL, &format!(r#""partner":"{partner}""#));
        let outcome = rig.built_as(&request, &format!(r#"{{"slippageBps":50{options}}}"#));
        let body = json(&rig.world.sent("build")[0].body.clone().unwrap());
        (outcome.map_err(|error| error.field.clone().unwrap_or_default()).map(|_| ()), body)
    };
    let (take, cap) = (1 << 8, 1 << 9);
    let refused = |field: &str| Err(format!("order.partnerAndFee.{field}"));
    for (options, partner, set, expected) in [
        ("", "anon", 0, Ok(())),
        ("", "anon", cap, Ok(())),
        ("", "anon", take, refused("takeSurplus")),
        ("", "shop", take | cap, refused("takeSurplus")),
        (r#","advanced":{"takeSurplus":false}"#, "shop", take, refused("takeSurplus")),
        (r#","advanced":{"takeSurplus":false}"#, "shop", cap, Ok(())),
        (r#","advanced":{"takeSurplus":true}"#, "anon", take | cap, Ok(())),
        (r#","advanced":{"takeSurplus":true}"#, "anon", take, refused("capSurplus")),
        (r#","advanced":{"takeSurplus":true,"capSurplus":false}"#, "anon", take, Ok(())),
        (r#","advanced":{"takeSurplus":true}"#, "shop", 0, Ok(())),
        (r#","advanced":{"capSurplus":false}"#, "anon", cap, refused("capSurplus")),
        (r#","advanced":{"capSurplus":false}"#, "anon", 0, Ok(())),
        (r#","advanced":{"capSurplus":true}"#, "anon", cap, Ok(())),
        (r#","advanced":{"takeSurplus":true,"capSurplus":true}"#, "shop", take, refused("capSurplus")),
    ] {
        assert_eq!(flags(options, partner, set).0, expected, "{options} {partner} {set}");
    }
    let (_, body) = flags(r#","advanced":{"takeSurplus":true,"capSurplus":false}"#, "anon", take);
    assert_eq!(at(&body, "partnerTakesSurplus"), &Json::Bool(true));
    assert_eq!(at(&body, "capSurplus"), &Json::Bool(false));
}

#[test]
fn metadata_and_permit_go_into_the_order_to_the_byte() {
    let options = r#"{"slippageBps":50,"advanced":{"metadata":"0xABcd"}}"#;
    let rig = Rig::default();
    let build = rig.built_as(SELL, options).unwrap();
    assert_eq!(text(&build, "typedData.message.metadata"), "0xabcd");
    for lie in [r#""0x""#, r#""0xabce""#, r#""0xabcd00""#] {
        let rig = Rig::default();
        rig.world.service.borrow_mut().build_lie =
            Some(Box::new(move |build| set(build, "toSign.value.metadata", lie)));
        let error = rig.built_as(SELL, options).unwrap_err();
        assert_eq!(error.field.as_deref(), Some("order.metadata"), "{lie}");
    }
}
