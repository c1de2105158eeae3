//! Builds: the route that has to come back as it went out, and the order made from it.

use serde_json::{Value, json};

use crate::started::sandbox;
use crate::trade::{Swap, number};

#[test]
fn a_route_that_went_through_a_json_parser_is_refused() {
    let sandbox = sandbox();
    let swap = Swap::default();
    let route = swap.quote(&sandbox).route;
    // Each is what a parser and writer of some language does to it.
    let number = route.split(r#""id":"#).nth(1).unwrap().split(',').next().unwrap();
    assert_eq!(number.len(), 20);
    let changed = [
        route.replace("1.0", "1"),
        route.replace(r"\u00e9", "é"),
        route.replace(number, &format!("{}000", &number[..17])),
        route.replace(r#""round":0,"10":[]"#, r#""10":[],"round":0"#),
        serde_json::from_str::<Value>(&route).unwrap().to_string(),
        route.replacen(':', ": ", 1),
    ];
    for changed in changed {
        assert_ne!(changed, route);
        let details = swap.try_build(&sandbox, &changed).refused(400, "InvalidInput");
        assert!(details.contains("validation failure"), "{details}");
    }
    swap.try_build(&sandbox, &route).ok();
}

#[test]
fn a_route_that_went_through_a_json_parser_is_taken_where_routes_are_json() {
    let sandbox = sandbox();
    sandbox.settings(json!({"routes": "json"}));
    let swap = Swap::default();
    let route = swap.quote(&sandbox).route;
    let members: Value = serde_json::from_str(&route).unwrap();
    let number = route.split(r#""id":"#).nth(1).unwrap().split(',').next().unwrap();
    for same in [
        // Sorted, with other escapes, a float where there were twenty digits, and as it was.
        members.to_string(),
        route.replace("1.0", "1").replace(r"\u00e9", "é"),
        route.replace(number, &format!("{:.1}", number.parse::<f64>().unwrap())),
        route.replacen(':', " : ", 3),
        route.clone(),
    ] {
        let order = swap.try_build(&sandbox, &same).ok();
        assert_eq!(order["toSign"]["value"]["destToken"], sandbox.token(swap.dest).to_lowercase());
    }
    for other in [
        route.replacen(r#""amount":"1"#, r#""amount":"2"#, 1),
        route.replacen("{", r#"{"more":1,"#, 1),
        route.replace(r#","round":0"#, ""),
        route.replace(r#""weight":1.0"#, r#""weight":"1.0""#),
        route.replace(r#""10":[]"#, r#""10":{}"#),
        "{}".into(),
    ] {
        assert_ne!(other, route);
        swap.try_build(&sandbox, &other).refused(400, "InvalidInput");
    }
    sandbox.advance(31);
    swap.try_build(&sandbox, &members.to_string()).refused(400, "StalePriceRoute");
}

#[test]
fn a_build_without_slippage_uses_a_hundred_bps() {
    let sandbox = sandbox();
    let order = Swap { build: json!({"slippage": null}), ..Swap::default() }.signed(&sandbox).order;
    assert_eq!(number(&order["destAmount"]), number(&order["expectedAmount"]) * 9_900 / 10_000);
}

#[test]
fn a_route_is_stale_after_thirty_seconds_of_the_chains_clock() {
    let sandbox = sandbox();
    let swap = Swap::default();
    let route = swap.quote(&sandbox).route;
    swap.try_build(&sandbox, &route).ok();
    sandbox.advance(40);
    swap.try_build(&sandbox, &route).refused(400, "StalePriceRoute");
    let fresh = swap.quote(&sandbox).route;
    sandbox.advance(20);
    swap.try_build(&sandbox, &fresh).ok();
}

#[test]
fn slippage_moves_the_free_side_and_is_rounded_down() {
    let sandbox = sandbox();
    let sale = Swap { build: json!({"slippage": 77}), ..Swap::default() };
    let order = sale.signed(&sandbox).order;
    let expected = number(&order["expectedAmount"]);
    assert_eq!(number(&order["destAmount"]), expected * (10_000 - 77) / 10_000);
    assert_eq!(order["srcAmount"], "100000000");

    let purchase = Swap { side: "BUY", amount: 7_654_321_000_000_000_003, ..sale };
    let order = purchase.signed(&sandbox).order;
    let expected = number(&order["expectedAmount"]);
    assert_eq!(number(&order["srcAmount"]), expected * (10_000 + 77) / 10_000);
    assert_eq!(order["destAmount"], "7654321000000000003");
}

#[test]
fn an_order_that_cannot_be_built_is_refused_by_name() {
    let sandbox = sandbox();
    let now = sandbox.now();
    let wrong = [
        ("slippage", json!(10_001)),
        ("slippage", json!("50")),
        ("slippage", json!(0.5)),
        ("owner", Value::Null),
        ("owner", json!("0x12")),
        ("owner", json!("0x0000000000000000000000000000000000000000")),
        ("beneficiary", json!("0x0000000000000000000000000000000000000000")),
        ("deadline", Value::Null),
        ("deadline", json!(now - 1)),
        ("deadline", json!((now + 60).to_string())),
        ("side", json!("BUY")),
        ("side", json!("sell")),
        ("nonce", json!(1)),
        ("nonce", json!("0x1")),
        ("permit", json!("0x02")),
        ("metadata", json!("text")),
        ("limitAmount", json!(5)),
        ("limitAmount", json!("0")),
        ("partner", json!(1)),
        ("partnerFeeBps", json!(201)),
        ("partnerFeeBps", json!("10")),
        ("partnerAddress", json!("me")),
        ("orderType", json!("SwapOrder")),
        ("partiallyFillable", json!("true")),
        ("capSurplus", json!("yes")),
    ];
    for (member, value) in wrong {
        let swap = Swap { build: json!({member: value}), ..Swap::default() };
        let answer = swap.try_build(&sandbox, &swap.quote(&sandbox).route);
        let details = answer.refused(400, "InvalidInput").to_lowercase();
        assert!(details.contains(&member.to_lowercase()), "{member} {value}: {details}");
    }
    sandbox.post_text("/v2/delta/orders/build", "[]").unwrap().refused(400, "InvalidInput");
    assert_eq!(
        sandbox.post("/v2/delta/orders/build", &json!({"owner": sandbox.account(0)})).refused(400, "InvalidInput"),
        "route is required"
    );
}
