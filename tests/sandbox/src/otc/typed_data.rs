//! What makers sign, hashed by alloy-dyn-abi.

use alloy_primitives::{Address, B256};
use serde_json::{Value, json};

use super::RfqOrder;
use crate::order::digest_of;

/// The types of an OTC order: no `EIP712Domain`, no primary type.
pub fn rfq_types() -> Value {
    let members = [
        ("nonceAndMeta", "uint256"),
        ("expiry", "uint128"),
        ("makerAsset", "address"),
        ("takerAsset", "address"),
        ("maker", "address"),
        ("taker", "address"),
        ("makerAmount", "uint256"),
        ("takerAmount", "uint256"),
    ];
    json!({"Order": members.map(|(name, kind)| json!({"name": name, "type": kind}))})
}

/// The domain of the RFQ contract.
pub fn rfq_domain(chain_id: u64, rfq: Address) -> Value {
    json!({"name": "AUGUSTUS RFQ", "version": "1", "chainId": chain_id, "verifyingContract": rfq})
}

/// The digest the maker signs.
///
/// # Errors
/// When a value does not fit its type.
pub fn rfq_hash(chain_id: u64, rfq: Address, order: &RfqOrder) -> Result<B256, String> {
    let value = json!({
        "nonceAndMeta": order.nonceAndMeta.to_string(),
        "expiry": order.expiry.to_string(),
        "makerAsset": order.makerAsset,
        "takerAsset": order.takerAsset,
        "maker": order.maker,
        "taker": order.taker,
        "makerAmount": order.makerAmount.to_string(),
        "takerAmount": order.takerAmount.to_string(),
    });
    digest_of(&json!({"domain": rfq_domain(chain_id, rfq), "types": rfq_types(), "value": value}))
}
