//! The gate: the application is asked about each prompt that signs or sends, after all checks and before any note, and
//! its answer opens nothing that has changed meanwhile.

use super::allowances;
use super::approve;
use super::cancel;
use super::fake_host::{DELTA, Moment, Place, Rig, SELL, World, at, failure, json, text, with};
use super::journal::{note, tab};
use super::market;
use super::otc;
use super::permit::{bank, quote_of};
use super::presign;
use super::unsaid;
use super::withdrawal;
use alloy_primitives::{B256, U256};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use verified_swap_trade::flows::PromptGate;
use verified_swap_trade::host::WalletFailure;
use verified_swap_trade::ledger::record::Entry;
use verified_swap_trade::ledger::step::Event;
use verified_swap_trade::wallet::confirm::{Payload, PromptContent, Purpose};
use verified_swap_trade::wallet::prompt::{PromptRequest, once};
use verify::internal::error::{Error, ErrorCode, Result};
use verify::internal::json::Json;

const ASKED: Moment = Moment::Answer("onPrompt");
const SIGN: &str = "eth_signTypedData_v4";
const SEND: &str = "eth_sendTransaction";

/// The application is asked from now on, and answers so.
fn answering(mut rig: Rig, answer: impl FnMut(&Json) -> std::result::Result<Json, WalletFailure> + 'static) -> Rig {
    let shared = Rc::get_mut(&mut rig.client.shared).unwrap();
    shared.settings.on_prompt = Some(Place::App);
    *rig.world.app.borrow_mut() = Box::new(answer);
    rig
}

pub fn saying(rig: Rig, answer: &'static str) -> Rig {
    answering(rig, move |_| Ok(json(answer)))
}

/// The prompts that the application was shown.
pub fn told(rig: &Rig) -> Vec<Json> {
    let questions = rig.world.questions.borrow();
    let told = questions.iter().filter(|(place, ..)| *place == Place::App);
    told.map(|(_, _, params)| at(&json(params), "0").clone()).collect()
}

fn opened(rig: &Rig) -> usize {
    [SIGN, SEND, "wallet_sendCalls"].iter().map(|method| rig.world.wallet_was_asked(method).len()).sum()
}

fn written(rig: &Rig) -> usize {
    rig.world.browser.written.borrow().iter().filter(|(key, ..)| key.starts_with("trade/")).count()
}

/// A call that opens a prompt.
type Opens = Box<dyn Fn(&Rig) -> Result<Json>>;
/// A prompt: its purpose, a rig in which it opens, and the call.
type Case = (&'static str, Rig, Opens);

/// One for each purpose.
fn cases() -> Vec<Case> {
    let submits = |rig: &Rig, build: Json, options: &'static str| -> Opens {
        assert_eq!(opened(rig), 0);
        Box::new(move |rig| rig.submit_with(&build, options))
    };
    let mut cases: Vec<Case> = vec![];
    let rig = tab();
    let build = rig.built(SELL).unwrap();
    let call = submits(&rig, build, "{}");
    cases.push(("order", rig, call));
    let rig = presign::rig();
    let build = rig.built(SELL).unwrap();
    let call = submits(&rig, build, presign::PRE_SIGN);
    cases.push(("presign", rig, call));
    let rig = market::allowed(100_000_000);
    let build = market::built(&rig, SELL).unwrap();
    let call = submits(&rig, build, "{}");
    cases.push(("market", rig, call));
    let desk = otc::desk();
    let build = desk.fill(&desk.order(&[]), "").unwrap();
    let call = submits(&desk.rig, build, "{}");
    cases.push(("fill", desk.rig, call));
    let rig = otc::made::allowed();
    let build = otc::made::offered(&rig, otc::OFFER);
    let call = submits(&rig, build, "{}");
    cases.push(("otc", rig, call));
    let desk = otc::cancel::maker();
    let build = otc::cancel::cancellation(&desk.rig, &desk.order(&[])).unwrap();
    let call = submits(&desk.rig, build, "{}");
    cases.push(("cancel", desk.rig, call));
    let (rig, build) = withdrawal::withdrawal();
    let contract = Box::new(|_: &Json| Ok(json(r#""0x""#)));
    rig.world.chain.borrow_mut().node(8453).contracts.insert(DELTA.parse().unwrap(), contract);
    for (purpose, (rig, build)) in [("revoke", allowances::revocation()), ("withdraw", (rig, build))] {
        let call = submits(&rig, build, "{}");
        cases.push((purpose, rig, call));
    }
    let (rig, approval) = approve::approved_so_far(0);
    cases.push(("approve", rig, Box::new(move |rig| rig.approve(&approval, "{}"))));
    let rig = cancel::rig();
    let order = cancel::order(&rig, cancel::FIRST);
    cases.push(("cancelOrders", rig, Box::new(move |rig| rig.call("cancel", &order, "{}"))));
    let bank = bank(super::permit::Token::default());
    let quote = quote_of(&bank, SELL);
    let sign = move |rig: &Rig| rig.call("signPermit", &quote, r#"{"kind":"eip2612"}"#);
    cases.push(("permit", bank.rig, Box::new(sign)));
    let mut all: Vec<_> = cases.iter().map(|(purpose, ..)| *purpose).collect();
    let mut known = Purpose::ALL.map(|(_, name)| name);
    all.sort_unstable();
    known.sort_unstable();
    assert_eq!(all, known);
    cases
}

#[test]
fn no_opens_nothing_and_notes_nothing_and_the_same_call_may_be_made_again() {
    for (purpose, rig, call) in cases() {
        rig.world.browser.has_storage.set(true);
        let rig = saying(rig, "false");
        let before = written(&rig);
        let error = call(&rig).unwrap_err();
        assert_eq!((error.code, error.signed_order.is_some()), (ErrorCode::UserRejected, false), "{purpose}");
        assert_eq!((opened(&rig), written(&rig), rig.postings.get()), (0, before, 0), "{purpose}");
        assert!(rig.client.shared.ledger.trades(|_| true).is_empty(), "{purpose}");
        let [prompt] = &told(&rig)[..] else { panic!("{purpose}: {:?}", told(&rig)) };
        assert_eq!(text(prompt, "purpose"), purpose);
        assert!(!text(prompt, "sentence").is_empty(), "{purpose}");
        let rig = saying(rig, "true");
        call(&rig).unwrap_or_else(|error| panic!("{purpose}: {error:?}"));
        assert_eq!(opened(&rig), 1, "{purpose}");
    }
}

#[test]
fn it_is_asked_after_the_checks_before_the_note_and_without_a_lock() {
    for (purpose, rig, call) in cases() {
        rig.world.browser.has_storage.set(true);
        let rig = saying(rig, "true");
        let before = written(&rig);
        let seen = Rc::new(Cell::new(0));
        let count = seen.clone();
        rig.world.at_each(move |world: &World, moment| {
            if moment == ASKED {
                assert_eq!(world.browser.taken(), Vec::<String>::new(), "{purpose}");
                let written = world.browser.written.borrow();
                assert_eq!(written.iter().filter(|(key, ..)| key.starts_with("trade/")).count(), before, "{purpose}");
                count.set(count.get() + 1);
            }
            // No trade's prompt opens without its lock.
            let is_trade = !["permit", "cancelOrders", "approve"].contains(&purpose);
            if is_trade && matches!(moment, Moment::Ask(Place::Wallet, SIGN | SEND)) {
                assert!(!world.browser.taken().is_empty(), "{purpose}");
            }
        });
        call(&rig).unwrap();
        assert_eq!((seen.get(), opened(&rig)), (1, 1), "{purpose}");
        // A prompt that would be refused is not shown.
        rig.world.at_each(|_, _| {});
    }
    let rig = saying(tab(), "true");
    let build = rig.built(SELL).unwrap();
    rig.world.chain.borrow_mut().node(8453).balance = U256::ZERO;
    rig.world.age_reads();
    assert!(rig.submit(&build).is_err());
    assert_eq!(told(&rig), []);
}

#[test]
fn the_calls_own_callback_counts_in_place_of_the_clients() {
    for (purpose, rig, call) in cases() {
        let rig = saying(rig, "true");
        rig.on_prompt.set(Some(Place::Call));
        call(&rig).unwrap_or_else(|error| panic!("{purpose}: {error:?}"));
        let questions = rig.world.questions.borrow();
        let asked: Vec<_> = questions.iter().filter(|(_, method, _)| *method == "onPrompt").map(|one| one.0).collect();
        assert_eq!(asked, [Place::Call], "{purpose}");
    }
    // Without one of the client, too.
    let rig = tab();
    let build = rig.built(SELL).unwrap();
    *rig.world.app.borrow_mut() = Box::new(|_| Ok(Json::Bool(false)));
    rig.on_prompt.set(Some(Place::Call));
    assert_eq!(rig.submit(&build).unwrap_err().code, ErrorCode::UserRejected);
    rig.world.assert_untouched();
}

#[test]
fn a_leave_is_for_one_prompt_and_for_what_was_agreed_to() {
    let rig = saying(tab(), "true");
    let build = rig.built(SELL).unwrap();
    let (report, typed) = (at(&build, "report").clone(), at(&build, "typedData").write());
    let (hash, owner) = (text(&build, "orderHash").parse().unwrap(), rig.owner());
    let other = B256::repeat_byte(7);
    let pass = |key, purpose| {
        let gate = PromptGate::new(None);
        let content =
            PromptContent { key, purpose, report: &report, payload: Payload::Signed(owner, &typed), detail: None };
        let go = async || gate.pass(&rig.client, &content, &rig.signal).await;
        pollster::block_on(go())?;
        pollster::block_on(go())
    };
    // The digest is not that of what would be shown.
    assert_eq!(pass(other, Purpose::Order).unwrap_err().code, ErrorCode::Internal);
    assert_eq!(told(&rig), []);
    let consent = |purpose| pass(hash, purpose).unwrap().unwrap();
    let note = |key| {
        let event = Event::AskTransaction(Entry { key, ..Entry::default() });
        pollster::block_on(rig.client.shared.ledger.ask(key, event, false, &rig.signal)).unwrap().unwrap()
    };
    assert_eq!(consent(Purpose::Order).for_trade(&note(other)).unwrap_err().code, ErrorCode::Internal);
    let leave = || consent(Purpose::Permit).without_trade().unwrap();
    let opens = |key| {
        let question = PromptRequest { key, method: SIGN, params: "[]", batch: None };
        pollster::block_on(once(&rig.client, &question, Some(leave()), &rig.signal, &|| panic!("it opened")))
            .map(|_| ())
    };
    assert_eq!(opens(other).unwrap_err().code, ErrorCode::Internal);
    assert!(consent(Purpose::Order).for_trade(&note(hash)).unwrap().is_for(hash));
    for (purpose, name) in Purpose::ALL {
        assert_eq!(consent(purpose).without_trade().is_ok(), ["permit", "cancelOrders"].contains(&name), "{name}");
    }
}

#[test]
fn the_prompt_has_what_the_report_found_and_what_the_wallet_shows() {
    let rig = saying(Rig::default(), "true");
    let build = rig.built(SELL).unwrap();
    rig.submit(&build).unwrap();
    let prompt = &told(&rig)[0];
    for name in ["sentence", "hardware"] {
        assert_eq!(at(prompt, name), at(&build, &format!("report.{name}")));
    }
    assert_eq!(text(prompt, "digests.eip712"), text(&build, "orderHash"));
    assert_eq!(text(prompt, "digests.structHash"), text(&build, "report.structHash"));
    let Json::Array(checks) = at(&build, "report.checks") else { panic!() };
    let found: Vec<Json> = checks.iter().filter(|check| text(check, "verdict") != "ok").cloned().collect();
    assert_eq!(at(prompt, "findings"), &Json::Array(found.clone()));
    let has = |verdict: &str| found.iter().any(|check| text(check, "verdict") == verdict);
    let gravest = ["unknown", "opaque", "unusual"].into_iter().find(|verdict| has(verdict)).unwrap_or("ok");
    assert_eq!(text(prompt, "verdict"), gravest);

    // An approval of more than is needed is unusual, and says so.
    let (rig, approval) = approve::approved_so_far(0);
    let rig = saying(rig, "true");
    rig.approve(&approval, r#"{"amount":"unlimited"}"#).unwrap();
    let prompt = &told(&rig)[0];
    assert_eq!((text(prompt, "verdict"), text(prompt, "findings.0.field")), ("unusual", "approval.amount"));
    assert_eq!(at(prompt, "hardware"), &Json::Null);
    let sent = json(&rig.world.wallet_was_asked(SEND)[0]);
    for name in ["to", "from", "data"] {
        assert_eq!(text(prompt, &format!("parts.0.{name}")), text(&sent, &format!("0.{name}")));
    }
}

#[test]
fn the_prompt_says_in_figures_what_it_is_for() {
    for (purpose, rig, call) in cases() {
        let rig = saying(rig, "true");
        call(&rig).unwrap_or_else(|error| panic!("{purpose}: {error:?}"));
        let prompt = &told(&rig)[0];
        let says: Vec<_> =
            ["orderHash", "permit", "orderIds"].into_iter().filter(|name| prompt.get(name).is_some()).collect();
        let expected: &[&str] = match purpose {
            "order" | "otc" | "presign" => &["orderHash"],
            "permit" => &["permit"],
            "cancelOrders" => &["orderIds"],
            _ => &[],
        };
        assert_eq!(says, expected, "{purpose}");
        assert_eq!(at(prompt, "isRepeated"), &Json::Bool(false));
        let part = |name: &str| at(prompt, &format!("parts.0.{name}")).write();
        // Each is what stands in the payload.
        match purpose {
            "order" | "otc" => assert_eq!(text(prompt, "orderHash"), text(prompt, "digests.eip712")),
            "presign" => assert!(text(prompt, "parts.0.data").contains(&text(prompt, "orderHash")[2..])),
            "permit" => {
                let (domain, message) = ("typedData.domain", "typedData.message");
                let said = |name: &str| at(prompt, &format!("permit.{name}")).write();
                assert_eq!(said("chainId"), part(&format!("{domain}.chainId")));
                assert_eq!(said("token"), part(&format!("{domain}.verifyingContract")));
                assert_eq!(said("spender"), part(&format!("{message}.spender")));
                assert_eq!(said("amount"), part(&format!("{message}.value")));
                assert_eq!(said("deadline"), part(&format!("{message}.deadline")).trim_matches('"'));
            }
            "cancelOrders" => assert_eq!(at(prompt, "orderIds").write(), part("typedData.message.orderIds")),
            _ => {}
        }
        assert_eq!(at(prompt, "parts.0").get("approval").is_some(), purpose == "approve", "{purpose}");
        if purpose == "approve" {
            assert_eq!(part("approval.token"), part("to"));
            let [_, spender, amount] = ["approval.token", "approval.spender", "approval.amount"]
                .map(|name| text(prompt, &format!("parts.0.{name}")).to_owned());
            let word = format!("{:064x}", amount.parse::<U256>().unwrap());
            let data = text(prompt, "parts.0.data");
            assert_eq!(data, format!("0x095ea7b3{:0>64}{word}", spender[2..].to_lowercase()), "{purpose}");
        }
    }
}

#[test]
fn calls_that_go_together_are_each_told() {
    let rig = market::allowed(0);
    rig.world.signer.borrow_mut().atomic = Some("supported");
    let rig = saying(rig, "true");
    let build = market::built(&rig, SELL).unwrap();
    rig.submit(&build).unwrap();
    let [prompt] = &told(&rig)[..] else { panic!() };
    let calls = json(&rig.world.wallet_was_asked("wallet_sendCalls")[0]);
    for (index, said) in ["Approve 100000000 raw units", text(&build, "report.sentence")].iter().enumerate() {
        assert!(text(prompt, &format!("parts.{index}.sentence")).starts_with(said));
        assert_eq!(text(prompt, &format!("parts.{index}.data")), text(&calls, &format!("0.calls.{index}.data")));
    }
    assert_eq!(text(prompt, "parts.0.approval.amount"), "100000000");
    assert!(at(prompt, "parts.1").get("approval").is_none());
}

/// Builds whose price was not judged, with the purpose of their prompt.
fn unjudged() -> Vec<(&'static str, Rig, Json)> {
    let mut found = vec![];
    let rig = Rig::without_references();
    let build = rig.built(SELL).unwrap();
    found.push(("order", rig, build));
    let rig = Rig::without_references();
    market::prepare(&rig, 8453, super::fake_host::SRC, u64::MAX);
    let build = market::built(&rig, SELL).unwrap();
    found.push(("market", rig, build));
    let desk = otc::desk_in(Rig::without_references());
    let build = desk.fill(&desk.order(&[]), "").unwrap();
    found.push(("fill", desk.rig, build));
    found
}

fn ids(prompt: &Json) -> Vec<Json> {
    let Json::Array(questions) = at(prompt, "questions") else { panic!() };
    questions.iter().map(|question| at(question, "id").clone()).collect()
}

fn accepting(ids: Vec<Json>) -> Json {
    json(&format!(r#"{{"accept":{}}}"#, Json::Array(ids).write()))
}

#[test]
fn a_question_is_answered_by_its_id_and_not_by_yes() {
    for wrong in ["true", r#"{"accept":[]}"#, r#"{"accept":["noReference-0000000000000000"]}"#] {
        for (purpose, rig, build) in unjudged() {
            let rig = saying(rig, wrong);
            let error = rig.submit(&build).unwrap_err();
            assert_eq!(error.code, ErrorCode::PriceUnjudged, "{purpose} {wrong}");
            assert_eq!(ids(&told(&rig)[0]).len(), 1, "{purpose} {wrong}");
            let asked = json(error.questions.as_ref().unwrap());
            assert_eq!(at(&asked, "0.id"), at(&told(&rig)[0], "questions.0.id"));
            rig.world.assert_untouched();
        }
    }
    for (purpose, rig, build) in unjudged() {
        let rig = answering(rig, |prompt| Ok(accepting(ids(prompt))));
        rig.submit(&build).unwrap_or_else(|error| panic!("{purpose}: {error:?}"));
        assert_eq!((told(&rig).len(), opened(&rig)), (1, 1), "{purpose}");
    }
    // Questions that the call's option answers are not asked.
    for (purpose, rig, build) in unjudged() {
        let rig = saying(rig, "true");
        let options = accepting(vec![at(&build, "report.questions.0.id").clone()]).write();
        rig.submit_with(&build, &options).unwrap();
        assert_eq!(ids(&told(&rig)[0]), [], "{purpose}");
    }
}

#[test]
fn what_may_have_been_sent_is_asked_once_at_the_prompt() {
    for (yes, asked, sends) in [(true, 1, 2), (false, 1, 1)] {
        let (rig, build) = unsaid::market();
        unsaid::say(&rig, failure(-32603, "Internal JSON-RPC error."));
        rig.submit(&build).unwrap_err();
        unsaid::later(&rig, 60);
        let rig = answering(rig, move |prompt| Ok(if yes { accepting(ids(prompt)) } else { Json::Bool(true) }));
        let outcome = rig.submit(&build);
        assert_eq!((told(&rig).len(), opened(&rig)), (asked, sends), "{yes} {outcome:?}");
        assert_eq!(text(&told(&rig)[0], "questions.0.reason"), "mayHaveBeenSent");
        assert_eq!(outcome.err().map(|error| error.code), (!yes).then_some(ErrorCode::AlreadySigned));
    }
}

#[test]
fn what_was_sent_is_told_only_to_whoever_answered_its_questions() {
    let desk = otc::desk_in(Rig::without_references());
    let build = desk.fill(&desk.order(&[]), "").unwrap();
    let rig = saying(desk.rig, "true");
    let answer = accepting(vec![at(&build, "report.questions.0.id").clone()]).write();
    let sent = rig.submit_with(&build, &answer).unwrap();
    assert_eq!(rig.submit(&build).unwrap_err().code, ErrorCode::PriceUnjudged);
    assert_eq!(rig.submit_with(&build, &answer).unwrap(), sent);
    assert_eq!((told(&rig).len(), opened(&rig)), (1, 1));
}

#[test]
fn a_noted_order_has_the_judgement_of_this_page() {
    let asker = saying(Rig::without_references(), "true");
    let rig = Rig::in_world(asker.world.clone(), |shared, _| shared.settings.secret = [0xAB; 32]);
    let build = rig.built(SELL).unwrap();
    let verdict = |checks: &Json| {
        let Json::Array(checks) = checks else { panic!() };
        let price = checks.iter().find(|check| text(check, "field") == "quote.price");
        price.map(|check| text(check, "verdict").to_owned())
    };
    assert_eq!(verdict(at(&build, "report.checks")).as_deref(), Some("ok"));
    note(&rig, &build);
    let least = text(&build, "minReceived");
    let request = with(SELL, &format!(r#""minReceived":"{least}","account":"{}""#, rig.owner()));
    asker.submit_with(&build, &format!(r#"{{"request":{request}}}"#)).unwrap();
    assert_eq!(verdict(at(&told(&asker)[0], "findings")).as_deref(), Some("unknown"));
}

#[test]
fn a_signature_made_elsewhere_has_no_prompt_that_could_ask() {
    let rig = answering(Rig::without_references(), |prompt| Ok(accepting(ids(prompt))));
    let build = rig.built(SELL).unwrap();
    let signature = rig.world.signer.borrow().sign(text(&build, "orderHash").parse().unwrap());
    let options = format!(r#"{{"signature":"{}"}}"#, alloy_primitives::hex::encode_prefixed(signature));
    assert_eq!(rig.submit_with(&build, &options).unwrap_err().code, ErrorCode::PriceUnjudged);
    rig.world.assert_untouched();
}

#[test]
fn what_is_no_answer_opens_nothing() {
    for wrong in ["null", "1", r#""yes""#, "[]", "{}", r#"{"accept":"all"}"#, r#"{"accept":[1]}"#] {
        let rig = saying(tab(), wrong);
        let build = rig.built(SELL).unwrap();
        let error = rig.submit(&build).unwrap_err();
        assert_eq!(error.code, ErrorCode::InvalidInput, "{wrong}");
        assert!(error.field.as_ref().unwrap().starts_with("onPrompt"), "{wrong}");
        rig.world.assert_untouched();
    }
    let thrown = || WalletFailure { code: None, cause: Some(Rc::new("thrown")), ..failure(0, "it threw") };
    let no_data = || WalletFailure { code: None, cause: None, ..failure(0, "it is a promise") };
    for (failure, code) in [(thrown(), ErrorCode::Internal), (no_data(), ErrorCode::InvalidInput)] {
        let rig = answering(tab(), move |_| Err(failure.clone()));
        let build = rig.built(SELL).unwrap();
        assert_eq!(rig.submit(&build).unwrap_err().code, code);
        rig.world.assert_untouched();
    }
    // The caller gave up while the user was thinking.
    let rig = saying(tab(), "true");
    let build = rig.built(SELL).unwrap();
    let stop = rig.signal.clone();
    rig.world.once(ASKED, move |_| stop.0.set(true));
    assert_eq!(rig.submit(&build).unwrap_err().code, ErrorCode::Aborted);
    rig.world.assert_untouched();
}

/// Calls with an edit while the application is asked; returns the error, and how often it was asked.
fn edited(make: impl Fn() -> (Rig, Json), options: &str, edit: impl FnOnce(&World) + 'static) -> (Error, usize) {
    let (rig, build) = make();
    let rig = saying(rig, "true");
    rig.world.once(ASKED, edit);
    let error = rig.submit_with(&build, options).unwrap_err();
    rig.world.assert_untouched();
    (error, told(&rig).len())
}

#[test]
fn what_changed_while_the_user_was_thinking_is_refused() {
    let order = || {
        let rig = tab();
        let build = rig.built(SELL).unwrap();
        (rig, build)
    };
    let swap = || {
        let rig = market::allowed(100_000_000);
        let build = market::built(&rig, SELL).unwrap();
        (rig, build)
    };
    let on_chain = || {
        let rig = presign::rig();
        let build = rig.built(SELL).unwrap();
        (rig, build)
    };
    for (make, options) in [(&order as &dyn Fn() -> (Rig, Json), "{}"), (&swap, "{}"), (&on_chain, presign::PRE_SIGN)] {
        let edited = |edit: fn(&World)| edited(make, options, edit);
        let (error, _) = edited(|world| world.signer.borrow_mut().accounts = vec![[9; 20].into()]);
        assert_eq!(error.code, ErrorCode::WrongAccount);
        let (error, _) = edited(|world| world.signer.borrow_mut().chain_id = 10);
        assert_eq!(error.code, ErrorCode::WrongChain);
        let (error, asked) = edited(|world| world.pass(1_300_000));
        assert_eq!((error.code, asked), (ErrorCode::QuoteExpired, 1));
    }
    // A permit that would not be good any more.
    let bank = bank(super::permit::Token::default());
    let quote = quote_of(&bank, SELL);
    let rig = saying(bank.rig, "true");
    rig.world.once(ASKED, |world| world.pass(1_900_000));
    assert_eq!(rig.call("signPermit", &quote, r#"{"kind":"eip2612"}"#).unwrap_err().code, ErrorCode::QuoteExpired);
    rig.world.assert_untouched();
    let (error, _) = edited(order, "{}", |world| {
        world.chain.borrow_mut().node(8453).balance = U256::ZERO;
        world.age_reads();
    });
    assert_eq!(error.code, ErrorCode::InsufficientBalance);
}

#[test]
fn what_another_tab_did_while_the_user_was_thinking_is_seen() {
    // It had another order for the same trade signed: no lock kept it from that.
    for (rig, options) in [(tab(), "{}"), (presign::rig(), presign::PRE_SIGN)] {
        rig.world.browser.has_storage.set(true);
        let rig = saying(rig, "true");
        let build = rig.built(SELL).unwrap();
        let other = Rig::in_world(rig.world.another_tab(), |_, _| {});
        rig.world.once(ASKED, move |_| {
            let build = other.build(&other.quote(SELL).unwrap(), r#"{"slippageBps":60}"#).unwrap();
            other.submit(&build).unwrap();
        });
        assert_eq!(rig.submit_with(&build, options).unwrap_err().code, ErrorCode::AlreadySigned, "{options}");
        rig.world.assert_untouched();
    }

    // It had this very order signed: no second prompt.
    let rig = saying(tab(), "true");
    let build = rig.built(SELL).unwrap();
    let secret = rig.client.shared.settings.secret;
    let other = Rig::in_world(rig.world.clone(), |shared, _| shared.settings.secret = secret);
    let same = build.clone();
    rig.world.once(ASKED, move |_| _ = other.submit(&same).unwrap());
    let order = rig.submit(&build).unwrap();
    assert_eq!((text(&order, "orderHash"), opened(&rig)), (text(&build, "orderHash"), 1));

    // The same page sent the very same transaction.
    let rig = market::allowed(100_000_000);
    rig.world.browser.has_storage.set(true);
    let build = market::built(&rig, SELL).unwrap();
    let secret = rig.client.shared.settings.secret;
    let rig = saying(rig, "true");
    let other = Rig::in_world(rig.world.another_tab(), |shared, _| shared.settings.secret = secret);
    market::prepare(&other, 8453, super::fake_host::SRC, 100_000_000);
    let (same, hash) = (build.clone(), Rc::new(RefCell::new(String::new())));
    let sent = hash.clone();
    rig.world.once(ASKED, move |_| {
        let found = other.submit(&same).unwrap();
        *sent.borrow_mut() = text(&found, "hash").into();
    });
    let found = rig.submit(&build).unwrap();
    assert_eq!((text(&found, "hash"), opened(&rig)), (hash.borrow().as_str(), 0));
}

#[test]
fn a_late_prompt_is_asked_about_once_more_and_then_opens() {
    for (slow_ms, asked) in [(0, 1), (900, 1), (1_100, 2)] {
        let rig = saying(tab(), "true");
        let build = rig.built(SELL).unwrap();
        let is_answered = Cell::new(false);
        rig.world.at_each(move |world, moment| match moment {
            ASKED => is_answered.set(true),
            // A wallet that is far away.
            Moment::Ask(Place::Wallet, "eth_accounts") if is_answered.replace(false) => world.pass(slow_ms),
            _ => {}
        });
        rig.submit(&build).unwrap();
        assert_eq!((told(&rig).len(), opened(&rig)), (asked, 1), "{slow_ms}");
        let is_repeated: Vec<_> = told(&rig).iter().map(|prompt| at(prompt, "isRepeated").write()).collect();
        assert_eq!(is_repeated, ["false", "true"][..asked]);
    }
}

#[test]
fn without_a_callback_nobody_is_asked_and_the_same_requests_are_made() {
    for (purpose, rig, call) in cases() {
        call(&rig).unwrap_or_else(|error| panic!("{purpose}: {error:?}"));
        assert_eq!((told(&rig).len(), opened(&rig)), (0, 1), "{purpose}");
    }
    let silent = tab();
    let asked = saying(tab(), "true");
    let requests = |rig: &Rig| {
        let build = rig.built(SELL).unwrap();
        rig.submit(&build).unwrap();
        let requests = rig.world.requests.borrow();
        requests.iter().map(|request| (request.url.clone(), request.body.is_some())).collect::<Vec<_>>()
    };
    assert_eq!(requests(&silent), requests(&asked));
}

#[test]
fn a_refused_permit_is_free_again() {
    let bank = bank(super::permit::Token::default());
    let quote = quote_of(&bank, SELL);
    let permit = bank.sign(&quote, r#"{"kind":"eip2612"}"#).unwrap();
    let rig = saying(bank.rig, "false");
    let build = |rig: &Rig, bps: u32| {
        rig.build(&quote, &with(&format!(r#"{{"slippageBps":{bps}}}"#), &format!(r#""permit":{}"#, permit.write())))
    };
    let first = build(&rig, 50).unwrap();
    assert_eq!(rig.submit(&first).unwrap_err().code, ErrorCode::UserRejected);
    let rig = saying(rig, "true");
    let second = build(&rig, 60).unwrap();
    rig.submit(&second).unwrap();
}
