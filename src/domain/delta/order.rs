//! The signed order: its struct, its typed data, its hash.

use crate::domain::address::checksummed;
use crate::domain::eip712::{Digest, Types};
use crate::domain::text::ToText;
use crate::json::{At, Json, Read, object};
use alloy_primitives::{Address, FixedBytes, U256, hex};
use alloy_sol_types::{Eip712Domain, SolStruct, eip712_domain, sol};

sol! {
    /// An intent: `owner` gives at most `srcAmount`, `beneficiary` gets at least `destAmount`, before `deadline`.
    #[derive(Debug, PartialEq, Eq)]
    struct Order {
        address owner;
        address beneficiary;
        address srcToken;
        address destToken;
        uint256 srcAmount;
        uint256 destAmount;
        uint256 expectedAmount;
        uint256 deadline;
        uint8 kind;
        uint256 nonce;
        uint256 partnerAndFee;
        bytes permit;
        bytes metadata;
        Bridge bridge;
    }

    /// Where a crosschain order's output goes on; all zero on one chain.
    #[derive(Debug, PartialEq, Eq)]
    struct Bridge {
        bytes4 protocolSelector;
        uint256 destinationChainId;
        address outputToken;
        int8 scalingFactor;
        bytes protocolData;
    }
}

/// The signing domain's name (EIP-712) of the Delta contract.
pub const DOMAIN_NAME: &str = "Portikus";
/// The signing domain's version.
pub const DOMAIN_VERSION: &str = "2.0.0";
/// The fields of the signing domain, in order.
pub const DOMAIN_FIELDS: [(&str, &str); 4] =
    [("name", "string"), ("version", "string"), ("chainId", "uint256"), ("verifyingContract", "address")];

/// The domain that orders of this chain are signed in.
pub fn domain(chain_id: u64, delta: Address) -> Eip712Domain {
    eip712_domain! { name: DOMAIN_NAME, version: DOMAIN_VERSION, chain_id: chain_id, verifying_contract: delta, }
}

/// Reads `toSign.value`. Members that the type does not have are left alone: they are posted, but never signed.
///
/// # Errors
/// Names the member that does not fit its type.
pub fn read(value: At<'_>) -> Read<Order> {
    let bridge = value.get("bridge");
    Ok(Order {
        owner: value.get("owner").address()?,
        beneficiary: value.get("beneficiary").address()?,
        srcToken: value.get("srcToken").address()?,
        destToken: value.get("destToken").address()?,
        srcAmount: value.get("srcAmount").uint()?,
        destAmount: value.get("destAmount").uint()?,
        expectedAmount: value.get("expectedAmount").uint()?,
        deadline: value.get("deadline").uint()?,
        kind: u8::try_from(value.get("kind").integer(255)?).unwrap_or(u8::MAX),
        nonce: value.get("nonce").uint()?,
        partnerAndFee: value.get("partnerAndFee").uint()?,
        permit: value.get("permit").bytes()?,
        metadata: value.get("metadata").bytes()?,
        bridge: Bridge {
            protocolSelector: FixedBytes(bridge.get("protocolSelector").fixed::<4>()?),
            destinationChainId: bridge.get("destinationChainId").uint()?,
            outputToken: bridge.get("outputToken").address()?,
            scalingFactor: scaling_factor(bridge.get("scalingFactor"))?,
            protocolData: bridge.get("protocolData").bytes()?,
        },
    })
}

fn scaling_factor(at: At<'_>) -> Read<i8> {
    let text = at.number_or_text().filter(|text| !text.starts_with('+') && (*text == "0" || !text.starts_with('0')));
    let value = text.and_then(|text| text.parse::<i8>().ok()).filter(|_| text != Some("-0"));
    value.ok_or_else(|| at.fault("an integer from -128 to 127"))
}

/// The types as `toSign.types` must have them, under the root's name.
pub fn types_text(root: &str) -> String {
    let encoded = Order::eip712_encode_type();
    match encoded.strip_prefix(Order::NAME) {
        Some(rest) => [root, rest].concat(),
        None => encoded.into_owned(),
    }
}

/// Whether a type's fields are exactly the domain's.
pub fn is_domain(types: &Types) -> bool {
    types.fields("EIP712Domain").is_none_or(|fields| {
        fields.len() == DOMAIN_FIELDS.len()
            && fields.iter().zip(DOMAIN_FIELDS).all(|((name, kind), known)| (name.as_str(), kind.as_str()) == known)
    })
}

/// The digest, from the struct.
pub fn digest(order: &Order, domain: &Eip712Domain) -> Digest {
    Digest::join(domain.separator(), order.eip712_hash_struct())
}

/// The typed data a wallet is given: `EIP712Domain` included, the chain id a number, integers as decimal strings,
/// nothing but what the type has.
pub fn typed_data(order: &Order, chain_id: u64, delta: Address) -> Json {
    object([
        (
            "types",
            object([
                ("EIP712Domain", fields(&DOMAIN_FIELDS.map(|(name, kind)| (name.into(), kind.into())))),
                ("Order", fields(&components("Order"))),
                ("Bridge", fields(&components("Bridge"))),
            ]),
        ),
        ("primaryType", Json::text("Order")),
        (
            "domain",
            object([
                ("name", Json::text(DOMAIN_NAME)),
                ("version", Json::text(DOMAIN_VERSION)),
                ("chainId", Json::number(chain_id)),
                ("verifyingContract", Json::text(checksummed(delta))),
            ]),
        ),
        ("message", message(order)),
    ])
}

/// The fields of a struct, taken from the type that is hashed, so that the two can not differ.
pub fn components(name: &str) -> Vec<(String, String)> {
    let encoded = Order::eip712_encode_type();
    let opening = [name, "("].concat();
    let body = encoded.split(')').find_map(|part| part.strip_prefix(opening.as_str()));
    body.unwrap_or_default()
        .split(',')
        .filter_map(|field| field.split_once(' '))
        .map(|(kind, name)| (name.into(), kind.into()))
        .collect()
}

fn fields(fields: &[(String, String)]) -> Json {
    let field = |(name, kind): &(String, String)| {
        object([("name", Json::text(name.as_str())), ("type", Json::text(kind.as_str()))])
    };
    Json::Array(fields.iter().map(field).collect())
}

fn message(order: &Order) -> Json {
    let uint = |value: U256| Json::text(value.text());
    let address = |value: Address| Json::text(checksummed(value));
    let bytes = |value: &[u8]| Json::text(hex::encode_prefixed(value));
    let bridge = &order.bridge;
    object([
        ("owner", address(order.owner)),
        ("beneficiary", address(order.beneficiary)),
        ("srcToken", address(order.srcToken)),
        ("destToken", address(order.destToken)),
        ("srcAmount", uint(order.srcAmount)),
        ("destAmount", uint(order.destAmount)),
        ("expectedAmount", uint(order.expectedAmount)),
        ("deadline", uint(order.deadline)),
        ("kind", Json::text(order.kind.text())),
        ("nonce", uint(order.nonce)),
        ("partnerAndFee", uint(order.partnerAndFee)),
        ("permit", bytes(&order.permit)),
        ("metadata", bytes(&order.metadata)),
        (
            "bridge",
            object([
                ("protocolSelector", bytes(bridge.protocolSelector.as_slice())),
                ("destinationChainId", uint(bridge.destinationChainId)),
                ("outputToken", address(bridge.outputToken)),
                ("scalingFactor", Json::text(bridge.scalingFactor.text())),
                ("protocolData", bytes(&bridge.protocolData)),
            ]),
        ),
    ])
}
