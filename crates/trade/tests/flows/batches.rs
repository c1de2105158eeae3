//! Several calls in one prompt (EIP-5792): what the wallet is asked for, what its answers mean, and what a reload
//! finds.

use super::confirm::{saying, told};
use super::fake_host::{
    DELTA, DEST, Moment, Place, ROUTER, Rig, SELL, SRC, at, failure, hex_word, json, set, text, with,
};
use super::journal::{list, next};
use super::market::{SEND, built, prepare, submit};
use super::market_followed::statuses;
use alloy_primitives::{Address, U256, hex};
use std::rc::Rc;
use verify::internal::domain::paymaster::Paymaster;
use verify::internal::error::{ErrorCode, Result};
use verify::internal::json::{Json, JsonAt};

const CALLS: &str = "wallet_sendCalls";
const ASKS: &str = "wallet_getCapabilities";

/// A tab whose wallet sends calls together so, and whose owner has approved that much to the router and to Delta.
fn rig(atomic: Option<&'static str>, allowance: u64) -> Rig {
    let rig = super::journal::tab();
    rig.world.signer.borrow_mut().atomic = atomic;
    prepare(&rig, 8453, SRC, allowance);
    let mut chain = rig.world.chain.borrow_mut();
    let node = chain.node(8453);
    node.allowances.insert((address(SRC), address(DELTA)), U256::from(allowance));
    node.contracts.insert(address(DELTA), Box::new(|_| Ok(json(r#""0x""#))));
    drop(chain);
    rig
}

fn address(text: &str) -> Address {
    text.parse().unwrap()
}

/// The only prompt for several calls.
fn asked(rig: &Rig) -> Json {
    let asked = rig.world.wallet_was_asked(CALLS);
    assert_eq!(asked.len(), 1, "{asked:?}");
    at(&json(&asked[0]), "0").clone()
}

/// Contract and first four bytes of each call.
fn calls(asked: &Json) -> Vec<(String, String)> {
    let Json::Array(calls) = at(asked, "calls") else { panic!() };
    calls.iter().map(|call| (text(call, "to").to_ascii_lowercase(), text(call, "data")[2..10].to_owned())).collect()
}

fn approval() -> (String, String) {
    (SRC.into(), "095ea7b3".into())
}

/// The owner has code of so many bytes.
fn with_code(rig: &Rig, size: usize) {
    rig.world.chain.borrow_mut().node(8453).code.insert(rig.owner(), vec![0xEF; size]);
}

#[test]
fn an_approval_and_its_swap_are_one_prompt() {
    for atomic in ["supported", "ready"] {
        let rig = rig(Some(atomic), 5);
        let build = built(&rig, SELL).unwrap();
        let sent = submit(&rig, &build).unwrap();
        let asked = asked(&rig);
        assert_eq!(calls(&asked), [approval(), (ROUTER.into(), text(&build, "transaction.data")[2..10].into())]);
        // Exactly what the trade may spend, for nobody but the router.
        let data = text(&asked, "calls.0.data");
        assert!(data[10..74].ends_with(&ROUTER[2..]), "{data}");
        assert_eq!(U256::from_str_radix(&data[74..], 16).unwrap(), U256::from(100_000_000));
        assert_eq!(text(&asked, "calls.1.data"), text(&build, "transaction.data"));
        assert_eq!((text(&asked, "version"), text(&asked, "chainId")), ("2.0.0", "0x2105"));
        assert_eq!(
            (text(&asked, "from"), at(&asked, "atomicRequired")),
            (&*rig.owner().to_string(), &Json::Bool(true))
        );
        assert!(rig.world.wallet_was_asked(SEND).is_empty());
        assert_eq!((text(&sent, "batch"), at(&sent, "hash")), (text(&asked, "id"), &Json::Null));
        assert_eq!(rig.step_names(), ["checking", "simulating", "sending", "sent"]);
        let Json::Object(members) = at(&asked, "calls.1") else { panic!() };
        assert_eq!(members.len(), 3, "gas is the wallet's business: {members:?}");
        // One transaction has both.
        assert_eq!(statuses(&rig, &sent), ["COMPLETED"]);
        let trade = &list(&rig, "trades.list")[0];
        assert_eq!((text(trade, "batch"), text(trade, "state")), (text(&asked, "id"), "ended"));
        assert_eq!(text(trade, "transaction"), hex_word(U256::from(1)));
        // Sent once, however often it is submitted.
        submit(&rig, &build).unwrap();
        assert_eq!(rig.world.wallet_was_asked(CALLS).len(), 1);
    }
}

#[test]
fn without_several_calls_the_approval_is_asked_for_as_before() {
    let error = |rig: &Rig, options: &str| {
        let build = built(rig, SELL).unwrap();
        rig.submit_with(&build, options).unwrap_err()
    };
    for (atomic, options) in [(None, "{}"), (Some("unsupported"), "{}"), (Some("supported"), r#"{"batch":"never"}"#)] {
        let rig = rig(atomic, 5);
        let refused = error(&rig, options);
        assert_eq!(refused.code, ErrorCode::InsufficientAllowance);
        assert!(refused.approval.is_some());
        assert!(rig.world.wallet_was_asked(CALLS).is_empty());
    }
    let never = rig(Some("supported"), 5);
    let never = Rig::in_world(never.world, |shared, _| shared.settings.never_batches = true);
    assert_eq!(error(&never, "{}").code, ErrorCode::InsufficientAllowance);
    assert!(never.world.wallet_was_asked(ASKS).is_empty(), "nobody wants to know");
    let wrong = error(&rig(None, 5), r#"{"batch":"always"}"#);
    assert_eq!((wrong.code, wrong.field.as_deref()), (ErrorCode::InvalidInput, Some("options.batch")));
}

#[test]
fn what_needs_no_approval_is_one_transaction_unless_a_contract_sends_it() {
    for (size, together) in [(0, false), (23, false), (100, true)] {
        let rig = rig(Some("supported"), u64::MAX);
        with_code(&rig, size);
        let sent = submit(&rig, &built(&rig, SELL).unwrap()).unwrap();
        assert_eq!(rig.world.wallet_was_asked(CALLS).len(), usize::from(together), "{size}");
        assert_eq!(rig.world.wallet_was_asked(SEND).len(), usize::from(!together), "{size}");
        assert_eq!(*at(&sent, "batch") != Json::Null, together);
        if together {
            assert_eq!(calls(&asked(&rig)).len(), 1);
        }
    }
}

/// The rig, whose application names a paymaster on that chain, and is asked.
fn sponsored(rig: Rig, chain_id: u64, paymasters: Option<&'static str>) -> Rig {
    rig.world.signer.borrow_mut().paymasters = paymasters;
    let stated = json(r#"{"url":"https://pay.example/v1?key=1","context":{"policyId":"1"}}"#);
    let paymaster = Paymaster::read(&JsonAt::input(&stated, "paymasterService")).unwrap();
    saying(Rig::in_world(rig.world, move |shared, _| shared.settings.paymasters = vec![(chain_id, paymaster)]), "true")
}

const PAID: &str =
    r#"{"paymasterService":{"url":"https://pay.example/v1?key=1","context":{"policyId":"1"},"optional":true}}"#;
const TAKES: Option<&str> = Some(r#"{"supported":true}"#);

#[test]
fn a_paymaster_is_named_to_a_wallet_that_takes_one_and_to_no_other() {
    let refusals = [r#"{"supported":false}"#, r#"{"supported":"true"}"#, "{}", "true", "null"].map(Some);
    let wallets = [TAKES].into_iter().chain([None]).chain(refusals);
    for (said, (allowance, atomic)) in wallets.flat_map(|said| {
        [
            (5, Some("supported")),
            (u64::MAX, Some("ready")),
            (u64::MAX, Some("1.0")),
            (u64::MAX, Some("unsupported")),
            (u64::MAX, None),
        ]
        .map(|way| (said, way))
    }) {
        for chain_id in [8453, 1] {
            let rig = sponsored(rig(atomic, allowance), chain_id, said);
            let sent = submit(&rig, &built(&rig, SELL).unwrap()).unwrap();
            let pays = said == TAKES && chain_id == 8453 && !matches!(atomic, Some("unsupported") | None);
            let case = format!("{said:?} {atomic:?} {allowance} {chain_id}");
            // A call that needs no other goes in this form, too: alone it has no place for a paymaster.
            assert_eq!(rig.world.wallet_was_asked(CALLS).len(), usize::from(pays || allowance == 5), "{case}");
            assert_eq!(*at(&sent, "batch") != Json::Null, pays || allowance == 5, "{case}");
            for asked in rig.world.wallet_was_asked(CALLS) {
                let stated = json(&asked);
                assert_eq!(
                    at(&stated, "0").get("capabilities").map(Json::write).as_deref(),
                    pays.then_some(PAID),
                    "{case}"
                );
            }
            for asked in rig.world.wallet_was_asked(SEND) {
                assert!(!asked.contains("capabilities"), "{case}: {asked}");
            }
            let prompts = told(&rig);
            assert_eq!(prompts.len(), 1, "{case}");
            let sentence = text(&prompts[0], "sentence");
            assert_eq!(sentence.ends_with("; gas paid by pay.example if it agrees"), pays, "{case}: {sentence}");
            assert_eq!(sentence.contains("gas paid"), pays, "{case}: {sentence}");
            assert_eq!(at(&prompts[0], "capabilities").write(), if pays { PAID } else { "null" }, "{case}");
        }
    }
}

#[test]
fn a_paymaster_is_stated_strictly() {
    for (stated, field) in [
        ("{}", "url"),
        ("7", ""),
        (r#"{"url":"http://pay.example"}"#, "url"),
        (r#"{"url":"https://pay.example","optional":true}"#, "optional"),
        (r#"{"url":"https://pay.example","context":[]}"#, "context"),
    ] {
        let error = Paymaster::read(&JsonAt::input(&json(stated), "pays")).unwrap_err();
        let expected = if field.is_empty() { "pays".into() } else { format!("pays.{field}") };
        assert_eq!((error.code, error.field.clone()), (ErrorCode::InvalidInput, Some(expected)), "{stated}");
    }
}

#[test]
fn an_approval_alone_is_paid_for_too() {
    let rig = sponsored(rig(Some("supported"), 5), 8453, TAKES);
    rig.approve(at(&rig.built(SELL).unwrap(), "approval"), "{}").unwrap();
    let asked = asked(&rig);
    assert_eq!((calls(&asked), at(&asked, "capabilities").write()), (vec![approval()], PAID.into()));
    assert!(text(&told(&rig)[0], "sentence").ends_with("; gas paid by pay.example if it agrees"));
    assert!(rig.world.wallet_was_asked(SEND).is_empty());
    let never = sponsored(self::rig(Some("supported"), 5), 8453, TAKES);
    never.approve(at(&never.built(SELL).unwrap(), "approval"), r#"{"batch":"never"}"#).unwrap();
    assert_eq!((never.world.wallet_was_asked(CALLS).len(), never.world.wallet_was_asked(SEND).len()), (0, 1));
    assert!(!text(&told(&never)[0], "sentence").contains("gas paid"));
}

/// A wallet that reports paymasters, and refuses calls with one: the trade goes on as if it took none.
#[test]
fn a_wallet_that_refuses_the_paymaster_after_all_sends_without() {
    for code in [-32602, 5700, 5750, 5760] {
        let rig = sponsored(rig(Some("supported"), u64::MAX), 8453, TAKES);
        rig.world.signer.borrow_mut().next_fails(CALLS, code);
        let sent = submit(&rig, &built(&rig, SELL).unwrap()).unwrap();
        assert_eq!((at(&sent, "batch"), rig.world.wallet_was_asked(SEND).len()), (&Json::Null, 1), "{code}");
        // The user agreed to another prompt first.
        let sentences: Vec<_> = told(&rig).iter().map(|prompt| text(prompt, "sentence").contains("gas paid")).collect();
        assert_eq!(sentences, [true, false], "{code}");
    }
}

#[test]
fn a_reset_and_its_approval_are_one_prompt() {
    let rig = rig(Some("supported"), 5);
    rig.world.chain.borrow_mut().node(8453).reset_first = true;
    let build = rig.built(SELL).unwrap();
    assert_eq!(at(&build, "approval.resetFirst"), &Json::Bool(true));
    let done = rig.approve(at(&build, "approval"), "{}").unwrap();
    let asked = asked(&rig);
    assert_eq!(calls(&asked), [approval(), approval()]);
    let amount = |place: &str| U256::from_str_radix(&text(&asked, place)[74..], 16).unwrap();
    assert_eq!((amount("calls.0.data"), amount("calls.1.data")), (U256::ZERO, U256::from(100_000_000)));
    assert_eq!(text(&done, "allowance"), "100000000");
    assert!(rig.world.wallet_was_asked(SEND).is_empty());
    assert_eq!(rig.step_names(), ["checking", "approving", "confirming", "approved"]);
    // A single approval is a transaction.
    let rig = self::rig(Some("supported"), 5);
    rig.approve(at(&rig.built(SELL).unwrap(), "approval"), "{}").unwrap();
    assert_eq!((rig.world.wallet_was_asked(CALLS).len(), rig.world.wallet_was_asked(SEND).len()), (0, 1));
}

#[test]
fn a_gasless_order_is_approved_and_consented_to_in_one_prompt() {
    let rig = rig(Some("ready"), 5);
    rig.world.service.borrow_mut().takes = Some(Box::new(|signature| signature == "0x"));
    let build = rig.built(SELL).unwrap();
    let order = rig.submit(&build).unwrap();
    assert_eq!(text(&order, "orderHash"), text(&build, "orderHash"));
    let asked = asked(&rig);
    assert_eq!(calls(&asked), [approval(), (DELTA.into(), "eb8fb268".into())]);
    assert!(text(&asked, "calls.0.data")[10..74].ends_with(&DELTA[2..]));
    assert!(text(&asked, "calls.1.data").contains(&text(&build, "orderHash")[2..]));
    assert_eq!((rig.world.prompts(), rig.world.wallet_was_asked(SEND).len()), (0, 0));
    // An order that was approved before is signed.
    let rig = self::rig(Some("ready"), u64::MAX);
    rig.submit(&rig.built(SELL).unwrap()).unwrap();
    assert_eq!((rig.world.prompts(), rig.world.wallet_was_asked(CALLS).len()), (1, 0));
}

#[test]
fn a_wallet_that_cannot_after_all_sends_nothing_and_is_not_asked_so_again() {
    for code in [-32601, -32602, 4200, 5700, 5740, 5750, 5760] {
        let rig = rig(Some("supported"), 5);
        let build = built(&rig, SELL).unwrap();
        rig.world.signer.borrow_mut().next_fails(CALLS, code);
        let error = submit(&rig, &build).unwrap_err();
        assert_eq!(error.code, ErrorCode::InsufficientAllowance, "{code}");
        rig.approve(&json(&error.approval.clone().unwrap()), "{}").unwrap();
        assert_eq!(at(&submit(&rig, &build).unwrap(), "batch"), &Json::Null);
        assert_eq!((rig.world.wallet_was_asked(CALLS).len(), rig.world.wallet_was_asked(SEND).len()), (1, 2));
        let capable = rig.call("info.capabilities", &json(r#"{"chainId":8453}"#), "{}").unwrap();
        assert_eq!(text(&capable, "atomic"), "unsupported");
    }
    let rig = rig(Some("supported"), 5);
    let build = built(&rig, SELL).unwrap();
    rig.world.signer.borrow_mut().next_fails(CALLS, 4001);
    assert_eq!(submit(&rig, &build).unwrap_err().code, ErrorCode::UserRejected);
    assert!(list(&rig, "trades.list").is_empty(), "nothing is under way");
    submit(&rig, &build).unwrap();
    assert_eq!(rig.world.wallet_was_asked(CALLS).len(), 2);
}

#[test]
fn what_was_agreed_to_is_put_once_though_the_wallet_takes_no_calls() {
    // A contract's single call goes by its id, if it can.
    let trade = |code, allowance| {
        let rig = saying(rig(Some("supported"), allowance), "true");
        with_code(&rig, 100);
        let build = built(&rig, SELL).unwrap();
        rig.world.signer.borrow_mut().next_fails(CALLS, code);
        let outcome = match at(&build, "approval") {
            Json::Null => submit(&rig, &build),
            approval => rig.approve(approval, "{}"),
        };
        let told: Vec<_> = told(&rig).iter().map(|prompt| text(prompt, "purpose").to_owned()).collect();
        let asked = [CALLS, SEND].map(|method| rig.world.wallet_was_asked(method).len());
        (outcome.map(|_| ()).map_err(|error| error.code), told, asked)
    };
    assert_eq!(trade(4200, u64::MAX), (Ok(()), vec!["market".into()], [1, 1]));
    assert_eq!(trade(4200, 0), (Ok(()), vec!["approve".into()], [1, 1]));
    assert_eq!(trade(4001, u64::MAX), (Err(ErrorCode::UserRejected), vec!["market".into()], [1, 0]));
}

#[test]
fn what_the_wallet_says_of_its_calls_is_what_they_are() {
    for (said, ends) in [(100, "PENDING"), (200, "COMPLETED"), (400, "FAILED"), (500, "FAILED"), (600, "PARTIAL")] {
        let rig = rig(Some("supported"), 5);
        rig.world.signer.borrow_mut().calls_status = said;
        let sent = submit(&rig, &built(&rig, SELL).unwrap()).unwrap();
        let trade = &list(&rig, "trades.resume")[0];
        assert_eq!(text(trade, "status"), ends, "{said}");
        assert_eq!(text(trade, "state") == "ended", ends != "PENDING", "{said}");
        if ends != "PENDING" {
            assert_eq!(statuses(&rig, &sent), [ends]);
        }
    }
}

#[test]
fn the_chain_has_the_last_word() {
    let rig = rig(Some("supported"), 5);
    rig.world.chain.borrow_mut().node(8453).reverts = true;
    let sent = submit(&rig, &built(&rig, SELL).unwrap()).unwrap();
    // The wallet says that it went through.
    rig.world.chain.borrow_mut().node(8453).pending_for = 2;
    assert_eq!(statuses(&rig, &sent), ["PENDING", "FAILED"]);
}

#[test]
fn a_page_that_died_in_the_prompt_asks_the_wallet_by_the_id() {
    for has_sent in [true, false] {
        let rig = rig(Some("supported"), 5);
        let build = built(&rig, SELL).unwrap();
        if !has_sent {
            // The prompt is still open.
            rig.world.signer.borrow_mut().next(CALLS, |_, _| Ok(Json::Null));
        }
        let stop = rig.signal.0.clone();
        rig.world.once(Moment::Answer(CALLS), move |_| stop.set(true));
        assert_eq!(submit(&rig, &build).unwrap_err().code, ErrorCode::Aborted);
        let page = next(&rig);
        let trade = &list(&page, "trades.resume")[0];
        match has_sent {
            true => assert_eq!((text(trade, "state"), text(trade, "status")), ("ended", "COMPLETED")),
            false => assert_eq!((text(trade, "state"), text(trade, "status")), ("asking", "UNCERTAIN")),
        }
        // The same trade, built again, is not asked for while this one may still be sent.
        let again = submit(&page, &built(&page, SELL).unwrap());
        assert_eq!(again.is_ok(), has_sent, "{again:?}");
        assert!(has_sent || again.unwrap_err().code == ErrorCode::AlreadySigned);
    }
}

#[test]
fn calls_that_are_found_before_resume_stand_in_the_way_until_they_are_told() {
    let rig = rig(Some("supported"), 5);
    let build = built(&rig, SELL).unwrap();
    let stop = rig.signal.0.clone();
    rig.world.once(Moment::Answer(CALLS), move |_| stop.set(true));
    assert_eq!(submit(&rig, &build).unwrap_err().code, ErrorCode::Aborted);
    let page = next(&rig);
    for _ in 0..2 {
        let again = submit(&page, &built(&page, SELL).unwrap());
        assert_eq!(again.unwrap_err().code, ErrorCode::AlreadySigned);
    }
    list(&page, "trades.resume");
    submit(&page, &built(&page, SELL).unwrap()).unwrap();
}

#[test]
fn the_id_is_on_the_disk_before_the_prompt_opens() {
    let rig = rig(Some("supported"), 5);
    let build = built(&rig, SELL).unwrap();
    rig.world.once(Moment::Ask(Place::Wallet, CALLS), |world| {
        let stored = world.browser.stored.borrow();
        let (_, entry) = stored.iter().find(|(key, _)| key.starts_with("trade/")).unwrap();
        assert!(text(&json(entry), "batch").len() == 66, "{entry}");
    });
    submit(&rig, &build).unwrap();
    assert_eq!(rig.world.wallet_was_asked(CALLS).len(), 1);
}

/// A page whose prompt was answered after it died.
fn left_in_the_prompt(rig: &Rig, build: &Json) -> Rig {
    let stop = rig.signal.0.clone();
    rig.world.once(Moment::Answer(CALLS), move |_| stop.set(true));
    assert_eq!(submit(rig, build).unwrap_err().code, ErrorCode::Aborted);
    rig.signal.0.set(false);
    next(rig)
}

fn batches(rig: &Rig) -> usize {
    rig.world.signer.borrow().batches.len()
}

#[test]
fn calls_that_the_wallet_has_already_are_found_by_its_own_word() {
    // The page gave up, and its prompt was forgotten: the wallet had them all the same.
    let rig = rig(Some("supported"), 5);
    let build = built(&rig, SELL).unwrap();
    rig.world.signer.borrow_mut().next(CALLS, |_, _| Err(failure(4900, "gone")));
    let error = submit(&rig, &build).unwrap_err();
    assert_eq!(error.code, ErrorCode::WalletFailed);
    let id = text(&list(&rig, "trades.list")[0], "batch").to_owned();
    let calls = json(&rig.world.wallet_was_asked(CALLS)[0]).write();
    let mut chain = rig.world.chain.borrow_mut();
    assert!(rig.world.signer.borrow_mut().answer(&mut chain, CALLS, &calls).is_ok());
    chain.node(8453).allowances.insert((address(SRC), address(ROUTER)), U256::ZERO);
    drop(chain);
    assert_eq!(text(&submit(&rig, &build).unwrap(), "batch"), id);
    assert_eq!((batches(&rig), rig.world.wallet_was_asked(CALLS).len()), (1, 1), "it was looked up");
}

#[test]
fn a_wallet_that_says_duplicate_and_knows_nothing_has_not_sent() {
    let rig = rig(Some("supported"), 5);
    let build = built(&rig, SELL).unwrap();
    // Its prompt may still be open.
    rig.world.signer.borrow_mut().next_fails(CALLS, 4900);
    submit(&rig, &build).unwrap_err();
    rig.world.signer.borrow_mut().next_fails(CALLS, 5720);
    let error = submit(&rig, &build).unwrap_err();
    assert_eq!(error.code, ErrorCode::WalletPending, "{}", error.message);
    assert_eq!(text(&list(&rig, "trades.list")[0], "state"), "asking");
    // A batch that the user refused is asked for under another id, by a wallet that keeps the first.
    let rig = self::rig(Some("supported"), 5);
    let build = built(&rig, SELL).unwrap();
    rig.world.signer.borrow_mut().next_fails(CALLS, 4001);
    submit(&rig, &build).unwrap_err();
    rig.world.signer.borrow_mut().next_fails(CALLS, 5720);
    submit(&rig, &build).unwrap();
    let asked = rig.world.wallet_was_asked(CALLS);
    assert_eq!(asked.len(), 3);
    assert_ne!(text(&json(&asked[1]), "0.id"), text(&json(&asked[2]), "0.id"));
}

#[test]
fn a_wallet_that_calls_every_id_a_duplicate_is_not_asked_for_ever() {
    let rig = rig(Some("supported"), 5);
    for _ in 0..20 {
        rig.world.signer.borrow_mut().next_fails(CALLS, 5720);
    }
    let error = submit(&rig, &built(&rig, SELL).unwrap()).unwrap_err();
    assert_eq!((error.code, rig.world.wallet_was_asked(CALLS).len()), (ErrorCode::WalletPending, 2));
}

#[test]
fn a_wallet_that_sends_and_then_fails_is_found_by_the_id_of_the_build() {
    let rig = rig(Some("supported"), 5);
    let build = built(&rig, SELL).unwrap();
    rig.world.signer.borrow_mut().next_fails(CALLS, -32603);
    assert_eq!(submit(&rig, &build).unwrap_err().code, ErrorCode::WalletFailed);
    let calls = rig.world.wallet_was_asked(CALLS)[0].clone();
    let mut chain = rig.world.chain.borrow_mut();
    assert!(rig.world.signer.borrow_mut().answer(&mut chain, CALLS, &calls).is_ok());
    chain.node(8453).allowances.insert((address(SRC), address(ROUTER)), U256::ZERO);
    drop(chain);
    let sent = submit(&rig, &build).unwrap();
    assert_eq!((batches(&rig), text(&sent, "batch")), (1, &*rig.world.signer.borrow().batches[0].id));
}

#[test]
fn a_question_whose_answer_never_came_stays_noted_whatever_the_next_one_meets() {
    for code in [-32002, 4100, -32603, -32005, -32601, 5760] {
        let rig = rig(Some("supported"), 5);
        let build = built(&rig, SELL).unwrap();
        rig.world.signer.borrow_mut().next_fails(CALLS, 4900);
        submit(&rig, &build).unwrap_err();
        let id = text(&list(&rig, "trades.list")[0], "batch").to_owned();
        rig.world.signer.borrow_mut().next_fails(CALLS, code);
        submit(&rig, &build).unwrap_err();
        let trades = list(&rig, "trades.list");
        assert_eq!((trades.len(), text(&trades[0], "batch")), (1, &*id), "{code}");
        assert!(rig.world.wallet_was_asked(SEND).is_empty(), "{code}: nothing is sent beside");
        if ![-32601, 5760].contains(&code) {
            // The user says no: nothing is left.
            rig.world.signer.borrow_mut().next_fails(CALLS, 4001);
            assert_eq!(submit(&rig, &build).unwrap_err().code, ErrorCode::UserRejected, "{code}");
            assert!(list(&rig, "trades.list").is_empty(), "{code}");
        }
    }
}

#[test]
fn a_status_that_cannot_be_read_does_not_lose_the_id() {
    let rig = rig(Some("supported"), 5);
    let build = built(&rig, SELL).unwrap();
    let mut signer = rig.world.signer.borrow_mut();
    signer.next_fails(CALLS, 5720);
    signer.next_fails("wallet_getCallsStatus", -32603);
    drop(signer);
    submit(&rig, &build).unwrap_err();
    assert_eq!(text(&list(&rig, "trades.list")[0], "state"), "asking");
    // Nor does an answer that says nothing.
    for answer in ["null", "{}", "0"] {
        let rig = self::rig(Some("supported"), 5);
        let build = built(&rig, SELL).unwrap();
        rig.world.signer.borrow_mut().next(CALLS, move |_, _| Ok(json(answer)));
        assert_eq!(submit(&rig, &build).unwrap_err().code, ErrorCode::WalletFailed);
        assert_eq!(text(&list(&rig, "trades.resume")[0], "status"), "UNCERTAIN", "{answer}");
        assert!(submit(&rig, &build).is_ok(), "it is put to the wallet once more, by its id");
        let asked = rig.world.wallet_was_asked(CALLS);
        assert_eq!(text(&json(&asked[0]), "0.id"), text(&json(&asked[1]), "0.id"));
    }
}

#[test]
fn a_prompt_is_joined_for_what_it_asks_whatever_the_journal_says() {
    let rig = rig(Some("supported"), 5);
    let build = built(&rig, SELL).unwrap();
    let stop = rig.signal.0.clone();
    rig.world.once(Moment::Answer(CALLS), move |_| stop.set(true));
    assert_eq!(submit(&rig, &build).unwrap_err().code, ErrorCode::Aborted);
    rig.signal.0.set(false);
    rig.call("trades.forget", &json("[]"), "{}").unwrap();
    // Also where nothing is to be sent together any more.
    let sent = rig.submit_with(&build, r#"{"batch":"never"}"#).unwrap();
    assert_eq!(text(&sent, "batch"), rig.world.signer.borrow().batches[0].id);
    assert_eq!((batches(&rig), rig.world.wallet_was_asked(SEND).len()), (1, 0));
}

#[test]
fn what_has_ended_is_not_sent_again_because_the_wallet_forgot_it() {
    let rig = rig(Some("supported"), 5);
    let build = built(&rig, SELL).unwrap();
    submit(&rig, &build).unwrap();
    list(&rig, "trades.resume");
    let page = Rig::in_world(rig.world.clone(), |shared, _| shared.settings.secret = rig.client.shared.settings.secret);
    page.world.signer.borrow_mut().batches[0].id = "forgotten".into();
    assert_eq!(text(&submit(&page, &build).unwrap(), "status"), "COMPLETED");
    assert_eq!(batches(&page), 1);
    assert_eq!(text(&list(&page, "trades.list")[0], "status"), "COMPLETED");
}

#[test]
fn what_was_abandoned_and_then_confirmed_is_not_sent_again() {
    let rig = rig(Some("supported"), 5);
    let build = built(&rig, SELL).unwrap();
    rig.world.signer.borrow_mut().calls_status = 100;
    let page = left_in_the_prompt(&rig, &build);
    let page = Rig::in_world(page.world, |shared, _| shared.settings.secret = rig.client.shared.settings.secret);
    let id = list(&page, "trades.list")[0].get("id").unwrap().clone();
    page.call("trades.abandon", &id, "{}").unwrap();
    let sent = submit(&page, &build).unwrap();
    assert_eq!((text(&sent, "status"), batches(&page)), ("PENDING", 1));
}

#[test]
fn a_wallet_that_says_nothing_of_its_calls_does_not_know_them() {
    for answer in ["null", "{}", r#"{"status":"SOON"}"#, "unknown method"] {
        let rig = rig(Some("supported"), 5);
        let build = built(&rig, SELL).unwrap();
        let page = left_in_the_prompt(&rig, &build);
        page.world.signer.borrow_mut().next("wallet_getCallsStatus", move |_, _| match answer {
            "unknown method" => Err(failure(-32601, "no such method")),
            answer => Ok(json(answer)),
        });
        let trade = &list(&page, "trades.resume")[0];
        assert_eq!((text(trade, "state"), text(trade, "status")), ("asking", "UNCERTAIN"), "{answer}");
    }
}

#[test]
fn a_transaction_that_the_wallet_named_counts_also_when_it_forgot_its_calls() {
    let rig = rig(Some("supported"), 5);
    rig.world.chain.borrow_mut().node(8453).pending_for = 1;
    let mut sent = submit(&rig, &built(&rig, SELL).unwrap()).unwrap();
    let trade = list(&rig, "trades.resume")[0].clone();
    assert_eq!((text(&trade, "state"), text(&trade, "transaction")), ("sent", &*hex_word(U256::from(1))));
    rig.world.signer.borrow_mut().batches[0].id = "forgotten".into();
    set(&mut sent, "hash", &format!("\"{}\"", text(&trade, "transaction")));
    assert_eq!(statuses(&rig, &sent), ["COMPLETED"]);
}

#[test]
fn ids_that_wallets_choose_are_told_apart_by_account() {
    let rig = rig(Some("1.0"), 5);
    submit(&rig, &built(&rig, SELL).unwrap()).unwrap();
    let entry = rig.client.shared.ledger.trades(|_| true)[0].clone();
    let mut sent = verify::internal::domain::transaction::Sent::batch(8453, rig.owner(), "own-0".into());
    assert!(rig.client.shared.ledger.entry_of(&sent).is_some_and(|found| found.key == entry.key));
    sent.from = address(DEST);
    assert!(rig.client.shared.ledger.entry_of(&sent).is_none());
}

#[test]
fn a_wallet_of_the_first_version_is_asked_in_its_words() {
    let rig = rig(Some("1.0"), 5);
    let sent = submit(&rig, &built(&rig, SELL).unwrap()).unwrap();
    let asked = asked(&rig);
    assert_eq!(text(&asked, "version"), "1.0");
    assert!(asked.get("id").is_none() && asked.get("atomicRequired").is_none());
    assert_eq!((text(&sent, "batch"), &*statuses(&rig, &sent)), ("own-0", &["COMPLETED".to_owned()][..]));
    let capable = rig.call("info.capabilities", &json(r#"{"chainId":8453}"#), "{}").unwrap();
    assert_eq!(text(&capable, "atomic"), "supported");
}

#[test]
fn what_a_wallet_can_is_asked_once_for_each_account_and_chain_and_not_waited_for_long() {
    let rig = rig(Some("supported"), 5);
    let build = built(&rig, SELL).unwrap();
    assert_eq!(rig.world.wallet_was_asked(ASKS), [format!(r#"["{}",["0x2105"]]"#, rig.owner())], "while it builds");
    submit(&rig, &build).unwrap();
    built(&rig, SELL).unwrap();
    assert_eq!(rig.world.wallet_was_asked(ASKS).len(), 1);
    let limits = rig.world.limits.borrow();
    let waited = limits.iter().filter(|(method, _)| *method == ASKS);
    assert!(waited.clone().count() > 0 && waited.clone().all(|(_, limit)| limit.is_some_and(|ms| ms <= 2_000)));
}

#[test]
fn a_wallet_that_was_not_connected_yet_is_asked_again_and_one_that_does_not_know_is_not() {
    for (code, times) in [(4100, 2), (-32601, 1), (-32603, 1), (4001, 1)] {
        let rig = rig(Some("supported"), 5);
        rig.world.signer.borrow_mut().next_fails(ASKS, code);
        let capable =
            || text(&rig.call("info.capabilities", &json(r#"{"chainId":8453}"#), "{}").unwrap(), "atomic").to_owned();
        assert_eq!(capable(), "unsupported");
        assert_eq!(capable(), if times == 2 { "supported" } else { "unsupported" }, "{code}");
        assert_eq!(rig.world.wallet_was_asked(ASKS).len(), times);
    }
}

#[test]
fn all_calls_are_tried_together_before_the_prompt() {
    let rig = rig(Some("supported"), 5);
    let build = built(&rig, SELL).unwrap();
    let reverted = |done: u8| {
        let reason = "08c379a0".to_owned() + &format!("{:064x}{:064x}{:0<64}", 32, 3, hex::encode("low"));
        hex::encode_prefixed(b"verified-swap: calls in one ask") + &format!("{done:02x}{reason}")
    };
    let said = Rc::new(std::cell::RefCell::new(reverted(1)));
    let answers = said.clone();
    let tried = Box::new(move |_: &Json| Ok(Json::String(answers.borrow().clone())));
    rig.world.chain.borrow_mut().node(8453).contracts.insert(rig.owner(), tried);
    let error = submit(&rig, &build).unwrap_err();
    assert_eq!((error.code, error.actual.as_deref()), (ErrorCode::WalletFailed, Some("low")));
    assert!(error.reverted && rig.world.wallet_was_asked(CALLS).is_empty());
    // In the account's place is the code that makes the calls.
    let questions = rig.world.questions.borrow().clone();
    let (.., params) = questions.iter().rev().find(|(.., params)| params.contains("\"code\"")).unwrap();
    let owner = rig.owner().to_string();
    assert_eq!((text(&json(params), "0.to"), text(&json(params), "0.from")), (&*owner, &*owner));
    assert!(at(&json(params), "2").get(&owner).is_some());
    // An account's own code is not taken for it, nor a node that knows no such trial.
    for answer in ["0x".into(), hex_word(U256::ZERO), reverted(2)] {
        *said.borrow_mut() = answer;
        rig.world.age_reads();
        let build = built(&rig, &with(SELL, r#""maxLossBps":900"#)).unwrap();
        submit_another(&rig, &build).unwrap();
    }
}

fn submit_another(rig: &Rig, build: &Json) -> Result<Json> {
    rig.world.chain.borrow_mut().node(8453).allowances.insert((address(SRC), address(ROUTER)), U256::from(5));
    rig.submit_with(build, r#"{"existing":"keepBoth"}"#)
}

#[test]
fn a_safe_that_answers_without_a_signature_consents_on_chain() {
    for (size, consents) in [(100, true), (23, false), (0, false)] {
        let rig = rig(Some("supported"), u64::MAX);
        rig.world.service.borrow_mut().takes = Some(Box::new(|signature| signature == "0x"));
        let build = rig.built(SELL).unwrap();
        with_code(&rig, size);
        rig.world.signer.borrow_mut().next_signature(|_, _| r#""0x""#.into());
        let outcome = rig.submit(&build);
        assert_eq!(outcome.is_ok(), consents, "{size}: {outcome:?}");
        match consents {
            true => assert_eq!(calls(&asked(&rig)), [(DELTA.into(), "eb8fb268".into())]),
            false => assert_eq!(outcome.unwrap_err().code, ErrorCode::SignatureMismatch),
        }
    }
}

#[test]
fn calls_that_failed_are_sent_under_another_id() {
    let rig = rig(Some("supported"), 5);
    rig.world.service.borrow_mut().takes = Some(Box::new(|signature| signature == "0x"));
    let build = rig.built(SELL).unwrap();
    rig.world.signer.borrow_mut().calls_status = 400;
    let error = rig.submit(&build).unwrap_err();
    assert_eq!(error.code, ErrorCode::WalletFailed);
    rig.world.signer.borrow_mut().calls_status = 200;
    rig.submit(&build).unwrap();
    let batches = rig.world.signer.borrow().batches.clone();
    assert_eq!(batches.len(), 2);
    assert_ne!(batches[0].id, batches[1].id);
}

#[test]
fn a_wallet_that_forgot_its_calls_leaves_them_pending() {
    let rig = rig(Some("supported"), 5);
    rig.world.signer.borrow_mut().calls_status = 100;
    submit(&rig, &built(&rig, SELL).unwrap()).unwrap();
    rig.world.signer.borrow_mut().next("wallet_getCallsStatus", |_, _| Err(failure(5730, "unknown")));
    assert_eq!(text(&list(&rig, "trades.resume")[0], "status"), "PENDING");
    let mut other = rig.world.signer.borrow_mut();
    other.batches[0].status = 200;
    drop(other);
    assert_eq!(text(&list(&rig, "trades.resume")[0], "status"), "COMPLETED");
}

#[test]
fn calls_that_the_wallet_says_nothing_of_for_minutes_are_the_users_to_decide_about() {
    for forgets in ["unknown id", "status 100", "an error", "a hash"] {
        let rig = rig(Some("supported"), 5);
        let status = if forgets == "a hash" { 200 } else { 100 };
        rig.world.signer.borrow_mut().calls_status = status;
        rig.world.chain.borrow_mut().node(8453).pending_for = u32::MAX;
        submit(&rig, &built(&rig, SELL).unwrap()).unwrap();
        match forgets {
            "unknown id" => rig.world.signer.borrow_mut().batches[0].id = "forgotten".into(),
            "an error" => {
                (0..99).for_each(|_| rig.world.signer.borrow_mut().next_fails("wallet_getCallsStatus", -32603))
            }
            _ => {}
        }
        let trade = list(&rig, "trades.resume").remove(0);
        assert_eq!((text(&trade, "state"), at(&trade, "needs")), ("sent", &Json::Null), "{forgets}");
        let id = at(&trade, "id");
        assert_eq!(rig.call("trades.abandon", id, "{}").unwrap_err().code, ErrorCode::InvalidInput, "{forgets}");
        rig.world.pass(301_000);
        rig.mine_now(8453);
        let trade = list(&rig, "trades.resume").remove(0);
        assert_eq!((text(&trade, "state"), at(&trade, "needs").as_text()), ("sent", Some("decision")), "{forgets}");
        assert_eq!(at(&trade, "error"), &Json::Null, "{forgets}");
        let build = built(&rig, SELL).unwrap();
        let error = submit(&rig, &build).unwrap_err();
        assert_eq!(error.code, ErrorCode::AlreadySigned, "{forgets}: {error:?}");
        assert!(error.message.contains("trades.abandon") && error.message.contains("keepBoth"), "{error:?}");
        // The wallet may have sent them long ago.
        assert!(error.message.contains("is not known") && !error.message.contains("in no block yet"), "{error:?}");
        rig.call("trades.abandon", id, "{}").unwrap();
        // A call that still follows it changes nothing by seeing nothing.
        let sent = rig.client.shared.ledger.trades(|_| true)[0].named_sent();
        pollster::block_on(rig.client.shared.ledger.record_sent(&sent));
        let trade = list(&rig, "trades.list").remove(0);
        assert_eq!((text(&trade, "state"), text(&trade, "status")), ("ended", "ABANDONED"), "{forgets}");
        let asked = || [CALLS, SEND].map(|method| rig.world.wallet_was_asked(method).len()).iter().sum::<usize>();
        let before = asked();
        submit(&rig, &build).unwrap();
        assert_eq!(asked(), before + 1, "{forgets}");
    }
}

#[test]
fn a_sent_batch_that_is_passed_back_is_read_by_its_id() {
    let rig = rig(Some("supported"), 5);
    let mut sent = submit(&rig, &built(&rig, SELL).unwrap()).unwrap();
    set(&mut sent, "status", r#""COMPLETED""#);
    rig.world.signer.borrow_mut().batches[0].status = 500;
    assert_eq!(statuses(&rig, &sent), ["FAILED"]);
}

#[test]
fn what_a_contract_sent_is_never_lost_and_found_under_the_hash_its_wallet_names() {
    // A hash of the wallet's own: the node knows none like it.
    let own = hex_word(U256::from(77));
    for size in [0, 100] {
        let rig = rig(None, u64::MAX);
        with_code(&rig, size);
        let said = own.clone();
        rig.world.signer.borrow_mut().next(SEND, move |_, _| Ok(Json::String(said)));
        rig.world.chain.borrow_mut().node(8453).forgets = true;
        let sent = submit(&rig, &built(&rig, SELL).unwrap()).unwrap();
        assert_eq!(text(&sent, "hash"), own);
        if size == 0 {
            assert_eq!(statuses(&rig, &sent), ["PENDING", "DROPPED"]);
            continue;
        }
        // Hours later its owners agree.
        let page = next(&rig);
        for hours in [1, 5] {
            page.world.pass(hours * 3_600_000);
            assert_eq!(text(&list(&page, "trades.resume")[0], "status"), "PENDING");
        }
        let real =
            hex_word(page.world.chain.borrow_mut().node(8453).send(&json(&page.world.wallet_was_asked(SEND)[0]), None));
        let receipt = format!(r#"{{"transactionHash":"{real}","status":"0x1"}}"#);
        page.world.signer.borrow_mut().next("eth_getTransactionReceipt", move |_, _| Ok(json(&receipt)));
        let trade = &list(&page, "trades.resume")[0];
        assert_eq!((text(trade, "status"), text(trade, "transaction")), ("COMPLETED", &*real));
    }
}

#[test]
fn nodes_that_have_to_agree_follow_a_contracts_transaction_to_its_end() {
    let rig = rig(None, u64::MAX);
    with_code(&rig, 100);
    rig.world.signer.borrow_mut().next(SEND, |_, _| Ok(Json::String(hex_word(U256::from(77)))));
    let sent = submit(&rig, &built(&rig, SELL).unwrap()).unwrap();
    let mut page = next(&rig);
    page.with_references();
    page.world.chain.borrow_mut().node(8453).forgets = true;
    let asked = json(&page.world.wallet_was_asked(SEND)[0]);
    let real = hex_word(page.world.chain.borrow_mut().node(8453).send(&asked, None));
    let receipt = format!(r#"{{"transactionHash":"{real}","status":"0x1"}}"#);
    page.world.signer.borrow_mut().next("eth_getTransactionReceipt", move |_, _| Ok(json(&receipt)));
    assert_eq!(statuses(&page, &sent), ["COMPLETED"]);
}
