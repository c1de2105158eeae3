//! A Market transaction once it was sent: followed to its receipt, replaced or dropped; and submitted by several attempts.

use super::fake_host::{Moment, Place, Rig, SELL, Watched, at, json, set, text};
use super::market::{SEND, allowed, built, submit};
use alloy_primitives::U256;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use verify::internal::error::ErrorCode;
use verify::internal::json::Json;

#[test]
fn a_build_is_sent_once_however_often_it_is_submitted() {
    let rig = allowed(u64::MAX);
    let build = built(&rig, SELL).unwrap();
    let first = submit(&rig, &build).unwrap();
    // A known end needs no node.
    rig.world.chain.borrow_mut().node(8453).unreachable = true;
    assert!(submit(&rig, &build).unwrap().same_as(&first));
    rig.world.chain.borrow_mut().node(8453).unreachable = false;
    assert_eq!(rig.world.wallet_was_asked(SEND).len(), 1);
    // The same trade, built anew, is another one.
    submit(&rig, &built(&rig, SELL).unwrap()).unwrap();
    assert_eq!(rig.world.wallet_was_asked(SEND).len(), 2);
}

#[test]
fn a_rejected_transaction_may_be_sent_after_all() {
    let rig = allowed(u64::MAX);
    let build = built(&rig, SELL).unwrap();
    rig.world.signer.borrow_mut().next_fails(SEND, 4001);
    assert_eq!(submit(&rig, &build).unwrap_err().code, ErrorCode::UserRejected);
    submit(&rig, &build).unwrap();
    assert_eq!(rig.world.wallet_was_asked(SEND).len(), 2);
}

#[test]
fn what_is_sent_after_the_caller_gave_up_is_found_by_the_next_attempt() {
    let rig = allowed(u64::MAX);
    let build = built(&rig, SELL).unwrap();
    let stop = rig.signal.0.clone();
    rig.world.once(Moment::Answer(SEND), move |_| stop.set(true));
    assert_eq!(submit(&rig, &build).unwrap_err().code, ErrorCode::Aborted);
    rig.signal.0.set(false);
    let sent = submit(&rig, &build).unwrap();
    assert_eq!(text(&sent, "hash"), format!("0x{}", "0".repeat(64)));
    assert_eq!(rig.world.wallet_was_asked(SEND).len(), 1, "one prompt");
}

fn sent() -> (Rig, Json) {
    let rig = allowed(u64::MAX);
    let sent = submit(&rig, &built(&rig, SELL).unwrap()).unwrap();
    rig.world.chain.borrow_mut().node(8453).pending_for = 1;
    rig.learn_number();
    (rig, sent)
}

/// The statuses of the transaction, until its end.
pub fn statuses(rig: &Rig, sent: &Json) -> Vec<String> {
    told(rig, sent).iter().map(|sent| text(sent, "status").to_owned()).collect()
}

fn told(rig: &Rig, sent: &Json) -> Vec<Json> {
    let mut watched = Watched::of(sent);
    std::iter::from_fn(|| watched.one(rig).unwrap()).collect()
}

#[test]
fn a_sent_transaction_is_followed_to_its_receipt() {
    let (rig, sent) = sent();
    rig.world.chain.borrow_mut().node(8453).pending_for = 3;
    let told = told(&rig, &sent);
    let blocks = told.iter().map(|sent| (text(sent, "status"), at(sent, "blockNumber").write()));
    assert_eq!(blocks.collect::<Vec<_>>(), [("PENDING", "null".into()), ("COMPLETED", "16".to_owned())]);
    let rig = allowed(u64::MAX);
    rig.world.chain.borrow_mut().node(8453).reverts = true;
    let sent = submit(&rig, &built(&rig, SELL).unwrap()).unwrap();
    assert_eq!(statuses(&rig, &sent), ["FAILED"]);
}

#[test]
fn a_transaction_behind_a_gap_states_how_many_go_first() {
    let (rig, sent) = sent();
    let count = |count, pending_for| {
        let mut chains = rig.world.chain.borrow_mut();
        let node = chains.node(8453);
        (node.transaction_count, node.pending_for) = (count, pending_for);
    };
    count(5, 9);
    // The wallet mines the two before it after three looks, and then this one.
    let looks = Cell::new(0);
    rig.world.at_each(move |world, moment| {
        looks.set(looks.get() + u32::from(moment == Moment::Sleep));
        if looks.get() == 3 {
            world.chain.borrow_mut().node(8453).transaction_count = 7;
        }
    });
    let told: Vec<_> = told(&rig, &sent).iter().map(|one| one.get("waitsFor").map(Json::write)).collect();
    assert_eq!(told, [Some("2".into()), None, None]);
    rig.world.at_each(|_, _| {});
    count(5, u32::MAX);
    let error = submit(&rig, &built(&rig, SELL).unwrap()).and_then(|_| submit(&rig, &built(&rig, SELL)?)).unwrap_err();
    assert!(error.message.contains("in no block yet; earlier nonces of the account that go first: "), "{error:?}");
}

#[test]
fn another_transaction_with_its_number_is_a_replacement() {
    let (rig, sent) = sent();
    let mut chains = rig.world.chain.borrow_mut();
    let node = chains.node(8453);
    (node.pending_for, node.forgets, node.keeps_blocks) = (u32::MAX, true, true);
    set(&mut node.mined_here[0], "hash", &format!(r#""0x{}""#, "fa".repeat(32)));
    set(&mut node.mined_here[0], "value", r#""0x5""#);
    drop(chains);
    assert_eq!(statuses(&rig, &sent), ["PENDING", "REPLACED"]);
    assert_eq!(rig.world.sleeps.borrow().len(), 2, "one machine behind the others is no proof");
}

#[test]
fn a_receipt_that_comes_late_is_no_replacement() {
    let (rig, sent) = sent();
    let mut chains = rig.world.chain.borrow_mut();
    let node = chains.node(8453);
    (node.pending_for, node.forgets, node.transaction_count) = (2, true, 8);
    drop(chains);
    assert_eq!(statuses(&rig, &sent), ["PENDING", "COMPLETED"]);
}

#[test]
fn a_transaction_unknown_for_a_minute_was_dropped() {
    let (rig, sent) = sent();
    let mut chains = rig.world.chain.borrow_mut();
    let node = chains.node(8453);
    (node.pending_for, node.forgets) = (u32::MAX, true);
    drop(chains);
    let began = rig.world.monotonic_ms.get();
    assert_eq!(statuses(&rig, &sent), ["PENDING", "DROPPED"]);
    let after = rig.world.monotonic_ms.get() - began;
    assert!((60_000..120_000).contains(&after), "{after}");
}

#[test]
fn a_transaction_that_a_node_knows_again_was_not_dropped() {
    let (rig, sent) = sent();
    rig.world.chain.borrow_mut().node(8453).pending_for = 40;
    let began = rig.world.monotonic_ms.get();
    // At every other look it is unknown.
    rig.world.at_each(move |world, moment| {
        world.chain.borrow_mut().node(8453).forgets ^= moment == Moment::Sleep;
    });
    assert_eq!(statuses(&rig, &sent), ["PENDING", "COMPLETED"]);
    assert!(rig.world.monotonic_ms.get() - began > 120_000);
}

#[test]
fn a_transaction_never_seen_is_waited_for_longer() {
    let rig = allowed(u64::MAX);
    let mut chains = rig.world.chain.borrow_mut();
    let node = chains.node(8453);
    (node.pending_for, node.forgets) = (u32::MAX, true);
    drop(chains);
    let sent = submit(&rig, &built(&rig, SELL).unwrap()).unwrap();
    assert_eq!(at(&sent, "nonce"), &Json::Null);
    let began = rig.world.monotonic_ms.get();
    assert_eq!(statuses(&rig, &sent), ["PENDING", "DROPPED"]);
    assert!(rig.world.monotonic_ms.get() - began >= 300_000);
    // It is in the next block after all.
    let mut chains = rig.world.chain.borrow_mut();
    (chains.node(8453).pending_for, chains.node(8453).forgets) = (0, false);
    drop(chains);
    assert_eq!(statuses(&rig, &sent), ["COMPLETED"]);
}

#[test]
fn a_pending_transaction_is_waited_for_without_limit() {
    let (rig, sent) = sent();
    rig.world.chain.borrow_mut().node(8453).pending_for = 100;
    assert_eq!(statuses(&rig, &sent), ["PENDING", "COMPLETED"]);
}

#[test]
fn a_wallet_that_reads_another_chain_for_a_while_does_not_end_it() {
    let (rig, sent) = sent();
    let page = Rig::in_world(rig.world.clone(), |shared, _| shared.settings.rpc.clear());
    page.world.chain.borrow_mut().node(8453).pending_for = 2;
    let sleeps = Cell::new(0);
    page.world.at_each(move |world, moment| {
        if moment == Moment::Sleep {
            sleeps.set(sleeps.get() + 1);
            world.signer.borrow_mut().chain_id = if (1..=5).contains(&sleeps.get()) { 1 } else { 8453 };
        }
    });
    assert_eq!(statuses(&page, &sent), ["PENDING", "COMPLETED"]);
    // Where nothing reads the chain from the beginning, it is said at once.
    page.world.signer.borrow_mut().chain_id = 1;
    page.world.sleeps.borrow_mut().clear();
    let error = Watched::of(&sent).one(&page).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("rpc.8453")));
    assert!(page.world.sleeps.borrow().is_empty());
}

#[test]
fn a_node_that_is_away_ends_no_watch() {
    let (rig, sent) = sent();
    rig.world.chain.borrow_mut().node(8453).pending_for = 3;
    let looks = Cell::new(0);
    rig.world.at_each(move |world, moment| {
        // A read that fails is tried again after less.
        if moment == Moment::Sleep && world.sleeps.borrow().last() >= Some(&2_000) {
            looks.set(looks.get() + 1);
            world.chain.borrow_mut().node(8453).unreachable = looks.get() % 200 != 0;
            world.signer.borrow_mut().chain_id = if looks.get() % 200 != 0 { 1 } else { 8453 };
        }
    });
    assert_eq!(statuses(&rig, &sent), ["PENDING", "COMPLETED"]);
}

#[test]
fn what_was_sent_is_told_before_the_chain_is_asked_for_it_and_an_abort_ends_that_alone() {
    let rig = Rc::new(allowed(u64::MAX));
    let build = built(&rig, SELL).unwrap();
    let again = Rc::clone(&rig);
    rig.world.once(Moment::Ask(Place::Node(8453), "eth_getTransactionByHash"), move |_| {
        assert_eq!(again.step_names().last(), Some(&"sent"));
        again.signal.0.set(true);
    });
    let sent = rig.submit(&build).unwrap();
    assert_eq!(at(&sent, "nonce"), &Json::Null);
    assert_eq!(rig.step_names(), ["checking", "simulating", "sending", "sent"]);
}

/// A rig whose first attempt was given up, and whose prompt the user rejected afterwards.
fn rejected_after_the_abort() -> (Rig, Json) {
    let rig = allowed(100_000_000);
    let build = built(&rig, SELL).unwrap();
    rig.world.signer.borrow_mut().next_fails(SEND, 4001);
    let signal = rig.signal.0.clone();
    rig.world.once(Moment::Answer(SEND), move |_| signal.set(true));
    assert_eq!(submit(&rig, &build).unwrap_err().code, ErrorCode::Aborted);
    rig.signal.0.set(false);
    rig.world.age_reads();
    (rig, build)
}

#[test]
fn where_a_prompt_is_gone_the_next_one_opens_after_all_checks() {
    let (rig, build) = rejected_after_the_abort();
    rig.world.chain.borrow_mut().node(8453).time += 100_000;
    assert_eq!(submit(&rig, &build).unwrap_err().code, ErrorCode::QuoteExpired);
    assert_eq!(rig.world.wallet_was_asked(SEND).len(), 1);

    let (rig, build) = rejected_after_the_abort();
    rig.world.chain.borrow_mut().node(8453).balance = U256::ZERO;
    assert_eq!(submit(&rig, &build).unwrap_err().code, ErrorCode::InsufficientBalance);
    assert_eq!(rig.world.wallet_was_asked(SEND).len(), 1);

    let (rig, build) = rejected_after_the_abort();
    rig.world.signer.borrow_mut().chain_id = 1;
    assert_eq!(submit(&rig, &build).unwrap_err().code, ErrorCode::WrongChain);
    assert_eq!(rig.world.wallet_was_asked(SEND).len(), 1);
}

#[test]
fn an_attempt_that_is_overtaken_in_its_checks_sends_no_second_transaction() {
    for seen in [1, 2] {
        let rig = Rc::new(allowed(100_000_000));
        let build = built(&rig, SELL).unwrap();
        let (again, same, count) = (Rc::clone(&rig), build.clone(), Cell::new(0));
        let first = Rc::new(RefCell::new(None));
        let told = Rc::clone(&first);
        rig.world.at_each(move |_, moment| {
            if moment == Moment::Ask(Place::Wallet, "eth_chainId") {
                count.set(count.get() + 1);
                if count.get() == seen {
                    told.replace(Some(submit(&again, &same).unwrap()));
                }
            }
        });
        let sent = submit(&rig, &build).unwrap();
        assert!(sent.same_as(first.borrow().as_ref().unwrap()));
        assert_eq!(rig.world.wallet_was_asked(SEND).len(), 1);
        let trades = rig.call("trades.list", &json("{}"), "{}").unwrap();
        assert_eq!(text(&trades, "0.transaction"), text(&sent, "hash"), "the journal keeps its hash");
    }
}
