//! Cancelling by one signature: what is signed is made here, for open orders of one owner on one chain.

use super::fake_host::{DELTA, Moment, OWNER_KEY, Place, Rig, Signer, answer, at, json, set, text};
use alloy_primitives::{B256, hex, keccak256};
use std::cell::RefCell;
use verified_swap_trade::flows::Progress;
use verify::internal::domain::eip712;
use verify::internal::error::{Error, ErrorCode};
use verify::internal::json::{Json, parse};

pub const FIRST: &str = "0b1e6a9c-0000-4000-8000-000000000001";
const SECOND: &str = "0b1e6a9c-0000-4000-8000-000000000002";
/// The hash of `OrderCancellations(string[] orderIds)`.
const TYPE_HASH: &str = "0x43f63d22e1f2516d808508153e00c62b6e2ab72a0ae5735d6c6b3997a4a8cac4";

pub fn order(rig: &Rig, id: &str) -> Json {
    json(&format!(
        r#"{{"id":"{id}","status":"ACTIVE","owner":"{:#x}","input":{{"chainId":8453,"token":"{DELTA}"}}}}"#,
        rig.owner()
    ))
}

fn cancel_telling(rig: &Rig, orders: &Json, tell: &dyn Fn(Progress)) -> Result<Json, Error> {
    rig.call_telling("cancel", orders, "{}", tell).map(|text| json(&text))
}

fn cancel(rig: &Rig, orders: &Json) -> Result<Json, Error> {
    cancel_telling(rig, orders, &|_| {})
}

/// A rig whose service cancels what it is asked to.
pub fn rig() -> Rig {
    let rig = Rig::default();
    willing(&rig);
    rig
}

fn willing(rig: &Rig) {
    rig.world.service.borrow_mut().next("cancel", |_, request| {
        let body = json(request.body.as_ref().unwrap());
        answer(200, format!(r#"{{"cancelled":{}}}"#, at(&body, "orderIds").write()))
    });
}

fn bodies(rig: &Rig) -> Vec<Json> {
    rig.world.sent("cancel").iter().map(|request| json(request.body.as_ref().unwrap())).collect()
}

/// The digest, computed by hand.
fn digest(ids: &[&str]) -> B256 {
    let words = |words: &[B256]| keccak256(words.concat());
    let domain = words(&[
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
        keccak256("Portikus"),
        keccak256("2.0.0"),
        B256::from(alloy_primitives::U256::from(8453)),
        DELTA.parse::<alloy_primitives::Address>().unwrap().into_word(),
    ]);
    let ids: Vec<B256> = ids.iter().map(keccak256).collect();
    let message = words(&[TYPE_HASH.parse().unwrap(), words(&ids)]);
    keccak256([&[0x19, 1][..], domain.as_slice(), message.as_slice()].concat())
}

fn compact(digest: B256) -> Vec<u8> {
    let mut bytes = Signer::new(OWNER_KEY).sign(digest).to_vec();
    let v = bytes.pop().unwrap();
    bytes[32] |= (v - 27) << 7;
    bytes
}

#[test]
fn one_order_is_cancelled_by_one_signature() {
    let rig = rig();
    let steps = RefCell::default();
    let told = |step: Progress| RefCell::<Vec<&str>>::borrow_mut(&steps).push(step.step);
    let done = cancel_telling(&rig, &order(&rig, FIRST), &told).unwrap();
    assert_eq!(done.write(), format!(r#"{{"orderIds":["{FIRST}"]}}"#));
    let params = json(&rig.world.wallet_was_asked("eth_signTypedData_v4")[0]);
    assert_eq!(text(&params, "0"), rig.owner().to_string());
    let typed_data = json(text(&params, "1"));
    assert_eq!(text(&typed_data, "primaryType"), "OrderCancellations");
    assert_eq!(at(&typed_data, "types.OrderCancellations").write(), r#"[{"name":"orderIds","type":"string[]"}]"#);
    assert_eq!(at(&typed_data, "message").write(), format!(r#"{{"orderIds":["{FIRST}"]}}"#));
    assert_eq!(eip712::digest(&typed_data).unwrap().digest, digest(&[FIRST]));
    assert_eq!(rig.world.sent("cancel")[0].url, "https://service.test/v2/delta/orders/cancel");
    let signature = hex::encode_prefixed(compact(digest(&[FIRST])));
    assert_eq!(bodies(&rig)[0].write(), format!(r#"{{"orderIds":["{FIRST}"],"signature":"{signature}"}}"#));
    assert_eq!(*steps.borrow(), ["checking", "signing", "posting", "posted"]);
    assert_eq!(rig.world.requests.borrow().len(), 1, "the service is not asked to build anything");
}

#[test]
fn several_orders_are_cancelled_by_one_signature_in_their_order() {
    let rig = rig();
    let orders = Json::Array(vec![order(&rig, SECOND), order(&rig, FIRST)]);
    let done = cancel(&rig, &orders).unwrap();
    assert_eq!(done.write(), format!(r#"{{"orderIds":["{SECOND}","{FIRST}"]}}"#));
    assert_eq!(text(&bodies(&rig)[0], "signature"), hex::encode_prefixed(compact(digest(&[SECOND, FIRST]))));
    assert_eq!(rig.world.prompts(), 1);
}

#[test]
fn a_hundred_orders_are_as_many_as_there_can_be() {
    let many = |rig: &Rig, count: usize| {
        Json::Array((0..count).map(|index| order(rig, &format!("{}{index:03}", &FIRST[..33]))).collect())
    };
    let rig = rig();
    cancel(&rig, &many(&rig, 100)).unwrap();
    let other = Rig::default();
    let error = cancel(&other, &many(&other, 101)).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("orders.100.id")));
    let error = cancel(&other, &json("[]")).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("orders")));
    other.world.assert_untouched();
}

#[test]
fn the_error_for_an_invalid_order_says_what_is_accepted() {
    let orders = "an order or a list of orders";
    for (name, passed, field, expected) in [
        ("cancel", format!(r#""{FIRST}""#), "orders", orders),
        ("cancel", "null".into(), "orders", orders),
        ("cancel", format!(r#"["{FIRST}"]"#), "orders.0", "an order"),
        ("buildCancellation", format!(r#""{FIRST}""#), "order", "an order"),
        ("buildCancellation", "[{}]".into(), "order", "an order"),
        ("build", "7".into(), "quote", "a quote, a Market request, or a build and its permit"),
        ("submit", format!(r#""{FIRST}""#), "build", "a build or a signed order"),
        ("signPermit", "true".into(), "quote", "a build, a quote or an OTC order"),
        ("otc.buildFill", format!(r#""{FIRST}""#), "order", "an OTC order or a list of them"),
        ("otc.buildCancellation", "null".into(), "order", "an OTC order or a list of them"),
    ] {
        let rig = Rig::default();
        let error = rig.call(name, &json(&passed), "{}").expect_err(name);
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some(field)), "{name}: {error:?}");
        assert_eq!(error.expected.as_deref(), Some(expected), "{name}");
        rig.world.assert_untouched();
    }
}

#[test]
fn orders_that_cannot_be_cancelled_together_or_at_all_open_no_prompt() {
    for (path, value, field) in [
        ("1.owner", format!(r#""{DELTA}""#), "orders.1.owner"),
        ("1.owner", "null".into(), "orders.1.owner"),
        ("1.input.chainId", "10".into(), "orders.1.input.chainId"),
        ("1.input", "{}".into(), "orders.1.input.chainId"),
        ("1.id", format!(r#""{FIRST}""#), "orders.1.id"),
        ("1.id", r#""""#.into(), "orders.1.id"),
        ("0.id", "7".into(), "orders.0.id"),
        ("0.id", r#""""#.into(), "orders.0.id"),
        ("0.id", r#""Sign in to example.com""#.into(), "orders.0.id"),
        ("0.id", format!(r#""{FIRST} ""#), "orders.0.id"),
        ("0.id", format!(r#""{}""#, FIRST.replace('-', "")), "orders.0.id"),
        ("0.id", format!(r#""{{{FIRST}}}""#), "orders.0.id"),
        ("0.id", format!(r#""{}""#, FIRST.replace('0', "g")), "orders.0.id"),
        ("0.id", format!(r#""{}""#, FIRST.replace('0', "\u{ff10}")), "orders.0.id"),
        ("1.id", format!(r#""{}""#, FIRST.to_ascii_uppercase()), "orders.1.id"),
        ("0.status", r#""COMPLETED""#.into(), "orders.0.status"),
        ("1.status", r#""CANCELLED""#.into(), "orders.1.status"),
    ] {
        let rig = Rig::default();
        let mut orders = Json::Array(vec![order(&rig, FIRST), order(&rig, SECOND)]);
        set(&mut orders, path, &value);
        let error = cancel(&rig, &orders).expect_err(path);
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some(field)), "{error:?}");
        rig.world.assert_untouched();
        assert!(rig.world.requests.borrow().is_empty());
    }
    // A status nobody knows may be an open one.
    let rig = rig();
    let mut unknown = order(&rig, FIRST);
    set(&mut unknown, "status", r#""EXECUTING""#);
    cancel(&rig, &unknown).unwrap();
}

#[test]
fn both_replies_are_read_and_others_are_not_taken_for_success() {
    for (reply, cancelled) in [
        (format!(r#"{{"cancelled":["{SECOND}"]}}"#), format!(r#"["{SECOND}"]"#)),
        (r#"{"cancelled":[]}"#.into(), "[]".into()),
        (format!(r#"{{"cancelled":["{FIRST}","somebody else's"]}}"#), format!(r#"["{FIRST}"]"#)),
        (r#"{"success":true}"#.into(), format!(r#"["{FIRST}","{SECOND}"]"#)),
    ] {
        let rig = Rig::default();
        let body = reply.clone();
        rig.world.service.borrow_mut().next("cancel", move |_, _| answer(200, body));
        let done = cancel(&rig, &Json::Array(vec![order(&rig, FIRST), order(&rig, SECOND)])).unwrap();
        assert_eq!(at(&done, "orderIds").write(), cancelled, "{reply}");
    }
    for (reply, code) in [
        (r#"{"success":false}"#, ErrorCode::ServiceRejected),
        ("{}", ErrorCode::ServiceMalformed),
        ("[]", ErrorCode::ServiceMalformed),
        (r#"{"cancelled":true}"#, ErrorCode::ServiceMalformed),
        ("cancelled", ErrorCode::ServiceMalformed),
    ] {
        let rig = Rig::default();
        rig.world.service.borrow_mut().next_is("cancel", 200, reply);
        assert_eq!(cancel(&rig, &order(&rig, FIRST)).unwrap_err().code, code, "{reply}");
    }
}

#[test]
fn a_refusal_is_passed_on_and_what_was_signed_is_not_asked_for_again() {
    let rig = Rig::default();
    let body = r#"{"errorType":"InvalidInput","details":"Order already settled"}"#;
    rig.world.service.borrow_mut().next_is("cancel", 400, body);
    let error = cancel(&rig, &order(&rig, FIRST)).unwrap_err();
    assert_eq!((error.code, error.status), (ErrorCode::ServiceRejected, Some(400)));
    assert_eq!(error.details.as_deref(), Some("Order already settled"));
    rig.world.service.borrow_mut().next_is_lost("cancel");
    assert_eq!(cancel(&rig, &order(&rig, FIRST)).unwrap_err().code, ErrorCode::Network);
    willing(&rig);
    cancel(&rig, &order(&rig, FIRST)).unwrap();
    let bodies = bodies(&rig);
    assert!(rig.world.prompts() == 1 && bodies.len() == 3 && bodies.iter().all(|body| *body == bodies[0]));
}

#[test]
fn a_form_of_the_signature_that_is_refused_is_followed_by_the_wallets_own() {
    let rig = Rig::default();
    rig.world.service.borrow_mut().next_is("cancel", 400, r#"{"errorType":"InvalidSignature"}"#);
    willing(&rig);
    cancel(&rig, &order(&rig, FIRST)).unwrap();
    let sent = bodies(&rig);
    assert_eq!(text(&sent[0], "signature"), hex::encode_prefixed(compact(digest(&[FIRST]))));
    let full = Signer::new(OWNER_KEY).sign(digest(&[FIRST]));
    assert_eq!(text(&sent[1], "signature"), hex::encode_prefixed(full));
    assert_eq!(rig.world.prompts(), 1);
    // Both refused: the next attempt asks again.
    for _ in 0..2 {
        rig.world.service.borrow_mut().next_is("cancel", 400, r#"{"errorType":"InvalidSignature"}"#);
    }
    assert_eq!(cancel(&rig, &order(&rig, FIRST)).unwrap_err().code, ErrorCode::SignatureMismatch);
    willing(&rig);
    cancel(&rig, &order(&rig, FIRST)).unwrap();
    assert_eq!((rig.world.prompts(), bodies_count(&rig)), (3, 5));
}

fn bodies_count(rig: &Rig) -> usize {
    rig.world.sent("cancel").len()
}

#[test]
fn only_the_owners_signature_cancels() {
    let rig = rig();
    rig.world
        .signer
        .borrow_mut()
        .next_signature(|_, digest| format!(r#""{}""#, hex::encode_prefixed(Signer::new([9; 32]).sign(digest))));
    assert_eq!(cancel(&rig, &order(&rig, FIRST)).unwrap_err().code, ErrorCode::SignatureMismatch);
    assert!(rig.world.sent("cancel").is_empty());
    rig.world.signer.borrow_mut().next_fails("eth_signTypedData_v4", 4001);
    assert_eq!(cancel(&rig, &order(&rig, FIRST)).unwrap_err().code, ErrorCode::UserRejected);
    cancel(&rig, &order(&rig, FIRST)).unwrap();
    assert_eq!(rig.world.prompts(), 3);
}

#[test]
fn an_owner_with_code_cancels_with_the_bytes_its_account_takes() {
    let rig = rig();
    let owner = rig.owner();
    {
        let mut chain = rig.world.chain.borrow_mut();
        let node = chain.node(8453);
        node.code.insert(owner, vec![0x60]);
        let yes = format!("0x1626ba7e{}", "0".repeat(56));
        node.contracts.insert(owner, Box::new(move |_| Ok(Json::String(yes.clone()))));
    }
    rig.world.signer.borrow_mut().next_signature(|_, _| format!(r#""0x{}""#, "ab".repeat(200)));
    cancel(&rig, &order(&rig, FIRST)).unwrap();
    assert_eq!(text(&bodies(&rig)[0], "signature"), format!("0x{}", "ab".repeat(200)));
}

#[test]
fn the_wallets_account_and_chain_are_the_orders() {
    let rig = Rig::default();
    rig.world.signer.borrow_mut().chain_id = 1;
    assert_eq!(cancel(&rig, &order(&rig, FIRST)).unwrap_err().code, ErrorCode::WrongChain);
    rig.world.signer.borrow_mut().chain_id = 8453;
    rig.world.signer.borrow_mut().accounts = vec![Signer::new([9; 32]).accounts[0]];
    assert_eq!(cancel(&rig, &order(&rig, FIRST)).unwrap_err().code, ErrorCode::WrongAccount);
    rig.world.assert_untouched();
    let stopped = Rig::default();
    let signal = stopped.signal.0.clone();
    stopped.world.once(super::fake_host::Moment::Ask(Place::Wallet, "eth_chainId"), move |_| signal.set(true));
    assert_eq!(cancel(&stopped, &order(&stopped, FIRST)).unwrap_err().code, ErrorCode::Aborted);
    stopped.world.assert_untouched();
}

#[test]
fn an_order_as_the_service_reports_it_is_what_is_cancelled() {
    let rig = rig();
    let built = rig.built(super::fake_host::SELL).unwrap();
    let mut posted = rig.submit(&built).unwrap();
    set(&mut posted, "input", r#"{"chainId":8453}"#);
    let done = cancel(&rig, &posted).unwrap();
    assert_eq!(at(&done, "orderIds.0"), at(&posted, "id"));
    assert!(parse(&done.write()).is_ok());
}

#[test]
fn where_a_prompt_is_gone_the_next_one_opens_on_the_orders_chain() {
    let rig = rig();
    let orders = order(&rig, FIRST);
    let prompts = rig.world.prompts();
    rig.world.signer.borrow_mut().next_fails("eth_signTypedData_v4", 4001);
    let signal = rig.signal.0.clone();
    rig.world.once(Moment::Answer("eth_signTypedData_v4"), move |_| signal.set(true));
    assert_eq!(cancel(&rig, &orders).unwrap_err().code, ErrorCode::Aborted);
    rig.signal.0.set(false);
    rig.world.signer.borrow_mut().chain_id = 1;
    assert_eq!(cancel(&rig, &orders).unwrap_err().code, ErrorCode::WrongChain);
    assert_eq!(rig.world.prompts() - prompts, 1);
}
