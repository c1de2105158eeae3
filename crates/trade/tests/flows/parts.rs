//! The code that no first price needs, while it is not there yet, or does not come.

use super::fake_host::{Arrival, BUY, Rig, SELL, json, native_sale, set, text};
use super::kinds::kinds;
use super::{market, native};
use verify::internal::error::ErrorCode;
use verify::internal::json::Json;

/// A client whose first file is all there is.
fn early() -> Rig {
    let rig = Rig::default();
    rig.world.trade.set(Arrival::Late);
    rig.world.rest.set(Arrival::Late);
    rig
}

#[test]
fn a_price_is_there_before_the_rest_is_and_asks_no_node() {
    for request in [SELL, BUY] {
        let rig = early();
        let quote = rig.quote(request).unwrap();
        assert_eq!((text(&quote, "kind"), text(&quote, "reference")), ("delta", "pending"));
        assert_eq!((rig.world.requests.borrow().len(), rig.world.questions.borrow().len()), (1, 0));
        assert_eq!(rig.world.trade.get(), Arrival::Late, "a price waits for nothing");
        assert!(rig.world.is_rest_expected.take(), "every prompt needs it, and the user looks at the price first");
        let build = rig.build(&quote, r#"{"slippageBps":50}"#).unwrap();
        assert!(!rig.world.is_rest_expected.get(), "it would be compiled while the prompt is prepared");
        assert_eq!(rig.world.rest.get(), Arrival::Late, "nor does a build wait for more than its own part");
        rig.submit(&build).unwrap();
        assert_eq!((rig.world.prompts(), rig.world.rest.get()), (1, Arrival::There));
    }
}

#[test]
fn a_market_price_is_there_before_the_rest_is() {
    let rig = market::allowed(u64::MAX);
    rig.world.trade.set(Arrival::Late);
    rig.world.rest.set(Arrival::Late);
    let request = SELL.replacen('{', r#"{"mode":"MARKET","#, 1);
    let quote = rig.quote(&request).unwrap();
    assert_eq!((text(&quote, "kind"), text(&quote, "reference")), ("market", "pending"));
    assert!(rig.world.is_rest_expected.get(), "its transaction is built there");
    let build = rig.build(&quote, r#"{"slippageBps":50}"#).unwrap();
    assert_eq!(text(&build, "kind"), "market");
}

#[test]
fn a_price_that_came_before_the_rest_is_held_against_its_request_all_the_same() {
    let rig = early();
    rig.world.service.borrow_mut().quote_lie =
        Some(Box::new(|price| set(price, "delta.spender", &format!("\"0x{}\"", "11".repeat(20)))));
    assert_eq!(rig.quote(SELL).unwrap_err().code, ErrorCode::VerifyMismatch);
    let rig = early();
    let quote = rig.quote(SELL).unwrap();
    let mut edited = quote.clone();
    set(&mut edited, "destAmount", "\"1\"");
    let error = rig.build(&edited, r#"{"slippageBps":50}"#).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("quote.destAmount")));
}

#[test]
fn a_call_whose_code_does_not_come_asks_nobody_and_the_next_one_goes() {
    let rig = early();
    let quote = rig.quote(SELL).unwrap();
    for name in ["build", "info.balance", "orders", "info.chains", "trades.resume"] {
        let lost = if name == "build" { &rig.world.trade } else { &rig.world.rest };
        lost.set(Arrival::Lost);
        let (requests, questions) = (rig.world.requests.borrow().len(), rig.world.questions.borrow().len());
        let argument = if name == "build" { quote.clone() } else { json("{}") };
        let error = rig.call(name, &argument, "{}").unwrap_err();
        assert_eq!((error.code, error.message.as_str()), (ErrorCode::ModuleUnavailable, "it is lost"), "{name}");
        assert_eq!((rig.world.requests.borrow().len(), rig.world.questions.borrow().len()), (requests, questions));
    }
    rig.submit(&rig.build(&quote, r#"{"slippageBps":50}"#).unwrap()).unwrap();
}

/// A price that was taken back is not built while other code is on its way.
#[test]
fn what_takes_a_price_back_is_there_when_what_builds_it_is() {
    let rig = early();
    let quote = rig.quote(SELL).unwrap();
    rig.world.rest.set(Arrival::Lost);
    verified_swap_trade::flows::withdraw(&rig.client.shared, text(&quote, "sealed"), "a newer request");
    let error = rig.build(&quote, r#"{"slippageBps":50}"#).unwrap_err();
    assert_eq!(error.code, ErrorCode::QuoteExpired);
    assert_eq!(rig.world.rest.get(), Arrival::Lost);
}

/// The code that looks at orders is there where one was signed; after a reload it comes first.
#[test]
fn a_build_awaits_the_rest_only_where_an_order_for_the_same_trade_is_open() {
    let (rig, options) = (early(), r#"{"slippageBps":50,"existing":"keepBoth"}"#);
    let build = rig.build(&rig.quote(SELL).unwrap(), options).unwrap();
    assert_eq!(rig.world.rest.get(), Arrival::Late);
    rig.submit(&build).unwrap();
    let quote = rig.quote(SELL).unwrap();
    let seen = rig.world.requests.borrow().len();
    rig.world.rest.set(Arrival::Lost);
    assert_eq!(rig.build(&quote, options).unwrap_err().code, ErrorCode::ModuleUnavailable);
    assert_eq!(rig.world.requests.borrow().len(), seen, "no second order is built beside one that may be open");
    rig.build(&quote, options).unwrap();
    rig.world.rest.set(Arrival::Late);
    rig.build(&rig.quote(BUY).unwrap(), options).unwrap();
    assert_eq!(rig.world.rest.get(), Arrival::Late, "another trade");
}

/// A lie of one node is found by code that comes with the rest.
#[test]
fn several_nodes_are_read_once_the_code_that_compares_them_is_there() {
    let mut rig = early();
    rig.with_references();
    let quote = rig.quote(SELL).unwrap();
    assert_eq!(rig.world.rest.get(), Arrival::Late, "a price waits for nothing");
    rig.build(&quote, r#"{"slippageBps":50}"#).unwrap();
    assert_eq!(rig.world.rest.get(), Arrival::There);
}

/// An order that was signed or sent without the code that follows and cancels could be neither on its page.
#[test]
fn no_prompt_opens_before_the_code_that_follows_and_cancels_is_there() {
    let market = market::allowed(u64::MAX);
    let mut all: Vec<(Rig, Json, &str)> = vec![(native::rig(), json("null"), r#"{"preSign":true}"#)];
    all[0].0.world.service.borrow_mut().takes = Some(Box::new(|signature| signature == "0x"));
    all[0].1 = all[0].0.built(&native_sale()).unwrap();
    let swap = market::built(&market, SELL).unwrap();
    all.push((market, swap, "{}"));
    all.extend(kinds().into_iter().map(|kind| {
        let rig = kind.rig();
        let build = kind.built(&rig).unwrap();
        (rig, build, "{}")
    }));
    for (rig, build, options) in &all {
        let seen = || (rig.world.requests.borrow().len(), rig.world.questions.borrow().len());
        let (before, kind) = (seen(), format!("{} {} {options}", text(build, "kind"), text(build, "report.sentence")));
        for round in 0..2 {
            rig.world.rest.set(Arrival::Lost);
            let error = rig.submit_with(build, options).unwrap_err();
            let told = (error.code, error.message.as_str(), error.code.action());
            assert_eq!(told, (ErrorCode::ModuleUnavailable, "it is lost", "reload"), "{round}: {kind}");
            assert_eq!((seen(), rig.step_names()), (before, vec![]), "nothing is asked: {kind}");
        }
        let listed = rig.call("trades.list", &json("{}"), "{}").unwrap();
        assert_eq!(listed, json("[]"), "nothing is noted: {kind}");
        rig.world.rest.set(Arrival::Late);
        rig.submit_with(build, options).unwrap_or_else(|error| panic!("{kind}: {error}"));
    }
}
