//! EIP-712 typed data of orders, hashed by alloy-dyn-abi.

use alloy_dyn_abi::TypedData;
use alloy_primitives::{Address, B256};
use serde_json::{Value, json};

use crate::chain::Order;

/// The types an order is signed over, as the service sends them: no `EIP712Domain`, no primary type.
pub fn order_types() -> Value {
    let fields = |list: &[(&str, &str)]| -> Value {
        list.iter().map(|(name, kind)| json!({"name": name, "type": kind})).collect()
    };
    json!({
        "Order": fields(&[
            ("owner", "address"),
            ("beneficiary", "address"),
            ("srcToken", "address"),
            ("destToken", "address"),
            ("srcAmount", "uint256"),
            ("destAmount", "uint256"),
            ("expectedAmount", "uint256"),
            ("deadline", "uint256"),
            ("kind", "uint8"),
            ("nonce", "uint256"),
            ("partnerAndFee", "uint256"),
            ("permit", "bytes"),
            ("metadata", "bytes"),
            ("bridge", "Bridge"),
        ]),
        "Bridge": fields(&[
            ("protocolSelector", "bytes4"),
            ("destinationChainId", "uint256"),
            ("outputToken", "address"),
            ("scalingFactor", "int8"),
            ("protocolData", "bytes"),
        ]),
    })
}

/// The domain of the Delta contract.
pub fn delta_domain(chain_id: u64, delta: Address) -> Value {
    json!({"name": "Portikus", "version": "2.0.0", "chainId": chain_id, "verifyingContract": delta})
}

/// An order as the service writes it: amounts, nonce and fee as decimal strings; deadline, kind and the bridge's
/// numbers as numbers; the tokens in lowercase.
pub fn value_json(order: &Order) -> Value {
    let lower = |address: Address| format!("{address:#x}");
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
        "bridge": {
            "protocolSelector": order.bridge.protocolSelector,
            "destinationChainId": u64::try_from(order.bridge.destinationChainId).unwrap_or(u64::MAX),
            "outputToken": lower(order.bridge.outputToken),
            "scalingFactor": order.bridge.scalingFactor,
            "protocolData": order.bridge.protocolData,
        },
    })
}

/// The digest the owner of an order signs.
///
/// # Errors
/// When a value does not fit its type.
pub fn order_hash(chain_id: u64, delta: Address, value: &Value) -> Result<B256, String> {
    digest_of(&json!({"domain": delta_domain(chain_id, delta), "types": order_types(), "value": value}))
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
