//! Taking back on chain: what the owner's wallet is asked to send, encoded by another library.

use super::delta_abi::IDelta::{
    cancelAndWithdrawCall, cancelTWAPAndWithdrawCall, cancelTWAPBuyAndWithdrawCall, invalidateNonceCall,
    withdrawNativeCall,
};
use super::delta_abi::{Bridge, ExternalOrder, FillableOrder, Order, TWAPBuyOrder, TWAPOrder};
use super::fake_host::{DELTA, Moment, Rig, SELL, SRC, WRAPPED, at, json, native_sale, set, text, verdicts};
use super::kinds::kinds;
use alloy_primitives::{Address, B256, Bytes, FixedBytes, U256, hex, keccak256};
use alloy_sol_types::{Eip712Domain, SolCall, SolStruct};
use verified_swap_trade::ledger::step::Event;
use verify::internal::domain::chain::Contracts;
use verify::internal::domain::transaction::Sent;
use verify::internal::error::ErrorCode;
use verify::internal::json::Json;

const NATIVE: &str = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";
const NONCE: u64 = 0x1234_5678_9abc;

fn domain() -> Eip712Domain {
    Eip712Domain {
        name: Some("Portikus".into()),
        version: Some("2.0.0".into()),
        chain_id: Some(U256::from(8453)),
        verifying_contract: Some(DELTA.parse().unwrap()),
        salt: None,
    }
}

/// The members all kinds of order have, as JSON, and those of one kind.
fn value(rig: &Rig, src: &str, own: &str) -> Json {
    json(&format!(
        r#"{{"owner":"{0:#x}","beneficiary":"{0}","srcToken":"{src}","destToken":"{SRC}",{own},"nonce":"{NONCE}","partnerAndFee":"513","permit":"0x","metadata":"0x0102030405","bridge":{{"protocolSelector":"0x01020304","destinationChainId":10,"outputToken":"{WRAPPED}","scalingFactor":-12,"protocolData":"0x{1}"}},"more":1}}"#,
        rig.owner(),
        "ab".repeat(33),
    ))
}

fn bridge() -> Bridge {
    Bridge {
        protocolSelector: FixedBytes([1, 2, 3, 4]),
        destinationChainId: U256::from(10),
        outputToken: WRAPPED.parse().unwrap(),
        scalingFactor: -12,
        protocolData: vec![0xab; 33].into(),
    }
}

fn order(rig: &Rig, src: &str) -> Order {
    Order {
        owner: rig.owner(),
        beneficiary: rig.owner(),
        srcToken: src.parse().unwrap(),
        destToken: SRC.parse().unwrap(),
        srcAmount: U256::from(7),
        destAmount: U256::from(8),
        expectedAmount: U256::from(9),
        deadline: U256::from(1_900_000_000),
        kind: 1,
        nonce: U256::from(NONCE),
        partnerAndFee: U256::from(513),
        permit: Bytes::new(),
        metadata: vec![1, 2, 3, 4, 5].into(),
        bridge: bridge(),
    }
}

const ORDER: &str = r#""srcAmount":"7","destAmount":"8","expectedAmount":"9","deadline":1900000000,"kind":1"#;

/// The words about an order that this client did not have signed.
const UNSEEN: &str = "; this client did not sign it: that it is the order you mean is the service's word";

/// An open order as the service reports it.
fn reported(rig: &Rig, hash: B256, value: &Json) -> Json {
    json(&format!(
        r#"{{"id":"1","status":"ACTIVE","onChainOrderType":"Order","owner":"{:#x}","orderHash":"{hash}","input":{{"chainId":8453}},"order":{}}}"#,
        rig.owner(),
        value.write()
    ))
}

/// The calldata of a build, held against all else that it must be.
#[track_caller]
fn data(rig: &Rig, build: &Json, purpose: &str) -> String {
    assert_eq!((text(build, "kind"), text(build, "purpose")), ("transaction", purpose));
    assert_eq!(text(build, "transaction.to").to_ascii_lowercase(), DELTA);
    assert_eq!(text(build, "transaction.from"), rig.owner().to_string());
    assert_eq!((text(build, "transaction.value"), text(build, "transaction.chainId")), ("0", "8453"));
    assert_eq!(at(build, "approval"), &Json::Null);
    text(build, "transaction.data").into()
}

#[test]
fn an_order_that_sells_a_token_is_ended_by_its_nonce() {
    let rig = Rig::default();
    let hash = order(&rig, SRC).eip712_signing_hash(&domain());
    let build = rig.call("buildCancellation", &reported(&rig, hash, &value(&rig, SRC, ORDER)), "{}").unwrap();
    let expected = invalidateNonceCall { nonce: U256::from(NONCE) }.abi_encode();
    assert_eq!(data(&rig, &build, "cancel"), hex::encode_prefixed(expected));
    assert_eq!(text(&build, "report.sentence"), format!("Cancel order {hash} on Base{UNSEEN}"));
    assert_eq!(verdicts(&build, "order.nonce"), ["unknown"]);
    rig.world.assert_untouched();
}

#[test]
fn an_order_that_sells_the_native_token_is_cancelled_with_what_was_deposited() {
    for src in [NATIVE, WRAPPED] {
        let rig = Rig::default();
        let one = order(&rig, src);
        let hash = one.eip712_signing_hash(&domain());
        let build = rig.call("buildCancellation", &reported(&rig, hash, &value(&rig, src, ORDER)), "{}").unwrap();
        let expected = cancelAndWithdrawCall { order: one, isFillable: false }.abi_encode();
        assert_eq!(data(&rig, &build, "cancel"), hex::encode_prefixed(expected), "{src}");
        // 7 raw units: BUY spends at most that.
        let paid = format!(
            " and pay back at most 0.000000000000000007 of the native token deposited for it, to {}",
            rig.owner()
        );
        assert_eq!(text(&build, "report.sentence"), format!("Cancel order {hash} on Base{paid}{UNSEEN}"));
    }
}

#[test]
fn an_order_filled_in_parts_is_told_by_its_hash() {
    let rig = Rig::default();
    let base = order(&rig, WRAPPED);
    let fillable = FillableOrder {
        owner: base.owner,
        beneficiary: base.beneficiary,
        srcToken: base.srcToken,
        destToken: base.destToken,
        srcAmount: base.srcAmount,
        destAmount: base.destAmount,
        expectedAmount: base.expectedAmount,
        deadline: base.deadline,
        kind: base.kind,
        nonce: base.nonce,
        partnerAndFee: base.partnerAndFee,
        permit: base.permit,
        metadata: base.metadata,
        bridge: base.bridge,
    };
    let hash = fillable.eip712_signing_hash(&domain());
    let build = rig.call("buildCancellation", &reported(&rig, hash, &value(&rig, WRAPPED, ORDER)), "{}").unwrap();
    let expected = cancelAndWithdrawCall { order: order(&rig, WRAPPED), isFillable: true }.abi_encode();
    assert_eq!(data(&rig, &build, "cancel"), hex::encode_prefixed(expected));
    // Its nonce does not end it, where it sells a token.
    let fillable = FillableOrder { srcToken: SRC.parse().unwrap(), ..fillable };
    let hash = fillable.eip712_signing_hash(&domain());
    let error = rig.call("buildCancellation", &reported(&rig, hash, &value(&rig, SRC, ORDER)), "{}").unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("order.onChainOrderType")));
}

#[test]
fn an_order_in_parts_under_the_plain_name_may_outlive_its_nonce_and_the_sentence_says_so() {
    let rig = Rig::default();
    let hash = order(&rig, SRC).eip712_signing_hash(&domain());
    let reported = reported(&rig, hash, &value(&rig, SRC, ORDER)).write();
    let in_parts = json(&reported.replace(r#""onChainOrderType":"Order""#, r#""onChainOrderType":"FillableOrder""#));
    let build = rig.call("buildCancellation", &in_parts, "{}").unwrap();
    let told = format!(" by its nonce, which may not end an order in parts{UNSEEN}");
    assert!(text(&build, "report.sentence").ends_with(&told));
}

#[test]
fn an_external_order_is_ended_by_its_nonce_and_the_sentence_promises_no_withdrawal() {
    let rig = Rig::default();
    let base = order(&rig, NATIVE);
    let external = ExternalOrder {
        owner: base.owner,
        handler: SRC.parse().unwrap(),
        srcToken: base.srcToken,
        destToken: base.destToken,
        srcAmount: base.srcAmount,
        destAmount: base.destAmount,
        expectedAmount: base.expectedAmount,
        deadline: base.deadline,
        kind: base.kind,
        nonce: base.nonce,
        partnerAndFee: base.partnerAndFee,
        permit: base.permit,
        metadata: base.metadata,
        data: Bytes::new(),
    };
    let hash = external.eip712_signing_hash(&domain());
    let members = format!(r#"{ORDER},"handler":"{SRC}","data":"0x""#);
    let build = rig.call("buildCancellation", &reported(&rig, hash, &value(&rig, NATIVE, &members)), "{}").unwrap();
    let expected = invalidateNonceCall { nonce: U256::from(NONCE) }.abi_encode();
    assert_eq!(data(&rig, &build, "cancel"), hex::encode_prefixed(expected));
    assert_eq!(text(&build, "report.sentence"), format!("Cancel order {hash} on Base{UNSEEN}"));
}

#[test]
fn orders_in_slices_have_calls_of_their_own() {
    let rig = Rig::default();
    let base = order(&rig, WRAPPED);
    let members = |first: &str, second: &str| {
        format!(r#""deadline":1900000000,"interval":60,"numSlices":4,"{first}":"21","{second}":"22""#)
    };
    let sale = TWAPOrder {
        owner: base.owner,
        beneficiary: base.beneficiary,
        srcToken: base.srcToken,
        destToken: base.destToken,
        nonce: base.nonce,
        partnerAndFee: base.partnerAndFee,
        deadline: 1_900_000_000,
        interval: 60,
        numSlices: 4,
        destAmountPerSlice: U256::from(21),
        totalSrcAmount: U256::from(22),
        permit: Bytes::new(),
        metadata: base.metadata.clone(),
        bridge: bridge(),
    };
    let purchase = TWAPBuyOrder {
        owner: base.owner,
        beneficiary: base.beneficiary,
        srcToken: base.srcToken,
        destToken: base.destToken,
        nonce: base.nonce,
        partnerAndFee: base.partnerAndFee,
        deadline: 1_900_000_000,
        interval: 60,
        numSlices: 4,
        totalDestAmount: U256::from(21),
        maxSrcAmount: U256::from(22),
        permit: Bytes::new(),
        metadata: base.metadata.clone(),
        bridge: bridge(),
    };
    let hash = sale.eip712_signing_hash(&domain());
    let signed = value(&rig, WRAPPED, &members("destAmountPerSlice", "totalSrcAmount"));
    let build = rig.call("buildCancellation", &reported(&rig, hash, &signed), "{}").unwrap();
    let expected = cancelTWAPAndWithdrawCall { order: sale }.abi_encode();
    assert_eq!(data(&rig, &build, "cancel"), hex::encode_prefixed(expected));
    let hash = purchase.eip712_signing_hash(&domain());
    let signed = value(&rig, WRAPPED, &members("totalDestAmount", "maxSrcAmount"));
    let build = rig.call("buildCancellation", &reported(&rig, hash, &signed), "{}").unwrap();
    let expected = cancelTWAPBuyAndWithdrawCall { order: purchase }.abi_encode();
    assert_eq!(data(&rig, &build, "cancel"), hex::encode_prefixed(expected));
}

#[test]
fn a_struct_that_is_not_the_orders_is_refused() {
    let rig = Rig::default();
    let hash = order(&rig, SRC).eip712_signing_hash(&domain());
    let honest = reported(&rig, hash, &value(&rig, SRC, ORDER));
    for (path, lie) in [
        ("order.nonce", r#""1""#),
        ("order.owner", r#""0x1111111111111111111111111111111111111111""#),
        ("order.bridge.scalingFactor", "12"),
        ("order.kind", "256"),
        ("orderHash", r#""0xabababababababababababababababababababababababababababababababab""#),
    ] {
        let mut order = honest.clone();
        set(&mut order, path, lie);
        let error = rig.call("buildCancellation", &order, "{}").expect_err(path);
        assert_eq!(
            (error.code, error.field.as_deref()),
            (ErrorCode::VerifyMismatch, Some("order.orderHash")),
            "{path}"
        );
    }
    let mut order = honest.clone();
    set(&mut order, "owner", r#""0x1111111111111111111111111111111111111111""#);
    let error = rig.call("buildCancellation", &order, "{}").unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::VerifyMismatch, Some("order.owner")));
    for (path, lie) in [
        ("status", r#""COMPLETED""#),
        ("input.chainId", "null"),
        ("orderHash", "null"),
        ("order", "null"),
        ("order.nonce", "null"),
    ] {
        let mut order = honest.clone();
        set(&mut order, path, lie);
        let error = rig.call("buildCancellation", &order, "{}").expect_err(path);
        assert_eq!(error.code, ErrorCode::InvalidInput, "{path}");
        let field = if path == "order" { "order.order.nonce".into() } else { format!("order.{path}") };
        assert_eq!(error.field, Some(field));
    }
}

#[test]
fn an_order_that_was_signed_here_is_cancelled_by_the_nonce_that_was_signed() {
    for kind in kinds() {
        let rig = kind.rig();
        let built = kind.built(&rig).unwrap();
        let order = rig.submit(&built).unwrap();
        let read = rig.call("order", at(&order, "id"), "{}").unwrap();
        // Members that the service leaves out are known all the same.
        let mut bare = read.clone();
        set(&mut bare, "order", "null");
        for order in [&order, &read, &bare] {
            let build = match rig.call("buildCancellation", order, "{}") {
                // Not by its nonce: cancel it by signature.
                Err(error) if kind.encoded.starts_with("Fillable") => {
                    assert_eq!(error.field.as_deref(), Some("order.onChainOrderType"));
                    continue;
                }
                build => build.unwrap(),
            };
            assert_eq!(verdicts(&build, "order.nonce"), ["ok"], "{}", kind.options);
            assert!(!text(&build, "report.sentence").contains("the service's word"));
            let nonce: U256 = text(&built, "nonce").parse().unwrap();
            let data = data(&rig, &build, "cancel");
            assert!(data.contains(&hex::encode(nonce.to_be_bytes::<32>())), "{data}");
        }
        // Another client cannot know it, and says so.
        let other = Rig::in_world(rig.world.clone(), |_, _| {});
        if let Ok(build) = other.call("buildCancellation", &read, "{}") {
            assert_eq!(verdicts(&build, "order.nonce"), ["unknown"]);
            assert!(text(&build, "report.sentence").ends_with(UNSEEN));
        }
    }
}

#[test]
fn an_order_of_before_the_contract_moved_is_cancelled_where_it_was_signed_for() {
    let moved =
        Contracts { delta: SRC.parse().unwrap(), wrapped_native: None, router: Address::ZERO, rfq: Address::ZERO };
    let rig = Rig::with(|shared, _| shared.settings.given_contracts = vec![(8453, moved)]);
    let hash = order(&rig, SRC).eip712_signing_hash(&domain());
    let build = rig.call("buildCancellation", &reported(&rig, hash, &value(&rig, SRC, ORDER)), "{}").unwrap();
    assert_eq!(text(&build, "transaction.to").to_ascii_lowercase(), DELTA);
}

#[test]
fn an_order_that_cannot_be_hashed_here_is_cancelled_and_the_sentence_says_so() {
    let rig = Rig::default();
    let productive = format!(
        r#"{{"owner":"{:#x}","srcToken":"{SRC}","nonce":"{NONCE}","strategy":"{SRC}","useShares":true}}"#,
        rig.owner()
    );
    let order = reported(&rig, B256::repeat_byte(7), &json(&productive));
    let build = rig.call("buildCancellation", &order, "{}").unwrap();
    let expected = invalidateNonceCall { nonce: U256::from(NONCE) }.abi_encode();
    assert_eq!(data(&rig, &build, "cancel"), hex::encode_prefixed(expected));
    assert_eq!(verdicts(&build, "order.nonce"), ["unknown"]);
    let told = "; this client cannot hash it: that this is its nonce is the service's word";
    assert!(text(&build, "report.sentence").ends_with(told));
}

#[test]
fn who_is_paid_back_and_how_much_is_shown_and_checked() {
    let rig = Rig::default();
    let one = Order { kind: 0, srcAmount: U256::from(7_000_000_000_000_000_000_u64), ..order(&rig, NATIVE) };
    let hash = one.eip712_signing_hash(&domain());
    let members =
        r#""srcAmount":"7000000000000000000","destAmount":"8","expectedAmount":"9","deadline":1900000000,"kind":0"#;
    let mut order = reported(&rig, hash, &value(&rig, NATIVE, members));
    let halves_of_ether = |halves: u64| U256::from(halves * 500_000_000_000_000_000);
    // The amount that was deposited, the fills, the one that comes back.
    for (deposited, fills, paid, verdict) in [
        (Some(halves_of_ether(20)), "[]", "7", "ok"),
        (Some(halves_of_ether(14)), r#"[{"spentAmount":"1500000000000000000"},{"spentAmount":null}]"#, "5.5", "ok"),
        (Some(halves_of_ether(3)), "[]", "1.5", "ok"),
        (Some(U256::ZERO), "[]", "0", "ok"),
        (Some(halves_of_ether(3)), r#"[{"spentAmount":"9000000000000000000"}]"#, "0", "ok"),
        (None, "[]", "7", "unknown"),
    ] {
        set(&mut order, "transactions", fills);
        rig.world.chain.borrow_mut().node(8453).balance = deposited.unwrap_or_default();
        let elsewhere = Rig::in_world(rig.world.clone(), |shared, _| shared.settings.rpc.clear());
        rig.world.signer.borrow_mut().chain_id = 1;
        let here = if deposited.is_some() { &rig } else { &elsewhere };
        let build = here.call("buildCancellation", &order, "{}").unwrap();
        let told = format!(" and pay back at most {paid} of the native token deposited for it, to {}", rig.owner());
        assert!(text(&build, "report.sentence").contains(&told), "{}", text(&build, "report.sentence"));
        assert_eq!(verdicts(&build, "withdrawal.payee"), ["ok"]);
        assert_eq!(verdicts(&build, "withdrawal.amount"), [verdict]);
    }
}

#[test]
fn a_cancellation_is_tried_and_sent_like_any_transaction() {
    let rig = Rig::default();
    let contract = Box::new(|_: &Json| Ok(json(r#""0x""#)));
    rig.world.chain.borrow_mut().node(8453).contracts.insert(DELTA.parse().unwrap(), contract);
    let hash = order(&rig, SRC).eip712_signing_hash(&domain());
    let build = rig.call("buildCancellation", &reported(&rig, hash, &value(&rig, SRC, ORDER)), "{}").unwrap();
    let sent = rig.submit(&build).unwrap();
    assert_eq!((text(&sent, "kind"), text(&sent, "status")), ("sent", "PENDING"));
    let params = json(&rig.world.wallet_was_asked("eth_sendTransaction")[0]);
    assert_eq!(at(&params, "0.data"), at(&build, "transaction.data"));
    let mut edited = build.clone();
    set(&mut edited, "transaction.data", r#""0x""#);
    assert_eq!(rig.submit(&edited).unwrap_err().code, ErrorCode::InvalidInput);
}

/// All that was deposited is about to be withdrawn.
pub fn withdrawal() -> (Rig, Json) {
    let rig = Rig::default();
    rig.world.chain.borrow_mut().node(8453).balance = U256::from(1_500_000_000_000_000_000_u64);
    let query = json(r#"{"chainId":8453,"amount":"1500000000000000000"}"#);
    let build = rig.call("buildWithdrawal", &query, "{}").unwrap();
    (rig, build)
}

#[test]
fn what_was_deposited_is_withdrawn_up_to_what_there_is() {
    let (rig, build) = withdrawal();
    let query = |amount: &str| json(&format!(r#"{{"chainId":8453,"amount":"{amount}"}}"#));
    let amount = U256::from(1_500_000_000_000_000_000_u64);
    assert_eq!(data(&rig, &build, "withdraw"), hex::encode_prefixed(withdrawNativeCall { amount }.abi_encode()));
    assert_eq!(text(&build, "report.sentence"), "Withdraw 1.5 of the native token on Base from Delta");
    let error = rig.call("buildWithdrawal", &query("1500000000000000001"), "{}").unwrap_err();
    assert_eq!((error.code, error.actual.as_deref()), (ErrorCode::InsufficientBalance, Some("1500000000000000000")));
    let asked = rig.world.questions.borrow().iter().filter(|(_, _, params)| params.contains(&token_text())).count();
    assert!(asked >= 2, "the wrapped token's balance");
    for (query, field) in [
        (r#"{"chainId":8453,"amount":"0"}"#, "query.amount"),
        (r#"{"amount":"1"}"#, "query.chainId"),
        (r#"{"chainId":8453,"amount":"1","to":"x"}"#, "query.to"),
    ] {
        let error = rig.call("buildWithdrawal", &json(query), "{}").unwrap_err();
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some(field)));
    }
}

#[test]
fn the_open_orders_that_a_withdrawal_or_a_cancellation_ends_are_named() {
    let rig = super::native::rig();
    let sentence =
        |call: &str, argument: &Json| text(&rig.call(call, argument, "{}").unwrap(), "report.sentence").to_owned();
    let native = rig.submit(&rig.built(&native_sale()).unwrap()).unwrap();
    rig.world.chain.borrow_mut().node(8453).balance = U256::from(1_500_000_000_000_000_000_u64);
    rig.world.age_reads();
    let query = json(r#"{"chainId":8453,"amount":"1"}"#);
    let named = format!(", which the open order {} needs", text(&native, "orderHash"));
    assert!(sentence("buildWithdrawal", &query).ends_with(&named));
    // Two orders of one nonce.
    let first = rig.submit(&rig.built(SELL).unwrap()).unwrap();
    rig.world.pass(10_000);
    let replaced = rig.built_as(SELL, r#"{"slippageBps":50,"existing":"replace"}"#).unwrap();
    let second = rig.submit(&replaced).unwrap();
    let named = format!(", and with it the open order {}", text(&second, "orderHash"));
    let said = sentence("buildCancellation", &first);
    assert!(said.ends_with(&named) && !said.contains(text(&native, "orderHash")), "{said}");
    assert!(!sentence("buildCancellation", &native).contains("open order"));
    // Not once they have expired.
    rig.world.pass(30 * 24 * 3_600_000);
    rig.mine_now(8453);
    assert!(!sentence("buildWithdrawal", &query).contains("open order"));
}

fn token_text() -> String {
    WRAPPED.parse::<Address>().unwrap().to_string()
}

/// Remembers transactions that were sent, as many as fit and more.
fn remember_many(rig: &Rig) {
    for number in 0..300 {
        let key = keccak256(number.to_string());
        let sent = Sent::new(8453, rig.owner(), key);
        rig.client.shared.ledger.record(key, Event::SentBefore(sent)).unwrap();
    }
    assert!(rig.client.shared.ledger.records.borrow().len() <= 257, "memory has an end");
}

/// A rig whose Delta contract takes every call.
fn willing() -> Rig {
    let rig = Rig::default();
    let contract = Box::new(|_: &Json| Ok(json(r#""0x""#)));
    rig.world.chain.borrow_mut().node(8453).contracts.insert(DELTA.parse().unwrap(), contract);
    rig
}

/// A transaction that was built, and 300 others after it, before which `before` was done with it.
fn among_many(before: impl FnOnce(&Rig, &Json)) {
    let rig = willing();
    let build = rig.call("buildWithdrawal", &json(r#"{"chainId":8453,"amount":"1"}"#), "{}").unwrap();
    before(&rig, &build);
    remember_many(&rig);
    rig.submit(&build).unwrap();
    assert_eq!(rig.world.wallet_was_asked("eth_sendTransaction").len(), 1);
}

#[test]
fn a_transaction_that_is_under_way_is_not_forgotten_for_others() {
    among_many(|rig, build| {
        let signal = rig.signal.0.clone();
        rig.world.once(Moment::Answer("eth_sendTransaction"), move |_| signal.set(true));
        assert_eq!(rig.submit(build).unwrap_err().code, ErrorCode::Aborted);
        rig.signal.0.set(false);
    });
    among_many(|rig, build| {
        rig.submit(build).unwrap();
    });
    // An order that was only built is not remembered.
    among_many(|_, _| {});
}

#[test]
fn memory_that_is_full_of_what_was_sent_has_room_for_the_next() {
    let rig = willing();
    remember_many(&rig);
    for _ in 0..3 {
        let build = rig.call("buildWithdrawal", &json(r#"{"chainId":8453,"amount":"1"}"#), "{}").unwrap();
        rig.submit(&build).unwrap();
    }
    let un_noted = rig.client.shared.ledger.records.borrow().iter().filter(|record| !record.is_journaled).count();
    assert!(un_noted <= 256, "memory has an end");
}
