//! Orders that sell the native token.

use alloy_primitives::{Bytes, U256};
use alloy_sol_types::SolCall;
use sandbox::chain::{IDelta, TWAPBuyOrder, TWAPOrder};
use sandbox::json::Json;
use sandbox::order::{SignedOrder, read_signed};
use serde_json::{Value, json};

use crate::started::{Sandbox, hex_number, sandbox};
use crate::trade::{Signed, Swap, number, wait_for};

const ETHER: u128 = 1_000_000_000_000_000_000;

/// One ether for DAI.
fn sale(owner: usize) -> Swap {
    Swap { src: "ETH", amount: ETHER, owner, ..Swap::default() }
}

fn deposited(sandbox: &Sandbox, owner: &str) -> u128 {
    let data = format!("0x70a08231{:0>64}", owner.trim_start_matches("0x"));
    hex_number(&sandbox.rpc("eth_call", json!([{"to": sandbox.text("wrappedNative"), "data": data}, "latest"])))
}

/// A call of an owner to the Delta contract, with value.
fn transaction<C: SolCall>(sandbox: &Sandbox, owner: usize, call: &C, value: u128) -> Value {
    json!({
        "from": sandbox.account(owner),
        "to": sandbox.text("delta"),
        "data": Bytes::from(call.abi_encode()),
        "value": format!("{value:#x}"),
    })
}

fn send<C: SolCall>(sandbox: &Sandbox, owner: usize, call: &C, value: u128) {
    sandbox.send(&transaction(sandbox, owner, call, value));
}

/// The selector of the error a call would fail with; none when it would go well.
fn refusal<C: SolCall>(sandbox: &Sandbox, owner: usize, call: &C) -> Option<String> {
    let reply = sandbox.try_rpc("eth_call", json!([transaction(sandbox, owner, call, 0), "latest"]));
    Some(reply.get("error")?["data"].as_str().unwrap().chars().take(10).collect())
}

fn error(signature: &str) -> Option<String> {
    Some(alloy_primitives::keccak256(signature).to_string()[..10].to_owned())
}

fn deposit(sandbox: &Sandbox, owner: usize, hash: &str, value: u128) {
    send(sandbox, owner, &IDelta::depositNativeAndPreSignCall { orderHash: hash.parse().unwrap() }, value);
}

fn read(signed: &Signed, in_parts: bool) -> SignedOrder {
    read_signed(&Json::parse(&signed.order.to_string()).unwrap(), in_parts).unwrap()
}

/// Deposits of earlier tests go back.
fn without_deposit(sandbox: &Sandbox, owner: usize) {
    let left = deposited(sandbox, &sandbox.account(owner));
    send(sandbox, owner, &IDelta::withdrawNativeCall { amount: U256::from(left) }, 0);
    assert_eq!(deposited(sandbox, &sandbox.account(owner)), 0);
}

#[test]
fn an_order_whose_deposit_does_not_come_expires() {
    let sandbox = sandbox();
    without_deposit(&sandbox, 1);
    let swap = Swap { valid_for_secs: 100, ..sale(1) };
    let signed = swap.signed(&sandbox);
    let order = swap.post(&sandbox, &signed).ok();
    deposit(&sandbox, 1, &signed.hash, ETHER - 1);
    std::thread::sleep(std::time::Duration::from_millis(400));
    let same = sandbox.get(&format!("/v2/delta/orders/{}", order["id"].as_str().unwrap())).ok();
    assert_eq!(same["status"], "AWAITING_SIGNATURE", "a wei is missing");
    sandbox.advance(101);
    wait_for(&sandbox, &order["id"], "EXPIRED");
    without_deposit(&sandbox, 1);
}

#[test]
fn a_signature_alone_sells_the_native_token_in_the_other_reading() {
    let sandbox = sandbox();
    sandbox.settings(json!({"nativeReading": "sign"}));
    let owner = sandbox.account(2);
    without_deposit(&sandbox, 2);
    let before = [("ETH", sandbox.balance("ETH", &owner)), ("DAI", sandbox.balance("DAI", &owner))];
    let swap = sale(2);
    let signed = swap.signed(&sandbox);
    let order = swap.post(&sandbox, &signed).ok();
    assert_eq!(order["status"], "PENDING");
    let order = wait_for(&sandbox, &order["id"], "COMPLETED");
    assert_eq!(before[0].1 - sandbox.balance("ETH", &owner), ETHER, "and no gas");
    assert_eq!(sandbox.balance("DAI", &owner) - before[1].1, number(&order["output"]["executedAmount"]));
    let too_much = Swap { amount: 20_000 * ETHER, query: "&maxImpact=100".into(), ..sale(2) };
    let signed = too_much.signed(&sandbox);
    too_much.post(&sandbox, &signed).refused(400, "InsufficientBalance");
}

#[test]
fn a_purchase_paid_with_the_native_token_takes_what_it_costs_of_the_deposit() {
    let sandbox = sandbox();
    let owner = sandbox.account(0);
    without_deposit(&sandbox, 0);
    let swap = Swap { src: "ETH", side: "BUY", amount: 300 * ETHER, ..Swap::default() };
    let signed = swap.signed(&sandbox);
    let most = number(&signed.order["srcAmount"]);
    let order = swap.post(&sandbox, &signed).ok();
    deposit(&sandbox, 0, &signed.hash, most);
    let order = wait_for(&sandbox, &order["id"], "COMPLETED");
    let spent = number(&order["input"]["executedAmount"]);
    assert!(spent < most && deposited(&sandbox, &owner) == most - spent, "{spent} of {most}");
    without_deposit(&sandbox, 0);
}

#[test]
fn cancelling_gives_the_deposit_back_and_ends_the_order() {
    let sandbox = sandbox();
    sandbox.settings(json!({"solving": false}));
    let owner = sandbox.account(1);
    without_deposit(&sandbox, 1);
    let swap = sale(1);
    let signed = swap.signed(&sandbox);
    let posted = swap.post(&sandbox, &signed).ok();
    deposit(&sandbox, 1, &signed.hash, ETHER);
    wait_for(&sandbox, &posted["id"], "ACTIVE");
    let SignedOrder::Order(order) = read(&signed, false) else { panic!("an Order") };
    let cancel = IDelta::cancelAndWithdrawCall { order: order.clone(), isFillable: false };
    assert_eq!(refusal(&sandbox, 2, &cancel), error("NotOrderOwner()"));
    let native = sandbox.balance("ETH", &owner);
    send(&sandbox, 1, &cancel, 0);
    let gained = sandbox.balance("ETH", &owner) - native;
    assert!((ETHER - ETHER / 100..=ETHER).contains(&gained), "the deposit less gas: {gained}");
    assert_eq!(deposited(&sandbox, &owner), 0);
    assert_eq!(wait_for(&sandbox, &posted["id"], "CANCELLED")["transactions"], json!([]));
    assert_eq!(refusal(&sandbox, 1, &cancel), error("InvalidNonce()"));

    let tokens = Swap { owner: 1, ..Swap::default() }.signed(&sandbox);
    let SignedOrder::Order(order) = read(&tokens, false) else { panic!("an Order") };
    let cancel = IDelta::cancelAndWithdrawCall { order, isFillable: false };
    assert_eq!(refusal(&sandbox, 1, &cancel), error("NotNativeSource()"));
}

#[test]
fn cancelling_an_order_in_parts_gives_the_rest_back() {
    let sandbox = sandbox();
    sandbox.settings(json!({"fillPercent": 25}));
    let owner = sandbox.account(2);
    without_deposit(&sandbox, 2);
    sandbox.settings(json!({"solving": false}));
    let swap = Swap { build: json!({"partiallyFillable": true}), ..sale(2) };
    let signed = swap.signed(&sandbox);
    let mut body = swap.post_body(&signed);
    body["partiallyFillable"] = json!(true);
    let posted = sandbox.post("/v2/delta/orders", &body).ok();
    deposit(&sandbox, 2, &signed.hash, ETHER);
    wait_for(&sandbox, &posted["id"], "ACTIVE");
    let fill = json!({"hash": signed.hash, "percent": 25});
    sandbox.post("/sandbox/fill", &fill).ok();
    assert_eq!(deposited(&sandbox, &owner), ETHER * 3 / 4);
    let SignedOrder::Fillable(order) = read(&signed, true) else { panic!("a FillableOrder") };
    send(&sandbox, 2, &IDelta::cancelAndWithdrawCall { order, isFillable: true }, 0);
    assert_eq!(deposited(&sandbox, &owner), 0);
    let order = wait_for(&sandbox, &posted["id"], "CANCELLED");
    assert_eq!(order["transactions"].as_array().unwrap().len(), 1);
}

#[test]
fn cancelling_slices_gives_back_what_is_not_settled() {
    let sandbox = sandbox();
    let owner = sandbox.account(3);
    let common = json!({"interval": 60, "numSlices": 4});
    let with = |more: Value| {
        let mut build = common.clone();
        build.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        build
    };
    let sells = with(json!({"orderType": "TWAPOrder", "totalSrcAmount": (4 * ETHER).to_string()}));
    let buys = with(json!({
        "orderType": "TWAPBuyOrder", "totalDestAmount": (400 * ETHER).to_string(), "maxSrcAmount": ETHER.to_string(),
    }));
    for (kind, side, slice, total, build) in
        [("TWAPOrder", "SELL", ETHER, 4 * ETHER, sells), ("TWAPBuyOrder", "BUY", 100 * ETHER, ETHER, buys)]
    {
        without_deposit(&sandbox, 3);
        let swap = Swap { side, amount: slice, build, valid_for_secs: 1_000, ..sale(3) };
        let signed = swap.signed(&sandbox);
        let mut body = swap.post_body(&signed);
        body["onChainOrderType"] = json!(kind);
        let posted = sandbox.post("/v2/delta/orders", &body).ok();
        deposit(&sandbox, 3, &signed.hash, total);
        let began = std::time::Instant::now();
        let read_order = || sandbox.get(&format!("/v2/delta/orders/{}", posted["id"].as_str().unwrap())).ok();
        while read_order()["transactions"].as_array().unwrap().is_empty() {
            assert!(began.elapsed().as_secs() < 60, "{}", read_order());
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        let left = deposited(&sandbox, &owner);
        match read(&signed, false) {
            SignedOrder::Twap(order) => cancel_sale(&sandbox, order),
            SignedOrder::TwapBuy(order) => cancel_purchase(&sandbox, order),
            _ => panic!("slices"),
        }
        // In a purchase, what the slice left of its share stays deposited.
        let rest = if side == "SELL" { 0 } else { left - total * 3 / 4 };
        assert_eq!(deposited(&sandbox, &owner), rest, "{kind}");
        let order = wait_for(&sandbox, &posted["id"], "CANCELLED");
        assert_eq!(order["transactions"].as_array().unwrap().len(), 1);
    }
    without_deposit(&sandbox, 3);
}

fn cancel_sale(sandbox: &Sandbox, order: TWAPOrder) {
    send(sandbox, 3, &IDelta::cancelTWAPAndWithdrawCall { order }, 0);
}

fn cancel_purchase(sandbox: &Sandbox, order: TWAPBuyOrder) {
    send(sandbox, 3, &IDelta::cancelTWAPBuyAndWithdrawCall { order }, 0);
}

#[test]
fn only_delta_moves_deposits_without_an_allowance() {
    let sandbox = sandbox();
    let (owner, token) = (sandbox.account(4), sandbox.text("wrappedNative").to_owned());
    // A plain transfer deposits, too.
    sandbox.send(&json!({"from": owner, "to": token, "value": "0x64"}));
    assert_eq!(deposited(&sandbox, &owner), 100);
    let move_it = format!("0x23b872dd{:0>64}{:0>64}{:064x}", &owner[2..], "dead", 1);
    let call = |from: &str| {
        sandbox
            .try_rpc("eth_call", json!([{"from": from, "to": token, "data": move_it}, "latest"]))
            .get("error")
            .is_some()
    };
    assert!(call(&sandbox.account(3)));
    assert!(!call(sandbox.text("delta")));
    without_deposit(&sandbox, 4);
}

#[test]
fn a_crosschain_sale_of_the_native_token_arrives() {
    let sandbox = sandbox();
    sandbox.settings(json!({"nativeReading": "sign"}));
    let swap = sale(0);
    let target = format!("{}&destChainId=31338", swap.quote_target(&sandbox));
    let route = crate::trade::raw_route(&sandbox.get(&target).body);
    let built = swap.try_build(&sandbox, &route).ok();
    let signed = crate::trade::sign(&sandbox, &sandbox.account(0), &built);
    let order = swap.post(&sandbox, &signed).ok();
    let order = wait_for(&sandbox, &order["id"], "COMPLETED");
    assert!(order["transactions"][0]["destinationTx"].is_string());
}

#[test]
fn a_permit_for_the_native_token_is_refused() {
    let sandbox = sandbox();
    let swap = Swap { build: json!({"permit": "0x01"}), ..sale(0) };
    let details = swap.try_build(&sandbox, &swap.quote(&sandbox).route).refused(400, "InvalidInput");
    assert!(details.contains("permit"), "{details}");
}
