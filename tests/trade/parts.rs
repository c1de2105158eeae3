//! The code that no first price needs, while it is not there yet, or does not come.

use super::fake_host::{Arrival, BUY, Rig, SELL, json, set, text};
use super::market;
use verified_swap::error::ErrorCode;

/// A client whose first file is all there is.
fn early() -> Rig {
    let rig = Rig::default();
    rig.world.rest.set(Arrival::Late);
    rig
}

#[test]
fn a_price_is_there_before_the_rest_is_and_asks_no_node() {
    for request in [SELL, BUY] {
        let rig = early();
        let quote = rig.quote(request).unwrap();
        assert_eq!((text(&quote, "kind"), text(&quote, "witness")), ("delta", "pending"));
        assert_eq!((rig.world.requests.borrow().len(), rig.world.questions.borrow().len()), (1, 0));
        assert_eq!(rig.world.rest.get(), Arrival::Late, "a price waits for nothing");
        rig.submit(&rig.build(&quote, r#"{"slippageBps":50}"#).unwrap()).unwrap();
        assert_eq!(rig.world.prompts(), 1);
    }
}

#[test]
fn a_market_price_is_there_before_the_rest_is() {
    let rig = market::allowed(u64::MAX);
    rig.world.rest.set(Arrival::Late);
    let request = SELL.replacen('{', r#"{"mode":"MARKET","#, 1);
    let quote = rig.quote(&request).unwrap();
    assert_eq!((text(&quote, "kind"), text(&quote, "witness")), ("market", "pending"));
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
    for name in ["build", "balance", "orders", "chains", "resume"] {
        rig.world.rest.set(Arrival::Lost);
        let (requests, questions) = (rig.world.requests.borrow().len(), rig.world.questions.borrow().len());
        let argument = if name == "build" { quote.clone() } else { json("{}") };
        let error = rig.call(name, &argument, "{}").unwrap_err();
        assert_eq!((error.code, error.message.as_str()), (ErrorCode::Network, "it is lost"), "{name}");
        assert_eq!((rig.world.requests.borrow().len(), rig.world.questions.borrow().len()), (requests, questions));
    }
    rig.submit(&rig.build(&quote, r#"{"slippageBps":50}"#).unwrap()).unwrap();
}
