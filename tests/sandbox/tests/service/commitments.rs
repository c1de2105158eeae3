//! The small reads about Delta, and the open forms of answers.

use serde_json::json;

use crate::started::sandbox;
use crate::trade::{Swap, wait_for};

#[test]
fn open_orders_that_rest_commit_what_they_may_still_take() {
    let sandbox = sandbox();
    sandbox.settings(json!({"solving": false}));
    let owner = sandbox.account(3);
    let path = format!("/v2/delta/orders/fillablebalance/31337/{owner}");
    let (dollars, dai) = (sandbox.token("USDC"), sandbox.token("DAI"));
    assert_eq!(sandbox.get(&path).ok(), json!({}));
    assert_eq!(sandbox.get(&format!("{path}/{dai}")).ok(), json!({dai.clone(): "0"}));
    let limit = Swap { owner: 3, post: json!({"type": "LIMIT"}), ..Swap::default() };
    let (_, whole) = limit.posted(&sandbox);
    let in_parts = Swap {
        owner: 3,
        side: "BUY",
        amount: 10_u128.pow(20),
        build: json!({"partiallyFillable": true, "slippage": null, "limitAmount": "120000000"}),
        post: json!({"type": "LIMIT", "partiallyFillable": true}),
        ..Swap::default()
    };
    let (_, posted) = in_parts.posted(&sandbox);
    // Neither of those: one does not rest, the other is on the other side.
    Swap { owner: 3, ..Swap::default() }.posted(&sandbox);
    assert_eq!(sandbox.get(&path).ok(), json!({dollars.clone(): "220000000"}));
    wait_for(&sandbox, &posted["id"], "ACTIVE");
    sandbox.post("/sandbox/fill", &json!({"orderId": posted["id"], "percent": 50})).ok();
    assert_eq!(sandbox.get(&format!("{path}/{dollars}")).ok(), json!({dollars.clone(): "160000000"}));
    sandbox.settings(json!({"fillableKeys": "lowercase"}));
    assert_eq!(sandbox.get(&path).ok(), json!({dollars.to_lowercase(): "160000000"}));
    sandbox.advance(700);
    wait_for(&sandbox, &posted["id"], "EXPIRED");
    wait_for(&sandbox, &whole["id"], "EXPIRED");
    assert_eq!(sandbox.get(&path).ok(), json!({}));
    sandbox.get("/v2/delta/orders/fillablebalance/31337/me").refused(400, "InvalidInput");
    sandbox.get(&format!("/v2/delta/orders/fillablebalance/1/{owner}")).refused(400, "UnsupportedChain");
}

#[test]
fn signed_limits_are_shown_beside_the_amounts_or_not() {
    let sandbox = sandbox();
    sandbox.settings(json!({"solving": false}));
    for shown in [true, false] {
        sandbox.settings(json!({"bounds": shown}));
        let (_, sale) = Swap::default().posted(&sandbox);
        assert_eq!(sale["output"].get("minAmount").is_some(), shown);
        let (_, purchase) = Swap { side: "BUY", amount: 10_u128.pow(19), ..Swap::default() }.posted(&sandbox);
        assert_eq!(purchase["input"].get("maxAmount").is_some(), shown);
    }
}

#[test]
fn orders_of_each_kind_are_found_by_it() {
    let sandbox = sandbox();
    sandbox.settings(json!({"solving": false}));
    let owner = sandbox.account(2);
    let twap = json!({"orderType": "TWAPOrder", "interval": 60, "numSlices": 2, "totalSrcAmount": "20000000"});
    let external = json!({"orderType": "ExternalOrder", "handler": sandbox.text("depository"), "data": "0x"});
    let kinds = [
        ("Order", json!({}), json!({})),
        ("FillableOrder", json!({"partiallyFillable": true}), json!({"partiallyFillable": true})),
        ("TWAPOrder", twap, json!({"onChainOrderType": "TWAPOrder"})),
        ("ExternalOrder", external, json!({"onChainOrderType": "ExternalOrder"})),
    ];
    let amount = 10_000_000;
    let posted = kinds.map(|(kind, build, post)| {
        let swap = Swap { owner: 2, amount, build, post, ..Swap::default() };
        (kind, swap.posted(&sandbox).1["id"].clone())
    });
    for (kind, id) in &posted {
        let list =
            sandbox.get(&format!("/v2/delta/orders?userAddress={owner}&onChainOrderType={kind}&limit=1000")).ok();
        let found: Vec<_> = list["data"].as_array().unwrap().iter().map(|order| &order["id"]).collect();
        assert_eq!(found[0], id, "{kind}");
        assert!(posted.iter().all(|(other, id)| other == kind || !found.contains(&id)));
    }
    let list = |kind: &str| sandbox.get(&format!("/v2/delta/orders?userAddress={owner}&onChainOrderType={kind}"));
    assert_eq!(list("ProductiveOrder").ok()["total"], 0);
    list("SwapOrder").refused(400, "InvalidInput");
}
