//! Lists of orders, balances and allowances.

use super::fake_host::{DELTA, Rig, SELL, SRC, WRAPPED, Watched, at, json, text, with};
use alloy_primitives::U256;
use verify::internal::error::{Error, ErrorCode};
use verify::internal::json::Json;

fn orders(rig: &Rig, filter: &str) -> Result<Json, Error> {
    rig.call("orders", &json(filter), "{}")
}

#[track_caller]
fn assert_wrong_input<T: std::fmt::Debug>(outcome: Result<T, Error>, field: &str) {
    let error = outcome.expect_err(field);
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some(field)), "{error:?}");
}

#[test]
fn a_filter_arrives_as_the_query_it_stands_for() {
    let rig = Rig::default();
    let owner = rig.owner();
    for (filter, query) in [
        ("{}", String::new()),
        (r#"{"chainId":8453}"#, "&chainId=8453".into()),
        (
            r#"{"chainId":[1,8453],"status":["ACTIVE","PENDING"],"page":2,"limit":1000,"type":"LIMIT"}"#,
            "&page=2&limit=1000&chainId=1,8453&type=LIMIT&status=ACTIVE,PENDING".into(),
        ),
        (r#"{"onChainOrderType":"Order & more"}"#, "&onChainOrderType=Order%20%26%20more".into()),
    ] {
        orders(&rig, filter).unwrap();
        let sent = rig.world.sent("orders").pop().unwrap();
        assert_eq!(sent.url, format!("https://service.test/v2/delta/orders?userAddress={owner}{query}"));
    }
    orders(&rig, &format!(r#"{{"account":"{WRAPPED}"}}"#)).unwrap();
    let sent = rig.world.sent("orders").pop().unwrap().url.to_ascii_lowercase();
    assert!(sent.ends_with(&format!("?useraddress={WRAPPED}")), "{sent}");
}

#[test]
fn an_invalid_filter_is_refused() {
    let rig = Rig::default();
    for (filter, field) in [
        (r#"{"limit":1001}"#, "filter.limit"),
        (r#"{"page":-1}"#, "filter.page"),
        (r#"{"type":"TWAP"}"#, "filter.type"),
        (r#"{"state":"ACTIVE"}"#, "filter.state"),
        (r#"{"account":"0x00"}"#, "filter.account"),
        (r#"{"chainId":["one"]}"#, "filter.chainId.0"),
        ("[]", "filter"),
    ] {
        assert_wrong_input(orders(&rig, filter), field);
    }
    assert!(rig.world.sent("orders").is_empty());
}

#[test]
fn an_order_id_cannot_address_the_list_endpoint() {
    let rig = Rig::default();
    for name in ["", ".", ".."] {
        let name = Json::String(name.into());
        assert_wrong_input(rig.call("order", &name, "{}"), "idOrHash");
        assert_wrong_input(Watched::new(&name, "{}"), "order");
        assert_wrong_input(Watched::new(&json(&format!(r#"{{"id":{}}}"#, name.write())), "{}"), "order.id");
    }
    assert_wrong_input(rig.call("order", &Json::Null, "{}"), "idOrHash");
    assert!(rig.world.sent("order").is_empty());
}

#[test]
fn a_page_is_read_with_or_without_its_frame() {
    let rig = Rig::default();
    let order = r#"{"id":"1","status":"NEW_ONE","more":[1.0],"unverified":true}"#;
    rig.world.service.borrow_mut().next_is(
        "orders",
        200,
        r#"{"data":[{"id":"1","status":"NEW_ONE","more":[1.0]}],"total":7,"page":1,"limit":1,"hasMore":true}"#,
    );
    let page = orders(&rig, "{}").unwrap();
    assert_eq!(at(&page, "orders.0").write(), order);
    assert_eq!((text(&page, "total"), at(&page, "hasMore")), ("7", &Json::Bool(true)));
    rig.world.service.borrow_mut().next_is("orders", 200, r#"[{"id":"1","status":"NEW_ONE","more":[1.0]}]"#);
    let page = orders(&rig, "{}").unwrap();
    assert_eq!(at(&page, "orders.0").write(), order);
    assert_eq!((at(&page, "total"), at(&page, "hasMore")), (&Json::Null, &Json::Bool(false)));
    rig.world.service.borrow_mut().next_is("orders", 200, r#"{"orders":[]}"#);
    assert_eq!(orders(&rig, "{}").unwrap_err().code, ErrorCode::ServiceMalformed);
}

#[test]
fn an_order_is_read_by_id_or_hash() {
    let rig = Rig::default();
    let posted = rig.submit(&rig.built(SELL).unwrap()).unwrap();
    for name in ["id", "orderHash"] {
        let read = rig.call("order", at(&posted, name), "{}").unwrap();
        assert!(read.same_as(&posted));
    }
    let error = rig.call("order", &json(r#""order-../../x y""#), "{}").unwrap_err();
    assert_eq!((error.code, error.status), (ErrorCode::ServiceRejected, Some(404)));
    let url = rig.world.sent("order").pop().unwrap().url;
    assert!(url.ends_with("/v2/delta/orders/order-..%2F..%2Fx%20y"), "{url}");
}

#[test]
fn balances_and_allowances_are_read_from_the_chain() {
    let rig = Rig::default();
    rig.world.chain.borrow_mut().node(8453).balance = U256::MAX;
    let key = (SRC.parse().unwrap(), WRAPPED.parse().unwrap());
    rig.world.chain.borrow_mut().node(8453).allowances.insert(key, U256::from(5));
    let query = |more: &str| json(&format!(r#"{{"chainId":8453,"token":"{SRC}"{more}}}"#));
    let balance = |more: &str| rig.call("info.balance", &query(more), "{}");
    let allowance = |more: &str| rig.call("approvals.allowance", &query(more), "{}");
    assert_eq!(balance("").unwrap(), json(&format!(r#""{}""#, U256::MAX)));
    assert_eq!(allowance("").unwrap(), json(r#""1000000000000""#));
    assert_eq!(allowance(&format!(r#","spender":"{DELTA}""#)).unwrap(), json(r#""1000000000000""#));
    assert_eq!(allowance(&format!(r#","spender":"{WRAPPED}""#)).unwrap(), json(r#""5""#));
    assert_wrong_input(balance(r#","spender":"0x00""#), "query.spender");
    let native = json(r#"{"chainId":8453,"token":"native"}"#);
    assert_wrong_input(rig.call("approvals.allowance", &native, "{}"), "query.token");
    let elsewhere = json(&format!(r#"{{"chainId":56,"token":"{SRC}"}}"#));
    assert_wrong_input(rig.call("info.balance", &elsewhere, "{}"), "rpc.56");
    rig.world.assert_untouched();
}

#[test]
fn without_account_and_wallet_an_account_is_required() {
    let rig = Rig::with(|_, bound| bound.wallet = None);
    assert_wrong_input(orders(&rig, "{}"), "filter.account");
    let build = rig.quote(SELL).and_then(|quote| rig.build(&quote, r#"{"slippageBps":50}"#));
    assert_wrong_input(build, "options.account");
    let build =
        rig.quote(SELL).and_then(|quote| rig.build(&quote, &format!(r#"{{"slippageBps":50,"account":"{WRAPPED}"}}"#)));
    assert_eq!(text(&build.unwrap(), "owner").to_ascii_lowercase(), WRAPPED);
    let named = with(SELL, &format!(r#""account":"{SRC}""#));
    let build = rig
        .quote(&named)
        .and_then(|quote| rig.build(&quote, &format!(r#"{{"slippageBps":50,"account":"{WRAPPED}"}}"#)));
    assert_wrong_input(build, "options.account");
}
