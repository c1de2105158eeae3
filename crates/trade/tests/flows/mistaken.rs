//! A thing of one kind passed where another is meant: the error says what was expected, and what this is.

use super::fake_host::{RFQ, Rig, SELL, SRC, Watched, at, json, with};
use super::market;
use super::otc::OFFER;
use verify::internal::error::ErrorCode;
use verify::internal::json::Json;

#[track_caller]
fn refused(rig: &Rig, call: &str, data: &Json, field: &str, expected: &str, actual: &str) {
    let error = rig.call(call, data, "{}").unwrap_err();
    let found = (error.code, error.field.as_deref(), error.expected.as_deref(), error.actual.as_deref());
    assert_eq!(found, (ErrorCode::InvalidInput, Some(field), Some(expected), Some(actual)), "{call}");
}

#[test]
fn the_error_names_what_was_passed_to_submit() {
    let rig = market::allowed(0);
    let expected = "a build or a signed order";
    let gasless = rig.quote(SELL).unwrap();
    refused(&rig, "submit", &gasless, "build", expected, "a quote: build(quote) makes a build of it");
    let quote = rig.quote(&market::market(SELL)).unwrap();
    refused(&rig, "submit", &quote, "build", expected, "a quote: build(quote) makes a build of it");
    let build = market::built(&rig, SELL).unwrap();
    let approval = at(&build, "approval");
    refused(&rig, "submit", approval, "build", expected, "an approval: approve(approval) takes it");
    rig.approve(approval, "{}").unwrap();
    let sent = rig.call("submit", &build, "{}").unwrap();
    refused(&rig, "submit", &sent, "build", expected, "a transaction that was sent: wait(sent) follows it");
    let order = rig.submit(&rig.build(&gasless, r#"{"slippageBps":50}"#).unwrap()).unwrap();
    refused(&rig, "submit", &order, "build", expected, "an order that the service has");
    rig.world
        .chain
        .borrow_mut()
        .node(8453)
        .allowances
        .insert((SRC.parse().unwrap(), RFQ.parse().unwrap()), alloy_primitives::U256::MAX);
    let offer = rig.call("otc.build", &json(OFFER), "{}").unwrap();
    let offer = rig.call("submit", &offer, "{}").unwrap();
    refused(&rig, "submit", &offer, "build", expected, "an OTC order: otc.buildFill(order) makes a build of it");
    let (order, cancels) = ("an order or a list of orders", "an OTC order: otc.buildCancellation(order) cancels it");
    refused(&rig, "cancel", &offer, "orders", order, cancels);
    let list = json(&format!("[{}]", offer.write()));
    refused(&rig, "cancel", &list, "orders.0", order, cancels);
    refused(&rig, "buildCancellation", &offer, "order", "an order", cancels);
    let error = Watched::new(&offer, "{}").unwrap_err();
    let told = "an OTC order, which is not followed: ask otc.order(hash) or otc.remaining(order)";
    assert_eq!((error.code, error.actual.as_deref()), (ErrorCode::InvalidInput, Some(told)));
    for request in [SELL.into(), market::market(SELL)] {
        refused(&rig, "submit", &json(&request), "build", expected, "a request: quote(request) comes first");
    }
}

#[test]
fn the_error_names_what_was_passed_to_build_or_approve() {
    let rig = market::allowed(0);
    let build = market::built(&rig, SELL).unwrap();
    let price = "a quote, a Market request, or a build and its permit";
    refused(&rig, "build", &build, "quote", price, "a build: submit(build) takes it");
    let gasless = rig.built(SELL).unwrap();
    refused(&rig, "build", &gasless, "quote", price, "a build: submit(build) takes it");
    refused(&rig, "build", &json(SELL), "quote", price, "a request: quote(request) comes first");
    let expected = "an approval, as build.approval has it";
    refused(&rig, "approve", &build, "approval", expected, "a build: submit(build) takes it");
    let quote = rig.quote(SELL).unwrap();
    refused(&rig, "approve", &quote, "approval", expected, "a quote: build(quote) makes a build of it");
}

#[test]
fn an_edited_value_of_the_right_kind_is_reported_as_edited() {
    let rig = Rig::default();
    let mut build = rig.built(SELL).unwrap();
    super::fake_host::set(&mut build, "maxSpent", r#""1""#);
    let error = rig.submit(&build).unwrap_err();
    assert_eq!((error.field.as_deref(), error.actual.as_deref()), (Some("build.maxSpent"), Some("an edited one")));
}

/// An option has one place: beside the others, or in `advanced`. In the other one it would be read by nobody.
#[test]
fn an_option_in_the_wrong_place_is_refused_with_the_right_one() {
    let rig = market::allowed(0);
    let far = "a known option (did you mean advanced.takeSurplus?)";
    for (member, field, expected) in [
        (r#""maxUsdImpact":"1""#, "maxUsdImpact", "request.advanced.maxUsdImpact"),
        (r#""market":{},"advanced":{}"#, "market", "request.advanced.market"),
        (r#""advanced":{"maxFeeBps":1}"#, "advanced.maxFeeBps", "request.maxFeeBps"),
        (r#""advanced":{"advanced":{}}"#, "advanced.advanced", "a known option"),
        (r#""advanced.maxUsdImpact":"1""#, "advanced.maxUsdImpact", "a known option"),
        (r#""advanced":{"chainNam":"a"}"#, "advanced.chainNam", "a known option (did you mean advanced.chainName?)"),
        (r#""advanced":7"#, "advanced", "an object"),
    ] {
        let error = rig.quote(&with(SELL, member)).unwrap_err();
        let field = format!("request.{field}");
        assert_eq!((error.field.as_deref(), error.expected.as_deref()), (Some(&*field), Some(expected)), "{member}");
    }
    assert!(rig.world.requests.borrow().is_empty());
    let (gasless, routed) = (rig.quote(SELL).unwrap(), rig.quote(&market::market(SELL)).unwrap());
    for (quotes, member, field, expected) in [
        (&[&gasless][..], r#""metadata":"0x""#, "metadata", "options.advanced.metadata"),
        (&[&gasless, &routed], r#""takeSurplus":true"#, "takeSurplus", "options.advanced.takeSurplus"),
        (&[&gasless, &routed], r#""takeSurplu":true"#, "takeSurplu", far),
        (&[&gasless, &routed], r#""allowSelectors":[]"#, "allowSelectors", "options.advanced.allowSelectors"),
        (&[&gasless, &routed], r#""advanced":{"minReceived":"1"}"#, "advanced.minReceived", "options.minReceived"),
        (&[&routed], r#""advanced":{"metadata":"0x"}"#, "advanced.metadata", "a known option"),
    ] {
        for quote in quotes {
            let error = rig.build(quote, &with(r#"{"slippageBps":50}"#, member)).unwrap_err();
            let field = format!("options.{field}");
            assert_eq!(
                (error.field.as_deref(), error.expected.as_deref()),
                (Some(&*field), Some(expected)),
                "{member}"
            );
        }
    }
    for none in ["null", "{}"] {
        let quote = rig.quote(&with(SELL, &format!(r#""advanced":{none}"#))).unwrap();
        rig.build(&quote, &format!(r#"{{"slippageBps":50,"advanced":{none}}}"#)).unwrap();
    }
}
