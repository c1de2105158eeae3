//! JSON patches (RFC 6902: add, remove, replace), and one more operation: `scale`.

use serde::Deserialize;
use serde_json::Value;

use super::Json;
use super::tree::steps;

/// One step of a patch.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "op", rename_all = "lowercase", deny_unknown_fields)]
pub enum Operation {
    /// Inserts into an array (`-` appends), sets a member of an object.
    Add {
        path: String,
        value: Value,
    },
    Remove {
        path: String,
    },
    Replace {
        path: String,
        value: Value,
    },
    /// Multiplies a decimal string or number by `num / den`, rounded down at the digits it has.
    Scale {
        path: String,
        num: u64,
        den: u64,
    },
}

/// Applies the operations in order. One whose path is not there is skipped.
pub fn apply(document: &mut Json, patch: &[Operation]) {
    for operation in patch {
        let _skipped = apply_one(document, operation);
    }
}

fn apply_one(document: &mut Json, operation: &Operation) -> Option<()> {
    match operation {
        Operation::Add { path, value } => {
            let (parent, last) = parent(document, path)?;
            match parent {
                Json::Array(items) if last == "-" => items.push(value.clone().into()),
                Json::Array(items) => {
                    let index = last.parse().ok().filter(|index| *index <= items.len())?;
                    items.insert(index, value.clone().into());
                }
                Json::Object(members) => {
                    members.shift_remove(&last);
                    members.insert(last, value.clone().into());
                }
                Json::Scalar(_) => return None,
            }
        }
        Operation::Remove { path } => {
            let (parent, last) = parent(document, path)?;
            match parent {
                Json::Array(items) => {
                    let index = last.parse().ok().filter(|index| *index < items.len())?;
                    items.remove(index);
                }
                Json::Object(members) => {
                    members.shift_remove(&last);
                }
                Json::Scalar(_) => return None,
            }
        }
        Operation::Replace { path, value } => *document.at_mut(&steps(path)?)? = value.clone().into(),
        Operation::Scale { path, num, den } => {
            let node = document.at_mut(&steps(path)?)?;
            let Json::Scalar(text) = node else { return None };
            let quote = if text.starts_with('"') { "\"" } else { "" };
            *text = format!("{quote}{}{quote}", scaled(text.trim_matches('"'), *num, *den)?);
        }
    }
    Some(())
}

fn parent<'a>(document: &'a mut Json, path: &str) -> Option<(&'a mut Json, String)> {
    let mut steps = steps(path)?;
    let last = steps.pop()?;
    Some((document.at_mut(&steps)?, last))
}

/// `text` x `num` / `den`, with as many fraction digits as `text` has.
fn scaled(text: &str, num: u64, den: u64) -> Option<String> {
    use alloy_primitives::U512;
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    if whole.is_empty() || !whole.bytes().chain(fraction.bytes()).all(|digit| digit.is_ascii_digit()) || den == 0 {
        return None;
    }
    let digits: U512 = format!("{whole}{fraction}").parse().ok()?;
    let product = digits.checked_mul(U512::from(num))? / U512::from(den);
    let padded = format!("{product:0>width$}", width = fraction.len() + 1);
    let (whole, fraction) = padded.split_at(padded.len() - fraction.len());
    Some(if fraction.is_empty() { whole.to_owned() } else { format!("{whole}.{fraction}") })
}

#[cfg(test)]
mod tests {
    use super::{Json, Operation, apply};

    fn patched(document: &str, patch: &str) -> String {
        let mut json = Json::parse(document).unwrap();
        apply(&mut json, &serde_json::from_str::<Vec<Operation>>(patch).unwrap());
        json.to_string()
    }

    #[test]
    fn members_and_items_are_added_removed_and_replaced() {
        let patch = r#"[{"op":"replace","path":"/a","value":"x"},{"op":"add","path":"/b/0","value":0},
            {"op":"add","path":"/b/-","value":9},{"op":"remove","path":"/c"},{"op":"add","path":"/d","value":{}}]"#;
        assert_eq!(patched(r#"{"a":1.0,"b":[1],"c":2}"#, patch), r#"{"a":"x","b":[0,1,9],"d":{}}"#);
    }

    #[test]
    fn unpatched_members_keep_their_text() {
        let patch = r#"[{"op":"remove","path":"/a"}]"#;
        assert_eq!(patched(r#"{"z":1.0,"a":1,"10":"\u00e9"}"#, patch), r#"{"z":1.0,"10":"\u00e9"}"#);
    }

    #[test]
    fn an_operation_whose_path_is_not_there_is_skipped() {
        let patch = r#"[{"op":"replace","path":"/x/y","value":1},{"op":"scale","path":"/n","num":1,"den":2},
            {"op":"remove","path":"/l/7"},{"op":"replace","path":"/a","value":2}]"#;
        assert_eq!(patched(r#"{"a":1,"l":[]}"#, patch), r#"{"a":2,"l":[]}"#);
    }

    #[test]
    fn scaling_keeps_the_digits_of_a_decimal_string_and_rounds_down() {
        let patch = r#"[{"op":"scale","path":"/a","num":1,"den":100},{"op":"scale","path":"/b","num":3,"den":1},
            {"op":"scale","path":"/c","num":1,"den":100}]"#;
        assert_eq!(patched(r#"{"a":"12399","b":"0.50","c":"1.05"}"#, patch), r#"{"a":"123","b":"1.50","c":"0.01"}"#);
    }
}
