//! Wallets as they are: how they say no, what they refuse, and what they do between prompt and answer. Each profile
//! goes through the whole of a trade. docs/wallets.md lists them.

use super::fake_host::{Moment, Rig, SELL, Signer, at, failure, json, text};
use super::journal::{code, list, next, tab};
use super::market;
use verified_swap_trade::host::WalletFailure;
use verified_swap_trade::wallet::{add_chain, wallet_error};
use verify::internal::error::ErrorCode;
use verify::internal::json::{Json, JsonAt};

const SIGN: &str = "eth_signTypedData_v4";
const SEND: &str = "eth_sendTransaction";
const SWITCH: &str = "wallet_switchEthereumChain";
const ADD: &str = "wallet_addEthereumChain";

/// The journal has nothing to look after.
fn has_no_trade(rig: &Rig) -> bool {
    list(rig, "trades.list").is_empty()
}

/// The error of a wallet that gives no code.
fn bare(words: &str) -> WalletFailure {
    WalletFailure { code: None, ..failure(0, words) }
}

/// Each way in which wallets were seen to say that their user did not want to.
fn refusals() -> Vec<WalletFailure> {
    let mut all: Vec<_> = [4001, 5000, 5002].map(|code| failure(code, "no")).into();
    for words in [
        "User rejected the request.",
        "MetaMask Tx Signature: User denied transaction signature.",
        "User canceled",
        "User cancelled",
        "Action cancelled by user",
        "Canceled by the user.",
        "User declined transaction",
        "The user has rejected the request",
        "User disapproved requested methods",
        "user rejected transaction (action=\"sendTransaction\", code=ACTION_REJECTED)",
        "ACTION_REJECTED\nno",
        "Failure_ActionCancelled\nno",
        "Ledger device: Condition of use not satisfied (denied by the user?) (0x6985)",
        "Ledger device: UNKNOWN_ERROR (0x6985)",
        "An unknown RPC error occurred.\nDetails: Rejected by user",
        "Request rejected",
        "Rejected request",
        "Cancelled",
        "Error: Canceled",
        "Rejected",
    ] {
        all.extend([bare(words), failure(-32000, words), failure(-32603, words)]);
    }
    all.extend([bare("Transaction was rejected"), failure(1001, "User rejected")]);
    // The outer message is shown; the inner one has it.
    all.push(WalletFailure { words: "Internal error\nUser rejected".into(), ..failure(-32603, "Internal error") });
    all
}

#[test]
fn a_rejection_is_known_in_every_form_and_nothing_was_sent() {
    let rig = tab();
    market::prepare(&rig, 8453, super::fake_host::SRC, u64::MAX);
    let (order, swap) = (rig.built(SELL).unwrap(), market::built(&rig, SELL).unwrap());
    for refusal in refusals() {
        for (method, build) in [(SIGN, &order), (SEND, &swap)] {
            let (words, thrown) = (refusal.words.clone(), refusal.clone());
            rig.world.signer.borrow_mut().next(method, move |_, _| Err(thrown));
            let error = rig.submit(build).unwrap_err();
            assert_eq!((error.code, error.code.action()), (ErrorCode::UserRejected, "retry"), "{method}: {words}");
            assert!(has_no_trade(&rig), "{method}: {words}");
        }
    }
    // The same builds may be signed after all.
    rig.submit(&order).unwrap();
    rig.submit(&swap).unwrap();
}

#[test]
fn no_other_failure_is_taken_for_a_rejection() {
    let data = Some(vec![8, 0xc3, 0x79, 0xa0]);
    let others = [
        // A contract may say anything, and so may a node.
        failure(3, "execution reverted: User rejected"),
        failure(-32000, "execution reverted: rejected by user"),
        failure(-32603, "VM Exception while processing transaction: revert User denied"),
        WalletFailure { data, ..failure(-32603, "user rejected") },
        WalletFailure { words: "user rejected\nexecution reverted".into(), ..failure(-32603, "user rejected") },
        // ethers goes by words alone.
        bare("ACTION_REJECTED\nuser rejected action\nethers-user-denied: execution reverted: user denied"),
        failure(-32003, "transaction rejected"),
        failure(-32000, "Transaction was rejected"),
        failure(-32000, "transaction rejected: nonce too low"),
        failure(-32000, "insufficient funds for gas * price + value"),
        failure(-32603, "Internal JSON-RPC error."),
        failure(-32000, "already known"),
        failure(-32603, "HTTP request failed. URL: https://node.example"),
        failure(4200, "The method is not supported"),
        failure(4100, "The requested method has not been authorized by the user."),
        // EIP-5792 has a code of its own for a refused upgrade.
        failure(5750, "User rejected the upgrade"),
        bare("cancelled by another transaction"),
        // A client that gave up: the request had left.
        bare("ERR_CANCELED\ncanceled"),
        failure(4900, "Connection cancelled by user"),
        failure(8000, "Request expired: user rejected or timed out"),
        bare("the user is offline"),
    ];
    for other in others {
        let error = wallet_error(other.clone(), SEND);
        assert_eq!(error.code, ErrorCode::WalletFailed, "{}", other.words);
    }
    // Where nobody is asked, nobody rejects.
    for method in ["eth_accounts", "eth_chainId", "eth_call", "eth_getCode", "wallet_getCallsStatus"] {
        for code in [-32603, 5000, 8000] {
            let error = wallet_error(failure(code, "User rejected"), method);
            assert_eq!((error.code, error.may_be_sent.as_ref()), (ErrorCode::WalletFailed, None), "{method} {code}");
        }
    }
    assert_eq!(wallet_error(failure(-32002, "user rejected"), SIGN).code, ErrorCode::WalletPending);
}

#[test]
fn a_wallet_that_has_to_be_connected_says_so() {
    for (code, advice) in [
        (4100, "unlock the wallet and connect the account"),
        (4900, "connect the wallet"),
        (4901, "connect the wallet"),
    ] {
        let rig = tab();
        let build = rig.built(SELL).unwrap();
        rig.world.signer.borrow_mut().next_fails(SIGN, code);
        let error = rig.submit(&build).unwrap_err();
        assert_eq!((error.code, error.code.action()), (ErrorCode::WalletFailed, "retry"));
        assert!(error.message.contains(advice) && error.message.contains("the wallet's words"), "{}", error.message);
        // A signature that reaches nobody binds nobody.
        assert!(has_no_trade(&rig));
        rig.submit(&build).unwrap();
        assert_eq!((rig.world.prompts(), rig.world.posts().len()), (2, 1));
    }
}

#[test]
fn a_wallet_that_was_lost_while_it_was_asked_to_send_may_have_sent() {
    for lost in [
        failure(4900, "gone"),
        failure(4901, "gone"),
        failure(6000, "User disconnected."),
        failure(8000, "late"),
        failure(-32000, "already known"),
        bare("Request expired. Try again."),
        bare("ERR_CANCELED\ncanceled"),
        bare("TIMEOUT\nrequest timeout"),
    ] {
        for was_sent in [false, true] {
            let rig = tab();
            market::prepare(&rig, 8453, super::fake_host::SRC, u64::MAX);
            rig.world.chain.borrow_mut().node(8453).keeps_blocks = true;
            let build = market::built(&rig, SELL).unwrap();
            let thrown = lost.clone();
            rig.world.signer.borrow_mut().next(SEND, move |_, _| Err(thrown));
            let error = rig.submit(&build).unwrap_err();
            assert_eq!(error.code, ErrorCode::WalletFailed);
            assert!(error.message.contains("may still send it"), "{}", error.message);
            assert_eq!(text(&list(&rig, "trades.list")[0], "state"), "asking");
            if was_sent {
                let asked = json(&rig.world.wallet_was_asked(SEND)[0]);
                rig.world.chain.borrow_mut().node(8453).send(&asked, None);
            }
            // Found where it was sent; else the user is asked before there is a second one.
            let outcome = rig.submit(&build);
            match was_sent {
                true => assert_eq!(text(&outcome.unwrap(), "kind"), "sent"),
                false => {
                    let error = outcome.unwrap_err();
                    assert_eq!(error.code, ErrorCode::AlreadySigned);
                    assert_eq!(error.actual.as_deref(), Some("may still be mined"));
                }
            }
            assert_eq!(rig.world.wallet_was_asked(SEND).len(), 1, "{}", lost.words);
            let page = next(&rig);
            list(&page, "trades.resume");
            assert_eq!(text(&list(&page, "trades.list")[0], "state"), if was_sent { "ended" } else { "asking" });
        }
    }
}

#[test]
fn a_wallet_that_was_lost_while_it_was_asked_for_a_batch_is_asked_by_its_id() {
    for was_sent in [false, true] {
        let rig = tab();
        market::prepare(&rig, 8453, super::fake_host::SRC, 0);
        rig.world.signer.borrow_mut().atomic = Some("supported");
        let build = market::built(&rig, SELL).unwrap();
        rig.world.signer.borrow_mut().next("wallet_sendCalls", |_, _| Err(failure(4900, "gone")));
        let error = rig.submit(&build).unwrap_err();
        assert!(error.message.contains("may still send it"), "{}", error.message);
        assert_eq!(text(&list(&rig, "trades.list")[0], "state"), "asking");
        if was_sent {
            let asked = json(&rig.world.wallet_was_asked("wallet_sendCalls")[0]);
            let (world, params) = (&rig.world, asked.write());
            let (mut chain, mut signer) = (world.chain.borrow_mut(), world.signer.borrow_mut());
            signer.answer(&mut chain, "wallet_sendCalls", &params).ok().unwrap();
        }
        // Another build has another id: it could be sent beside the first.
        if !was_sent {
            assert_eq!(code(rig.submit(&market::built(&rig, SELL).unwrap())), ErrorCode::AlreadySigned);
        }
        // The same one is asked for by its id, and where the wallet does not know it, put to it by that once more.
        assert_eq!(text(&rig.submit(&build).unwrap(), "kind"), "sent");
        let asked = rig.world.wallet_was_asked("wallet_sendCalls");
        assert_eq!(asked.len(), if was_sent { 1 } else { 2 });
        assert!(asked.iter().all(|params| text(&json(params), "0.id") == text(&json(&asked[0]), "0.id")));
    }
}

#[test]
fn a_wallet_that_never_answers_a_read_is_not_waited_for_without_end() {
    for method in ["eth_accounts", "eth_chainId"] {
        let rig = Rig::default();
        let build = rig.built(SELL).unwrap();
        rig.world.signer.borrow_mut().quirks.silent = vec![method];
        let error = rig.submit(&build).unwrap_err();
        assert_eq!((error.code, error.code.action()), (ErrorCode::Network, "retry"));
        assert_eq!(error.message, format!("{method}: no answer in time"));
        rig.world.assert_untouched();
        rig.world.signer.borrow_mut().quirks.silent.clear();
        rig.submit(&build).unwrap();
    }
    // One that reads the chain.
    for method in ["eth_call", "eth_chainId", "eth_getBlockByNumber"] {
        let rig = Rig::with(|shared, _| shared.settings.rpc.clear());
        let build = rig.built(SELL).unwrap();
        rig.world.age_reads();
        rig.world.signer.borrow_mut().quirks.silent = vec![method];
        assert_eq!(code(rig.submit(&build)), ErrorCode::Network, "{method}");
        rig.world.assert_untouched();
    }
}

#[test]
fn nothing_where_an_answer_belongs_is_no_answer() {
    for (method, expected) in [
        ("eth_accounts", ErrorCode::WrongAccount),
        ("eth_chainId", ErrorCode::WrongChain),
        (SIGN, ErrorCode::SignatureMismatch),
    ] {
        let rig = tab();
        let build = rig.built(SELL).unwrap();
        rig.world.signer.borrow_mut().next(method, |_, _| Ok(Json::Null));
        assert_eq!(code(rig.submit(&build)), expected, "{method}");
        // An empty signature may be one that others of the account give later: the journal waits for it.
        let waits: Vec<_> = list(&rig, "trades.list").iter().map(|trade| text(trade, "needs").to_owned()).collect();
        assert_eq!(waits, if method == SIGN { vec!["signature"] } else { vec![] });
        rig.submit(&rig.built(SELL).unwrap()).unwrap();
        assert_eq!((list(&rig, "trades.list").len(), rig.world.posts().len()), (1, 1));
    }
    // Some wallets say null for a rejection. Others send, and lose the hash: nobody is made to send twice.
    let rig = tab();
    market::prepare(&rig, 8453, super::fake_host::SRC, u64::MAX);
    rig.world.chain.borrow_mut().node(8453).keeps_blocks = true;
    let build = market::built(&rig, SELL).unwrap();
    rig.world.signer.borrow_mut().next(SEND, |_, _| Ok(Json::Null));
    assert_eq!(code(rig.submit(&build)), ErrorCode::WalletFailed);
    assert_eq!(code(rig.submit(&build)), ErrorCode::AlreadySigned);
    rig.submit_with(&build, r#"{"existing":"keepBoth"}"#).unwrap();
    assert_eq!(rig.world.wallet_was_asked(SEND).len(), 2);
}

/// The member of typed data, which wallets are given as a string.
fn inside(given: &Json, path: &'static str) -> Json {
    let Json::String(given) = given else { panic!("typed data that is no string") };
    let given = json(given);
    at(&given, path).clone()
}

#[test]
fn wallets_that_want_typed_data_in_the_usual_form_get_it() {
    let faults: [fn(&Json) -> bool; 4] = [
        // An object where a string is expected.
        |given| !matches!(given, Json::String(_)),
        // The chain's id as a string.
        |given| !matches!(inside(given, "domain.chainId"), Json::Number(_)),
        // No type for the domain.
        |given| matches!(inside(given, "types.EIP712Domain"), Json::Null),
        // Big numbers as numbers, which lose digits.
        |given| matches!(inside(given, "message.srcAmount"), Json::Number(_)),
    ];
    for fault in faults {
        let rig = Rig::default();
        rig.world.signer.borrow_mut().quirks.refuses = Some(fault);
        rig.submit(&rig.built(SELL).unwrap()).unwrap();
        assert_eq!(rig.world.prompts(), 1);
    }
}

#[test]
fn wallets_that_want_another_form_are_not_asked_twice() {
    let wants: [fn(&Json) -> bool; 3] = [
        // An object.
        |given| matches!(given, Json::String(_)),
        |given| matches!(inside(given, "domain.chainId"), Json::Number(_)),
        |given| !matches!(inside(given, "types.EIP712Domain"), Json::Null),
    ];
    for want in wants {
        let rig = tab();
        let build = rig.built(SELL).unwrap();
        rig.world.signer.borrow_mut().quirks.refuses = Some(want);
        let error = rig.submit(&build).unwrap_err();
        assert_eq!((error.code, rig.world.prompts()), (ErrorCode::WalletFailed, 1));
        assert!(error.message.contains("invalid typed data") && has_no_trade(&rig), "{}", error.message);
        assert!(rig.world.posts().is_empty());
        // The same build, to the same wallet in another form.
        rig.world.signer.borrow_mut().quirks.refuses = None;
        rig.submit(&build).unwrap();
    }
}

#[test]
fn an_account_that_is_switched_behind_the_prompt_loses_nothing() {
    let rig = tab();
    let build = rig.built(SELL).unwrap();
    let other = Signer::new([9; 32]);
    rig.world.signer.borrow_mut().next_signature(move |_, digest| {
        format!(r#""{}""#, alloy_primitives::hex::encode_prefixed(other.sign(digest)))
    });
    let error = rig.submit(&build).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::SignatureMismatch, Some("signature")));
    assert_eq!(error.actual, Some(format!("one by {}", Signer::new([9; 32]).accounts[0])));
    assert!(has_no_trade(&rig) && rig.world.posts().is_empty());
    rig.submit(&build).unwrap();
    assert_eq!((rig.world.prompts(), rig.world.posts().len()), (2, 1));
}

#[test]
fn a_chain_that_is_switched_behind_the_prompt_changes_no_signature() {
    let rig = Rig::default();
    let build = rig.built(SELL).unwrap();
    rig.world.once(Moment::Answer(SIGN), |world| world.signer.borrow_mut().chain_id = 1);
    rig.submit(&build).unwrap();
    assert_eq!((rig.world.prompts(), rig.world.posts().len()), (1, 1));
}

#[test]
fn a_hash_of_another_chain_is_followed_until_it_counts_as_dropped() {
    let rig = tab();
    market::prepare(&rig, 8453, super::fake_host::SRC, u64::MAX);
    rig.world.chain.borrow_mut().node(8453).forgets = true;
    let build = market::built(&rig, SELL).unwrap();
    rig.world.signer.borrow_mut().quirks.sends_where_it_is = true;
    rig.world.once(Moment::Ask(super::fake_host::Place::Wallet, SEND), |world| world.signer.borrow_mut().chain_id = 1);
    let sent = rig.submit(&build).unwrap();
    assert_eq!(text(&list(&rig, "trades.list")[0], "state"), "sent");
    // Until that is sure, nobody makes the same trade.
    assert_eq!(code(rig.submit(&market::built(&rig, SELL).unwrap())), ErrorCode::WrongChain);
    rig.world.signer.borrow_mut().chain_id = 8453;
    assert_eq!(code(rig.submit(&market::built(&rig, SELL).unwrap())), ErrorCode::AlreadySigned);
    assert_eq!(super::market_followed::statuses(&rig, &sent).last().map(String::as_str), Some("DROPPED"));
    rig.mine_now(8453);
    rig.submit(&market::built(&rig, SELL).unwrap()).unwrap();
    assert_eq!(rig.world.wallet_was_asked(SEND).len(), 2);
}

#[test]
fn a_page_that_was_frozen_while_the_prompt_was_open_keeps_what_was_signed() {
    // Within the order's life, it is posted. A phone may have slept for longer.
    for (hours, is_posted) in [(0, true), (48, false)] {
        let rig = tab();
        let build = rig.built(SELL).unwrap();
        rig.world.once(Moment::Answer(SIGN), move |world| world.pass(hours * 3_600_000 + 60_000));
        let outcome = rig.submit(&build);
        assert_eq!(rig.world.prompts(), 1);
        match is_posted {
            true => assert_eq!(text(&outcome.unwrap(), "orderHash"), text(&build, "orderHash")),
            false => {
                let known = list(&rig, "trades.list");
                assert_eq!(text(&known[0], "orderHash"), text(&build, "orderHash"), "{outcome:?} {known:?}");
            }
        }
    }
}

const BASE: &str = r#"{"chainName":"Base","nativeCurrency":{"name":"Ether","symbol":"ETH","decimals":18},"rpcUrls":["https://base.test/key?x=1"],"blockExplorerUrls":["https://scan.test"]}"#;

/// A wallet on another chain that does not have this one, and an application that may have its data.
fn without_chain(data: Option<&str>, unknown: WalletFailure) -> Rig {
    let rig = Rig::with(|shared, bound| {
        bound.may_switch = true;
        let data = data.map(json);
        shared.settings.chains_to_add =
            data.iter().map(|data| (8453, add_chain::read(&JsonAt::input(data, "addChain"), 8453).unwrap())).collect();
    });
    let mut signer = rig.world.signer.borrow_mut();
    (signer.chain_id, signer.known_chains, signer.quirks.unknown_chain) = (1, vec![1], Some(unknown));
    drop(signer);
    rig
}

/// How wallets say that they do not have a chain.
fn unknown() -> [WalletFailure; 4] {
    let words = r#"Unrecognized chain ID "0x2105". Try adding the chain using wallet_addEthereumChain first."#;
    [failure(4902, "no"), failure(-32603, words), bare(words), failure(-32000, "call wallet_addEthereumChain")]
}

#[test]
fn a_chain_that_the_wallet_does_not_have_is_added_once() {
    for unknown in unknown() {
        for switches in [true, false] {
            let rig = without_chain(Some(BASE), unknown.clone());
            rig.world.signer.borrow_mut().quirks.switches_with_add = switches;
            rig.submit(&rig.built(SELL).unwrap()).unwrap();
            let added = rig.world.wallet_was_asked(ADD);
            assert_eq!(added, [BASE.replacen('{', r#"[{"chainId":"0x2105","#, 1) + "]"]);
            assert_eq!(rig.world.wallet_was_asked(SWITCH).len(), if switches { 1 } else { 2 }, "{}", unknown.words);
            assert_eq!((rig.world.prompts(), rig.world.posts().len()), (1, 1));
        }
    }
}

#[test]
fn a_chain_is_added_for_no_other_reason() {
    let [missing, ..] = unknown();
    // Without its data, after another failure, and where the wallet is on it.
    for (data, failed) in [
        (None, missing.clone()),
        (Some(BASE), failure(-32603, "Internal error")),
        (Some(BASE), failure(4200, "wallet_addEthereumChain")),
        (Some(BASE), failure(-32602, "bad params")),
    ] {
        let rig = without_chain(data, failed.clone());
        assert_eq!(code(rig.submit(&rig.built(SELL).unwrap())), ErrorCode::WrongChain, "{}", failed.words);
        assert!(rig.world.wallet_was_asked(ADD).is_empty());
        assert_eq!(rig.world.wallet_was_asked(SWITCH).len(), 1);
        rig.world.assert_untouched();
    }
    let rig = without_chain(Some(BASE), missing.clone());
    rig.world.signer.borrow_mut().next(SWITCH, |_, _| Ok(Json::Null));
    assert_eq!(code(rig.submit(&rig.built(SELL).unwrap())), ErrorCode::WrongChain);
    assert!(rig.world.wallet_was_asked(ADD).is_empty());
    // The user does not want it, or it changes nothing.
    for (code_given, expected) in [(4001, ErrorCode::UserRejected), (-32603, ErrorCode::WrongChain)] {
        let rig = without_chain(Some(BASE), missing.clone());
        rig.world.signer.borrow_mut().next_fails(ADD, code_given);
        assert_eq!(code(rig.submit(&rig.built(SELL).unwrap())), expected);
        assert_eq!(rig.world.wallet_was_asked(ADD).len(), 1);
        rig.world.assert_untouched();
    }
    let rig = without_chain(Some(BASE), missing);
    rig.world.signer.borrow_mut().next(ADD, |_, _| Ok(Json::Null));
    assert_eq!(code(rig.submit(&rig.built(SELL).unwrap())), ErrorCode::WrongChain);
    assert_eq!((rig.world.wallet_was_asked(ADD).len(), rig.world.wallet_was_asked(SWITCH).len()), (1, 2));
    rig.world.assert_untouched();
}

#[test]
fn a_chains_data_is_read_in_both_forms_and_refused_by_member() {
    let viem = concat!(
        r#"{"id":8453,"name":"Base","nativeCurrency":{"name":"Ether","symbol":"ETH","decimals":18},"#,
        r#""rpcUrls":{"default":{"http":["https://base.test/key?x=1"]}},"#,
        r#""blockExplorers":{"default":{"name":"Scan","url":"https://scan.test","apiUrl":"x"}}}"#
    );
    let read = |data: &str| add_chain::read(&JsonAt::input(&json(data), "addChain.8453"), 8453);
    assert_eq!(read(viem).unwrap(), read(BASE).unwrap());
    read(&BASE.replacen('{', r#"{"chainId":"0x2105","iconUrls":["http://127.0.0.1:9/i.svg"],"#, 1)).unwrap();
    for (data, from, to, field) in [
        (BASE, r#""chainName":"Base","#, "", "chainName"),
        (BASE, r#""Ether""#, "7", "nativeCurrency.name"),
        (BASE, r#""ETH""#, r#""""#, "nativeCurrency.symbol"),
        (BASE, "18", "300", "nativeCurrency.decimals"),
        (BASE, r#"["https://base.test/key?x=1"]"#, "[]", "rpcUrls"),
        (BASE, "https://base.test", "http://base.test", "rpcUrls.0"),
        (BASE, "https://scan.test", "javascript:alert(1)", "blockExplorerUrls.0"),
        (BASE, r#"{"chainName""#, r#"{"chainId":1,"chainName""#, "chainId"),
        (BASE, r#"{"chainName""#, r#"{"rpcUrl":1,"chainName""#, "rpcUrl"),
        (BASE, r#"{"name""#, r#"{"nam":1,"name""#, "nativeCurrency.nam"),
        (viem, r#""id":8453"#, r#""id":1"#, "id"),
        (viem, "https://base.test", "http://base.test", "rpcUrls.default.http.0"),
        (viem, "https://scan.test", "data:,", "blockExplorers.default.url"),
    ] {
        let error = read(&data.replacen(from, to, 1)).unwrap_err();
        let field = format!("addChain.8453.{field}");
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some(&*field)), "{error:?}");
    }
}
