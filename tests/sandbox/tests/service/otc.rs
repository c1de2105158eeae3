//! The OTC endpoints: posting, states, lists and fillable balances.

use alloy_primitives::{Address, U256};
use sandbox::otc::{IRfq, RfqOrder};
use serde_json::{Value, json};

use crate::offer::{Offer, PLENTY, address, approve_rfq, members, order, otc_sandbox, send, token};
use crate::started::Sandbox;

fn offer(sandbox: &Sandbox) -> Offer {
    Offer::sign(sandbox, order(sandbox)).with_allowances(sandbox, 2)
}

fn list(sandbox: &Sandbox, target: &str) -> Vec<Value> {
    sandbox.get(target).ok()["orders"].as_array().unwrap().clone()
}

fn hashes(orders: &[Value]) -> Vec<&str> {
    orders.iter().map(|order| order["orderHash"].as_str().unwrap()).collect()
}

#[test]
fn a_posted_order_is_stored_with_every_member() {
    let sandbox = otc_sandbox();
    let offer = offer(&sandbox);
    let reply = offer.post(&sandbox).ok();
    let stored = &reply["order"];
    let lower = |value: &Value| json!(value.as_str().unwrap().to_lowercase());
    let sent = members(&offer.order);
    for name in ["maker", "taker", "makerAsset", "takerAsset"] {
        assert_eq!(stored[name], lower(&sent[name]), "{name}");
    }
    for name in ["nonceAndMeta", "expiry", "makerAmount", "takerAmount"] {
        assert_eq!(stored[name], sent[name], "{name}");
    }
    assert_eq!((&stored["orderHash"], &stored["signature"]), (&json!(offer.hash), &json!(offer.signature)));
    assert_eq!(
        (&stored["state"], &stored["type"], &stored["chainId"]),
        (&json!("PENDING"), &json!("LIMIT"), &json!(31337))
    );
    assert_eq!((&stored["permitMakerAsset"], &stored["transactionHash"]), (&Value::Null, &Value::Null));
    for name in ["makerBalance", "fillableBalance", "swappableBalance"] {
        assert_eq!(stored[name], "100000000", "{name}");
    }
    assert_eq!(stored["reservedBalance"], "0");
    assert_eq!(stored["takerFromMeta"], "0x0000000000000000000000000000000000000000");
    assert!(stored["createdAt"].as_u64() > Some(1_600_000_000) && stored["updatedAt"].is_u64());
    assert_eq!(&offer.stored(&sandbox), stored);
    sandbox.settings(json!({"otcPostReply": "bare"}));
    let without_slash = sandbox.post("/ft/p2p/31337", &offer.body()).ok();
    assert_eq!(&without_slash, stored, "the same again is the same order");
    for status in [400, 409] {
        sandbox.settings(json!({"duplicateStatus": status}));
        offer.post(&sandbox).refused(status, "OrderAlreadyExists");
    }
}

#[test]
fn only_the_makers_signature_over_exactly_this_order_is_taken() {
    let sandbox = otc_sandbox();
    let offer = offer(&sandbox);
    let other = "0x00000000000000000000000000000000000f12e4";
    let changes: [(&str, Value); 8] = [
        ("nonceAndMeta", json!("1")),
        ("expiry", json!(0)),
        ("makerAsset", json!(sandbox.token("DAI"))),
        ("takerAsset", json!(sandbox.token("DAI"))),
        ("maker", json!(sandbox.account(2))),
        ("taker", json!(other)),
        ("makerAmount", json!("100000001")),
        ("takerAmount", json!("1")),
    ];
    for (name, value) in changes {
        let mut body = offer.body();
        body[name] = value;
        let details = sandbox.post("/ft/p2p/31337/", &body).refused(400, "InvalidSignature");
        assert_eq!(details, "Order signature does not recover to maker", "{name}");
    }
    let mut body = offer.body();
    body["signature"] = json!(format!("{}00", offer.signature));
    sandbox.post("/ft/p2p/31337/", &body).refused(400, "InvalidSignature");
    // Another chain is another domain.
    let endless = Offer::sign(&sandbox, RfqOrder { expiry: 0, ..order(&sandbox) });
    sandbox.post("/ft/p2p/31338/", &endless.body()).refused(400, "InvalidSignature");
    sandbox.post("/ft/p2p/1/", &offer.body()).refused(422, "UnsupportedChain");
    body["signature"] = json!(offer.compact_signature());
    assert_eq!(sandbox.post("/ft/p2p/31337/", &body).ok()["order"]["signature"], body["signature"]);
}

#[test]
fn a_post_of_another_shape_is_refused_by_name() {
    let sandbox = otc_sandbox();
    let offer = offer(&sandbox);
    let wrong: [(&str, Value); 16] = [
        ("nonceAndMeta", json!(5)),
        ("nonceAndMeta", json!("0x5")),
        ("expiry", json!("1700000000")),
        ("expiry", json!(-1)),
        ("makerAsset", json!("USDC")),
        ("makerAsset", json!("0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE")),
        ("takerAsset", json!(sandbox.token("USDC"))),
        ("takerAsset", json!("0x00000000000000000000000000000000000f12e4")),
        ("makerAmount", json!("0")),
        ("makerAmount", json!(1)),
        ("takerAmount", json!("01")),
        ("takerAmount", json!("0")),
        ("maker", Value::Null),
        ("maker", json!("0x0000000000000000000000000000000000000000")),
        ("signature", json!("")),
        ("permitMakerAsset", json!(7)),
    ];
    for (name, value) in wrong {
        let mut body = offer.body();
        body[name] = value;
        let details = sandbox.post("/ft/p2p/31337/", &body).refused(400, "InvalidInput");
        assert!(details.contains(name), "{details}");
    }
    sandbox.post_text("/ft/p2p/31337/", "{").unwrap().refused(400, "InvalidInput");
    let late = Offer::sign(&sandbox, RfqOrder { expiry: u128::from(sandbox.now() - 1), ..order(&sandbox) });
    late.post(&sandbox).refused(400, "OrderExpired");
    let with_permit = {
        let mut body = offer.body();
        body["permitMakerAsset"] = json!("0x0102");
        sandbox.post("/ft/p2p/31337/", &body).ok()
    };
    assert_eq!(with_permit["order"]["permitMakerAsset"], "0x0102");
}

#[test]
fn fills_and_cancels_are_read_from_the_chain() {
    let sandbox = otc_sandbox();
    let (filled, cancelled) = (offer(&sandbox), offer(&sandbox));
    for offer in [&filled, &cancelled] {
        offer.post(&sandbox).ok();
    }
    let posted_at = filled.stored(&sandbox)["updatedAt"].as_u64().unwrap();
    sandbox.advance(20);
    sandbox.settings(json!({"indexing": false}));
    send(&sandbox, 2, &filled.part(filled.order.takerAmount / U256::from(4)));
    assert_eq!(filled.stored(&sandbox)["transactionHash"], Value::Null, "not indexed yet");
    sandbox.settings(json!({"indexing": true}));
    let part = filled.stored(&sandbox);
    assert_eq!((&part["state"], &part["fillableBalance"]), (&json!("PENDING"), &json!("75000000")));
    assert!(part["updatedAt"].as_u64().unwrap() >= posted_at + 20);
    let transaction = sandbox.rpc("eth_getTransactionByHash", json!([part["transactionHash"]]));
    assert_eq!(transaction["from"], sandbox.account(2).to_lowercase());

    send(&sandbox, 2, &filled.part(filled.order.takerAmount - filled.order.takerAmount / U256::from(4)));
    let whole = filled.stored(&sandbox);
    assert_eq!(
        (&whole["state"], &whole["fillableBalance"], &whole["swappableBalance"]),
        (&json!("FULFILLED"), &json!("0"), &json!("0"))
    );
    assert_ne!(whole["transactionHash"], part["transactionHash"], "the last fill");

    send(&sandbox, 3, &IRfq::cancelOrderCall { orderHash: cancelled.hash });
    assert_eq!(cancelled.stored(&sandbox)["state"], "PENDING", "a stranger's cancel");
    send(&sandbox, 1, &IRfq::cancelOrderCall { orderHash: cancelled.hash });
    let gone = cancelled.stored(&sandbox);
    assert_eq!((&gone["state"], &gone["fillableBalance"]), (&json!("CANCELLED"), &json!("0")));
    let transaction = sandbox.rpc("eth_getTransactionByHash", json!([gone["transactionHash"]]));
    assert_eq!(transaction["from"], sandbox.account(1).to_lowercase());
}

#[test]
fn an_order_beyond_the_makers_funds_is_suspended_until_they_are_there() {
    let sandbox = otc_sandbox();
    let maker = sandbox.account(1);
    let usdc = token(&sandbox, "USDC");
    let offer = offer(&sandbox);
    approve_rfq(&sandbox, usdc, &maker, 99_999_999);
    let posted = offer.post(&sandbox).ok();
    assert_eq!(posted["order"]["state"], "SUSPENDED");
    assert_eq!(
        (&posted["order"]["makerBalance"], &posted["order"]["swappableBalance"]),
        (&json!("99999999"), &json!("99999999"))
    );
    approve_rfq(&sandbox, usdc, &maker, 150_000_000);
    assert_eq!(offer.stored(&sandbox)["state"], "PENDING");
    // A second order has what the first one leaves.
    let second = Offer::sign(&sandbox, order(&sandbox));
    let posted = second.post(&sandbox).ok();
    assert_eq!(posted["order"]["state"], "SUSPENDED");
    assert_eq!(
        (&posted["order"]["reservedBalance"], &posted["order"]["swappableBalance"]),
        (&json!("100000000"), &json!("50000000"))
    );
    assert_eq!(offer.stored(&sandbox)["state"], "PENDING");
    approve_rfq(&sandbox, usdc, &maker, 200_000_000);
    assert_eq!(second.stored(&sandbox)["state"], "PENDING");
    approve_rfq(&sandbox, usdc, &maker, 0);
    assert_eq!(offer.stored(&sandbox)["state"], "SUSPENDED");
    sandbox.advance(601);
    let expired = offer.stored(&sandbox);
    assert_eq!((&expired["state"], &expired["swappableBalance"]), (&json!("EXPIRED"), &json!("0")));
}

#[test]
fn lists_show_a_makers_orders_and_those_for_a_taker() {
    let sandbox = otc_sandbox();
    let (maker, taker): (Address, Address) = (address(&sandbox, 4), address(&sandbox, 3));
    approve_rfq(&sandbox, token(&sandbox, "USDC"), &sandbox.account(4), PLENTY);
    let base = RfqOrder { maker, ..order(&sandbox) };
    let for_taker = U256::from_be_slice(taker.as_slice());
    let open = Offer::sign(&sandbox, RfqOrder { expiry: base.expiry + 5, ..base.clone() });
    let named = Offer::sign(&sandbox, RfqOrder { taker, expiry: base.expiry + 9, ..base.clone() });
    let meant = Offer::sign(&sandbox, RfqOrder { nonceAndMeta: base.nonceAndMeta | for_taker, ..base.clone() });
    let small = Offer::sign(
        &sandbox,
        RfqOrder { makerAmount: U256::from(999_999), nonceAndMeta: base.nonceAndMeta + (U256::ONE << 200), ..base },
    );
    let of_maker = format!("/ft/p2p/31337/maker/{}", sandbox.account(4));
    let before = sandbox.get(&of_maker).ok()["total"].as_u64().unwrap();
    for offer in [&open, &named, &meant, &small] {
        offer.post(&sandbox).ok();
        sandbox.advance(2);
    }
    let page = sandbox.get(&format!("{of_maker}?limit=4")).ok();
    let counts = ["limit", "offset", "total", "hasMore"].map(|name| page[name].clone());
    assert_eq!(counts, [json!(4), json!(0), json!(before + 4), json!(before > 0)]);
    let text = |offer: &Offer| offer.hash.to_string();
    let newest: Vec<_> = [&small, &meant, &named, &open].map(text).to_vec();
    assert_eq!(hashes(page["orders"].as_array().unwrap()), newest);
    let second = sandbox.get(&format!("{of_maker}/?limit=1&offset=1")).ok();
    assert_eq!(
        (hashes(second["orders"].as_array().unwrap()), &second["hasMore"]),
        (vec![newest[1].as_str()], &json!(true))
    );

    let by_expiry = list(&sandbox, &format!("{of_maker}?orderBy=expiry&limit=2"));
    assert_eq!(hashes(&by_expiry), [text(&named), text(&open)]);
    send(&sandbox, 4, &IRfq::cancelOrderCall { orderHash: open.hash });
    open.stored(&sandbox);
    assert_eq!(hashes(&list(&sandbox, &format!("{of_maker}?orderBy=updatedAt&limit=1"))), [text(&open)]);
    let two_party = list(&sandbox, &format!("{of_maker}?type=P2P&limit=2"));
    assert_eq!(hashes(&two_party), [text(&meant), text(&named)]);
    let big = list(&sandbox, &format!("{of_maker}?hideSmallBalances=true&type=LIMIT"));
    assert!(!hashes(&big).contains(&text(&small).as_str()));
    assert!(hashes(&list(&sandbox, &format!("{of_maker}?type=LIMIT"))).contains(&text(&small).as_str()));

    let for_taker = list(&sandbox, &format!("/ft/p2p/31337/taker/{}?limit=2", sandbox.account(3)));
    assert_eq!(hashes(&for_taker), [text(&meant), text(&named)]);
    assert_eq!(for_taker[0]["takerFromMeta"], sandbox.account(3).to_lowercase());
    for wrong in ["limit=0", "limit=x", "offset=-1", "orderBy=price", "type=OTC", "hideSmallBalances=1"] {
        let details = sandbox.get(&format!("{of_maker}?{wrong}")).refused(400, "InvalidInput");
        assert!(details.contains(wrong.split('=').next().unwrap()), "{details}");
    }
    assert_eq!(sandbox.get("/ft/p2p/31338/maker/0x00000000000000000000000000000000000f12e4").ok()["total"], 0);
}

#[test]
fn a_fillable_balance_is_what_live_orders_claim_or_what_they_leave() {
    let sandbox = otc_sandbox();
    let maker = sandbox.account(1);
    let usdc = sandbox.token("USDC").to_lowercase();
    let offers = [offer(&sandbox), offer(&sandbox)];
    approve_rfq(&sandbox, token(&sandbox, "USDC"), &maker, 300_000_000);
    for offer in &offers {
        offer.post(&sandbox).ok();
    }
    send(&sandbox, 2, &offers[0].part(offers[0].order.takerAmount / U256::from(2)));
    let all = format!("/ft/fillablebalance/31337/{maker}");
    let one = format!("{all}/{}", sandbox.token("USDC"));
    assert_eq!(sandbox.get(&all).ok()[&usdc], "150000000");
    assert_eq!(sandbox.get(&one).ok(), json!({&usdc: "150000000"}));
    sandbox.settings(json!({"otcFillable": "available"}));
    assert_eq!(sandbox.get(&one).ok(), json!({&usdc: "100000000"}), "250 are left of the allowance");
    let nothing = sandbox.get(&format!("{all}/{}", sandbox.token("USDT"))).ok();
    assert_eq!(nothing, json!({sandbox.token("USDT").to_lowercase(): "0"}));
    sandbox.get("/ft/fillablebalance/31337/0x12").refused(400, "InvalidInput");
    sandbox.get(&format!("{all}/0x12")).refused(400, "InvalidInput");
    sandbox.get(&format!("/ft/fillablebalance/1/{maker}")).refused(422, "UnsupportedChain");
}

#[test]
fn an_order_nobody_posted_is_not_found() {
    let sandbox = otc_sandbox();
    sandbox.get(&format!("/ft/order/{}", alloy_primitives::B256::repeat_byte(3))).refused(404, "NotFound");
    sandbox.get("/ft/order/0x12").refused(400, "InvalidInput");
    sandbox.get("/ft/nothing").refused(404, "NotFound");
}
