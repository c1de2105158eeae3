//! One form in, the same form out: what `explain` reads is what it hands back to be forwarded, and what wallets make of another
//! spelling is found. The verifiers refuse what programs read in different ways.

#![allow(clippy::restriction, clippy::cast_possible_truncation)]

use alloy_primitives::{Address, B256, address, hex, keccak256};
use serde_json::{Value, json};
use verified_swap_explain::explain;

const ACCOUNT: Address = address!("0x4a62316623ad457f02cdc5d997ded67a383ec569");

fn explained(call: &Value) -> Value {
    let context = json!({ "accounts": [ACCOUNT.to_string()], "chainId": 8453, "now": 1_800_000_000 });
    serde_json::from_str(&explain(&call.to_string(), &context.to_string()).unwrap()).unwrap()
}

fn dangers(answer: &Value) -> Vec<&str> {
    let all = answer["findings"].as_array().unwrap().iter();
    all.filter(|one| one["severity"] == "danger").map(|one| one["id"].as_str().unwrap()).collect()
}

/// The bytes that MetaMask signs for two parameters, by what its packages document; `None` if it refuses them.
/// eth-json-rpc-middleware 21 (`personalSign`): exchanged by length, and an account of the wallet's in any letters.
/// signature-controller 39 (`normalizePersonalMessageParams`), then eth-sig-util 8 (`legacyToBuffer`): digits are bytes.
fn metamask(params: &[String; 2]) -> Option<Vec<u8>> {
    let resembles = |text: &str| text.encode_utf16().count() == 42;
    let [first, second] = params;
    let is_exchanged = resembles(first) && !resembles(second);
    let (message, account) = if is_exchanged { (second, first) } else { (first, second) };
    let is_own = resembles(account) && account.to_lowercase() == ACCOUNT.to_string().to_lowercase();
    if !is_own || message.is_empty() {
        return None;
    }
    let digits = message.strip_prefix("0x").or_else(|| message.strip_prefix("0X")).unwrap_or(message);
    if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return Some(message.as_bytes().to_vec());
    }
    let even = if digits.len() % 2 == 0 { digits.to_owned() } else { format!("0{digits}") };
    Some(hex::decode(even).unwrap())
}

fn sign_in(place: &str) -> String {
    format!(
        "{place} wants you to sign in with your Ethereum account:\n{ACCOUNT}\n\nURI: https://{place}\nVersion: 1\nChain ID: 8453\nNonce: 12345678"
    )
}

/// Messages that somebody wants to have signed: hashes, a Safe's among them, binary, sign-ins, and texts that look like others.
fn messages() -> Vec<Vec<u8>> {
    let safe = keccak256([&[0x19, 1][..], keccak256("domain").as_slice(), keccak256("SafeTx").as_slice()].concat());
    let texts =
        ["hello", "1234", "deadbeef", "0x", "0X", "0x1234", "0xabc", "a", "0", "Hello, how are you??", "Grüße, 你好"];
    let hashes = [safe, keccak256("a user operation"), B256::repeat_byte(0x41), B256::ZERO];
    let mut all: Vec<Vec<u8>> = texts.iter().map(|text| text.as_bytes().to_vec()).collect();
    all.extend(hashes.iter().map(|hash| hash.to_vec()));
    all.extend([sign_in("app.example"), sign_in("evil.example")].map(String::into_bytes));
    all.extend([vec![0xFE; 33], vec![0; 20], ACCOUNT.to_vec(), vec![0x0A], vec![]]);
    all
}

/// Each spelling of a message in a request.
fn spelled(bytes: &[u8]) -> Vec<String> {
    let digits = hex::encode(bytes);
    let mut all = vec![
        format!("0x{digits}"),
        format!("0X{digits}"),
        digits.clone(),
        digits.to_uppercase(),
        format!("0x{}", digits.trim_start_matches('0')),
        digits.trim_start_matches('0').to_owned(),
    ];
    all.extend(String::from_utf8(bytes.to_vec()));
    all
}

fn accounts() -> Vec<String> {
    let text = ACCOUNT.to_string();
    let upper = text[2..].to_uppercase();
    vec![
        text.clone(),
        text.to_lowercase(),
        format!("0x{upper}"),
        format!("0X{upper}"),
        text[2..].to_owned(),
        format!("{text} "),
        Address::repeat_byte(7).to_string(),
        "a text of exactly forty-two characters, yes".chars().take(42).collect(),
    ]
}

fn asked(params: &[String; 2]) -> Value {
    explained(&json!({ "method": "personal_sign", "params": params }))
}

/// The parameters of a request that is handed back.
fn read(answer: &Value) -> Option<[String; 2]> {
    let params = answer["request"]["params"].as_array()?;
    Some([0, 1].map(|at| params[at].as_str().unwrap().to_owned()))
}

#[test]
fn no_message_is_signed_that_was_read_as_another() {
    let (mut calm, mut signed, mut found) = (0, 0, 0);
    for bytes in messages() {
        for (message, account) in
            spelled(&bytes).iter().flat_map(|one| accounts().into_iter().map(move |two| (one, two)))
        {
            for params in [[message.clone(), account.clone()], [account.clone(), message.clone()]] {
                let answer = asked(&params);
                let is_found = dangers(&answer).contains(&"message.form");
                let (taken, canonical) = (metamask(&params), read(&answer));
                signed += usize::from(taken.is_some());
                if is_found {
                    found += 1;
                } else if let Some(taken) = &taken {
                    calm += 1;
                    let canonical = canonical.clone().unwrap_or_else(|| panic!("{params:?}: {answer:#}"));
                    assert_eq!(canonical[0], hex::encode_prefixed(taken), "{params:?}");
                    assert_eq!(metamask(&canonical).as_ref(), Some(taken), "{params:?}");
                }
                // A request that is handed back is read as it was, and has one spelling.
                if let Some(canonical) = canonical {
                    let again = asked(&canonical);
                    assert_eq!((&again["sentence"], &again["request"]), (&answer["sentence"], &answer["request"]));
                    assert_eq!(canonical[1].parse::<Address>().unwrap().to_string(), canonical[1]);
                    assert!(canonical[0].starts_with("0x") && canonical[0].to_lowercase() == canonical[0]);
                }
            }
        }
    }
    assert!(calm > 30 && signed > 500 && found > 500, "{calm} {signed} {found}");
}

/// A hash hidden in digits, as MetaMask signs it.
#[test]
fn the_hash_of_a_safe_is_no_text_in_any_spelling() {
    let (hash, own) = (hex::encode(keccak256("SafeTx")), ACCOUNT.to_string());
    for params in
        [[hash.clone(), own.clone()], [format!("0X{}", &own[2..]), format!("0x{hash}")], [own, format!("0X{hash}")]]
    {
        assert!(metamask(&params).is_some_and(|bytes| bytes.len() == 32));
        assert_eq!(dangers(&asked(&params)), ["message.form"], "{params:?}");
    }
}

/// Texts of people, sign-ins (EIP-4361), and what viem, ethers and web3 make of them: `0x` and hex of UTF-8 or bytes, the account
/// with its checksum or in lower case.
#[test]
fn no_honest_message_is_a_danger() {
    let texts = [
        "Welcome to OpenSea!\n\nClick to sign in and accept the OpenSea Terms of Service.\n\nNonce: 4f7c",
        "Sign in to Example with nonce 7",
        "I agree",
        "gm",
        "dYdX",
        "Login 2026-11-28T12:00:00Z",
        "Grüße",
        "签名",
        "0xhello",
        "1,234.50 USD",
        "-1",
        "By signing you prove that the account 0x4a62316623ad457f02cdc5d997ded67a383ec569 is yours",
        "a text of exactly forty-two characters, ye",
        // As long as an account.
        "Hello, how are you??",
    ];
    let sign_ins = ["app.example", "opensea.io", "https://app.uniswap.org"].map(sign_in);
    let mut count = 0;
    for text in texts.into_iter().map(String::from).chain(sign_ins) {
        for message in [text.clone(), hex::encode_prefixed(&text)] {
            for account in [ACCOUNT.to_string(), ACCOUNT.to_string().to_lowercase()] {
                let answer = asked(&[message.clone(), account.clone()]);
                assert_eq!((dangers(&answer), &answer["verdict"]), (vec![], &json!("explained")), "{message}");
                let expected =
                    json!({ "method": "personal_sign", "params": [hex::encode_prefixed(&text), ACCOUNT.to_string()] });
                assert_eq!(answer["request"], expected);
                count += 1;
            }
        }
    }
    assert_eq!(count, 68);
    // A digest, as `signMessage({ message: { raw } })` has it.
    let hash = asked(&[keccak256("x").to_string(), ACCOUNT.to_string()]);
    assert_eq!((dangers(&hash), &hash["kind"]), (vec![], &json!("hash")));
}

#[test]
fn bytes_that_a_wallet_holds_are_read_as_they_are() {
    let entry = |bytes: &[u8]| {
        explained(&json!({ "kind": "message", "bytes": hex::encode_prefixed(bytes), "account": ACCOUNT.to_string() }))
    };
    for bytes in messages() {
        let (answer, asked) = (entry(&bytes), asked(&[hex::encode_prefixed(&bytes), ACCOUNT.to_string()]));
        assert_eq!((&answer["sentence"], &answer["request"]), (&asked["sentence"], &asked["request"]));
        assert_eq!(dangers(&answer), Vec::<&str>::new(), "a wallet's own bytes have one form");
    }
    // 32 bytes that are a text are a hash all the same.
    for text in ["Hello, please sign in. Nonce 123", "                                "] {
        assert_eq!((&entry(text.as_bytes())["kind"], text.len()), (&json!("hash"), 32));
    }
    assert_eq!(entry(b"Hello, please sign in. Nonce 12")["kind"], "message");
    for wrong in [
        json!({ "kind": "hash" }),
        json!({ "kind": "message", "bytes": "0x", "account": "me" }),
        json!({ "kind": "message", "bytes": "0xabc", "account": ACCOUNT.to_string() }),
        json!({ "kind": "message", "bytes": "0x", "account": ACCOUNT.to_string(), "method": "personal_sign" }),
    ] {
        assert_eq!(
            (&explained(&wrong)["verdict"], &explained(&wrong)["request"]),
            (&json!("unread"), &Value::Null),
            "{wrong}"
        );
    }
}

/// A request is handed back in one form: handed in again it is read alike, and comes back as it is.
#[test]
fn what_is_handed_back_comes_back_as_it_is() {
    let own = ACCOUNT.to_string().to_lowercase();
    let typed = json!({ "types": { "Mail": [{ "name": "text", "type": "string" }, { "name": "count", "type": "uint256" }] }, "primaryType": "Mail",
        "domain": { "name": "Grüße \u{202e}", "chainId": "0x2105" }, "message": { "text": "\u{0}é", "count": 5 } });
    let large = typed.to_string().replace("\"count\":5", "\"count\":9007199254740993");
    let one = json!({ "from": own, "to": own, "input": "0xABCD", "value": 0, "gasLimit": "0x05208", "nonce": 7, "type": "0x2", "accessList": [], "custom": { "b": [1] } });
    let operation =
        json!({ "sender": own, "nonce": 1, "callData": "0xAB", "signature": "0x", "preVerificationGas": "0x01" });
    let entry_point = "0x0000000071727de22e5e9d8baf0edac6f37da032";
    let calls = [
        json!({ "method": "eth_sendTransaction", "params": [one] }),
        json!({ "method": "eth_signTransaction", "params": one }),
        json!({ "method": "wallet_sendCalls", "params": [{ "version": "2.0.0", "chainId": 8453, "from": own, "calls": [{ "to": own, "value": 0 }], "capabilities": { "paymasterService": { "url": "https://pay.example" } } }] }),
        json!({ "method": "eth_signTypedData_v4", "params": [own, typed] }),
        json!({ "method": "eth_signTypedData_v4", "params": [own, typed.to_string()] }),
        json!({ "method": "eth_signTypedData_v4", "params": [own, large] }),
        json!({ "method": "eth_sendRawTransaction", "params": ["0xC0"] }),
        json!({ "method": "eth_sendUserOperation", "params": [operation, entry_point] }),
        json!({ "method": "wallet_signAuthorization", "params": [{ "address": own, "chainId": 1 }] }),
        json!({ "method": "eth_sign", "params": [own, "0x11"] }),
    ];
    for call in calls {
        let answer = explained(&call);
        assert_eq!(answer["request"]["method"], call["method"], "{answer:#}");
        let again = explained(&answer["request"]);
        assert_eq!((&again["request"], &again["sentence"]), (&answer["request"], &answer["sentence"]), "{call}");
        assert_eq!(again["digests"], answer["digests"], "{call}");
        assert!(!dangers(&again).contains(&"number.form"));
    }
    let sent = &explained(&json!({ "method": "eth_sendTransaction", "params": [one] }))["request"]["params"][0];
    let expected = json!({ "from": ACCOUNT.to_string(), "to": ACCOUNT.to_string(), "data": "0xabcd", "value": "0x0", "gasLimit": "0x5208", "nonce": "0x7",
        "type": "0x2", "accessList": [], "custom": { "b": [1] } });
    assert_eq!(*sent, expected, "what is not read is said, and stays as it is");
}

/// Capabilities of a batch, each with the paymaster's host; `None` for those of any other form.
fn capabilities() -> Vec<(Value, Option<&'static str>)> {
    let of = |service: Value| json!({ "paymasterService": service });
    let at = |url: &str| of(json!({ "url": url, "optional": true }));
    let with = |context: Value| of(json!({ "url": "https://pay.example", "context": context, "optional": true }));
    let long = |bytes: usize| format!("https://pay.example/{}", "a".repeat(bytes - 20));
    let mut all = vec![
        (at("https://pay.example"), Some("pay.example")),
        (at("https://xn--pay-hna.example:8443/v1/8453?key=a:b"), Some("xn--pay-hna.example:8443")),
        (at("https://a.b-c.pay2"), Some("a.b-c.pay2")),
        (at(&long(1024)), Some("pay.example")),
        (at(&long(1025)), None),
        (with(json!({ "policyId": "962b252c", "more": [1, { "b": null }] })), Some("pay.example")),
        (with(json!({ "a": "b".repeat(1024 - 8) })), Some("pay.example")),
        (with(json!({ "a": "b".repeat(1025 - 8) })), None),
        (with(json!([])), None),
        (with(json!("policy")), None),
        (with(json!({ "a": "\u{202e}" })), None),
        (with(json!({ "a": [9_007_199_254_740_993_u64] })), None),
        (of(json!({ "url": "https://pay.example" })), None),
        (of(json!({ "optional": true })), None),
        (of(json!({ "url": ["https://pay.example"], "optional": true })), None),
        (of(json!({ "url": "https://pay.example", "optional": true, "paymaster": ACCOUNT.to_string() })), None),
        (of(json!([{ "url": "https://pay.example", "optional": true }])), None),
        (json!({ "paymasterservice": { "url": "https://pay.example", "optional": true } }), None),
        (json!({ "paymasterService": { "url": "https://pay.example", "optional": true }, "atomic": {} }), None),
        (json!([at("https://pay.example")]), None),
        (json!({}), None),
        (json!("https://pay.example"), None),
    ];
    for optional in [json!(false), json!(1), json!("true"), json!(null)] {
        all.push((of(json!({ "url": "https://pay.example", "optional": optional })), None));
    }
    // Another program may read each of these as another host, or none.
    for url in [
        "http://pay.example",
        "HTTPS://pay.example",
        "https:pay.example",
        "https://",
        "https:///pay.example",
        "pay.example",
        "https://me@pay.example",
        "https://me:key@pay.example",
        "https://other.example\\@pay.example",
        "https://pay.example/@b",
        "https://pay.example\\.b",
        "https://pay.example#b",
        "https://pay.example/#b",
        "https://Pay.example",
        "https://päy.example",
        "https://pay。example",
        "https://pay.example.",
        "https://.pay.example",
        "https://pay..example",
        "https://pay%2eexample",
        "https://127.0.0.1",
        "https://127.1",
        "https://0x7f000001",
        "https://2130706433",
        "https://a.0x1",
        "https://[::1]",
        "https://pay.example:",
        "https://pay.example:+1",
        "https://pay.example:65536",
        "https://pay.example:1:2",
        "https://pay.example /",
        "https://pay.example/\n",
        "https://pay.example/é",
        "https://pay_er.example",
        " https://pay.example",
        "https://pay.example?\u{200b}",
    ] {
        all.push((at(url), None));
    }
    all
}

/// A paymaster is read in one form, and named; anything else beside the calls is not read.
#[test]
fn a_paymaster_is_read_in_one_form_alone() {
    let own = ACCOUNT.to_string();
    for (capabilities, host) in capabilities() {
        let call = json!({ "method": "wallet_sendCalls", "params": [{ "from": own, "chainId": "0x2105", "version": "2.0.0",
            "calls": [{ "to": own, "value": "0x0", "data": "0x" }], "atomicRequired": true, "capabilities": capabilities }] });
        let answer = explained(&call);
        let ids: Vec<_> = answer["findings"].as_array().unwrap().iter().map(|one| &one["id"]).collect();
        assert_eq!(ids.contains(&&json!("member.unread")), host.is_none(), "{capabilities}: {answer:#}");
        assert_eq!(answer["facts"]["gasPaidBy"].as_str(), host, "{capabilities}");
        let clause = host.map(|host| format!("; gas paid by {host} if it agrees")).unwrap_or_default();
        assert!(
            answer["sentence"].as_str().unwrap().starts_with(&format!("Run a batch of 1 on Base{clause}: ")),
            "{answer:#}"
        );
        let is_opaque = answer["opaque"].as_array().unwrap().contains(&json!("capabilities.paymasterService.context"));
        assert_eq!(
            is_opaque,
            host.is_some() && capabilities["paymasterService"].get("context").is_some(),
            "{capabilities}"
        );
        if host.is_some() {
            assert_eq!(answer["request"]["params"][0]["capabilities"], capabilities, "it goes on as it is");
        }
        // A single transaction, and a call of a batch, have no paymaster.
        let inside = json!({ "to": own, "value": "0x0", "data": "0x", "capabilities": capabilities });
        let mut alone = inside.clone();
        alone["from"] = json!(own);
        let nested = json!({ "method": "wallet_sendCalls", "params": [{ "from": own, "calls": [inside] }] });
        for call in [json!({ "method": "eth_sendTransaction", "params": [alone] }), nested] {
            let answer = explained(&call);
            // Hidden characters leave a call unread as a whole.
            let is_unread = answer["verdict"] == "unread" || answer["findings"].to_string().contains("member.unread");
            assert!(is_unread && !answer.to_string().contains("gas paid"), "{call}");
        }
    }
}

/// Nothing is handed back of what is not read, and no parameter beyond those that are.
#[test]
fn what_is_not_read_is_not_handed_back() {
    let own = ACCOUNT.to_string();
    for call in [
        json!({ "method": "eth_signTypedData", "params": [[{ "name": "a", "type": "string", "value": "b" }], own] }),
        json!({ "method": "eth_signTypedData_v4", "params": [own, "{\"a\":1,\"a\":2}"] }),
        json!({ "method": "eth_signTypedData_v4", "params": [own, { "types": {} }] }),
        json!({ "method": "eth_sendTransaction", "params": [{ "from": own, "value": "much" }] }),
        json!({ "method": "eth_sendTransaction", "params": [{ "from": own, "data": "0x01", "input": "0x02" }] }),
        json!({ "method": "eth_sendTransaction", "params": [{ "from": own, "operation": 1 }] }),
        json!({ "method": "eth_sendTransaction", "params": [{ "from": own, "a\u{202e}": 1 }] }),
        json!({ "method": "wallet_inventedTomorrow", "params": [] }),
        json!({ "method": "personal_sign", "params": [] }),
    ] {
        let answer = explained(&call);
        assert_eq!((&answer["request"], &answer["verdict"]), (&Value::Null, &json!("unread")), "{call}");
    }
    for (method, params) in [
        ("personal_sign", vec![json!("0x6869"), json!(own), json!("more")]),
        (
            "eth_sendTransaction",
            vec![json!({ "from": own, "to": own }), json!({ "to": Address::repeat_byte(9).to_string() })],
        ),
    ] {
        let answer = explained(&json!({ "method": method, "params": params }));
        let field = format!("params.{}", params.len() - 1);
        let is_said = answer["findings"]
            .as_array()
            .unwrap()
            .iter()
            .any(|one| one["id"] == "member.unread" && one["field"] == *field);
        assert!(is_said && answer["verdict"] == "unread", "{answer:#}");
        assert_eq!(answer["request"]["params"].as_array().unwrap().len(), params.len() - 1);
    }
}
