//! Quotes that their app took back: nobody builds them, however young they are.

use super::fake_host::{Rig, SELL, at, text, with};
use alloy_primitives::keccak256;
use verified_swap_trade::flows;
use verify::internal::error::ErrorCode;
use verify::internal::json::Json;

const OPTIONS: &str = r#"{"slippageBps":50}"#;
const REASON: &str = "a newer request took its place";

#[track_caller]
fn refused(rig: &Rig, quote: &Json) {
    let error = rig.build(quote, OPTIONS).unwrap_err();
    assert_eq!(error.code, ErrorCode::QuoteExpired);
    assert_eq!((error.field.as_deref(), error.actual.as_deref()), (Some("quote"), Some(REASON)));
}

fn withdraw(rig: &Rig, quote: &Json) {
    flows::withdraw(&rig.client.shared, text(quote, "sealed"), REASON);
}

#[test]
fn a_quote_that_was_withdrawn_is_not_built_on_either_path() {
    for mode in ["DELTA", "MARKET"] {
        let rig = Rig::default();
        let request = with(SELL, &format!(r#""mode":"{mode}""#));
        let (first, second) = (rig.quote(&request).unwrap(), rig.quote(&request).unwrap());
        withdraw(&rig, &first);
        let asked = rig.world.requests.borrow().len();
        refused(&rig, &first);
        assert_eq!(rig.world.requests.borrow().len(), asked, "the service is not asked");
        rig.build(&second, OPTIONS).unwrap();
    }
}

#[test]
fn a_quote_that_is_withdrawn_while_it_is_built_gives_no_build() {
    let rig = Rig::default();
    let quote = rig.quote(SELL).unwrap();
    let (shared, key) = (rig.client.shared.clone(), keccak256(text(&quote, "sealed")));
    rig.world.service.borrow_mut().build_lie = Some(Box::new(move |_| shared.service.withdraw(key, REASON.into())));
    refused(&rig, &quote);
    assert_eq!(rig.world.sent("build").len(), 1);
}

#[test]
fn the_first_reason_stays() {
    let rig = Rig::default();
    let quote = rig.quote(SELL).unwrap();
    withdraw(&rig, &quote);
    flows::withdraw(&rig.client.shared, text(&quote, "sealed"), "another");
    refused(&rig, &quote);
}

#[test]
fn a_quote_says_until_when_it_may_be_built() {
    let rig = Rig::default();
    let quote = rig.quote(SELL).unwrap();
    let ms = |name| at(&quote, name).write().parse::<u64>().unwrap();
    assert_eq!(ms("expiresAtMs") - ms("receivedAtMs"), 30_000);
}
