//! The wallet's account and chain, and its refusals.

use super::fake_host::{Moment, Place, text};
use super::fake_host::{Rig, SELL, Signer, failure};
use verify::internal::error::ErrorCode;
use verify::internal::json::Json;

const SIGN: &str = "eth_signTypedData_v4";

#[test]
fn a_rejection_can_be_followed_by_a_signature() {
    // EIP-1193's code, and what wallets behind WalletConnect answer.
    for code in [4001, 5000] {
        let rig = Rig::default();
        let build = rig.built(SELL).unwrap();
        rig.world.signer.borrow_mut().next_fails(SIGN, code);
        let error = rig.submit(&build).unwrap_err();
        assert_eq!((error.code, error.code.action()), (ErrorCode::UserRejected, "retry"), "{code}");
        assert!(error.signed_order.is_none() && rig.world.posts().is_empty());
        rig.submit(&build).unwrap();
        assert_eq!((rig.world.prompts(), rig.world.posts().len()), (2, 1));
    }
}

#[test]
fn a_wallet_with_an_open_request_is_told_from_one_that_failed() {
    for (code, expected) in [
        (-32002, ErrorCode::WalletPending),
        (-32603, ErrorCode::WalletFailed),
        (4100, ErrorCode::WalletFailed),
        (4200, ErrorCode::WalletFailed),
    ] {
        let rig = Rig::default();
        let build = rig.built(SELL).unwrap();
        rig.world.signer.borrow_mut().next_fails(SIGN, code);
        assert_eq!(rig.submit(&build).unwrap_err().code, expected, "{code}");
        assert!(rig.world.posts().is_empty());
    }
}

#[test]
fn a_wallets_own_error_is_carried_along() {
    let rig = Rig::default();
    let build = rig.built(SELL).unwrap();
    rig.world.signer.borrow_mut().next(SIGN, |_, _| {
        let cause: std::rc::Rc<dyn std::any::Any> = std::rc::Rc::new("the very error");
        Err(verified_swap_trade::host::WalletFailure { cause: Some(cause), ..failure(-32603, "broken") })
    });
    let error = rig.submit(&build).unwrap_err();
    assert_eq!(error.cause.as_ref().unwrap().downcast_ref::<&str>(), Some(&"the very error"));
    assert!(error.message.contains("broken"));
}

#[test]
fn another_account_is_not_asked_to_sign() {
    let rig = Rig::default();
    let build = rig.built(SELL).unwrap();
    let other = Signer::new([9; 32]).accounts[0];
    rig.world.signer.borrow_mut().accounts = vec![other];
    let error = rig.submit(&build).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::WrongAccount, Some("account")));
    assert_eq!(error.expected, Some(rig.owner().to_string()));
    assert_eq!(error.actual, Some(other.to_string()));
    rig.world.signer.borrow_mut().accounts = vec![];
    let error = rig.submit(&build).unwrap_err();
    let locked = "none: the wallet is locked, or not connected to this page";
    assert_eq!((error.code, error.actual.as_deref()), (ErrorCode::WrongAccount, Some(locked)));
    rig.world.assert_untouched();
    // The owner need not be the first of several.
    rig.world.signer.borrow_mut().accounts = vec![other, rig.owner()];
    rig.submit(&build).unwrap();
}

#[test]
fn another_chain_is_not_switched_unasked() {
    let rig = Rig::default();
    let build = rig.built(SELL).unwrap();
    rig.world.signer.borrow_mut().chain_id = 1;
    let error = rig.submit(&build).unwrap_err();
    assert_eq!((error.code, error.code.action()), (ErrorCode::WrongChain, "switchChain"));
    assert_eq!((error.expected.as_deref(), error.actual.as_deref()), (Some("8453"), Some("1")));
    assert!(rig.world.wallet_was_asked("wallet_switchEthereumChain").is_empty());
    rig.world.assert_untouched();
}

fn may_switch() -> Rig {
    let rig = Rig::with(|_, bound| bound.may_switch = true);
    rig.world.signer.borrow_mut().chain_id = 1;
    rig
}

#[test]
fn a_chain_is_switched_where_that_is_allowed() {
    let rig = may_switch();
    let build = rig.built(SELL).unwrap();
    rig.submit(&build).unwrap();
    assert_eq!(rig.world.wallet_was_asked("wallet_switchEthereumChain"), [r#"[{"chainId":"0x2105"}]"#]);
    assert_eq!(rig.world.prompts(), 1);
}

#[test]
fn a_switch_that_is_refused_impossible_or_without_effect_ends_before_the_prompt() {
    let switch = "wallet_switchEthereumChain";
    for (code, expected) in
        [(4001, ErrorCode::UserRejected), (4902, ErrorCode::WrongChain), (-32601, ErrorCode::WrongChain)]
    {
        let rig = may_switch();
        let build = rig.built(SELL).unwrap();
        rig.world.signer.borrow_mut().next_fails(switch, code);
        assert_eq!(rig.submit(&build).unwrap_err().code, expected, "{code}");
        rig.world.assert_untouched();
    }
    let rig = may_switch();
    let build = rig.built(SELL).unwrap();
    rig.world.signer.borrow_mut().next(switch, |_, _| Ok(Json::Null));
    assert_eq!(rig.submit(&build).unwrap_err().code, ErrorCode::WrongChain);
    assert_eq!(rig.world.wallet_was_asked(switch).len(), 1, "asked once, not for ever");
    rig.world.assert_untouched();
}

#[test]
fn a_switch_that_is_never_answered_goes_on_once_the_wallet_is_there() {
    let switch = "wallet_switchEthereumChain";
    let silent = || {
        let rig = may_switch();
        rig.world.signer.borrow_mut().quirks.silent = vec![switch];
        // It is asked, and does nothing.
        for _ in 0..9 {
            rig.world.signer.borrow_mut().next(switch, |_, _| Ok(Json::Null));
        }
        let build = rig.built(SELL).unwrap();
        (rig, build)
    };
    let (rig, build) = silent();
    let began = rig.world.unix_ms.get();
    rig.world.at_each(move |world, moment| {
        if moment == Moment::Ask(Place::Wallet, "eth_chainId") && world.unix_ms.get() > began + 20_000 {
            world.signer.borrow_mut().chain_id = 8453;
        }
    });
    rig.submit(&build).unwrap();
    let took = rig.world.unix_ms.get() - began;
    assert!((20_000..24_000).contains(&took), "{took}");
    assert_eq!((rig.world.wallet_was_asked(switch).len(), rig.world.prompts()), (1, 1));
    // The user does nothing at all.
    let (rig, build) = silent();
    let error = rig.submit(&build).unwrap_err();
    assert_eq!(error.code, ErrorCode::WalletPending, "{error:?}");
    assert!(error.message.contains("chain 8453"), "{error:?}");
    rig.world.assert_untouched();
    // And gives up.
    let (rig, build) = silent();
    let signal = rig.signal.clone();
    rig.world.at_each(move |world, moment| {
        if moment == Moment::Ask(Place::Wallet, "eth_chainId") && world.unix_ms.get() > began + 20_000 {
            signal.0.set(true);
        }
    });
    assert_eq!(rig.submit(&build).unwrap_err().code, ErrorCode::Aborted);
}

#[test]
fn an_account_or_chain_that_changes_during_the_checks_is_noticed() {
    let reading = Moment::Ask(Place::Node(8453), "eth_getBlockByNumber");
    let rig = Rig::default();
    let build = rig.built(SELL).unwrap();
    rig.world.age_reads();
    rig.world.once(reading, |world| world.signer.borrow_mut().accounts = vec![Signer::new([9; 32]).accounts[0]]);
    assert_eq!(rig.submit(&build).unwrap_err().code, ErrorCode::WrongAccount);
    rig.world.assert_untouched();

    let rig = Rig::default();
    let build = rig.built(SELL).unwrap();
    rig.world.age_reads();
    rig.world.once(reading, |world| world.signer.borrow_mut().chain_id = 1);
    assert_eq!(rig.submit(&build).unwrap_err().code, ErrorCode::WrongChain);
    rig.world.assert_untouched();
}

#[test]
fn the_account_a_client_is_bound_to_is_held_against_the_wallets() {
    let other = Signer::new([9; 32]).accounts[0];
    let rig = Rig::with(|_, bound| bound.account = Some(other));
    let build = rig.built(SELL).unwrap();
    assert_eq!(text(&build, "owner"), other.to_string());
    assert_eq!(rig.submit(&build).unwrap_err().code, ErrorCode::WrongAccount);
    rig.world.assert_untouched();
}

#[test]
fn a_local_account_signs_without_being_asked_where_it_is() {
    let owner = Rig::default().owner();
    let rig = Rig::with(|_, bound| (bound.local, bound.account) = (true, Some(owner)));
    let build = rig.built(SELL).unwrap();
    rig.submit(&build).unwrap();
    assert_eq!((rig.world.prompts(), rig.world.posts().len()), (1, 1));
    for method in ["eth_accounts", "eth_chainId"] {
        assert!(rig.world.wallet_was_asked(method).is_empty(), "{method}");
    }
}

#[test]
fn without_a_wallet_nothing_is_signed() {
    let owner = Rig::default().owner();
    let rig = Rig::with(|_, bound| (bound.wallet, bound.account) = (None, Some(owner)));
    let build = rig.built(SELL).unwrap();
    let error = rig.submit(&build).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("wallet")));
}
