//! A node behind a load balancer: what a receipt has shown is true from its block on, whoever answers next.

use super::fake_host::{Moment, ROUTER, Rig, SELL, SRC, at, failure, hex_word, json, set, text};
use super::market;
use alloy_primitives::U256;
use std::cell::Cell;
use std::rc::Rc;
use verify::internal::error::{Error, ErrorCode};
use verify::internal::json::Json;

const SEND: &str = "eth_sendTransaction";

/// A machine that answers with what was so before the block of the receipts, 16: the trial of a trade, and if
/// `is_all_old` allowances.
fn lag(rig: &Rig, is_all_old: bool) -> Rc<Cell<bool>> {
    let lags = Rc::new(Cell::new(false));
    let is_behind = lags.clone();
    let lie = move |method: &str, params: &Json, known| match method {
        _ if !is_behind.get() => known,
        "eth_getBlockByNumber" if text(params, "0") == "latest" => {
            let mut block: Json = known?;
            set(&mut block, "number", r#""0xf""#);
            Ok(block)
        }
        "eth_call" => match text(params, "0.data").get(..10) {
            Some("0xdd62ed3e") if is_all_old => Ok(Json::String(hex_word(U256::ZERO))),
            _ if text(params, "0.to").eq_ignore_ascii_case(ROUTER) => Err(failure(3, "execution reverted: allowance")),
            _ => known,
        },
        _ => known,
    };
    rig.world.chain.borrow_mut().liar = Some((8453, Box::new(lie)));
    lags
}

/// It catches up after so many pauses.
fn catches_up(rig: &Rig, lags: &Rc<Cell<bool>>, after: u32) {
    let (lags, pauses) = (lags.clone(), Cell::new(0));
    rig.world.at_each(move |_, moment| {
        pauses.set(pauses.get() + u32::from(moment == Moment::Sleep));
        if pauses.get() >= after {
            lags.set(false);
        }
    });
}

/// An owner without an allowance, and the build of a trade.
fn unapproved(is_market: bool) -> (Rig, Json) {
    let rig = Rig::default();
    if is_market {
        market::prepare(&rig, 8453, SRC, 0);
    }
    rig.world.chain.borrow_mut().node(8453).allowances.clear();
    let build = built(&rig, is_market);
    (rig, build)
}

fn built(rig: &Rig, is_market: bool) -> Json {
    if is_market { market::built(rig, SELL) } else { rig.built(SELL) }.unwrap()
}

fn approvals(rig: &Rig) -> usize {
    rig.world
        .wallet_was_asked(SEND)
        .iter()
        .filter(|asked| text(&json(asked), "0.data").starts_with("0x095ea7b3"))
        .count()
}

#[test]
fn an_approval_that_was_mined_is_not_denied_by_an_older_state() {
    for is_market in [false, true] {
        let (rig, build) = unapproved(is_market);
        let lags = lag(&rig, true);
        // From the receipt on another machine answers.
        let done = {
            let (lags, pauses) = (lags.clone(), Cell::new(0));
            rig.world.at_each(move |_, moment| match moment {
                Moment::Answer("eth_getTransactionReceipt") => lags.set(true),
                Moment::Sleep => {
                    pauses.set(pauses.get() + 1);
                    lags.set(pauses.get() < 3);
                }
                _ => {}
            });
            rig.approve(at(&build, "approval"), "{}").unwrap()
        };
        assert_eq!(text(&done, "allowance"), "100000000");
        // Another one answers at the prompt, and once more where one would be approved again.
        for _ in 0..2 {
            lags.set(true);
            catches_up(&rig, &lags, 2);
            rig.world.age_reads();
            rig.approve(at(&build, "approval"), "{}").unwrap();
        }
        lags.set(true);
        catches_up(&rig, &lags, 2);
        rig.world.age_reads();
        rig.submit(&build).unwrap();
        assert_eq!(approvals(&rig), 1);
    }
}

/// The refusal of a trade whose approval was mined, and whose node then answers so.
fn refused(change: impl FnOnce(&Rig, &Rc<Cell<bool>>)) -> (Rig, Error) {
    let (rig, build) = unapproved(false);
    let lags = lag(&rig, true);
    rig.approve(at(&build, "approval"), "{}").unwrap();
    rig.world.age_reads();
    rig.world.sleeps.borrow_mut().clear();
    change(&rig, &lags);
    let error = rig.submit(&build).unwrap_err();
    assert_eq!(rig.world.prompts(), 0);
    (rig, error)
}

#[test]
fn a_node_that_stays_behind_is_said_to_lag() {
    let (rig, error) = refused(|_, lags| lags.set(true));
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::Network, Some("block")), "{error:?}");
    assert_eq!((error.expected.as_deref(), error.actual.as_deref()), (Some("16 or later"), Some("15")));
    let waited: u32 = rig.world.sleeps.borrow().iter().sum();
    assert!((20_000..60_000).contains(&waited), "{waited}");
    // The answer after an abort is not kept.
    let (rig, error) = refused(|rig, lags| {
        lags.set(true);
        let stop = rig.signal.0.clone();
        rig.world.once(Moment::Sleep, move |_| stop.set(true));
    });
    assert_eq!((error.code, rig.world.sleeps.borrow().len()), (ErrorCode::Aborted, 1));
}

#[test]
fn a_state_that_is_not_older_refuses_at_once() {
    for is_balance in [true, false] {
        let (rig, error) = refused(|rig, _| {
            let mut chains = rig.world.chain.borrow_mut();
            match is_balance {
                true => chains.node(8453).balance = U256::ZERO,
                false => chains.node(8453).allowances.clear(),
            }
        });
        let code = if is_balance { ErrorCode::InsufficientBalance } else { ErrorCode::InsufficientAllowance };
        assert_eq!((error.code, rig.world.sleeps.borrow().len()), (code, 0));
    }
}

#[test]
fn what_reverts_by_an_older_state_is_tried_again() {
    let (rig, build) = unapproved(true);
    rig.approve(at(&build, "approval"), "{}").unwrap();
    rig.world.age_reads();
    let lags = lag(&rig, false);
    lags.set(true);
    catches_up(&rig, &lags, 2);
    rig.submit(&build).unwrap();
    assert_eq!(rig.world.sleeps.borrow().len(), 2);
}
