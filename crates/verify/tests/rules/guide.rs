//! docs/guides/verify-rust.md does what it prints. That its code compiles is a doctest of the crate.

use serde_json::{Value, json};
use std::path::Path;
use verified_swap_verify::{Context, Payload, Quote, Refusal, Report, Request, verify_order};

fn read(path: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)).unwrap()
}

/// The guide's first block in that language.
fn block<'a>(guide: &'a str, language: &str) -> &'a str {
    let (_, after) = guide.split_once(&format!("```{language}\n")).unwrap();
    after.split_once("```").unwrap().0
}

/// As the guide's `decide`.
fn decide(checked: Result<Report, Refusal>) -> String {
    match checked {
        Ok(report) => match report.questions.first() {
            Some(question) => format!("Ask first: {}", question.text),
            None => format!("{}\nSign {}", report.sentence, report.digest),
        },
        Err(refusal) => format!("Do not sign: {refusal}"),
    }
}

#[test]
fn the_guide_prints_what_an_order_is_decided_to_be() {
    let guide = read("docs/guides/verify-rust.md");
    let all: Value = serde_json::from_str(&read("pkg-template/vectors.json")).unwrap();
    let orders = all["vectors"].as_array().unwrap().iter();
    let input = &orders
        .clone()
        .find(|vector| vector["name"] == "order: sells for at least the price less slippage")
        .unwrap()["input"];
    let now = all["now"].as_u64().unwrap();
    let check = |asked: &Value, to_sign: &Value| {
        let request = Request::from_json(&asked.to_string())?;
        let payload = Payload::from_json(&to_sign.to_string(), input["orderHash"].as_str().unwrap())?;
        verify_order(
            &request,
            &Quote::from_json(&input["quote"].to_string())?,
            &payload,
            &Context { now, ..Context::default() },
        )
    };
    let asked: Value = serde_json::from_str(block(&guide, "json")).unwrap();
    let mut without = asked.clone();
    without.as_object_mut().unwrap().remove("advanced").unwrap();
    let mut lie = input["toSign"].clone();
    lie["value"]["beneficiary"] = json!("0xBAd0000000000000000000000000000000000Bad");
    let said = [(&asked, &input["toSign"]), (&without, &input["toSign"]), (&asked, &lie)];
    let said = said.map(|(asked, to_sign)| decide(check(asked, to_sign)) + "\n");
    assert_eq!(block(&guide, "text"), said.join("\n"));
}
