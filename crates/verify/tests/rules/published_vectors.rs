//! The vectors that the npm package publishes, by the native verifiers: each payload gets the verdict that is stated beside
//! it. `tests/vectors/payloads.test.mjs` makes them, and holds the module to them.

use serde_json::{Value, json};
use std::path::Path;
use verified_swap_verify::internal::json::parse;
use verified_swap_verify::internal::verifiers::VERIFIERS;

fn reasons(report: &str) -> Vec<Value> {
    let report: Value = serde_json::from_str(report).unwrap();
    report["questions"].as_array().unwrap().iter().map(|question| question["reason"].clone()).collect()
}

#[test]
fn each_payload_gets_its_verdict() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../pkg-template/vectors.json");
    let all: Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    let now = all["now"].as_u64().unwrap();
    let vectors = all["vectors"].as_array().unwrap();
    assert!(vectors.len() >= 60);
    for vector in vectors {
        let name = vector["verifier"].as_str().unwrap();
        let (_, verifier) = VERIFIERS.iter().find(|(known, _)| *known == name).unwrap();
        let input = parse(&vector["input"].to_string()).unwrap();
        let found = match verifier(&input, now) {
            Ok(report) if reasons(&report).is_empty() => json!({ "verdict": "ok" }),
            Ok(report) => json!({ "verdict": "question", "questions": reasons(&report) }),
            Err(error) => {
                let mut refused = json!({ "verdict": "refused", "code": error.code.name() });
                if let Some(field) = &error.field {
                    refused["field"] = json!(field);
                }
                refused
            }
        };
        assert_eq!(found, vector["expected"], "{}", vector["name"]);
    }
}
