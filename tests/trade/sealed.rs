//! What another client sealed, as after a reload: approvals, transactions and permits. They count for what the request
//! that is stated again says of them, and for nothing else.

use super::allowances::revocation;
use super::approve::approved_so_far;
use super::edited::places;
use super::fake_host::{BUY, DELTA, DEST, Moment, RFQ, Rig, SELL, SRC, at, json, set, text, with};
use super::journal::{next, tab};
use super::market;
use super::otc::cancel::{cancellation, maker};
use super::otc::{DECIMALS, OFFER, desk, desk_in};
use super::permit::otc as permit;
use super::withdrawal::withdrawal;
use alloy_primitives::U256;
use verified_swap::error::{Error, ErrorCode};
use verified_swap::json::{Json, parse, quoted};

const SEND: &str = "eth_sendTransaction";
const EVIL: &str = r#""0x00000000000000000000000000000000000bad00""#;
const PERMIT2: &str = r#""0x000000000022D473030F116dDEE9F6B43aC78BA3""#;

/// What somebody makes who knows how all is written, and not the key: the member changed where it is seen and where it is
/// sealed.
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

fn restated(request: &str, more: &str) -> String {
    format!(r#"{{"request":{request}{more}}}"#)
}

/// Spender and amount of the only approval that was sent.
#[track_caller]
fn approved(rig: &Rig) -> (String, U256) {
    let sent = rig.world.wallet_was_asked(SEND);
    assert_eq!(sent.len(), 1, "{sent:?}");
    let sent = json(&sent[0]);
    let data = text(&sent, "0.data");
    (format!("0x{}", &data[34..74]), U256::from_str_radix(&data[74..], 16).unwrap())
}

/// A transaction of each purpose: the page that built it, the build, and what it was built from.
fn transactions() -> Vec<(Rig, Json, String)> {
    let mut all = Vec::new();
    let (rig, build) = withdrawal();
    let willing = |rig: &Rig| {
        let contract = Box::new(|_: &Json| Ok(json(r#""0x""#)));
        rig.world.chain.borrow_mut().node(8453).contracts.insert(DELTA.parse().unwrap(), contract);
    };
    willing(&rig);
    let query = r#"{"query":{"chainId":8453,"amount":"1500000000000000000"}}"#;
    all.push((rig, build, query.into()));
    let (rig, build) = revocation();
    let spender = "0x00000000FdAC7708D0D360BDDc1bc7d097F47439";
    let token = "0x3333333333333333333333333333333333333333";
    all.push((rig, build, format!(r#"{{"allowance":{{"chainId":8453,"token":"{token}","spender":"{spender}"}}}}"#)));
    let desk = desk();
    let order = desk.order(&[]);
    let build = desk.fill(&order, r#","minMakerAmount":"1""#).unwrap();
    let options = &DECIMALS[1..];
    all.push((desk.rig, build, format!(r#"{{"orders":{},"minMakerAmount":"1",{options}"#, order.write())));
    let desk = maker();
    let order = desk.order(&[]);
    let build = cancellation(&desk.rig, &order).unwrap();
    all.push((desk.rig, build, format!(r#"{{"orders":[{}]}}"#, order.write())));
    let rig = Rig::default();
    willing(&rig);
    let order = rig.submit(&rig.built(SELL).unwrap()).unwrap();
    let build = rig.call("buildCancellation", &order, "{}").unwrap();
    all.push((rig, build, format!(r#"{{"order":{}}}"#, order.write())));
    all
}

#[test]
fn every_visible_member_of_an_approval_or_a_transaction_is_as_it_was_returned_or_refused() {
    let (rig, approval) = approved_so_far(5);
    let approvals = ("approve", "approval", rig, approval);
    let transactions = transactions().into_iter().map(|(rig, build, _)| ("submit", "build", rig, build));
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

#[test]
fn an_approval_of_another_client_is_made_for_the_request_that_is_stated_again() {
    let (rig, approval) = approved_so_far(0);
    let page = next(&rig);
    let refused = |approval: &Json, options: &str| {
        let error = page.approve(approval, options).expect_err(options);
        page.world.assert_untouched();
        (error.code, error.field.clone().unwrap_or_default())
    };
    let input = |field: &str| (ErrorCode::InvalidInput, field.to_owned());
    let differs = |field: &str| (ErrorCode::VerifyMismatch, field.to_owned());
    assert_eq!(refused(&approval, "{}"), input("options.request"));
    assert_eq!(refused(&approval, r#"{"request":null}"#), input("options.request"));
    for (request, expected) in [
        (SELL.replace("100000000", "99999999"), differs("approval.amount")),
        (SELL.replace(SRC, DELTA), differs("approval.token")),
        (with(SELL, &format!(r#""account":{EVIL}"#)), differs("approval.owner")),
        (SELL.replace(r#""srcDecimals":6"#, r#""srcDecimals":7"#), input("options.request.srcDecimals")),
        (with(SELL, r#""orders":[]"#), input("options.request.orders")),
        // What is bought says nothing of what may be spent for it.
        (BUY.into(), input("options.request.maxSpent")),
        (with(BUY, r#""maxSpent":"99999999""#), differs("approval.amount")),
    ] {
        assert_eq!(refused(&approval, &restated(&request, "")), expected, "{request}");
    }
    let more = U256::MAX.to_string();
    for (member, value, field) in [
        ("spender", EVIL, "approval.spender"),
        ("spender", PERMIT2, "approval.spender"),
        ("token", EVIL, "approval.token"),
        ("amount", &*format!(r#""{more}""#), "approval.amount"),
        // Of another protocol its contract would be approved.
        ("path", r#""market""#, "approval.path"),
        ("chainId", "10", "approval.chainId"),
    ] {
        let forged = forged(&approval, member, value);
        assert_eq!(refused(&forged, &restated(SELL, "")), differs(field), "{member}");
        let own = rig.approve(&forged, "{}").unwrap_err();
        assert_eq!(said(&own), (ErrorCode::InvalidInput, "options.request"), "{member}");
    }
    // Whoever the request does not name, the wallet has to.
    let theirs = forged(&approval, "owner", EVIL);
    assert_eq!(refused(&theirs, &restated(SELL, "")), (ErrorCode::WrongAccount, "account".into()));
    let named = with(SELL, &format!(r#""account":"{}""#, rig.owner()));
    assert_eq!(refused(&theirs, &restated(&named, "")), differs("approval.owner"));
    page.approve(&approval, &restated(&named, "")).unwrap();
    assert_eq!(approved(&page), (DELTA.into(), U256::from(100_000_000)));
    // It is there now.
    page.approve(&approval, &restated(SELL, "")).unwrap();
    assert_eq!(page.world.wallet_was_asked(SEND).len(), 1);
}

#[test]
fn the_most_that_is_approved_again_is_the_callers_own_word() {
    for (request, more, amount) in [
        (with(BUY, r#""maxSpent":"100000000""#), "", 100_000_000),
        // As for open orders that the first page covered.
        (SELL.replace("100000000", "1"), r#","amount":"100000001""#, 100_000_001),
    ] {
        let (rig, approval) = approved_so_far(0);
        let page = next(&rig);
        page.approve(&approval, &restated(&request, more)).unwrap();
        assert_eq!(approved(&page), (DELTA.into(), U256::from(amount)));
    }
}

#[test]
fn the_approvals_of_an_offer_and_of_a_fill_are_made_for_theirs() {
    let offer = maker();
    let who = offer.maker.accounts[0];
    offer.market.borrow_mut().allowances.clear();
    let build = offer.rig.call("otc.build", &json(OFFER), "{}").unwrap();
    let fill = desk();
    let order = fill.order(&[]);
    fill.market.borrow_mut().allowances.remove(&(DEST.parse().unwrap(), fill.rig.owner()));
    let bought = fill.fill(&order, "").unwrap();
    let of_fill = |amount: &str| {
        let orders = order.write();
        format!(r#"{{"orders":{orders}{amount},{}"#, &DECIMALS[1..])
    };
    let cases = [
        (&offer, "maker", at(&build, "approval"), OFFER.to_owned(), OFFER.replace("100000000", "99999999")),
        (
            &fill,
            "account",
            at(&bought, "approval"),
            of_fill(r#","takerAmount":"40000000000000000""#),
            of_fill(r#","takerAmount":"39999999999999999""#),
        ),
    ];
    for (desk, account, approval, request, less) in cases {
        let page = next(&desk.rig);
        let error = page.approve(approval, &restated(&less, "")).unwrap_err();
        assert_eq!(said(&error), (ErrorCode::VerifyMismatch, "approval.amount"));
        let theirs = with(&request, &format!(r#""{account}":{EVIL}"#));
        let error = page.approve(approval, &restated(&theirs, "")).unwrap_err();
        assert_eq!(said(&error), (ErrorCode::VerifyMismatch, "approval.owner"));
        page.world.assert_untouched();
        // The desk's tokens allow what they are told to.
        let (token, owner) = (text(approval, "token").parse().unwrap(), text(approval, "owner").parse().unwrap());
        let allowances = desk.market.clone();
        page.world.once(Moment::Answer(SEND), move |_| {
            allowances.borrow_mut().allowances.insert((token, owner), U256::MAX);
        });
        page.approve(approval, &restated(&request, "")).unwrap();
        assert_eq!(approved(&page).0, RFQ.to_ascii_lowercase());
    }
    let error = next(&fill.rig).approve(at(&bought, "approval"), &restated(&of_fill(""), "")).unwrap_err();
    assert_eq!(said(&error), (ErrorCode::InvalidInput, "options.request.takerAmount"));
    assert_ne!(who, fill.rig.owner());
}

#[test]
fn a_transaction_of_another_client_is_the_one_that_its_request_leads_to() {
    for (rig, build, request) in transactions() {
        let (page, before) = (next(&rig), rig.world.wallet_was_asked(SEND).len());
        let purpose = text(&build, "purpose").to_owned();
        let refused = |build: &Json, options: &str| {
            let error = page.submit_with(build, options).expect_err(options);
            assert_eq!(page.world.wallet_was_asked(SEND).len(), before, "{purpose}");
            (error.code, error.field.clone().unwrap_or_default())
        };
        let input = |field: &str| (ErrorCode::InvalidInput, field.to_owned());
        for options in ["{}", r#"{"request":null}"#, r#"{"request":{}}"#, &restated(SELL, "")] {
            assert_eq!(refused(&build, options), input("options.request"), "{purpose}");
        }
        let more = with(&request, r#""receivers":1"#);
        assert_eq!(refused(&build, &restated(&more, "")), input("options.request.receivers"), "{purpose}");
        for (member, value) in [
            ("transaction.to", EVIL),
            ("transaction.value", r#""1""#),
            ("transaction.data", r#""0x095ea7b3""#),
            ("transaction.from", EVIL),
            ("transaction.chainId", "10"),
            // What it leaves out would be anybody's.
            ("transaction", "null"),
            ("transaction", "{}"),
        ] {
            let differs = (ErrorCode::VerifyMismatch, format!("build.{member}"));
            assert_eq!(refused(&forged(&build, member, value), &restated(&request, "")), differs, "{purpose}");
        }
        // What it says of itself is not shown: the report is this client's.
        let lie = forged(&build, "report.sentence", r#""Nothing happens""#);
        let lie = forged(&lie, "owner", EVIL);
        let said = page.submit_with(&lie, &restated(&request, "")).map(|sent| text(&sent, "kind").to_owned());
        assert_eq!(said.as_deref().ok(), Some("sent"), "{purpose} {said:?}");
        let trades = page.call("trades.list", &json("{}"), "{}").unwrap();
        let Json::Array(trades) = &trades else { panic!() };
        let sentence = trades.iter().map(|trade| text(trade, "summary.sentence"));
        assert!(sentence.clone().any(|one| one == text(&build, "report.sentence")) || purpose == "cancel");
        assert!(!sentence.clone().any(|one| one == "Nothing happens"), "{purpose}");
        let asked = page.world.wallet_was_asked(SEND);
        assert_eq!(asked.len(), before + 1, "{purpose}");
        assert_eq!(at(&json(asked.last().unwrap()), "0.data"), at(&build, "transaction.data"), "{purpose}");
    }
}

#[test]
fn what_a_fill_of_another_client_asks_is_asked_again() {
    let desk = desk_in(Rig::without_references());
    let order = desk.order(&[]);
    let build = desk.fill(&order, "").unwrap();
    let id = text(&build, "report.questions.0.id");
    let page = Rig::in_world(desk.rig.world.clone(), |shared, _| shared.settings.given_sources.clear());
    let request = format!(r#"{{"orders":{},{}"#, order.write(), &DECIMALS[1..]);
    // Also where somebody has taken the question out.
    for build in [&build, &forged(&build, "report.questions", "[]")] {
        let error = page.submit_with(build, &restated(&request, "")).unwrap_err();
        assert_eq!(said(&error), (ErrorCode::PriceUnjudged, "options.accept"), "{error:?}");
        page.world.assert_untouched();
    }
    page.submit_with(&build, &restated(&request, &format!(r#","accept":["{id}"]"#))).unwrap();
}

#[test]
fn a_transaction_that_an_earlier_page_sent_or_asked_for_is_not_sent_again() {
    for is_heard in [true, false] {
        let desk = desk_in(tab());
        let order = desk.order(&[]);
        let build = desk.fill(&order, "").unwrap();
        let signal = desk.rig.signal.0.clone();
        if !is_heard {
            desk.rig.world.once(Moment::Answer(SEND), move |_| signal.set(true));
        }
        let sent = desk.rig.submit(&build);
        let page = next(&desk.rig);
        let request = format!(r#"{{"orders":{},{}"#, order.write(), &DECIMALS[1..]);
        let again = page.submit_with(&build, &restated(&request, ""));
        match sent {
            Ok(sent) => assert_eq!(text(&again.unwrap(), "hash"), text(&sent, "hash")),
            Err(_) => assert_eq!(again.unwrap_err().code, ErrorCode::AlreadySigned),
        }
        assert_eq!(page.world.wallet_was_asked(SEND).len(), 1);
        page.submit_with(&build, &restated(&request, r#","existing":"keepBoth""#)).unwrap();
        assert_eq!(page.world.wallet_was_asked(SEND).len(), if is_heard { 1 } else { 2 });
    }
}

#[test]
fn no_request_brings_a_permit_of_another_client() {
    let bank = permit::desk();
    let signed = bank.sign(&permit::order(), r#"{"kind":"eip2612"}"#).unwrap();
    let build = permit::fill(&bank.rig, &signed, "").unwrap();
    let page = next(&bank.rig);
    for permit in [&signed, &forged(&signed, "amount", r#""100000001""#)] {
        let error = permit::fill(&page, permit, "").unwrap_err();
        assert_eq!(said(&error), (ErrorCode::InvalidInput, "options.permit"));
    }
    let request = |permit: &str| {
        let orders = permit::order().write();
        restated(&format!(r#"{{"orders":{orders},"makerDecimals":18,"takerDecimals":6{permit}}}"#), "")
    };
    let error = page.submit_with(&build, &request("")).unwrap_err();
    assert_eq!(said(&error), (ErrorCode::VerifyMismatch, "build.transaction.data"));
    let error = page.submit_with(&build, &request(&format!(r#","permit":{}"#, signed.write()))).unwrap_err();
    assert_eq!(said(&error), (ErrorCode::InvalidInput, "options.permit"));
    assert!(page.world.wallet_was_asked(SEND).is_empty());
}

#[test]
fn the_approval_in_a_build_of_another_client_raises_nothing() {
    let rig = tab();
    rig.world.signer.borrow_mut().atomic = Some("supported");
    market::prepare(&rig, 8453, SRC, 5);
    let build = market::built(&rig, SELL).unwrap();
    let mut more = at(&build, "approval").clone();
    more = forged(&more, "amount", &format!(r#""{}""#, U256::MAX));
    let page = next(&rig);
    let request = market::market(&with(SELL, r#""minReceived":"39000000000000000""#));
    page.submit_with(&forged(&build, "approval", &more.write()), &restated(&request, "")).unwrap();
    let asked = page.world.wallet_was_asked("wallet_sendCalls");
    let asked = json(&asked[0]);
    let amount = U256::from_str_radix(&text(&asked, "0.calls.0.data")[74..], 16).unwrap();
    assert_eq!(amount, U256::from(100_000_000));
}
