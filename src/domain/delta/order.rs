//! The signed order: its struct, its typed data, its hash.

use crate::domain::eip712::{Digest, Types};
use crate::domain::text::ToText;
use crate::error::Result;
use crate::json::{At, Out, array};
use alloy_primitives::{Address, B256, FixedBytes, Keccak256, U256, hex, keccak256};
use alloy_sol_types::sol;

sol! {
    /// An intent: `owner` gives at most `srcAmount`, `beneficiary` gets at least `destAmount`, before `deadline`.
    #[derive(Debug, Default, PartialEq, Eq)]
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
    #[derive(Debug, Default, PartialEq, Eq)]
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

/// The encoded type (EIP-712) of [`Order`]. A literal: deriving it costs more than it says. A test holds it against the
/// struct above and against the hash that the contract was deployed with.
pub const ORDER_TYPE: &str = concat!(
    "Order(address owner,address beneficiary,address srcToken,address destToken,uint256 srcAmount,",
    "uint256 destAmount,uint256 expectedAmount,uint256 deadline,uint8 kind,uint256 nonce,uint256 partnerAndFee,",
    "bytes permit,bytes metadata,Bridge bridge)",
    "Bridge(bytes4 protocolSelector,uint256 destinationChainId,address outputToken,int8 scalingFactor,",
    "bytes protocolData)"
);

/// The encoded type of the signing domain.
const DOMAIN_TYPE: &str = "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)";

/// Reads `toSign.value`. Members that the type does not have are left alone: they are posted, but never signed.
///
/// # Errors
/// Names the member that does not fit its type.
pub fn read(value: &At<'_>) -> Result<Order> {
    let mut order = Order::default();
    let at = value.get("bridge");
    let bridge = &mut order.bridge;
    for (name, target) in [
        ("owner", &mut order.owner),
        ("beneficiary", &mut order.beneficiary),
        ("srcToken", &mut order.srcToken),
        ("destToken", &mut order.destToken),
    ] {
        *target = value.get(name).address()?;
    }
    for (name, target) in [
        ("srcAmount", &mut order.srcAmount),
        ("destAmount", &mut order.destAmount),
        ("expectedAmount", &mut order.expectedAmount),
        ("deadline", &mut order.deadline),
        ("nonce", &mut order.nonce),
        ("partnerAndFee", &mut order.partnerAndFee),
    ] {
        *target = value.get(name).uint()?;
    }
    for (place, target) in [
        (value.get("permit"), &mut order.permit),
        (value.get("metadata"), &mut order.metadata),
        (at.get("protocolData"), &mut bridge.protocolData),
    ] {
        *target = place.bytes()?.into();
    }
    order.kind = u8::try_from(value.get("kind").integer(255)?).unwrap_or(u8::MAX);
    bridge.protocolSelector = FixedBytes(at.get("protocolSelector").fixed::<4>()?);
    bridge.destinationChainId = at.get("destinationChainId").uint()?;
    bridge.outputToken = at.get("outputToken").address()?;
    bridge.scalingFactor = scaling_factor(&at.get("scalingFactor"))?;
    Ok(order)
}

fn scaling_factor(at: &At<'_>) -> Result<i8> {
    let text = at.number_or_text().filter(|text| !text.starts_with('+') && (*text == "0" || !text.starts_with('0')));
    let value = text.and_then(|text| text.parse::<i8>().ok()).filter(|_| text != Some("-0"));
    value.ok_or_else(|| at.fault("an integer from -128 to 127"))
}

/// Whether a type's fields are exactly the domain's.
pub fn is_domain(types: &Types<'_>) -> bool {
    types.fields("EIP712Domain").is_none_or(|fields| {
        fields.len() == DOMAIN_FIELDS.len() && fields.iter().zip(DOMAIN_FIELDS).all(|(field, known)| *field == known)
    })
}

/// The digest, from the struct.
pub fn digest(order: &Order, chain_id: u64, delta: Address) -> Digest {
    let separator = hash_words(&[
        keccak256(DOMAIN_TYPE),
        keccak256(DOMAIN_NAME),
        keccak256(DOMAIN_VERSION),
        U256::from(chain_id).into(),
        delta.into_word(),
    ]);
    let bridge_type = ORDER_TYPE.split_once(')').map_or("", |(_, bridge)| bridge);
    let bridge = &order.bridge;
    let bridge = hash_words(&[
        keccak256(bridge_type),
        B256::right_padding_from(bridge.protocolSelector.as_slice()),
        bridge.destinationChainId.into(),
        bridge.outputToken.into_word(),
        signed_word(bridge.scalingFactor),
        keccak256(&bridge.protocolData),
    ]);
    let order = hash_words(&[
        keccak256(ORDER_TYPE),
        order.owner.into_word(),
        order.beneficiary.into_word(),
        order.srcToken.into_word(),
        order.destToken.into_word(),
        order.srcAmount.into(),
        order.destAmount.into(),
        order.expectedAmount.into(),
        order.deadline.into(),
        U256::from(order.kind).into(),
        order.nonce.into(),
        order.partnerAndFee.into(),
        keccak256(&order.permit),
        keccak256(&order.metadata),
        bridge,
    ]);
    Digest::join(separator, order)
}

fn hash_words(words: &[B256]) -> B256 {
    let mut hasher = Keccak256::new();
    for word in words {
        hasher.update(word);
    }
    hasher.finalize()
}

/// Two's complement over the whole word.
fn signed_word(value: i8) -> B256 {
    let mut word = B256::repeat_byte(if value < 0 { 0xFF } else { 0 });
    if let Some(last) = word.0.last_mut() {
        *last = value.to_be_bytes()[0];
    }
    word
}

/// The typed data a wallet is given: `EIP712Domain` included, the chain id a number, integers as decimal strings,
/// nothing but what the type has.
pub fn typed_data(order: &Order, chain_id: u64, delta: Address) -> String {
    let mut types = Out::object();
    types.raw("EIP712Domain", &fields(DOMAIN_FIELDS.into_iter()));
    for name in ["Order", "Bridge"] {
        types.raw(name, &fields(components(name)));
    }
    let mut domain = Out::object();
    domain.text("name", DOMAIN_NAME);
    domain.text("version", DOMAIN_VERSION);
    domain.number("chainId", chain_id);
    domain.value("verifyingContract", &delta);
    let mut out = Out::object();
    out.raw("types", &types.close());
    out.text("primaryType", "Order");
    out.raw("domain", &domain.close());
    out.raw("message", &message(order));
    out.close()
}

/// The (name, type) of a struct's fields, taken from the encoded type that is hashed, so that the two can not differ.
pub fn components(name: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let body = ORDER_TYPE.split(')').find_map(|part| part.strip_prefix(name)?.strip_prefix('('));
    let fields = body.unwrap_or_default().split(',').filter_map(|field| field.split_once(' '));
    fields.map(|(kind, name)| (name, kind))
}

fn fields<'a>(fields: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let mut all = Vec::new();
    for (name, kind) in fields {
        let mut field = Out::object();
        field.text("name", name);
        field.text("type", kind);
        all.push(field.close());
    }
    array(&all)
}

fn message(order: &Order) -> String {
    let mut out = Out::object();
    let values: [(&str, &dyn ToText); 11] = [
        ("owner", &order.owner),
        ("beneficiary", &order.beneficiary),
        ("srcToken", &order.srcToken),
        ("destToken", &order.destToken),
        ("srcAmount", &order.srcAmount),
        ("destAmount", &order.destAmount),
        ("expectedAmount", &order.expectedAmount),
        ("deadline", &order.deadline),
        ("kind", &order.kind),
        ("nonce", &order.nonce),
        ("partnerAndFee", &order.partnerAndFee),
    ];
    for (name, value) in values {
        out.value(name, value);
    }
    out.text("permit", &hex::encode_prefixed(&order.permit));
    out.text("metadata", &hex::encode_prefixed(&order.metadata));
    let mut bridge = Out::object();
    bridge.value("protocolSelector", &order.bridge.protocolSelector);
    bridge.value("destinationChainId", &order.bridge.destinationChainId);
    bridge.value("outputToken", &order.bridge.outputToken);
    bridge.value("scalingFactor", &order.bridge.scalingFactor);
    bridge.text("protocolData", &hex::encode_prefixed(&order.bridge.protocolData));
    out.raw("bridge", &bridge.close());
    out.close()
}
