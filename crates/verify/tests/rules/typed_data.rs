//! Typed data at its edges: the domain alone, structs that hold themselves, and more than anybody signs.

use verified_swap_verify::internal::domain::eip712::{digest, hardware_view};
use verified_swap_verify::internal::error::Error;
use verified_swap_verify::internal::json::parse;

fn hashed(types: &str, primary: &str, domain: &str, message: &str) -> Result<String, Error> {
    let text = format!(r#"{{"types":{types},"primaryType":"{primary}","domain":{domain},"message":{message}}}"#);
    digest(&parse(&text).unwrap()).map(|digest| digest.digest.to_string())
}

#[test]
fn a_domain_alone_is_hashed_without_a_message() {
    let empty = "0x8d4a3f4082945b7879e2b55f181c31a77c8c0a464b70669458abbaaf99de4c38";
    for types in [r#"{"EIP712Domain":[]}"#, "{}", r#"{"EIP712Domain":[],"Mail":[{"name":"to","type":"address"}]}"#] {
        for message in ["{}", "null", r#"{"to":1}"#] {
            assert_eq!(hashed(types, "EIP712Domain", "{}", message).unwrap(), empty, "{types} {message}");
        }
    }
    let named = r#"{"EIP712Domain":[{"name":"name","type":"string"}]}"#;
    let digest = hashed(named, "EIP712Domain", r#"{"name":"x"}"#, "{}").unwrap();
    assert_eq!(hashed("{}", "EIP712Domain", r#"{"name":"x"}"#, "{}").unwrap(), digest, "by the members it has");
    assert_ne!(digest, empty);
    assert_eq!(hashed(named, "EIP712Domain", "{}", "{}").unwrap_err().field.as_deref(), Some("domain.name"));
}

#[test]
fn a_struct_that_holds_itself_ends_where_it_is_absent_and_no_other_may_be() {
    let types = r#"{"Mail":[{"name":"text","type":"string"},{"name":"reply","type":"Mail"}],"To":[{"name":"mail","type":"Mail"}]}"#;
    let missing = hashed(types, "Mail", "{}", r#"{"text":"a"}"#).unwrap();
    assert_eq!(hashed(types, "Mail", "{}", r#"{"text":"a","reply":null}"#).unwrap(), missing);
    assert_ne!(hashed(types, "Mail", "{}", r#"{"text":"a","reply":{"text":"a"}}"#).unwrap(), missing);
    // Through another as well; what is asked to be signed is always there itself.
    let around = r#"{"A":[{"name":"b","type":"B"}],"B":[{"name":"a","type":"A"}]}"#;
    assert!(hashed(around, "A", "{}", r#"{"b":{"a":{}}}"#).is_ok());
    assert_eq!(hashed(types, "Mail", "{}", "[]").unwrap_err().field.as_deref(), Some("message"));
    assert!(hashed(types, "Mail", "{}", "null").is_err());
    let plain = r#"{"Mail":[{"name":"to","type":"Person"}],"Person":[{"name":"name","type":"string"}]}"#;
    assert_eq!(hashed(plain, "Mail", "{}", "{}").unwrap_err().field.as_deref(), Some("message.to"));
}

#[test]
fn types_and_values_are_bounded() {
    let list = |item: &str, count: usize| format!("[{}]", vec![item; count].join(","));
    let many = |count: usize| {
        hashed(r#"{"A":[{"name":"x","type":"bool[]"}]}"#, "A", "{}", &format!(r#"{{"x":{}}}"#, list("true", count)))
    };
    assert!(many(32_767).is_ok());
    assert!(many(32_768).unwrap_err().expected.as_deref().unwrap().contains("32768"));
    let long = |length: usize| {
        hashed(&format!(r#"{{"A":[{{"name":"{}","type":"bool[]"}}]}}"#, "x".repeat(length)), "A", "{}", "{}")
    };
    assert_eq!(long(16_377).unwrap_err().field.as_deref().unwrap().len(), "message.".len() + 80 + "...".len());
    assert!(long(16_378).unwrap_err().expected.as_deref().unwrap().contains("16384"));
}

/// A path names each step, however deep, as an error does.
#[test]
fn each_value_of_the_view_has_its_whole_path() {
    let types = r#"{"A":[{"name":"a","type":"A[]"},{"name":"b","type":"uint8[2]"}]}"#;
    let (depth, mut message) = (12, String::from(r#"{"a":[],"b":[1,2]}"#));
    for _ in 0..depth {
        message = format!(r#"{{"a":[{{"a":[],"b":[3,4]}},{message}],"b":[5,6]}}"#);
    }
    let deepest = "a.1.".repeat(depth);
    for (name, before) in [("message", ""), ("value", "value.")] {
        let text = format!(r#"{{"types":{types},"primaryType":"A","domain":{{"name":"x"}},"{name}":{message}}}"#);
        let (_, view) = hardware_view(&parse(&text).unwrap()).unwrap();
        assert!(view.contains(r#""path":"domain.name""#), "{view}");
        let shown = format!(r#"{{"path":"{before}{deepest}b.1","type":"uint8","value":"2"}}"#);
        assert!(view.contains(&shown), "{shown} in {view}");
        assert_eq!(view.matches(r#""path""#).count(), 1 + 2 * (2 * depth + 1));
        let broken = text.replace("[1,2]", "[1,256]");
        let error = hardware_view(&parse(&broken).unwrap()).unwrap_err();
        assert_eq!(error.field.as_deref(), Some(&*format!("{name}.{deepest}b.1")), "{error:?}");
    }
}
