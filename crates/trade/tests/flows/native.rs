//! Selling the native token: signed like any order; where the service wants a deposit first, a transaction makes it.

use super::fake_host::{DELTA, Moment, Place, Rig, SELL, SRC, WRAPPED, answer, at, json, native_sale, set, text};
use alloy_primitives::{B256, U256, hex};
use std::rc::Rc;
use verified_swap_trade::host::HttpAnswer;
use verify::internal::error::ErrorCode;
use verify::internal::json::Json;

const NATIVE: &str = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE";
const SEND: &str = "eth_sendTransaction";

/// A rig whose chain has a Delta contract, and an owner with native balance, nothing of it deposited.
pub fn rig() -> Rig {
    let rig = Rig::default();
    let mut chain = rig.world.chain.borrow_mut();
    let contract = Box::new(|_: &Json| Ok(json(r#""0x""#)));
    chain.node(8453).contracts.insert(DELTA.parse().unwrap(), contract);
    chain.node(8453).balance = U256::ZERO;
    drop(chain);
    rig
}

/// The length of each signature that was posted, in bytes.
fn signatures(rig: &Rig) -> Vec<usize> {
    rig.world.posts().iter().map(|body| (text(&json(body), "signature").len() - 2) / 2).collect()
}

/// The service takes any signature, and says this of the order while it has not been told of a deposit.
pub fn waits(rig: &Rig) {
    rig.world.service.borrow_mut().takes = Some(Box::new(|_| true));
    rig.world.service.borrow_mut().accepts_but(|said: HttpAnswer| {
        let mut order = json(&said.body);
        set(&mut order, "status", r#""AWAITING_SIGNATURE""#);
        answer(200, order.write())
    });
}

fn sent(rig: &Rig) -> Vec<Json> {
    let asked = rig.world.wallet_was_asked(SEND);
    asked.iter().map(|params| at(&json(params), "0").clone()).collect()
}

fn deposit(build: &Json) -> String {
    let hash: B256 = text(build, "orderHash").parse().unwrap();
    hex::encode_prefixed([&[0xa1, 0xe7, 0x79, 0x37][..], hash.as_slice()].concat())
}

#[test]
fn a_service_that_takes_a_signature_gets_one_and_no_transaction_is_sent() {
    let rig = rig();
    let build = rig.built(&native_sale()).unwrap();
    assert_eq!(at(&build, "approval"), &Json::Null, "nothing can be approved");
    assert!(rig.world.sent("quote")[0].url.contains(&format!("&srcToken={NATIVE}&")));
    rig.submit(&build).unwrap();
    assert_eq!((signatures(&rig), rig.world.prompts(), sent(&rig).len()), (vec![64], 1, 0));
    assert_eq!(rig.step_names(), ["checking", "signing", "signed", "posting", "posted"]);
    assert!(rig.steps.borrow()[2..].iter().all(|step| step.signed_order.is_some()));
    // So does the next.
    rig.submit(&rig.built(&native_sale().replace(r#""1000000000000000000""#, r#""2000000000000000000""#)).unwrap())
        .unwrap();
    assert_eq!((signatures(&rig), sent(&rig).len()), (vec![64, 64], 0));
}

#[test]
fn a_wrapped_source_in_the_typed_data_is_the_native_token() {
    let rig = rig();
    rig.world.service.borrow_mut().build_lie =
        Some(Box::new(|build| set(build, "toSign.value.srcToken", &format!(r#""{WRAPPED}""#))));
    rig.submit(&rig.built(&native_sale()).unwrap()).unwrap();
    let other = self::rig();
    other.world.service.borrow_mut().build_lie =
        Some(Box::new(|build| set(build, "toSign.value.srcToken", &format!(r#""{SRC}""#))));
    let error = other.built(&native_sale()).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::VerifyMismatch, Some("order.srcToken")));
}

#[test]
fn a_service_that_waits_for_the_deposit_gets_it_and_the_order_without_a_signature() {
    let rig = rig();
    let build = rig.built(&native_sale()).unwrap();
    waits(&rig);
    let order = rig.submit(&build).unwrap();
    assert_eq!(text(&order, "status"), "PENDING", "as the service reports it after the deposit");
    let transactions = sent(&rig);
    assert_eq!(transactions.len(), 1);
    assert_eq!(text(&transactions[0], "data"), deposit(&build));
    assert_eq!(text(&transactions[0], "value"), "0xde0b6b3a7640000", "one ether");
    assert_eq!(text(&transactions[0], "to").to_ascii_lowercase(), DELTA);
    assert_eq!((signatures(&rig), rig.world.prompts()), (vec![64, 0], 1));
    let steps = rig.step_names();
    assert_eq!(steps[..5], ["checking", "signing", "signed", "posting", "presigning"]);
    assert_eq!(steps[steps.len() - 4..], ["confirming", "signed", "posting", "posted"]);
}

#[test]
fn after_one_deposit_a_signature_alone_is_not_tried_again() {
    let rig = rig();
    waits(&rig);
    let first = rig.built(&native_sale()).unwrap();
    rig.submit(&first).unwrap();
    rig.fill(&first);
    let second = rig.built(&native_sale()).unwrap();
    rig.submit(&second).unwrap();
    rig.fill(&second);
    assert_eq!((signatures(&rig), rig.world.prompts(), sent(&rig).len()), (vec![64, 0, 0], 1, 2));
    assert_eq!(text(&sent(&rig)[1], "data"), deposit(&second));
    // Deposited tokens can be taken on a signature, and a token always.
    rig.world.chain.borrow_mut().node(8453).balance = U256::from(10).pow(U256::from(18));
    rig.submit(&rig.built(&native_sale()).unwrap()).unwrap();
    rig.submit(&rig.built(SELL).unwrap()).unwrap();
    assert_eq!((signatures(&rig), rig.world.prompts(), sent(&rig).len()), (vec![64, 0, 0, 64, 64], 3, 2));
}

#[test]
fn a_refusal_for_want_of_the_deposit_is_followed_by_it() {
    for refusal in [
        r#"{"errorType":"InvalidSignature"}"#,
        r#"{"errorType":"InsufficientBalance"}"#,
        r#"{"errorType":"InvalidInput","details":"Insufficient allowance"}"#,
        r#"{"errorType":"X","details":"native deposit not found"}"#,
        r#"{"errorType":"X","details":"order is not pre-signed"}"#,
    ] {
        let rig = rig();
        let build = rig.built(&native_sale()).unwrap();
        rig.world.service.borrow_mut().takes = Some(Box::new(|signature| signature == "0x"));
        rig.world.service.borrow_mut().next_is("post", 400, refusal);
        rig.submit(&build).unwrap_or_else(|error| panic!("{refusal}: {error:?}"));
        assert_eq!((signatures(&rig), sent(&rig).len()), (vec![64, 0], 1), "{refusal}");
    }
}

#[test]
fn a_refusal_for_another_reason_deposits_nothing() {
    for (status, refusal) in [(400, r#"{"errorType":"OrderExpired"}"#), (400, r#"{"errorType":"InvalidInput"}"#)] {
        let rig = rig();
        let build = rig.built(&native_sale()).unwrap();
        rig.world.service.borrow_mut().next_is("post", status, refusal);
        let error = rig.submit(&build).unwrap_err();
        assert!(error.signed_order.is_some() && sent(&rig).is_empty(), "{refusal}");
    }
    // Nor does any answer to an order that sells a token.
    let rig = Rig::default();
    let build = rig.built(SELL).unwrap();
    rig.world.service.borrow_mut().next_is("post", 400, r#"{"errorType":"InsufficientBalance"}"#);
    assert_eq!(rig.submit(&build).unwrap_err().code, ErrorCode::InsufficientBalance);
    waits(&rig);
    rig.submit(&build).unwrap();
    assert!(sent(&rig).is_empty());
}

#[test]
fn what_is_deposited_already_is_not_deposited_again() {
    let rig = rig();
    rig.world.chain.borrow_mut().node(8453).balance = U256::from(10).pow(U256::from(18));
    let build = rig.built(&native_sale()).unwrap();
    waits(&rig);
    rig.submit(&build).unwrap();
    let transactions = sent(&rig);
    assert_eq!(transactions.len(), 1);
    assert!(text(&transactions[0], "data").starts_with("0xeb8fb268"), "the hash is set, no more");
    assert_eq!(text(&transactions[0], "value"), "0x0");
}

#[test]
fn a_deposit_that_other_orders_claim_is_made_once_more() {
    let ether = 10_u128.pow(18);
    for (token, claimed, again) in [
        (WRAPPED.to_owned(), ether, true),
        (NATIVE.to_owned(), 1, true),
        (NATIVE.to_ascii_lowercase(), 1, true),
        (SRC.to_owned(), ether, false),
    ] {
        let rig = rig();
        rig.world.chain.borrow_mut().node(8453).balance = U256::from(ether);
        let build = rig.built(&native_sale()).unwrap();
        waits(&rig);
        let map = format!(r#"{{"{token}":"{claimed}"}}"#);
        rig.world.service.borrow_mut().next("fillableBalance", move |_, _| answer(200, map));
        rig.submit(&build).unwrap();
        assert_eq!(text(&sent(&rig)[0], "data") == deposit(&build), again, "{token}");
        let url = rig.world.sent("fillableBalance").pop().unwrap().url;
        assert!(url.ends_with(&rig.owner().to_string()), "the map of all tokens: {url}");
    }
}

#[test]
fn asked_to_sign_on_chain_the_deposit_is_made_at_once() {
    let rig = rig();
    let build = rig.built(&native_sale()).unwrap();
    rig.world.service.borrow_mut().takes = Some(Box::new(|signature| signature == "0x"));
    rig.submit_with(&build, r#"{"preSign":true}"#).unwrap();
    assert_eq!((signatures(&rig), rig.world.prompts()), (vec![0], 0));
    assert_eq!(text(&sent(&rig)[0], "data"), deposit(&build));
}

#[test]
fn a_native_balance_short_by_one_is_reported_before_any_prompt() {
    let rig = rig();
    let build = rig.built(&native_sale()).unwrap();
    let ether = U256::from(10).pow(U256::from(18));
    rig.world.chain.borrow_mut().node(8453).native_balance = ether - U256::from(1);
    let error = rig.submit(&build).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InsufficientBalance, Some("balance")));
    rig.world.assert_untouched();
    // Deposits count as well.
    rig.world.chain.borrow_mut().node(8453).balance = ether;
    rig.submit(&build).unwrap();
}

#[test]
fn a_deposit_that_is_refused_by_the_user_leaves_the_signed_order() {
    let rig = rig();
    let build = rig.built(&native_sale()).unwrap();
    waits(&rig);
    rig.world.signer.borrow_mut().next_fails(SEND, 4001);
    let error = rig.submit(&build).unwrap_err();
    assert_eq!(error.code, ErrorCode::UserRejected);
    let signed = json(error.signed_order.as_ref().unwrap());
    assert_eq!(text(&signed, "signature").len(), 130);
    // Submitted again, it is posted again, and the deposit is asked for again.
    waits(&rig);
    rig.submit(&signed).unwrap();
    assert_eq!((signatures(&rig), rig.world.prompts(), sent(&rig).len()), (vec![64, 64, 0], 1, 2));
}

#[test]
fn a_deposit_is_made_once_although_the_post_behind_it_fails() {
    let rig = rig();
    let build = rig.built(&native_sale()).unwrap();
    waits(&rig);
    rig.world.once(Moment::Told("eth_getTransactionReceipt"), |world| {
        let mut service = world.service.borrow_mut();
        service.next_is("post", 400, r#"{"errorType":"Broken"}"#);
        service.next_is("orderByHash", 404, "");
    });
    let error = rig.submit(&build).unwrap_err();
    assert_eq!(error.error_type.as_deref(), Some("Broken"));
    let signed = json(error.signed_order.as_ref().unwrap());
    assert_eq!(text(&signed, "signature"), "0x", "what counts now is what was signed on chain");
    let other = Rig::in_world(rig.world.clone(), |_, bound| bound.wallet = None);
    other.submit(&signed).unwrap();
    assert_eq!((signatures(&rig), rig.world.prompts(), sent(&rig).len()), (vec![64, 0, 0], 1, 1));
}

/// The owner's open orders, as the service lists them: hash, token and what each gives.
fn lists(rig: &Rig, orders: &[(&str, &str, u128)], has_more: bool) {
    let orders: Vec<String> = orders
        .iter()
        .map(|(hash, token, gives)| {
            format!(
                r#"{{"id":"{gives}","orderHash":"{hash}","status":"ACTIVE","input":{{"token":"{token}"}},"order":{{"srcAmount":"{gives}"}}}}"#
            )
        })
        .collect();
    let page = format!(r#"{{"data":[{}],"hasMore":{has_more}}}"#, orders.join(","));
    rig.world.service.borrow_mut().next("orders", move |_, _| answer(200, page));
}

#[test]
fn what_the_order_itself_claims_is_not_deposited_twice() {
    let ether = 10_u128.pow(18);
    let other = format!("0x{}", "77".repeat(32));
    // Deposited, claimed by all orders, of which by another one, whether the list has it all, and this order's name in it.
    for (deposited, claimed, others, has_more, is_there, again) in [
        (ether, ether, None, false, true, false),
        (ether, ether, None, true, true, true),
        (ether, ether, None, false, false, true),
        (ether, 2 * ether, Some(ether), false, true, true),
        (2 * ether, 2 * ether, Some(ether), false, true, false),
        (2 * ether, 2 * ether, Some(ether + 1), false, true, true),
        (2 * ether - 1, 2 * ether, Some(ether), false, true, true),
    ] {
        let rig = rig();
        rig.world.chain.borrow_mut().node(8453).balance = U256::from(deposited);
        let build = rig.built(&native_sale()).unwrap();
        waits(&rig);
        let map = format!(r#"{{"{WRAPPED}":"{claimed}"}}"#);
        rig.world.service.borrow_mut().next("fillableBalance", move |_, _| answer(200, map));
        let own = if is_there { text(&build, "orderHash") } else { &other };
        let mut orders = vec![(own, WRAPPED, ether)];
        let others_hash = format!("0x{}", "55".repeat(32));
        orders.extend(others.map(|gives| (others_hash.as_str(), NATIVE, gives)));
        // An order of another token claims nothing of it.
        let third = format!("0x{}", "66".repeat(32));
        orders.push((&third, SRC, ether));
        lists(&rig, &orders, has_more);
        rig.submit(&build).unwrap();
        let case = format!("{deposited} {claimed} {others:?} {has_more} {is_there}");
        assert_eq!(text(&sent(&rig)[0], "data") == deposit(&build), again, "{case}");
        let url = rig.world.sent("orders").pop().unwrap().url;
        assert!(url.contains(&format!("userAddress={}&chainId=8453&status=", rig.owner())), "{url}");
    }
}

#[test]
fn two_attempts_at_once_make_one_deposit() {
    let rig = Rc::new(rig());
    rig.world.service.borrow_mut().takes = Some(Box::new(|_| true));
    let build = rig.built(&native_sale()).unwrap();
    let (again, same) = (Rc::clone(&rig), build.clone());
    rig.world.once(Moment::Ask(Place::Wallet, "eth_chainId"), move |_| {
        again.submit_with(&same, r#"{"preSign":true}"#).unwrap();
    });
    rig.submit_with(&build, r#"{"preSign":true}"#).unwrap();
    assert_eq!(sent(&rig).len(), 1);
    assert_eq!(text(&sent(&rig)[0], "data"), deposit(&build));
}
