//! Several nodes that have to say the same before a refusal or a prompt rests on it, and one of them that lies, lags or
//! is away.

use super::fake_host::{
    DELTA, Moment, Node, Place, ROUTER, Rig, SELL, SRC, World, at, failure, hex_word, json, native_sale, set, text,
};
use super::market;
use super::otc::{DECIMALS, desk};
use super::permit::{Token, bank};
use alloy_primitives::{Address, U256, hex};
use proptest::prelude::*;
use std::cell::Cell;
use std::rc::Rc;
use verified_swap_trade::host::WalletFailure;
use verify::internal::error::{ErrorCode, Result};
use verify::internal::json::Json;

type Outcome = core::result::Result<Json, WalletFailure>;
/// A trade in a world of its own, into which a lie is brought before it begins.
type Trade = fn(&dyn Fn(&Rig)) -> (Rc<World>, Result<Json>);

const OPTIONS: &str = r#"{"slippageBps":50}"#;

/// A client with two nodes that know the same.
fn two() -> Rig {
    let mut rig = Rig::default();
    rig.with_references();
    rig
}

/// A client with nodes 8453, 2, 3 and so on, which know each their own, of which two have to say the same.
fn apart(count: u64) -> Rig {
    let rig = Rig::with(|shared, _| {
        shared.settings.rpc.extend((2..=count).map(|node| (8453, Place::Node(node))));
        shared.settings.rpc_quorum = 2;
    });
    for node in 2..=count {
        rig.world.chain.borrow_mut().node(node).id = 8453;
    }
    rig
}

fn asked(rig: &Rig, place: Place, method: &str) -> usize {
    rig.world.questions.borrow().iter().filter(|(of, asked, _)| *of == place && *asked == method).count()
}

/// Whether a question is of that method, and a call by that selector.
fn is_about(method: &str, params: &Json, (of, selector): (&str, &str)) -> bool {
    method == of && (selector.is_empty() || text(params, "0.data").trim_start_matches("0x").starts_with(selector))
}

/// Another answer of the same form.
fn twisted(method: &str, known: Outcome) -> Outcome {
    let Ok(known) = known else { return Ok(Json::String("0x".into())) };
    let mut other = known.clone();
    match (method, &known) {
        ("eth_getBlockByNumber", _) => {
            let time = text(&known, "timestamp").parse::<U256>().unwrap() + U256::from(61);
            set(&mut other, "timestamp", &format!(r#""{time:#x}""#));
        }
        ("eth_getCode", _) => other = Json::String(format!("{}00", known.as_text().unwrap())),
        ("eth_call", _) if known.as_text() == Some("0x") => return Err(failure(3, "execution reverted")),
        ("eth_call", Json::String(said)) => {
            let mut bytes = hex::decode(said).unwrap();
            let last = bytes.len() - 1;
            bytes[last] ^= 1;
            other = Json::String(hex::encode_prefixed(bytes));
        }
        (_, Json::String(said)) => {
            other = Json::String(format!("{:#x}", said.parse::<U256>().unwrap() + U256::from(1)));
        }
        _ => {}
    }
    Ok(other)
}

fn swapped(lie: &dyn Fn(&Rig)) -> (Rc<World>, Result<Json>) {
    let rig = two();
    lie(&rig);
    let outcome = rig.built(SELL).and_then(|build| {
        rig.world.age_reads();
        rig.submit(&build)
    });
    (rig.world.clone(), outcome)
}

fn sold_native(lie: &dyn Fn(&Rig)) -> (Rc<World>, Result<Json>) {
    let rig = two();
    lie(&rig);
    let outcome = rig.built_as(&native_sale(), OPTIONS).and_then(|build| rig.submit(&build));
    (rig.world.clone(), outcome)
}

fn sent(lie: &dyn Fn(&Rig)) -> (Rc<World>, Result<Json>) {
    let mut rig = market::allowed(u64::MAX);
    rig.with_references();
    lie(&rig);
    let outcome = market::built(&rig, SELL).and_then(|build| {
        rig.world.age_reads();
        rig.submit(&build)
    });
    (rig.world.clone(), outcome)
}

/// A fill of which the taker is asked.
fn filled(lie: &dyn Fn(&Rig)) -> (Rc<World>, Result<Json>) {
    let mut desk = desk();
    desk.rig.with_references();
    lie(&desk.rig);
    let outcome = desk.rig.call("otc.buildFill", &desk.order(&[]), DECIMALS).and_then(|build| desk.rig.submit(&build));
    (desk.rig.world.clone(), outcome)
}

/// A permit of an honest quote.
fn permitted(lie: &dyn Fn(&Rig)) -> (Rc<World>, Result<Json>) {
    let mut bank = bank(Token::default());
    bank.rig.with_references();
    let quote = bank.rig.quote(SELL).unwrap();
    lie(&bank.rig);
    let outcome = bank.rig.call("signPermit", &quote, r#"{"kind":"eip2612"}"#);
    (bank.rig.world.clone(), outcome)
}

/// An approval of a token that wants its allowance reset.
fn approved(lie: &dyn Fn(&Rig)) -> (Rc<World>, Result<Json>) {
    let rig = two();
    let key = (SRC.parse().unwrap(), DELTA.parse().unwrap());
    rig.world.chain.borrow_mut().node(8453).allowances.insert(key, U256::from(1));
    let build = rig.built(SELL).unwrap();
    rig.world.pass(2_001);
    lie(&rig);
    let outcome = rig.approve(at(&build, "approval"), "{}");
    (rig.world.clone(), outcome)
}

/// Each kind of read before a prompt: the trade, the question, and what the error calls it.
fn reads() -> Vec<(Trade, (&'static str, &'static str), &'static str)> {
    vec![
        (swapped, ("eth_call", "313ce567"), "decimals"),
        (swapped, ("eth_getBlockByNumber", ""), "time"),
        (swapped, ("eth_call", "dd62ed3e"), "allowance"),
        (swapped, ("eth_call", "70a08231"), "balance"),
        (swapped, ("eth_getCode", ""), "code"),
        (sold_native, ("eth_getBalance", ""), "balance"),
        (sent, ("eth_call", ""), ""),
        (sent, ("eth_getTransactionCount", ""), "transactionCount"),
        (filled, ("eth_call", "0b57f091"), "remaining"),
        (filled, ("eth_getCode", ""), "code"),
        (filled, ("eth_call", "98f9b46b"), "simulation"),
        (permitted, ("eth_call", "7ecebe00"), "nonce"),
        (permitted, ("eth_call", "3644e515"), "domainSeparator"),
        (permitted, ("eth_call", "06fdde03"), "domain"),
        (permitted, ("eth_getCode", ""), "code"),
        (approved, ("eth_call", "dd62ed3e"), "allowance"),
        (approved, ("eth_call", "095ea7b3"), "approve"),
    ]
}

#[test]
fn two_nodes_that_agree_make_every_trade_as_one_does() {
    for (trade, ..) in reads() {
        let (world, outcome) = trade(&|_| {});
        outcome.unwrap();
        assert!(world.sleeps.borrow().is_empty(), "nobody waits");
    }
    let (one, both) = (Rig::default(), two());
    for rig in [&one, &both] {
        rig.submit(&rig.built(SELL).unwrap()).unwrap();
    }
    for method in ["eth_chainId", "eth_getBlockByNumber", "eth_call", "eth_getCode"] {
        let node = Place::Node(8453);
        assert_eq!(asked(&both, node, method), asked(&one, node, method), "{method}");
        assert_eq!(asked(&both, Place::Node(2), method), asked(&one, node, method), "{method}");
    }
    assert_eq!(one.world.wallet_was_asked("eth_signTypedData_v4"), both.world.wallet_was_asked("eth_signTypedData_v4"));
}

#[test]
fn a_lie_of_one_node_about_any_read_is_refused_before_the_prompt() {
    for (trade, about, field) in reads() {
        for liar in [8453, 2] {
            let told = Rc::new(Cell::new(0));
            let (world, outcome) = trade(&|rig| {
                let told = Rc::clone(&told);
                let lie = move |method: &str, params: &Json, known| {
                    if !is_about(method, params, about) {
                        return known;
                    }
                    told.set(told.get() + 1);
                    twisted(method, known)
                };
                rig.world.chain.borrow_mut().liar = Some((liar, Box::new(lie)));
            });
            let error = outcome.expect_err(field);
            assert!(told.get() > 0, "{about:?}");
            assert_eq!(error.code, ErrorCode::NodesDisagree, "{about:?} {liar}: {error:?}");
            assert!(field.is_empty() || error.field.as_deref() == Some(field), "{about:?} {liar}: {error:?}");
            let (expected, actual) = (error.expected.clone().unwrap(), error.actual.clone().unwrap());
            assert_ne!(expected, actual);
            assert!(expected.ends_with(" (rpc.8453.0)") && actual.ends_with(" (rpc.8453.1)"), "{error:?}");
            assert!(error.write().contains(r#""code":"NODES_DISAGREE","action":"retry""#));
            // The references that a quote asks ahead are another question.
            let pauses = world.sleeps.borrow().len();
            assert!((1..=2).contains(&pauses), "{about:?}: looked once more, after a pause");
            world.assert_untouched();
        }
    }
}

#[test]
fn what_both_said_is_in_the_error() {
    let rig = apart(2);
    rig.world.chain.borrow_mut().node(2).decimals.insert(SRC.parse().unwrap(), 18);
    let error = rig.built(SELL).unwrap_err();
    assert_eq!(error.expected.as_deref(), Some("6 (rpc.8453.0)"));
    assert_eq!(error.actual.as_deref(), Some("18 (rpc.8453.1)"));
    assert!(error.message.ends_with("decimals: expected 6 (rpc.8453.0), got 18 (rpc.8453.1)"), "{error:?}");
}

#[test]
fn a_transaction_that_reverts_by_one_node_only_is_not_sent() {
    for (liar, says_it_passes) in [(8453, true), (8453, false), (2, true), (2, false)] {
        let mut rig = market::allowed(u64::MAX);
        rig.with_references();
        let build = market::built(&rig, SELL).unwrap();
        rig.world.age_reads();
        let revert = || Err(failure(3, "execution reverted"));
        if says_it_passes {
            let contract = Box::new(move |_: &Json| revert());
            rig.world.chain.borrow_mut().node(8453).contracts.insert(ROUTER.parse().unwrap(), contract);
        }
        let lie = move |method: &str, params: &Json, known: Outcome| {
            if method != "eth_call" || !text(params, "0.to").eq_ignore_ascii_case(ROUTER) {
                return known;
            }
            if says_it_passes { Ok(Json::String("0x".into())) } else { revert() }
        };
        rig.world.chain.borrow_mut().liar = Some((liar, Box::new(lie)));
        let error = rig.submit(&build).unwrap_err();
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::NodesDisagree, Some("simulation")), "{error:?}");
        rig.world.assert_untouched();
    }
}

#[test]
fn what_both_say_of_a_call_that_reverts_is_a_refusal_like_any_other() {
    let mut rig = market::allowed(u64::MAX);
    rig.with_references();
    let build = market::built(&rig, SELL).unwrap();
    let reverts = Box::new(|_: &Json| Err(failure(3, "execution reverted")));
    rig.world.chain.borrow_mut().node(8453).contracts.insert(ROUTER.parse().unwrap(), reverts);
    rig.world.age_reads();
    let error = rig.submit(&build).unwrap_err();
    assert!(error.reverted && error.code == ErrorCode::WalletFailed, "{error:?}");
}

#[test]
fn answers_are_compared_by_what_they_say() {
    let rig = two();
    let lie = |method: &str, _: &Json, known: Outcome| {
        let mut known = known?;
        match (method, &known) {
            ("eth_call" | "eth_getCode", Json::String(hex)) => Ok(Json::String(hex.to_uppercase().replace("0X", "0x"))),
            ("eth_getBlockByNumber", _) => {
                let number = text(&known, "number").replace("0x", "0x000");
                set(&mut known, "number", &format!(r#""{number}""#));
                set(&mut known, "extra", "1");
                Ok(known)
            }
            (_, Json::String(hex)) => Ok(Json::String(hex.to_uppercase().replace("0X", "0x00"))),
            _ => Ok(known),
        }
    };
    rig.world.chain.borrow_mut().liar = Some((2, Box::new(lie)));
    rig.submit(&rig.built(SELL).unwrap()).unwrap();
    rig.submit(&rig.built_as(&native_sale(), OPTIONS).unwrap()).unwrap();
    assert!(rig.world.sleeps.borrow().is_empty());
}

/// The first node is a block ahead of the second. Its state of the block before is that of the second one.
fn one_block_apart(rig: &Rig) {
    let mut chain = rig.world.chain.borrow_mut();
    let before = std::mem::take(chain.node(8453));
    *chain.node(8453) = Node::of(8453);
    let ahead = chain.node(8453);
    (ahead.quiet_blocks, ahead.time) = (1, before.time + 12);
    ahead.before = Some(Box::new(before));
}

#[test]
fn a_node_that_lags_by_a_block_is_asked_at_its_own() {
    let rig = apart(2);
    one_block_apart(&rig);
    let key = (SRC.parse().unwrap(), DELTA.parse().unwrap());
    // The owner has just raised the allowance; by the lower block it is as it was.
    rig.world.chain.borrow_mut().node(8453).allowances.insert(key, U256::from(1_000_000_000_001_u64));
    let build = rig.built(SELL).unwrap();
    assert_eq!(at(&build, "approval"), &Json::Null);
    rig.submit(&build).unwrap();
    assert!(rig.world.sleeps.borrow().is_empty(), "at once");
    let at_block = |node: u64| {
        let questions = rig.world.questions.borrow();
        questions.iter().any(|(place, _, params)| *place == Place::Node(node) && params.contains(r#""0x10""#))
    };
    assert!(at_block(8453) && at_block(2));
}

#[test]
fn what_is_settled_at_one_block_hides_no_lie_beside_it() {
    let rig = apart(2);
    one_block_apart(&rig);
    let build = rig.built(SELL).unwrap();
    rig.world.age_reads();
    rig.world.chain.borrow_mut().node(8453).balance += U256::from(1);
    let lie = |method: &str, params: &Json, known| {
        if is_about(method, params, ("eth_call", "dd62ed3e")) { twisted(method, known) } else { known }
    };
    rig.world.chain.borrow_mut().liar = Some((2, Box::new(lie)));
    let error = rig.submit(&build).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::NodesDisagree, Some("allowance")), "{error:?}");
    rig.world.assert_untouched();
}

#[test]
fn nobody_is_sent_back_to_a_block_that_is_more_than_a_minute_old() {
    // The second node names an old block as its latest, at which the allowance was high.
    let rig = two();
    let key: (Address, Address) = (SRC.parse().unwrap(), DELTA.parse().unwrap());
    rig.world.chain.borrow_mut().node(8453).allowances.insert(key, U256::ZERO);
    let mut old = Node::of(8453);
    old.time -= 61;
    {
        let mut chain = rig.world.chain.borrow_mut();
        chain.node(8453).quiet_blocks = 1;
        chain.node(8453).before = Some(Box::new(old));
        let lie = |method: &str, params: &Json, known: Outcome| {
            let known = known?;
            Ok(match method {
                "eth_getBlockByNumber" if text(params, "0") == "latest" => {
                    json(&format!(r#"{{"number":"0x10","timestamp":"{:#x}"}}"#, 1_800_000_000))
                }
                "eth_call" if text(params, "0.data").starts_with("0xdd62ed3e") => {
                    Json::String(hex_word(U256::from(1_000_000_000_000_u64)))
                }
                _ => known,
            })
        };
        chain.liar = Some((2, Box::new(lie)));
    }
    let error = rig.built(SELL).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::NodesDisagree, Some("time")), "{error:?}");
    rig.world.assert_untouched();
}

#[test]
fn clocks_may_be_a_minute_apart() {
    for (secs, is_refused) in [(60, false), (61, true)] {
        for node in [8453, 2] {
            let rig = apart(2);
            rig.world.chain.borrow_mut().node(node).time += secs;
            let outcome = rig.built(SELL);
            assert_eq!(outcome.is_err(), is_refused, "{secs}");
            match outcome {
                // Deadlines are counted from the earlier one.
                Ok(build) => {
                    assert_eq!(text(&build, "report.sentence"), text(&two().built(SELL).unwrap(), "report.sentence"))
                }
                Err(error) => {
                    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::NodesDisagree, Some("time")));
                    assert!(error.actual.as_deref().unwrap().contains(" in block 16 "), "{error:?}");
                }
            }
        }
    }
}

#[test]
fn what_the_slower_node_finds_out_within_a_second_is_no_disagreement() {
    type Fault = fn(&mut Node);
    let faults: [(Fault, Fault); 3] = [
        (|node| node.time -= 100, |node| node.time += 100),
        (|node| node.balance = U256::ZERO, |node| node.balance = U256::from(1_000_000_000_000_u64)),
        (
            |node| node.allowances.clear(),
            |node| {
                node.allowances = Node::of(8453).allowances;
            },
        ),
    ];
    for (fault, heal) in faults {
        let rig = apart(2);
        fault(rig.world.chain.borrow_mut().node(2));
        rig.world.once(Moment::Sleep, move |world| heal(world.chain.borrow_mut().node(2)));
        rig.submit(&rig.built(SELL).unwrap()).unwrap();
        assert_eq!(rig.world.sleeps.borrow().len(), 1);
    }
}

#[test]
fn what_differed_once_is_not_kept() {
    let rig = apart(2);
    rig.world.chain.borrow_mut().node(2).decimals.insert(SRC.parse().unwrap(), 8);
    assert_eq!(rig.built(SELL).unwrap_err().code, ErrorCode::NodesDisagree);
    rig.world.chain.borrow_mut().node(2).decimals.insert(SRC.parse().unwrap(), 6);
    rig.built(SELL).unwrap();
}

#[test]
fn a_node_that_is_away_is_replaced_by_the_third() {
    for away in [8453, 2] {
        let rig = apart(3);
        rig.world.chain.borrow_mut().node(away).unreachable = true;
        rig.submit(&rig.built(SELL).unwrap()).unwrap();
        assert!(rig.world.sleeps.borrow().is_empty(), "at once");
        let before = rig.world.questions.borrow().len();
        rig.world.age_reads();
        rig.built(SELL).unwrap();
        let questions = rig.world.questions.borrow();
        assert!(questions[before..].iter().all(|(place, ..)| *place != Place::Node(away)), "the others stay in use");
    }
}

#[test]
fn the_third_does_not_vote_twice() {
    // The second fails in the middle; the third, which takes its place, lies with the first.
    let rig = apart(3);
    for liar in [8453, 3] {
        rig.world.chain.borrow_mut().node(liar).decimals.insert(SRC.parse().unwrap(), 8);
    }
    let fails = || (0..40).map(|_| ("eth_call", Err(failure(-32603, "internal error")))).collect();
    rig.world.chain.borrow_mut().node(2).next = fails();
    // Two that lie alike are believed: that is all that two witnesses can do.
    let error = rig.built(SELL).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("request.srcDecimals")));
    // With the first one honest, the lie of the third is seen, whatever the second answered before.
    let rig = apart(3);
    rig.world.chain.borrow_mut().node(3).decimals.insert(SRC.parse().unwrap(), 8);
    rig.world.chain.borrow_mut().node(2).next = fails();
    assert_eq!(rig.built(SELL).unwrap_err().code, ErrorCode::NodesDisagree);
}

#[test]
fn a_node_that_takes_anothers_place_answers_all_anew() {
    // The first lies, then fails once, and comes back in place of the second, which is away.
    let rig = apart(3);
    {
        let mut chain = rig.world.chain.borrow_mut();
        chain.node(8453).decimals.insert(SRC.parse().unwrap(), 8);
        chain.node(8453).next.push_back(("eth_getBlockByNumber", Err(failure(-32603, "internal error"))));
        chain.node(2).unreachable = true;
    }
    let request = SELL.replace(r#""srcDecimals":6"#, r#""srcDecimals":8"#);
    assert_eq!(rig.built(&request).unwrap_err().code, ErrorCode::NodesDisagree, "it is no witness of itself");
}

#[test]
fn what_is_read_ahead_is_asked_of_both() {
    let rig = two();
    rig.quote(&SELL.replacen('{', &format!(r#"{{"account":"{}","#, rig.owner()), 1)).unwrap();
    let questions = rig.world.questions.borrow();
    let of = |node: u64| {
        let mine = questions.iter().filter(|(place, ..)| *place == Place::Node(node));
        mine.map(|(_, method, params)| (*method, params.clone())).collect::<Vec<_>>()
    };
    assert_eq!(of(8453), of(2));
    assert!(of(2).len() > 3);
}

#[test]
fn a_late_trade_counts_its_deadline_from_now() {
    for differs in [false, true] {
        let rig = apart(2);
        if differs {
            rig.world.chain.borrow_mut().node(2).time -= 100;
        }
        let quote = rig.quote(SELL).unwrap();
        rig.world.pass(20_000);
        for node in [8453, 2] {
            rig.world.chain.borrow_mut().node(node).time = 1_800_000_020;
        }
        // The times that were kept of the two differ by more than a minute: then it is read anew, and is not old.
        let build = rig.build(&quote, OPTIONS).unwrap();
        // The references, asked ahead, were looked at once more after a second.
        let expected = if differs { "1800001221" } else { "1800001220" };
        assert_eq!(at(&build, "deadline").write(), expected);
    }
}

#[test]
fn with_less_than_two_that_answer_nothing_is_refused_or_signed() {
    for count in [2, 3] {
        let rig = apart(count);
        for away in 2..=count {
            rig.world.chain.borrow_mut().node(away).unreachable = true;
        }
        assert_eq!(rig.built(SELL).unwrap_err().code, ErrorCode::Network);
        rig.world.assert_untouched();
    }
    // A hiccup is none of these.
    let rig = apart(2);
    rig.world.chain.borrow_mut().node(2).next.push_back(("eth_call", Err(failure(-32603, "internal error"))));
    rig.built(SELL).unwrap();
    assert_eq!(rig.world.sleeps.borrow().len(), 1);
}

#[test]
fn what_only_informs_is_asked_of_one_node() {
    let rig = apart(2);
    rig.world.chain.borrow_mut().node(2).unreachable = true;
    let query = format!(r#"{{"chainId":8453,"token":"{SRC}","account":"{}"}}"#, rig.owner());
    rig.call("info.balance", &json(&query), "{}").unwrap();
    rig.call("approvals.allowance", &json(&query), "{}").unwrap();
    assert_eq!(asked(&rig, Place::Node(2), "eth_call"), 0);
}

#[test]
fn a_wallet_among_the_nodes_counts_while_it_is_on_the_chain() {
    let wallet = || {
        Rig::with(|shared, _| {
            shared.settings.rpc.push((8453, Place::Wallet));
            shared.settings.rpc_quorum = 2;
        })
    };
    let rig = wallet();
    rig.submit(&rig.built(SELL).unwrap()).unwrap();
    assert!(asked(&rig, Place::Wallet, "eth_call") > 0);
    // Answers that it has of another chain are none, and are not asked for.
    let rig = wallet();
    rig.world.signer.borrow_mut().chain_id = 1;
    let error = rig.built(SELL).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("rpc.8453")), "{error:?}");
    assert_eq!(asked(&rig, Place::Wallet, "eth_call"), 0);
    // Also if it was on this one before.
    let rig = wallet();
    rig.built(SELL).unwrap();
    rig.world.age_reads();
    rig.world.signer.borrow_mut().chain_id = 1;
    let before = asked(&rig, Place::Wallet, "eth_call");
    assert_eq!(rig.built(SELL).unwrap_err().code, ErrorCode::InvalidInput);
    assert_eq!(asked(&rig, Place::Wallet, "eth_call"), before);
    // Then the next one takes its place.
    let rig = Rig::with(|shared, _| {
        shared.settings.rpc.extend([(8453, Place::Wallet), (8453, Place::Node(2))]);
        shared.settings.rpc_quorum = 2;
    });
    rig.world.chain.borrow_mut().node(2).id = 8453;
    rig.world.signer.borrow_mut().chain_id = 1;
    rig.built(SELL).unwrap();
}

#[test]
fn a_chain_for_which_no_node_is_named_is_read_through_the_wallet_alone() {
    let rig = Rig::with(|shared, _| {
        shared.settings.rpc.clear();
        shared.settings.rpc_quorum = 2;
    });
    rig.submit(&rig.built(SELL).unwrap()).unwrap();
}

#[test]
fn a_nonce_that_only_one_node_calls_used_ends_no_order() {
    for liar in [8453, 2] {
        let rig = two();
        let first = rig.built(SELL).unwrap();
        rig.submit(&first).unwrap();
        rig.world.pass(1_000);
        let second = rig.built(SELL).unwrap();
        let lie = |method: &str, params: &Json, known| {
            if is_about(method, params, ("eth_call", "cab7e8eb")) {
                Ok(Json::String(hex_word(U256::from(1))))
            } else {
                known
            }
        };
        rig.world.chain.borrow_mut().liar = Some((liar, Box::new(lie)));
        assert_eq!(rig.submit(&second).unwrap_err().code, ErrorCode::AlreadySigned);
        assert_eq!(rig.world.prompts(), 1);
        rig.world.chain.borrow_mut().liar = None;
        rig.fill(&first);
        rig.submit(&rig.built(SELL).unwrap()).unwrap();
    }
}

#[test]
fn an_account_that_only_one_node_says_accepts_a_signature_has_not_accepted_it() {
    let yes = "0x1626ba7e00000000000000000000000000000000000000000000000000000000";
    let rig = two();
    let owner = rig.owner();
    {
        let mut chain = rig.world.chain.borrow_mut();
        chain.node(8453).code.insert(owner, vec![0x60; 64]);
        chain.node(8453).contracts.insert(owner, Box::new(|_| Ok(Json::String(hex_word(U256::ZERO)))));
    }
    let build = rig.built(SELL).unwrap();
    let lie = move |method: &str, params: &Json, known| {
        if is_about(method, params, ("eth_call", "1626ba7e")) { Ok(Json::String(yes.into())) } else { known }
    };
    rig.world.chain.borrow_mut().liar = Some((8453, Box::new(lie)));
    let options = format!(r#"{{"signature":"0x{}"}}"#, "01".repeat(80));
    let error = rig.submit_with(&build, &options).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::NodesDisagree, Some("isValidSignature")));
    assert!(rig.world.posts().is_empty());
}

#[test]
fn a_transaction_has_ended_when_both_nodes_know() {
    let mut rig = market::allowed(u64::MAX);
    rig.with_references();
    let sent = rig.submit(&market::built(&rig, SELL).unwrap()).unwrap();
    let lie = |method: &str, _: &Json, known| {
        if method == "eth_getTransactionReceipt" { Ok(json(r#"{"status":"0x0","blockNumber":"0x10"}"#)) } else { known }
    };
    rig.world.chain.borrow_mut().liar = Some((8453, Box::new(lie)));
    rig.world.chain.borrow_mut().node(8453).pending_for = 1_000;
    let trade = |rig: &Rig| rig.call("trades.resume", &Json::Null, "{}").unwrap();
    let status = |list: &Json| text(list, "0.status").to_owned();
    assert_eq!(status(&trade(&rig)), "PENDING", "by the first node it failed");
    rig.world.chain.borrow_mut().node(8453).pending_for = 0;
    rig.world.chain.borrow_mut().liar = None;
    assert_eq!(status(&trade(&rig)), "COMPLETED");
    assert!(text(&sent, "hash").starts_with("0x"));
}

#[test]
fn a_transaction_that_the_other_node_knows_was_not_dropped() {
    let mut rig = market::allowed(u64::MAX);
    rig.with_references();
    let sent = rig.submit(&market::built(&rig, SELL).unwrap()).unwrap();
    rig.world.chain.borrow_mut().node(8453).pending_for = u32::MAX;
    let lie = |method: &str, _: &Json, known| if method == "eth_getTransactionByHash" { Ok(Json::Null) } else { known };
    rig.world.chain.borrow_mut().liar = Some((8453, Box::new(lie)));
    let began = rig.world.monotonic_ms.get();
    rig.world.at_each(move |world, moment| {
        if moment == Moment::Sleep && world.monotonic_ms.get() > began + 600_000 {
            world.chain.borrow_mut().node(8453).pending_for = 0;
        }
    });
    // Once more when the other node told its number.
    assert_eq!(super::market_followed::statuses(&rig, &sent), ["PENDING", "PENDING", "COMPLETED"]);
}

#[test]
fn who_follows_a_transaction_outlasts_nodes_that_differ() {
    let mut rig = market::allowed(u64::MAX);
    rig.with_references();
    let sent = rig.submit(&market::built(&rig, SELL).unwrap()).unwrap();
    let lie = |method: &str, _: &Json, known| {
        if method == "eth_getTransactionReceipt" { Ok(json(r#"{"status":"0x0","blockNumber":"0x10"}"#)) } else { known }
    };
    rig.world.chain.borrow_mut().liar = Some((8453, Box::new(lie)));
    let began = rig.world.monotonic_ms.get();
    rig.world.at_each(move |world, moment| {
        if moment == Moment::Sleep && world.monotonic_ms.get() > began + 600_000 {
            world.chain.borrow_mut().liar = None;
        }
    });
    assert_eq!(super::market_followed::statuses(&rig, &sent), ["COMPLETED"]);
}

/// How a trade ends whose liar tells something else about the questions of these numbers.
fn lied_to(trade: Trade, liar: u64, first: usize, lasts: bool) -> (Rc<World>, Result<Json>, usize) {
    let (count, told) = (Rc::new(Cell::new(0)), Rc::new(Cell::new(0)));
    let (seen, said) = (Rc::clone(&count), Rc::clone(&told));
    let (world, outcome) = trade(&move |rig| {
        let (seen, said) = (Rc::clone(&seen), Rc::clone(&said));
        let lie = move |method: &str, _: &Json, known: Outcome| {
            let number = seen.replace(seen.get() + 1);
            if number < first || (number > first && !lasts) || method == "eth_chainId" {
                return known;
            }
            said.set(said.get() + 1);
            twisted(method, known)
        };
        rig.world.chain.borrow_mut().liar = Some((liar, Box::new(lie)));
    });
    (world, outcome, told.get())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    /// A signed order or sent transaction is the one that two honest nodes would have led to, or nothing is.
    #[test]
    fn one_lying_node_of_two_gets_nothing_signed(
        kind in 0_usize..4,
        first_lies in any::<bool>(),
        first in 0_usize..40,
        lasts in any::<bool>(),
    ) {
        let trade = [swapped as Trade, sent, filled, sold_native][kind];
        let prompts = ["eth_signTypedData_v4", "eth_sendTransaction"];
        let asked = |world: &World| prompts.map(|method| world.wallet_was_asked(method));
        let (honest, outcome) = trade(&|_| {});
        outcome.unwrap();
        let (world, outcome, told) = lied_to(trade, if first_lies { 8453 } else { 2 }, first, lasts);
        if lasts && told > 0 && let Err(error) = &outcome {
            prop_assert_eq!(error.code, ErrorCode::NodesDisagree);
            world.assert_untouched();
        } else {
            prop_assert!(outcome.is_ok(), "{outcome:?}");
            prop_assert_eq!(asked(&world), asked(&honest));
        }
    }
}
