//! Reading OTC orders: one, a maker's, a taker's.

use super::{Desk, Rig, address, desk, json, set, text};
use crate::fake_host::{answer, at};
use alloy_primitives::U256;
use verify::internal::error::{Error, ErrorCode};
use verify::internal::json::Json;

const HASH: &str = "0x7777777777777777777777777777777777777777777777777777777777777777";
const TAKER: &str = "0x4444444444444444444444444444444444444444";

#[test]
fn every_parameter_of_a_list_arrives() {
    let rig = Rig::default();
    let filter = r#"{"chainId":8453,"type":"P2P","limit":7,"offset":0,"orderBy":"expiry","hideSmallBalances":true}"#;
    let page = rig.call("otc.orders", &json(filter), "{}").unwrap();
    let taker = format!(r#"{{"chainId":8453,"taker":"{TAKER}","type":"LIMIT"}}"#);
    rig.call("otc.orders", &json(&taker), "{}").unwrap();
    let urls: Vec<String> = rig.world.sent("otcOrders").into_iter().map(|request| request.url).collect();
    assert_eq!(
        urls,
        [
            format!(
                "https://service.test/ft/p2p/8453/maker/{}?type=P2P&limit=7&offset=0&orderBy=expiry&hideSmallBalances=true",
                rig.owner()
            ),
            format!("https://service.test/ft/p2p/8453/taker/{TAKER}?type=LIMIT"),
        ]
    );
    assert_eq!(page.write(), r#"{"orders":[],"limit":100,"offset":0,"total":0,"hasMore":false}"#);
}

#[test]
fn an_invalid_filter_is_refused_by_name() {
    for (filter, field) in [
        (r#"{}"#, "filter.chainId"),
        (r#"{"chainId":8453,"type":"OTC"}"#, "filter.type"),
        (r#"{"chainId":8453,"limit":0}"#, "filter.limit"),
        (r#"{"chainId":8453,"offset":-1}"#, "filter.offset"),
        (r#"{"chainId":8453,"orderBy":"price"}"#, "filter.orderBy"),
        (r#"{"chainId":8453,"hideSmallBalances":1}"#, "filter.hideSmallBalances"),
        (r#"{"chainId":8453,"page":1}"#, "filter.page"),
    ] {
        let error = Rig::default().call("otc.orders", &json(filter), "{}").unwrap_err();
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some(field)));
    }
    let both = format!(r#"{{"chainId":8453,"maker":"{TAKER}","taker":"{TAKER}"}}"#);
    let error = Rig::default().call("otc.orders", &json(&both), "{}").unwrap_err();
    assert_eq!(error.field.as_deref(), Some("filter.taker"));
}

#[test]
fn an_order_is_told_as_it_came_bare_or_wrapped() {
    for wrapped in [false, true] {
        let rig = Rig::default();
        rig.world.service.borrow_mut().next("otcOrder", move |_, _| {
            let order =
                format!(r#"{{"orderHash":"{HASH}","state":"ODD","serial":12345678901234567890,"x":"Caf\u00e9"}}"#);
            answer(200, if wrapped { format!(r#"{{"order":{order}}}"#) } else { order })
        });
        let order = rig.call("otc.order", &Json::String(HASH.into()), "{}").unwrap();
        assert_eq!((text(&order, "state"), text(&order, "x")), ("ODD", "Café"));
        assert_eq!(at(&order, "serial"), &Json::Number("12345678901234567890".into()));
    }
}

#[test]
fn another_order_than_the_one_asked_for_is_refused() {
    let rig = Rig::default();
    let other = format!(r#"{{"orderHash":"{}","state":"PENDING"}}"#, HASH.replace('7', "8"));
    rig.world.service.borrow_mut().next("otcOrder", move |_, _| answer(200, other));
    let error = rig.call("otc.order", &Json::String(HASH.into()), "{}").unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::ServiceMalformed, Some("order.orderHash")));
    let error = rig.call("otc.order", &Json::String(HASH.into()), "{}").unwrap_err();
    assert_eq!((error.code, error.status), (ErrorCode::ServiceRejected, Some(404)));
    let error = rig.call("otc.order", &Json::String("0x12".into()), "{}").unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("orderHash")));
}

/// Members that are signed, and values that the order does not have.
const SIGNED: [(&str, &str); 8] = [
    ("nonceAndMeta", r#""8""#),
    ("expiry", "1800003601"),
    ("makerAsset", r#""0x00000000000000000000000000000000000bad00""#),
    ("takerAsset", r#""0x00000000000000000000000000000000000bad00""#),
    ("maker", r#""0x00000000000000000000000000000000000bad00""#),
    ("taker", r#""0x00000000000000000000000000000000000bad00""#),
    ("makerAmount", r#""99999999""#),
    ("takerAmount", r#""1""#),
];

/// The answers of `otc.order` and of a list of the maker's, where the service answers this.
fn told(desk: &Desk, order: &Json) -> [Result<Json, Error>; 2] {
    let (maker, hash, said) = (desk.maker.accounts[0], text(order, "orderHash").to_owned(), order.write());
    let page = format!(r#"{{"orders":[{said}]}}"#);
    desk.rig.world.service.borrow_mut().next("otcOrder", move |_, _| answer(200, said));
    desk.rig.world.service.borrow_mut().next("otcOrders", move |_, _| answer(200, page));
    let filter = json(&format!(r#"{{"chainId":8453,"maker":"{maker}"}}"#));
    let first = |page: Json| at(&page, "orders.0").clone();
    [desk.rig.call("otc.order", &Json::String(hash), "{}"), desk.rig.call("otc.orders", &filter, "{}").map(first)]
}

#[test]
fn an_order_that_does_not_match_its_hash_is_refused() {
    let desk = desk();
    let honest = desk.order(&[]);
    for read in told(&desk, &honest) {
        assert!(read.unwrap().same_as(&honest));
    }
    for (member, value) in SIGNED {
        let mut order = honest.clone();
        set(&mut order, member, value);
        for (read, place) in told(&desk, &order).into_iter().zip(["order.", "page.orders.0."]) {
            let error = read.expect_err(member);
            assert_eq!(error.code, ErrorCode::ServiceMalformed, "{member}");
            assert!(error.field.as_deref().unwrap().starts_with(place), "{error:?}");
        }
    }
    let mut elsewhere = honest.clone();
    set(&mut elsewhere, "chainId", "10");
    for read in told(&desk, &elsewhere) {
        assert_eq!(read.unwrap_err().code, ErrorCode::ServiceMalformed);
    }
}

#[test]
fn an_order_that_cannot_be_hashed_here_is_told_and_marked() {
    let desk = desk();
    for (member, value) in [("makerAssetId", r#""5""#), ("takerAssetId", "5"), ("expiry", "null")] {
        let mut order = desk.order(&[]);
        set(&mut order, member, value);
        let mut expected = order.clone();
        set(&mut expected, "unverified", "true");
        for read in told(&desk, &order) {
            assert!(read.unwrap().same_as(&expected), "{member}");
        }
    }
    let mut order = desk.order(&[]);
    set(&mut order, "chainId", "31337");
    let [read, list] = told(&desk, &order);
    assert_eq!(at(&read.unwrap(), "unverified"), &Json::Bool(true), "no contract is known there");
    assert_eq!(list.unwrap_err().field.as_deref(), Some("page.orders.0.chainId"));
}

#[test]
fn a_list_for_a_taker_has_what_that_taker_may_fill() {
    let desk = desk();
    let meta = U256::from_be_bytes(address(TAKER).into_word().0).to_string();
    let quoted = |text: &str| format!(r#""{text}""#);
    for (taker, nonce_and_meta, is_listed) in [
        (TAKER, "7", true),
        ("0x0000000000000000000000000000000000000000", "7", true),
        (super::RFQ, &meta, true),
        (super::RFQ, "7", false),
    ] {
        let order = desk.order(&[("taker", &quoted(taker)), ("nonceAndMeta", &quoted(nonce_and_meta))]);
        let page = format!(r#"{{"orders":[{}]}}"#, order.write());
        desk.rig.world.service.borrow_mut().next("otcOrders", move |_, _| answer(200, page));
        let filter = json(&format!(r#"{{"chainId":8453,"taker":"{TAKER}"}}"#));
        let read = desk.rig.call("otc.orders", &filter, "{}");
        match read {
            Ok(page) => assert!(is_listed && at(&page, "orders.0").same_as(&order), "{taker}"),
            Err(error) => assert_eq!((is_listed, error.field.as_deref()), (false, Some("page.orders.0.taker"))),
        }
    }
}

#[test]
fn the_answer_to_a_post_is_the_order_that_was_posted() {
    for (member, value) in SIGNED {
        let rig = Rig::default();
        let key = (address(super::SRC), address(super::RFQ));
        rig.world.chain.borrow_mut().node(8453).allowances.insert(key, U256::MAX);
        let build = rig.call("otc.build", &json(super::OFFER), "{}").unwrap();
        rig.world.service.borrow_mut().next("otcPost", move |service, request| {
            let mut order = json(&service.honest(request).ok().unwrap().body);
            set(&mut order, member, value);
            answer(200, order.write())
        });
        let order = rig.submit(&build).unwrap();
        assert_eq!(text(&order, "orderHash"), text(&build, "orderHash"));
        assert_eq!(rig.world.sent("otcOrder").len(), 1, "{member}: looked for where the answer was another's");
    }
}
