//! Nodes that fail, once or for good, and the next one of the list.

use super::fake_host::{Moment, Place, Rig, SELL, failure};
use verified_swap_trade::host::WalletFailure;
use verify::internal::error::ErrorCode;
use verify::internal::json::Json;

/// A client with two nodes for the chain; the second answers as well as the first.
fn two_nodes() -> Rig {
    let rig = Rig::with(|shared, _| shared.settings.rpc.push((8453, Place::Node(2))));
    rig.world.chain.borrow_mut().node(2).id = 8453;
    rig
}

fn asked(rig: &Rig, node: u64, method: &str) -> usize {
    let questions = rig.world.questions.borrow();
    questions.iter().filter(|(place, asked, _)| *place == Place::Node(node) && *asked == method).count()
}

/// The ways in which a node fails, with the code and the status that an application sees.
fn faults() -> Vec<(WalletFailure, ErrorCode, Option<u16>)> {
    let with_status = |status, failure| WalletFailure { status: Some(status), ..failure };
    let silent = || WalletFailure { code: None, unreachable: true, ..failure(0, "no answer") };
    vec![
        (silent(), ErrorCode::Network, None),
        (with_status(500, silent()), ErrorCode::Network, Some(500)),
        (with_status(429, silent()), ErrorCode::RateLimited, Some(429)),
        (with_status(429, failure(-32000, "slow down")), ErrorCode::RateLimited, Some(429)),
        (failure(-32005, "limit exceeded"), ErrorCode::RateLimited, None),
        (failure(429, "compute units per second"), ErrorCode::RateLimited, None),
        (failure(-32000, "Rate Limit reached"), ErrorCode::RateLimited, None),
        (failure(-32002, "RPC endpoint returned too many errors"), ErrorCode::RateLimited, None),
        (failure(-32603, "internal error"), ErrorCode::WalletFailed, None),
        (failure(-32000, "header not found"), ErrorCode::WalletFailed, None),
    ]
}

#[test]
fn one_hiccup_of_a_node_does_not_fail_a_build() {
    for method in ["eth_chainId", "eth_getBlockByNumber", "eth_call"] {
        for (fault, ..) in faults() {
            let rig = Rig::default();
            rig.world.chain.borrow_mut().node(8453).next.push_back((method, Err(fault)));
            rig.built(SELL).unwrap_or_else(|error| panic!("{method}: {error:?}"));
            assert_eq!(rig.world.sleeps.borrow().len(), 1, "after a pause");
        }
    }
}

#[test]
fn what_failed_together_is_asked_for_together_again() {
    let rig = Rig::default();
    let quote = rig.quote(SELL).unwrap();
    rig.world.age_reads();
    rig.world.chain.borrow_mut().node(8453).unreachable = true;
    rig.world.once(Moment::Sleep, |world| world.chain.borrow_mut().node(8453).unreachable = false);
    rig.build(&quote, r#"{"slippageBps":50}"#).unwrap();
    assert_eq!(rig.world.sleeps.borrow().len(), 1);
}

#[test]
fn a_node_that_goes_on_failing_is_named_for_what_it_does() {
    for (fault, code, status) in faults() {
        let rig = Rig::default();
        for _ in 0..20 {
            rig.world.chain.borrow_mut().node(8453).next.push_back(("eth_call", Err(fault.clone())));
        }
        let error = rig.built(SELL).unwrap_err();
        assert_eq!((error.code, error.status), (code, status), "{error:?}");
        assert!(error.message.starts_with("eth_call: "), "{error:?}");
    }
}

#[test]
fn where_a_node_fails_the_next_one_is_asked_and_then_stays_in_use() {
    for (fault, ..) in faults() {
        let rig = two_nodes();
        for _ in 0..20 {
            rig.world.chain.borrow_mut().node(8453).next.push_back(("eth_call", Err(fault.clone())));
        }
        rig.built(SELL).unwrap();
        assert!(rig.world.sleeps.borrow().is_empty(), "at once");
        assert_eq!(asked(&rig, 2, "eth_chainId"), 1, "it was checked first");
        let before = asked(&rig, 8453, "eth_call");
        rig.built(SELL).unwrap();
        assert_eq!(asked(&rig, 8453, "eth_call"), before);
    }
}

#[test]
fn a_node_of_another_chain_is_passed_over_and_alone_it_is_refused_by_name() {
    let rig = two_nodes();
    rig.world.chain.borrow_mut().node(8453).id = 1;
    rig.built(SELL).unwrap();
    rig.world.chain.borrow_mut().node(2).id = 1;
    let other = Rig::in_world(rig.world.clone(), |shared, _| shared.settings.rpc.push((8453, Place::Node(2))));
    let error = other.built(SELL).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("rpc.8453")));
}

#[test]
fn a_revert_is_an_answer_and_nobody_else_is_asked() {
    let rig = two_nodes();
    let reverts = Box::new(|_: &Json| Err(failure(3, "execution reverted")));
    rig.world.chain.borrow_mut().node(8453).contracts.insert(super::fake_host::SRC.parse().unwrap(), reverts);
    let error = rig.built(SELL).unwrap_err();
    assert!(error.reverted && error.code == ErrorCode::WalletFailed);
    assert_eq!(asked(&rig, 2, "eth_chainId"), 0);
}

#[test]
fn a_node_that_answers_something_else_is_accused_and_an_address_without_code_is_not_its_fault() {
    for (method, answer, code) in [
        ("eth_call", "0x", ErrorCode::InvalidInput),
        ("eth_call", "0x12", ErrorCode::InvalidInput),
        ("eth_call", "no hex", ErrorCode::Network),
        ("eth_getBlockByNumber", "0x1", ErrorCode::Network),
        ("eth_getBlockByNumber", "null", ErrorCode::Network),
        ("eth_chainId", "main", ErrorCode::Network),
    ] {
        let rig = Rig::default();
        let said = if answer == "null" { Json::Null } else { Json::String(answer.into()) };
        for _ in 0..99 {
            rig.world.chain.borrow_mut().node(8453).next.push_back((method, Ok(said.clone())));
        }
        assert_eq!(rig.built(SELL).unwrap_err().code, code, "{method} {answer}");
    }
}

#[test]
fn an_answer_of_another_form_is_a_failure_like_any_other() {
    for (method, answer) in [
        ("eth_call", Json::Null),
        ("eth_call", Json::String("no hex".into())),
        ("eth_getBlockByNumber", Json::Null),
        ("eth_getBlockByNumber", Json::String("0x1".into())),
        ("eth_chainId", Json::Null),
        ("eth_chainId", Json::String("main".into())),
    ] {
        let once = Rig::default();
        once.world.chain.borrow_mut().node(8453).next.push_back((method, Ok(answer.clone())));
        once.built(SELL).unwrap_or_else(|error| panic!("{method}: {error:?}"));
        assert_eq!(once.world.sleeps.borrow().len(), 1, "after a pause");
        let always = two_nodes();
        for _ in 0..20 {
            always.world.chain.borrow_mut().node(8453).next.push_back((method, Ok(answer.clone())));
        }
        always.built(SELL).unwrap_or_else(|error| panic!("{method}: {error:?}"));
        assert!(always.world.sleeps.borrow().is_empty() && asked(&always, 2, method) > 0, "{method}");
    }
}

#[test]
fn a_transaction_to_which_a_node_says_nothing_was_not_tried() {
    let rig = Rig::default();
    super::market::prepare(&rig, 8453, super::fake_host::SRC, u64::MAX);
    let build = super::market::built(&rig, SELL).unwrap();
    let silent = Box::new(|_: &Json| Ok(Json::Null));
    rig.world.chain.borrow_mut().node(8453).contracts.insert(super::fake_host::ROUTER.parse().unwrap(), silent);
    rig.world.age_reads();
    assert_eq!(rig.submit(&build).unwrap_err().code, ErrorCode::Network);
    rig.world.assert_untouched();
}

#[test]
fn decimals_are_asked_once_and_a_failure_is_not_kept() {
    let rig = Rig::default();
    let node = || rig.world.questions.borrow().iter().filter(|(.., params)| params.contains("0x313ce567")).count();
    for _ in 0..3 {
        rig.built(SELL).unwrap();
    }
    let once = node();
    assert!(once > 0 && once <= 2, "{once}");
    for answer in [Err(failure(3, "execution reverted")), Ok(Json::String("0x".into())), Ok(Json::Null)] {
        let rig = Rig::default();
        for _ in 0..99 {
            rig.world.chain.borrow_mut().node(8453).next.push_back(("eth_call", answer.clone()));
        }
        rig.built(SELL).unwrap_err();
        rig.world.chain.borrow_mut().node(8453).next.clear();
        rig.built(SELL).unwrap();
    }
}
