//! The descriptors by which a wallet shows in words what it signs (ERC-7730,
//! <https://eips.ethereum.org/EIPS/eip-7730>), written from this package's own types: `WRITE=1 cargo test --test
//! clear_signing`. Without it, the files of the package are compared with what the types give, and that is held against
//! the standard. `tests/coverage/hardware.test.mjs` has a wallet's library read them.
//!
//! There is no `interpolatedIntent`: a wallet may show it in place of the fields, and no sentence can name a bridge
//! only where there is one.

use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::path::Path;
use verified_swap_verify::internal::domain::chain::{Contracts, Protocol, pinned, pinned_chains};
use verified_swap_verify::internal::domain::delta::cancellation::ORDER_CANCELLATIONS;
use verified_swap_verify::internal::domain::delta::order::{self as delta, TYPES};
use verified_swap_verify::internal::domain::otc::order as otc;
use verified_swap_verify::internal::domain::side::Side;
use verified_swap_verify::internal::domain::token::NATIVE;
use verified_swap_verify::internal::domain::typed_struct::{members, part};
use verified_swap_verify::internal::value::text::ToText;

const SCHEMA: &str = "https://eips.ethereum.org/assets/eip-7730/erc7730-v2.schema.json";
const NOBODY: &str = "0x0000000000000000000000000000000000000000";

/// One of the two files.
struct File {
    name: &'static str,
    protocol: Protocol,
    contract: &'static str,
    domain: (&'static str, &'static str),
    /// The types with what signing them does, in words.
    types: Vec<(&'static str, &'static str)>,
    /// What is shown of them, in this order: a field is left out where the type does not have it.
    fields: Vec<Value>,
}

fn files() -> [File; 2] {
    let intents = [
        "Swap order",
        "Swap order, filled in parts",
        "Sell in slices",
        "Buy in slices",
        "Swap order through a contract",
        "Cancel orders",
    ];
    let delta_types = TYPES.into_iter().chain([ORDER_CANCELLATIONS]).zip(intents).collect();
    [
        File {
            name: "delta.json",
            protocol: Protocol::Delta,
            contract: "Delta",
            domain: (delta::DOMAIN_NAME, delta::DOMAIN_VERSION),
            types: delta_types,
            fields: vec![
                amount_or_native("srcAmount", "Sell at most", "srcToken"),
                amount_or_native("totalSrcAmount", "Sell in all", "srcToken"),
                amount_or_native("totalDestAmount", "Buy in all", "destToken"),
                amount_or_native("maxSrcAmount", "Sell at most", "srcToken"),
                amount_or_native("destAmount", "Buy at least", "destToken"),
                amount_or_native("destAmountPerSlice", "Buy at least, per slice", "destToken"),
                with(field("kind", "Side", "enum"), "params", json!({ "$ref": "$.metadata.enums.side" })),
                field("numSlices", "Slices", "raw"),
                field("interval", "One slice every", "duration"),
                unless(json!(0), field("bridge.destinationChainId", "Bridge to", "chainId")),
                unless(json!(NOBODY), elsewhere("bridge.outputToken", "Arrives as", "bridge.destinationChainId")),
                field("beneficiary", "Receiver", "addressName"),
                with(field("handler", "Handed to", "addressName"), "params", json!({ "types": ["contract"] })),
                field("data", "Data for that contract", "raw"),
                date("deadline", "Good until"),
                own("owner", "Owner"),
                unless(json!(0), field("partnerAndFee", "Partner and fee", "raw")),
                unless(json!("0x"), field("permit", "Permit", "raw")),
                with(field("metadata", "Metadata", "raw"), "visible", json!("optional")),
                unless(json!("0x00000000"), field("bridge.protocolSelector", "Bridge", "raw")),
                unless(json!(0), field("bridge.scalingFactor", "Decimals added", "raw")),
                unless(json!("0x"), field("bridge.protocolData", "Data for the bridge", "raw")),
                with(field("expectedAmount", "Expected, in raw units", "raw"), "visible", json!("optional")),
                with(field("nonce", "Nonce", "raw"), "visible", json!("optional")),
                field("orderIds.[]", "Order", "raw"),
            ],
        },
        File {
            name: "rfq.json",
            protocol: Protocol::Otc,
            contract: "Augustus RFQ",
            domain: (otc::DOMAIN_NAME, otc::DOMAIN_VERSION),
            types: vec![(otc::ORDER, "Offer")],
            fields: vec![
                amount("makerAmount", "Give", "makerAsset"),
                amount("takerAmount", "Get", "takerAsset"),
                unless(json!(NOBODY), field("taker", "Only for", "addressName")),
                date("expiry", "Good until (1970: always)"),
                own("maker", "Owner"),
                with(field("nonceAndMeta", "Nonce and taker", "raw"), "visible", json!("optional")),
            ],
        },
    ]
}

fn field(path: &str, label: &str, format: &str) -> Value {
    json!({ "path": path, "label": label, "format": format })
}

fn with(mut field: Value, name: &str, value: Value) -> Value {
    field[name] = value;
    field
}

/// Shown unless it is that value.
fn unless(value: Value, field: Value) -> Value {
    with(field, "visible", json!({ "ifNotIn": [value] }))
}

fn amount(path: &str, label: &str, token: &str) -> Value {
    with(field(path, label, "tokenAmount"), "params", json!({ "tokenPath": token }))
}

/// As [`amount`], where the token may be the native one.
fn amount_or_native(path: &str, label: &str, token: &str) -> Value {
    let mut field = amount(path, label, token);
    field["params"]["nativeCurrencyAddress"] = json!("$.metadata.constants.nativeToken");
    field
}

fn elsewhere(path: &str, label: &str, chain: &str) -> Value {
    with(field(path, label, "tokenTicker"), "params", json!({ "chainIdPath": chain }))
}

fn date(path: &str, label: &str) -> Value {
    with(field(path, label, "date"), "params", json!({ "encoding": "timestamp" }))
}

fn own(path: &str, label: &str) -> Value {
    with(field(path, label, "addressName"), "params", json!({ "types": ["wallet"] }))
}

/// The paths of all values in a type, with their types: `bridge.outputToken`, `orderIds.[]`.
fn leaves(encoded: &'static str) -> Vec<(String, &'static str)> {
    let mut found = Vec::new();
    for (name, kind) in members(encoded) {
        match (part(encoded, kind), kind.strip_suffix("[]")) {
            (Some(inner), _) => found.extend(members(inner).map(|(inner, kind)| (format!("{name}.{inner}"), kind))),
            (None, Some(item)) => found.push((format!("{name}.[]"), item)),
            (None, None) => found.push((name.into(), kind)),
        }
    }
    found
}

impl File {
    fn deployments(&self) -> Vec<(u64, String)> {
        let address = |chain| pinned(chain).as_ref().and_then(|known: &Contracts| known.of(self.protocol));
        pinned_chains().filter_map(|chain| Some((chain, address(chain)?.text()))).collect()
    }

    fn descriptor(&self) -> Value {
        let deployments =
            self.deployments().into_iter().map(|(id, address)| json!({ "chainId": id, "address": address }));
        let mut formats = Map::new();
        for (encoded, intent) in &self.types {
            let known: BTreeSet<_> = leaves(encoded).into_iter().map(|(path, _)| path).collect();
            let fields = self.fields.iter().filter(|field| known.contains(field["path"].as_str().unwrap()));
            formats.insert((*encoded).into(), json!({ "intent": intent, "fields": fields.collect::<Vec<_>>() }));
        }
        let (name, version) = self.domain;
        let mut metadata = json!({ "owner": "Velora", "contractName": self.contract });
        if self.protocol == Protocol::Delta {
            let sides = [Side::Sell, Side::Buy].map(|side| (side.kind().to_string(), json!(side.name())));
            metadata["enums"] = json!({ "side": Map::from_iter(sides) });
            metadata["constants"] = json!({ "nativeToken": NATIVE.text() });
        }
        json!({
            "$schema": SCHEMA,
            "context": { "eip712": {
                "domain": { "name": name, "version": version },
                "deployments": deployments.collect::<Vec<_>>(),
            } },
            "metadata": metadata,
            "display": { "formats": formats },
        })
    }
}

#[test]
fn the_files_of_the_package_are_what_the_types_give() {
    assert_eq!(files().map(|file| file.deployments().len()), [7, 9], "chains with a Delta and with an RFQ contract");
    for file in files() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../pkg-template/erc7730").join(file.name);
        let given = serde_json::to_string_pretty(&file.descriptor()).unwrap() + "\n";
        if std::env::var_os("WRITE").is_some() {
            std::fs::write(&path, &given).unwrap();
        }
        let packed = std::fs::read_to_string(path).unwrap();
        assert_eq!(packed, given, "{}: WRITE=1 cargo test --test clear_signing", file.name);
    }
}

/// The parameters that a format of the standard takes, and how the types begin that it is for.
const FORMATS: [(&str, &str, &[&str]); 8] = [
    ("raw", "", &[]),
    ("tokenAmount", "uint", &["tokenPath", "nativeCurrencyAddress"]),
    ("date", "uint", &["encoding"]),
    ("duration", "uint", &[]),
    ("enum", "uint", &["$ref"]),
    ("chainId", "uint", &[]),
    ("addressName", "address", &["types"]),
    ("tokenTicker", "address", &["chainIdPath"]),
];

#[test]
fn every_value_that_is_signed_is_shown_by_a_format_of_its_type_and_none_is_never_shown() {
    for file in files() {
        let descriptor = file.descriptor();
        let formats = descriptor["display"]["formats"].as_object().unwrap();
        assert_eq!(formats.len(), file.types.len());
        for (encoded, _) in &file.types {
            let leaves = leaves(encoded);
            let type_of = |path: &str| leaves.iter().find(|(known, _)| known == path).map(|(_, kind)| *kind);
            let mut shown = BTreeSet::new();
            for field in formats[*encoded]["fields"].as_array().unwrap() {
                let text = |name: &str| field[name].as_str().unwrap_or_else(|| panic!("{field} has no {name}"));
                let kind = type_of(text("path")).unwrap_or_else(|| panic!("{encoded} has no {}", text("path")));
                let (_, taken, params) = FORMATS.iter().find(|(name, ..)| *name == text("format")).unwrap();
                assert!(kind.starts_with(taken) && !text("label").is_empty(), "{field} of {kind}");
                assert!(shown.insert(text("path").to_owned()), "{field} is there twice");
                for (name, value) in field["params"].as_object().unwrap_or(&Map::new()) {
                    assert!(params.contains(&name.as_str()), "{field}");
                    match (name.as_str(), value.as_str()) {
                        ("tokenPath", Some(path)) => {
                            assert_eq!(type_of(path), Some("address"), "{field}");
                            shown.insert(path.into());
                        }
                        ("chainIdPath", Some(path)) => assert_eq!(type_of(path), Some("uint256"), "{field}"),
                        (_, Some(path)) if path.starts_with("$.") => {
                            assert!(descriptor.pointer(&path[1..].replace('.', "/")).is_some(), "{path}");
                        }
                        ("encoding", encoding) => assert_eq!(encoding, Some("timestamp")),
                        _ => assert!([json!(["wallet"]), json!(["contract"])].contains(value), "{field}"),
                    }
                }
                // Hidden while it is empty, and for no other value.
                let empty = match kind {
                    "address" => json!(NOBODY),
                    "bytes" => json!("0x"),
                    "bytes4" => json!("0x00000000"),
                    _ => json!(0),
                };
                let rules = [Value::Null, json!("optional"), json!({ "ifNotIn": [empty] })];
                assert!(rules.contains(&field["visible"]), "{field}");
            }
            let all: BTreeSet<_> = leaves.iter().map(|(path, _)| path.clone()).collect();
            assert_eq!(shown, all, "{encoded}");
        }
    }
}
