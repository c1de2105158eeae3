//! Approvals that leave open orders what they have claimed.

use super::fake_host::{DELTA, Rig, SELL, SRC, json, text};
use alloy_primitives::U256;
use verify::internal::error::ErrorCode;
use verify::internal::json::Json;

const COVER: &str = r#"{"slippageBps":50,"coverOpenOrders":true}"#;

fn rig(allowed: u64, claimed: &'static str) -> Rig {
    let rig = Rig::default();
    let key = (SRC.parse().unwrap(), DELTA.parse().unwrap());
    rig.world.chain.borrow_mut().node(8453).allowances.insert(key, U256::from(allowed));
    rig.world.service.borrow_mut().next_is("fillableBalance", 200, claimed);
    rig
}

fn approval(rig: &Rig, options: &str) -> Json {
    let quote = rig.quote(SELL).unwrap();
    rig.build(&quote, options).unwrap().get("approval").unwrap().clone()
}

#[test]
fn what_open_orders_have_claimed_is_approved_beside_what_this_one_needs() {
    let rig = rig(0, r#"{"0x1111111111111111111111111111111111111111":"23"}"#);
    let need = approval(&rig, COVER);
    assert_eq!(text(&need, "amount"), "100000023");
    let result = rig.approve(&need, "{}").unwrap();
    assert_eq!(text(&result, "allowance"), "100000023");
    let url = rig.world.sent("fillableBalance").pop().unwrap().url;
    assert!(url.ends_with(&format!("/8453/{}/{SRC}", rig.owner())), "{url}");
}

#[test]
fn what_is_approved_in_the_orders_own_prompt_leaves_open_orders_theirs() {
    let rig = rig(0, r#"{"0x1111111111111111111111111111111111111111":"23"}"#);
    rig.world.signer.borrow_mut().atomic = Some("supported");
    rig.world.service.borrow_mut().takes = Some(Box::new(|signature| signature == "0x"));
    let delta = Box::new(|_: &Json| Ok(json(r#""0x""#)));
    rig.world.chain.borrow_mut().node(8453).contracts.insert(DELTA.parse().unwrap(), delta);
    rig.submit(&rig.build(&rig.quote(SELL).unwrap(), COVER).unwrap()).unwrap();
    let key = (SRC.parse().unwrap(), DELTA.parse().unwrap());
    assert_eq!(rig.world.chain.borrow_mut().node(8453).allowances[&key], U256::from(100_000_023));
}

#[test]
fn an_allowance_that_covers_this_order_only_is_raised() {
    let claimed = r#"{"0x1111111111111111111111111111111111111111":"23"}"#;
    assert_eq!(text(&approval(&rig(100_000_022, claimed), COVER), "amount"), "100000023");
    assert_eq!(approval(&rig(100_000_023, claimed), COVER), Json::Null);
    // Unasked, other orders are not looked at.
    let rig = rig(100_000_000, claimed);
    assert_eq!(approval(&rig, r#"{"slippageBps":50}"#), Json::Null);
    assert_eq!(approval(&rig, r#"{"slippageBps":50,"coverOpenOrders":false}"#), Json::Null);
    assert!(rig.world.sent("fillableBalance").is_empty());
}

#[test]
fn a_claim_beyond_what_the_owner_has_raises_no_approval_beyond_that() {
    let rig = rig(
        0,
        r#"{"0x1111111111111111111111111111111111111111":"115792089237316195423570985008687907853269984665640564039457584007913129639935"}"#,
    );
    rig.world.chain.borrow_mut().node(8453).balance = U256::from(500_000_000);
    assert_eq!(text(&approval(&rig, COVER), "amount"), "500000000");
}

#[test]
fn what_this_order_needs_is_approved_whatever_the_owner_has() {
    for balance in [0, 99_999_999, 100_000_000] {
        let rig = rig(0, r#"{"0x1111111111111111111111111111111111111111":"23"}"#);
        rig.world.chain.borrow_mut().node(8453).balance = U256::from(balance);
        assert_eq!(text(&approval(&rig, COVER), "amount"), "100000000", "{balance}");
    }
}

#[test]
fn an_unreadable_claim_is_an_error_and_not_zero() {
    let rig = rig(0, "[]");
    let quote = rig.quote(SELL).unwrap();
    assert_eq!(rig.build(&quote, COVER).unwrap_err().code, ErrorCode::ServiceMalformed);
    let error = rig.build(&quote, r#"{"slippageBps":50,"coverOpenOrders":"yes"}"#).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("options.coverOpenOrders")));
    assert_eq!(rig.world.sent("build").len(), 1, "refused before anything is built");
    let blind = Rig::with(|shared, _| shared.settings.rpc.clear());
    blind.world.signer.borrow_mut().chain_id = 1;
    let quote = blind.quote(SELL).unwrap();
    let error = blind.build(&quote, COVER).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("rpc.8453")));
    assert!(blind.world.sent("fillableBalance").is_empty());
}

#[test]
fn the_native_token_has_no_allowance_to_raise() {
    let rig = rig(0, "{}");
    let request = SELL.replace(SRC, "native").replace("\"srcDecimals\":6", "\"srcDecimals\":18");
    let quote = rig.quote(&request).unwrap();
    let build = rig.build(&quote, COVER).unwrap();
    assert_eq!(build.get("approval"), Some(&Json::Null));
    assert!(rig.world.sent("fillableBalance").is_empty());
    assert!(json(&build.write()).get("sealed").is_some());
}
