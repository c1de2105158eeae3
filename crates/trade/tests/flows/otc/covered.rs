//! The approval for an offer, where older offers are not to go short.

use super::{OFFER, RFQ, Rig, SRC, address, json, text, unread};
use crate::fake_host::at;
use alloy_primitives::U256;
use verify::internal::error::ErrorCode;
use verify::internal::json::Json;

const COVER: &str = r#"{"coverOpenOrders":true}"#;
const CLAIMED: &str = r#"{"0x1111111111111111111111111111111111111111":"23"}"#;

fn rig(allowed: u64, claimed: &'static str) -> Rig {
    let rig = Rig::default();
    let key = (address(SRC), address(RFQ));
    rig.world.chain.borrow_mut().node(8453).allowances.insert(key, U256::from(allowed));
    rig.world.service.borrow_mut().next_is("otcFillableBalance", 200, claimed);
    rig
}

fn approval(rig: &Rig, options: &str) -> Json {
    at(&rig.call("otc.build", &json(OFFER), options).unwrap(), "approval").clone()
}

#[test]
fn an_allowance_that_covers_the_new_offer_alone_is_raised_by_what_older_ones_claim() {
    let first = rig(100_000_022, CLAIMED);
    let need = approval(&first, COVER);
    assert_eq!((text(&need, "amount"), text(&need, "spender")), ("100000023", RFQ));
    assert!(first.world.sent("fillableBalance").is_empty(), "Delta's contract has an allowance of its own");
    let url = first.world.sent("otcFillableBalance").pop().unwrap().url;
    assert!(url.ends_with(&format!("/8453/{}/{SRC}", first.owner())), "{url}");
    assert_eq!(text(&first.approve(&need, "{}").unwrap(), "allowance"), "100000023");
    assert_eq!(approval(&rig(100_000_023, CLAIMED), COVER), Json::Null);
}

#[test]
fn unasked_older_offers_are_not_looked_at() {
    let rig = rig(100_000_000, CLAIMED);
    assert_eq!(approval(&rig, "{}"), Json::Null);
    assert_eq!(approval(&rig, r#"{"coverOpenOrders":false}"#), Json::Null);
    assert!(rig.world.sent("otcFillableBalance").is_empty());
}

#[test]
fn a_claim_beyond_what_the_maker_has_raises_no_approval_beyond_that() {
    let rig = rig(0, r#"{"0x1111111111111111111111111111111111111111":"9999999999999999999999"}"#);
    rig.world.chain.borrow_mut().node(8453).balance = U256::from(500_000_000);
    assert_eq!(text(&approval(&rig, COVER), "amount"), "500000000");
}

#[test]
fn an_unreadable_claim_is_an_error_and_not_zero() {
    let malformed = rig(0, "[]").call("otc.build", &json(OFFER), COVER).unwrap_err();
    assert_eq!(malformed.code, ErrorCode::ServiceMalformed);
    for (rig, options, field) in
        [(rig(0, "{}"), r#"{"coverOpenOrders":1}"#, "options.coverOpenOrders"), (unread(), COVER, "rpc.8453")]
    {
        let error = rig.call("otc.build", &json(OFFER), options).unwrap_err();
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some(field)));
        assert!(rig.world.sent("otcFillableBalance").is_empty());
    }
}
