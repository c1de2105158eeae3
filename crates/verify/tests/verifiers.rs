//! What the verifiers of `verified-swap/verify` say: of every published vector, and of every honest one with one member of
//! its input changed or left out.

use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;
use verified_swap_verify::internal::error::{Error, ErrorCode};
use verified_swap_verify::internal::json::parse;
use verified_swap_verify::internal::verifiers::VERIFIERS;

struct Vector {
    name: String,
    verifier: String,
    input: Value,
    is_honest: bool,
}

fn vectors() -> (u64, Vec<Vector>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../pkg-template/vectors.json");
    let all: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let vectors = all["vectors"].as_array().unwrap().iter().map(|vector| Vector {
        name: text(&vector["name"]),
        verifier: text(&vector["verifier"]),
        input: vector["input"].clone(),
        is_honest: vector["expected"]["verdict"] != "refused",
    });
    (all["now"].as_u64().unwrap(), vectors.collect())
}

fn run(verifier: &str, input: &Value, now: u64) -> Result<Value, Error> {
    let (_, verify) = VERIFIERS.iter().find(|(name, _)| *name == verifier).unwrap();
    let report = verify(&parse(&input.to_string()).unwrap(), now)?;
    Ok(serde_json::from_str(&report).unwrap())
}

/// The reasons of a report's questions.
fn reasons(report: &Value) -> Vec<String> {
    let all = report["questions"].as_array().unwrap().iter();
    all.map(|question| question["reason"].as_str().unwrap().to_owned()).collect()
}

/// The input of the vector whose name begins so.
fn input_of(name: &str) -> (String, Value, u64) {
    let (now, all) = vectors();
    let Vector { verifier, input, .. } = all.into_iter().find(|vector| vector.name.starts_with(name)).unwrap();
    (verifier, input, now)
}

/// Each pointer into a value.
fn pointers(value: &Value, at: &str, found: &mut Vec<String>) {
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

/// The value with that place replaced, or left out.
fn changed(value: &Value, pointer: &str, by: Option<&Value>) -> Value {
    let mut value = value.clone();
    let (holder, name) = pointer.rsplit_once('/').unwrap();
    match (value.pointer_mut(holder).unwrap(), by) {
        (Value::Object(members), None) => drop(members.remove(name)),
        (Value::Array(items), None) => drop(items.remove(name.parse().unwrap())),
        (Value::Object(members), Some(by)) => members[name] = by.clone(),
        (Value::Array(items), Some(by)) => items[name.parse::<usize>().unwrap()] = by.clone(),
        _ => unreachable!(),
    }
    value
}

/// Neither a client nor a network is there: a text that names one tells the caller nothing to do.
#[track_caller]
fn assert_is_of_this_door(text: &str, what: &str) {
    for foreign in ["createClient", "client", "service's answer", "submit(", "signPermit(", "not asked;", "options."] {
        assert!(!text.contains(foreign), "{what}: {text}");
    }
}

#[test]
fn every_text_names_what_the_caller_passed_and_every_refusal_shows_a_difference() {
    let (now, all) = vectors();
    let mut codes = BTreeSet::new();
    let mut check = |verifier: &str, input: &Value, what: &str| match run(verifier, input, now) {
        Ok(report) => {
            assert_is_of_this_door(report["sentence"].as_str().unwrap(), what);
            let lists = ["questions", "checks"].map(|list| report[list].as_array().unwrap());
            for member in lists.into_iter().flatten().flat_map(|one| one.as_object().unwrap().values()) {
                assert_is_of_this_door(member.as_str().unwrap_or_default(), what);
            }
        }
        Err(error) => {
            codes.insert(error.code.name());
            let what = format!("{verifier}, {what}: {error:?}");
            assert_is_of_this_door(&error.message, &what);
            let field = error.field.as_deref().unwrap_or_else(|| panic!("{what}: no field"));
            let is_named = !field.is_empty() && error.message.contains(field) || error.code == ErrorCode::LossTooHigh;
            assert!(is_named, "{what}: not of {field}");
            let (expected, actual) = (error.expected.as_deref().unwrap_or_default(), error.actual.as_deref());
            assert!(!expected.is_empty() && actual != Some(expected), "{what}: {expected}");
        }
    };
    let others = [None, Some(json!(5)), Some(json!("x")), Some(json!({})), Some(json!([])), Some(json!("0x01"))];
    for Vector { name, verifier, input, is_honest } in &all {
        check(verifier, input, name);
        if !is_honest {
            continue;
        }
        let mut places = Vec::new();
        pointers(input, "", &mut places);
        for place in places {
            for by in &others {
                check(verifier, &changed(input, &place, by.as_ref()), &format!("{place} {by:?}"));
            }
        }
        for by in others.iter().flatten() {
            check(verifier, by, &format!("{by} as the input"));
        }
    }
    let codes: Vec<_> = codes.into_iter().collect();
    assert_eq!(codes, ["INVALID_INPUT", "LOSS_TOO_HIGH", "SERVICE_MALFORMED", "UNSUPPORTED_CHAIN", "VERIFY_MISMATCH"]);
}

#[test]
fn what_is_wrong_with_the_types_is_what_is_shown() {
    let (verifier, honest, now) = input_of("order: sells for at least");
    let domain = json!([{ "name": "name", "type": "string" }, { "name": "verifyingContract", "type": "address" }]);
    for (place, by, actual) in [
        ("/toSign/primaryType", json!("Bridge"), "primaryType Bridge"),
        ("/toSign/primaryType", json!(""), "primaryType "),
        ("/toSign/types/EIP712Domain", domain, "EIP712Domain(string name,address verifyingContract)"),
        // Two that name each other leave one root.
        ("/toSign/types/One", json!([{ "name": "two", "type": "Two" }]), "beside it the type One"),
    ] {
        let mut input = honest.clone();
        let (holder, name) = place.rsplit_once('/').unwrap();
        input.pointer_mut(holder).unwrap()[name] = by;
        if name == "One" {
            input["toSign"]["types"]["Two"] = json!([{ "name": "one", "type": "One" }]);
        }
        let error = run(&verifier, &input, now).unwrap_err();
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::VerifyMismatch, Some("types")), "{error:?}");
        assert_eq!(error.actual.as_deref(), Some(actual));
    }
}

#[test]
fn a_chain_without_contracts_says_what_to_pass() {
    let (verifier, mut input, now) = input_of("order: sells for at least");
    for (chain_id, example) in
        [(31337, "contracts: { 31337: { delta: \"0x...\" } }"), (100, "contracts: { 100: { delta: \"0x...\" } }")]
    {
        input["request"]["chainId"] = json!(chain_id);
        let error = run(&verifier, &input, now).unwrap_err();
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::UnsupportedChain, Some("contracts")), "{error:?}");
        assert_eq!(error.expected.as_deref(), Some(example));
    }
    // Another contract of that chain is none for orders; the pinned one stands behind it.
    input["request"]["chainId"] = json!(8453);
    input["contracts"] = json!({ "8453": { "rfq": "0x00000000000000000000000000000000000000f1" } });
    run(&verifier, &input, now).unwrap();
}

#[test]
fn a_signature_that_nobody_read_is_a_question_and_a_plain_keys_is_refused() {
    let (verifier, mut input, now) = input_of("fill: with a signature of somebody else");
    let hash = input["orders"][0]["orderHash"].as_str().unwrap().to_owned();
    // No code: `accepted` is false.
    let error = run(&verifier, &input, now).unwrap_err();
    assert_eq!(error.field.as_deref(), Some("orders.0.signature"));
    input["readings"]["orders"][&hash].as_object_mut().unwrap().remove("accepted");
    let report = run(&verifier, &input, now).unwrap();
    assert_eq!(reasons(&report), ["signatureUnread"]);
    let (question, maker) = (&report["questions"][0], input["orders"][0]["maker"].as_str().unwrap().to_owned());
    assert_eq!(question["field"], "orders.signature");
    assert!(question["text"].as_str().unwrap().contains(&maker), "{question}");
    input["readings"]["orders"][&hash]["accepted"] = json!(true);
    assert_eq!(reasons(&run(&verifier, &input, now).unwrap()), [""; 0]);
    // Accepted at an earlier fill: the contract does not check it again.
    input["readings"]["orders"][&hash].as_object_mut().unwrap().remove("accepted");
    input["readings"]["orders"][&hash]["remaining"] = json!("100000001");
    let error = run(&verifier, &input, now).unwrap_err();
    assert_eq!(
        error.field.as_deref(),
        Some("transaction.data"),
        "another form of the call; of the signature nothing is asked"
    );
    // Nothing was read at all.
    input.as_object_mut().unwrap().remove("readings");
    assert_eq!(reasons(&run(&verifier, &input, now).unwrap()), ["signatureUnread"]);
    // One that stands in no list has the argument's name.
    input["orders"] = input["orders"][0].take();
    input["orders"]["makerAmount"] = json!(0);
    assert_eq!(run(&verifier, &input, now).unwrap_err().field.as_deref(), Some("orders.makerAmount"));
}

#[test]
fn an_order_of_the_past_is_refused_by_its_deadline_and_passes_at_its_time() {
    let (verifier, mut input, now) = input_of("order: sells for at least");
    input["now"] = json!(now + 86_400);
    let error = run(&verifier, &input, now).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::VerifyMismatch, Some("order.deadline")));
    assert!(error.expected.as_deref().unwrap().starts_with("after "), "{error:?}");
    input["now"] = json!(now);
    run(&verifier, &input, now + 86_400).unwrap();
}

/// Each value of typed data is hashed and compared: of too many, none is.
#[test]
fn typed_data_of_too_many_values_is_refused_before_it_is_hashed() {
    for name in ["permit, eip2612", "cancellation by signature", "OTC order for one taker"] {
        let (verifier, mut input, now) = input_of(name);
        for (count, is_counted) in [(8_000, true), (8_192, false)] {
            input["toSign"] = json!({ "domain": {}, "types": { "Root": [{ "name": "a", "type": "uint8[]" }] },
                "value": { "a": vec![1; count] } });
            let error = run(&verifier, &input, now).unwrap_err();
            let expected = error.expected.as_deref() == Some("at most 8192 values in all");
            assert_eq!(
                (expected, error.field.as_deref() == Some("toSign")),
                (!is_counted, !is_counted),
                "{name}: {error:?}"
            );
        }
    }
}

/// A domain with the chain, as its number or as the salt, is for that chain; any other counts on several.
#[test]
fn a_permit_that_names_no_chain_is_a_question() {
    for name in ["permit, eip2612", "permit, dai"] {
        let (verifier, honest, now) = input_of(name);
        let chain = honest["request"]["chainId"].as_u64().unwrap();
        let salt = |number: u64| json!(format!("0x{number:064x}"));
        for (member, value, is_bound) in [
            ("chainId", Some(json!(chain)), true),
            ("salt", Some(salt(chain)), true),
            ("salt", Some(json!(format!("0x{chain:064X}"))), true),
            ("salt", Some(salt(chain + 1)), false),
            ("salt", Some(salt(0)), false),
            ("chainId", None, false),
        ] {
            let mut input = honest.clone();
            let domain = input["toSign"]["domain"].as_object_mut().unwrap();
            domain.remove("chainId");
            let case = format!("{name} {member} {value:?}");
            domain.extend(value.map(|value| (member.to_owned(), value)));
            for is_brought in [false, true] {
                let _ = input["readings"].as_object_mut().map(|readings| readings.remove("domainSeparator"));
                if is_brought {
                    // The token's own domain is that very one.
                    let report = run(&verifier, &input, now).unwrap();
                    let checks = report["checks"].as_array().unwrap();
                    let domain = checks.iter().find(|check| check["field"] == "domain").unwrap();
                    input["readings"]["domainSeparator"] = domain["actual"].clone();
                }
                let report = run(&verifier, &input, now).unwrap_or_else(|error| panic!("{case}: {error:?}"));
                let asked: Vec<_> = reasons(&report).into_iter().filter(|reason| reason != "unlimitedPermit").collect();
                let expected: &[&str] = if is_bound { &[] } else { &["permitChainUnbound"] };
                assert_eq!(asked, expected, "{case} {is_brought}");
            }
        }
    }
    // Permit2's domain has the chain, or is refused.
    let (verifier, mut input, now) = input_of("permit, permit2Transfer");
    input["toSign"]["domain"].as_object_mut().unwrap().remove("chainId");
    assert_eq!(run(&verifier, &input, now).unwrap_err().code, ErrorCode::VerifyMismatch);
}
