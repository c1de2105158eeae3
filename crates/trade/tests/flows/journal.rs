//! The journal for a page that was reloaded, or for another tab; and its limits.

use super::fake_host::{
    BUY, DELTA, FakeHost, Moment, Place, Rig, SELL, Task, World, at, json, native_sale, set, text, with,
};
use super::market;
use super::otc::OFFER;
use std::cell::RefCell;
use std::rc::Rc;
use verified_swap_trade::host::Host;
use verified_swap_trade::ledger::record::{Entry, Stage, TradeKind};
use verify::internal::error::{Error, ErrorCode, Result};
use verify::internal::json::Json;

const SIGN: &str = "eth_signTypedData_v4";
const SEND: &str = "eth_sendTransaction";

/// A tab in a browser with a storage.
pub fn tab() -> Rig {
    let world = World::new();
    world.browser.has_storage.set(true);
    Rig::in_world(world, |_, _| {})
}

/// The same browser after a reload, or in another tab.
pub fn next(rig: &Rig) -> Rig {
    Rig::in_world(rig.world.clone(), |_, _| {})
}

/// The journal has that order as one whose prompt was open when its page died.
pub fn note(rig: &Rig, build: &Json) {
    rig.world.browser.has_storage.set(true);
    let key = text(build, "orderHash").parse().unwrap();
    let kind = if text(build, "kind") == "otc" { TradeKind::Otc } else { TradeKind::Delta };
    let mut payload = json(&format!(r#"{{"kind":"{}","chainId":8453}}"#, kind.name()));
    set(&mut payload, "sealed", &at(build, "sealed").write());
    let owner = rig.owner();
    let payload = Some(payload.write());
    let entry = Entry {
        key,
        kind,
        stage: Stage::Asking,
        chain_id: 8453,
        owner,
        summary: "{}".into(),
        payload,
        ..Entry::default()
    };
    rig.world.browser.stored.borrow_mut().insert(format!("trade/{key}"), entry.write());
}

pub fn list(rig: &Rig, call: &str) -> Vec<Json> {
    let Json::Array(all) = rig.call(call, &json("{}"), "{}").unwrap() else { panic!() };
    all
}

/// A tab whose order is signed and was not posted: the page died as the post began.
pub fn left_signed() -> Rig {
    left_signed_as(r#"{"slippageBps":50}"#)
}

fn left_signed_as(options: &str) -> Rig {
    let rig = tab();
    for _ in 0..5 {
        rig.world.service.borrow_mut().next_is_lost("post");
    }
    // The post and its repetitions fail, as when the network is gone.
    let error = rig.submit(&rig.built_as(SELL, options).unwrap()).unwrap_err();
    assert_eq!(error.code, ErrorCode::Network);
    rig
}

/// Nothing of any trade is stored.
pub fn is_empty(rig: &Rig) -> bool {
    rig.world.browser.stored.borrow().keys().all(|key| key.starts_with("rateLimit/"))
}

pub fn code(outcome: Result<Json>) -> ErrorCode {
    outcome.unwrap_err().code
}

#[test]
fn a_signed_order_is_posted_by_the_next_page_within_a_minute() {
    let page = next(&left_signed());
    let (posts, prompts) = (page.world.posts().len(), page.world.prompts());
    let all = list(&page, "trades.resume");
    assert_eq!((text(&all[0], "state"), at(&all[0], "needs")), ("posted", &Json::Null), "{all:?}");
    assert_eq!((page.world.posts().len(), page.world.prompts()), (posts + 1, prompts));
    assert!(!text(&all[0], "orderId").is_empty());
    // It is there: nobody posts it again.
    list(&page, "trades.resume");
    assert_eq!(page.world.posts().len(), posts + 1);
}

#[test]
fn a_signed_order_that_the_service_has_is_adopted_and_not_posted_again() {
    for is_filled in [false, true] {
        let rig = tab();
        // It arrived; the answer, and every look, were lost.
        for _ in 0..5 {
            rig.world.service.borrow_mut().accepts_but(|_| Err(verified_swap_trade::host::HttpFailure::Network(None)));
            for _ in 0..5 {
                rig.world.service.borrow_mut().next_is_lost("orderByHash");
            }
        }
        let build = rig.built(SELL).unwrap();
        rig.submit(&build).unwrap_err();
        let page = next(&rig);
        if is_filled {
            page.fill(&build);
        }
        let posts = page.world.posts().len();
        rig.world.service.borrow_mut().forget_faults();
        assert_eq!(text(&list(&page, "trades.resume")[0], "state"), "posted");
        assert_eq!(page.world.posts().len(), posts);
    }
}

/// A reason for a page not to post a signed order unasked.
fn waits_for_a_decision(change: impl FnOnce(&World)) -> (Rig, Json) {
    let page = next(&left_signed());
    change(&page.world);
    let posts = page.world.posts().len();
    let all = list(&page, "trades.resume");
    assert_eq!(page.world.posts().len(), posts, "posted unasked: {all:?}");
    (page, all[0].clone())
}

#[test]
fn later_the_user_decides_with_todays_price_beside_the_signed_one() {
    let (page, trade) = waits_for_a_decision(|world| world.pass(120_000));
    assert_eq!((text(&trade, "state"), text(&trade, "needs")), ("posting", "decision"));
    assert_eq!(text(&trade, "today.kind"), "delta");
    assert_eq!(text(&trade, "summary.minReceived"), "39796020000000000");
    // Made void: the service does not know it, so it is told by what was signed.
    let mut signed = at(&trade, "signedOrder").clone();
    let void = page.call("buildCancellation", &signed, "{}").unwrap();
    assert_eq!((text(&void, "purpose"), text(&void, "chainId")), ("cancel", "8453"));
    assert!(!text(&void, "report.sentence").contains("service's word"));
    set(&mut signed, "chainId", "10");
    assert_eq!(code(page.call("buildCancellation", &signed, "{}")), ErrorCode::VerifyMismatch);
    // Posted: without another prompt.
    let prompts = page.world.prompts();
    page.submit(at(&trade, "signedOrder")).unwrap();
    assert_eq!((page.world.prompts(), text(&list(&page, "trades.list")[0], "state")), (prompts, "posted"));
}

#[test]
fn an_abandoned_order_is_asked_about_no_more_and_still_stands_in_the_way() {
    let (page, trade) = waits_for_a_decision(|world| world.pass(120_000));
    let refused = |page: &Rig| page.submit(&page.built(SELL).unwrap()).unwrap_err();
    // Told with what was signed, as long as that may be posted.
    let signed = refused(&page).signed_order.clone();
    assert_eq!(signed.as_deref().map(json).as_ref(), Some(at(&trade, "signedOrder")));
    let abandoned = page.call("trades.abandon", at(&trade, "id"), "{}").unwrap();
    assert_eq!((text(&abandoned, "state"), text(&abandoned, "status")), ("ended", "ABANDONED"));
    assert!(list(&page, "trades.resume").is_empty());
    let later = next(&page);
    later.world.pass(1_000);
    let error = refused(&later);
    assert_eq!((error.code, &error.signed_order), (ErrorCode::AlreadySigned, &None));
    assert_eq!(code(later.call("trades.abandon", &json(r#""0x00""#), "{}")), ErrorCode::InvalidInput);
}

/// The nonce of the order that the journal has is used.
fn use_nonce(world: &World) -> String {
    let stored = world.browser.stored.borrow().clone();
    let (_, nonce) = stored.into_iter().find(|(key, _)| key.starts_with("nonce/")).unwrap();
    world.chain.borrow_mut().node(8453).used_nonces.push(nonce.parse().unwrap());
    nonce
}

#[test]
fn a_signed_order_whose_nonce_is_used_is_void_and_the_next_one_has_another() {
    for (is_posted, late_ms, status) in
        [(false, 0, ""), (false, 120_000, "VOID"), (true, 0, ""), (true, 120_000, "VOID")]
    {
        let rig = if is_posted { left_signed() } else { tab() };
        if !is_posted {
            let build = rig.built(SELL).unwrap();
            let stop = |step: verified_swap_trade::flows::Progress| {
                rig.signal.0.set(rig.signal.0.get() || step.step == "signed")
            };
            let outcome = rig.call_telling("submit", &build, "{}", &stop);
            assert_eq!(outcome.unwrap_err().code, ErrorCode::Aborted);
        }
        let page = next(&rig);
        let used = use_nonce(&page.world);
        page.world.pass(late_ms);
        let posts = page.world.posts().len();
        let trade = list(&page, "trades.resume")[0].clone();
        assert_eq!(page.world.posts().len(), posts);
        if status.is_empty() {
            // The service may have it a moment later; that it was posted may have been lost in a crash.
            assert_eq!(text(&trade, "state"), if is_posted { "posting" } else { "signed" });
            continue;
        }
        assert_eq!((text(&trade, "state"), text(&trade, "status")), ("ended", status));
        assert_eq!(at(&trade, "needs"), &Json::Null);
        let page = next(&page);
        // Also where a node falls behind.
        page.world.chain.borrow_mut().node(8453).used_nonces.clear();
        let build = page.built(SELL).unwrap();
        assert_ne!(text(&build, "nonce"), used);
        // The order that used it is not known: it may have been this one.
        assert_eq!(code(page.submit(&build)), ErrorCode::AlreadySigned);
        page.submit(&page.built_as(SELL, r#"{"slippageBps":50,"existing":"keepBoth"}"#).unwrap()).unwrap();
    }
    // An order in parts does not depend on its nonce.
    let page = next(&left_signed_as(r#"{"slippageBps":50,"partiallyFillable":true}"#));
    use_nonce(&page.world);
    page.world.pass(120_000);
    assert_eq!(text(&list(&page, "trades.resume")[0], "state"), "posting");
}

#[test]
fn a_wallet_with_another_account_and_a_node_that_is_away_leave_it_to_the_user() {
    let (page, trade) = waits_for_a_decision(|world| {
        let other = super::fake_host::Signer::new([8; 32]).accounts;
        world.signer.borrow_mut().accounts = other;
    });
    assert_eq!(text(&trade, "state"), "posting");
    drop(page);
    let (_, trade) = waits_for_a_decision(|world| world.chain.borrow_mut().node(8453).unreachable = true);
    assert_eq!(text(&trade, "state"), "posting");
    assert!(at(&trade, "error").get("code").is_some());
}

#[test]
fn an_order_that_can_no_longer_be_filled_has_expired() {
    let (_, trade) = waits_for_a_decision(|world| {
        world.pass(10_000_000);
        world.chain.borrow_mut().node(8453).time += 10_000;
    });
    assert_eq!((text(&trade, "state"), text(&trade, "status")), ("ended", "EXPIRED"));
}

#[test]
fn a_prompt_that_was_open_is_opened_again_for_the_same_bytes_with_the_request_stated_again() {
    let rig = tab();
    let build = rig.built(SELL).unwrap();
    rig.world.wallet_waits.set(true);
    let signal = rig.signal.0.clone();
    rig.world.once(Moment::Answer(SIGN), move |_| signal.set(true));
    assert_eq!(code(rig.submit(&build)), ErrorCode::Aborted);
    let page = next(&rig);
    let all = list(&page, "trades.resume");
    assert_eq!((text(&all[0], "state"), text(&all[0], "needs")), ("asking", "signature"));
    assert_eq!((text(&all[0], "build.kind"), at(&all[0], "signedAt")), ("delta", &Json::Null));
    assert_eq!(page.world.prompts(), 1, "the entry alone opens no prompt");
    // Not even if it is passed back: what was asked for has to be stated again, with a bound.
    assert_eq!(code(page.submit(at(&all[0], "build"))), ErrorCode::InvalidInput);
    assert_eq!(page.world.prompts(), 1);
    let request = with(SELL, r#""minReceived":"39000000000000000""#);
    page.submit_with(at(&all[0], "build"), &format!(r#"{{"request":{request}}}"#)).unwrap();
    let asked = page.world.wallet_was_asked(SIGN);
    assert_eq!(asked[0], asked[1]);
    assert_eq!(text(&list(&page, "trades.list")[0], "state"), "posted");
}

#[test]
fn what_the_user_refuses_leaves_nothing() {
    for market in [false, true] {
        let rig = tab();
        market::prepare(&rig, 8453, super::fake_host::SRC, u64::MAX);
        let build = if market { market::built(&rig, SELL) } else { rig.built(SELL) }.unwrap();
        rig.world.signer.borrow_mut().next_fails(if market { SEND } else { SIGN }, 4001);
        assert_eq!(code(rig.submit(&build)), ErrorCode::UserRejected);
        assert!(list(&next(&rig), "trades.list").is_empty());
    }
}

#[test]
fn a_signature_of_somebody_else_is_no_signature() {
    let rig = tab();
    let build = rig.built(SELL).unwrap();
    let other = super::fake_host::Signer::new([8; 32]);
    rig.world
        .signer
        .borrow_mut()
        .next(SIGN, move |_, digest| Ok(Json::String(alloy_primitives::hex::encode_prefixed(other.sign(digest)))));
    assert_eq!(code(rig.submit(&build)), ErrorCode::SignatureMismatch);
    // Also not for the page that was told it.
    assert!(rig.client.shared.ledger.orders().iter().all(|order| !order.is_signed));
    let page = next(&rig);
    assert!(list(&page, "trades.resume").is_empty());
    page.submit(&page.built(SELL).unwrap()).unwrap();
}

#[test]
fn a_good_signature_is_not_replaced_by_junk() {
    let rig = tab();
    let build = rig.built(SELL).unwrap();
    for _ in 0..5 {
        rig.world.service.borrow_mut().next_is_lost("post");
    }
    rig.submit(&build).unwrap_err();
    let junk = format!(r#"{{"signature":"0x{}"}}"#, "11".repeat(65));
    assert_eq!(code(rig.submit_with(&build, &junk)), ErrorCode::SignatureMismatch);
    let all = list(&next(&rig), "trades.resume");
    assert_eq!(text(&all[0], "state"), "posted", "{all:?}");
}

#[test]
fn two_tabs_draw_one_nonce_and_fill_one_order() {
    let first = tab();
    let second = next(&first);
    second.built(BUY).unwrap();
    let builds = [first.built(SELL).unwrap(), {
        second.world.pass(5_000);
        second.built(SELL).unwrap()
    }];
    assert_eq!(text(&builds[0], "nonce"), text(&builds[1], "nonce"));
    first.submit(&builds[0]).unwrap();
    let error = second.submit(&builds[1]).unwrap_err();
    assert_eq!(error.code, ErrorCode::AlreadySigned);
    assert_eq!(error.order_hash.unwrap().to_string(), text(&builds[0], "orderHash"));
    assert_eq!(second.world.prompts(), 1);
}

#[test]
fn while_one_tab_has_a_prompt_open_another_does_not_open_one_for_the_same_trade() {
    for market in [false, true] {
        let first = tab();
        market::prepare(&first, 8453, super::fake_host::SRC, u64::MAX);
        let built = move |rig: &Rig| if market { market::built(rig, SELL) } else { rig.built(SELL) };
        let build = built(&first).unwrap();
        let second = next(&first);
        let refused = Rc::new(RefCell::new(None::<Error>));
        let outcome = refused.clone();
        let method = if market { SEND } else { SIGN };
        first.world.once(Moment::Answer(method), move |_| {
            let build = built(&second).unwrap();
            *outcome.borrow_mut() = second.submit(&build).err();
        });
        first.submit(&build).unwrap();
        let error = refused.borrow().clone().expect("refused");
        assert_eq!((error.code, error.actual.as_deref()), (ErrorCode::AlreadySigned, Some("in another tab")));
        let hash = error.order_hash.map(|hash| hash.to_string());
        assert_eq!(hash, build.get("orderHash").and_then(Json::as_text).map(String::from));
        assert_eq!(first.world.wallet_was_asked(method).len(), 1);
        // Another trade is not held up.
        let other = next(&first);
        other.submit(&other.built(&SELL.replace("100000000", "50000000")).unwrap()).unwrap();
    }
}

/// The lock of the one trade in the journal.
fn lock_name(page: &Rig) -> String {
    let stored = page.world.browser.stored.borrow();
    let entry = stored.values().find(|text| text.contains("intent")).map(|text| json(text));
    ["trade/", text(&entry.unwrap(), "intent")].concat()
}

#[test]
fn a_tab_that_was_just_closed_is_waited_for_and_one_that_is_open_is_not() {
    for (held_ms, state) in [(300, "posted"), (60_000, "posting")] {
        let page = next(&left_signed());
        let name = lock_name(&page);
        let (other, timeline) = (FakeHost::of(page.world.clone()), page.world.timeline.clone());
        let tasks: Vec<Task<'_, Option<Json>>> = vec![
            Box::pin(async {
                let lock = other.lock(&name, 0).await;
                timeline.wait(held_ms, || false).await;
                drop(lock);
                None
            }),
            Box::pin(async { page.beside("trades.resume", &json("{}"), "{}", &page.signal).await.ok() }),
        ];
        let Some(Json::Array(all)) = timeline.run(tasks).pop().unwrap() else { panic!() };
        assert_eq!((text(&all[0], "state"), at(&all[0], "busy")), (state, &Json::Bool(state == "posting")), "{all:?}");
    }
}

#[test]
fn a_trade_is_abandoned_once_nobody_looks_after_it() {
    for (held_ms, expected) in [(300, None), (60_000, Some(ErrorCode::AlreadySigned))] {
        let page = next(&left_signed());
        let trade = list(&page, "trades.list")[0].clone();
        let name = lock_name(&page);
        let (other, timeline) = (FakeHost::of(page.world.clone()), page.world.timeline.clone());
        let tasks: Vec<Task<'_, Option<ErrorCode>>> = vec![
            Box::pin(async {
                let lock = other.lock(&name, 0).await;
                timeline.wait(held_ms, || false).await;
                drop(lock);
                None
            }),
            Box::pin(async {
                page.beside("trades.abandon", at(&trade, "id"), "{}", &page.signal).await.err().map(|error| error.code)
            }),
        ];
        assert_eq!(timeline.run(tasks).pop().unwrap(), expected, "{held_ms}");
    }
}

#[test]
fn a_transaction_whose_answer_never_came_is_looked_for_and_not_sent_again_unasked() {
    for is_found in [true, false] {
        let rig = tab();
        market::prepare(&rig, 8453, super::fake_host::SRC, u64::MAX);
        rig.world.chain.borrow_mut().node(8453).keeps_blocks = is_found;
        let build = market::built(&rig, SELL).unwrap();
        rig.world.wallet_waits.set(true);
        let signal = rig.signal.0.clone();
        rig.world.once(Moment::Answer(SEND), move |_| signal.set(true));
        assert_eq!(code(rig.submit(&build)), ErrorCode::Aborted);
        let page = next(&rig);
        let all = list(&page, "trades.resume");
        if is_found {
            assert_eq!((text(&all[0], "state"), text(&all[0], "status")), ("ended", "COMPLETED"), "{all:?}");
            assert!(text(&all[0], "transaction").starts_with("0x"));
            continue;
        }
        assert_eq!((text(&all[0], "status"), text(&all[0], "needs")), ("UNCERTAIN", "decision"));
        let build = market::built(&page, SELL).unwrap();
        assert_eq!(code(page.submit(&build)), ErrorCode::AlreadySigned);
        assert_eq!(page.world.wallet_was_asked(SEND).len(), 1);
        page.submit_with(&build, r#"{"existing":"keepBoth"}"#).unwrap();
        assert_eq!(page.world.wallet_was_asked(SEND).len(), 2);
    }
}

/// A reloaded page whose Market transaction was mined while its prompt was open: nobody heard the wallet's answer.
pub fn left_asking() -> Rig {
    let rig = tab();
    market::prepare(&rig, 8453, super::fake_host::SRC, u64::MAX);
    rig.world.chain.borrow_mut().node(8453).keeps_blocks = true;
    let build = market::built(&rig, SELL).unwrap();
    rig.world.wallet_waits.set(true);
    let signal = rig.signal.0.clone();
    rig.world.once(Moment::Answer(SEND), move |_| signal.set(true));
    assert_eq!(code(rig.submit(&build)), ErrorCode::Aborted);
    next(&rig)
}

#[test]
fn a_transaction_is_told_from_others_of_its_account_by_all_that_it_does() {
    for member in ["from", "to", "value", "input"] {
        for is_other_alone in [false, true] {
            let page = left_asking();
            let mut chains = page.world.chain.borrow_mut();
            let mined = &mut chains.node(8453).mined_here;
            let own = text(&mined[0], "hash").to_owned();
            let mut other = mined[0].clone();
            let change = if member == "value" { "0x5" } else { "0x00000000000000000000000000000000000000ff" };
            set(&mut other, member, &format!(r#""{change}""#));
            if is_other_alone {
                mined[0] = other;
            } else {
                set(&mut other, "nonce", r#""0x8""#);
                mined.push(other);
            }
            drop(chains);
            let trade = list(&page, "trades.resume")[0].clone();
            if is_other_alone {
                assert_eq!(text(&trade, "status"), "UNCERTAIN", "{member}: {trade:?}");
            } else {
                assert_eq!((text(&trade, "status"), text(&trade, "transaction")), ("COMPLETED", &*own), "{member}");
            }
        }
    }
}

#[test]
fn a_transaction_is_found_however_many_blocks_came_after_it() {
    for blocks in [0, 1, 2, 3, 20, 1_000] {
        let page = left_asking();
        page.world.chain.borrow_mut().node(8453).quiet_blocks = blocks;
        let trade = list(&page, "trades.resume")[0].clone();
        assert_eq!(text(&trade, "status"), "COMPLETED", "{blocks}: {trade:?}");
        let questions = page.world.questions.borrow();
        let counts = questions.iter().filter(|(_, method, _)| *method == "eth_getTransactionCount").count();
        assert!(counts < 30, "{blocks}: {counts}");
    }
}

#[test]
fn each_of_the_accounts_transactions_is_looked_at_once_however_many_pages_follow() {
    let page = left_asking();
    let own = {
        let mut chains = page.world.chain.borrow_mut();
        let mined = &mut chains.node(8453).mined_here;
        let own = mined.remove(0);
        // Twenty others, for which the same node is asked.
        for number in 7..27 {
            let mut other = own.clone();
            for (member, value) in [("value", "0x5".into()), ("nonce", format!("{number:#x}"))] {
                set(&mut other, member, &format!(r#""{value}""#));
            }
            mined.push(other);
        }
        own
    };
    let (mut page, mut asked) = (page, vec![]);
    for _ in 0..12 {
        let before = page.world.questions.borrow().len();
        let trade = list(&page, "trades.resume").remove(0);
        assert_eq!((text(&trade, "status"), text(&trade, "needs")), ("UNCERTAIN", "decision"));
        asked.push(page.world.questions.borrow().len() - before);
        page = next(&page);
    }
    assert!(asked.iter().all(|asked| *asked < 70), "{asked:?}");
    assert!(asked[9..].iter().all(|asked| *asked < 8), "{asked:?}");
    // It is mined days later.
    let mut own = own;
    set(&mut own, "nonce", r#""0x1b""#);
    let mut chains = page.world.chain.borrow_mut();
    chains.node(8453).mined_here.push(own);
    chains.node(8453).quiet_blocks = 1_000;
    drop(chains);
    assert_eq!(text(&list(&page, "trades.resume")[0], "status"), "COMPLETED");
}

#[test]
fn a_transaction_is_found_by_two_nodes_of_which_one_is_a_block_behind() {
    let mut page = left_asking();
    page.with_references();
    page.world.chain.borrow_mut().node(8453).quiet_blocks = 5;
    let lags = |method: &str, params: &Json, known| match method {
        "eth_blockNumber" => Ok(Json::String("0x15".into())),
        "eth_getBlockByNumber" if text(params, "0") == "latest" => {
            let mut block: Json = known?;
            set(&mut block, "number", r#""0x15""#);
            Ok(block)
        }
        _ => known,
    };
    page.world.chain.borrow_mut().liar = Some((2, Box::new(lags)));
    let trade = list(&page, "trades.resume")[0].clone();
    assert_eq!(text(&trade, "status"), "COMPLETED", "{trade:?}");
}

#[test]
fn a_transaction_whose_fee_was_raised_in_the_wallet_is_followed_by_its_new_hash() {
    let others = [None, Some(("value", r#""0x5""#))];
    for (other, is_reloaded) in others.into_iter().flat_map(|other| [(other, false), (other, true)]) {
        let rig = tab();
        market::prepare(&rig, 8453, super::fake_host::SRC, u64::MAX);
        rig.world.chain.borrow_mut().node(8453).keeps_blocks = true;
        rig.world.chain.borrow_mut().node(8453).pending_for = 1;
        let sent = rig.submit(&market::built(&rig, SELL).unwrap()).unwrap();
        rig.learn_number();
        let faster = format!("0x{}", "fa".repeat(32));
        let mut chains = rig.world.chain.borrow_mut();
        let node = chains.node(8453);
        (node.pending_for, node.forgets) = (u32::MAX, true);
        set(&mut node.mined_here[0], "hash", &format!(r#""{faster}""#));
        if let Some((member, value)) = other {
            set(&mut node.mined_here[0], member, value);
        }
        node.mined.insert(faster.clone(), json(r#"{"status":"0x1","blockNumber":"0x11"}"#));
        drop(chains);
        let status = if other.is_none() { "COMPLETED" } else { "REPLACED" };
        let page = next(&rig);
        if is_reloaded {
            list(&page, "trades.resume");
        } else {
            assert_eq!(super::market_followed::statuses(&rig, &sent), ["PENDING", status]);
        }
        let trade = list(&page, "trades.list")[0].clone();
        let hash = if other.is_none() { faster.as_str() } else { text(&sent, "hash") };
        assert_eq!(["state", "status", "transaction"].map(|name| text(&trade, name)), ["ended", status, hash]);
    }
}

/// A reloaded page whose Market transaction no node knows any more; with `is_replaced`, another one with its nonce is mined.
fn left_forgotten(is_replaced: bool) -> (Rig, Json) {
    let rig = tab();
    market::prepare(&rig, 8453, super::fake_host::SRC, u64::MAX);
    rig.world.chain.borrow_mut().node(8453).pending_for = 1;
    let sent = rig.submit(&market::built(&rig, SELL).unwrap()).unwrap();
    rig.learn_number();
    let mut chains = rig.world.chain.borrow_mut();
    let node = chains.node(8453);
    (node.pending_for, node.forgets, node.keeps_blocks) = (u32::MAX, true, is_replaced);
    set(&mut node.mined_here[0], "hash", &format!(r#""0x{}""#, "fa".repeat(32)));
    set(&mut node.mined_here[0], "value", r#""0x5""#);
    drop(chains);
    (next(&rig), sent)
}

#[test]
fn a_transaction_whose_number_another_one_has_is_over_after_a_reload_too() {
    for is_resumed in [true, false] {
        let (page, _) = left_forgotten(true);
        if is_resumed {
            let trade = list(&page, "trades.resume")[0].clone();
            assert_eq!((text(&trade, "state"), text(&trade, "status")), ("ended", "REPLACED"));
        }
        page.submit(&market::built(&page, SELL).unwrap()).unwrap();
    }
}

#[test]
fn after_a_reload_a_transaction_that_is_lost_is_given_up_as_soon_as_before() {
    let (page, sent) = left_forgotten(false);
    // Transactions that one look does not find may still be mined.
    assert_eq!(text(&list(&page, "trades.resume")[0], "state"), "sent");
    let build = market::built(&page, SELL).unwrap();
    assert_eq!(code(page.submit(&build)), ErrorCode::AlreadySigned);
    let began = page.world.monotonic_ms.get();
    assert_eq!(super::market_followed::statuses(&page, &sent), ["PENDING", "DROPPED"]);
    assert!(page.world.monotonic_ms.get() - began < 120_000);
    assert!(list(&next(&page), "trades.resume").is_empty());
    // A node shows it again.
    let shown = |method: &str, _: &Json, known| match method {
        "eth_getTransactionByHash" => {
            Ok(json(r#"{"from":"0x4a62316623ad457f02cdc5d997ded67a383ec569","nonce":"0x7"}"#))
        }
        _ => known,
    };
    page.world.chain.borrow_mut().liar = Some((8453, Box::new(shown)));
    // After a reload, too, where only `resume` is called; as long as no node shows it, it has nothing to tell.
    let later = next(&page);
    let resumed = list(&later, "trades.resume");
    assert_eq!(resumed.iter().map(|one| text(one, "state")).collect::<Vec<_>>(), ["sent"]);
    assert_eq!(code(page.submit(&build)), ErrorCode::AlreadySigned);
    page.world.chain.borrow_mut().liar = None;
    assert_eq!(super::market_followed::statuses(&page, &sent).last().map(String::as_str), Some("DROPPED"));
    page.submit(&build).unwrap();
}

#[test]
fn a_transaction_that_is_mined_does_not_stand_in_the_way_of_the_next() {
    let rig = tab();
    market::prepare(&rig, 8453, super::fake_host::SRC, u64::MAX);
    rig.submit(&market::built(&rig, SELL).unwrap()).unwrap();
    rig.submit(&market::built(&rig, SELL).unwrap()).unwrap();
    assert_eq!(rig.world.wallet_was_asked(SEND).len(), 2);
    rig.world.chain.borrow_mut().node(8453).pending_for = 100;
    let error = rig.submit(&market::built(&rig, SELL).unwrap()).unwrap_err();
    assert_eq!((error.code, error.actual.as_deref()), (ErrorCode::AlreadySigned, Some("may still be mined")));
}

#[test]
fn an_entry_that_was_edited_is_nobodys_order() {
    let rig = tab();
    rig.submit(&rig.built(SELL).unwrap()).unwrap();
    let stored = rig.world.browser.stored.borrow().clone();
    let (key, entry) = stored.into_iter().find(|(key, _)| key.starts_with("trade/")).unwrap();
    let other = rig.built(&SELL.replace("100000000", "50000000")).unwrap();
    let mut entry = json(&entry);
    let mut payload = json(text(&entry, "payload"));
    set(&mut payload, "sealed", &at(&other, "sealed").write());
    set(&mut entry, "payload", &Json::String(payload.write()).write());
    rig.world.browser.stored.borrow_mut().insert(key, entry.write());
    // It is listed. Its state before is unknown, so that its trade is asked about, and the other one is not.
    let page = next(&rig);
    assert_eq!(list(&page, "trades.list").len(), 1);
    page.world.pass(1_000);
    let build = page.built(SELL).unwrap();
    assert_eq!(code(page.submit(&build)), ErrorCode::JournalUnreadable);
    page.submit_with(&build, r#"{"withoutJournal":true}"#).unwrap();
    page.submit(&page.built(&SELL.replace("100000000", "50000000")).unwrap()).unwrap();
}

#[test]
fn without_a_storage_the_open_orders_say_what_is_signed() {
    for request in [SELL.to_owned(), SELL.replace("100000000", "50000000")] {
        let rig = Rig::default();
        rig.submit(&rig.built(SELL).unwrap()).unwrap();
        let signed = rig.steps.borrow().iter().find(|step| step.step == "signed").unwrap().is_stored;
        assert_eq!(signed, Some(false), "the caller is told that only this page knows");
        rig.world.service.borrow_mut().lists = true;
        let page = next(&rig);
        page.call("trades.resume", &json("{}"), "{}").unwrap();
        page.world.pass(1_000);
        let outcome = page.built(&request).and_then(|build| page.submit(&build));
        assert_eq!(outcome.is_err_and(|error| error.code == ErrorCode::AlreadySigned), request == SELL);
    }
}

#[test]
fn an_order_that_executes_stands_in_the_way_and_a_service_without_the_word_is_asked_for_it_once() {
    for is_strict in [false, true] {
        let rig = Rig::default();
        rig.submit(&rig.built(SELL).unwrap()).unwrap();
        rig.world.service.borrow_mut().lists = true;
        rig.world.service.borrow_mut().statuses = ["EXECUTING"].into();
        let page = next(&rig);
        if is_strict {
            page.world.service.borrow_mut().next("orders", |_, request| {
                assert!(request.url.contains("EXECUTING"));
                super::fake_host::answer(400, r#"{"errorType":"InvalidInput"}"#)
            });
        }
        for _ in 0..2 {
            page.call("trades.resume", &json("{}"), "{}").unwrap();
        }
        page.world.pass(1_000);
        let outcome = page.built(SELL).and_then(|build| page.submit(&build));
        assert!(outcome.is_err_and(|error| error.code == ErrorCode::AlreadySigned));
        let asked: Vec<_> = page.world.sent("orders").iter().map(|one| one.url.contains("EXECUTING")).collect();
        assert_eq!(asked, if is_strict { vec![true, false, false] } else { vec![true, true] });
    }
}

#[test]
fn what_the_service_lists_is_the_same_trade_as_the_request_that_made_it() {
    let limited = r#"{"limitAmount":"41000000000000000","validForSecs":6000}"#;
    let bought = r#"{"limitAmount":"99000000","validForSecs":6000}"#;
    let slippage = r#"{"slippageBps":50}"#;
    for (request, options) in [(SELL, limited), (BUY, slippage), (BUY, bought), (&native_sale(), slippage)] {
        let rig = Rig::default();
        let build = rig.built_as(request, options).unwrap();
        let posted = rig.submit(&build).unwrap();
        rig.world.service.borrow_mut().lists = true;
        let page = next(&rig);
        page.call("trades.resume", &json("{}"), "{}").unwrap();
        page.world.pass(1_000);
        let again = page.built_as(request, options).unwrap();
        let error = page.submit(&again).expect_err(request);
        assert_eq!(error.code, ErrorCode::AlreadySigned, "{request} {options}");
        assert_eq!(error.order_hash.unwrap().to_string(), text(&build, "orderHash"));
        // By the id that was listed, what the service says later is held against what was signed.
        let id = text(&posted, "id").parse().unwrap_or_else(|_| text(&posted, "id").to_owned());
        assert_eq!(
            page.client.shared.ledger.signed(None, Some(&id)).unwrap().hash.to_string(),
            text(&build, "orderHash")
        );
    }
}

#[test]
fn a_signed_order_waits_for_the_user_after_a_minute_to_the_millisecond() {
    let page = next(&left_signed());
    let trade = &list(&page, "trades.list")[0];
    let signed_at: u64 = at(trade, "signedAt").write().parse().unwrap();
    page.world.unix_ms.set(signed_at + 60_000);
    assert_eq!(at(&list(&page, "trades.list")[0], "needs"), &Json::Null);
    page.world.unix_ms.set(signed_at + 60_001);
    assert_eq!(text(&list(&page, "trades.list")[0], "needs"), "decision");
    // By a clock that was set back it may be long ago.
    page.world.unix_ms.set(signed_at - 60_001);
    assert_eq!(text(&list(&page, "trades.list")[0], "needs"), "decision");
}

#[test]
fn a_trade_says_who_what_where_and_when() {
    for market in [false, true] {
        let rig = tab();
        market::prepare(&rig, 8453, super::fake_host::SRC, u64::MAX);
        let build = if market { market::built(&rig, SELL) } else { rig.built(SELL) }.unwrap();
        let began = rig.world.unix_ms.get();
        let done = rig.submit(&build).unwrap();
        let trade = list(&rig, "trades.list")[0].clone();
        let owner = rig.owner().to_string().to_ascii_lowercase();
        assert_eq!(text(&trade, "owner").to_ascii_lowercase(), owner);
        assert_eq!(at(&trade, "chainId").write(), "8453");
        for name in ["startedAt", "changedAt"] {
            assert!(at(&trade, name).write().parse::<u64>().unwrap() >= began, "{name}");
        }
        let null = "null".to_owned();
        let member = |name: &str| at(&trade, name).write();
        let of = |json: &Json, name: &str| at(json, name).write();
        let (hash, purpose, sent) = match market {
            true => (null.clone(), r#""market""#.into(), of(&done, "hash")),
            false => (of(&build, "orderHash"), null.clone(), null.clone()),
        };
        assert_eq!([member("orderHash"), member("purpose"), member("transaction")], [hash, purpose, sent]);
        assert_eq!((member("signedAt") == null, member("deadline") == null), (market, market));
        assert_eq!(text(&trade, "summary.sentence"), text(&build, "report.sentence"));
    }
}

#[test]
fn an_order_that_the_service_calls_failed_stands_in_the_way_after_a_reload_too() {
    let rig = tab();
    rig.submit(&rig.built(SELL).unwrap()).unwrap();
    rig.world.service.borrow_mut().statuses = ["FAILED"].into();
    let page = next(&rig);
    list(&page, "trades.resume");
    assert_eq!(text(&list(&page, "trades.list")[0], "status"), "FAILED");
    let later = next(&page);
    later.world.pass(1_000);
    let build = later.built(SELL).unwrap();
    assert_eq!(code(later.submit(&build)), ErrorCode::AlreadySigned);
    // Its nonce is used: the chain contradicts the service, and the trade is not made once more without a word.
    later.fill(&build);
    let page = next(&later);
    let fresh = page.built(SELL).unwrap();
    assert_ne!(text(&fresh, "nonce"), text(&build, "nonce"));
    let error = page.submit(&fresh).unwrap_err();
    assert!(error.code == ErrorCode::AlreadySigned && error.message.contains("ended as FAILED"), "{error:?}");
    page.submit(&page.built_as(SELL, r#"{"slippageBps":50,"existing":"keepBoth"}"#).unwrap()).unwrap();
}

#[test]
fn a_cancelled_order_stands_aside_if_the_app_cancelled_it() {
    for is_cancelled_here in [true, false] {
        let rig = tab();
        let first = rig.built(SELL).unwrap();
        let order = rig.submit(&first).unwrap();
        if is_cancelled_here {
            let contract = Box::new(|_: &Json| Ok(json(r#""0x""#)));
            rig.world.chain.borrow_mut().node(8453).contracts.insert(DELTA.parse().unwrap(), contract);
            rig.submit(&rig.call("buildCancellation", &order, "{}").unwrap()).unwrap();
        }
        rig.fill(&first);
        rig.world.service.borrow_mut().statuses = ["CANCELLED"].into();
        let page = next(&rig);
        list(&page, "trades.resume");
        let outcome = page.submit(&page.built(SELL).unwrap());
        assert_eq!(outcome.is_ok(), is_cancelled_here, "{outcome:?}");
    }
}

#[test]
fn an_offer_is_resumed_like_an_order() {
    let rig = tab();
    let key = (super::fake_host::SRC.parse().unwrap(), super::fake_host::RFQ.parse().unwrap());
    rig.world.chain.borrow_mut().node(8453).allowances.insert(key, alloy_primitives::U256::MAX);
    for _ in 0..5 {
        rig.world.service.borrow_mut().next_is_lost("otcPost");
    }
    let build = rig.call("otc.build", &json(OFFER), "{}").unwrap();
    assert_eq!(code(rig.submit(&build)), ErrorCode::Network);
    let page = next(&rig);
    let all = list(&page, "trades.resume");
    assert_eq!(at(&all[0], "summary.request"), at(&build, "request"));
    assert_eq!((text(&all[0], "kind"), text(&all[0], "state")), ("otc", "posted"), "{all:?}");
    // The build of the page before is taken with the request that the journal has.
    let stated = format!(r#"{{"request":{}}}"#, at(&all[0], "summary.request").write());
    page.submit_with(&build, &stated).unwrap();
    assert_eq!(page.world.prompts(), 1);
}

#[test]
fn forget_empties_it_and_filters_choose() {
    let rig = tab();
    rig.submit(&rig.built(SELL).unwrap()).unwrap();
    rig.submit(&rig.built(&SELL.replace("100000000", "50000000")).unwrap()).unwrap();
    let listed = |filter: &str| match rig.call("trades.list", &json(filter), "{}").unwrap() {
        Json::Array(all) => all.len(),
        _ => panic!(),
    };
    assert_eq!([listed("{}"), listed(r#"{"open":true}"#), listed(r#"{"open":false}"#)], [2, 2, 0]);
    let owned = |owner: &str| listed(&format!(r#"{{"account":"{owner}"}}"#));
    assert_eq!([owned(&rig.owner().to_string()), owned(super::fake_host::SRC)], [2, 0]);
    assert_eq!([listed(r#"{"chainId":1}"#), listed(r#"{"chainId":8453}"#)], [0, 2]);
    assert_eq!(code(rig.call("trades.list", &json(r#"{"chain":1}"#), "{}")), ErrorCode::InvalidInput);
    let one = text(&list(&rig, "trades.list")[0], "id").to_owned();
    // Also what this page has not read yet.
    let forgotten = next(&rig).call("trades.forget", &json(&format!(r#"["{one}"]"#)), "{}").unwrap();
    assert_eq!((forgotten.write(), listed("{}")), ("1".into(), 2), "each page has its memory");
    assert_eq!(list(&next(&rig), "trades.list").len(), 1);
    rig.call("trades.forget", &json("{}"), "{}").unwrap();
    assert!(is_empty(&rig));
    assert_eq!(listed("{}"), 0);
}

#[test]
fn an_entry_goes_thirty_days_after_its_trade_ended() {
    let rig = tab();
    rig.submit(&rig.built(SELL).unwrap()).unwrap();
    rig.world.service.borrow_mut().statuses = ["COMPLETED"].into();
    list(&next(&rig), "trades.resume");
    let day = 86_400_000;
    rig.world.pass(29 * day);
    assert_eq!(list(&next(&rig), "trades.list").len(), 1);
    rig.world.pass(2 * day);
    // By this machine's clock alone it stays: that may be wrong.
    list(&next(&rig), "trades.resume");
    assert_eq!(list(&next(&rig), "trades.list").len(), 1);
    rig.mine_now(8453);
    list(&next(&rig), "trades.resume");
    assert_eq!(list(&next(&rig), "trades.list").len(), 0);
    assert!(is_empty(&rig), "its nonce goes too");
    // So does a transaction, which has no deadline.
    let rig = tab();
    market::prepare(&rig, 8453, super::fake_host::SRC, u64::MAX);
    rig.submit(&market::built(&rig, SELL).unwrap()).unwrap();
    assert_eq!(text(&list(&next(&rig), "trades.resume")[0], "status"), "COMPLETED");
    rig.world.pass(31 * day);
    rig.mine_now(8453);
    list(&next(&rig), "trades.resume");
    assert_eq!(list(&next(&rig), "trades.list").len(), 0);
}

#[test]
fn what_a_wallet_answered_is_told_before_anything_else_is_asked() {
    let rig = Rc::new(tab());
    let build = rig.built(SELL).unwrap();
    let page = rig.clone();
    let told = Rc::new(RefCell::new(Vec::new()));
    let seen = told.clone();
    let mut answered = false;
    rig.world.at_each(move |_, moment| {
        answered |= moment == Moment::Answer(SIGN);
        if answered && matches!(moment, Moment::Ask(Place::Node(_), _) | Moment::Fetch(_)) {
            let steps = page.steps.borrow();
            let signed = steps.iter().find(|step| step.step == "signed");
            seen.borrow_mut()
                .push(signed.is_some_and(|step| step.signed_order.is_some() && step.is_stored == Some(true)));
        }
    });
    rig.submit(&build).unwrap();
    assert!(!told.borrow().is_empty() && told.borrow().iter().all(|told| *told), "{told:?}");
}

#[test]
fn a_deposit_that_was_sent_before_a_reload_is_not_sent_again() {
    let rig = tab();
    let contract = Box::new(|_: &Json| Ok(json(r#""0x""#)));
    rig.world.chain.borrow_mut().node(8453).contracts.insert(DELTA.parse().unwrap(), contract);
    rig.world.service.borrow_mut().takes = Some(Box::new(|signature| signature.len() <= 2));
    let build = rig.built(&native_sale()).unwrap();
    let signal = rig.signal.0.clone();
    rig.world.once(Moment::Sleep, move |_| signal.set(true));
    rig.world.chain.borrow_mut().node(8453).pending_for = 3;
    rig.submit(&build).unwrap_err();
    assert_eq!(rig.world.wallet_was_asked(SEND).len(), 1);
    let page = next(&rig);
    let posted = |all: &[Json]| all.iter().any(|one| text(one, "kind") == "delta" && text(one, "state") == "posted");
    let posts = page.world.posts().len();
    page.world.chain.borrow_mut().node(8453).pending_for = 1_000;
    assert!(!posted(&list(&page, "trades.resume")));
    assert_eq!(page.world.posts().len(), posts, "the deposit is not in a block yet");
    page.world.chain.borrow_mut().node(8453).pending_for = 0;
    assert!(posted(&list(&page, "trades.resume")));
    assert_eq!(page.world.wallet_was_asked(SEND).len(), 1);
}

#[test]
fn builds_that_become_no_trade_leave_no_more_nonces_than_a_memory_holds() {
    let nonces = |world: &World| world.browser.stored.borrow().keys().filter(|name| name.starts_with("nonce/")).count();
    let page = tab();
    let signed = page.built(SELL).unwrap();
    page.submit(&signed).unwrap();
    for left in 0..300 {
        page.world.browser.stored.borrow_mut().insert(format!("nonce/{left}"), "1".into());
    }
    // Those of trades stay, others than this page's go.
    let later = next(&page);
    later.built(&SELL.replace("100000000", "100000001")).unwrap();
    assert_eq!(nonces(&later.world), 2);
    for number in 0..300 {
        later.built(&SELL.replace("100000000", &format!("2000{number:05}"))).unwrap();
    }
    assert_eq!(nonces(&later.world), 256 + 1);
}

#[test]
fn a_storage_that_fails_for_a_moment_does_not_hide_what_another_tab_signed() {
    let page = tab();
    let other = Rig::in_world(page.world.another_tab(), |_, _| {});
    assert!(list(&page, "trades.list").is_empty());
    other.submit(&other.built(SELL).unwrap()).unwrap();
    let has_storage = |has| page.world.browser.has_storage.set(has);
    has_storage(false);
    assert!(list(&page, "trades.list").is_empty());
    has_storage(true);
    assert_eq!(list(&page, "trades.list").len(), 1);
}

#[test]
fn no_prompt_opens_while_the_browser_does_not_answer_about_its_lock_and_reads_go_on() {
    let rig = tab();
    rig.world.browser.locks_are_silent.set(true);
    let clock = || rig.world.unix_ms.get();
    let began = clock();
    let build = rig.built(SELL).unwrap();
    assert!(list(&rig, "trades.list").is_empty());
    assert!(clock() - began < 10_000, "{}", clock() - began);
    for options in ["{}", r#"{"withoutJournal":true}"#] {
        let began = clock();
        let error = rig.call("submit", &build, options).unwrap_err();
        assert_eq!((error.code, error.actual.as_deref()), (ErrorCode::JournalUnreadable, Some("locks")), "{error:?}");
        assert!((10_000..13_000).contains(&(clock() - began)), "{}", clock() - began);
        assert!(is_empty(&rig) || rig.world.browser.stored.borrow().keys().all(|key| !key.starts_with("trade/")));
        rig.world.assert_untouched();
    }
    rig.world.browser.locks_are_silent.set(false);
    rig.submit(&build).unwrap();
}

#[test]
fn nothing_is_continued_or_abandoned_while_the_browser_does_not_answer_about_its_lock() {
    let page = next(&left_signed());
    let id = at(&list(&page, "trades.list")[0], "id").clone();
    page.world.browser.locks_are_silent.set(true);
    let posts = page.world.posts().len();
    let all = list(&page, "trades.resume");
    assert_eq!(
        (text(&all[0], "error.code"), at(&all[0], "busy")),
        ("JOURNAL_UNREADABLE", &Json::Bool(false)),
        "{all:?}"
    );
    assert_eq!(code(page.call("trades.abandon", &id, "{}")), ErrorCode::JournalUnreadable);
    assert_eq!(page.world.posts().len(), posts);
    page.world.browser.locks_are_silent.set(false);
    assert_eq!(text(&list(&page, "trades.resume")[0], "state"), "posted");
}
