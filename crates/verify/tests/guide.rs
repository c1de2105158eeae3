//! The code of docs/guides/verify-rust.md: the guide shows what stands between the marks here, and it does what is said there.

use serde_json::Value;
use std::path::Path;

// The guide's first block.
use verified_swap_verify::{Context, Payload, Quote, Refusal, Report, Request, verify_order};

/// `asked` is yours: nothing in it is the service's. The other texts are what the service answered, JSON as it came.
fn check(asked: &str, price: &str, to_sign: &str, order_hash: &str, now: u64) -> Result<Report, Refusal> {
    let request = Request::from_json(asked)?;
    let context = Context { now, contracts: None }; // yours, where none are pinned
    verify_order(&request, &Quote::from_json(price)?, &Payload::from_json(to_sign, order_hash)?, &context)
}

fn decide(checked: Result<Report, Refusal>) -> String {
    match checked {
        Ok(report) => match report.questions.first() {
            Some(question) => format!("Ask first: {}", question.text),
            None => format!("{}\nSign {}", report.sentence, report.digest), // computed here, not taken from the service
        },
        Err(refusal) => format!("Do not sign: {refusal}"),
    }
}
// The end of it.

fn read(path: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

/// What is decided of a published vector's order, with prices of the caller's or without.
fn decided(name: &str, prices: bool) -> String {
    let all: Value = serde_json::from_str(&read("../../pkg-template/vectors.json")).unwrap();
    let input = &all["vectors"].as_array().unwrap().iter().find(|vector| vector["name"] == name).unwrap()["input"];
    let mut asked = input["request"].clone();
    if prices {
        asked["srcPriceUsd"] = "1".into();
        asked["destPriceUsd"] = "2500".into();
    }
    let hash = input["orderHash"].as_str().unwrap();
    let (price, to_sign) = (input["quote"].to_string(), input["toSign"].to_string());
    decide(check(&asked.to_string(), &price, &to_sign, hash, all["now"].as_u64().unwrap()))
}

#[test]
fn the_guide_shows_this_code_and_what_comes_of_it() {
    let (guide, own) = (read("../../docs/guides/verify-rust.md"), read("tests/guide.rs"));
    let shown = guide.split("```rust\n").nth(1).unwrap().split("```").next().unwrap();
    let here = own.split("// The guide's first block.\n").nth(1).unwrap().split("// The end of it.").next().unwrap();
    assert_eq!(shown, here);

    let printed = guide.split("```text\n").nth(1).unwrap().split("```").next().unwrap();
    let honest = decided("order: sells for at least the price less slippage", true);
    let asking = decided("order: sells for at least the price less slippage", false);
    let lie = decided("order: pays somebody else", true);
    assert_eq!(printed, format!("{honest}\n\n{asking}\n\n{lie}\n"));
}
