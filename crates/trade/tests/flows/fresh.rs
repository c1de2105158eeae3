//! Answers that are read ahead, for how long they count, and that no lie gets in between.

use super::fake_host::{DELTA, DEST, Moment, Place, Rig, SELL, SRC, Signer, at, json, set, text, with};
use super::market;
use alloy_primitives::{Address, U256};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use verify::internal::error::{ErrorCode, Result};
use verify::internal::json::Json;

const SIGN: &str = "eth_signTypedData_v4";

/// How many questions were put to nodes.
fn asked(rig: &Rig) -> usize {
    rig.world.questions.borrow().iter().filter(|(place, ..)| matches!(place, Place::Node(_))).count()
}

fn allow(rig: &Rig, amount: u64) {
    let key: (Address, Address) = (SRC.parse().unwrap(), DELTA.parse().unwrap());
    rig.world.chain.borrow_mut().node(8453).allowances.insert(key, U256::from(amount));
}

fn warm(rig: &Rig) {
    let pair = format!(r#"{{"chainId":8453,"srcToken":"{SRC}","destToken":"{DEST}","amount":"half typ"}}"#);
    rig.call("warm", &json(&pair), "{}").unwrap();
}

#[test]
fn a_warm_pair_is_traded_without_a_question_more_and_warming_asks_nothing_of_the_service() {
    let rig = Rig::default();
    warm(&rig);
    assert!(rig.world.requests.borrow().is_empty());
    let before = asked(&rig);
    assert!(before > 0);
    warm(&rig);
    rig.submit(&rig.built(SELL).unwrap()).unwrap();
    assert_eq!(asked(&rig), before);
}

#[test]
fn what_only_warns_counts_for_12_s_and_is_read_again_before_the_prompt() {
    for (ms, is_read_again) in [(12_000, false), (12_001, true)] {
        let rig = Rig::default();
        let build = rig.built(SELL).unwrap();
        allow(&rig, 99_999_999);
        rig.world.pass(ms);
        let outcome = rig.submit(&build);
        assert_eq!(outcome.err().map(|error| error.code), is_read_again.then_some(ErrorCode::InsufficientAllowance));
        assert_eq!(rig.world.prompts(), usize::from(!is_read_again));
    }
}

#[test]
fn a_transaction_is_tried_at_most_2_s_before_its_prompt() {
    for (ms, is_tried_again) in [(2_000, false), (2_001, true)] {
        let rig = market::allowed(u64::MAX);
        let build = market::built(&rig, SELL).unwrap();
        let reverts = Box::new(|_: &Json| Err(super::fake_host::failure(3, "execution reverted")));
        rig.world.chain.borrow_mut().node(8453).contracts.insert(super::fake_host::ROUTER.parse().unwrap(), reverts);
        rig.world.pass(ms);
        let outcome = rig.submit(&build);
        assert_eq!(outcome.is_err_and(|error| error.reverted), is_tried_again);
    }
}

#[test]
fn nobody_is_refused_by_what_was_read_before() {
    let rig = Rig::default();
    allow(&rig, 0);
    let quote = rig.quote(SELL).unwrap();
    let options = r#"{"slippageBps":50}"#;
    assert_ne!(at(&rig.build(&quote, options).unwrap(), "approval"), &Json::Null);
    allow(&rig, 100_000_000);
    let build = rig.build(&quote, options).unwrap();
    assert_eq!(at(&build, "approval"), &Json::Null);

    let rig = Rig::default();
    rig.world.chain.borrow_mut().node(8453).balance = U256::ZERO;
    let build = rig.built(SELL).unwrap();
    assert_eq!(rig.submit(&build).unwrap_err().code, ErrorCode::InsufficientBalance);
    rig.world.chain.borrow_mut().node(8453).balance = U256::MAX;
    rig.submit(&build).unwrap();

    // Nor by a call that was tried while it could not go through.
    let rig = market::allowed(u64::MAX);
    rig.world
        .chain
        .borrow_mut()
        .node(8453)
        .next
        .push_back(("eth_getBalance", Err(super::fake_host::failure(3, "execution reverted"))));
    rig.submit(&market::built(&rig, SELL).unwrap()).unwrap();
}

#[test]
fn what_a_transaction_changes_is_read_again_once_it_is_sent() {
    let rig = market::allowed(u64::MAX);
    let allowances =
        || rig.world.questions.borrow().iter().filter(|(.., params)| params.contains("0xdd62ed3e")).count();
    rig.submit(&market::built(&rig, SELL).unwrap()).unwrap();
    let before = allowances();
    rig.world.pass(1_000);
    market::built(&rig, SELL).unwrap();
    assert_eq!(allowances(), before + 1);
}

/// A trade from its price to its end, with a review in between, and what went wrong.
fn trade(rig: &Rig) -> Result<Json> {
    let account = format!(r#""account":"{}""#, rig.owner());
    let build = rig.built(&with(SELL, &account))?;
    rig.world.age_reads();
    rig.submit(&build)
}

/// Trades with a lie that begins at that moment, counted from 0. Returns how it ended, and what happened by then.
fn lied_to(lie: fn(&Rig), at: usize) -> (Result<Json>, Rc<Rig>, Vec<Moment>) {
    let rig = Rc::new(Rig::default());
    let (liar, count, moments) = (Rc::clone(&rig), Cell::new(0), Rc::new(RefCell::new(Vec::new())));
    let seen = Rc::clone(&moments);
    rig.world.at_each(move |_, moment| {
        if count.replace(count.get() + 1) == at {
            lie(&liar);
        }
        seen.borrow_mut().push(moment);
    });
    let outcome = trade(&rig);
    rig.world.at_each(|_, _| {});
    let moments = moments.borrow().clone();
    (outcome, rig, moments)
}

#[test]
fn a_lie_told_at_any_moment_between_the_first_read_and_the_prompt_is_refused() {
    // A lie is refused until the last such moment before the prompt; about decimals, which are read once, until the first.
    type Lie = (fn(&Rig), Moment, ErrorCode);
    let lies: [Lie; 4] = [
        (
            |rig| rig.world.signer.borrow_mut().accounts = vec![Signer::new([9; 32]).accounts[0]],
            Moment::Ask(Place::Wallet, "eth_accounts"),
            ErrorCode::WrongAccount,
        ),
        (
            |rig| rig.world.signer.borrow_mut().chain_id = 1,
            Moment::Ask(Place::Wallet, "eth_chainId"),
            ErrorCode::WrongChain,
        ),
        (
            |rig| {
                let lie = |build: &mut Json| set(build, "toSign.value.destAmount", r#""1""#);
                rig.world.service.borrow_mut().build_lie = Some(Box::new(lie));
            },
            Moment::Fetch("build"),
            ErrorCode::VerifyMismatch,
        ),
        (
            |rig| {
                let token: Address = SRC.parse().unwrap();
                rig.world.chain.borrow_mut().node(8453).decimals.insert(token, 18);
            },
            Moment::Ask(Place::Node(8453), "eth_call"),
            ErrorCode::InvalidInput,
        ),
    ];
    let honest = lied_to(|_| {}, 0).2;
    let prompt = honest.iter().position(|moment| *moment == Moment::Ask(Place::Wallet, SIGN)).unwrap();
    for (lie, last, code) in lies {
        let mut told = (0..prompt).filter(|at| honest[*at] == last);
        let until = if code == ErrorCode::InvalidInput { told.next() } else { told.next_back() }.unwrap();
        let reads = |moment: &Moment| matches!(moment, Moment::Ask(Place::Node(_), _));
        let is_of_wallet = matches!(last, Moment::Ask(Place::Wallet, _));
        assert!(!is_of_wallet || !honest[until..prompt].iter().any(reads), "it is asked last");
        for at in 0..=until {
            let (outcome, rig, _) = lied_to(lie, at);
            let error = outcome.unwrap_err();
            assert_eq!(error.code, code, "{last:?} at {at}: {error:?}");
            rig.world.assert_untouched();
        }
    }
}

#[test]
fn what_is_too_old_is_read_while_the_service_builds() {
    let rig = Rig::default();
    let quote = rig.quote(SELL).unwrap();
    rig.world.age_reads();
    rig.world.chain.borrow_mut().node(8453).time += 12;
    let moments = Rc::new(RefCell::new(Vec::new()));
    let seen = Rc::clone(&moments);
    rig.world.at_each(move |_, moment| seen.borrow_mut().push(moment));
    let build = rig.build(&quote, r#"{"slippageBps":50}"#).unwrap();
    rig.world.at_each(|_, _| {});
    let moments = moments.borrow();
    let place = |moment: Moment| moments.iter().rposition(|seen| *seen == moment).unwrap();
    let block = "eth_getBlockByNumber";
    assert!(place(Moment::Ask(Place::Node(8453), block)) < place(Moment::Fetch("build")));
    assert!(place(Moment::Fetched("build")) < place(Moment::Answer(block)));
    // 20 minutes from now, although the block that was read is older.
    assert_eq!(text(&build, "deadline"), "1800001212");
    // It is refused by what was read beside it.
    let rig = Rig::default();
    let quote = rig.quote(SELL).unwrap();
    rig.world.age_reads();
    rig.world.chain.borrow_mut().node(8453).time += 3_700;
    let error = rig.build(&quote, r#"{"slippageBps":50}"#).unwrap_err();
    assert_eq!(error.field.as_deref(), Some("rpc.8453"));
}
