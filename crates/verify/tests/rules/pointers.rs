//! The places in a JSON value.

use serde_json::Value;

/// Each pointer into a value.
pub fn pointers(value: &Value, at: &str, found: &mut Vec<String>) {
    let below: Vec<(String, &Value)> = match value {
        Value::Object(members) => members.iter().map(|(name, member)| (name.clone(), member)).collect(),
        Value::Array(items) => items.iter().enumerate().map(|(index, item)| (index.to_string(), item)).collect(),
        _ => vec![],
    };
    for (name, member) in below {
        let here = format!("{at}/{name}");
        pointers(member, &here, found);
        found.push(here);
    }
}
