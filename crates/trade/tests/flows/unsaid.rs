//! A wallet that was asked to send, and said something that is neither a hash nor a refusal: it may have sent.

use super::fake_host::{DELTA, Moment, Place, ROUTER, Rig, SELL, SRC, at, failure, json, native_sale, set, text};
use super::journal::{code, list, next, tab};
use super::market;
use super::native;
use verified_swap_trade::host::WalletFailure;
use verified_swap_trade::wallet::unsent::{MAYBE_SENT, UNSENT};
use verify::internal::error::{Error, ErrorCode};
use verify::internal::json::Json;

const SEND: &str = "eth_sendTransaction";
const PRE_SIGN: &str = r#"{"preSign":true}"#;

/// The words of wallets that had sent, and those of others that may.
fn sentences() -> Vec<WalletFailure> {
    let bare = |words: &str| WalletFailure { code: None, ..failure(0, words) };
    let mut all: Vec<WalletFailure> = [
        "Extension context invalidated.",
        "Attempting to use a disconnected port object",
        "The message port closed before a response was received.",
        "Could not establish connection. Receiving end does not exist.",
        "WebSocket connection failed",
        "Connection interrupted",
        "No matching key. session topic doesn't exist",
        "Transport closed",
        "Popup window was closed",
        "Network Error",
        "Unexpected end of JSON input",
        "Request expired. Try again.",
        "",
    ]
    .into_iter()
    .map(bare)
    .collect();
    for (code, words) in [
        (-32603, "Disconnected from MetaMask background"),
        (1013, "Disconnected from chain"),
        (-32603, "Internal JSON-RPC error."),
        (-32000, "nonce too low"),
        (-32000, "replacement transaction underpriced"),
        (-32000, "already known"),
        (-32003, "transaction rejected"),
        (-32002, "a request is pending"),
        (-32005, "request limit exceeded"),
        (4900, "disconnected"),
        (4901, "disconnected"),
        (8000, "late: user rejected or timed out"),
        (5720, "duplicate id"),
        (5761, "something new"),
    ] {
        all.push(failure(code, words));
    }
    all
}

/// A tab with a Market trade, and its build.
pub fn market() -> (Rig, Json) {
    let rig = tab();
    market::prepare(&rig, 8453, SRC, u64::MAX);
    rig.world.chain.borrow_mut().node(8453).keeps_blocks = true;
    let build = market::built(&rig, SELL).unwrap();
    (rig, build)
}

pub fn say(rig: &Rig, words: WalletFailure) {
    rig.world.signer.borrow_mut().next(SEND, move |_, _| Err(words));
}

/// The wallet sends what it was asked for last, and another one's words are all that is heard of it.
fn send_late(rig: &Rig) {
    let asked = json(rig.world.wallet_was_asked(SEND).last().unwrap());
    rig.world.chain.borrow_mut().node(8453).send(&asked, None);
}

pub fn later(rig: &Rig, secs: u64) {
    rig.world.pass(secs * 1_000);
    rig.mine_now(8453);
}

/// That node knows of one more transaction of the account, which is in no block.
fn count_more(rig: &Rig, node: u64) {
    let lie = move |method: &str, params: &Json, known| match method {
        "eth_getTransactionCount" if text(params, "1") == "pending" => Ok(json(r#""0x8""#)),
        _ => known,
    };
    rig.world.chain.borrow_mut().liar = Some((node, Box::new(lie)));
}

/// Asked no more than so often, whatever is submitted.
#[track_caller]
pub fn refused(rig: &Rig, build: &Json, options: &str, asked: usize) -> Error {
    let error = rig.submit_with(build, options).unwrap_err();
    assert_eq!(
        (error.code, error.actual.as_deref()),
        (ErrorCode::AlreadySigned, Some("may still be mined")),
        "{error:?}"
    );
    assert_eq!(rig.world.wallet_was_asked(SEND).len(), asked);
    error
}

/// The option that answers the question of an error.
pub fn answered(error: &Error) -> String {
    let questions = json(error.questions.as_ref().expect("a question"));
    assert_eq!(text(&questions, "0.reason"), "mayHaveBeenSent");
    format!(r#"{{"accept":[{}]}}"#, at(&questions, "0.id").write())
}

#[test]
fn whatever_an_unknown_sentence_says_the_next_click_finds_what_was_sent() {
    for words in sentences() {
        for is_rebuilt in [false, true] {
            let (rig, build) = market();
            say(&rig, words.clone());
            rig.submit(&build).unwrap_err();
            assert_eq!(text(&list(&rig, "trades.list")[0], "state"), "asking", "{}", words.words);
            send_late(&rig);
            let page = if is_rebuilt { next(&rig) } else { rig };
            if is_rebuilt {
                // Found before `resumed`, it stands in the way until it was told.
                let other = market::built(&page, SELL).unwrap();
                for _ in 0..2 {
                    refused(&page, &other, "{}", 1);
                }
                list(&page, "trades.resume");
                page.submit(&market::built(&page, SELL).unwrap()).unwrap();
            } else {
                assert_eq!(text(&page.submit(&build).unwrap(), "status"), "COMPLETED", "{}", words.words);
                assert_eq!(page.world.wallet_was_asked(SEND).len(), 1);
            }
        }
    }
}

#[test]
fn after_a_minute_in_which_nothing_moved_the_user_is_asked() {
    for is_rebuilt in [false, true] {
        let (rig, build) = market();
        say(&rig, failure(-32603, "Internal JSON-RPC error."));
        rig.submit(&build).unwrap_err();
        later(&rig, 59);
        let page = if is_rebuilt { next(&rig) } else { rig };
        let build = if is_rebuilt { market::built(&page, SELL).unwrap() } else { build };
        assert!(refused(&page, &build, "{}", 1).questions.is_none(), "too early to tell");
        later(&page, 1);
        let build = if is_rebuilt { market::built(&page, SELL).unwrap() } else { build };
        let error = refused(&page, &build, "{}", 1);
        assert!(error.message.contains("Internal JSON-RPC error.") && error.message.contains("look into it first"));
        refused(&page, &build, r#"{"accept":["mayHaveBeenSent-0000000000000000"]}"#, 1);
        // The user refuses: what may have been sent before still may.
        say(&page, failure(4001, "no"));
        assert_eq!(code(page.submit_with(&build, &answered(&error))), ErrorCode::UserRejected);
        let error = refused(&page, &build, "{}", 2);
        page.submit_with(&build, &answered(&error)).unwrap();
        // Two transactions with one number: one is mined.
        let asked = page.world.wallet_was_asked(SEND);
        assert_eq!((text(&json(&asked[2]), "0.nonce"), asked[0].contains("nonce")), ("0x7", false));
        assert_eq!(list(&page, "trades.list").len(), 1);
        list(&page, "trades.resume");
        page.submit(&market::built(&page, SELL).unwrap()).unwrap();
    }
}

#[test]
fn an_answer_to_one_question_is_none_to_the_next() {
    let (rig, build) = market();
    let mut accept = String::from("{}");
    for asked in 1..4 {
        say(&rig, failure(-32603, "Internal JSON-RPC error."));
        rig.submit_with(&build, &accept).unwrap_err();
        later(&rig, 60);
        accept = answered(&refused(&rig, &build, &accept, asked));
    }
}

#[test]
fn a_number_that_moved_at_any_node_asks_nobody() {
    for pending_at in [Some(8453), Some(2), None] {
        let (mut rig, build) = market();
        rig.with_references();
        say(&rig, failure(-32603, "Internal JSON-RPC error."));
        rig.submit(&build).unwrap_err();
        later(&rig, 60);
        match pending_at {
            Some(node) => count_more(&rig, node),
            None => {
                // Another one of the account's is mined.
                let mut other = json(rig.world.wallet_was_asked(SEND).last().unwrap());
                set(&mut other, "0.value", r#""0x1""#);
                rig.world.chain.borrow_mut().node(8453).send(&other, None);
            }
        }
        let error = refused(&rig, &build, "{}", 1);
        assert!(error.questions.is_none(), "{pending_at:?}: {error:?}");
    }
}

/// Each sentence of the list, as wallets and nodes show it: with values, behind a colon, with more behind it.
fn listed() -> impl Iterator<Item = WalletFailure> {
    UNSENT.into_iter().flat_map(|sentence| {
        let said = sentence.replace('*', "0x7a69").replace("gas 0x7a69 price", "gas * price");
        let more = [said.clone(), format!("err: {said}: address 0x5, 1"), format!("An error.\nDetails: {said}.")];
        more.map(|words| failure(-32000, &words.replacen("the", "The", 1)))
    })
}

#[test]
fn what_comes_before_sending_leaves_nothing_behind() {
    let codes = [4001, 5000, 5002, 5750, -32050].map(|code| failure(code, "no"));
    for words in listed().chain(codes) {
        let (rig, build) = market();
        say(&rig, words.clone());
        rig.submit(&build).unwrap_err();
        assert!(list(&rig, "trades.list").is_empty(), "{}", words.words);
        rig.submit(&build).unwrap();
    }
}

#[test]
fn the_list_of_sentences_is_the_one_of_the_documentation() {
    let page = include_str!("../../../../docs/wallets.md");
    let (_, table) = page.split_once("| sentence | from |").unwrap();
    let rows = table.lines().skip(2).take_while(|line| line.trim_start().starts_with("| `"));
    let documented: Vec<&str> = rows.map(|row| row.split('`').nth(1).unwrap()).collect();
    assert_eq!(documented, UNSENT);
    let (_, words) = page.split_once("than any code but a\nrefusal: ").unwrap();
    let words = words.split_once(".\n").unwrap().0.replace('\n', " ").to_ascii_lowercase();
    let documented: Vec<&str> = words.split('`').skip(1).step_by(2).collect();
    assert_eq!(documented, MAYBE_SENT);
}

/// The words of nodes and wallets about a transaction that they have, by codes and data that look like a refusal.
fn weak_signs() -> Vec<WalletFailure> {
    let data = |bytes: &[u8], failure: WalletFailure| WalletFailure { data: Some(bytes.to_vec()), ..failure };
    let mut all: Vec<_> = [4100, 4200, -32601, -32602, 4902, 5700, 5760].map(|code| failure(code, "no")).into();
    for said in MAYBE_SENT {
        all.extend([3, -32015, -32000, 4100].map(|code| failure(code, said)));
        all.push(data(&[0; 32], failure(-32000, said)));
        all.push(failure(-32000, &format!("execution reverted: {said}")));
        all.push(failure(-32000, &format!("insufficient funds for transfer: {said}")));
    }
    for words in [
        "sent, but its receipt was not found: it may still revert",
        "sent; the user rejected notifications",
        "sent, although insufficient funds for gas * price + value were feared",
        "your transaction was sent, and another one was rejected by user before",
        "intrinsic gas",
    ] {
        all.push(failure(-32603, words));
    }
    // The transaction's hash, and nothing, as data; and code 3 alone.
    all.extend([data(&[7; 32], failure(-32603, "sent")), data(&[], failure(-32000, "sent")), failure(3, "sent")]);
    all
}

#[test]
fn a_weak_sign_of_a_refusal_removes_no_note() {
    for words in weak_signs() {
        let (rig, build) = market();
        say(&rig, words.clone());
        let error = rig.submit(&build).unwrap_err();
        assert!(error.message.contains("may still send it"), "{} {:?}", error.message, words.words);
        assert_eq!(list(&rig, "trades.list").len(), 1, "{}", words.words);
        send_late(&rig);
        rig.submit(&build).unwrap();
        assert_eq!(rig.world.wallet_was_asked(SEND).len(), 1, "{}", words.words);
    }
}

#[test]
fn a_revert_counts_if_the_packages_own_trial_reverts_too() {
    for said in
        [failure(3, "execution reverted"), failure(-32603, "execution reverted: a reason"), failure(-32015, "no")]
    {
        // One that was mined may be what the trial reverts by.
        for (is_true, reverts, is_sent) in [(true, true, false), (false, false, false), (false, true, true)] {
            let (rig, build) = market();
            say(&rig, said.clone());
            rig.world.once(Moment::Ask(Place::Wallet, SEND), move |world| {
                if reverts {
                    let reverts = Box::new(|_: &Json| Err(failure(3, "execution reverted: now")));
                    world.chain.borrow_mut().node(8453).contracts.insert(ROUTER.parse().unwrap(), reverts);
                }
            });
            if is_sent {
                count_more(&rig, 8453);
            }
            let error = rig.submit(&build).unwrap_err();
            assert_eq!(list(&rig, "trades.list").len(), if is_true { 0 } else { 1 }, "{error:?}");
            assert_eq!(error.reverted && error.may_be_sent.is_none(), is_true, "{error:?}");
        }
    }
}

#[test]
fn an_account_with_a_delegate_is_told_to_wait_for_its_last_transaction() {
    let (rig, build) = market();
    say(&rig, failure(-32000, "in-flight transaction limit reached for delegated accounts"));
    let error = rig.submit(&build).unwrap_err();
    assert!(error.message.ends_with("; wait for your last transaction"), "{}", error.message);
}

#[test]
fn of_an_account_with_code_its_number_says_nothing() {
    let (rig, build) = market();
    rig.world.chain.borrow_mut().node(8453).code.insert(rig.owner(), vec![0xef, 1, 0]);
    say(&rig, failure(-32603, "Internal JSON-RPC error."));
    rig.submit(&build).unwrap_err();
    later(&rig, 60);
    count_more(&rig, 8453);
    let error = refused(&rig, &build, "{}", 1);
    rig.submit_with(&build, &answered(&error)).unwrap();
    assert!(!rig.world.wallet_was_asked(SEND)[1].contains("nonce"));
}

#[test]
fn what_pays_without_being_a_trade_is_not_paid_twice_and_anything_else_may_be_sent_again() {
    // A cancellation moves nothing.
    let rig = tab();
    let contract = Box::new(|_: &Json| Ok(json(r#""0x""#)));
    rig.world.chain.borrow_mut().node(8453).contracts.insert(DELTA.parse().unwrap(), contract);
    let build = rig.built(SELL).unwrap();
    rig.submit(&build).unwrap();
    let order = rig.call("order", at(&build, "orderHash"), "{}").unwrap();
    let cancel = rig.call("buildCancellation", &order, "{}").unwrap();
    say(&rig, failure(-32603, "Internal JSON-RPC error."));
    rig.submit(&cancel).unwrap_err();
    rig.submit(&cancel).unwrap();
    assert_eq!(rig.world.wallet_was_asked(SEND).len(), 2);
    // A deposit pays.
    let rig = native::rig();
    let build = rig.built(&native_sale()).unwrap();
    say(&rig, failure(-32603, "Internal JSON-RPC error."));
    rig.submit_with(&build, PRE_SIGN).unwrap_err();
    refused(&rig, &build, PRE_SIGN, 1);
}

#[test]
fn what_the_wallet_said_is_in_the_list() {
    let (rig, build) = market();
    say(&rig, failure(-32603, "Internal JSON-RPC error."));
    rig.submit(&build).unwrap_err();
    let trade = list(&next(&rig), "trades.list").remove(0);
    assert_eq!((text(&trade, "said"), text(&trade, "needs")), ("Internal JSON-RPC error.", "decision"));
    rig.call("trades.abandon", at(&trade, "id"), "{}").unwrap();
    rig.submit(&market::built(&rig, SELL).unwrap()).unwrap();
}
