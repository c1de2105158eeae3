//! Payloads for a wallet to sign: an answer for any bytes, which hides nothing in its texts and costs in proportion.

use super::allocations::asked;
use alloy_primitives::hex;
use serde_json::{Value, json};
use verified_swap_explain::explain;
use verify::internal::value::visible::visible;

const ACCOUNT: &str = "0x4a62316623ad457f02cdc5d997ded67a383ec569";
/// Where calls are read: a token, the Market router, the Delta contract, the RFQ contract, Permit2, a MultiSend.
const CONTRACTS: [&str; 6] = [
    "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
    "0x6a000f20005980200259b80c5102003040001068",
    "0x0000000000bbf5c5fd284e657f01bd000933c96d",
    "0xa003dFBA51C9e1e56C67ae445b852bdEd7aC5EEd",
    "0x000000000022D473030F116dDEE9F6B43aC78BA3",
    "0x40A2aCCbd92BCA938b02010E17A5b8929b49130D",
];

pub fn run(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    if text.trim_start().starts_with('{') {
        check(&text);
    }
    let hex = hex::encode_prefixed(data);
    check(&json!({ "method": "eth_signTypedData_v4", "params": [ACCOUNT, text] }).to_string());
    check(&json!({ "method": "personal_sign", "params": [hex, ACCOUNT] }).to_string());
    check(&json!({ "raw": hex }).to_string());
    let to = CONTRACTS[data.len() % CONTRACTS.len()];
    check(
        &json!({ "method": "eth_sendTransaction", "params": [{ "from": ACCOUNT, "to": to, "data": hex }] }).to_string(),
    );
}

fn check(call: &str) {
    let context = json!({ "accounts": [ACCOUNT], "chainId": 8453, "now": 1_800_000_000 }).to_string();
    let (bytes, answer) = asked(|| explain(call, &context));
    // Beside a fixed part: at most 128 payloads inside, each with its own answer, eight deep.
    assert!(bytes <= call.len() * 1_000 + 4_000_000, "{bytes} bytes for {}", call.len());
    let Ok(answer) = answer else {
        let is_json = serde_json::from_str::<Value>(call).is_ok_and(|json| json.is_object());
        assert!(!is_json, "a JSON object was refused: {call}");
        return;
    };
    let answer: Value = serde_json::from_str(&answer).expect("JSON");
    check_visible(&answer);
    check_inner(&answer);
    for share in [&answer["coverage"]["bytes"], &answer["coverage"]["fields"]] {
        assert!(share["read"].as_u64() <= share["total"].as_u64(), "{answer:#}");
    }
    assert!(answer["verdict"] == "explained" || answer["opaque"][0].is_string(), "{answer:#}");
}

/// Places unread inside are unread from outside, up to 100.
fn check_inner(answer: &Value) {
    let opaque = |of: &Value| of["opaque"].as_array().unwrap().clone();
    for (index, inner) in answer["inner"].as_array().unwrap().iter().enumerate() {
        assert!(inner["verdict"] == "explained" || answer["verdict"] == "unread", "{answer:#}");
        let outside =
            |path: &Value| opaque(answer).contains(&json!(format!("inner.{index}.{}", path.as_str().unwrap())));
        assert!(opaque(answer).len() == 100 || opaque(inner).iter().all(outside), "{answer:#}");
        check_inner(inner);
    }
}

/// No character of a payload reverses or hides what stands around it.
fn check_visible(answer: &Value) {
    match answer {
        Value::String(text) => assert_eq!(&visible(text), text),
        Value::Array(items) => items.iter().for_each(check_visible),
        Value::Object(members) => members.iter().for_each(|(name, value)| {
            assert_eq!(&visible(name), name);
            check_visible(value);
        }),
        _ => {}
    }
}
