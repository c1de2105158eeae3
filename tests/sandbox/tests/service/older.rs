//! The older interface: the same prices, orders and cancellations in other words.

use serde_json::{Value, json};

use crate::started::{Sandbox, sandbox};
use crate::trade::{Swap, compact, number, sign_typed_data, wait_for};

const THIEF: &str = "0xBaD0000000000000000000000000000000000BAD";

/// Today's path of a price, and the older one.
fn targets(swap: &Swap, sandbox: &Sandbox) -> [String; 2] {
    ["/v2/delta/prices", "/delta/prices"].map(|path| swap.quote_target(sandbox).replace("/v2/quote/", path))
}

fn price(swap: &Swap, sandbox: &Sandbox) -> Value {
    sandbox.get(&targets(swap, sandbox)[1]).ok()["price"].clone()
}

fn names(value: &Value) -> String {
    let mut names: Vec<_> = value.as_object().unwrap().keys().map(String::as_str).collect();
    names.sort_unstable();
    names.join(" ")
}

/// The operator's library's members, by side.
const BOTH: &str = "bridge destAmount destToken destUSD gasCost gasCostBeforeFee gasCostUSD gasCostUSDBeforeFee hmac partner \
                    partnerFee receivedDestAmount receivedDestUSD srcAmount srcToken srcUSD";

#[test]
fn a_price_is_todays_in_one_level() {
    let sandbox = sandbox();
    for (side, amount, own) in [
        (
            "SELL",
            100_000_000,
            "destAmountBeforeFee destUSDBeforeFee receivedDestAmountBeforeFee receivedDestUSDBeforeFee",
        ),
        ("BUY", 100_000_000_000_000_000_000, "srcAmountBeforeFee srcUSDBeforeFee"),
    ] {
        let swap = Swap { side, amount, ..Swap::default() };
        let [today, older] = targets(&swap, &sandbox).map(|target| sandbox.get(&target).ok());
        assert_eq!(older["deltaAddress"], today["spender"]);
        let price = &older["price"];
        let mut all: Vec<_> = BOTH.split(' ').chain(own.split(' ')).collect();
        all.sort_unstable();
        assert_eq!(names(price), all.join(" "), "{side}");
        let route = &today["route"]["origin"];
        let (input, output) = (number(&route["input"]["amount"]), number(&route["output"]["amount"]));
        let (src, dest) = (number(&price["srcAmount"]), number(&price["destAmount"]));
        // A sale's fee of 1 bps comes out of what is bought; a purchase's is in what is sold.
        assert_eq!((src, dest), (input, if side == "SELL" { output - output / 10_000 } else { output }));
        if side == "SELL" {
            assert_eq!(number(&price["destAmountBeforeFee"]), output);
        } else {
            let before = number(&price["srcAmountBeforeFee"]);
            assert!((before..=before + 1).contains(&(input - before / 10_000)), "{before} of {input}");
        }
        assert_eq!(price["receivedDestAmount"], price["destAmount"]);
        assert_eq!((&price["partner"], &price["partnerFee"]), (&json!("anon"), &json!(0.01)));
        assert_eq!(price["srcToken"], today["inputToken"]["address"]);
    }
    let target = format!("{}&destChainId=31338", targets(&Swap::default(), &sandbox)[1]);
    sandbox.get(&target).refused(400, "PricingError");
}

#[test]
fn lies_about_the_price_fit_each_other_here_too() {
    let sandbox = sandbox();
    let purchase = Swap { side: "BUY", amount: 10_u128.pow(20), ..Swap::default() };
    let honest = [Swap::default(), purchase.clone()].map(|swap| price(&swap, &sandbox));
    sandbox.post("/sandbox/lie", &json!({"kind": "price"})).ok();
    let lying = [Swap::default(), purchase].map(|swap| price(&swap, &sandbox));
    for name in ["destAmount", "destAmountBeforeFee", "receivedDestAmount"] {
        assert_eq!(number(&lying[0][name]), number(&honest[0][name]) * 8 / 10, "{name}");
    }
    assert_eq!((&lying[0]["srcAmount"], &lying[0]["destUSD"]), (&honest[0]["srcAmount"], &honest[0]["destUSD"]));
    assert_eq!(number(&lying[1]["srcAmount"]), number(&honest[1]["srcAmount"]) * 10 / 8);
    assert_eq!(lying[1]["destAmount"], honest[1]["destAmount"]);
    sandbox.post("/sandbox/lie", &json!({"kind": "spender"})).ok();
    let answer = sandbox.get(&targets(&Swap::default(), &sandbox)[1]).ok();
    assert_eq!(answer["deltaAddress"], THIEF);
}

#[test]
fn a_partners_fee_is_told_by_its_name() {
    let sandbox = sandbox();
    let fee = |partner: &str| sandbox.get(&format!("/prices/partnerfee/31337/?partner={partner}")).ok();
    assert_eq!(names(&fee("anon")), "partnerAddress partnerFee takeSurplus");
    assert_eq!(fee("anon")["partnerFee"], json!(0.01));
    sandbox.settings(json!({"feeBps": 30}));
    assert_eq!(fee("shop")["partnerFee"], json!(0.3));
    sandbox.get("/prices/partnerfee/31337/").refused(400, "InvalidInput");
    sandbox.get("/prices/partnerfee/1/?partner=shop").refused(422, "UnsupportedChain");
}

#[test]
fn an_order_is_cancelled_by_its_owners_signature() {
    let sandbox = sandbox();
    let swap = Swap { post: json!({"type": "LIMIT", "includeAgents": ["sandbox-idle"]}), ..Swap::default() };
    let id = swap.posted(&sandbox).1["id"].clone();
    wait_for(&sandbox, &id, "ACTIVE");
    let path = format!("/delta/orders/{}", id.as_str().unwrap());
    assert_eq!(sandbox.get(&path).ok()["status"], "RUNNING");
    let to_sign =
        sandbox.post("/v2/delta/orders/build/cancellation", &json!({"orderIds": [id]})).ok()["toSign"].clone();
    let signature = compact(&sign_typed_data(&sandbox, &sandbox.account(0), &to_sign));
    let cancel =
        |signature: &str| sandbox.post("/delta/orders/cancel", &json!({"orderIds": [id], "signature": signature}));
    let other = compact(&sign_typed_data(&sandbox, &sandbox.account(1), &to_sign));
    cancel(&other).refused(400, "InvalidSignature");
    assert_eq!(cancel(&signature).ok(), json!({"success": true}));
    assert_eq!(sandbox.get(&path).ok()["status"], "CANCELLED");
}
