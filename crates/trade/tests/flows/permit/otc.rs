//! Permits of a taker, in a fill.

use super::{Token, bank};
use crate::fake_host::{DEST, Moment, RFQ, Rig, SRC, Signer, json, otc_hash, set, text};
use alloy_primitives::{Address, U256, hex};
use verified_swap_trade::host::HttpFailure;
use verify::internal::error::{Error, ErrorCode};
use verify::internal::json::Json;

const MAKER_KEY: [u8; 32] = [9; 32];
/// The taker gives SRC, which takes permits, for DEST.
const DECIMALS: &str = r#"{"makerDecimals":18,"takerDecimals":6"#;

pub fn order() -> Json {
    let maker = Signer::new(MAKER_KEY);
    let (who, nobody) = (maker.accounts[0], Address::ZERO);
    let mut order = json(&format!(
        r#"{{"nonceAndMeta":"7","expiry":0,"makerAsset":"{DEST}","takerAsset":"{SRC}","maker":"{who}","taker":"{nobody}","makerAmount":"40000000000000000","takerAmount":"100000000","chainId":8453,"state":"PENDING"}}"#
    ));
    let hash = otc_hash(&order);
    set(&mut order, "signature", &format!(r#""{}""#, hex::encode_prefixed(maker.sign(hash))));
    set(&mut order, "orderHash", &format!(r#""{hash}""#));
    order
}

/// A bank whose RFQ contract has seen nothing yet, and takes every call.
pub fn desk() -> super::Bank {
    let bank = bank(Token::default());
    let rfq = |call: &Json| {
        let is_read = text(call, "data").starts_with("0x0b57f091");
        Ok(Json::String(if is_read { format!("0x{}", "0".repeat(64)) } else { "0x".into() }))
    };
    let mut chain = bank.rig.world.chain.borrow_mut();
    let node = chain.node(8453);
    node.contracts.insert(RFQ.parse().unwrap(), Box::new(rfq));
    node.balance = U256::from(10).pow(U256::from(18));
    node.allowances.insert((DEST.parse().unwrap(), RFQ.parse().unwrap()), U256::from(40_000_000_000_000_000_u64));
    drop(chain);
    bank
}

pub fn fill(rig: &Rig, permit: &Json, more: &str) -> Result<Json, Error> {
    let options = format!(r#"{DECIMALS},"permit":{}{more}}}"#, permit.write());
    rig.call("otc.buildFill", &order(), &options)
}

#[test]
fn a_takers_permit_goes_into_the_fill_once() {
    let desk = desk();
    let permit = desk.sign(&order(), r#"{"kind":"eip2612"}"#).unwrap();
    assert_eq!((text(&permit, "spender"), text(&permit, "token")), (RFQ, SRC));
    assert_eq!(text(&permit, "amount"), "100000000");
    let build = fill(&desk.rig, &permit, "").unwrap();
    assert!(text(&build, "transaction.data").starts_with("0xda6b84af"));
    assert!(text(&build, "transaction.data").contains(&text(&permit, "bytes")[2..]));
    assert_eq!(build.get("approval"), Some(&Json::Null));
    let sent = desk.rig.call("submit", &build, "{}").unwrap();
    assert_eq!(text(&sent, "kind"), "sent");
    let error = fill(&desk.rig, &permit, "").unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("options.permit")));
    assert_eq!(error.actual.as_deref(), Some("a used one"));
}

#[test]
fn of_several_orders_the_first_fill_alone_uses_the_permit() {
    let desk = desk();
    let mut other = order();
    set(&mut other, "nonceAndMeta", r#""8""#);
    let maker = Signer::new(MAKER_KEY);
    let hash = otc_hash(&other);
    set(&mut other, "signature", &format!(r#""{}""#, hex::encode_prefixed(maker.sign(hash))));
    set(&mut other, "orderHash", &format!(r#""{hash}""#));
    let mut chain = desk.rig.world.chain.borrow_mut();
    chain.node(8453).allowances.insert((DEST.parse().unwrap(), RFQ.parse().unwrap()), U256::MAX);
    drop(chain);
    let permit = desk.sign(&order(), r#"{"kind":"eip2612","amount":"200000000"}"#).unwrap();
    let options = format!(r#"{DECIMALS},"permit":{}}}"#, permit.write());
    let both = Json::Array(vec![order(), other]);
    let build = desk.rig.call("otc.buildFill", &both, &options).unwrap();
    let data = text(&build, "transaction.data");
    assert!(data.starts_with("0x077822bd"));
    assert_eq!(data.matches(&text(&permit, "bytes")[2..]).count(), 1, "used twice it would be refused");
    let short = desk.sign(&order(), r#"{"kind":"eip2612","amount":"199999999"}"#).unwrap();
    let options = format!(r#"{DECIMALS},"permit":{}}}"#, short.write());
    let error = desk.rig.call("otc.buildFill", &both, &options).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::VerifyMismatch, Some("permit.amount")));
}

#[test]
fn of_two_fills_with_one_permit_the_second_is_not_sent() {
    let desk = desk();
    let permit = desk.sign(&order(), r#"{"kind":"eip2612"}"#).unwrap();
    let [first, second] = [(); 2].map(|()| fill(&desk.rig, &permit, "").unwrap());
    desk.rig.call("submit", &first, "{}").unwrap();
    let error = desk.rig.call("submit", &second, "{}").unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("build.permit")));
    assert_eq!(desk.rig.world.wallet_was_asked("eth_sendTransaction").len(), 1);
    // Transactions that were sent are returned again, not refused.
    desk.rig.call("submit", &first, "{}").unwrap();
    assert_eq!(desk.rig.world.wallet_was_asked("eth_sendTransaction").len(), 1);
}

#[test]
fn a_permit_is_free_again_after_a_refusal_and_not_after_a_fill_that_may_have_been_sent() {
    for (code, may_be_sent) in [(4001, false), (-32603, true)] {
        let desk = desk();
        let permit = desk.sign(&order(), r#"{"kind":"eip2612"}"#).unwrap();
        let [first, second] = [(); 2].map(|()| fill(&desk.rig, &permit, "").unwrap());
        desk.rig.world.signer.borrow_mut().next_fails("eth_sendTransaction", code);
        desk.rig.call("submit", &first, "{}").unwrap_err();
        let outcome = desk.rig.call("submit", &second, "{}");
        let field = outcome.as_ref().err().and_then(|error| error.field.as_deref());
        assert_eq!(field, may_be_sent.then_some("build.permit"), "{code}: {outcome:?}");
    }
}

#[test]
fn nobody_is_asked_to_sign_for_permit2_in_place_of_the_token() {
    let desk = desk();
    let error = desk.sign(&order(), r#"{"kind":"permit2Transfer"}"#).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("options.kind")));
    desk.rig.world.assert_untouched();
}

#[test]
fn no_permit_is_asked_for_an_order_that_is_not_the_one_its_hash_says() {
    for (member, value) in [
        ("takerAmount", r#""100000001""#.to_owned()),
        ("takerAsset", format!(r#""{DEST}""#)),
        ("nonceAndMeta", r#""8""#.to_owned()),
    ] {
        let (desk, mut altered) = (desk(), order());
        set(&mut altered, member, &value);
        let error = desk.sign(&altered, r#"{"kind":"eip2612"}"#).unwrap_err();
        let found = (error.code, error.field.as_deref());
        assert_eq!(found, (ErrorCode::VerifyMismatch, Some("order.orderHash")), "{member}: {error:?}");
        desk.rig.world.assert_untouched();
    }
}

/// SRC for DEST, by the maker at the wallet.
pub const OFFER: &str = r#"{"chainId":8453,"makerAsset":"0x1111111111111111111111111111111111111111","takerAsset":"0x2222222222222222222222222222222222222222","makerAmount":"100000000","takerAmount":"40000000000000000","makerDecimals":6,"takerDecimals":18,"expiry":0}"#;

#[test]
fn a_makers_permit_is_posted_with_the_order_in_place_of_an_approval() {
    let desk = desk();
    let build = desk.rig.call("otc.build", &json(OFFER), "{}").unwrap();
    assert_eq!(desk.rig.call("submit", &build, "{}").unwrap_err().code, ErrorCode::InsufficientAllowance);
    let permit = desk.sign(&build, r#"{"kind":"eip2612"}"#).unwrap();
    assert_eq!((text(&permit, "token"), text(&permit, "amount")), (SRC, "100000000"));
    assert_eq!((text(&permit, "spender"), text(&permit, "owner")), (RFQ, desk.rig.owner().to_string().as_str()));
    let options = format!(r#"{{"permit":{}}}"#, permit.write());
    let order = desk.rig.call("submit", &build, &options).unwrap();
    let posted = json(desk.rig.world.sent("otcPost")[0].body.as_ref().unwrap());
    assert_eq!(text(&posted, "permitMakerAsset"), text(&permit, "bytes"));
    assert_eq!(text(&order, "orderHash"), text(&build, "orderHash"));
    let other = desk.rig.call("otc.build", &json(OFFER), "{}").unwrap();
    let error = desk.rig.call("submit", &other, &options).unwrap_err();
    assert_eq!((error.field.as_deref(), error.actual.as_deref()), (Some("options.permit"), Some("a used one")));
}

#[test]
fn a_makers_permit_is_posted_by_the_page_after_a_reload_too() {
    let desk = desk();
    desk.rig.world.browser.has_storage.set(true);
    let build = desk.rig.call("otc.build", &json(OFFER), "{}").unwrap();
    let permit = desk.sign(&build, r#"{"kind":"eip2612"}"#).unwrap();
    desk.rig.world.service.borrow_mut().always("otcPost", || Err(HttpFailure::Network(None)));
    desk.rig.submit_with(&build, &format!(r#"{{"permit":{}}}"#, permit.write())).unwrap_err();
    desk.rig.world.service.borrow_mut().recovers();
    let page = Rig::in_world(desk.rig.world.clone(), |_, _| {});
    page.call("trades.resume", &Json::Object(vec![]), "{}").unwrap();
    let posted = json(page.world.sent("otcPost").last().unwrap().body.as_ref().unwrap());
    assert_eq!(text(&posted, "permitMakerAsset"), text(&permit, "bytes"));
}

#[test]
fn a_permit_is_not_passed_beside_an_order_that_carries_it() {
    let desk = desk();
    let quote = desk.rig.quote(crate::fake_host::SELL).unwrap();
    let build = desk.rig.build(&quote, r#"{"slippageBps":50}"#).unwrap();
    let permit = desk.sign(&quote, r#"{"kind":"eip2612"}"#).unwrap();
    let error = desk.rig.call("submit", &build, &format!(r#"{{"permit":{}}}"#, permit.write())).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("options.permit")));
}

#[test]
fn a_makers_prompt_that_goes_away_while_the_permit_is_checked_is_not_replaced_by_an_unchecked_one() {
    let desk = desk();
    let rig = &desk.rig;
    let build = rig.call("otc.build", &json(OFFER), "{}").unwrap();
    let permit = desk.sign(&build, r#"{"kind":"eip2612"}"#).unwrap();
    let options = format!(r#"{{"permit":{}}}"#, permit.write());
    let signal = rig.signal.0.clone();
    rig.world.once(Moment::Answer("eth_signTypedData_v4"), move |_| signal.set(true));
    assert_eq!(rig.submit_with(&build, &options).unwrap_err().code, ErrorCode::Aborted);
    rig.signal.0.set(false);
    let prompts = rig.world.prompts();
    // The first attempt's prompt is refused while the second one reads the chain.
    let shared = rig.client.shared.clone();
    rig.world.once(Moment::Answer("eth_call"), move |_| shared.ledger.prompts.borrow_mut().clear());
    rig.world.signer.borrow_mut().chain_id = 1;
    assert_eq!(rig.submit_with(&build, &options).unwrap_err().code, ErrorCode::WrongChain);
    assert_eq!(rig.world.prompts(), prompts);
}
