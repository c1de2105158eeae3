//! Mistakes of an app's author: each is named with its field and what was expected, before anything is asked of the service
//! or the wallet, or with what the service's refusal does not say.

use super::fake_host::{BUY, Rig, SELL, at, json, text, with};
use super::market::{allowed, market};
use super::otc::OFFER;
use verified_swap_trade::flows::compute;
use verify::internal::error::{Error, ErrorCode};
use verify::internal::json::Json;

#[track_caller]
fn assert_named(error: &Error, field: &str, expected: &str, actual: &str) {
    let found = (error.code, error.field.as_deref(), error.expected.as_deref(), error.actual.as_deref());
    assert_eq!(found, (ErrorCode::InvalidInput, Some(field), Some(expected), Some(actual)));
}

/// Each word of a list, in another letter case than the types have it.
#[test]
fn a_word_is_read_as_it_is_spelt_and_not_otherwise() {
    let rig = allowed(0);
    let quote = rig.quote(SELL).unwrap();
    let build = rig.build(&quote, r#"{"slippageBps":50}"#).unwrap();
    let approval = at(&rig.built(&market(SELL)).unwrap(), "approval").clone();
    let asked = rig.world.requests.borrow().len();
    let (request, filter) = (|member: &str| json(&with(SELL, member)), |text: &str| json(text));
    let terms = r#"{"slippageBps":50}"#;
    for (call, data, options, field, actual) in [
        ("quote", request(r#""side":"sell""#), "{}", "request.side", "sell"),
        ("quote", request(r#""side":"Buy""#), "{}", "request.side", "Buy"),
        ("quote", request(r#""mode":"delta""#), "{}", "request.mode", "delta"),
        ("build", quote.clone(), &*with(terms, r#""type":"limit""#), "options.type", "limit"),
        ("build", quote.clone(), &*with(terms, r#""existing":"keepboth""#), "options.existing", "keepboth"),
        ("submit", build, r#"{"existing":"Replace"}"#, "options.existing", "Replace"),
        ("approve", approval.clone(), r#"{"until":"Sent"}"#, "options.until", "Sent"),
        ("approve", approval, r#"{"batch":"Never"}"#, "options.batch", "Never"),
        ("signPermit", quote, r#"{"kind":"EIP2612"}"#, "options.kind", "EIP2612"),
        ("orders", filter(r#"{"type":"market"}"#), "{}", "filter.type", "market"),
        ("otc.orders", filter(r#"{"chainId":8453,"type":"p2p"}"#), "{}", "filter.type", "p2p"),
        ("otc.orders", filter(r#"{"chainId":8453,"orderBy":"createdat"}"#), "{}", "filter.orderBy", "createdat"),
    ] {
        let error = rig.call(call, &data, options).unwrap_err();
        let found = (error.code, error.field.as_deref(), error.actual.clone());
        assert_eq!(found, (ErrorCode::InvalidInput, Some(field), Some(format!("\"{actual}\""))), "{call} {error:?}");
    }
    assert_eq!(rig.world.requests.borrow().len(), asked);
    rig.world.assert_untouched();
    // A service that writes it small is understood: it is documented in capitals alone.
    rig.world.service.borrow_mut().quote_lie =
        Some(Box::new(|quote| super::fake_host::set(quote, "delta.side", r#""sell""#)));
    rig.quote(SELL).unwrap();
}

#[test]
fn a_name_of_another_library_gets_the_options_own() {
    let rig = Rig::default();
    let quote = rig.quote(SELL).unwrap();
    let asked = rig.world.requests.borrow().len();
    for (call, name, own) in [
        ("quote", "fromToken", "srcToken"),
        ("quote", "tokenOut", "destToken"),
        ("quote", "sellAmount", "amount"),
        ("quote", "network", "chainId"),
        ("quote", "toChainId", "destChainId"),
        ("quote", "recipient", "beneficiary"),
        ("quote", "userAddress", "account"),
        ("build", "slippage", "slippageBps"),
        ("build", "SlippageTolerance", "slippageBps"),
        ("build", "ttl", "validForSecs"),
        ("build", "minAmountOut", "minReceived"),
    ] {
        let member = format!(r#""{name}":"1""#);
        let (place, error) = match call {
            "quote" => ("request", rig.quote(&with(SELL, &member)).unwrap_err()),
            _ => ("options", rig.build(&quote, &format!("{{{member}}}")).unwrap_err()),
        };
        let expected = format!("a known option (did you mean {own}?)");
        assert_named(&error, &format!("{place}.{name}"), &expected, r#""1""#);
    }
    // Here no option is called so: there is nothing to mean.
    for (call, argument) in [("quote", SELL), ("otc.build", OFFER)] {
        let error = rig.call(call, &json(&with(argument, r#""ttl":60"#)), "{}").unwrap_err();
        assert_eq!(error.expected.as_deref(), Some("a known option"), "{call}");
    }
    assert_eq!(rig.world.requests.borrow().len(), asked);
}

#[test]
fn a_slippage_in_percent_is_refused_with_the_unit() {
    let rig = Rig::default();
    let expected = "basis points from 0 to 10000 (50 is 0.5 %)";
    for request in [SELL.into(), market(SELL)] {
        let quote = rig.quote(&request).unwrap();
        for (stated, actual) in [("0.5", "0.5"), ("\"0.5%\"", "\"0.5%\""), ("10001", "10001"), ("-1", "-1")] {
            let error = rig.build(&quote, &format!(r#"{{"slippageBps":{stated}}}"#)).unwrap_err();
            assert_named(&error, "options.slippageBps", expected, actual);
        }
        assert_named(&rig.build(&quote, "{}").unwrap_err(), "options.slippageBps", expected, "nothing");
    }
}

#[test]
fn an_amount_with_a_comma_is_told_with_the_point() {
    let parse = |text: &str| compute("parseUnits", &Json::String(text.into()), &json("6"));
    for (text, expected) in [
        ("1,5", "a point, no comma: 1.5"),
        (",5", "a point, no comma: .5"),
        ("1000,25", "a point, no comma: 1000.25"),
        // A thousand, or one and a half? Nothing is proposed.
        ("1,500", "digits with at most one point (no comma, sign, exponent or blank)"),
        ("1,500.5", "digits with at most one point (no comma, sign, exponent or blank)"),
        ("1,2,3", "digits with at most one point (no comma, sign, exponent or blank)"),
        ("1,0000001", "digits with at most one point (no comma, sign, exponent or blank)"),
        ("1e3", "digits with at most one point (no comma, sign, exponent or blank)"),
        ("0.0000001", "no more fraction digits than the token has decimals"),
    ] {
        assert_named(&parse(text).unwrap_err(), "text", expected, &format!("\"{text}\""));
    }
    assert_eq!(parse("1.5").unwrap(), r#""1500000""#);
}

/// 100 raw units in place of 100 whole ones: the refusal shows how little that is.
#[test]
fn an_amount_that_the_service_refuses_is_told_in_whole_units() {
    let small = |request: &str, amount: &str| request.replace("100000000", amount).replace("40000000000000000", amount);
    let sliced = with(&small(SELL, "300"), r#""numSlices":3,"intervalSecs":60"#);
    let usdx = "USDX (0x111111111111...111111111111)";
    for (endpoint, request, raw, whole) in [
        ("quote", small(SELL, "100"), "100", format!("0.0001 {usdx}")),
        ("quote", small(BUY, "100"), "100", "0.0000000000000001 WETX (0x222222222222...222222222222)".into()),
        // The price of one slice is what is asked for.
        ("quote", sliced, "100", format!("0.0001 {usdx}")),
        ("prices", with(&market(&small(SELL, "7")), r#""advanced":{"market":{}}"#), "7", format!("0.000007 {usdx}")),
        ("swap", market(&small(SELL, "7")), "7", format!("0.000007 {usdx}")),
    ] {
        for (status, body) in [
            (400, r#"{"errorType":"GasCostExceedsTradeAmount","details":"too dear"}"#),
            (200, r#"{"fallbackReason":{"errorType":"GasCostExceedsTradeAmount","details":"too dear"}}"#),
        ] {
            if endpoint == "swap" && status == 200 {
                continue;
            }
            let rig = allowed(0);
            rig.world.service.borrow_mut().always_is(endpoint, status, body);
            let outcome = match endpoint {
                "swap" => rig.call("build", &json(&request), r#"{"slippageBps":50,"minReceived":"1"}"#),
                _ => rig.quote(&request),
            };
            let error = outcome.unwrap_err();
            let shown = json(&error.write());
            let told = ["code", "action", "field", "actual"].map(|name| text(&shown, name).to_owned());
            let actual = format!("{raw} raw units: {whole}");
            let expected = ["NO_ROUTE", "changeAmount", "request.amount", &*actual].map(String::from);
            assert_eq!(told, expected, "{endpoint} {status}");
            assert!(error.message.ends_with(&format!("; asked for {actual}")), "{}", error.message);
        }
    }
    // Another price may come for the same amount.
    for words in ["NoRoute", "Bad USD price"] {
        let rig = Rig::default();
        rig.world.service.borrow_mut().always_is("quote", 400, format!(r#"{{"errorType":"{words}"}}"#));
        let shown = json(&rig.quote(SELL).unwrap_err().write());
        assert_eq!((text(&shown, "code"), text(&shown, "action")), ("NO_ROUTE", "requote"));
        assert!(shown.get("actual").is_none());
    }
}

#[test]
fn a_page_in_place_of_the_services_answer_asks_for_the_base_url() {
    let page = "<!doctype html><title>Not found</title>";
    for (status, body, is_elsewhere) in [
        (404, page, true),
        (404, "\n <html>", true),
        (404, "Cannot GET /v2/quote", true),
        (200, page, true),
        // The refusal is the service's own, or its server fails.
        (404, r#"{"errorType":"NotFound","details":"no such path"}"#, false),
        (404, "", false),
        (200, r#"{"delta":"#, false),
        (403, page, false),
        (502, page, false),
    ] {
        let rig = Rig::default();
        rig.world.service.borrow_mut().always_is("quote", status, body);
        let error = rig.quote(SELL).unwrap_err();
        let asked = error.message.ends_with("; is baseUrl right? https://service.test");
        let found = (error.field.as_deref(), error.actual.as_deref());
        let expected = if is_elsewhere { (Some("baseUrl"), Some("https://service.test")) } else { (None, None) };
        assert_eq!((asked, found), (is_elsewhere, expected), "{status} {body}: {error:?}");
    }
}

#[test]
fn a_wallet_that_offers_no_account_is_locked_or_not_connected() {
    let locked = "none: the wallet is locked, or not connected to this page";
    let expected = "an account (here, of createClient, or of a connected wallet)";
    let rig = Rig::default();
    rig.world.signer.borrow_mut().accounts = vec![];
    let quote = rig.quote(SELL).unwrap();
    let asked = rig.world.sent("build").len();
    assert_named(&rig.build(&quote, r#"{"slippageBps":50}"#).unwrap_err(), "options.account", expected, locked);
    assert_eq!(rig.world.sent("build").len(), asked);
    let query = json(r#"{"chainId":8453,"token":"native"}"#);
    assert_named(&rig.call("info.balance", &query, "{}").unwrap_err(), "query.account", expected, locked);
    let none = Rig::with(|_, bound| bound.wallet = None);
    assert_named(&none.call("info.balance", &query, "{}").unwrap_err(), "query.account", expected, "nothing");
    rig.world.assert_untouched();
}

/// Up to 5 % there is no question; beyond, one that the user answers.
#[test]
fn a_slippage_above_5_percent_is_a_question() {
    let sold = "The accepted slippage is high: up to 5.01 % less than quoted may arrive.";
    let bought = "The accepted slippage is high: up to 5.01 % more than quoted may be paid.";
    for (request, asked) in [(SELL.into(), sold), (BUY.into(), bought), (market(SELL), sold), (market(BUY), bought)] {
        for bps in [500, 501] {
            let rig = allowed(0);
            rig.world.service.borrow_mut().market.method = request.contains("BUY").into();
            let build = rig.built_as(&request, &format!(r#"{{"slippageBps":{bps}}}"#)).unwrap();
            let Json::Array(questions) = at(&build, "report.questions") else { panic!() };
            let told: Vec<_> =
                questions.iter().map(|one| ["reason", "field", "text"].map(|name| text(one, name))).collect();
            let expected = [["slippageHigh", "options.slippageBps", asked]];
            assert_eq!(told, expected[..usize::from(bps > 500)], "{request}");
            if bps == 500 {
                continue;
            }
            let id = text(&build, "report.questions.0.id");
            let accept = format!(r#"{{"accept":["{id}"]}}"#);
            let approval = at(&build, "approval");
            for prompt in [("submit", &build), ("approve", approval)] {
                if *prompt.1 == Json::Null {
                    continue;
                }
                let error = rig.call(prompt.0, prompt.1, "{}").unwrap_err();
                assert_eq!((error.code, error.expected.as_deref()), (ErrorCode::PriceUnjudged, Some(id)), "{request}");
            }
            rig.world.assert_untouched();
            if *approval != Json::Null {
                rig.approve(approval, &accept).unwrap();
            }
            rig.submit_with(&build, &accept).unwrap();
        }
    }
    // A limit is the bound itself.
    let limited = Rig::default().built_as(SELL, r#"{"limitAmount":"41000000000000000"}"#).unwrap();
    assert_eq!(at(&limited, "report.questions"), &Json::Array(vec![]));
}
