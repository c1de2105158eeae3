//! Users without luck, and scripts that write to the storage: two clicks at once, clocks that are set back, a storage that
//! does not answer, entries that were edited. Nothing is lost or made twice, and nobody is accused of what he did not do.

use super::fake_host::{DELTA, Moment, Place, Rig, SELL, SRC, World, at, json, native_sale, set, text, with};
use super::market;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::rc::Rc;
use verified_swap_trade::client::rate_limit::RateLimit;
use verified_swap_trade::client::{Client, WalletBinding};
use verified_swap_trade::host::Host;
use verified_swap_trade::ledger::JOURNAL;
use verified_swap_trade::ledger::record::{Entry, Stage};
use verified_swap_trade::ledger::step::Event;
use verify::internal::domain::transaction::Sent;
use verify::internal::error::{Error, ErrorCode, Result};
use verify::internal::json::Json;

const SIGN: &str = "eth_signTypedData_v4";
const SEND: &str = "eth_sendTransaction";
const DAY_MS: u64 = 86_400_000;

fn tab() -> Rig {
    let world = World::new();
    world.browser.has_storage.set(true);
    let rig = Rig::in_world(world, |_, _| {});
    market::prepare(&rig, 8453, SRC, u64::MAX);
    rig
}

/// The same browser after a reload, or in another tab.
fn next(rig: &Rig) -> Rig {
    Rig::in_world(rig.world.clone(), |_, _| {})
}

fn list(rig: &Rig, call: &str) -> Vec<Json> {
    let Json::Array(all) = rig.call(call, &json("{}"), "{}").unwrap() else { panic!() };
    all
}

fn built(rig: &Rig, is_market: bool) -> Json {
    if is_market { market::built(rig, SELL) } else { rig.built(SELL) }.unwrap()
}

fn method(is_market: bool) -> &'static str {
    if is_market { SEND } else { SIGN }
}

fn code(outcome: Result<Json>) -> ErrorCode {
    outcome.unwrap_err().code
}

/// The network is gone: neither posts nor looks arrive.
fn lose_posts(rig: &Rig) {
    for _ in 0..5 {
        rig.world.service.borrow_mut().next_is_lost("post");
    }
}

/// Submits, and gives up while the wallet's prompt is open.
fn leave_prompt(rig: &Rig, build: &Json) {
    rig.world.wallet_waits.set(true);
    let signal = rig.signal.0.clone();
    rig.world.once(Moment::Answer(method(text(build, "kind") == "market")), move |_| signal.set(true));
    assert_eq!(code(rig.submit(build)), ErrorCode::Aborted);
    rig.signal.0.set(false);
}

/// A script of the origin changes the only entry of the journal, and makes it the latest.
fn edit(rig: &Rig, change: impl FnOnce(&mut Json)) {
    let mut stored = rig.world.browser.stored.borrow_mut();
    let (_, entry) = stored.iter_mut().find(|(key, _)| key.starts_with("trade/")).unwrap();
    let mut edited = json(entry);
    let changed_at = text(&edited, "changedAt").parse::<u64>().unwrap() + 1;
    set(&mut edited, "changedAt", &changed_at.to_string());
    change(&mut edited);
    *entry = edited.write();
}

#[test]
fn two_builds_of_one_trade_submitted_at_once_open_one_prompt() {
    for is_market in [false, true] {
        let rig = Rc::new(tab());
        let first = built(&rig, is_market);
        rig.world.pass(5_000);
        let second = built(&rig, is_market);
        assert_ne!(text(&first, "sealed"), text(&second, "sealed"));
        let refused = Rc::new(RefCell::new(None::<Error>));
        let (page, outcome) = (rig.clone(), refused.clone());
        rig.world.once(Moment::Answer(method(is_market)), move |_| *outcome.borrow_mut() = page.submit(&second).err());
        rig.submit(&first).unwrap();
        let error = refused.borrow().clone().expect("refused");
        assert_eq!((error.code, error.actual.as_deref()), (ErrorCode::AlreadySigned, Some("under way")));
        let hash = error.order_hash.map(|hash| hash.to_string());
        assert_eq!(hash.as_deref(), (!is_market).then(|| text(&first, "orderHash")));
        assert_eq!(rig.world.wallet_was_asked(method(is_market)).len(), 1);
    }
}

#[test]
fn consent_to_another_holds_while_the_first_is_under_way_here_and_in_another_tab() {
    for is_same_tab in [true, false] {
        let rig = Rc::new(tab());
        let first = built(&rig, true);
        let page = if is_same_tab { rig.clone() } else { Rc::new(next(&rig)) };
        rig.world.pass(5_000);
        let second = built(&page, true);
        let world = rig.world.clone();
        world.once(Moment::Answer(SEND), move |_| {
            page.submit_with(&second, r#"{"existing":"keepBoth"}"#).unwrap();
        });
        rig.submit(&first).unwrap();
        assert_eq!(rig.world.wallet_was_asked(SEND).len(), 2);
    }
}

#[test]
fn what_was_refused_in_one_tab_is_not_in_the_way_in_another() {
    for is_market in [false, true] {
        let first = tab();
        let second = Rc::new(next(&first));
        let build = built(&first, is_market);
        first.world.signer.borrow_mut().next_fails(method(is_market), 4001);
        let (page, world) = (second.clone(), first.world.clone());
        world.once(Moment::Answer(method(is_market)), move |_| {
            assert_eq!(text(&list(&page, "trades.list")[0], "state"), "asking");
        });
        assert_eq!(code(first.submit(&build)), ErrorCode::UserRejected);
        assert!(list(&second, "trades.list").is_empty());
        second.submit(&built(&second, is_market)).unwrap();
    }
}

#[test]
fn a_clock_that_is_set_back_hides_no_step_from_another_tab() {
    let first = tab();
    let second = Rc::new(next(&first));
    let build = built(&first, false);
    let (page, world) = (second.clone(), first.world.clone());
    world.once(Moment::Answer(SIGN), move |world| {
        assert_eq!(text(&list(&page, "trades.list")[0], "state"), "asking");
        world.unix_ms.set(world.unix_ms.get() - DAY_MS);
    });
    lose_posts(&first);
    assert_eq!(code(first.submit(&build)), ErrorCode::Network);
    assert_eq!(text(&list(&second, "trades.list")[0], "state"), "posting");
}

#[test]
fn a_storage_that_was_slow_is_read_again() {
    let first = tab();
    let second = next(&first);
    list(&second, "trades.list");
    first.submit(&built(&first, false)).unwrap();
    first.world.browser.has_storage.set(false);
    assert!(list(&second, "trades.list").is_empty());
    first.world.browser.has_storage.set(true);
    assert_eq!(list(&second, "trades.list").len(), 1);
}

#[test]
fn what_is_no_signature_in_the_journal_is_asked_of_the_wallet() {
    let rig = tab();
    let build = built(&rig, false);
    lose_posts(&rig);
    rig.submit(&build).unwrap_err();
    edit(&rig, |entry| {
        let mut payload = json(text(entry, "payload"));
        set(&mut payload, "signature", &format!(r#""0x{}""#, "11".repeat(65)));
        set(entry, "payload", &Json::String(payload.write()).write());
    });
    let page = next(&rig);
    let request = with(SELL, r#""minReceived":"39000000000000000""#);
    page.submit_with(&build, &format!(r#"{{"request":{request}}}"#)).unwrap();
    let asked = page.world.wallet_was_asked(SIGN);
    assert_eq!((asked.len(), &asked[0]), (2, &asked[1]), "the very same order");
}

#[test]
fn no_entry_opens_a_prompt_by_resume() {
    let rig = tab();
    let build = built(&rig, false);
    leave_prompt(&rig, &build);
    // The user refuses; a script writes the entry again as signed, with the build of this very client.
    rig.world.wallet_waits.set(false);
    let stored = rig.world.browser.stored.borrow().clone();
    rig.world.signer.borrow_mut().next_fails(SIGN, 4001);
    rig.client.shared.ledger.prompts.borrow_mut().clear();
    assert_eq!(code(rig.submit(&build)), ErrorCode::UserRejected);
    *rig.world.browser.stored.borrow_mut() = stored;
    let now = rig.world.unix_ms.get();
    edit(&rig, |entry| {
        set(entry, "state", r#""signed""#);
        set(entry, "signedAt", &now.to_string());
    });
    rig.client.shared.ledger.is_journal_read.set(false);
    let prompts = rig.world.prompts();
    list(&rig, "trades.resume");
    assert_eq!(rig.world.prompts(), prompts);
}

#[test]
fn resume_in_the_same_page_opens_no_prompt_for_a_deposit() {
    let rig = tab();
    awaits_deposit(&rig);
    lose_posts(&rig);
    assert_eq!(code(rig.submit(&rig.built(&native_sale()).unwrap())), ErrorCode::Network);
    let all = list(&rig, "trades.resume");
    assert_eq!(text(&all[0], "status"), "AWAITING_SIGNATURE", "{all:?}");
    assert!(rig.world.wallet_was_asked(SEND).is_empty());
}

#[test]
fn what_is_signed_after_it_was_abandoned_is_kept_as_signed() {
    let rig = tab();
    let build = built(&rig, false);
    leave_prompt(&rig, &build);
    rig.call("trades.abandon", at(&list(&rig, "trades.list")[0], "id"), "{}").unwrap();
    rig.world.wallet_waits.set(false);
    lose_posts(&rig);
    assert_eq!(code(rig.submit(&build)), ErrorCode::Network);
    let all = list(&next(&rig), "trades.resume");
    assert_eq!(text(&all[0], "state"), "posted", "{all:?}");
}

#[test]
fn an_order_that_can_still_be_filled_outlives_the_thirty_days() {
    let rig = tab();
    let limit = |deadline: &str| format!(r#"{{"limitAmount":"41000000000000000","deadline":{deadline}}}"#);
    rig.submit(&rig.built_as(SELL, &limit("1807776000")).unwrap()).unwrap();
    rig.world.service.borrow_mut().statuses = ["FAILED"].into();
    list(&next(&rig), "trades.resume");
    rig.world.pass(31 * DAY_MS);
    rig.world.chain.borrow_mut().node(8453).time += 31 * DAY_MS / 1_000;
    let page = next(&rig);
    assert_eq!(text(&list(&page, "trades.list")[0], "status"), "FAILED");
    let build = page.built_as(SELL, &limit("1807776001")).unwrap();
    assert_eq!(code(page.submit(&build)), ErrorCode::AlreadySigned);
}

#[test]
fn a_clock_that_is_ahead_for_one_page_drops_no_order_that_can_still_be_filled() {
    let rig = tab();
    let build = built(&rig, false);
    lose_posts(&rig);
    rig.submit(&build).unwrap_err();
    rig.call("trades.abandon", at(&list(&rig, "trades.list")[0], "id"), "{}").unwrap();
    let now = rig.world.unix_ms.get();
    rig.world.unix_ms.set(now + 40 * DAY_MS);
    list(&next(&rig), "trades.resume");
    rig.world.unix_ms.set(now + 1_000);
    let page = next(&rig);
    assert_eq!(list(&page, "trades.list").len(), 1);
    assert_eq!(code(page.submit(&built(&page, false))), ErrorCode::AlreadySigned);
}

#[test]
fn a_clock_that_is_a_day_ahead_signs_nothing_twice() {
    let rig = tab();
    rig.submit(&built(&rig, false)).unwrap();
    rig.world.service.borrow_mut().statuses = ["FAILED"].into();
    list(&next(&rig), "trades.resume");
    // By the chain's clock it can still be filled.
    rig.world.unix_ms.set(rig.world.unix_ms.get() + DAY_MS);
    rig.world.chain.borrow_mut().node(8453).time += 10;
    let page = next(&rig);
    let build = built(&page, false);
    assert_eq!(code(page.submit(&build)), ErrorCode::AlreadySigned);
}

#[test]
fn the_same_trade_is_sent_again_after_a_reload_only_if_the_user_agrees() {
    let rig = tab();
    let build = built(&rig, true);
    leave_prompt(&rig, &build);
    let page = next(&rig);
    // Another page built it, and it may have been sent.
    assert_eq!(code(page.submit(&build)), ErrorCode::AlreadySigned);
    let build = built(&page, true);
    let again = |options: &str| page.submit_with(&build, options);
    // The node keeps no blocks, so what became of it is not known.
    assert_eq!(code(again("{}")), ErrorCode::AlreadySigned);
    // A check that fails is no answer of the wallet.
    page.world.chain.borrow_mut().node(8453).balance = alloy_primitives::U256::ZERO;
    again("{}").unwrap_err();
    assert_eq!(text(&list(&page, "trades.list")[0], "state"), "asking");
    page.world.chain.borrow_mut().node(8453).balance = alloy_primitives::U256::MAX;
    assert_eq!(code(again("{}")), ErrorCode::AlreadySigned);
    assert_eq!(page.world.wallet_was_asked(SEND).len(), 1);
    again(r#"{"existing":"keepBoth"}"#).unwrap();
    assert_eq!(page.world.wallet_was_asked(SEND).len(), 2);
}

#[test]
fn a_transaction_that_another_entry_has_is_not_adopted() {
    let rig = tab();
    rig.world.chain.borrow_mut().node(8453).keeps_blocks = true;
    let build = built(&rig, true);
    rig.submit(&build).unwrap();
    // The same once more, asked for before the first was mined; the page never hears that the wallet did not send it.
    let first = rig.world.browser.stored.borrow().clone();
    let (_, first) = first.iter().find(|(key, _)| key.starts_with("trade/")).unwrap();
    let first = Entry::read(first).unwrap();
    let key = alloy_primitives::B256::repeat_byte(1);
    let second = Entry { key, stage: Stage::Asking, transaction: None, status: None, ..first };
    let (name, mut second) = (format!("trade/{key}"), second);
    second.payload = Some(at(&build, "transaction").write());
    rig.world.browser.stored.borrow_mut().insert(name, second.write());
    let all = list(&next(&rig), "trades.resume");
    assert_eq!(text(&all[0], "status"), "UNCERTAIN", "{all:?}");
}

#[test]
fn a_clock_that_is_set_back_locks_nobody_out() {
    for has_storage in [true, false] {
        let world = World::new();
        world.browser.has_storage.set(has_storage);
        let limit = RateLimit { per_second: 1, burst: 3, per_day: 3_000 };
        let rig = Rig::in_world(world, |shared, _| shared.settings.rate_limit = limit);
        rig.quote(SELL).unwrap();
        rig.world.unix_ms.set(rig.world.unix_ms.get() - DAY_MS);
        rig.quote(SELL).unwrap();
    }
}

#[test]
fn a_trade_that_was_forgotten_leaves_no_nonce_that_is_used() {
    let rig = tab();
    let build = built(&rig, false);
    rig.submit(&build).unwrap();
    rig.fill(&build);
    let id = at(&list(&rig, "trades.list")[0], "id").clone();
    rig.call("trades.forget", &Json::Array(vec![id]), "{}").unwrap();
    assert_ne!(text(&built(&next(&rig), false), "nonce"), text(&build, "nonce"));
}

#[test]
fn a_full_journal_drops_nothing_that_nobody_else_knows() {
    let rig = tab();
    let entry = |number: u64, stage| Entry {
        key: alloy_primitives::U256::from(number).into(),
        stage,
        changed_at: number,
        ..Entry::default()
    };
    let ledger = &rig.client.shared.ledger;
    let put = |entry: Entry| ledger.record(entry.key, Event::StorageRead(Box::new(entry), None)).unwrap();
    for number in 0..256 {
        put(entry(number, [Stage::Signed, Stage::Posted, Stage::Ended][number as usize % 3]));
    }
    // One after the other is written; another one makes room for it.
    let all = (256..346).map(|number| {
        let before = ledger.trades(|_| true);
        put(entry(number, Stage::Asking));
        pollster::block_on(ledger.apply(entry(number, Stage::Asking).key, Event::WalletUnclear("?".into(), 1)));
        let after = ledger.trades(|_| true);
        let gone: Vec<_> = before.into_iter().filter(|entry| !after.contains(entry)).collect();
        assert_eq!((gone.len(), after.len()), (1, 256));
        (gone[0].stage, gone[0].changed_at)
    });
    let all: Vec<_> = all.collect();
    assert_eq!((all[0], all[84], all[85]), ((Stage::Ended, 2), (Stage::Ended, 254), (Stage::Posted, 1)));
}

#[test]
fn an_answer_that_is_no_hash_is_not_asked_for_again_unasked() {
    let rig = tab();
    let build = built(&rig, true);
    rig.world.signer.borrow_mut().next(SEND, |_, _| Ok(json(r#""done""#)));
    assert_eq!(code(rig.submit(&build)), ErrorCode::WalletFailed);
    assert_eq!(code(rig.submit(&build)), ErrorCode::AlreadySigned);
    assert_eq!(rig.world.wallet_was_asked(SEND).len(), 1);
}

/// The service calls every order one whose deposit is missing.
fn awaits_deposit(rig: &Rig) {
    let contract = Box::new(|_: &Json| Ok(json(r#""0x""#)));
    rig.world.chain.borrow_mut().node(8453).contracts.insert(DELTA.parse().unwrap(), contract);
    rig.world.service.borrow_mut().order_lie = Some(Box::new(|order| set(order, "status", r#""AWAITING_SIGNATURE""#)));
}

#[test]
fn a_deposit_that_reverted_is_sent_again_by_the_next_attempt() {
    let rig = tab();
    awaits_deposit(&rig);
    let build = rig.built(&native_sale()).unwrap();
    rig.world.once(Moment::Ask(Place::Wallet, SEND), |world| world.chain.borrow_mut().node(8453).reverts = true);
    assert_eq!(code(rig.submit(&build)), ErrorCode::WalletFailed);
    // The service has the signature: the journal keeps it.
    let noted = list(&rig, "trades.list");
    assert!(noted.iter().any(|trade| at(trade, "signedOrder") != &Json::Null), "{noted:?}");
    rig.world.chain.borrow_mut().node(8453).reverts = false;
    rig.submit(&build).unwrap();
    assert_eq!((rig.world.wallet_was_asked(SEND).len(), rig.world.prompts()), (2, 1));
}

#[test]
fn resume_does_not_write_over_what_another_tab_wrote_meanwhile() {
    let rig = tab();
    rig.submit(&built(&rig, false)).unwrap();
    leave_prompt(&rig, &built(&rig, true));
    let other = next(&rig);
    rig.world.once(Moment::Fetch("orderByHash"), move |world| {
        let mut stored = world.browser.stored.borrow_mut();
        let mut entries = stored.iter_mut().filter(|(key, _)| key.starts_with("trade/"));
        let (_, entry) = entries.find(|(_, text)| text.contains(r#""asking""#)).unwrap();
        let known = Entry::read(entry).unwrap();
        let hash = Some(alloy_primitives::B256::ZERO);
        *entry = Entry { stage: Stage::Sent, transaction: hash, changed_at: known.changed_at + 1, ..known }.write();
        drop(stored);
        other.client.shared.host.publish(JOURNAL, "");
    });
    list(&rig, "trades.resume");
    let all = list(&rig, "trades.list");
    let transaction = all.iter().find(|trade| text(trade, "kind") == "transaction").unwrap();
    assert!(at(transaction, "transaction") != &Json::Null, "{transaction:?}");
}

#[test]
fn a_prompt_that_died_with_its_provider_is_joined_by_no_other() {
    for is_market in [false, true] {
        let rig = tab();
        let build = built(&rig, is_market);
        leave_prompt(&rig, &build);
        rig.world.signer.borrow_mut().quirks.silent.clear();
        let binding = WalletBinding { wallet: Some(Place::Reloaded), ..rig.client.binding.clone() };
        let client = Client { shared: rig.client.shared.clone(), binding };
        let page = Rig { client, ..rig };
        let outcome = page.submit(&build);
        let asked = page
            .world
            .questions
            .borrow()
            .iter()
            .filter(|(at, name, _)| *at == Place::Reloaded && *name == method(is_market))
            .count();
        match is_market {
            // Whether the old one sent it, nobody knows.
            true => assert_eq!((code(outcome), asked), (ErrorCode::AlreadySigned, 0)),
            false => assert_eq!((text(&outcome.unwrap(), "orderHash"), asked), (text(&build, "orderHash"), 1)),
        }
    }
}

#[test]
fn an_end_that_a_reorganization_took_back_is_none() {
    let rig = tab();
    let sent = rig.submit(&built(&rig, true)).unwrap();
    let said = |status| Sent { status, ..Sent::new(8453, rig.owner(), text(&sent, "hash").parse().unwrap()) };
    pollster::block_on(rig.client.shared.ledger.record_sent(&said("COMPLETED")));
    assert_eq!(text(&list(&next(&rig), "trades.list")[0], "state"), "ended");
    pollster::block_on(rig.client.shared.ledger.record_sent(&said("PENDING")));
    rig.world.chain.borrow_mut().node(8453).pending_for = 1_000;
    let page = next(&rig);
    assert_eq!(text(&list(&page, "trades.list")[0], "state"), "sent");
    assert_eq!(code(page.submit(&built(&page, true))), ErrorCode::AlreadySigned);
}

#[test]
fn of_more_orders_than_a_memory_holds_none_is_left_unposted() {
    let rig = tab();
    let mut request = json(SELL);
    for number in 0..260 {
        set(&mut request, "amount", &format!(r#""{}""#, 100_000_000 + number));
        let build = rig.built(&request.write()).unwrap();
        rig.world.once(Moment::Fetch("post"), |_| resume_unwind(Box::new(())));
        assert!(catch_unwind(AssertUnwindSafe(|| rig.submit(&build))).is_err(), "the page dies in the post");
    }
    let page = next(&rig);
    let all = list(&page, "trades.resume");
    assert_eq!(all.len(), 260);
    assert!(all.iter().all(|trade| text(trade, "state") == "posted"), "{:?}", page.world.posts().len());
}
