//! Tampers: JSON patches and changed call arguments for the next answers.

use std::collections::{BTreeMap, HashMap, VecDeque};

use alloy_primitives::Bytes;
use serde::Deserialize;
use serde_json::Value;

use crate::json::{Json, Operation, apply};
use crate::order::digest_of;
use crate::service::{Endpoint, change_arguments};

/// A patch for the next answers of an endpoint.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tamper {
    /// The endpoint's name.
    pub target: String,
    #[serde(default)]
    pub patch: Vec<Operation>,
    /// New values of arguments of the router's call, by path.
    #[serde(default)]
    pub args: BTreeMap<String, Value>,
    /// Whether `orderHash` is recomputed from the patched `toSign`.
    #[serde(default)]
    pub rehash: bool,
    /// Whether the answer is altered on its way: the service accepts only the unpatched route.
    #[serde(default, rename = "onTheWay")]
    pub on_the_way: bool,
    /// How many answers; -1 all until cleared, 0 clears.
    #[serde(default = "once")]
    pub times: i64,
}

fn once() -> i64 {
    1
}

/// Tampers to come, per endpoint, in the order they were set.
#[derive(Debug, Default)]
pub struct Tampers(HashMap<Endpoint, VecDeque<Tamper>>);

impl Tampers {
    pub fn add(&mut self, target: Endpoint, tamper: Tamper) {
        let waiting = self.0.entry(target).or_default();
        if tamper.times == 0 {
            waiting.clear();
        } else {
            waiting.push_back(tamper);
        }
    }

    /// Patches an answer. True if it is altered on its way.
    pub fn apply(&mut self, endpoint: Endpoint, answer: &mut Json) -> bool {
        let Some(waiting) = self.0.get_mut(&endpoint) else { return false };
        let Some(tamper) = waiting.front_mut() else { return false };
        let on_the_way = tamper.on_the_way;
        apply(answer, &tamper.patch);
        change_call(endpoint, answer, &tamper.args);
        if tamper.rehash {
            rehash(answer);
        }
        if tamper.times > 0 {
            tamper.times -= 1;
        }
        if tamper.times == 0 {
            waiting.pop_front();
        }
        on_the_way
    }
}

/// Encodes the calldata of an answer again, with arguments changed. Unchanged if one does not exist.
pub fn change_call(endpoint: Endpoint, answer: &mut Json, args: &BTreeMap<String, Value>) {
    let path = match endpoint {
        Endpoint::Transactions => "/data",
        Endpoint::Swap => "/txParams/data",
        _ => return,
    };
    let data = answer.at(path).and_then(Json::as_str).and_then(|text| text.parse::<Bytes>().ok());
    let Some(data) = data.filter(|_| !args.is_empty()) else { return };
    match change_arguments(&data, args) {
        Ok(data) => apply(answer, &[Operation::Replace { path: path.into(), value: data.to_string().into() }]),
        Err(why) => eprintln!("sandbox: a tamper was left out: {why}"),
    }
}

/// Recomputes `orderHash` (of a cancellation `hash`) from `toSign`. If that cannot be hashed, the hash stays.
pub fn rehash(answer: &mut Json) {
    let to_sign = answer.get("toSign").and_then(|json| serde_json::from_str(&json.to_string()).ok());
    if let Some(Ok(hash)) = to_sign.as_ref().map(digest_of) {
        // An order has the one, a cancellation the other.
        let replace = |path: &str| Operation::Replace { path: path.into(), value: hash.to_string().into() };
        apply(answer, &[replace("/orderHash"), replace("/hash")]);
    }
}

#[cfg(test)]
mod tests {
    use super::{Json, Tamper, Tampers};
    use crate::service::Endpoint;

    fn tampers(list: &[&str]) -> Tampers {
        let mut tampers = Tampers::default();
        for text in list {
            let tamper: Tamper = serde_json::from_str(text).unwrap();
            tampers.add(Endpoint::named(&tamper.target).unwrap(), tamper);
        }
        tampers
    }

    fn seen(tampers: &mut Tampers, endpoint: Endpoint) -> String {
        let mut answer = Json::parse(r#"{"a":0}"#).unwrap();
        tampers.apply(endpoint, &mut answer);
        answer.get("a").unwrap().to_string()
    }

    #[test]
    fn each_answer_consumes_one_in_the_order_they_were_set() {
        let replace = |value: u8, times: i64| {
            format!(r#"{{"target":"quote","times":{times},"patch":[{{"op":"replace","path":"/a","value":{value}}}]}}"#)
        };
        let mut tampers = tampers(&[&replace(1, 2), &replace(2, -1)]);
        assert_eq!(seen(&mut tampers, Endpoint::Build), "0");
        let answers: Vec<_> = (0..4).map(|_| seen(&mut tampers, Endpoint::Quote)).collect();
        assert_eq!(answers, ["1", "1", "2", "2"]);
        tampers.add(Endpoint::Quote, serde_json::from_str(r#"{"target":"quote","times":0}"#).unwrap());
        assert_eq!(seen(&mut tampers, Endpoint::Quote), "0");
    }
}
