//! The contracts that the service refuses, and those that count.

use super::fake_host::{DELTA, Place, Rig, SELL, SRC, answer, at, json, text, with};
use verified_swap_trade::host::{HttpAnswer, HttpFailure};
use verify::internal::domain::chain::Contracts;
use verify::internal::error::ErrorCode;
use verify::internal::json::Json;

#[test]
fn each_refusal_of_the_service_has_its_code() {
    for (status, body, code) in [
        (400, r#"{"errorType":"InvalidInput","details":"bad"}"#, ErrorCode::ServiceRejected),
        (400, r#"{"errorType":"PricingError"}"#, ErrorCode::NoRoute),
        (400, r#"{"errorType":"Validation","details":"No route found"}"#, ErrorCode::NoRoute),
        (400, r#"{"error":"GasCostExceedsTradeAmount"}"#, ErrorCode::NoRoute),
        (400, r#"{"errorType":"UnsupportedToken"}"#, ErrorCode::NoRoute),
        (422, r#"{"errorType":"Unsupported","description":"Token not supported"}"#, ErrorCode::NoRoute),
        (400, r#"{"message":"Token not supported"}"#, ErrorCode::NoRoute),
        (422, r#"{"errorType":"UnsupportedChain"}"#, ErrorCode::UnsupportedChain),
        (400, r#"{"errorType":"StalePriceRoute"}"#, ErrorCode::QuoteExpired),
        (400, r#"{"errorType":"X","details":"Invalid hmac"}"#, ErrorCode::QuoteExpired),
        (400, r#"{"errorType":"InvalidPriceRoute"}"#, ErrorCode::QuoteExpired),
        (400, r#"{"errorType":"Quote-Validation_Failure"}"#, ErrorCode::QuoteExpired),
        (400, r#"{"errorType":"OrderExpired"}"#, ErrorCode::QuoteExpired),
        (400, r#"{"errorType":"InvalidInput","details":"HMAC validation failed"}"#, ErrorCode::QuoteExpired),
        (400, r#"{"error":"Invalid price"}"#, ErrorCode::QuoteExpired),
        (400, r#"{"errorType":"InvalidInput","details":"Stale priceRoute"}"#, ErrorCode::QuoteExpired),
        (400, r#"{"errorType":"InvalidSignature"}"#, ErrorCode::SignatureMismatch),
        (400, r#"{"errorType":"InvalidInput","details":"Invalid signature"}"#, ErrorCode::SignatureMismatch),
        (422, r#"{"errorType":"X","details":"Unsupported chain"}"#, ErrorCode::UnsupportedChain),
        (422, r#"{"errorType":"X","details":"Partner not allowed"}"#, ErrorCode::ServiceRejected),
        (422, "", ErrorCode::ServiceRejected),
        (400, r#"{"errorType":"InvalidInput","details":"Invalid srcToken"}"#, ErrorCode::ServiceRejected),
        (400, r#"{"errorType":"InvalidInput","details":"slippage is required"}"#, ErrorCode::ServiceRejected),
        (400, r#"{"errorType":"PermitRequired"}"#, ErrorCode::ServiceRejected),
        (400, r#"{"errorType":"InvalidTWAPParams"}"#, ErrorCode::ServiceRejected),
        (400, r#"{"errorType":"InsufficientBalance"}"#, ErrorCode::InsufficientBalance),
        (400, r#"{"errorType":"X","details":"insufficient allowance"}"#, ErrorCode::InsufficientAllowance),
        (429, "", ErrorCode::RateLimited),
        (429, r#"{"errorType":"PricingError"}"#, ErrorCode::RateLimited),
        (403, r#"{"errorType":"RateLimitExceeded"}"#, ErrorCode::RateLimited),
        (500, r#"{"errorType":"InternalError"}"#, ErrorCode::ServiceRejected),
        (502, "<html>Bad Gateway</html>", ErrorCode::ServiceRejected),
        (404, "", ErrorCode::ServiceRejected),
        (418, r#"{"errorType":"SomethingNew"}"#, ErrorCode::ServiceRejected),
        (400, r#"{"errorType":7,"details":{}}"#, ErrorCode::ServiceRejected),
        (400, r#"{"error":{"message":"No route found"}}"#, ErrorCode::NoRoute),
        (400, r#"{"error":{"errorType":"InvalidSignature","details":"bad"}}"#, ErrorCode::SignatureMismatch),
        (400, r#"{"error":{},"message":"Token not supported"}"#, ErrorCode::NoRoute),
        (304, "", ErrorCode::ServiceRejected),
    ] {
        let rig = Rig::default();
        rig.world.service.borrow_mut().always_is("quote", status, body);
        let error = rig.quote(SELL).unwrap_err();
        assert_eq!((error.code, error.status), (code, Some(status)), "{status} {body}");
    }
}

#[test]
fn a_request_without_an_answer_is_named_by_its_url_without_the_query() {
    let failures: [fn() -> HttpFailure; 3] =
        [|| HttpFailure::Network(None), || HttpFailure::Timeout, || HttpFailure::TooLarge];
    for failure in failures {
        let rig = Rig::default();
        for _ in 0..3 {
            rig.world.service.borrow_mut().next("quote", move |_, _| Err(failure()));
        }
        let message = rig.quote(SELL).unwrap_err().message.clone();
        let told = "no usable answer from the service (quote, https://service.test/v2/quote): ";
        assert!(message.starts_with(told) && !message.contains(SRC), "{message}");
    }
}

#[test]
fn a_price_that_is_refused_says_what_to_change() {
    for (words, field) in [
        ("ESTIMATED_LOSS_GREATER_THAN_MAX_IMPACT", "request.advanced.maxImpactPercent"),
        ("Amount 1000000 is too small to proceed", "request.amount"),
        ("GasCostExceedsTradeAmount", "request.amount"),
        ("No routes found with enough liquidity", "request.amount"),
        ("Bad USD price", "request.advanced.market.ignoreBadUsdPrice"),
    ] {
        // Under each name, wherever it stands, also in an answer that has another status than it should.
        for (status, body) in [
            (400, format!(r#"{{"error":"{words}","value":"17.25%","priceRoute":{{"network":1}}}}"#)),
            (200, format!(r#"{{"error":"{words}","value":"17.25%"}}"#)),
            (400, format!(r#"{{"errorType":"PricingError","details":"{words}"}}"#)),
            (200, format!(r#"{{"fallbackReason":{{"errorType":"{words}","details":"17.25%"}}}}"#)),
        ] {
            for (endpoint, request) in [
                ("quote", SELL.into()),
                ("prices", with(SELL, r#""mode":"MARKET","advanced":{"market":{}}"#)),
                ("deltaPrices", with(SELL, r#""advanced":{"delta":{}}"#)),
            ] {
                let rig = Rig::default();
                let body = body.clone();
                rig.world.service.borrow_mut().next(endpoint, move |_, _| answer(status, body));
                let error = rig.quote(&request).unwrap_err();
                let case = format!("{words} as {status} of {endpoint}: {error:?}");
                assert_eq!((error.code, error.field.as_deref()), (ErrorCode::NoRoute, Some(field)), "{case}");
                assert!(error.expected.is_some(), "{case}");
                let told = [error.error_type.as_deref(), error.details.as_deref()];
                assert!(told.contains(&Some(words)) && (told[0] == Some("PricingError") || told[1] == Some("17.25%")));
            }
        }
    }
}

#[test]
fn an_empty_answer_is_malformed() {
    for (status, request) in [200, 400, 500].into_iter().flat_map(|status| {
        ["", r#""mode":"MARKET","#, r#""mode":"MARKET","advanced":{"market":{}},"#, r#""advanced":{"delta":{}},"#]
            .map(|more| (status, more))
    }) {
        let rig = Rig::default();
        let mut service = rig.world.service.borrow_mut();
        for endpoint in ["quote", "prices", "deltaPrices"] {
            service.always_is(endpoint, status, " { } ");
        }
        drop(service);
        let error = rig.quote(&SELL.replacen('{', &format!("{{{request}"), 1)).unwrap_err();
        assert_eq!(error.code, ErrorCode::ServiceMalformed, "{status} {request}: {error:?}");
    }
}

#[test]
fn a_route_that_went_stale_asks_for_a_new_quote_wherever_that_is_found_out() {
    let stale = r#"{"errorType":"StalePriceRoute","details":"requote"}"#;
    for endpoint in ["quote", "build", "post"] {
        let rig = Rig::default();
        rig.world.service.borrow_mut().next_is(endpoint, 400, stale);
        let outcome = rig.built(SELL).and_then(|build| rig.submit(&build));
        let shown = json(&outcome.expect_err(endpoint).write());
        assert_eq!((text(&shown, "code"), text(&shown, "action")), ("QUOTE_EXPIRED", "requote"), "{endpoint}");
        assert_eq!(at(&shown, "requote"), &Json::Bool(true));
        assert_eq!((text(&shown, "errorType"), text(&shown, "status")), ("StalePriceRoute", "400"));
    }
}

#[test]
fn an_unknown_error_type_is_passed_on_from_every_endpoint() {
    let unknown = r#"{"errorType":"SomethingNew","details":"in its own words"}"#;
    for endpoint in ["build", "post"] {
        let rig = Rig::default();
        rig.world.service.borrow_mut().next_is(endpoint, 400, unknown);
        let error = rig.built(SELL).and_then(|build| rig.submit(&build)).expect_err(endpoint);
        assert_eq!((error.code, error.status), (ErrorCode::ServiceRejected, Some(400)), "{endpoint}");
        assert_eq!(error.error_type.as_deref(), Some("SomethingNew"));
        assert_eq!(error.details.as_deref(), Some("in its own words"));
    }
}

#[test]
fn what_the_service_finds_short_is_told_by_its_code_with_what_was_signed() {
    for (words, code, action) in [
        ("InsufficientBalance", ErrorCode::InsufficientBalance, "none"),
        ("InsufficientAllowance", ErrorCode::InsufficientAllowance, "approve"),
        ("InvalidSignature", ErrorCode::SignatureMismatch, "none"),
    ] {
        let rig = Rig::default();
        let build = rig.built(SELL).unwrap();
        let body = format!(r#"{{"errorType":"{words}"}}"#);
        rig.world.service.borrow_mut().next("post", move |_, _| answer(400, body));
        let error = rig.submit(&build).unwrap_err();
        assert_eq!((error.code, error.code.action()), (code, action));
        assert!(error.signed_order.is_some(), "{words}");
    }
}

#[test]
fn the_services_own_words_are_passed_on_as_they_are() {
    let rig = Rig::default();
    rig.world.service.borrow_mut().always("quote", || {
        let body = r#"{"errorType":"SomethingNew","details":"in its own w\u00f6rds"}"#.into();
        Ok(HttpAnswer { status: 429, body, retry_after_secs: Some(40) })
    });
    let error = rig.quote(SELL).unwrap_err();
    assert_eq!(error.error_type.as_deref(), Some("SomethingNew"));
    assert_eq!(error.details.as_deref(), Some("in its own wörds"));
    assert_eq!(error.retry_after_secs, Some(40));
    let shown = json(&error.write());
    assert_eq!(text(&shown, "code"), "RATE_LIMITED");
    assert_eq!(text(&shown, "retryAfterSecs"), "40");
}

#[test]
fn an_outage_advises_a_retry_and_a_refusal_does_not() {
    for (status, action) in [(400, "none"), (499, "none"), (500, "retry"), (503, "retry")] {
        let rig = Rig::default();
        rig.world.service.borrow_mut().always_is("quote", status, r#"{"errorType":"SomethingNew"}"#);
        let shown = json(&rig.quote(SELL).unwrap_err().write());
        assert_eq!((text(&shown, "code"), text(&shown, "action")), ("SERVICE_REJECTED", action), "{status}");
    }
}

#[test]
fn each_kind_of_missing_answer_has_its_error() {
    let failures: [(HttpFailure, ErrorCode); 3] = [
        (HttpFailure::Network(None), ErrorCode::Network),
        (HttpFailure::Timeout, ErrorCode::Timeout),
        (HttpFailure::TooLarge, ErrorCode::ServiceMalformed),
    ];
    for (failure, code) in failures {
        let rig = Rig::default();
        rig.world.service.borrow_mut().always("quote", move || Err(failure.clone()));
        assert_eq!(rig.quote(SELL).unwrap_err().code, code);
    }
}

#[test]
fn a_fallback_to_the_market_is_no_route() {
    let rig = Rig::default();
    let body = r#"{"market":{},"fallbackReason":{"errorType":"NoSolver","details":"nobody fills"}}"#;
    rig.world.service.borrow_mut().next_is("quote", 200, body);
    let error = rig.quote(SELL).unwrap_err();
    assert_eq!((error.code, error.code.action()), (ErrorCode::NoRoute, "requote"));
    assert_eq!((error.error_type.as_deref(), error.details.as_deref()), (Some("NoSolver"), Some("nobody fills")));
}

const UNPINNED: &str = "0x5555555555555555555555555555555555555555";

/// A trade on a chain this package knows nothing of.
fn unpinned() -> (Rig, String) {
    let rig = Rig::with(|shared, _| {
        shared.settings.rpc = vec![(31337, Place::Node(31337))];
        shared.settings.allow_service_contracts = true;
    });
    rig.world.service.borrow_mut().delta = UNPINNED.into();
    (rig, SELL.replace("8453", "31337"))
}

fn spender_check(quote: &Json) -> Json {
    let Json::Array(checks) = at(quote, "report.checks") else { panic!() };
    checks.iter().find(|check| text(check, "field") == "quote.spender").unwrap().clone()
}

#[test]
fn the_contract_of_an_unknown_chain_is_read_from_the_services_resource() {
    let (rig, request) = unpinned();
    let quote = rig.quote(&request).unwrap();
    let expected = format!("{UNPINNED} (from the service's contracts resource)");
    assert_eq!(text(&spender_check(&quote), "expected"), expected);
    rig.quote(&request).unwrap();
    assert_eq!((rig.world.sent("adapters").len(), rig.world.sent("resource").len()), (1, 1), "asked once");
}

#[test]
fn a_spender_that_the_resource_does_not_name_is_refused() {
    let (rig, request) = unpinned();
    rig.world.service.borrow_mut().next("adapters", |_, _| answer(200, format!(r#"{{"Portikus":"{DELTA}"}}"#)));
    let error = rig.quote(&request).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::VerifyMismatch, Some("quote.spender")));
}

#[test]
fn a_chain_without_a_contract_is_unsupported_and_one_that_nobody_could_ask_about_is_not() {
    let (rig, request) = unpinned();
    rig.world.service.borrow_mut().next_is("resource", 200, r#"{"chains":{"1":{}}}"#);
    assert_eq!(rig.quote(&request).unwrap_err().code, ErrorCode::UnsupportedChain);
    // Neither is one that the service fails to answer.
    for (adapters, code) in [(None, ErrorCode::Network), (Some(500), ErrorCode::ServiceRejected)] {
        let failed = move |status| answer(status, "");
        let lost = || Err(HttpFailure::Network(None));
        rig.world.service.borrow_mut().always("adapters", move || adapters.map_or_else(lost, failed));
        rig.world.service.borrow_mut().always("resource", move || adapters.map_or_else(lost, |_| answer(404, "")));
        assert_eq!(rig.quote(&request).unwrap_err().code, code);
    }
    assert!(rig.world.sent("quote").is_empty());
}

#[test]
fn the_applications_contracts_count_before_all_others() {
    for request in [SELL.to_owned(), SELL.replace("8453", "31337")] {
        let given = Contracts { delta: UNPINNED.parse().unwrap(), ..Contracts::default() };
        let rig = Rig::with(|shared, _| {
            shared.settings.given_contracts = vec![(8453, given), (31337, given)];
        });
        // The service means another contract: it is the one that is wrong.
        let error = rig.quote(&request).unwrap_err();
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::VerifyMismatch, Some("quote.spender")));
        rig.world.service.borrow_mut().delta = UNPINNED.into();
        let quote = rig.quote(&request).unwrap();
        let expected = format!("{UNPINNED} (supplied by the application)");
        assert_eq!(text(&spender_check(&quote), "expected"), expected);
        assert!(rig.world.sent("adapters").is_empty());
    }
}

#[test]
fn a_pinned_chain_is_not_asked_about() {
    let rig = Rig::default();
    let quote = rig.quote(SELL).unwrap();
    assert!(text(&spender_check(&quote), "expected").ends_with("(pinned in this package)"));
    assert!(rig.world.sent("adapters").is_empty() && rig.world.sent("resource").is_empty());
}
