//! Orders that settle slice by slice.

use serde_json::{Value, json};

use crate::started::{Sandbox, sandbox};
use crate::trade::{Swap, number, read, wait_for, wait_for_fills};

const INTERVAL: u64 = 120;

/// Sells so much of USDC in that many slices.
pub fn sale(total: u128, slices: u32) -> Swap {
    Swap {
        amount: total / u128::from(slices),
        build: json!({
            "orderType": "TWAPOrder",
            "interval": INTERVAL,
            "numSlices": slices,
            "totalSrcAmount": total.to_string(),
        }),
        post: json!({"onChainOrderType": "TWAPOrder"}),
        valid_for_secs: 2_000,
        ..Swap::default()
    }
}

/// Buys so much DAI in that many slices, for at most a tenth more than it costs now.
pub fn purchase(total: u128, slices: u32) -> Swap {
    let most = total / 10_u128.pow(12) * 11 / 10;
    Swap {
        side: "BUY",
        amount: total / u128::from(slices),
        build: json!({
            "orderType": "TWAPBuyOrder",
            "interval": INTERVAL,
            "numSlices": slices,
            "totalDestAmount": total.to_string(),
            "maxSrcAmount": most.to_string(),
            "slippage": null,
        }),
        post: json!({"onChainOrderType": "TWAPBuyOrder"}),
        valid_for_secs: 2_000,
        ..Swap::default()
    }
}

/// Each transaction's `member`.
fn each(order: &Value, member: &str) -> Vec<Value> {
    order["transactions"].as_array().unwrap().iter().map(|entry| entry[member].clone()).collect()
}

fn no_second_slice_yet(sandbox: &Sandbox, id: &Value, slices: usize) {
    std::thread::sleep(std::time::Duration::from_millis(400));
    assert_eq!(read(sandbox, id)["transactions"].as_array().unwrap().len(), slices);
}

#[test]
fn a_slice_waits_for_its_price_and_for_what_the_owner_has() {
    let sandbox = sandbox();
    let mut swap = Swap { owner: 4, ..sale(100_000_000, 2) };
    let (_, posted) = swap.posted(&sandbox);
    wait_for_fills(&sandbox, &posted["id"], 1);
    sandbox.approve("USDC", &sandbox.account(4), 49_999_999);
    wait_for(&sandbox, &posted["id"], "SUSPENDED");
    sandbox.advance(INTERVAL);
    no_second_slice_yet(&sandbox, &posted["id"], 1);
    sandbox.approve("USDC", &sandbox.account(4), 50_000_000);
    wait_for(&sandbox, &posted["id"], "COMPLETED");

    // Twice what the pool gives.
    swap.build["limitAmount"] = json!((100 * 10_u128.pow(18)).to_string());
    let (signed, posted) = swap.posted(&sandbox);
    assert_eq!(signed.order["destAmountPerSlice"], swap.build["limitAmount"]);
    wait_for(&sandbox, &posted["id"], "ACTIVE");
    no_second_slice_yet(&sandbox, &posted["id"], 0);
    sandbox.advance(3_000);
    wait_for(&sandbox, &posted["id"], "EXPIRED");
}

#[test]
fn a_fill_by_command_is_the_next_slice_and_not_before_its_time() {
    let sandbox = sandbox();
    sandbox.settings(json!({"solving": false}));
    let (_, posted) = sale(100_000_000, 2).posted(&sandbox);
    wait_for(&sandbox, &posted["id"], "ACTIVE");
    let fill = || sandbox.post("/sandbox/fill", &json!({"orderId": posted["id"]}));
    assert_eq!(each(&fill().ok(), "spentAmount"), ["50000000"]);
    fill().refused(400, "InvalidInput");
    sandbox.advance(INTERVAL);
    assert_eq!(fill().ok()["status"], "COMPLETED");
}

#[test]
fn each_invalid_schedule_is_refused_by_name() {
    let sandbox = sandbox();
    let refused = |swap: &Swap, member: &str, value: Value, error_type: &str, names: &str| {
        let mut swap = swap.clone();
        swap.build[member] = value.clone();
        let answer = swap.try_build(&sandbox, &swap.quote(&sandbox).route);
        let details = answer.refused(400, error_type);
        assert!(details.contains(names), "{member} {value}: {details}");
    };
    let sold = sale(100_000_001, 3);
    let bought = purchase(100 * 10_u128.pow(18), 4);
    let now = sandbox.now();
    for (swap, error_type) in [(&sold, "InvalidTWAPParams"), (&bought, "InvalidTWAPBuyParams")] {
        for (member, value) in [
            ("interval", json!(59)),
            ("interval", Value::Null),
            ("interval", json!("60")),
            ("numSlices", json!(1)),
            ("numSlices", json!(1_u64 << 32)),
            ("numSlices", Value::Null),
        ] {
            refused(swap, member, value, error_type, member);
        }
        let short = json!(now + INTERVAL * 3 - 10);
        refused(swap, "deadline", short, error_type, "deadline must allow enough time for all slices to execute");
    }
    refused(&sold, "totalSrcAmount", json!("2"), "InvalidTWAPParams", "totalSrcAmount must be >= numSlices");
    refused(&sold, "totalSrcAmount", Value::Null, "InvalidTWAPParams", "totalSrcAmount");
    refused(&sold, "totalSrcAmount", json!("100000002"), "InvalidTWAPSrcAmount", "floor(totalSrcAmount / numSlices)");
    refused(&sold, "orderType", json!("TWAPBuyOrder"), "InvalidTWAPBuyParams", "side");
    refused(&bought, "totalDestAmount", json!("3"), "InvalidTWAPBuyParams", "totalDestAmount must be >= numSlices");
    refused(&bought, "maxSrcAmount", json!("3"), "InvalidTWAPBuyParams", "maxSrcAmount must be >= numSlices");
    refused(&bought, "limitAmount", json!("3"), "InvalidTWAPBuyParams", "limitAmount");
    let more = json!((101 * 10_u128.pow(18)).to_string());
    refused(&bought, "totalDestAmount", more, "InvalidTWAPBuyDestAmount", "floor(totalDestAmount / numSlices)");
    refused(&bought, "orderType", json!("TWAPOrder"), "InvalidTWAPParams", "side");
    refused(&sold, "partiallyFillable", json!(true), "InvalidInput", "partiallyFillable");
}

#[test]
fn the_type_decides_the_side_and_the_post_repeats_the_kind() {
    let sandbox = sandbox();
    let mut swap = sale(100_000_000, 2);
    swap.build["side"] = json!("BUY");
    swap.approve(&sandbox);
    let signed = swap.signed(&sandbox);
    let without = Swap { post: json!({}), ..swap.clone() };
    assert!(without.post(&sandbox, &signed).refused(400, "InvalidInput").contains("onChainOrderType"));
    swap.post(&sandbox, &signed).ok();
    sandbox.advance(3_000);
    let late = sale(100_000_000, 2);
    let signed = late.signed(&sandbox);
    sandbox.advance(1_900);
    let details = late.post(&sandbox, &signed).refused(400, "InvalidInput");
    assert_eq!(details, "deadline must allow enough time for all slices to execute");
}

#[test]
fn lies_are_told_about_slices_too() {
    let sandbox = sandbox();
    let built = |swap: &Swap| swap.try_build(&sandbox, &swap.quote(&sandbox).route).ok()["toSign"]["value"].clone();
    let (sold, bought) = (sale(100_000_001, 3), purchase(100 * 10_u128.pow(18), 4));
    let honest = [&sold, &bought].map(built);
    sandbox.post("/sandbox/lie", &json!({"kind": "minimum"})).ok();
    assert_eq!(number(&built(&sold)["destAmountPerSlice"]), number(&honest[0]["destAmountPerSlice"]) / 10);
    assert_eq!(number(&built(&bought)["maxSrcAmount"]), number(&honest[1]["maxSrcAmount"]) * 10);
    sandbox.post("/sandbox/lie", &json!({"kind": "receiver"})).ok();
    assert_eq!(built(&sold)["beneficiary"], "0xBaD0000000000000000000000000000000000BAD");
    let build = json!({"orderType": "ExternalOrder", "handler": sandbox.text("depository"), "data": "0x"});
    assert_eq!(built(&Swap { build, ..Swap::default() })["handler"], "0xBaD0000000000000000000000000000000000BAD");
}
