//! EIP-712 typed data of orders, hashed by alloy-dyn-abi.

use alloy_dyn_abi::TypedData;
use alloy_primitives::{Address, B256};
use serde_json::{Value, json};

use super::format::{types_of, write_struct};
use super::{OrderKind, SignedOrder};
use crate::chain::{ExternalOrder, FillableOrder, Order, OrderCancellations, TWAPBuyOrder, TWAPOrder};

/// The types an order of that kind is signed over.
pub fn order_types(kind: OrderKind) -> Value {
    match kind {
        OrderKind::Order => types_of::<Order>(),
        OrderKind::Fillable => types_of::<FillableOrder>(),
        OrderKind::External => types_of::<ExternalOrder>(),
        OrderKind::Twap => types_of::<TWAPOrder>(),
        OrderKind::TwapBuy => types_of::<TWAPBuyOrder>(),
    }
}

/// The types a cancellation is signed over.
pub fn cancellation_types() -> Value {
    types_of::<OrderCancellations>()
}

/// The domain of the Delta contract.
pub fn delta_domain(chain_id: u64, delta: Address) -> Value {
    json!({"name": "Portikus", "version": "2.0.0", "chainId": chain_id, "verifyingContract": delta})
}

/// An order as the service writes it: amounts, nonce and fee as decimal strings; times, counts, kind and the bridge's
/// numbers as numbers; the tokens in lowercase.
pub fn value_json(order: &SignedOrder) -> Value {
    match order {
        SignedOrder::Order(order) | SignedOrder::Fillable(order) => write_struct(order),
        SignedOrder::External(order) => write_struct(order),
        SignedOrder::Twap(order) => write_struct(order),
        SignedOrder::TwapBuy(order) => write_struct(order),
    }
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
