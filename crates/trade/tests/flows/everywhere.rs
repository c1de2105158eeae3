//! One thing goes wrong at each moment of each way to submit, one after the other: nobody is asked twice, nothing signed
//! is lost, and the next attempt ends as the first one would have.

use super::fake_host::{DELTA, Moment, Place, RFQ, Rig, SELL, SRC, answer, json, native_sale, set};
use super::{market, otc};
use alloy_primitives::{Address, U256};
use std::cell::Cell;
use std::rc::Rc;
use verified_swap_trade::host::HttpAnswer;
use verify::internal::error::{Error, ErrorCode};
use verify::internal::json::Json;

/// A rig, what is submitted there, and the options.
type Way = (Rig, Json, &'static str);

/// The chain has a Delta contract that takes every call, and the service takes every signature.
fn consenting(request: &str) -> Way {
    let rig = Rig::default();
    let contract = Box::new(|_: &Json| Ok(json(r#""0x""#)));
    rig.world.chain.borrow_mut().node(8453).contracts.insert(DELTA.parse().unwrap(), contract);
    rig.world.chain.borrow_mut().node(8453).pending_for = 1;
    rig.world.service.borrow_mut().takes = Some(Box::new(|_| true));
    let build = rig.built(request).unwrap();
    (rig, build, r#"{"preSign":true}"#)
}

fn signed() -> Way {
    let rig = Rig::default();
    let build = rig.built(SELL).unwrap();
    (rig, build, "{}")
}

/// In place of one that was signed before, and may still be filled.
fn replacing() -> Way {
    let (rig, first, _) = signed();
    rig.submit(&first).unwrap();
    rig.steps.borrow_mut().clear();
    rig.world.pass(1_000);
    let build = rig.built(SELL).unwrap();
    (rig, build, r#"{"existing":"replace"}"#)
}

fn set_on_chain() -> Way {
    consenting(SELL)
}

/// Signed and posted; the service waits for the deposit.
fn deposited() -> Way {
    let (rig, build, _) = consenting(&native_sale());
    rig.world.chain.borrow_mut().node(8453).balance = U256::ZERO;
    rig.world.service.borrow_mut().accepts_but(|said: HttpAnswer| {
        let mut order = json(&said.body);
        set(&mut order, "status", r#""AWAITING_SIGNATURE""#);
        answer(200, order.write())
    });
    (rig, build, "{}")
}

fn sent() -> Way {
    let rig = market::allowed(u64::MAX);
    let build = market::built(&rig, SELL).unwrap();
    (rig, build, "{}")
}

fn offered() -> Way {
    let rig = Rig::default();
    let key: (Address, Address) = (SRC.parse().unwrap(), RFQ.parse().unwrap());
    rig.world.chain.borrow_mut().node(8453).allowances.insert(key, U256::MAX);
    let build = rig.call("otc.build", &json(otc::OFFER), "{}").unwrap();
    (rig, build, "{}")
}

/// The failure of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    /// The caller stops.
    Abort,
    /// The node does not answer this question.
    Node,
    /// This request gets lost, or its answer.
    Lost,
    /// The wallet fails at this question.
    Wallet,
}

/// Submits with a fault at that moment of those at which there can be one; `None` where it is over before.
fn struck(way: &Way, fault: Fault, at: usize) -> Option<Result<Json, Error>> {
    let (rig, what, options) = way;
    let (count, signal) = (Rc::new(Cell::new(0)), rig.signal.0.clone());
    let counted = Rc::clone(&count);
    rig.world.at_each(move |world, moment| {
        world.chain.borrow_mut().node(8453).unreachable = false;
        counted.set(counted.get() + 1);
        let strikes = counted.get() == at;
        match (fault, moment) {
            (Fault::Abort, _) => signal.set(signal.get() || strikes),
            (Fault::Node, Moment::Ask(Place::Node(id), _)) => world.chain.borrow_mut().node(id).unreachable = strikes,
            (Fault::Lost, Moment::Fetch(endpoint)) if strikes => world.service.borrow_mut().next_is_lost(endpoint),
            (Fault::Wallet, Moment::Ask(Place::Wallet, method)) if strikes => {
                // One that says nothing clear may have sent.
                let code = if method == "eth_sendTransaction" { 5750 } else { -32603 };
                world.signer.borrow_mut().next_fails(method, code);
            }
            (Fault::Lost, Moment::Fetch(_)) | (Fault::Wallet, Moment::Ask(Place::Wallet, _)) => {}
            _ => counted.set(counted.get() - 1),
        }
    });
    let outcome = rig.call("submit", what, options);
    rig.world.at_each(|_, _| {});
    rig.world.chain.borrow_mut().node(8453).unreachable = false;
    rig.signal.0.set(false);
    (count.get() >= at).then_some(outcome)
}

/// The most that is asked for along a way: signatures, transactions.
type Prompts = [usize; 2];

fn at_each_moment(way: fn() -> Way, most: Prompts) {
    for (fault, code) in [
        (Fault::Abort, ErrorCode::Aborted),
        (Fault::Node, ErrorCode::Network),
        (Fault::Lost, ErrorCode::Network),
        (Fault::Wallet, ErrorCode::WalletFailed),
    ] {
        for at in 1.. {
            let way = way();
            way.0.world.age_reads();
            let Some(outcome) = struck(&way, fault, at) else {
                // Transactions go nowhere but to the wallet.
                assert!(at > 1 || most == [0, 1], "{fault:?} is nowhere on this way");
                break;
            };
            let (rig, what, options) = way;
            let mut next = (what.clone(), options);
            let reloaded = Rig::in_world(Rc::clone(&rig.world), |shared, _| shared.settings.secret = [9; 32]);
            let mut page = &rig;
            let mut failed = 0;
            if let Err(error) = outcome {
                assert_eq!(error.code, code, "{fault:?} at {at}: {error:?}");
                failed = usize::from(fault == Fault::Wallet);
                let is_signed = rig.step_names().iter().any(|step| ["signed", "confirming"].contains(step));
                assert!(error.signed_order.is_some() || !is_signed, "{fault:?} at {at}: what is signed is lost");
                // Now and then what was signed goes on in place of the build, there or in another page.
                if let Some(signed) = error.signed_order.as_ref().filter(|_| at % 3 > 0) {
                    next = (json(signed), "{}");
                    page = if at % 3 == 1 { &rig } else { &reloaded };
                }
            }
            let end =
                page.call("submit", &next.0, next.1).unwrap_or_else(|error| panic!("{fault:?} at {at}: {error:?}"));
            assert!(end.get("orderHash") == what.get("orderHash"), "{fault:?} at {at}");
            let asked =
                ["eth_signTypedData_v4", "eth_sendTransaction"].map(|method| rig.world.wallet_was_asked(method).len());
            let over: usize = asked.iter().zip(most).map(|(asked, most)| asked.saturating_sub(most)).sum();
            assert!(over <= failed, "{fault:?} at {at}: asked {asked:?}");
        }
    }
}

#[test]
fn an_order_that_is_signed() {
    at_each_moment(signed, [1, 0]);
}

#[test]
fn an_order_that_replaces_another() {
    at_each_moment(replacing, [2, 0]);
}

#[test]
fn an_order_that_is_set_on_chain() {
    at_each_moment(set_on_chain, [0, 1]);
}

#[test]
fn an_order_that_is_signed_and_paid_in() {
    at_each_moment(deposited, [1, 1]);
}

#[test]
fn an_offer_that_is_signed() {
    at_each_moment(offered, [1, 0]);
}

#[test]
fn a_transaction_that_is_sent() {
    at_each_moment(sent, [0, 1]);
}
