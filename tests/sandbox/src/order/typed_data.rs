//! EIP-712 typed data of orders, hashed by alloy-dyn-abi.

use alloy_dyn_abi::TypedData;
use alloy_primitives::{Address, B256};
use serde_json::{Value, json};

use super::{OrderKind, SignedOrder};
use crate::chain::{Bridge, Order};

const HEAD: [(&str, &str); 4] =
    [("owner", "address"), ("beneficiary", "address"), ("srcToken", "address"), ("destToken", "address")];
const AMOUNTS: [(&str, &str); 7] = [
    ("srcAmount", "uint256"),
    ("destAmount", "uint256"),
    ("expectedAmount", "uint256"),
    ("deadline", "uint256"),
    ("kind", "uint8"),
    ("nonce", "uint256"),
    ("partnerAndFee", "uint256"),
];
const SCHEDULE: [(&str, &str); 5] = [
    ("nonce", "uint256"),
    ("partnerAndFee", "uint256"),
    ("deadline", "uint64"),
    ("interval", "uint64"),
    ("numSlices", "uint32"),
];
const TAIL: [(&str, &str); 2] = [("permit", "bytes"), ("metadata", "bytes")];
const BRIDGE: [(&str, &str); 5] = [
    ("protocolSelector", "bytes4"),
    ("destinationChainId", "uint256"),
    ("outputToken", "address"),
    ("scalingFactor", "int8"),
    ("protocolData", "bytes"),
];

/// The types an order of that kind is signed over, as the service sends them: no `EIP712Domain`, no primary type.
pub fn order_types(kind: OrderKind) -> Value {
    let bridge = [("bridge", "Bridge")];
    let members = match kind {
        OrderKind::Order | OrderKind::Fillable => [&HEAD[..], &AMOUNTS, &TAIL, &bridge].concat(),
        OrderKind::External => {
            let head = [HEAD[0], ("handler", "address"), HEAD[2], HEAD[3]];
            [&head[..], &AMOUNTS, &TAIL, &[("data", "bytes")]].concat()
        }
        OrderKind::Twap => {
            let amounts = [("destAmountPerSlice", "uint256"), ("totalSrcAmount", "uint256")];
            [&HEAD[..], &SCHEDULE, &amounts, &TAIL, &bridge].concat()
        }
        OrderKind::TwapBuy => {
            let amounts = [("totalDestAmount", "uint256"), ("maxSrcAmount", "uint256")];
            [&HEAD[..], &SCHEDULE, &amounts, &TAIL, &bridge].concat()
        }
    };
    let mut types = json!({kind.text(): fields(&members)});
    if kind != OrderKind::External {
        types["Bridge"] = fields(&BRIDGE);
    }
    types
}

/// The types a cancellation is signed over.
pub fn cancellation_types() -> Value {
    json!({"OrderCancellations": fields(&[("orderIds", "string[]")])})
}

fn fields(list: &[(&str, &str)]) -> Value {
    list.iter().map(|(name, kind)| json!({"name": name, "type": kind})).collect()
}

/// The domain of the Delta contract.
pub fn delta_domain(chain_id: u64, delta: Address) -> Value {
    json!({"name": "Portikus", "version": "2.0.0", "chainId": chain_id, "verifyingContract": delta})
}

/// An order as the service writes it: amounts, nonce and fee as decimal strings; times, counts, kind and the bridge's
/// numbers as numbers; the tokens in lowercase.
pub fn value_json(order: &SignedOrder) -> Value {
    match order {
        SignedOrder::Order(order) | SignedOrder::Fillable(order) => order_json(order),
        SignedOrder::External(order) => json!({
            "owner": order.owner,
            "handler": order.handler,
            "srcToken": lower(order.srcToken),
            "destToken": lower(order.destToken),
            "srcAmount": order.srcAmount.to_string(),
            "destAmount": order.destAmount.to_string(),
            "expectedAmount": order.expectedAmount.to_string(),
            "deadline": u64::try_from(order.deadline).unwrap_or(u64::MAX),
            "kind": order.kind,
            "nonce": order.nonce.to_string(),
            "partnerAndFee": order.partnerAndFee.to_string(),
            "permit": order.permit,
            "metadata": order.metadata,
            "data": order.data,
        }),
        SignedOrder::Twap(order) => json!({
            "owner": order.owner,
            "beneficiary": order.beneficiary,
            "srcToken": lower(order.srcToken),
            "destToken": lower(order.destToken),
            "nonce": order.nonce.to_string(),
            "partnerAndFee": order.partnerAndFee.to_string(),
            "deadline": order.deadline,
            "interval": order.interval,
            "numSlices": order.numSlices,
            "destAmountPerSlice": order.destAmountPerSlice.to_string(),
            "totalSrcAmount": order.totalSrcAmount.to_string(),
            "permit": order.permit,
            "metadata": order.metadata,
            "bridge": bridge_json(&order.bridge),
        }),
        SignedOrder::TwapBuy(order) => json!({
            "owner": order.owner,
            "beneficiary": order.beneficiary,
            "srcToken": lower(order.srcToken),
            "destToken": lower(order.destToken),
            "nonce": order.nonce.to_string(),
            "partnerAndFee": order.partnerAndFee.to_string(),
            "deadline": order.deadline,
            "interval": order.interval,
            "numSlices": order.numSlices,
            "totalDestAmount": order.totalDestAmount.to_string(),
            "maxSrcAmount": order.maxSrcAmount.to_string(),
            "permit": order.permit,
            "metadata": order.metadata,
            "bridge": bridge_json(&order.bridge),
        }),
    }
}

fn order_json(order: &Order) -> Value {
    json!({
        "owner": order.owner,
        "beneficiary": order.beneficiary,
        "srcToken": lower(order.srcToken),
        "destToken": lower(order.destToken),
        "srcAmount": order.srcAmount.to_string(),
        "destAmount": order.destAmount.to_string(),
        "expectedAmount": order.expectedAmount.to_string(),
        "deadline": u64::try_from(order.deadline).unwrap_or(u64::MAX),
        "kind": order.kind,
        "nonce": order.nonce.to_string(),
        "partnerAndFee": order.partnerAndFee.to_string(),
        "permit": order.permit,
        "metadata": order.metadata,
        "bridge": bridge_json(&order.bridge),
    })
}

fn bridge_json(bridge: &Bridge) -> Value {
    json!({
        "protocolSelector": bridge.protocolSelector,
        "destinationChainId": u64::try_from(bridge.destinationChainId).unwrap_or(u64::MAX),
        "outputToken": lower(bridge.outputToken),
        "scalingFactor": bridge.scalingFactor,
        "protocolData": bridge.protocolData,
    })
}

fn lower(address: Address) -> String {
    format!("{address:#x}")
}

/// The digest the owner of an order signs, under the name of that kind.
///
/// # Errors
/// When a value does not fit its type.
pub fn order_hash(chain_id: u64, delta: Address, kind: OrderKind, value: &Value) -> Result<B256, String> {
    digest_of(&json!({"domain": delta_domain(chain_id, delta), "types": order_types(kind), "value": value}))
}

/// The digest of any `{domain, types, value}`. The primary type is the one no other refers to.
///
/// # Errors
/// When there is no such type, or a value does not fit its type.
pub fn digest_of(to_sign: &Value) -> Result<B256, String> {
    let types = to_sign["types"].as_object().ok_or("types is not an object")?;
    let is_referenced = |name: &str| {
        let members = types.values().filter_map(Value::as_array).flatten();
        members.filter_map(|member| member["type"].as_str()).any(|kind| kind.split('[').next() == Some(name))
    };
    let roots: Vec<_> = types.keys().filter(|name| *name != "EIP712Domain" && !is_referenced(name)).collect();
    let [root] = roots[..] else { return Err(format!("{} root types", roots.len())) };
    let typed = json!({
        "types": types,
        "primaryType": root,
        "domain": to_sign["domain"],
        "message": to_sign["value"],
    });
    let typed: TypedData = serde_json::from_value(typed).map_err(|error| error.to_string())?;
    typed.eip712_signing_hash().map_err(|error| error.to_string())
}
