//! The verdicts of the verifiers of `verified-swap/verify`: of every published vector, and of every honest one with one
//! member of its input changed or left out.

use crate::pointers::pointers;
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

fn refusal(verifier: &str, input: &Value, now: u64) -> (ErrorCode, String) {
    let error = run(verifier, input, now).unwrap_err();
    (error.code, error.field.clone().unwrap_or_default())
}

/// Members that libraries, MetaMask and Safe's transaction service put into a transaction pass, and no others.
#[test]
fn a_transaction_has_the_members_that_are_known_and_no_other() {
    let address = "0x00000000000000000000000000000000000000ba";
    let none = "0x0000000000000000000000000000000000000000";
    // With what each library, wallet and service has beside `from`, `to`, `value` and `data`.
    let honest = [
        (
            "viem",
            json!({ "type": "eip1559", "gas": "21000", "maxFeePerGas": "1000", "maxPriorityFeePerGas": "1", "nonce": 7, "accessList": [], "chainId": 8453 }),
        ),
        (
            "viem, as JSON-RPC",
            json!({ "type": "0x2", "gas": "0x5208", "maxFeePerGas": "0x3e8", "maxPriorityFeePerGas": "0x1", "nonce": "0x7", "chainId": "0x2105" }),
        ),
        (
            "ethers",
            json!({ "type": 2, "gasLimit": "21000", "maxFeePerGas": "1000", "nonce": 7, "chainId": "8453", "accessList": null }),
        ),
        (
            "web3",
            json!({ "gas": "0x5208", "gasLimit": "0x5208", "gasPrice": "0x3e8", "networkId": "0x2105", "chain": "base", "hardfork": "london", "nonce": "0x0" }),
        ),
        (
            "MetaMask",
            json!({ "gas": "0x5208", "estimateSuggested": "medium", "estimateUsed": "medium", "estimatedBaseFee": "0x1", "type": "0x2" }),
        ),
        (
            "Safe",
            json!({ "safe": address, "operation": 0, "safeTxGas": 120_000, "baseGas": "0", "gasPrice": "0", "gasToken": none, "refundReceiver": none,
            "nonce": 12, "contractTransactionHash": "0x01", "sender": address, "signature": "0x", "origin": null }),
        ),
        ("the service", json!({ "gas": "250000", "gasPrice": "1000000", "chainId": 8453 })),
        ("both names of the calldata", json!({ "input": "data" })),
    ];
    let others = [
        ("authorizationList", json!([])),
        ("authorization_list", json!([])),
        ("capabilities", json!({})),
        ("capabilities", json!({ "paymasterService": { "url": "https://pay.example" } })),
        ("capabilities", json!({ "paymasterService": { "url": "http://pay.example", "optional": true } })),
        (
            "capabilities",
            json!({ "paymasterService": { "url": "https://pay.example", "optional": true }, "flowControl": {} }),
        ),
        ("calls", json!([])),
        ("customData", json!({})),
        ("operation", json!(1)),
        ("operation", json!("0x1")),
        ("operation", json!(true)),
        ("gasToken", json!(address)),
        ("refundReceiver", json!(address)),
        ("input", json!("0x")),
        ("blobs", json!([])),
        ("Value", json!("1")),
        ("accounts", json!([address])),
    ];
    for name in [
        "swap: sells through the router",
        "fill: of an order that can be paid for",
        "transaction: approval for the router",
    ] {
        let (verifier, input, now) = input_of(name);
        let with = |more: &Value| {
            let mut input = input.clone();
            for (name, value) in more.as_object().unwrap() {
                let is_same = value == "data";
                input["transaction"][name] = if is_same { input["transaction"]["data"].clone() } else { value.clone() };
            }
            input
        };
        for (of, more) in &honest {
            run(&verifier, &with(more), now).unwrap_or_else(|error| panic!("{name}, {of}: {error:?}"));
        }
        for (member, value) in &others {
            let found = refusal(&verifier, &with(&json!({ *member: value })), now);
            assert_eq!(found, (ErrorCode::VerifyMismatch, format!("transaction.{member}")), "{name}: {value}");
        }
        let refunded = with(&json!({ "operation": 0, "gasPrice": "1" }));
        assert_eq!(refusal(&verifier, &refunded, now), (ErrorCode::VerifyMismatch, "transaction.gasPrice".into()));
        for (member, value) in
            [("gas", json!("much")), ("nonce", json!(-1)), ("maxFeePerGas", json!({})), ("value", json!("1e3"))]
        {
            let (code, field) = refusal(&verifier, &with(&json!({ member: value })), now);
            assert_eq!((code, field), (ErrorCode::ServiceMalformed, format!("transaction.{member}")));
        }
        // The one shape that is known, of the batch that it is a call of: the sentence has it behind all else.
        let plain = run(&verifier, &input, now).unwrap();
        let service = json!({ "url": "https://pay.example/v1", "context": { "policyId": "1" }, "optional": true });
        let mut paid = run(&verifier, &with(&json!({ "capabilities": { "paymasterService": service } })), now).unwrap();
        let sentence = format!("{}; gas paid by pay.example if it agrees", plain["sentence"].as_str().unwrap());
        assert_eq!(paid["sentence"], sentence);
        paid["sentence"] = plain["sentence"].clone();
        assert_eq!(paid, plain, "nothing else depends on it");
        let rounded = with(&json!({ "nonce": 9_007_199_254_740_993_u64 }));
        assert_eq!(refusal(&verifier, &rounded, now), (ErrorCode::ServiceMalformed, "transaction.nonce".into()));
    }
}

/// The cost of gas is stated, and refused beyond what is plausible, whatever the price is; no accusation is made.
#[test]
fn gas_that_eats_the_account_is_refused() {
    for name in [
        "swap: sells through the router",
        "fill: of an order that can be paid for",
        "transaction: approval for the router",
    ] {
        let (verifier, input, now) = input_of(name);
        let with = |more: Value| {
            let mut input = input.clone();
            input["transaction"].as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            run(&verifier, &input, now)
        };
        let plain = with(json!({})).unwrap();
        assert!(plain.get("gasAtMost").is_none() && !plain["checks"].to_string().contains("transaction.gas"), "{name}");
        // 0.02 ether, and one wei of price more.
        let most = 20_000_000_000_000_000_u64;
        let (limit, price) = (100_000_u64, most / 100_000);
        for of in ["gasPrice", "maxFeePerGas", "maxPriorityFeePerGas"] {
            let report = with(json!({ of: price.to_string(), "gas": limit })).unwrap();
            assert_eq!(report["gasAtMost"], most.to_string(), "{name}");
            let check =
                report["checks"].as_array().unwrap().iter().find(|check| check["field"] == "transaction.gas").unwrap();
            assert_eq!(check["verdict"], "ok");
            for more in
                [json!({ of: (price + 1).to_string(), "gasLimit": limit }), json!({ of: "1000000000000000000" })]
            {
                let error = with(more).unwrap_err();
                assert_eq!(
                    (error.code, error.field.as_deref()),
                    (ErrorCode::LossTooHigh, Some("transaction.gas")),
                    "{name}"
                );
            }
        }
    }
}

/// Numbers that a program would round are refused at their place; the text to sign comes back, and has the digest.
#[test]
fn typed_data_of_bare_numbers_is_refused_and_the_text_to_sign_is_handed_back() {
    let (now, all) = vectors();
    let mut seen = BTreeSet::new();
    for Vector { name, verifier, input, .. } in
        all.iter().filter(|vector| vector.is_honest && vector.input.get("toSign").is_some())
    {
        let report = run(verifier, input, now).unwrap();
        let text = report["toSign"].as_str().unwrap_or_else(|| panic!("{name}"));
        let typed = parse(text).unwrap();
        let digest = verified_swap_verify::internal::domain::eip712::digest(&typed).unwrap().digest;
        let given = input["toSign"]
            .as_str()
            .map_or_else(|| input["toSign"].clone(), |text| serde_json::from_str(text).unwrap());
        let expected = report["digest"].as_str().map(String::from).unwrap_or_else(|| {
            let read = parse(&given.to_string().replacen("\"data\":", "\"message\":", 1)).unwrap();
            verified_swap_verify::internal::domain::eip712::digest(&read).unwrap().digest.to_string()
        });
        assert_eq!(digest.to_string(), expected, "{name}");
        for member in ["types", "primaryType", "domain", "message"] {
            assert!(typed.get(member).is_some(), "{name}: {member}");
        }
        assert!(text.contains("\"EIP712Domain\":"), "{name}");
        seen.insert(verifier.clone());
        // Handed in again, as text or as an object, it is the same.
        for again in [json!(text), serde_json::from_str(text).unwrap()] {
            let mut input = input.clone();
            input["toSign"] = again;
            assert_eq!(run(verifier, &input, now).unwrap()["toSign"], text, "{name}");
        }
        let mut places = Vec::new();
        pointers(&given, "", &mut places);
        let is_number =
            |place: &&String| given.pointer(place).unwrap().as_str().is_some_and(|text| text.parse::<u128>().is_ok());
        for place in places.iter().filter(is_number) {
            let mark = format!("\"{}\"", "#".repeat(9));
            for number in ["9007199254740993", "1e3", "5.0"] {
                let bare = changed(&given, place, Some(&json!("#".repeat(9)))).to_string().replace(&mark, number);
                let mut input = input.clone();
                input["toSign"] = json!(bare);
                let field = format!("toSign{}", place.replace('/', "."));
                assert_eq!(refusal(verifier, &input, now), (ErrorCode::ServiceMalformed, field), "{name}: {number}");
            }
        }
    }
    assert_eq!(seen.len(), 4, "{seen:?}");
}

/// A price is one of a pair, and no price of any other.
#[test]
fn a_reference_is_of_the_requests_pair() {
    let stranger = "0x00000000000000000000000000000000000000ba";
    for name in
        ["order: sells for at least", "swap: sells through the router", "fill: of an order that can be paid for"]
    {
        let (verifier, honest, now) = input_of(name);
        run(&verifier, &honest, now).unwrap();
        let reference = |change: &dyn Fn(&mut Value)| {
            let mut input = honest.clone();
            change(&mut input["reference"]);
            refusal(&verifier, &input, now)
        };
        let at = |field: &str| (ErrorCode::InvalidInput, field.to_owned());
        assert_eq!(reference(&|price| price["src"] = json!(stranger)), at("reference.src"));
        assert_eq!(reference(&|price| price["dest"] = json!(stranger)), at("reference.dest"));
        assert_eq!(
            reference(&|price| *price = json!({ "src": price["dest"], "dest": price["src"], "price": "1" })),
            at("reference.src")
        );
        assert_eq!(reference(&|price| price["pair"] = json!(1)), at("reference.pair"));
        assert_eq!(reference(&|price| price["price"] = json!("0")), at("reference.price"));
        assert_eq!(reference(&|price| *price = json!("2500")), at("reference"));
        for member in ["src", "dest", "price"] {
            assert_eq!(
                reference(&|price| drop(price.as_object_mut().unwrap().remove(member))),
                at(&format!("reference.{member}"))
            );
        }
    }
    // A maker's order of a worthless token has the same figures.
    let (verifier, mut input, now) = input_of("fill: of an order that can be paid for");
    for member in ["makerAsset", "takerAsset"] {
        let mut input = input.clone();
        input["request"].as_object_mut().unwrap().remove(member);
        assert_eq!(refusal(&verifier, &input, now), (ErrorCode::InvalidInput, format!("request.{member}")));
        input.as_object_mut().unwrap().remove("reference");
        assert_eq!(refusal(&verifier, &input, now), (ErrorCode::InvalidInput, format!("request.{member}")));
        input["request"] = json!({ "account": input["request"]["account"] });
        run(&verifier, &input, now).unwrap();
    }
    let (maker, src) = (input["request"]["makerAsset"].clone(), input["request"]["takerAsset"].clone());
    input["request"]["makerAsset"] = json!(stranger);
    input["request"]["makerDecimals"] = json!(6);
    input["reference"] = json!({ "src": src, "dest": stranger, "price": "2500" });
    let error = run(&verifier, &input, now).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::VerifyMismatch, Some("orders.0.makerAsset")));
    assert_eq!(error.actual.as_deref().map(str::to_lowercase), maker.as_str().map(str::to_lowercase));
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

/// A bound that a request does not have says nothing of the price: it is refused where it stands.
#[test]
fn terms_that_contradict_the_request_are_refused() {
    let (now, all) = vectors();
    let orders = all.iter().filter(|vector| vector.is_honest && vector.verifier == "verifyOrder");
    for Vector { name, verifier, input, .. } in orders {
        let request = &input["request"];
        let buys_slices = request.get("numSlices").is_some() && request["side"] == "BUY";
        if !buys_slices {
            let mut with = input.clone();
            with["request"]["maxSrcAmount"] = json!("1");
            let expected = (ErrorCode::InvalidInput, "request.maxSrcAmount".to_owned());
            assert_eq!(refusal(verifier, &with, now), expected, "{name}");
        }
    }
}

/// A chain's id may be in hex, as libraries write it for a wallet; a swap that names none says so.
#[test]
fn a_chains_id_is_read_in_hex_and_missed_where_it_is_not() {
    let (now, all) = vectors();
    for Vector { name, verifier, input, .. } in all.iter().filter(|vector| vector.is_honest) {
        let Some(chain) = input["toSign"]["domain"]["chainId"].as_u64() else { continue };
        let mut with = input.clone();
        with["toSign"]["domain"]["chainId"] = json!(format!("{chain:#x}"));
        assert_eq!(
            run(verifier, &with, now).unwrap()["digest"],
            run(verifier, input, now).unwrap()["digest"],
            "{name}"
        );
    }
    for name in ["swap: sells through the router", "transaction: approval for the router"] {
        let (verifier, mut input, now) = input_of(name);
        input["transaction"].as_object_mut().unwrap().remove("chainId");
        let report = run(&verifier, &input, now).unwrap();
        let checks = report["checks"].as_array().unwrap();
        let chain = checks.iter().find(|check| check["field"] == "transaction.chainId").unwrap();
        assert_eq!(chain["verdict"], "unknown", "{name}");
    }
}

/// The cost of an access list is part of the least gas, and no limit is lower than that.
#[test]
fn gas_counts_at_least_what_the_transaction_takes() {
    let (verifier, input, now) = input_of("transaction: approval for the router");
    let with = |more: Value| {
        let mut input = input.clone();
        input["transaction"].as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        run(&verifier, &input, now).map_err(|error| error.field.clone().unwrap_or_default())
    };
    let listed = |count: usize, keys: usize| {
        let keys: Vec<_> = (0..keys).map(|key| format!("0x{key:064x}")).collect();
        json!(
            (1..=count)
                .map(|one| json!({ "address": format!("0x{one:040x}"), "storageKeys": keys }))
                .collect::<Vec<_>>()
        )
    };
    let plain: u64 = with(json!({ "gasPrice": "1" })).unwrap()["gasAtMost"].as_str().unwrap().parse().unwrap();
    let report = with(json!({ "gasPrice": "1", "accessList": listed(3, 2) })).unwrap();
    assert_eq!(report["gasAtMost"], (plain + 3 * 2_400 + 6 * 1_900).to_string());
    assert_eq!(with(json!({ "gasPrice": "1", "gas": "0" })).unwrap()["gasAtMost"], plain.to_string());
    let field = Err("transaction.gas".to_owned());
    assert_eq!(with(json!({ "maxFeePerGas": "100000000000", "accessList": listed(8_000, 0) })), field);
    assert_eq!(with(json!({ "maxFeePerGas": "1000000000000000000", "gas": "0x0" })), field);
}

/// A price with digits that would be cut off, or of nothing, is no price.
#[test]
fn a_price_is_read_whole_or_refused() {
    let (verifier, input, now) = input_of("order: sells for at least");
    let mut long = input.clone();
    long["reference"]["price"] = json!("0.00040000000000000000000001");
    run(&verifier, &long, now).unwrap();
    for price in ["1.99e-18", "0.0000000000000000009", "0", "0.0"] {
        let mut with = input.clone();
        with["reference"]["price"] = json!(price);
        assert_eq!(refusal(&verifier, &with, now), (ErrorCode::InvalidInput, "reference.price".into()), "{price}");
        let mut with = input.clone();
        with["request"]["advanced"] = json!({ "srcPriceUsd": price, "destPriceUsd": "1" });
        let field = (ErrorCode::InvalidInput, "request.advanced.srcPriceUsd".into());
        assert_eq!(refusal(&verifier, &with, now), field, "{price}");
    }
}

/// Decimals that only the caller states make no price of his own an answer.
#[test]
fn own_prices_answer_nothing_in_units_that_nobody_read() {
    let (verifier, input, now) = input_of("order: sells for at least");
    let unlisted = "0x940181a94A35A4569E4529A3CDfB74e38FD98631";
    let text = input.to_string();
    let dest = input["request"]["destToken"].as_str().unwrap();
    let mut input: Value = serde_json::from_str(&text.replace(dest, unlisted)).unwrap();
    input.as_object_mut().unwrap().remove("orderHash");
    input.as_object_mut().unwrap().remove("reference");
    input["request"]["destDecimals"] = json!(18);
    input["request"]["advanced"] = json!({ "srcPriceUsd": "1", "destPriceUsd": "2500" });
    assert_eq!(reasons(&run(&verifier, &input, now).unwrap()), ["noReference"]);
    input["readings"] = json!({ "destDecimals": 18 });
    assert!(reasons(&run(&verifier, &input, now).unwrap()).is_empty());
}

/// The slippage of a purchase is of what is spent: a dearer quote is bounded as without it.
#[test]
fn slippage_widens_no_bound_of_a_purchase() {
    let (verifier, honest, now) = input_of("order: buys for at most the price plus slippage");
    let reference: f64 = honest["reference"]["price"].as_str().unwrap().parse().unwrap();
    for slippage in [0_u64, 50, 1_000, 2_000, 5_000, 10_000] {
        for (dearer, is_refused) in [(0.0, false), (0.045, false), (0.06, true), (0.4, true)] {
            let mut input = honest.clone();
            input.as_object_mut().unwrap().remove("orderHash");
            // The most that is spent, by the quote and the slippage.
            let quoted: f64 = input["quote"]["route"]["origin"]["input"]["amount"].as_str().unwrap().parse().unwrap();
            let most = (quoted * (1.0 + slippage as f64 / 10_000.0)).floor();
            input["toSign"]["value"]["srcAmount"] = json!(format!("{most:.0}"));
            input["request"]["slippageBps"] = json!(slippage);
            input["request"]["maxLossBps"] = json!(9_000);
            input["reference"]["price"] = json!(format!("{:.18}", reference * (1.0 + dearer)));
            let outcome = run(&verifier, &input, now);
            assert_eq!(outcome.is_err(), is_refused, "{slippage} {dearer}: {outcome:?}");
        }
    }
}

/// A domain's type in another order, or of other types, is hashed in two ways.
#[test]
fn a_domain_has_the_type_of_eip_712() {
    for name in ["permit, eip2612", "permit, permit2Transfer", "OTC order for anybody"] {
        let (verifier, honest, now) = input_of(name);
        let kinds =
            [("name", "string"), ("version", "string"), ("chainId", "uint256"), ("verifyingContract", "address")];
        let has = |name: &str| honest["toSign"]["domain"].get(name).is_some();
        let all: Vec<_> = kinds.into_iter().filter(|(name, _)| has(name)).collect();
        let with = |fields: &[(&str, &str)]| {
            let mut input = honest.clone();
            let fields: Vec<_> = fields.iter().map(|(name, kind)| json!({ "name": name, "type": kind })).collect();
            input["toSign"]["types"]["EIP712Domain"] = json!(fields);
            run(&verifier, &input, now).map_err(|error| (error.code, error.field.clone().unwrap_or_default()))
        };
        with(&all).unwrap();
        let refused = Err((ErrorCode::ServiceMalformed, "toSign.types.EIP712Domain".to_owned()));
        assert_eq!(with(&all.iter().rev().copied().collect::<Vec<_>>()), refused, "{name}");
        let other: Vec<_> =
            all.iter().map(|(name, kind)| (*name, if *name == "chainId" { "uint32" } else { *kind })).collect();
        assert_eq!(with(&other), refused, "{name}");
    }
}
