//! Delta orders that carry a permit in place of an approval.

use alloy_primitives::{Bytes, U256, keccak256};
use serde_json::{Value, json};

use crate::permit::{Grant, PERMIT2, compacted, eip_2612, permit2_allowance, permit2_transfer, router_transfer};
use crate::started::{Sandbox, sandbox};
use crate::trade::{Swap, number, wait_for};

/// Delta is not approved; Permit2 may take what it likes.
fn without_approval(sandbox: &Sandbox, symbol: &str, owner: &str) {
    for (spender, amount) in [(sandbox.text("delta"), "0"), (PERMIT2, "1000000000000000000000000")] {
        let body = json!({
            "chainId": 31337, "token": sandbox.token(symbol), "owner": owner, "spender": spender, "amount": amount,
        });
        sandbox.post("/sandbox/approve", &body).ok();
    }
}

fn word(number: u64) -> [u8; 32] {
    U256::from(number).to_be_bytes()
}

/// 96 bytes: nonce and compact signature, over the order's amount and deadline.
fn transfer(sandbox: &Sandbox, symbol: &str, owner: &str, amount: u128, deadline: u64) -> Bytes {
    let nonce = U256::from_be_bytes(alloy_primitives::B256::random().0);
    let token = sandbox.token(symbol);
    let signature = permit2_transfer(sandbox, owner, (&token, amount), sandbox.text("delta"), nonce, deadline);
    [&nonce.to_be_bytes::<32>()[..], &compacted(&signature)].concat().into()
}

/// 192 bytes: amount, nonce, expiration, deadline and compact signature.
fn grant(sandbox: &Sandbox, symbol: &str, owner: &str, amount: u128) -> Bytes {
    grant_for(sandbox, symbol, owner, amount, sandbox.text("delta"))
}

fn grant_for(sandbox: &Sandbox, symbol: &str, owner: &str, amount: u128, spender: &str) -> Bytes {
    let token = sandbox.token(symbol);
    let nonce = permit2_nonce(sandbox, owner, &token, spender);
    let (expiration, sig_deadline) = (sandbox.now() + 3_600, sandbox.now() + 1_800);
    let grant = Grant { amount, expiration, nonce, sig_deadline };
    let signature = permit2_allowance(sandbox, owner, &token, spender, grant);
    let amount = U256::from(amount).to_be_bytes::<32>();
    [&amount[..], &word(nonce), &word(expiration), &word(sig_deadline), &compacted(&signature)].concat().into()
}

fn permit2_nonce(sandbox: &Sandbox, owner: &str, token: &str, spender: &str) -> u64 {
    let selector = &keccak256("allowance(address,address,address)").to_string()[..10];
    let data = format!("{selector}{:0>64}{:0>64}{:0>64}", &owner[2..], &token[2..], &spender[2..]);
    let answer = sandbox.rpc("eth_call", json!([{"to": PERMIT2, "data": data}, "latest"]));
    u64::from_str_radix(&answer.as_str().unwrap()[130..], 16).unwrap()
}

fn with_permit(permit: &Bytes) -> Value {
    json!({"permit": permit})
}

/// Sells or buys with that permit, and checks what moved.
fn trades(sandbox: &Sandbox, swap: &Swap, what: &str) {
    let owner = sandbox.account(swap.owner);
    let held = || [swap.src, swap.dest].map(|symbol| sandbox.balance(symbol, &owner));
    let before = held();
    let signed = swap.signed(sandbox);
    assert_eq!(signed.order["permit"], swap.build["permit"], "{what}");
    let posted = swap.post(sandbox, &signed).ok();
    let order = wait_for(sandbox, &posted["id"], "COMPLETED");
    let after = held();
    let transaction = &order["transactions"][0];
    assert_eq!(before[0] - after[0], number(&transaction["spentAmount"]), "{what}");
    assert_eq!(after[1] - before[1], number(&transaction["receivedAmount"]), "{what}");
    let fixed = if swap.side == "SELL" { before[0] - after[0] } else { after[1] - before[1] };
    assert_eq!(fixed, swap.amount, "{what}");
}

#[test]
fn each_kind_of_permit_pays_for_a_sale_without_an_approval() {
    let sandbox = sandbox();
    let owner = sandbox.account(1);
    without_approval(&sandbox, "USDC", &owner);
    let delta = sandbox.text("delta");
    let amount = 100_000_000;
    let swap = Swap { owner: 1, ..Swap::default() };
    // The transfer is signed over the order's deadline, so that is named first.
    let deadline = sandbox.now() + 600;
    let permit = transfer(&sandbox, "USDC", &owner, amount, deadline);
    let build = json!({"permit": permit, "deadline": deadline});
    trades(&sandbox, &Swap { build, ..swap.clone() }, "96 bytes");
    let permit = grant(&sandbox, "USDC", &owner, 2 * amount);
    trades(&sandbox, &Swap { build: with_permit(&permit), ..swap.clone() }, "192 bytes");
    let left = Swap { build: json!({"permit": "0x01"}), ..swap.clone() };
    trades(&sandbox, &left, "what is left of it");
    let signed = left.signed(&sandbox);
    left.post(&sandbox, &signed).refused(400, "InsufficientAllowance");
    let permit = eip_2612(&sandbox, "USDC", &owner, delta, amount);
    trades(&sandbox, &Swap { build: with_permit(&permit), ..swap.clone() }, "224 bytes");
    let permit = eip_2612(&sandbox, "PUSD", &owner, delta, amount);
    trades(&sandbox, &Swap { src: "PUSD", build: with_permit(&permit), ..swap }, "a token that wants one");
}

#[test]
fn a_permit_pays_for_a_purchase_and_its_fee_in_one_transfer() {
    let sandbox = sandbox();
    let owner = sandbox.account(1);
    without_approval(&sandbox, "USDC", &owner);
    let deadline = sandbox.now() + 600;
    let swap = Swap { side: "BUY", amount: 10_u128.pow(20), owner: 1, ..Swap::default() };
    let quoted = swap.quote(&sandbox);
    let most = number(&quoted.delta["route"]["origin"]["input"]["amount"]) * 10_050 / 10_000;
    for permit in [
        transfer(&sandbox, "USDC", &owner, most, deadline),
        grant(&sandbox, "USDC", &owner, most),
        eip_2612(&sandbox, "USDC", &owner, sandbox.text("delta"), most),
    ] {
        let build = json!({"permit": permit, "deadline": deadline, "limitAmount": most.to_string(), "slippage": null});
        trades(&sandbox, &Swap { build, ..swap.clone() }, &format!("{} bytes", permit.len()));
    }
}

#[test]
fn a_permit_that_does_not_cover_the_order_is_refused() {
    let sandbox = sandbox();
    let owner = sandbox.account(2);
    without_approval(&sandbox, "USDC", &owner);
    let (delta, amount, deadline) = (sandbox.text("delta"), 100_000_000, sandbox.now() + 600);
    let swap = Swap { owner: 2, ..Swap::default() };
    let good = transfer(&sandbox, "USDC", &owner, amount, deadline);
    let mut forged = good.to_vec();
    forged[40] ^= 1;
    let permits = [
        ("another amount", transfer(&sandbox, "USDC", &owner, amount + 1, deadline)),
        ("another deadline", transfer(&sandbox, "USDC", &owner, amount, deadline + 1)),
        ("another signer", transfer(&sandbox, "USDC", &sandbox.account(3), amount, deadline)),
        ("a bit changed", forged.into()),
        ("too little", grant(&sandbox, "USDC", &owner, amount - 1)),
        ("another owner's", grant(&sandbox, "USDC", &sandbox.account(3), amount)),
        ("too little", eip_2612(&sandbox, "USDC", &owner, delta, amount - 1)),
        ("another spender", eip_2612(&sandbox, "USDC", &owner, PERMIT2, amount)),
        ("another token's", eip_2612(&sandbox, "PUSD", &owner, delta, amount)),
        ("no grant", Bytes::from_static(&[1])),
    ];
    for (why, permit) in permits {
        let swap = Swap { build: json!({"permit": permit, "deadline": deadline}), ..swap.clone() };
        let signed = swap.signed(&sandbox);
        let answer = swap.post(&sandbox, &signed);
        assert_eq!((answer.status, answer.json()["errorType"].as_str()), (400, Some("InsufficientAllowance")), "{why}");
    }
    let swap = Swap { build: json!({"permit": good, "deadline": deadline}), ..swap };
    trades(&sandbox, &swap, "the good one");
    let signed = swap.signed(&sandbox);
    swap.post(&sandbox, &signed).refused(400, "InsufficientAllowance");
}

#[test]
fn limit_orders_and_slices_need_an_approval() {
    let sandbox = sandbox();
    let owner = sandbox.account(2);
    let permit = eip_2612(&sandbox, "USDC", &owner, sandbox.text("delta"), 100_000_000);
    let swap = Swap { owner: 2, build: with_permit(&permit), ..Swap::default() };
    let signed = swap.signed(&sandbox);
    let mut body = swap.post_body(&signed);
    body["type"] = json!("LIMIT");
    let details = sandbox.post("/v2/delta/orders", &body).refused(400, "InvalidInput");
    assert!(details.contains("order.permit"), "{details}");
    let deadline = sandbox.now() + 600;
    let slices = json!({
        "permit": permit, "orderType": "TWAPOrder", "interval": 60, "numSlices": 2, "totalSrcAmount": "200000000",
        "deadline": deadline,
    });
    let twap = Swap { owner: 2, build: slices, ..Swap::default() };
    let details = twap.try_build(&sandbox, &twap.quote(&sandbox).route).refused(400, "InvalidInput");
    assert!(details.contains("permit"), "{details}");
    let in_parts = json!({
        "permit": transfer(&sandbox, "USDC", &owner, 100_000_000, deadline), "partiallyFillable": true,
    });
    let in_parts = Swap { owner: 2, build: in_parts, ..Swap::default() };
    in_parts.try_build(&sandbox, &in_parts.quote(&sandbox).route).refused(400, "InvalidInput");
}

#[test]
fn a_token_that_takes_signatures_only_wants_a_permit() {
    let sandbox = sandbox();
    let swap = Swap { src: "PUSD", owner: 2, ..Swap::default() };
    let details = swap.try_build(&sandbox, &swap.quote(&sandbox).route).refused(400, "InvalidInput");
    assert!(details.contains("permit is required"), "{details}");
}

#[test]
fn permits_of_no_known_length_are_refused() {
    let sandbox = sandbox();
    for length in [2, 32, 64, 95, 97, 191, 193, 223, 225, 256] {
        let permit = Bytes::from(vec![1; length]);
        let swap = Swap { build: with_permit(&permit), ..Swap::default() };
        let details = swap.try_build(&sandbox, &swap.quote(&sandbox).route).refused(400, "InvalidInput");
        assert!(details.contains("permit must have"), "{details}");
    }
}

/// The router's transaction for 100 units of a six-digit token, or the refusal.
fn market(sandbox: &Sandbox, symbol: &str, owner: &str, permit: &Bytes) -> crate::client::Answer {
    let (src, dest) = (sandbox.token(symbol), sandbox.token("WETH"));
    let target = format!(
        "/prices/?srcToken={src}&destToken={dest}&amount=100000000&srcDecimals=6&destDecimals=18&network=31337&version=6.2"
    );
    let prices = sandbox.get(&target);
    assert_eq!(prices.status, 200, "{}", prices.body);
    // The route goes back as it came: what stands between the first colon and the last brace.
    let route = &prices.body[prices.body.find(':').unwrap() + 1..prices.body.len() - 1];
    let more = json!({
        "srcToken": src, "destToken": dest, "userAddress": owner, "srcAmount": "100000000", "slippage": 100,
        "permit": permit,
    });
    let body = format!(r#"{{"priceRoute":{route},{}"#, &more.to_string()[1..]);
    sandbox.post_text("/transactions/31337", &body).unwrap()
}

#[test]
fn the_router_takes_permits_of_its_own_and_not_deltas_by_permit2() {
    let sandbox = sandbox();
    let owner = sandbox.account(2);
    let router = sandbox.text("router");
    without_approval(&sandbox, "USDC", &owner);
    market(&sandbox, "USDC", &owner, &Bytes::new()).refused(400, "InsufficientAllowance");
    let amount = 100_000_000;
    // Each is honest, signed for the router.
    for short in [
        grant_for(&sandbox, "USDC", &owner, 2 * amount, router),
        Bytes::from_static(&[1]),
        transfer(&sandbox, "USDC", &owner, amount, sandbox.now() + 600),
    ] {
        let details = market(&sandbox, "USDC", &owner, &short).refused(400, "EstimationFailed");
        assert!(details.ends_with("PermitFailed"), "{} bytes: {details}", short.len());
    }
    let permits = [
        ("USDC", router_transfer(&sandbox, &owner, (&sandbox.token("USDC"), amount), sandbox.now() + 600)),
        ("USDC", eip_2612(&sandbox, "USDC", &owner, router, amount)),
        ("PUSD", eip_2612(&sandbox, "PUSD", &owner, router, amount)),
    ];
    for (symbol, permit) in permits {
        let built = market(&sandbox, symbol, &owner, &permit).ok();
        let before = [symbol, "WETH"].map(|symbol| sandbox.balance(symbol, &owner));
        sandbox.send(&json!({"from": owner, "to": built["to"], "data": built["data"]}));
        let after = [symbol, "WETH"].map(|symbol| sandbox.balance(symbol, &owner));
        assert_eq!(before[0] - after[0], amount, "{} bytes", permit.len());
        assert!(after[1] > before[1]);
    }
}

#[test]
fn an_order_in_parts_uses_its_permit_at_the_first_of_them() {
    let sandbox = sandbox();
    let owner = sandbox.account(1);
    without_approval(&sandbox, "USDC", &owner);
    let amount = 100_000_000;
    for permit in
        [grant(&sandbox, "USDC", &owner, amount), eip_2612(&sandbox, "USDC", &owner, sandbox.text("delta"), amount)]
    {
        sandbox.settings(json!({"fillPercent": 40}));
        // Each part pays gas of its own.
        let build = json!({"permit": permit, "partiallyFillable": true, "slippage": 500});
        let swap = Swap { owner: 1, build, ..Swap::default() };
        let signed = swap.signed(&sandbox);
        let mut body = swap.post_body(&signed);
        body["partiallyFillable"] = json!(true);
        let before = sandbox.balance("USDC", &owner);
        let posted = sandbox.post("/v2/delta/orders", &body).ok();
        let order = wait_for(&sandbox, &posted["id"], "COMPLETED");
        assert_eq!(order["transactions"].as_array().unwrap().len(), 3, "{} bytes", permit.len());
        assert_eq!(before - sandbox.balance("USDC", &owner), amount);
    }
}
