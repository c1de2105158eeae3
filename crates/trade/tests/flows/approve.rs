//! Approvals: exactly what is needed, for nobody but the contract that settles.

use super::fake_host::{DELTA, Moment, Place, Rig, SELL, SRC, at, failure, hex_word, json, set, text};
use alloy_primitives::{Address, U256};
use verify::internal::domain::chain::pinned;
use verify::internal::error::ErrorCode;
use verify::internal::json::Json;

const SEND: &str = "eth_sendTransaction";

fn address(text: &str) -> Address {
    text.parse().unwrap()
}

/// An owner who has approved that much so far, and the approval a build of theirs asks for: of so long ago that all is read
/// anew.
pub fn approved_so_far(amount: u64) -> (Rig, Json) {
    let rig = Rig::default();
    let key = (address(SRC), address(DELTA));
    rig.world.chain.borrow_mut().node(8453).allowances.insert(key, U256::from(amount));
    let build = rig.built(SELL).unwrap();
    let approval = at(&build, "approval").clone();
    rig.world.pass(2_001);
    (rig, approval)
}

fn allowance(rig: &Rig) -> U256 {
    rig.world.chain.borrow_mut().node(8453).allowance(address(SRC), address(DELTA))
}

/// Spender and amount of each approval sent.
fn sent(rig: &Rig) -> Vec<(String, String)> {
    let sent = rig.world.wallet_was_asked(SEND);
    let data = sent.iter().map(|params| text(&json(params), "0.data").to_owned());
    data.map(|data| {
        assert_eq!((data.len(), &data[..10]), (2 + 2 * 68, "0x095ea7b3"));
        (format!("0x{}", &data[34..74]), U256::from_str_radix(&data[74..], 16).unwrap().to_string())
    })
    .collect()
}

#[test]
fn exactly_what_the_order_may_spend_is_approved() {
    let (rig, approval) = approved_so_far(0);
    assert_eq!(text(&approval, "amount"), "100000000");
    assert_eq!(text(&approval, "current"), "0");
    let done = rig.approve(&approval, "{}").unwrap();
    assert_eq!(sent(&rig), [(DELTA.into(), "100000000".into())]);
    assert_eq!(text(&done, "allowance"), "100000000");
    assert_eq!(text(&done, "transactions.0"), format!("0x{}", "0".repeat(64)));
    assert_eq!(rig.step_names(), ["checking", "approving", "confirming", "approved"]);
    let transaction = json(&rig.world.wallet_was_asked(SEND)[0]);
    assert_eq!(text(&transaction, "0.from"), rig.owner().to_string());
    assert_eq!(text(&transaction, "0.to"), SRC);
    let Json::Object(members) = at(&transaction, "0") else { panic!() };
    assert_eq!(members.len(), 5, "gas and its price are the wallet's business: {members:?}");
}

#[test]
fn what_the_trade_reads_next_comes_with_the_receipt() {
    let rig = Rig::default();
    rig.world.chain.borrow_mut().node(8453).allowances.insert((address(SRC), address(DELTA)), U256::ZERO);
    let build = rig.built(SELL).unwrap();
    let asked = || rig.world.questions.borrow().iter().filter(|(place, ..)| matches!(place, Place::Node(_))).count();
    rig.approve(at(&build, "approval"), "{}").unwrap();
    let before = asked();
    rig.submit(&build).unwrap();
    assert_eq!(asked(), before, "{:?}", &rig.world.questions.borrow()[before..]);
    // Allowances that came with the receipt are as old as any other answer.
    let build = rig.built(SELL).unwrap();
    rig.world.chain.borrow_mut().node(8453).allowances.insert((address(SRC), address(DELTA)), U256::ZERO);
    rig.world.pass(12_001);
    assert_eq!(rig.submit(&build).unwrap_err().code, ErrorCode::InsufficientAllowance);
}

#[test]
fn an_allowance_that_suffices_opens_no_prompt() {
    let (rig, approval) = approved_so_far(99_999_999);
    let key = (address(SRC), address(DELTA));
    rig.world.chain.borrow_mut().node(8453).allowances.insert(key, U256::from(100_000_000));
    let done = rig.approve(&approval, "{}").unwrap();
    assert_eq!(at(&done, "transactions"), &Json::Array(vec![]));
    assert_eq!(text(&done, "allowance"), "100000000");
    rig.world.assert_untouched();
    let build = Rig::default().built(SELL).unwrap();
    assert_eq!(build.get("approval"), Some(&Json::Null), "nothing to approve, nothing offered");
}

#[test]
fn a_token_that_wants_a_reset_gets_one_and_no_other_does() {
    let rig = Rig::default();
    rig.world.chain.borrow_mut().node(8453).reset_first = true;
    let key = (address(SRC), address(DELTA));
    rig.world.chain.borrow_mut().node(8453).allowances.insert(key, U256::from(5));
    let build = rig.built(SELL).unwrap();
    assert_eq!(at(&build, "approval.resetFirst"), &Json::Bool(true));
    rig.approve(at(&build, "approval"), "{}").unwrap();
    assert_eq!(sent(&rig), [(DELTA.into(), "0".into()), (DELTA.into(), "100000000".into())]);
    assert_eq!(rig.step_names(), ["checking", "resetting", "confirming", "approving", "confirming", "approved"]);
    assert_eq!(allowance(&rig), U256::from(100_000_000));

    let (rig, approval) = approved_so_far(5);
    assert_eq!(at(&approval, "resetFirst"), &Json::Bool(false));
    rig.approve(&approval, "{}").unwrap();
    assert_eq!(sent(&rig).len(), 1);
    // Whether there is something to reset is found out again, not believed.
    let (rig, approval) = approved_so_far(5);
    rig.world.chain.borrow_mut().node(8453).reset_first = true;
    rig.approve(&approval, "{}").unwrap();
    assert_eq!(sent(&rig).len(), 2);
    // Nor is zero set to zero again, where the first half was done before.
    let rig = Rig::default();
    rig.world.chain.borrow_mut().node(8453).reset_first = true;
    rig.world.chain.borrow_mut().node(8453).allowances.insert(key, U256::from(5));
    let build = rig.built(SELL).unwrap();
    rig.world.chain.borrow_mut().node(8453).allowances.insert(key, U256::ZERO);
    rig.world.pass(2_001);
    rig.approve(at(&build, "approval"), "{}").unwrap();
    assert_eq!(sent(&rig), [(DELTA.into(), "100000000".into())]);
}

#[test]
fn a_node_that_cannot_try_an_approval_does_not_cost_a_reset() {
    let (rig, approval) = approved_so_far(5);
    // Decimals, allowance, and then the node is out of breath.
    let busy = |call: &Json| match &text(call, "data")[..10] {
        "0x313ce567" => Ok(Json::String(hex_word(U256::from(6)))),
        "0xdd62ed3e" => Ok(Json::String(hex_word(U256::from(5)))),
        _ => Err(failure(-32005, "limit exceeded")),
    };
    rig.world.chain.borrow_mut().node(8453).contracts.insert(address(SRC), Box::new(busy));
    let error = rig.approve(&approval, "{}").unwrap_err();
    assert_eq!((error.code, error.message.as_str()), (ErrorCode::RateLimited, "eth_call: limit exceeded"));
    rig.world.assert_untouched();
    // The `throw` of an older compiler is a no, in the words of the node.
    for words in ["invalid jump destination", "invalid opcode: INVALID"] {
        let (rig, approval) = approved_so_far(5);
        rig.world.chain.borrow_mut().node(8453).throws = Some(words);
        rig.world.chain.borrow_mut().node(8453).reset_first = true;
        rig.approve(&approval, "{}").unwrap();
        assert_eq!(sent(&rig).len(), 2, "{words}");
    }
}

#[test]
fn an_earlier_approval_is_not_taken_for_this_one() {
    let (rig, approval) = approved_so_far(0);
    let stop = rig.signal.0.clone();
    rig.world.once(Moment::Answer(SEND), move |_| stop.set(true));
    assert_eq!(rig.approve(&approval, "{}").unwrap_err().code, ErrorCode::Aborted);
    rig.signal.0.set(false);
    // It was confirmed all the same, and another trade has taken what it allowed.
    rig.world.chain.borrow_mut().node(8453).answer("eth_getTransactionReceipt", r#"["0x0"]"#).ok().unwrap();
    let key = (address(SRC), address(DELTA));
    rig.world.chain.borrow_mut().node(8453).allowances.insert(key, U256::ZERO);
    let done = rig.approve(&approval, "{}").unwrap();
    assert_eq!(text(&done, "allowance"), "100000000");
    assert_eq!(sent(&rig).len(), 2);
}

#[test]
fn a_transaction_that_reverts_is_an_error() {
    let (rig, approval) = approved_so_far(0);
    rig.world.chain.borrow_mut().node(8453).reverts = true;
    let error = rig.approve(&approval, "{}").unwrap_err();
    assert_eq!(error.code, ErrorCode::WalletFailed);
    assert!(error.message.contains("reverted"));
}

#[test]
fn a_receipt_is_waited_for() {
    // At the pace of the chain's blocks: of 2 s, of 12 s, of an unknown one.
    for (chain, pauses) in [(8453, [250, 250, 250]), (1, [250, 1_000, 1_000]), (31_337, [250, 500, 500])] {
        let rig = Rig::with(|shared, _| {
            shared.settings.rpc.extend([1, 31_337].map(|chain| (chain, Place::Node(chain))));
            shared.settings.given_contracts = vec![(31_337, pinned(8453).unwrap())];
        });
        rig.world.signer.borrow_mut().chain_id = chain;
        rig.world.chain.borrow_mut().node(chain).allowances.clear();
        let build = rig.built(&SELL.replace("8453", &chain.to_string())).unwrap();
        rig.world.chain.borrow_mut().node(chain).pending_for = 3;
        rig.approve(at(&build, "approval"), "{}").unwrap();
        assert_eq!(*rig.world.sleeps.borrow(), pauses, "{chain}");
    }
}

#[test]
fn another_page_does_not_approve_again_what_was_approved_a_moment_ago() {
    let rig = super::journal::tab();
    rig.world.chain.borrow_mut().node(8453).allowances.clear();
    let other = Rig::in_world(rig.world.clone(), |_, _| {});
    let [first, second] = [&rig, &other].map(|page| page.built(SELL).unwrap());
    rig.approve(at(&first, "approval"), "{}").unwrap();
    let done = other.approve(at(&second, "approval"), "{}").unwrap();
    assert_eq!((text(&done, "allowance"), sent(&rig).len()), ("100000000", 1));
}

#[test]
fn an_approval_lowered_in_the_wallet_is_noticed() {
    let (rig, approval) = approved_so_far(0);
    rig.world.signer.borrow_mut().approves_at_most = Some(U256::from(99_999_999));
    let error = rig.approve(&approval, "{}").unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InsufficientAllowance, Some("allowance")));
    assert_eq!(error.expected.as_deref(), Some("at least 100000000"));
    assert_eq!(error.actual.as_deref(), Some("99999999"));
}

#[test]
fn nobody_but_the_settling_contract_is_approved() {
    let (rig, mut approval) = approved_so_far(0);
    set(&mut approval, "spender", r#""0x00000000000000000000000000000000000bad00""#);
    let error = rig.approve(&approval, "{}").unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("approval.spender")));
    rig.world.assert_untouched();
}

#[test]
fn an_approval_that_no_build_of_this_client_asked_for_is_refused() {
    for (member, value) in [
        ("amount", r#""115792089237316195423570985008687907853269984665640564039457584007913129639935""#),
        ("token", r#""0x00000000000000000000000000000000000bad00""#),
        ("chainId", "1"),
        ("sealed", r#""00""#),
    ] {
        let (rig, mut approval) = approved_so_far(0);
        set(&mut approval, member, value);
        let error = rig.approve(&approval, "{}").unwrap_err();
        let field = format!("approval.{member}");
        assert_eq!((error.code, error.field.clone()), (ErrorCode::InvalidInput, Some(field)));
        rig.world.assert_untouched();
    }
}

#[test]
fn a_transaction_that_the_wallet_replaced_is_known_by_its_effect() {
    let (rig, approval) = approved_so_far(0);
    // The receipt of the hash that was given never comes.
    rig.world.chain.borrow_mut().node(8453).pending_for = u32::MAX;
    rig.world.at_each(|world, moment| {
        if moment == Moment::Sleep {
            let key = (address(SRC), address(DELTA));
            world.chain.borrow_mut().node(8453).allowances.insert(key, U256::from(100_000_000));
        }
    });
    let done = rig.approve(&approval, "{}").unwrap();
    assert_eq!(text(&done, "allowance"), "100000000");
    assert_eq!(sent(&rig).len(), 1);
}

#[test]
fn more_is_approved_only_when_asked_for_and_never_less() {
    let unlimited = U256::MAX.to_string();
    for (options, amount) in
        [(r#"{"amount":"unlimited"}"#, unlimited.as_str()), (r#"{"amount":"100000001"}"#, "100000001")]
    {
        let (rig, approval) = approved_so_far(0);
        rig.approve(&approval, options).unwrap();
        assert_eq!(sent(&rig), [(DELTA.into(), amount.into())]);
    }
    for (options, field) in [
        (r#"{"amount":"99999999"}"#, "options.amount"),
        (r#"{"amount":100000001}"#, "options.amount"),
        (r#"{"amount":"infinite"}"#, "options.amount"),
        (r#"{"ammount":"unlimited"}"#, "options.ammount"),
    ] {
        let (rig, approval) = approved_so_far(0);
        let error = rig.approve(&approval, options).unwrap_err();
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some(field)), "{options}");
        rig.world.assert_untouched();
    }
}

#[test]
fn a_rejected_or_garbled_transaction_is_an_error() {
    let (rig, approval) = approved_so_far(0);
    rig.world.signer.borrow_mut().next_fails(SEND, 4001);
    assert_eq!(rig.approve(&approval, "{}").unwrap_err().code, ErrorCode::UserRejected);
    for garbage in ["null", r#""0x""#, r#""sent""#, r#"{"hash":"0x00"}"#] {
        rig.world.signer.borrow_mut().next(SEND, move |_, _| Ok(json(garbage)));
        assert_eq!(rig.approve(&approval, "{}").unwrap_err().code, ErrorCode::WalletFailed, "{garbage}");
    }
    rig.approve(&approval, "{}").unwrap();
}

#[test]
fn account_and_chain_are_those_of_the_approval() {
    let (rig, approval) = approved_so_far(0);
    rig.world.signer.borrow_mut().chain_id = 1;
    assert_eq!(rig.approve(&approval, "{}").unwrap_err().code, ErrorCode::WrongChain);
    rig.world.signer.borrow_mut().chain_id = 8453;
    rig.world.signer.borrow_mut().accounts.clear();
    assert_eq!(rig.approve(&approval, "{}").unwrap_err().code, ErrorCode::WrongAccount);
    rig.world.assert_untouched();
}

#[test]
fn wrong_decimals_are_noticed_before_an_approval_too() {
    // Nothing could read the chain while the order was built.
    let rig = Rig::with(|shared, _| shared.settings.rpc.clear());
    rig.world.signer.borrow_mut().chain_id = 1;
    let quote = rig.quote(&SELL.replace("\"srcDecimals\":6", "\"srcDecimals\":7")).unwrap();
    let build = rig.build(&quote, r#"{"slippageBps":50,"minReceived":"1"}"#).unwrap();
    rig.world.signer.borrow_mut().chain_id = 8453;
    rig.world.chain.borrow_mut().node(8453).allowances.clear();
    let error = rig.approve(at(&build, "approval"), "{}").unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("request.srcDecimals")));
    rig.world.assert_untouched();
}
