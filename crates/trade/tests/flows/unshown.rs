//! Nodes that do not show what they count: an index behind the state, a receipt whose status cannot be read, a state that is
//! not kept.

use super::fake_host::{Moment, Place, Rig, SELL, at, failure, hex_word, json, set, text};
use super::journal::{code, left_asking, list, next};
use super::market::{SEND, built};
use super::market_followed::statuses;
use super::unsaid::{answered, later, market, refused, say};
use alloy_primitives::U256;
use verified_swap_trade::host::WalletFailure;
use verify::internal::error::ErrorCode;
use verify::internal::json::Json;

type Outcome = Result<Json, WalletFailure>;

/// A Market transaction that is mined, and counted, while nodes find neither it nor its receipt by the hash.
fn unindexed() -> (Rig, Json) {
    let (rig, build) = market();
    rig.world.chain.borrow_mut().node(8453).pending_for = 1;
    let sent = rig.submit(&build).unwrap();
    rig.learn_number();
    index(&rig, false);
    (rig, sent)
}

/// The index of the node has the transaction, or not.
fn index(rig: &Rig, has_it: bool) {
    let mut chains = rig.world.chain.borrow_mut();
    let node = chains.node(8453);
    (node.forgets, node.pending_for) = (!has_it, if has_it { 0 } else { u32::MAX });
}

/// That node answers otherwise than it knows.
fn lie(rig: &Rig, node: u64, lie: impl FnMut(&str, &Json, Outcome) -> Outcome + 'static) {
    rig.world.chain.borrow_mut().liar = Some((node, Box::new(lie)));
}

#[test]
fn an_index_behind_the_state_replaces_nothing() {
    // A reload, and the same click.
    let (rig, sent) = unindexed();
    let page = next(&rig);
    for _ in 0..2 {
        let trade = list(&page, "trades.resume").remove(0);
        assert_eq!((text(&trade, "state"), text(&trade, "status")), ("sent", "PENDING"));
        assert_eq!(code(page.submit(&built(&page, SELL).unwrap())), ErrorCode::AlreadySigned);
    }
    index(&rig, true);
    let trade = list(&page, "trades.resume").remove(0);
    assert_eq!(["status", "transaction"].map(|name| text(&trade, name)), ["COMPLETED", text(&sent, "hash")]);
    assert_eq!(rig.world.wallet_was_asked(SEND).len(), 1);
    // One that is followed, in a client without a journal, too, and one that reverted.
    for (is_known, end) in [(true, "COMPLETED"), (false, "COMPLETED"), (true, "FAILED")] {
        let (rig, mut sent) = unindexed();
        let rig = if is_known { rig } else { Rig::in_world(rig.world.clone(), |_, _| {}) };
        if !is_known {
            rig.world.browser.stored.borrow_mut().clear();
            set(&mut sent, "nonce", "7");
        }
        let (hash, looks) = (text(&sent, "hash").to_owned(), std::cell::Cell::new(0));
        rig.world.at_each(move |world, moment| {
            looks.set(looks.get() + u32::from(moment == Moment::Ask(Place::Node(8453), "eth_getTransactionReceipt")));
            if looks.get() == 12 {
                let receipt =
                    format!(r#"{{"status":"{}","blockNumber":"0x11"}}"#, if end == "FAILED" { "0x0" } else { "0x1" });
                world.chain.borrow_mut().node(8453).mined.insert(hash.clone(), json(&receipt));
            }
        });
        assert_eq!(statuses(&rig, &sent), ["PENDING", end], "{is_known}");
    }
}

#[test]
fn a_transaction_is_replaced_only_by_one_that_a_node_shows() {
    let other = |name: &'static str, value: &'static str| move |block: &mut Json| set(block, name, value);
    type Change = Box<dyn Fn(&mut Json)>;
    let hash = format!(r#""0x{}""#, "fa".repeat(32));
    let cases: [(&str, Option<Change>); 7] = [
        ("REPLACED", Some(Box::new(|_| {}))),
        ("PENDING", Some(Box::new(other("transactions.0.nonce", r#""0x8""#)))),
        ("PENDING", Some(Box::new(other("transactions.0.from", r#""0x1111111111111111111111111111111111111111""#)))),
        ("PENDING", Some(Box::new(other("transactions", r#"["0xfa"]"#)))),
        ("PENDING", Some(Box::new(other("transactions", "[]")))),
        ("PENDING", Some(Box::new(|block| *block = Json::Null))),
        // It keeps no state of that block.
        ("PENDING", None),
    ];
    for (index, (status, change)) in cases.into_iter().enumerate() {
        let (rig, _) = unindexed();
        set(&mut rig.world.chain.borrow_mut().node(8453).mined_here[0], "hash", &hash);
        set(&mut rig.world.chain.borrow_mut().node(8453).mined_here[0], "value", r#""0x5""#);
        lie(&rig, 8453, move |method, params, known| match (method, &change) {
            ("eth_getTransactionCount", None) if text(params, "1") != "latest" => {
                Err(failure(-32000, "missing trie node 0x00"))
            }
            ("eth_getBlockByNumber", Some(change)) if *at(params, "1") == Json::Bool(true) => {
                let mut block = known?;
                change(&mut block);
                Ok(block)
            }
            _ => known,
        });
        let page = next(&rig);
        assert_eq!(text(&list(&page, "trades.resume")[0], "status"), status, "{index}");
        let again = page.submit(&built(&page, SELL).unwrap());
        assert_eq!(again.is_ok(), status == "REPLACED", "{index}: {again:?}");
    }
}

/// Statuses of a receipt, and what each stands for.
const STATUSES: [(&str, Option<&str>); 15] = [
    (r#""0x1""#, Some("COMPLETED")),
    (r#""0x01""#, Some("COMPLETED")),
    ("1", Some("COMPLETED")),
    ("true", Some("COMPLETED")),
    (r#""0x0""#, Some("FAILED")),
    ("0", Some("FAILED")),
    ("false", Some("FAILED")),
    ("null", None),
    (r#""success""#, None),
    (r#""true""#, None),
    (r#""0x""#, None),
    (r#""0x2""#, None),
    ("{}", None),
    (r#""""#, None),
    // Before Byzantium a receipt had a state root in its place.
    ("absent", None),
];

/// The node has that status in each receipt.
fn with_status(rig: &Rig, node: u64, status: &'static str) {
    lie(rig, node, move |method, _, known| restated(status, method, known));
}

/// The answer of a node, with that status in a receipt.
fn restated(status: &str, method: &str, known: Outcome) -> Outcome {
    let mut known = known?;
    match (status, &mut known) {
        (_, Json::Null) => {}
        _ if method != "eth_getTransactionReceipt" => {}
        ("absent", Json::Object(members)) => members.retain(|(name, _)| name != "status"),
        (status, receipt) => set(receipt, "status", status),
    }
    Ok(known)
}

#[test]
fn a_status_that_cannot_be_read_is_a_malformed_answer_and_no_revert() {
    for (status, end) in STATUSES {
        // Another node has one that can be read.
        let (rig, build) = market();
        let sent = rig.submit(&build).unwrap();
        with_status(&rig, 8453, status);
        let second = Rig::in_world(rig.world.clone(), |shared, _| shared.settings.rpc.push((8453, Place::Node(2))));
        rig.world.chain.borrow_mut().mirrors.insert(2, 8453);
        assert_eq!(statuses(&second, &sent), [end.unwrap_or("COMPLETED")], "{status}");
        // No other node.
        let (rig, build) = market();
        let sent = rig.submit(&build).unwrap();
        with_status(&rig, 8453, status);
        let trade = list(&rig, "trades.resume").remove(0);
        let error = trade.get("error").and_then(|error| error.get("code")).and_then(Json::as_text);
        let said = (text(&trade, "state"), error, at(&trade, "status").as_text());
        match end {
            Some(end) => assert_eq!(said, ("ended", None, Some(end)), "{status}"),
            None => assert_eq!(said, ("sent", Some("NETWORK"), None), "{status}"),
        }
        // Two that have to agree do not differ by the form.
        if end == Some("COMPLETED") {
            let mut both = next(&rig);
            both.with_references();
            assert_eq!(statuses(&both, &sent), ["COMPLETED"], "{status}");
        }
    }
}

#[test]
fn a_wait_goes_on_until_a_status_can_be_read() {
    for (status, _) in STATUSES.into_iter().filter(|(_, end)| end.is_none()) {
        let (rig, build) = market();
        let sent = rig.submit(&build).unwrap();
        with_status(&rig, 8453, status);
        let sleeps = std::cell::Cell::new(0);
        rig.world.at_each(move |world, moment| {
            sleeps.set(sleeps.get() + u32::from(moment == Moment::Sleep));
            if sleeps.get() == 20 {
                world.chain.borrow_mut().liar = None;
            }
        });
        assert_eq!(statuses(&rig, &sent), ["COMPLETED"], "{status}");
    }
}

#[test]
fn an_approval_whose_status_cannot_be_read_ends_with_an_error_and_has_not_failed() {
    for (status, _) in STATUSES.into_iter().filter(|(_, end)| end.is_none()) {
        let rig = super::journal::tab();
        rig.world.chain.borrow_mut().node(8453).allowances.clear();
        let order = rig.built(SELL).unwrap();
        lie(&rig, 8453, move |method, params, known| match method {
            // Nor does the allowance show it.
            "eth_call" if text(params, "0.data").starts_with("0xdd62ed3e") => Ok(Json::String(hex_word(U256::ZERO))),
            _ => restated(status, method, known),
        });
        let error = rig.approve(at(&order, "approval"), "{}").unwrap_err();
        assert_eq!(error.code, ErrorCode::Network, "{status}: {error:?}");
        let trade = list(&rig, "trades.list").remove(0);
        assert_eq!((text(&trade, "state"), text(&trade, "status")), ("sent", "PENDING"), "{status}");
    }
}

#[test]
fn what_a_node_does_not_keep_is_a_question_and_no_error() {
    let words = ["missing trie node 5c5d", "header not found", "historical state is not available", "pruned"];
    let faults = words.map(|words| Err(failure(-32000, words)));
    for (index, fault) in faults.into_iter().chain([Ok(Json::Null), Ok(json("{}"))]).enumerate() {
        let page = left_asking();
        // Others of the account came since.
        page.world.chain.borrow_mut().node(8453).quiet_blocks = 1_000;
        lie(&page, 8453, move |method, params, known| match method {
            "eth_getTransactionCount" if text(params, "1") != "latest" => fault.clone(),
            "eth_getBlockByNumber" if *at(params, "1") == Json::Bool(true) => fault.clone(),
            _ => known,
        });
        let trade = list(&page, "trades.resume").remove(0);
        assert_eq!(["status", "needs"].map(|name| text(&trade, name)), ["UNCERTAIN", "decision"], "{index}");
        assert_eq!(at(&trade, "error"), &Json::Null, "{index}");
        let build = built(&page, SELL).unwrap();
        let error = refused(&page, &build, "{}", 1);
        assert!(error.message.contains("keepBoth") && error.message.contains("trades.abandon"), "{error:?}");
        // A node that keeps it finds it.
        page.world.chain.borrow_mut().liar = None;
        if index == 0 {
            assert_eq!(text(&list(&page, "trades.resume")[0], "status"), "COMPLETED");
            continue;
        }
        page.call("trades.abandon", at(&trade, "id"), "{}").unwrap();
        page.submit(&build).unwrap();
    }
}

#[test]
fn a_node_without_a_pending_state_leaves_the_question_to_the_user() {
    for words in ["unknown block", "pending block is not available"] {
        let (rig, build) = market();
        say(&rig, failure(-32603, "Internal JSON-RPC error."));
        rig.submit(&build).unwrap_err();
        later(&rig, 60);
        lie(&rig, 8453, move |method, params, known| match method {
            "eth_getTransactionCount" if text(params, "1") == "pending" => Err(failure(-32000, words)),
            _ => known,
        });
        let error = refused(&rig, &build, "{}", 1);
        rig.submit_with(&build, &answered(&error)).unwrap();
        // One of the two is mined at most.
        assert_eq!(text(&json(&rig.world.wallet_was_asked(SEND)[1]), "0.nonce"), "0x7");
    }
    // A node that gives no answer leaves nothing to anybody.
    let (rig, build) = market();
    say(&rig, failure(-32603, "Internal JSON-RPC error."));
    rig.submit(&build).unwrap_err();
    later(&rig, 60);
    lie(&rig, 8453, |method, params, known| match method {
        "eth_getTransactionCount" if text(params, "1") == "pending" => Err(failure(-32005, "limit exceeded")),
        _ => known,
    });
    assert_eq!(code(rig.submit(&build)), ErrorCode::RateLimited);
}
