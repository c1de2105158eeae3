//! The allowances of an account for the service's contracts, old ones too, and how they are taken back.

use super::fake_host::{
    DELTA, DEST, Moment, NATIVE, Place, RFQ, ROUTER, Rig, SELL, SRC, at, failure, json, set, text, verdicts,
};
use alloy_primitives::{Address, B256, U256, address, hex, keccak256};
use alloy_sol_types::{SolCall, SolEvent, sol};
use verify::internal::domain::chain::Contracts;
use verify::internal::error::ErrorCode;
use verify::internal::json::Json;

sol! {
    event Approval(address indexed owner, address indexed spender, uint256 value);
    function approve(address spender, uint256 amount) returns (bool);
}
mod permit2 {
    alloy_sol_types::sol! {
        event Approval(address indexed owner, address indexed token, address indexed spender, uint160 amount, uint48 expiration);
        event Permit(address indexed owner, address indexed token, address indexed spender, uint160 amount, uint48 expiration, uint48 nonce);
        function allowance(address owner, address token, address spender) returns (uint160, uint48, uint48);
        function approve(address token, address spender, uint160 amount, uint48 expiration);
    }
}

const PERMIT2: Address = address!("000000000022D473030F116dDEE9F6B43aC78BA3");
/// Version 6.0 of the router, which had a hole.
const OLD: Address = address!("00000000FdAC7708D0D360BDDc1bc7d097F47439");
/// A token that nobody knows.
const THIRD: Address = address!("3333333333333333333333333333333333333333");
/// The chain's time in these tests.
const NOW: u64 = 1_800_000_000;
const ALL: &str = r#"{"chainId":8453}"#;

fn address_of(text: &str) -> Address {
    text.parse().unwrap()
}

/// Lets `spender` take that much of a token, without a log of it.
fn allow(rig: &Rig, token: Address, spender: Address, amount: U256) {
    rig.world.chain.borrow_mut().node(8453).allowances.insert((token, spender), amount);
}

/// A log of the owner's approval, in that block.
fn log(rig: &Rig, block: u64, token: Address, spender: Address) {
    let topics = vec![Approval::SIGNATURE_HASH, rig.owner().into_word(), spender.into_word()];
    rig.world.chain.borrow_mut().node(8453).logs.push((block, token, topics));
}

/// Lets `spender` take that much of SRC until then, through Permit2, and nobody else.
fn allow_by_permit2(rig: &Rig, spender: Address, amount: U256, until: u64) {
    let owner = rig.owner();
    let contract = move |call: &Json| {
        let data = hex::decode(text(call, "data")).unwrap();
        let Ok(asked) = permit2::allowanceCall::abi_decode(&data) else { return Ok(json(r#""0x""#)) };
        let is_it = (asked.owner, asked.token, asked.spender) == (owner, address_of(SRC), spender);
        let words = if is_it { [amount, U256::from(until), U256::from(3)] } else { [U256::ZERO; 3] };
        Ok(Json::String(hex::encode_prefixed(words.map(|word| word.to_be_bytes::<32>()).concat())))
    };
    rig.world.chain.borrow_mut().node(8453).contracts.insert(PERMIT2, Box::new(contract));
}

#[track_caller]
fn items(json: &Json) -> Vec<Json> {
    let Json::Array(items) = json else { panic!("{json:?}") };
    items.clone()
}

/// Token, spender and amount of each.
#[track_caller]
fn found(answer: &Json) -> Vec<(Address, Address, String)> {
    let all = items(at(answer, "allowances")).into_iter();
    all.map(|one| (address_of(text(&one, "token")), address_of(text(&one, "spender")), text(&one, "amount").into()))
        .collect()
}

fn asked(rig: &Rig, method: &str) -> Vec<Json> {
    let questions = rig.world.questions.borrow();
    questions.iter().filter(|(_, asked, _)| *asked == method).map(|(.., params)| json(params)).collect()
}

/// One that a list of a fresh rig has.
fn listed(rig: &Rig) -> Json {
    items(at(&rig.call("approvals.list", &json(ALL), "{}").unwrap(), "allowances"))[0].clone()
}

#[test]
fn approvals_are_found_by_their_logs_and_read_anew() {
    let rig = Rig::default();
    for (spender, amount) in [(address_of(DELTA), U256::from(5)), (OLD, U256::MAX), (address_of(RFQ), U256::ZERO)] {
        log(&rig, 3, THIRD, spender);
        allow(&rig, THIRD, spender, amount);
    }
    rig.world.chain.borrow_mut().node(8453).decimals.insert(THIRD, 9);
    let answer = rig.call("approvals.list", &json(ALL), "{}").unwrap();
    assert_eq!(at(&answer, "fromBlock"), &json("0"));
    assert_eq!(text(&answer, "account"), rig.owner().to_string());
    assert_eq!(found(&answer), [(THIRD, OLD, U256::MAX.to_string()), (THIRD, address_of(DELTA), "5".into())]);
    let all = items(at(&answer, "allowances"));
    let members = |one: &Json| {
        ["contract", "name", "isCurrent", "isKnown", "kind", "isUnlimited", "expiration", "decimals"]
            .map(|name| at(one, name).write())
    };
    assert_eq!(
        members(&all[0]),
        [r#""market""#, r#""old Market router (Augustus v6.0)""#, "false", "false", r#""erc20""#, "true", "null", "9"]
    );
    assert_eq!(
        members(&all[1]),
        [r#""delta""#, r#""Delta contract""#, "true", "false", r#""erc20""#, "false", "null", "9"]
    );
    assert_eq!(at(&answer, "unread"), &json("[]"));
    rig.world.assert_untouched();
}

#[test]
fn what_permit2_lets_a_contract_take_is_listed_until_it_is_over() {
    for (until, is_there) in [(NOW, true), (NOW - 1, false), ((1 << 48) - 1, true)] {
        let rig = Rig::default();
        rig.world.unix_ms.set(NOW * 1_000);
        let most = U256::MAX >> 96;
        allow_by_permit2(&rig, address_of(ROUTER), most, until);
        let topics = vec![
            permit2::Permit::SIGNATURE_HASH,
            rig.owner().into_word(),
            address_of(SRC).into_word(),
            address_of(ROUTER).into_word(),
        ];
        rig.world.chain.borrow_mut().node(8453).logs.push((1, PERMIT2, topics));
        let answer = rig.call("approvals.list", &json(ALL), "{}").unwrap();
        let all = items(at(&answer, "allowances"));
        assert_eq!(all.len(), usize::from(is_there), "{until}");
        for one in all {
            assert_eq!((text(&one, "kind"), text(&one, "contract")), ("permit2", "market"));
            assert_eq!(at(&one, "expiration").write(), until.to_string());
            assert_eq!((at(&one, "isUnlimited"), text(&one, "amount")), (&Json::Bool(true), &*most.to_string()));
        }
    }
}

#[test]
fn a_log_of_anything_else_is_passed_over_whatever_the_node_thinks_fits() {
    let rig = Rig::default();
    let (owner, delta) = (rig.owner().into_word(), address_of(DELTA).into_word());
    for topics in [
        // A token that is no sum, approved; another spender; too few topics.
        vec![Approval::SIGNATURE_HASH, owner, delta, B256::with_last_byte(7)],
        vec![Approval::SIGNATURE_HASH, owner, THIRD.into_word()],
        vec![Approval::SIGNATURE_HASH, owner],
    ] {
        let answer = Json::Array(vec![json(&format!(
            r#"{{"address":"{THIRD:#x}","topics":[{}]}}"#,
            topics.iter().map(|topic| format!(r#""{topic}""#)).collect::<Vec<_>>().join(",")
        ))]);
        rig.world.chain.borrow_mut().node(8453).next.push_back(("eth_getLogs", Ok(answer)));
        rig.world.chain.borrow_mut().node(8453).next.push_back(("eth_getLogs", Ok(json("[1,{},null]"))));
        for spender in [address_of(DELTA), THIRD] {
            allow(&rig, THIRD, spender, U256::from(5));
        }
        let answer = rig.call("approvals.list", &json(ALL), "{}").unwrap();
        assert_eq!((found(&answer).len(), at(&answer, "fromBlock")), (0, &json("0")));
    }
}

#[test]
fn a_node_that_takes_short_ranges_is_asked_for_ever_shorter_ones() {
    let head = 1_000_016;
    let seen = |most: u64, block: u64| {
        let rig = Rig::default();
        {
            let mut chain = rig.world.chain.borrow_mut();
            (chain.node(8453).quiet_blocks, chain.node(8453).most_blocks) = (1_000_000, Some(most));
        }
        log(&rig, block, THIRD, OLD);
        allow(&rig, THIRD, OLD, U256::from(5));
        let answer = rig.call("approvals.list", &json(ALL), "{}").unwrap();
        assert_eq!(rig.world.sleeps.borrow().len(), 0, "nobody waits for a node to change its mind");
        (at(&answer, "fromBlock").write(), found(&answer).len(), asked(&rig, "eth_getLogs").len())
    };
    // 1,000,017 blocks are too many, half of them are not.
    assert_eq!(seen(500_008, 500_009), ("500009".into(), 1, 4));
    assert_eq!(seen(500_008, 500_008), ("500009".into(), 0, 4));
    assert_eq!(seen(500_007, head), ("750013".into(), 1, 6));
    // Fewer than a thousand are not asked for.
    assert_eq!(seen(1_953, head), ("998064".into(), 1, 20));
    assert_eq!(seen(976, head), ("null".into(), 0, 20));
}

#[test]
fn without_logs_the_known_tokens_and_those_of_the_journal_are_read() {
    let rig = Rig::default();
    rig.world.chain.borrow_mut().node(8453).most_blocks = Some(0);
    let usdc = address!("833589fCD6eDb6E08f4c7C32D4f71b54bdA02913");
    allow(&rig, usdc, address_of(ROUTER), U256::from(7));
    allow(&rig, address_of(SRC), address_of(DELTA), U256::from(1));
    let answer = rig.call("approvals.list", &json(ALL), "{}").unwrap();
    assert_eq!(at(&answer, "fromBlock"), &Json::Null);
    assert_eq!(found(&answer), [(usdc, address_of(ROUTER), "7".into())], "nothing names the other token");
    let build = rig.built(SELL).unwrap();
    rig.approve(at(&build, "approval"), "{}").unwrap();
    let answer = rig.call("approvals.list", &json(ALL), "{}").unwrap();
    assert_eq!(
        found(&answer),
        [(usdc, address_of(ROUTER), "7".into()), (address_of(SRC), address_of(DELTA), "100000000".into())]
    );
    assert_eq!(at(&items(at(&answer, "allowances"))[1], "isKnown"), &Json::Bool(true));
    // Another account's trades say nothing of this one's.
    let other = json(&format!(r#"{{"chainId":8453,"account":"{THIRD}"}}"#));
    assert_eq!(found(&rig.call("approvals.list", &other, "{}").unwrap()).len(), 1);
}

#[test]
fn an_order_of_the_journal_names_its_token() {
    let rig = Rig::default();
    rig.submit(&rig.built(SELL).unwrap()).unwrap();
    rig.world.chain.borrow_mut().node(8453).most_blocks = Some(0);
    let answer = rig.call("approvals.list", &json(ALL), "{}").unwrap();
    assert_eq!(found(&answer), [(address_of(SRC), address_of(DELTA), "1000000000000".into())]);
}

#[test]
fn only_the_tokens_that_are_named_are_read() {
    let rig = Rig::default();
    log(&rig, 1, THIRD, OLD);
    allow(&rig, THIRD, OLD, U256::from(5));
    let query = json(&format!(r#"{{"chainId":8453,"tokens":["{SRC}","{SRC}"]}}"#));
    let answer = rig.call("approvals.list", &query, "{}").unwrap();
    assert_eq!(found(&answer), [(address_of(SRC), address_of(DELTA), "1000000000000".into())]);
    assert_eq!((at(&answer, "fromBlock"), asked(&rig, "eth_getLogs").len()), (&Json::Null, 0));
}

#[test]
fn what_counts_as_unlimited() {
    let half = U256::from(1) << 255;
    for (amount, is_unlimited) in [
        (U256::MAX, true),
        (half, true),
        (half - U256::from(1), false),
        (U256::MAX >> 160, true),
        ((U256::MAX >> 160) - U256::from(1), false),
        ((U256::MAX >> 160) + U256::from(1), false),
    ] {
        let rig = Rig::default();
        log(&rig, 1, THIRD, OLD);
        allow(&rig, THIRD, OLD, amount);
        assert_eq!(at(&listed(&rig), "isUnlimited"), &Json::Bool(is_unlimited), "{amount}");
    }
}

#[test]
fn tokens_that_were_made_to_fail_or_to_crowd_hide_nothing() {
    let rig = Rig::default();
    let usdc = address!("833589fCD6eDb6E08f4c7C32D4f71b54bdA02913");
    allow(&rig, usdc, OLD, U256::from(7));
    let (broken, silent) = (Address::with_last_byte(201), Address::with_last_byte(202));
    for number in 1..=70 {
        log(&rig, number, Address::with_last_byte(number as u8), OLD);
        allow(&rig, Address::with_last_byte(number as u8), OLD, U256::from(5));
    }
    for token in [broken, silent] {
        log(&rig, 90, token, OLD);
    }
    let mut chain = rig.world.chain.borrow_mut();
    chain.node(8453).contracts.insert(broken, Box::new(|_| Err(failure(-32000, "out of gas"))));
    chain.node(8453).contracts.insert(silent, Box::new(|_| Err(failure(3, "execution reverted"))));
    drop(chain);
    let answer = rig.call("approvals.list", &json(ALL), "{}").unwrap();
    let all = found(&answer);
    assert_eq!(all[0], (usdc, OLD, "7".into()));
    // 64 tokens: the four of the table, the two, and of the others the latest.
    assert_eq!(all.len(), 1 + 58);
    assert_eq!(all[1].0, Address::with_last_byte(70));
    let unread: Vec<Address> =
        items(at(&answer, "unread")).iter().map(|one| address_of(one.as_text().unwrap())).collect();
    assert!(unread.contains(&broken) && !unread.contains(&silent));
    assert_eq!(unread.len(), 1 + 12, "and those for which there was no room");
}

#[test]
fn contracts_that_the_app_replaces_are_still_listed() {
    let mine = address!("4444444444444444444444444444444444444444");
    let given = Contracts { router: mine, ..Contracts::default() };
    let rig = Rig::with(|shared, _| shared.settings.given_contracts = vec![(8453, given)]);
    for spender in [mine, address_of(ROUTER), address_of(DELTA)] {
        allow(&rig, THIRD, spender, U256::from(5));
    }
    let query = json(&format!(r#"{{"chainId":8453,"tokens":["{THIRD}"]}}"#));
    let answer = rig.call("approvals.list", &query, "{}").unwrap();
    let all = items(at(&answer, "allowances"));
    let said: Vec<(&str, &str, bool)> = all
        .iter()
        .map(|one| (text(one, "spender"), text(one, "name"), *at(one, "isCurrent") == Json::Bool(true)))
        .collect();
    let [mine, router, delta] = [mine, address_of(ROUTER), address_of(DELTA)].map(|one| one.to_string());
    assert_eq!(
        said,
        [(&*delta, "Delta contract", true), (&*mine, "Market router", true), (&*router, "other Market router", false)]
    );
}

#[test]
fn a_query_is_read_strictly() {
    let rig = Rig::default();
    let many: Vec<String> = (1..=65).map(|number| format!(r#""{}""#, Address::with_last_byte(number))).collect();
    for (query, field) in [
        ("{}".to_owned(), "query.chainId"),
        (r#"{"chainId":8453,"token":"native"}"#.to_owned(), "query.token"),
        (r#"{"chainId":8453,"tokens":["native"]}"#.to_owned(), "query.tokens.0"),
        (format!(r#"{{"chainId":8453,"tokens":[{}]}}"#, many.join(",")), "query.tokens"),
        (r#"{"chainId":8453,"account":"0x1"}"#.to_owned(), "query.account"),
    ] {
        let error = rig.call("approvals.list", &json(&query), "{}").unwrap_err();
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some(field)), "{query}");
    }
    let fits = format!(r#"{{"chainId":8453,"tokens":[{}]}}"#, many[..64].join(","));
    rig.call("approvals.list", &json(&fits), "{}").unwrap();
    let error = rig.call("approvals.list", &json(r#"{"chainId":31337}"#), "{}").unwrap_err();
    assert_eq!(error.code, ErrorCode::UnsupportedChain);
    rig.signal.0.set(true);
    assert_eq!(rig.call("approvals.list", &json(ALL), "{}").unwrap_err().code, ErrorCode::Aborted);
}

#[test]
fn a_node_that_does_not_answer_is_an_error_and_no_empty_list() {
    let rig = Rig::default();
    rig.world.chain.borrow_mut().node(8453).unreachable = true;
    assert_eq!(rig.call("approvals.list", &json(ALL), "{}").unwrap_err().code, ErrorCode::Network);
}

#[test]
fn the_list_informs_so_one_node_is_enough() {
    let mut rig = Rig::default();
    rig.with_references();
    log(&rig, 1, THIRD, OLD);
    allow(&rig, THIRD, OLD, U256::from(5));
    rig.call("approvals.list", &json(ALL), "{}").unwrap();
    let questions = rig.world.questions.borrow();
    assert!(questions.iter().all(|(place, method, _)| *place != Place::Node(2) || *method == "eth_chainId"));
}

/// An allowance is about to be taken back.
pub fn revocation() -> (Rig, Json) {
    let rig = Rig::default();
    log(&rig, 1, THIRD, OLD);
    allow(&rig, THIRD, OLD, U256::MAX);
    let build = rig.call("approvals.buildRevoke", &listed(&rig), "{}").unwrap();
    (rig, build)
}

#[test]
fn an_allowance_is_taken_back_by_a_transaction_like_any_other() {
    let (rig, build) = revocation();
    assert_eq!((text(&build, "kind"), text(&build, "purpose")), ("transaction", "revoke"));
    assert_eq!(at(&build, "approval"), &Json::Null);
    assert_eq!(address_of(text(&build, "transaction.to")), THIRD);
    let expected = approveCall { spender: OLD, amount: U256::ZERO }.abi_encode();
    assert_eq!(text(&build, "transaction.data"), hex::encode_prefixed(expected));
    let sentence = format!("Take back what the old Market router (Augustus v6.0) {OLD} may take of {THIRD} on Base");
    assert_eq!(text(&build, "report.sentence"), sentence);
    for field in ["transaction.to", "transaction.spender", "allowance.amount"] {
        assert_eq!(verdicts(&build, field), ["ok"]);
    }
    let sent = rig.submit(&build).unwrap();
    let asked = json(&rig.world.wallet_was_asked("eth_sendTransaction")[0]);
    assert_eq!(at(&asked, "0.data"), at(&build, "transaction.data"));
    // It is in a block.
    let hash = format!(r#"["{}"]"#, text(&sent, "hash"));
    rig.world.chain.borrow_mut().node(8453).answer("eth_getTransactionReceipt", &hash).ok();
    assert_eq!(found(&rig.call("approvals.list", &json(ALL), "{}").unwrap()), []);
    let trades = rig.call("trades.list", &json("{}"), "{}").unwrap();
    assert_eq!((text(&trades, "0.purpose"), text(&trades, "0.summary.sentence")), ("revoke", &*sentence));
}

#[test]
fn what_permit2_keeps_is_taken_back_from_permit2_even_if_it_is_over() {
    let rig = Rig::default();
    allow_by_permit2(&rig, address_of(DELTA), U256::from(5), NOW - 1);
    let query = format!(r#"{{"chainId":8453,"token":"{SRC}","spender":"{DELTA}","kind":"permit2"}}"#);
    let build = rig.call("approvals.buildRevoke", &json(&query), "{}").unwrap();
    assert_eq!(address_of(text(&build, "transaction.to")), PERMIT2);
    let (token, spender) = (address_of(SRC), address_of(DELTA));
    let amount = U256::ZERO.to();
    let expiration = U256::ZERO.to();
    let expected = permit2::approveCall { token, spender, amount, expiration }.abi_encode();
    assert_eq!(text(&build, "transaction.data"), hex::encode_prefixed(expected));
    assert!(text(&build, "report.sentence").ends_with(" through Permit2 on Base"));
    rig.submit(&build).unwrap();
}

#[test]
fn nothing_is_built_for_a_contract_that_keeps_no_allowances_or_does_not_answer() {
    // The same call of ERC-721 approves the item with the number 0.
    for (answer, code) in [
        (Ok(json(r#""0x""#)), ErrorCode::InvalidInput),
        (Err(failure(3, "execution reverted")), ErrorCode::InvalidInput),
        (Err(failure(-32000, "out of gas")), ErrorCode::WalletFailed),
    ] {
        let rig = Rig::default();
        let contract = move |call: &Json| match text(call, "data").starts_with("0xdd62ed3e") {
            true => answer.clone(),
            false => Ok(json(r#""0x""#)),
        };
        rig.world.chain.borrow_mut().node(8453).contracts.insert(THIRD, Box::new(contract));
        let query = format!(r#"{{"chainId":8453,"token":"{THIRD}","spender":"{OLD}"}}"#);
        let error = rig.call("approvals.buildRevoke", &json(&query), "{}").unwrap_err();
        assert_eq!(error.code, code, "{error:?}");
    }
}

#[test]
fn nothing_is_built_for_a_collection_whatever_it_says_it_allows() {
    for says in [true, false] {
        let rig = Rig::default();
        // Any question is answered with one: also whether it is a collection, by ERC-165.
        let answers = move |call: &Json| {
            let is_asked = text(call, "data").starts_with("0x01ffc9a780ac58cd");
            Ok(Json::String(hex::encode_prefixed(U256::from(says || !is_asked).to_be_bytes::<32>())))
        };
        rig.world.chain.borrow_mut().node(8453).contracts.insert(THIRD, Box::new(answers));
        let asked = format!(r#"{{"chainId":8453,"token":"{THIRD}","spender":"{DELTA}"}}"#);
        let outcome = rig.call("approvals.buildRevoke", &json(&asked), "{}");
        assert_eq!(outcome.is_err(), says, "{outcome:?}");
        if let Err(error) = outcome {
            assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("allowance.token")));
        }
    }
}

#[test]
fn two_nodes_have_to_agree_before_one_is_taken_back() {
    let mut rig = Rig::default();
    rig.with_references();
    let query = json(&format!(r#"{{"chainId":8453,"token":"{SRC}","spender":"{DELTA}"}}"#));
    rig.call("approvals.buildRevoke", &query, "{}").unwrap();
    assert!(
        rig.world
            .questions
            .borrow()
            .iter()
            .any(|(place, method, _)| { *place == Place::Node(2) && *method == "eth_call" })
    );
}

#[test]
fn shorter_ranges_are_asked_for_during_twenty_seconds() {
    let asked_by = |ms: u64| {
        let rig = Rig::default();
        {
            let mut chain = rig.world.chain.borrow_mut();
            (chain.node(8453).quiet_blocks, chain.node(8453).most_blocks) = (1_000_000, Some(0));
        }
        rig.world.at_each(move |world, moment| {
            if moment == Moment::Answer("eth_getLogs") {
                world.pass(ms);
            }
        });
        rig.call("approvals.list", &json(ALL), "{}").unwrap();
        asked(&rig, "eth_getLogs").len()
    };
    // Two questions for each range: the first range is over after twice that time.
    assert_eq!(asked_by(10_000), 4);
    assert_eq!(asked_by(10_001), 2);
}

#[test]
fn no_more_than_256_unread_tokens_are_named() {
    let rig = Rig::default();
    for (logged, unread) in [(60 + 256, 256), (60 + 257, 256)] {
        rig.world.chain.borrow_mut().node(8453).logs.clear();
        for number in 0..logged {
            log(&rig, 1, Address::from_word(U256::from(1_000 + number).into()), OLD);
        }
        let answer = rig.call("approvals.list", &json(ALL), "{}").unwrap();
        assert_eq!(items(at(&answer, "unread")).len(), unread);
    }
}

#[test]
fn a_known_token_has_its_name_in_the_sentence() {
    let rig = Rig::default();
    let usdc = address!("833589fCD6eDb6E08f4c7C32D4f71b54bdA02913");
    allow(&rig, usdc, OLD, U256::from(5));
    let build = rig.call("approvals.buildRevoke", &listed(&rig), "{}").unwrap();
    assert!(text(&build, "report.sentence").contains(&format!(" may take of USDC {usdc} on Base")));
}

#[test]
fn nothing_else_is_taken_back() {
    let rig = Rig::default();
    let query = |token: &str, spender: &str, more: &str| {
        json(&format!(r#"{{"chainId":8453,"token":"{token}","spender":"{spender}"{more}}}"#))
    };
    for (query, field) in [
        (query(SRC, DEST, ""), "allowance.spender"),
        // Permit2 is nobody's of the service: others use it, too.
        (query(SRC, &PERMIT2.to_string(), ""), "allowance.spender"),
        (query(NATIVE, DELTA, ""), "allowance.token"),
        (query(SRC, DELTA, r#","kind":"erc721""#), "allowance.kind"),
        (query(SRC, DELTA, r#","acount":"0x1""#), "allowance.acount"),
        (query(DEST, DELTA, r#","amount":"5""#), "allowance.amount"),
        (query(SRC, DELTA, r#","kind":"permit2""#), "allowance.amount"),
        (json(&format!(r#"{{"token":"{SRC}","spender":"{DELTA}"}}"#)), "allowance.chainId"),
    ] {
        let error = rig.call("approvals.buildRevoke", &query, "{}").unwrap_err();
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some(field)), "{query:?}");
    }
    rig.world.assert_untouched();
}

#[test]
fn what_a_lying_list_says_of_an_allowance_changes_nothing() {
    let rig = Rig::default();
    let build = rig.call("approvals.buildRevoke", &listed_with(&rig, "name", r#""your wallet""#), "{}").unwrap();
    assert!(!text(&build, "report.sentence").contains("your wallet"));
    let error = rig.submit(&edited(&build)).unwrap_err();
    assert_eq!(error.code, ErrorCode::InvalidInput);
}

/// SRC for Delta as listed, with one member changed.
fn listed_with(rig: &Rig, member: &str, value: &str) -> Json {
    let query = json(&format!(r#"{{"chainId":8453,"tokens":["{SRC}"]}}"#));
    let mut one = items(at(&rig.call("approvals.list", &query, "{}").unwrap(), "allowances"))[0].clone();
    set(&mut one, member, value);
    one
}

fn edited(build: &Json) -> Json {
    let mut edited = build.clone();
    set(&mut edited, "transaction.to", &format!(r#""{THIRD}""#));
    edited
}

#[test]
fn the_events_are_those_that_the_tokens_log() {
    assert_eq!(Approval::SIGNATURE_HASH, keccak256("Approval(address,address,uint256)"));
    let rig = Rig::default();
    rig.call("approvals.list", &json(ALL), "{}").unwrap();
    let filters = asked(&rig, "eth_getLogs");
    assert_eq!(text(&filters[0], "0.topics.0"), Approval::SIGNATURE_HASH.to_string());
    assert_eq!(text(&filters[1], "0.topics.0.0"), permit2::Approval::SIGNATURE_HASH.to_string());
    assert_eq!(text(&filters[1], "0.topics.0.1"), permit2::Permit::SIGNATURE_HASH.to_string());
}
