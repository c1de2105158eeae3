//! Data that another client sealed, as after a reload: nothing of it is taken but a signed order, and an order that the journal
//! noted before its prompt.

use super::allowances::revocation;
use super::approve::approved_so_far;
use super::edited::places;
use super::fake_host::{DELTA, Moment, Rig, SELL, at, json, set, text, with};
use super::journal::{next, note, tab};
use super::market;
use super::otc::cancel::{cancellation, maker};
use super::otc::{Desk, OFFER, desk, desk_in};
use super::permit::otc as permit;
use super::withdrawal::withdrawal;
use verify::internal::error::{Error, ErrorCode};
use verify::internal::json::{Json, parse, quoted};

const SEND: &str = "eth_sendTransaction";
const EVIL: &str = r#""0x00000000000000000000000000000000000bad00""#;

/// A forgery by an attacker who has everything but the key: the member changed where it is seen and where it is sealed.
fn forged(of: &Json, path: &str, value: &str) -> Json {
    let (mark, inside) = text(of, "sealed").split_once('.').unwrap();
    let (mut inside, mut forged) = (parse(inside).unwrap(), of.clone());
    set(&mut inside, path, value);
    set(&mut forged, path, value);
    set(&mut forged, "sealed", &quoted(&format!("{mark}.{}", inside.write())));
    forged
}

fn said(error: &Error) -> (ErrorCode, &str) {
    (error.code, error.field.as_deref().unwrap_or_default())
}

/// A transaction of each purpose: the page that built it, and the build.
fn transactions() -> Vec<(Rig, Json)> {
    let willing = |rig: &Rig| {
        let contract = Box::new(|_: &Json| Ok(json(r#""0x""#)));
        rig.world.chain.borrow_mut().node(8453).contracts.insert(DELTA.parse().unwrap(), contract);
    };
    let withdrawn = withdrawal();
    willing(&withdrawn.0);
    let desk = desk();
    let fill = desk.fill(&desk.order(&[]), r#","minMakerAmount":"1""#).unwrap();
    let offer = maker();
    let cancelled = cancellation(&offer.rig, &offer.order(&[])).unwrap();
    let rig = Rig::default();
    willing(&rig);
    let order = rig.submit(&rig.built(SELL).unwrap()).unwrap();
    let build = rig.call("buildCancellation", &order, "{}").unwrap();
    vec![withdrawn, revocation(), (desk.rig, fill), (offer.rig, cancelled), (rig, build)]
}

#[test]
fn every_visible_member_of_an_approval_or_a_transaction_is_as_it_was_returned_or_refused() {
    let (rig, approval) = approved_so_far(5);
    let approvals = ("approve", "approval", rig, approval);
    let transactions = transactions().into_iter().map(|(rig, build)| ("submit", "build", rig, build));
    for (call, root, rig, returned) in transactions.chain([approvals]) {
        let (mut all, before) = (Vec::new(), rig.world.prompts());
        places(&returned, "", &mut all);
        assert!(all.len() > 7, "{all:?}");
        // The kind says which call it is.
        for path in all.iter().filter(|path| *path != "kind" && *at(&returned, path) != Json::Null) {
            let mut edited = returned.clone();
            set(&mut edited, path, r#""edited""#);
            let error = rig.call(call, &edited, "{}").expect_err(path);
            let member = format!("{root}.{}", path.split('.').next().unwrap());
            assert_eq!(said(&error), (ErrorCode::InvalidInput, &*member), "{path}");
        }
        assert_eq!(rig.world.prompts(), before);
        rig.call(call, &returned, "{}").unwrap();
    }
}

/// INVALID_INPUT with that field, and what helps: to build again.
#[track_caller]
fn assert_rebuild(error: &Error, field: &str) {
    assert_eq!(said(error), (ErrorCode::InvalidInput, field), "{error:?}");
    assert_eq!(text(&json(&error.write()), "action"), "rebuild");
}

#[test]
fn nothing_that_another_client_sealed_is_taken_but_a_signed_order() {
    let rig = tab();
    rig.world.chain.borrow_mut().node(8453).allowances.clear();
    let (quote, build) = (rig.quote(SELL).unwrap(), rig.built(SELL).unwrap());
    let (market_quote, of_market) =
        (rig.quote(&market::market(SELL)).unwrap(), market::built(&market::allowed(0), SELL).unwrap());
    let offer = rig.call("otc.build", &json(OFFER), "{}").unwrap();
    let page = Rig::in_world(rig.world.clone(), |shared, _| shared.settings.secret = [9; 32]);
    let asked = page.world.sent("build").len();
    // A request stated again brings none of them along.
    let stated = format!(r#"{{"request":{}}}"#, with(SELL, r#""minReceived":"1""#));
    for (call, of, options, field) in [
        ("build", &quote, r#"{"slippageBps":50,"minReceived":"1"}"#, "quote"),
        ("build", &market_quote, r#"{"slippageBps":50,"minReceived":"1"}"#, "quote"),
        ("signPermit", &quote, r#"{"kind":"permit2Transfer"}"#, "quote"),
        ("submit", &build, "{}", "build"),
        ("submit", &build, &stated, "build"),
        ("submit", &build, r#"{"preSign":true}"#, "build"),
        ("submit", &of_market, "{}", "build"),
        ("submit", &offer, "{}", "build"),
        ("approve", at(&build, "approval"), "{}", "approval"),
    ] {
        assert_rebuild(&page.call(call, of, options).expect_err(call), field);
    }
    for (rig, build) in transactions() {
        let before = rig.world.wallet_was_asked(SEND).len();
        assert_rebuild(&next(&rig).submit(&build).unwrap_err(), "build");
        assert_rebuild(&rig.submit(&forged(&build, "transaction.to", EVIL)).unwrap_err(), "build");
        assert_eq!(rig.world.wallet_was_asked(SEND).len(), before);
    }
    let approval = forged(at(&build, "approval"), "spender", EVIL);
    assert_rebuild(&rig.approve(&approval, "{}").unwrap_err(), "approval");
    page.world.assert_untouched();
    assert_eq!(page.world.sent("build").len(), asked);
    // A permit is not taken either: only the client that signed it can find it unused.
    let bank = permit::desk();
    let signed = bank.sign(&permit::order(), r#"{"kind":"eip2612"}"#).unwrap();
    for permit in [&signed, &forged(&signed, "amount", r#""100000001""#)] {
        assert_rebuild(&permit::fill(&next(&bank.rig), permit, "").unwrap_err(), "options.permit");
    }
}

#[test]
fn a_noted_order_is_asked_for_by_the_very_bytes_that_were_noted() {
    let rig = tab();
    let (build, other) = (rig.built(SELL).unwrap(), rig.built(&SELL.replace("100000000", "50000000")).unwrap());
    note(&rig, &build);
    let page = Rig::in_world(rig.world.clone(), |shared, _| shared.settings.secret = [9; 32]);
    let request = with(SELL, r#""minReceived":"1""#);
    let options = format!(r#"{{"request":{request}}}"#);
    // Another order, and the same one with a space in its sealed text.
    let spaced = text(&build, "sealed").replacen(r#","toSign""#, r#", "toSign""#, 1);
    let mut altered = build.clone();
    set(&mut altered, "sealed", &quoted(&spaced));
    for strange in [&other, &altered] {
        assert_rebuild(&page.submit_with(strange, &options).unwrap_err(), "build");
    }
    page.world.assert_untouched();
    // A journal that cannot be read does not mean that nothing was noted.
    *page.world.browser.fault.borrow_mut() = Some("UnknownError".into());
    let fresh = Rig::in_world(rig.world.clone(), |shared, _| shared.settings.secret = [9; 32]);
    assert_eq!(fresh.submit_with(&build, &options).unwrap_err().code, ErrorCode::JournalUnreadable);
    *page.world.browser.fault.borrow_mut() = None;
    page.submit_with(&build, &options).unwrap();
    assert_eq!(page.world.prompts(), 1);
}

#[test]
fn a_transaction_that_an_earlier_page_sent_is_found_and_not_sent_again() {
    for is_heard in [true, false] {
        let desk = desk_in(tab());
        let order = desk.order(&[]);
        let build = desk.fill(&order, "").unwrap();
        let signal = desk.rig.signal.0.clone();
        if !is_heard {
            desk.rig.world.once(Moment::Answer(SEND), move |_| signal.set(true));
        }
        let sent = desk.rig.submit(&build);
        desk.rig.signal.0.set(false);
        let page = next(&desk.rig);
        match sent {
            Ok(sent) => assert_eq!(text(&page.submit(&build).unwrap(), "hash"), text(&sent, "hash")),
            // It may have been sent: neither the build nor the same fill built again is sent unasked.
            Err(_) => {
                assert_eq!(page.submit(&build).unwrap_err().code, ErrorCode::AlreadySigned);
                let again = Desk { rig: page, ..desk };
                let built = again.fill(&order, "").unwrap();
                assert_eq!(again.rig.submit(&built).unwrap_err().code, ErrorCode::AlreadySigned);
                assert_eq!(again.rig.world.wallet_was_asked(SEND).len(), 1);
                continue;
            }
        }
        assert_eq!(page.world.wallet_was_asked(SEND).len(), 1);
    }
}

#[test]
fn a_build_from_before_a_reload_is_returned_as_sent_only_while_it_may_still_settle() {
    for (pending, reverts, is_forgotten, expected) in [
        (0, false, false, Ok("COMPLETED")),
        (u32::MAX, false, false, Ok("PENDING")),
        (0, true, false, Err(ErrorCode::InvalidInput)),
        (u32::MAX, false, true, Err(ErrorCode::InvalidInput)),
    ] {
        let rig = tab();
        market::prepare(&rig, 8453, super::fake_host::SRC, u64::MAX);
        rig.world.chain.borrow_mut().node(8453).pending_for = pending;
        rig.world.chain.borrow_mut().node(8453).reverts = reverts;
        let build = market::built(&rig, SELL).unwrap();
        let sent = rig.submit(&build).unwrap();
        if is_forgotten {
            // No node has it for so long that it counts as dropped.
            rig.world.chain.borrow_mut().node(8453).forgets = true;
            assert_eq!(super::market_followed::statuses(&rig, &sent).last().map(String::as_str), Some("DROPPED"));
        }
        let page = next(&rig);
        for _ in 0..2 {
            let again = page.submit(&build).map(|sent| text(&sent, "status").to_owned()).map_err(|error| error.code);
            assert_eq!(again.as_deref().map_err(|code| *code), expected, "{pending} {reverts} {is_forgotten}");
        }
        if expected == Ok("COMPLETED") {
            // The caller knows of it now, so the same trade may be made once more.
            page.submit(&market::built(&page, SELL).unwrap()).unwrap();
        }
        assert_eq!(page.world.wallet_was_asked(SEND).len(), if expected == Ok("COMPLETED") { 2 } else { 1 });
    }
}
