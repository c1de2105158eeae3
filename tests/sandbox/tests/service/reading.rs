//! Reads of orders.

use serde_json::{Value, json};

use crate::started::sandbox;
use crate::trade::{Swap, wait_for};

#[test]
fn an_order_is_found_by_id_and_by_hash() {
    let sandbox = sandbox();
    sandbox.settings(json!({"solving": false}));
    let (signed, posted) = Swap::default().posted(&sandbox);
    let by_id = wait_for(&sandbox, &posted["id"], "ACTIVE");
    let by_hash = sandbox.get(&format!("/v2/delta/orders/hash/{}", signed.hash)).ok();
    assert_eq!(by_id, by_hash);
    assert_eq!(by_hash["orderHash"], signed.hash.as_str());
    sandbox.get("/v2/delta/orders/00000000-0000-4000-8000-000000000000").refused(404, "NotFound");
    sandbox.get("/v2/delta/orders/1").refused(400, "InvalidInput");
    sandbox.get(&format!("/v2/delta/orders/hash/0x{}", "0".repeat(64))).refused(404, "NotFound");
    sandbox.get("/v2/delta/orders/hash/0x12").refused(400, "InvalidInput");
}

#[test]
fn an_account_sees_its_own_orders_page_by_page_the_newest_first() {
    let sandbox = sandbox();
    sandbox.settings(json!({"solving": false}));
    let owner = sandbox.account(3);
    let list = |query: &str| sandbox.get(&format!("/v2/delta/orders/?userAddress={owner}{query}")).ok();
    let before = list("")["total"].as_u64().unwrap();
    let swap = Swap { owner: 3, ..Swap::default() };
    let ids: Vec<Value> = (0..3).map(|_| swap.posted(&sandbox).1["id"].clone()).collect();
    let all = list("");
    assert_eq!(all["total"], before + 3);
    assert_eq!((&all["page"], &all["limit"]), (&json!(1), &json!(100)));
    assert_eq!((&all["data"][0]["id"], &all["data"][2]["id"]), (&ids[2], &ids[0]));
    let first = list("&limit=2");
    assert_eq!((first["data"].as_array().unwrap().len(), &first["hasMore"]), (2, &json!(true)));
    let second = list("&limit=2&page=2");
    assert_eq!(second["data"][0]["id"], ids[0]);
    let last = list(&format!("&limit=1&page={}", before + 3));
    assert_eq!((last["data"].as_array().unwrap().len(), &last["hasMore"]), (1, &json!(false)));
    assert_eq!(list("&page=1000")["data"], json!([]));
    let nobody = sandbox.get("/v2/delta/orders?userAddress=0x00000000000000000000000000000000000f12e4").ok();
    assert_eq!((&nobody["total"], &nobody["data"], &nobody["hasMore"]), (&json!(0), &json!([]), &json!(false)));
}

#[test]
fn a_list_is_filtered_by_chain_status_and_type() {
    let sandbox = sandbox();
    let owner = sandbox.account(1);
    let swap = Swap { owner: 1, ..Swap::default() };
    let (_, done) = swap.posted(&sandbox);
    wait_for(&sandbox, &done["id"], "COMPLETED");
    sandbox.settings(json!({"solving": false}));
    swap.approve(&sandbox);
    let mut body = swap.post_body(&swap.signed(&sandbox));
    body["type"] = json!("LIMIT");
    let open = sandbox.post("/v2/delta/orders", &body).ok();
    wait_for(&sandbox, &open["id"], "ACTIVE");
    let ids = |query: &str| {
        let list = sandbox.get(&format!("/v2/delta/orders?userAddress={owner}&limit=1000{query}")).ok();
        list["data"].as_array().unwrap().iter().map(|order| order["id"].clone()).collect::<Vec<_>>()
    };
    for (query, finds_done, finds_open) in [
        ("", true, true),
        ("&status=COMPLETED", true, false),
        ("&status=ACTIVE,PENDING", false, true),
        ("&status=ACTIVE,COMPLETED", true, true),
        ("&status=EXECUTING", false, false),
        ("&status=EXECUTING,ACTIVE", false, true),
        ("&type=LIMIT", false, true),
        ("&type=MARKET", true, false),
        ("&chainId=31337", true, true),
        ("&chainId=31338", false, false),
        ("&chainId=31338,31337", true, true),
        ("&onChainOrderType=Order", true, true),
        ("&onChainOrderType=TWAPOrder", false, false),
        ("&type=LIMIT&status=COMPLETED", false, false),
    ] {
        let found = ids(query);
        assert_eq!((found.contains(&done["id"]), found.contains(&open["id"])), (finds_done, finds_open), "{query}");
    }
    let refused = |query: &str| sandbox.get(&format!("/v2/delta/orders?{query}")).refused(400, "InvalidInput");
    for (query, name) in [
        ("page=1", "userAddress"),
        ("userAddress=me", "userAddress"),
        (&format!("userAddress={owner}&page=0"), "page"),
        (&format!("userAddress={owner}&limit=1001"), "limit"),
        (&format!("userAddress={owner}&status=DONE"), "status"),
        (&format!("userAddress={owner}&type=SWAP"), "type"),
        (&format!("userAddress={owner}&chainId=x"), "chainId"),
    ] {
        assert!(refused(query).contains(name), "{query}");
    }
    sandbox.settings(json!({"executing": false}));
    assert!(refused(&format!("userAddress={owner}&status=EXECUTING,ACTIVE")).contains("EXECUTING"));
}
