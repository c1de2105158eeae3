//! Orders whose proceeds go to a contract.

use alloy_primitives::keccak256;
use serde_json::{Value, json};

use crate::started::{Sandbox, hex_number, sandbox};
use crate::trade::{Signed, Swap, number, read, wait_for};

/// Lets the depository take an owner's dollars: Delta takes none.
pub fn let_depository(sandbox: &Sandbox, owner: usize, amount: u128) {
    let body = json!({
        "chainId": 31337, "token": sandbox.token("USDC"), "owner": sandbox.account(owner),
        "spender": sandbox.text("depository"), "amount": amount.to_string(),
    });
    sandbox.post("/sandbox/approve", &body).ok();
    sandbox.approve("USDC", &sandbox.account(owner), 0);
}

/// Posts without any approval.
fn posted(sandbox: &Sandbox, swap: &Swap) -> (Signed, Value) {
    let signed = swap.signed(sandbox);
    let order = swap.post(sandbox, &signed).ok();
    (signed, order)
}

/// Calls a contract of the sandbox for an account: the signature, then words.
fn call(sandbox: &Sandbox, from: &str, to: &str, signature: &str, words: [&str; 2]) {
    let selector = &keccak256(signature).to_string()[..10];
    let words: String = words.iter().map(|word| format!("{:0>64}", word.trim_start_matches("0x"))).collect();
    sandbox.send(&json!({"from": from, "to": to, "data": format!("{selector}{words}")}));
}

fn balance_of(sandbox: &Sandbox, token: &str, account: &str) -> u128 {
    let data = format!("0x70a08231{:0>64}", &account[2..]);
    hex_number(&sandbox.rpc("eth_call", json!([{"to": token, "data": data}, "latest"])))
}

pub fn sale(sandbox: &Sandbox, data: &str) -> Swap {
    let build = json!({"orderType": "ExternalOrder", "handler": sandbox.text("depository"), "data": data});
    Swap { build, ..Swap::default() }
}

fn deposited(sandbox: &Sandbox, account: &str, symbol: &str) -> u128 {
    let selector = &keccak256("deposited(address,address)").to_string()[..10];
    let word = |address: &str| format!("{:0>64}", address.trim_start_matches("0x"));
    let data = format!("{selector}{}{}", word(account), word(&sandbox.token(symbol)));
    hex_number(&sandbox.rpc("eth_call", json!([{"to": sandbox.text("depository"), "data": data}, "latest"])))
}

#[test]
fn the_handler_gets_the_proceeds_and_does_what_the_data_says() {
    let sandbox = sandbox();
    let (owner, friend) = (sandbox.account(0), sandbox.account(3));
    let_depository(&sandbox, 0, 200_000_000);
    for (data, account) in [("0x".to_owned(), &owner), (format!("0x{:0>64}", &friend[2..]), &friend)] {
        let (dollars, dai) = (sandbox.balance("USDC", &owner), sandbox.balance("DAI", &owner));
        let before = deposited(&sandbox, account, "DAI");
        let (signed, posted) = posted(&sandbox, &sale(&sandbox, &data));
        assert_eq!(
            (&signed.order["data"], &posted["onChainOrderType"]),
            (&json!(data.to_lowercase()), &json!("ExternalOrder"))
        );
        let order = wait_for(&sandbox, &posted["id"], "COMPLETED");
        assert_eq!(order["beneficiary"].as_str().unwrap().to_lowercase(), owner.to_lowercase());
        let received = deposited(&sandbox, account, "DAI") - before;
        assert_eq!(number(&order["output"]["executedAmount"]), received);
        assert!(received >= number(&signed.order["destAmount"]) * 9_999 / 10_000);
        assert_eq!(dollars - sandbox.balance("USDC", &owner), 100_000_000);
        assert_eq!(sandbox.balance("DAI", &owner), dai);
    }
}

#[test]
fn a_purchase_delivers_exactly_to_the_handler() {
    let sandbox = sandbox();
    let amount = 10_u128.pow(20);
    let before = deposited(&sandbox, &sandbox.account(0), "DAI");
    let_depository(&sandbox, 0, 200_000_000);
    let (_, posted) = posted(&sandbox, &Swap { side: "BUY", amount, ..sale(&sandbox, "0x") });
    wait_for(&sandbox, &posted["id"], "COMPLETED");
    assert_eq!(deposited(&sandbox, &sandbox.account(0), "DAI") - before, amount);
}

#[test]
fn degen_mode_is_refused() {
    let sandbox = sandbox();
    let swap = sale(&sandbox, "0x");
    let signed = swap.signed(&sandbox);
    let degen = sandbox.post("/v2/delta/orders?degenMode=true", &swap.post_body(&signed));
    assert!(degen.refused(400, "InvalidInput").contains("degenMode"));
}

#[test]
fn the_service_does_not_check_what_the_handler_needs() {
    let sandbox = sandbox();
    sandbox.settings(json!({"solving": false}));
    let_depository(&sandbox, 0, 0);
    let swap = sale(&sandbox, "0x");
    // Without balance or allowance of the source token for anybody it is taken in; it fails when it would be settled.
    let (_, refused) = posted(&sandbox, &swap);
    let_depository(&sandbox, 0, 100_000_000);
    let (_, passed) = posted(&sandbox, &swap);
    sandbox.settings(json!({"solving": true}));
    let ends = [&refused, &passed].map(|order| {
        loop {
            let order = read(&sandbox, &order["id"]);
            match order["status"].as_str().unwrap() {
                "PENDING" | "ACTIVE" => std::thread::sleep(std::time::Duration::from_millis(20)),
                status => break status.to_owned(),
            }
        }
    });
    // One allowance, two orders: whichever comes first has it.
    let mut sorted = ends.clone();
    sorted.sort();
    assert_eq!(sorted, ["COMPLETED", "FAILED"], "{ends:?}");
}

#[test]
fn the_beneficiary_is_shown_but_not_signed() {
    let sandbox = sandbox();
    sandbox.settings(json!({"solving": false}));
    let friend = sandbox.account(3);
    for (named, told) in [(Value::Null, sandbox.account(0)), (json!(friend), friend.clone())] {
        let mut swap = sale(&sandbox, "0x");
        swap.build["beneficiary"] = named;
        let (signed, order) = posted(&sandbox, &swap);
        assert!(signed.order.get("beneficiary").is_none());
        assert_eq!(order["beneficiary"].as_str().unwrap().to_lowercase(), told.to_lowercase());
    }
}

#[test]
fn a_lending_deposit_is_exchanged_without_any_source_token() {
    let sandbox = sandbox();
    let owner = sandbox.account(4);
    let lending = &sandbox.chain()["lending"];
    let at = |symbol: &str| {
        let tokens = lending["tokens"].as_array().unwrap();
        tokens.iter().find(|token| token["symbol"] == symbol).unwrap()["address"].as_str().unwrap().to_owned()
    };
    let (handler, dollars, dai) = (lending["handler"].as_str().unwrap(), at("aUSDC"), at("aDAI"));
    let all = sandbox.balance("USDC", &owner);
    let word = |amount: u128| format!("{amount:x}");
    call(&sandbox, &owner, &sandbox.token("USDC"), "approve(address,uint256)", [&dollars, &word(all)]);
    call(&sandbox, &owner, &dollars, "deposit(uint256,address)", [&word(all), &owner]);
    assert_eq!((sandbox.balance("USDC", &owner), balance_of(&sandbox, &dollars, &owner)), (0, all));
    let swap = |side: &'static str, amount: u128, operation: char| {
        let data = format!("0x{operation:0>64}");
        let build = json!({"orderType": "ExternalOrder", "handler": handler, "data": data});
        Swap { owner: 4, side, amount, build, ..Swap::default() }
    };
    // The allowance of the deposit, for the handler: that is all.
    call(&sandbox, &owner, &dollars, "approve(address,uint256)", [handler, &word(300_000_000)]);
    let own = sandbox.balance("DAI", &owner);
    for (side, amount) in [("SELL", 100_000_000), ("BUY", 10_u128.pow(20))] {
        let before = (balance_of(&sandbox, &dollars, &owner), balance_of(&sandbox, &dai, &owner));
        let (_, order) = posted(&sandbox, &swap(side, amount, '0'));
        let order = wait_for(&sandbox, &order["id"], "COMPLETED");
        let after = (balance_of(&sandbox, &dollars, &owner), balance_of(&sandbox, &dai, &owner));
        assert_eq!(
            number(&order["input"]["executedAmount"].as_str().map_or(json!("100000000"), |spent| json!(spent))),
            before.0 - after.0
        );
        assert!(after.1 - before.1 >= 99 * 10_u128.pow(18), "{side}: {}", after.1 - before.1);
    }
    assert_eq!((sandbox.balance("USDC", &owner), sandbox.balance("DAI", &owner)), (0, own));
    // Another operation is none that it supports.
    let (_, order) = posted(&sandbox, &swap("SELL", 10_000_000, '1'));
    wait_for(&sandbox, &order["id"], "FAILED");
    let rest = balance_of(&sandbox, &dollars, &owner);
    call(&sandbox, &owner, &dollars, "redeem(uint256,address)", [&word(rest), &owner]);
    assert_eq!(sandbox.balance("USDC", &owner), rest);
}

#[test]
fn each_missing_or_wrong_member_is_refused_by_name() {
    let sandbox = sandbox();
    for (member, value, error_type) in [
        ("handler", Value::Null, "InvalidExternalOrderParams"),
        ("handler", json!(sandbox.account(2)), "InvalidExternalOrderParams"),
        ("data", Value::Null, "InvalidExternalOrderParams"),
        ("data", json!("text"), "InvalidExternalOrderParams"),
        ("partiallyFillable", json!(true), "InvalidInput"),
    ] {
        let mut swap = sale(&sandbox, "0x");
        swap.build[member] = value;
        let details = swap.try_build(&sandbox, &swap.quote(&sandbox).route).refused(400, error_type);
        assert!(details.contains(member), "{details}");
    }
}

#[test]
fn a_productive_order_is_refused_by_name() {
    let sandbox = sandbox();
    let build = |build: Value| {
        let swap = Swap { build, ..Swap::default() };
        swap.try_build(&sandbox, &swap.quote(&sandbox).route)
    };
    let details = build(json!({"orderType": "ProductiveOrder"})).refused(400, "InvalidProductiveOrderParams");
    assert!(details.contains("strategy"), "{details}");
    let vault =
        sandbox.get("/v2/delta/prices/strategies/31337").ok()[sandbox.token("DAI")]["strategies"][0]["vault"].clone();
    let details = build(json!({"orderType": "ProductiveOrder", "strategy": vault})).refused(400, "InvalidInput");
    assert!(details.contains("ProductiveOrder"), "{details}");
}
