//! Consent on chain in place of a signature: the order's hash, set by the owner's transaction, then posted without one.

use super::fake_host::{BUY, DELTA, Moment, Place, Rig, SELL, json, set, text};
use alloy_primitives::{B256, U256, hex};
use verified_swap_trade::host::HttpAnswer;
use verify::internal::error::ErrorCode;
use verify::internal::json::Json;

const SEND: &str = "eth_sendTransaction";
pub const PRE_SIGN: &str = r#"{"preSign":true}"#;

/// A rig whose chain has a Delta contract, and whose service takes orders that were signed on chain.
pub fn rig() -> Rig {
    let rig = Rig::default();
    let contract = Box::new(|_: &Json| Ok(json(r#""0x""#)));
    rig.world.chain.borrow_mut().node(8453).contracts.insert(DELTA.parse().unwrap(), contract);
    rig.world.service.borrow_mut().takes = Some(Box::new(|signature| signature == "0x"));
    rig
}

fn sent(rig: &Rig) -> Vec<Json> {
    let asked = rig.world.wallet_was_asked(SEND);
    asked.iter().map(|params| super::fake_host::at(&json(params), "0").clone()).collect()
}

#[test]
fn the_hash_is_set_on_chain_and_the_order_posted_without_a_signature() {
    let rig = rig();
    let build = rig.built(SELL).unwrap();
    let order = rig.submit_with(&build, PRE_SIGN).unwrap();
    assert_eq!(text(&order, "orderHash"), text(&build, "orderHash"));
    let transactions = sent(&rig);
    assert_eq!(transactions.len(), 1);
    let hash: B256 = text(&build, "orderHash").parse().unwrap();
    let data = [&[0xeb, 0x8f, 0xb2, 0x68][..], hash.as_slice(), &U256::from(1).to_be_bytes::<32>()].concat();
    assert_eq!(text(&transactions[0], "data"), hex::encode_prefixed(data));
    assert_eq!(text(&transactions[0], "to").to_ascii_lowercase(), DELTA);
    assert_eq!(text(&transactions[0], "from"), rig.owner().to_string());
    assert_eq!(text(&transactions[0], "value"), "0x0");
    assert_eq!(rig.world.prompts(), 0, "no signature is asked for");
    assert_eq!(text(&json(&rig.world.posts()[0]), "signature"), "0x");
    let steps = ["checking", "presigning", "checking", "simulating", "sending", "sent", "confirming"];
    assert_eq!(rig.step_names(), [&steps[..], &["signed", "posting", "posted"]].concat());
}

#[test]
fn the_order_is_reported_as_soon_as_its_transaction_is_sent() {
    let rig = rig();
    let build = rig.built(SELL).unwrap();
    rig.submit_with(&build, PRE_SIGN).unwrap();
    let steps = rig.steps.borrow();
    let sent = steps.iter().find(|step| step.step == "confirming").unwrap();
    let signed = json(sent.signed_order.as_ref().unwrap());
    assert_eq!((text(&signed, "orderHash"), text(&signed, "signature")), (text(&build, "orderHash"), "0x"));
    let other = Rig::in_world(rig.world.clone(), |_, bound| bound.wallet = None);
    assert_eq!(text(&other.submit(&signed).unwrap(), "orderHash"), text(&build, "orderHash"));
}

#[test]
fn nothing_is_posted_before_the_transaction_is_in_a_block() {
    let rig = rig();
    let build = rig.built(SELL).unwrap();
    rig.world.chain.borrow_mut().node(8453).pending_for = 3;
    rig.world.at_each(|world, moment| {
        if moment == Moment::Sleep {
            assert!(world.posts().is_empty());
        }
    });
    rig.submit_with(&build, PRE_SIGN).unwrap();
    assert_eq!((sent(&rig).len(), rig.world.posts().len()), (1, 1));
}

#[test]
fn a_transaction_that_would_revert_is_not_sent_and_one_that_did_is_sent_again_next_time() {
    let rig = rig();
    let build = rig.built(SELL).unwrap();
    let contract = Box::new(|_: &Json| Err(super::fake_host::failure(3, "execution reverted")));
    rig.world.chain.borrow_mut().node(8453).contracts.insert(DELTA.parse().unwrap(), contract);
    assert_eq!(rig.submit_with(&build, PRE_SIGN).unwrap_err().code, ErrorCode::WalletFailed);
    rig.world.assert_untouched();
    let contract = Box::new(|_: &Json| Ok(json(r#""0x""#)));
    rig.world.chain.borrow_mut().node(8453).contracts.insert(DELTA.parse().unwrap(), contract);
    rig.world.chain.borrow_mut().node(8453).reverts = true;
    let error = rig.submit_with(&build, PRE_SIGN).unwrap_err();
    assert_eq!(error.code, ErrorCode::WalletFailed);
    assert!(rig.world.posts().is_empty());
    rig.world.chain.borrow_mut().node(8453).reverts = false;
    rig.submit_with(&build, PRE_SIGN).unwrap();
    assert_eq!((sent(&rig).len(), rig.world.posts().len()), (2, 1));
}

/// From the second look on, the node knows the transaction no more; with `is_faster` one that does the same, of its nonce,
/// is mined.
fn is_gone(rig: &Rig, is_faster: bool) {
    rig.world.chain.borrow_mut().node(8453).pending_for = u32::MAX;
    rig.world.once(Moment::Sleep, move |world| {
        let mut chain = world.chain.borrow_mut();
        let node = chain.node(8453);
        (node.forgets, node.keeps_blocks) = (true, is_faster);
        if is_faster {
            let faster = format!("0x{}", "fa".repeat(32));
            set(&mut node.mined_here[0], "hash", &format!(r#""{faster}""#));
            node.mined.insert(faster, json(r#"{"status":"0x1","blockNumber":"0x11"}"#));
        }
    });
}

#[test]
fn a_transaction_that_the_wallet_replaced_by_a_faster_one_is_no_loss() {
    let rig = rig();
    let build = rig.built(SELL).unwrap();
    is_gone(&rig, true);
    rig.submit_with(&build, PRE_SIGN).unwrap();
    assert_eq!((sent(&rig).len(), rig.world.posts().len()), (1, 1));
}

#[test]
fn a_lost_transaction_is_reported_with_its_signed_order() {
    for turns_up in [true, false] {
        let rig = rig();
        let build = rig.built(SELL).unwrap();
        is_gone(&rig, false);
        let error = rig.submit_with(&build, PRE_SIGN).unwrap_err();
        assert_eq!(error.code, ErrorCode::WalletFailed);
        assert!(error.message.contains("DROPPED") && error.signed_order.is_some(), "{error:?}");
        assert!(rig.world.posts().is_empty());
        let mut chain = rig.world.chain.borrow_mut();
        // The node knows it, mined or not, or it still does not.
        chain.node(8453).pending_for = if turns_up { 0 } else { 1 };
        chain.node(8453).forgets = false;
        drop(chain);
        rig.submit_with(&build, PRE_SIGN).unwrap();
        assert_eq!((sent(&rig).len(), rig.world.posts().len()), (if turns_up { 1 } else { 2 }, 1));
    }
}

#[test]
fn a_rejected_transaction_leaves_no_trace() {
    let rig = rig();
    rig.world.browser.has_storage.set(true);
    let build = rig.built(SELL).unwrap();
    rig.world.signer.borrow_mut().next_fails(SEND, 4001);
    let error = rig.submit_with(&build, PRE_SIGN).unwrap_err();
    assert_eq!(error.code, ErrorCode::UserRejected);
    assert_eq!(rig.call("trades.list", &json("{}"), "{}").unwrap(), Json::Array(vec![]));
    assert!(error.signed_order.is_none() && rig.world.posts().is_empty());
    rig.submit_with(&build, PRE_SIGN).unwrap();
    assert_eq!((sent(&rig).len(), rig.world.posts().len()), (2, 1));
}

#[test]
fn an_order_counts_as_signed_after_a_reload_unless_its_transaction_reverted() {
    for (reverts, late_ms, state) in [(false, 0, "posted"), (true, 0, "asking"), (false, 120_000, "signed")] {
        let rig = rig();
        rig.world.browser.has_storage.set(true);
        let build = rig.built(SELL).unwrap();
        rig.world.chain.borrow_mut().node(8453).keeps_blocks = true;
        rig.world.chain.borrow_mut().node(8453).reverts = reverts;
        rig.world.wallet_waits.set(true);
        let signal = rig.signal.0.clone();
        rig.world.once(Moment::Answer(SEND), move |_| signal.set(true));
        assert_eq!(rig.submit_with(&build, PRE_SIGN).unwrap_err().code, ErrorCode::Aborted);
        rig.world.pass(late_ms);
        let page = Rig::in_world(rig.world.clone(), |_, _| {});
        let Json::Array(all) = page.call("trades.resume", &json("{}"), "{}").unwrap() else { panic!() };
        let order = all.iter().find(|trade| text(trade, "kind") == "delta").unwrap();
        assert_eq!((text(order, "id"), text(order, "state")), (text(&build, "orderHash"), state));
        assert_eq!(rig.world.posts().len(), usize::from(state == "posted"));
        let later = Rig::in_world(rig.world.clone(), |_, _| {});
        for page in [page, later].iter().filter(|_| state == "signed") {
            let again = page.submit_with(&page.built(SELL).unwrap(), PRE_SIGN).unwrap_err();
            assert_eq!(again.code, ErrorCode::AlreadySigned);
        }
        assert_eq!(sent(&rig).len(), 1);
    }
}

#[test]
fn a_pre_signature_survives_a_failed_post() {
    let rig = rig();
    let build = rig.built(SELL).unwrap();
    rig.world.service.borrow_mut().next_is("post", 400, r#"{"errorType":"InvalidInput"}"#);
    let error = rig.submit_with(&build, PRE_SIGN).unwrap_err();
    let signed = json(error.signed_order.as_ref().unwrap());
    assert_eq!(text(&signed, "signature"), "0x");
    // In another client, as after a reload: neither a signature nor a second transaction is asked for.
    let other = Rig::in_world(rig.world.clone(), |_, bound| bound.wallet = None);
    other.submit(&signed).unwrap();
    assert_eq!((sent(&rig).len(), rig.world.prompts(), rig.world.posts().len()), (1, 0, 2));
    assert_eq!(rig.world.posts()[0], rig.world.posts()[1]);
}

#[test]
fn an_abort_while_the_transaction_is_on_its_way_keeps_what_it_will_have_signed() {
    let rig = rig();
    let build = rig.built(SELL).unwrap();
    rig.world.chain.borrow_mut().node(8453).pending_for = 9;
    let signal = rig.signal.0.clone();
    rig.world.once(Moment::Sleep, move |_| signal.set(true));
    let error = rig.submit_with(&build, PRE_SIGN).unwrap_err();
    assert_eq!(error.code, ErrorCode::Aborted);
    assert!(error.signed_order.is_some() && rig.world.posts().is_empty());
    // The same client waits for the same transaction.
    rig.signal.0.set(false);
    rig.submit_with(&build, PRE_SIGN).unwrap();
    assert_eq!((sent(&rig).len(), rig.world.posts().len()), (1, 1));
}

#[test]
fn nothing_is_sent_for_an_order_that_could_not_be_filled() {
    let rig = rig();
    let build = rig.built(SELL).unwrap();
    rig.world.chain.borrow_mut().node(8453).balance = U256::ZERO;
    assert_eq!(rig.submit_with(&build, PRE_SIGN).unwrap_err().code, ErrorCode::InsufficientBalance);
    rig.world.assert_untouched();
    rig.world.chain.borrow_mut().node(8453).balance = U256::MAX;
    rig.world.signer.borrow_mut().chain_id = 1;
    assert_eq!(rig.submit_with(&build, PRE_SIGN).unwrap_err().code, ErrorCode::WrongChain);
    rig.world.assert_untouched();
}

#[test]
fn a_signature_and_a_pre_signature_exclude_each_other() {
    let rig = rig();
    let build = rig.built(SELL).unwrap();
    for (options, field) in [
        (r#"{"preSign":true,"signature":"0x11"}"#, "options.preSign"),
        (r#"{"preSign":"yes"}"#, "options.preSign"),
        (r#"{"presign":true}"#, "options.presign"),
    ] {
        let error = rig.submit_with(&build, options).unwrap_err();
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some(field)));
    }
    rig.world.assert_untouched();
    rig.world.service.borrow_mut().takes = None;
    rig.submit_with(&build, r#"{"preSign":false}"#).unwrap();
    assert_eq!((sent(&rig).len(), rig.world.prompts()), (0, 1));
}

#[test]
fn without_an_rpc_the_wallet_reads_and_sends() {
    let rig = Rig::with(|shared, _| shared.settings.rpc.clear());
    let contract = Box::new(|_: &Json| Ok(json(r#""0x""#)));
    rig.world.chain.borrow_mut().node(8453).contracts.insert(DELTA.parse().unwrap(), contract);
    rig.world.service.borrow_mut().takes = Some(Box::new(|signature| signature == "0x"));
    let build = rig.built(SELL).unwrap();
    rig.submit_with(&build, PRE_SIGN).unwrap();
    assert!(rig.world.questions.borrow().iter().all(|(place, ..)| *place == Place::Wallet));
}

#[test]
fn no_transaction_is_asked_for_an_order_that_could_not_leave() {
    let rig = rig();
    let (build, other) = (rig.built(SELL).unwrap(), rig.built(BUY).unwrap());
    let refused = || Ok(HttpAnswer { status: 429, body: String::new(), retry_after_secs: Some(3_600) });
    rig.world.service.borrow_mut().next("post", move |_, _| refused());
    assert_eq!(rig.submit(&other).unwrap_err().code, ErrorCode::RateLimited);
    assert_eq!(rig.submit_with(&build, PRE_SIGN).unwrap_err().code, ErrorCode::RateLimited);
    assert!(sent(&rig).is_empty());
    rig.world.pass(60_000);
    rig.submit_with(&build, PRE_SIGN).unwrap();
    assert_eq!(sent(&rig).len(), 1);
}
