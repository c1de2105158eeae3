//! The descriptors by which a wallet shows in words what it signs (ERC-7730,
//! <https://eips.ethereum.org/EIPS/eip-7730>), written from this package's own types: `WRITE=1 cargo test --test
//! rules clear_signing`. Without it, the files of the package are compared with what the types give, and that is held against
//! the standard. `tests/coverage/hardware.test.mjs` has a wallet's library read them.
//!
//! `tests/vectors/registry` has the same in the form of the public registry, and the calls of both contracts beside them
//! (docs/releasing.md, "The registry of descriptors"). `tests/vectors/registry.test.mjs` writes their tests.
//!
//! There is no `interpolatedIntent`: a wallet may show it in place of the fields, and no sentence can name a bridge
//! only where there is one.

use alloy_primitives::{Address, B256, U256, keccak256};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::path::Path;
use verified_swap_verify::internal::domain::chain::{Contracts, Protocol, pinned, pinned_chains};
use verified_swap_verify::internal::domain::delta::calls as delta_calls;
use verified_swap_verify::internal::domain::delta::cancellation::ORDER_CANCELLATIONS;
use verified_swap_verify::internal::domain::delta::order::{self as delta, TYPES};
use verified_swap_verify::internal::domain::otc::calls::{self as otc_calls, Fill};
use verified_swap_verify::internal::domain::otc::fill::Share;
use verified_swap_verify::internal::domain::otc::order as otc;
use verified_swap_verify::internal::domain::side::Side;
use verified_swap_verify::internal::domain::token::NATIVE;
use verified_swap_verify::internal::domain::typed_struct::{TypedStruct, Value as Struct, members, part};
use verified_swap_verify::internal::value::text::ToText;

const SCHEMA: &str = "https://eips.ethereum.org/assets/eip-7730/erc7730-v2.schema.json";
/// Where the registry has it, from a file of an entity.
const REGISTRY_SCHEMA: &str = "../../specs/erc7730-v2.schema.json";
const NOBODY: &str = "0x0000000000000000000000000000000000000000";

/// The contents for one contract: a file of the package, two of the registry.
struct File {
    name: &'static str,
    /// The file's name in the registry, behind `eip712-` or `calldata-`.
    registry: &'static str,
    protocol: Protocol,
    contract: &'static str,
    domain: (&'static str, &'static str),
    /// The types with what signing them does, in words.
    types: Vec<(&'static str, &'static str)>,
    /// The fields that are shown of them, in this order: a field is left out where the type does not have it.
    fields: Vec<Value>,
    calls: Vec<Call>,
}

/// A function, for a wallet that sends: its arguments as (name, type), where an encoded struct is a type too.
struct Call {
    name: &'static str,
    intent: &'static str,
    arguments: Vec<(&'static str, &'static str)>,
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
            registry: "Velora-DeltaV2.json",
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
                anyone("beneficiary", "Receiver"),
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
            calls: calls_of_delta(),
        },
        File {
            name: "rfq.json",
            registry: "AugustusRFQ.json",
            protocol: Protocol::Otc,
            contract: "Augustus RFQ",
            domain: (otc::DOMAIN_NAME, otc::DOMAIN_VERSION),
            types: vec![(otc::ORDER, "Offer")],
            fields: vec![
                amount("makerAmount", "Give", "makerAsset"),
                amount("takerAmount", "Get", "takerAsset"),
                unless(json!(NOBODY), anyone("taker", "Only for")),
                date("expiry", "Good until (1970: always)"),
                own("maker", "Owner"),
                with(field("nonceAndMeta", "Nonce and taker", "raw"), "visible", json!("optional")),
            ],
            calls: calls_of_rfq(),
        },
    ]
}

/// The calls of Delta that this package has a wallet send. The fields of an order are added by [`File::calldata`].
fn calls_of_delta() -> Vec<Call> {
    let [order, _, twap, twap_buy, _] = TYPES;
    let hash = || field("orderHash", "Order", "raw");
    let back = "Cancel, take deposit back";
    let call = |name, intent, arguments: &[_], fields| Call { name, intent, arguments: arguments.to_vec(), fields };
    vec![
        call(
            "depositNativeAndPreSign",
            "Deposit, and authorize order",
            &[("orderHash", "bytes32")],
            vec![field("@.value", "Deposit", "amount"), hash()],
        ),
        call(
            "setPreSignature",
            "Authorize order, or no longer",
            &[("orderHash", "bytes32"), ("preSigned", "bool")],
            vec![hash(), field("preSigned", "Authorized", "raw")],
        ),
        call(
            "invalidateNonce",
            "Cancel all orders of a nonce",
            &[("nonce", "uint256")],
            vec![field("nonce", "Nonce", "raw")],
        ),
        call(
            "withdrawNative",
            "Take deposit back",
            &[("amount", "uint256")],
            vec![field("amount", "Amount", "amount")],
        ),
        call(
            "cancelAndWithdraw",
            back,
            &[("order", order), ("isFillable", "bool")],
            vec![field("isFillable", "Filled in parts", "raw")],
        ),
        call("cancelTWAPAndWithdraw", back, &[("order", twap)], vec![]),
        call("cancelTWAPBuyAndWithdraw", back, &[("order", twap_buy)], vec![]),
    ]
}

/// The calls of the RFQ contract that this package has a wallet send, but for batches. To fill is to be on the other
/// side, so an order's own fields, which say what its maker gives, are not used.
fn calls_of_rfq() -> Vec<Call> {
    let order = [
        with(anyone("order.taker", "Only for"), "visible", json!({ "ifNotIn": [NOBODY] })),
        anyone("order.maker", "Maker"),
        date("order.expiry", "Good until (1970: always)"),
        with(field("order.nonceAndMeta", "Nonce and taker", "raw"), "visible", json!("optional")),
        with(field("signature", "Maker's signature", "raw"), "visible", json!("optional")),
    ];
    let mut calls = Vec::new();
    for (name, is_part, has_target, has_permits) in [
        ("fillOrder", false, false, false),
        ("fillOrderWithTarget", false, true, false),
        ("partialFillOrder", true, false, false),
        ("partialFillOrderWithTarget", true, true, false),
        ("partialFillOrderWithTargetPermit", true, true, true),
    ] {
        let mut arguments = vec![("order", otc::ORDER), ("signature", "bytes")];
        let mut fields = Vec::new();
        let (give, get) = if is_part { ("All of it for", "All of it gives") } else { ("Give", "Get") };
        if is_part {
            arguments.push(("takerTokenFillAmount", "uint256"));
            fields.push(amount("takerTokenFillAmount", "Give", "order.takerAsset"));
        }
        fields.push(amount("order.takerAmount", give, "order.takerAsset"));
        fields.push(amount("order.makerAmount", get, "order.makerAsset"));
        if has_target {
            arguments.push(("target", "address"));
            fields.push(anyone("target", "Receiver"));
        }
        fields.extend(order.clone());
        if has_permits {
            for (path, label) in [("permitTakerAsset", "Permit"), ("permitMakerAsset", "Permit of the maker")] {
                arguments.push((path, "bytes"));
                fields.push(unless(json!("0x"), field(path, label, "raw")));
            }
        }
        let intent = if is_part { "Fill part of an offer" } else { "Fill offer" };
        calls.push(Call { name, intent, arguments, fields });
    }
    for (name, intent, path, argument) in [
        ("cancelOrder", "Cancel offer", "orderHash", ("orderHash", "bytes32")),
        ("cancelOrders", "Cancel offers", "orderHashes.[]", ("orderHashes", "bytes32[]")),
    ] {
        calls.push(Call { name, intent, arguments: vec![argument], fields: vec![field(path, "Offer", "raw")] });
    }
    calls
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

/// An address of whatever kind: the registry's linter wants that said.
fn anyone(path: &str, label: &str) -> Value {
    with(field(path, label, "addressName"), "params", json!({ "types": ["wallet", "eoa", "contract"] }))
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

/// A struct as a function's signature names it: its members in brackets.
fn tuple(encoded: &'static str) -> String {
    let kinds = members(encoded).map(|(name, kind)| match part(encoded, kind) {
        Some(inner) => format!("{} {name}", tuple(inner)),
        None => format!("{kind} {name}"),
    });
    format!("({})", kinds.collect::<Vec<_>>().join(", "))
}

impl Call {
    fn signature(&self) -> String {
        let arguments = self.arguments.iter().map(|(name, kind)| match kind.contains('(') {
            true => format!("{} {name}", tuple(kind)),
            false => format!("{kind} {name}"),
        });
        format!("{}({})", self.name, arguments.collect::<Vec<_>>().join(", "))
    }

    fn leaves(&self) -> Vec<(String, &'static str)> {
        let mut found = Vec::new();
        for (name, kind) in &self.arguments {
            match kind.strip_suffix("[]") {
                _ if kind.contains('(') => {
                    found.extend(leaves(kind).into_iter().map(|(path, kind)| (format!("{name}.{path}"), kind)))
                }
                Some(item) => found.push((format!("{name}.[]"), item)),
                None => found.push(((*name).into(), *kind)),
            }
        }
        found
    }
}

/// A field of a struct, as one of the argument with that name.
fn inside(argument: &str, field: &Value) -> Value {
    let mut field = field.clone();
    let within = |path: &Value| json!(format!("{argument}.{}", path.as_str().unwrap()));
    field["path"] = within(&field["path"]);
    for name in ["tokenPath", "chainIdPath"] {
        if let Some(path) = field.pointer_mut(&format!("/params/{name}")) {
            *path = within(path);
        }
    }
    field
}

impl File {
    fn deployments(&self) -> Vec<(u64, String)> {
        let address = |chain| pinned(chain).as_ref().and_then(|known: &Contracts| known.of(self.protocol));
        pinned_chains().filter_map(|chain| Some((chain, address(chain)?.text()))).collect()
    }

    fn descriptor(&self) -> Value {
        let mut formats = Map::new();
        for (encoded, intent) in &self.types {
            let fields = self.fields_of(leaves(encoded));
            formats.insert((*encoded).into(), json!({ "intent": intent, "fields": fields }));
        }
        let (name, version) = self.domain;
        json!({
            "$schema": SCHEMA,
            "context": { "eip712": {
                "domain": { "name": name, "version": version },
                "deployments": self.deployed(),
            } },
            "metadata": self.metadata(),
            "display": { "formats": formats },
        })
    }

    fn calldata(&self) -> Value {
        let mut formats = Map::new();
        for call in &self.calls {
            let mut fields = call.fields.clone();
            if self.protocol == Protocol::Delta
                && let Some((argument, encoded)) = call.arguments.iter().find(|(_, kind)| kind.contains('('))
            {
                fields.extend(self.fields_of(leaves(encoded)).iter().map(|field| inside(argument, field)));
            }
            formats.insert(call.signature(), json!({ "intent": call.intent, "fields": fields }));
        }
        json!({
            "$schema": REGISTRY_SCHEMA,
            "context": { "contract": { "deployments": self.deployed() } },
            "metadata": self.metadata(),
            "display": { "formats": formats },
        })
    }

    fn fields_of(&self, leaves: Vec<(String, &str)>) -> Vec<Value> {
        let known: BTreeSet<_> = leaves.into_iter().map(|(path, _)| path).collect();
        self.fields.iter().filter(|field| known.contains(field["path"].as_str().unwrap())).cloned().collect()
    }

    fn deployed(&self) -> Vec<Value> {
        self.deployments().into_iter().map(|(id, address)| json!({ "chainId": id, "address": address })).collect()
    }

    fn metadata(&self) -> Value {
        let mut metadata = json!({ "owner": "Velora", "contractName": self.contract });
        if self.protocol == Protocol::Delta {
            let sides = [Side::Sell, Side::Buy].map(|side| (side.kind().to_string(), json!(side.name())));
            metadata["enums"] = json!({ "side": Map::from_iter(sides) });
            metadata["constants"] = json!({ "nativeToken": NATIVE.text() });
        }
        metadata
    }

    /// Where each file is, from this package's folder, with its content.
    fn written(&self) -> [(String, Value); 3] {
        let registry = |kind| format!("../../tests/vectors/registry/paraswap/{kind}-{}", self.registry);
        let mut typed_data = self.descriptor();
        typed_data["$schema"] = json!(REGISTRY_SCHEMA);
        [
            (format!("../../pkg-template/erc7730/{}", self.name), self.descriptor()),
            (registry("eip712"), typed_data),
            (registry("calldata"), self.calldata()),
        ]
    }
}

#[test]
fn the_files_of_package_and_registry_are_what_the_types_give() {
    assert_eq!(files().map(|file| file.deployments().len()), [7, 9], "chains with a Delta and with an RFQ contract");
    for (name, descriptor) in files().iter().flat_map(File::written) {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(&name);
        let given = serde_json::to_string_pretty(&descriptor).unwrap() + "\n";
        if std::env::var_os("WRITE").is_some() {
            std::fs::write(&path, &given).unwrap();
        }
        let there = std::fs::read_to_string(path).unwrap();
        assert_eq!(there, given, "{name}: WRITE=1 cargo test --test rules clear_signing");
    }
}

/// The parameters that a format of the standard takes, and how the types begin that it is for.
const FORMATS: [(&str, &str, &[&str]); 9] = [
    ("raw", "", &[]),
    ("amount", "uint", &[]),
    ("tokenAmount", "uint", &["tokenPath", "nativeCurrencyAddress"]),
    ("date", "uint", &["encoding"]),
    ("duration", "uint", &[]),
    ("enum", "uint", &["$ref"]),
    ("chainId", "uint", &[]),
    ("addressName", "address", &["types"]),
    ("tokenTicker", "address", &["chainIdPath"]),
];

const TYPES_OF_ADDRESSES: [&str; 3] = [r#"["wallet"]"#, r#"["contract"]"#, r#"["wallet","eoa","contract"]"#];

#[test]
fn every_value_that_is_signed_or_sent_is_shown_by_a_format_of_its_type_and_none_is_never_shown() {
    for file in files() {
        let descriptor = file.descriptor();
        let formats = descriptor["display"]["formats"].as_object().unwrap();
        assert_eq!(formats.len(), file.types.len());
        for (encoded, _) in &file.types {
            shows(&descriptor, encoded, &leaves(encoded));
        }
        let descriptor = file.calldata();
        assert_eq!(descriptor["display"]["formats"].as_object().unwrap().len(), file.calls.len());
        for call in &file.calls {
            shows(&descriptor, &call.signature(), &call.leaves());
        }
    }
}

/// Whether the format of that name shows all of the leaves.
fn shows(descriptor: &Value, name: &str, leaves: &[(String, &'static str)]) {
    let type_of = |path: &str| leaves.iter().find(|(known, _)| known == path).map(|(_, kind)| *kind);
    let mut shown = BTreeSet::new();
    for field in descriptor["display"]["formats"][name]["fields"].as_array().unwrap() {
        let text = |name: &str| field[name].as_str().unwrap_or_else(|| panic!("{field} has no {name}"));
        let (_, taken, params) = FORMATS.iter().find(|(name, ..)| *name == text("format")).unwrap();
        if text("path") == "@.value" {
            assert_eq!(text("format"), "amount");
            continue;
        }
        let kind = type_of(text("path")).unwrap_or_else(|| panic!("{name} has no {}", text("path")));
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
                _ => assert!(TYPES_OF_ADDRESSES.contains(&value.to_string().as_str()), "{field}"),
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
    assert_eq!(shown, all, "{name}");
}

/// The selector of a signature with names.
fn selector(signature: &str) -> [u8; 4] {
    let mut named = false;
    let mut types = signature.replace(", ", ",");
    types.retain(|at| {
        named = if named { !",)".contains(at) } else { at == ' ' };
        !named
    });
    keccak256(types)[..4].try_into().unwrap()
}

/// A struct of that type, empty.
fn blank(encoded: &'static str) -> TypedStruct {
    TypedStruct::made(encoded, &|_, kind| match part(encoded, kind) {
        Some(inner) => Struct::Struct(blank(inner)),
        None if kind == "bytes" => Struct::Bytes(vec![]),
        None => Struct::Word(B256::ZERO),
    })
}

#[test]
fn the_functions_of_the_registry_are_those_that_are_called_here() {
    let [of_delta, of_rfq] =
        files().map(|file| file.calls.iter().map(|call| selector(&call.signature())).collect::<BTreeSet<_>>());
    let selectors = |calls: &[Vec<u8>]| calls.iter().map(|call| call[..4].try_into().unwrap()).collect::<BTreeSet<_>>();
    let (hash, one) = (B256::ZERO, U256::from(1));
    let mut calls = vec![
        delta_calls::pre_sign(hash),
        delta_calls::deposit_and_pre_sign(hash),
        delta_calls::invalidate_nonce(one),
        delta_calls::withdraw_native(one),
    ];
    calls.extend(TYPES.iter().filter_map(|encoded| delta_calls::cancel_and_withdraw(&blank(encoded))));
    assert_eq!(of_delta, selectors(&calls));

    let order = otc::OtcOrder::known(blank(otc::ORDER)).unwrap();
    let (taker, target) = (Address::ZERO, Address::repeat_byte(1));
    let mut calls = vec![otc_calls::cancel(&[hash]).0, otc_calls::cancel(&[hash, hash]).0];
    for (is_whole, target, maker_permit) in
        [(true, taker, &[][..]), (true, target, &[]), (false, taker, &[]), (false, target, &[]), (true, taker, &[1])]
    {
        let share = Share { give: one, get: one };
        let fill = Fill { order: &order, signature: &[], share, is_whole, taker_permit: &[], maker_permit };
        calls.push(otc_calls::fill(&[fill], taker, target).0);
    }
    assert_eq!(of_rfq, selectors(&calls));
}
