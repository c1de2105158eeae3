//! Reading OTC orders: one, a maker's, a taker's.

use super::{Rig, json, text};
use crate::fake_host::at;
use verified_swap::error::ErrorCode;
use verified_swap::json::Json;

const HASH: &str = "0x7777777777777777777777777777777777777777777777777777777777777777";
const TAKER: &str = "0x4444444444444444444444444444444444444444";

#[test]
fn every_parameter_of_a_list_arrives() {
    let rig = Rig::default();
    let filter = r#"{"chainId":8453,"type":"P2P","limit":7,"offset":0,"orderBy":"expiry","hideSmallBalances":true}"#;
    let page = rig.call("otcOrders", &json(filter), "{}").unwrap();
    let taker = format!(r#"{{"chainId":8453,"taker":"{TAKER}","type":"LIMIT"}}"#);
    rig.call("otcOrders", &json(&taker), "{}").unwrap();
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
fn a_filter_that_can_not_be_meant_is_refused_by_name() {
    for (filter, field) in [
        (r#"{}"#, "filter.chainId"),
        (r#"{"chainId":8453,"type":"OTC"}"#, "filter.type"),
        (r#"{"chainId":8453,"limit":0}"#, "filter.limit"),
        (r#"{"chainId":8453,"offset":-1}"#, "filter.offset"),
        (r#"{"chainId":8453,"orderBy":"price"}"#, "filter.orderBy"),
        (r#"{"chainId":8453,"hideSmallBalances":1}"#, "filter.hideSmallBalances"),
        (r#"{"chainId":8453,"page":1}"#, "filter.page"),
    ] {
        let error = Rig::default().call("otcOrders", &json(filter), "{}").unwrap_err();
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some(field)));
    }
    let both = format!(r#"{{"chainId":8453,"maker":"{TAKER}","taker":"{TAKER}"}}"#);
    let error = Rig::default().call("otcOrders", &json(&both), "{}").unwrap_err();
    assert_eq!(error.field.as_deref(), Some("filter.taker"));
}

#[test]
fn an_order_is_told_as_it_came_bare_or_wrapped() {
    for wrapped in [false, true] {
        let rig = Rig::default();
        rig.world.service.borrow_mut().next("otcOrder", move |_, _| {
            let order =
                format!(r#"{{"orderHash":"{HASH}","state":"ODD","serial":12345678901234567890,"x":"Caf\u00e9"}}"#);
            crate::fake_host::answer(200, if wrapped { format!(r#"{{"order":{order}}}"#) } else { order })
        });
        let order = rig.call("otcOrder", &Json::String(HASH.into()), "{}").unwrap();
        assert_eq!((text(&order, "state"), text(&order, "x")), ("ODD", "Café"));
        assert_eq!(at(&order, "serial"), &Json::Number("12345678901234567890".into()));
    }
}

#[test]
fn another_order_than_the_one_asked_for_is_refused() {
    let rig = Rig::default();
    let other = format!(r#"{{"orderHash":"{}","state":"PENDING"}}"#, HASH.replace('7', "8"));
    rig.world.service.borrow_mut().next("otcOrder", move |_, _| crate::fake_host::answer(200, other));
    let error = rig.call("otcOrder", &Json::String(HASH.into()), "{}").unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::ServiceMalformed, Some("order.orderHash")));
    let error = rig.call("otcOrder", &Json::String(HASH.into()), "{}").unwrap_err();
    assert_eq!((error.code, error.status), (ErrorCode::ServiceRejected, Some(404)));
    let error = rig.call("otcOrder", &Json::String("0x12".into()), "{}").unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("orderHash")));
}
