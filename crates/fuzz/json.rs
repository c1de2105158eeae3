//! The JSON tree: what is read is what another reader reads, at a cost in proportion to the text.

use super::allocations::asked;
use serde::de::IgnoredAny;
use serde_json::Value;
use verify::internal::json::{Json, items, members, parse};

/// Bytes that may be asked for while a text of that length is read or written.
fn most(length: usize) -> usize {
    length * 200 + 10_000
}

pub fn run(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let (bytes, parsed) = asked(|| parse(&text));
    assert!(bytes <= most(text.len()), "{bytes} bytes to read {}", text.len());
    let is_json = serde_json::from_str::<IgnoredAny>(&text).is_ok();
    match &parsed {
        Ok(tree) => {
            assert!(is_json, "accepted");
            if let Ok(value) = serde_json::from_str::<Value>(&text) {
                assert!(same(tree, &value), "read in another way");
            }
            let (bytes, written) = asked(|| tree.write());
            assert!(bytes <= most(text.len()), "{bytes} bytes to write {}", text.len());
            assert_eq!(parse(&written).map(|again| again.write()), Ok(written));
        }
        Err(error) => {
            // Limits, and what other readers let pass.
            let own = ["two members of one name", "nested too deeply", "too many members"].contains(&error.reason);
            assert!(own || !is_json, "refused: {}", error.reason);
            assert!(error.at <= text.len());
        }
    }
    parts(&text, parsed.ok().as_ref());
}

/// Members and items by their original text are those of the tree.
fn parts(text: &str, tree: Option<&Json>) {
    match (members(text), tree) {
        (Ok(found), Some(Json::Object(all))) => {
            assert_eq!(found.len(), all.len());
            for ((name, part), (known, value)) in found.iter().zip(all) {
                assert!(name == known && parse(part).as_ref() == Ok(value));
            }
        }
        (found, tree) => assert!(found.is_err() && !matches!(tree, Some(Json::Object(_)))),
    }
    match (items(text), tree) {
        (Ok(found), Some(Json::Array(all))) => {
            assert_eq!(found.len(), all.len());
            assert!(found.iter().zip(all).all(|(part, value)| parse(part).as_ref() == Ok(value)));
        }
        (found, tree) => assert!(found.is_err() && !matches!(tree, Some(Json::Array(_)))),
    }
}

/// Whether both readers found the same. Numbers are compared where the other one keeps all their digits.
fn same(tree: &Json, value: &Value) -> bool {
    match (tree, value) {
        (Json::Null, Value::Null) => true,
        (Json::Bool(one), Value::Bool(other)) => one == other,
        (Json::String(one), Value::String(other)) => one == other,
        (Json::Number(text), Value::Number(number)) => {
            number.is_f64() || *text == number.to_string() || text.parse::<i128>().ok() == number.as_i128()
        }
        (Json::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Json::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(name, one)| other.get(name).is_some_and(|other| same(one, other)))
        }
        _ => false,
    }
}
