//! Makers' orders, hashed by alloy-dyn-abi.

use alloy_primitives::{Address, B256};
use serde_json::{Value, json};

use super::RfqOrder;
use crate::order::{digest_of, types_of, write_struct};

/// The types of an OTC order.
pub fn rfq_types() -> Value {
    types_of::<RfqOrder>()
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
    digest_of(&json!({"domain": rfq_domain(chain_id, rfq), "types": rfq_types(), "value": write_struct(order)}))
}
