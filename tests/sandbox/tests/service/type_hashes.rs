//! The published type hashes and selectors, against everything here that hashes or encodes.

use alloy_dyn_abi::TypedData;
use alloy_primitives::{b256, keccak256};
use alloy_sol_types::{SolCall, SolStruct};
use sandbox::chain::{IDelta, Order};
use sandbox::order::{delta_domain, order_types};
use serde_json::json;

const ORDER: alloy_primitives::B256 = b256!("c75d848e51cd0f81113e24c5a62c9b8566b0ff0d476245a7882709315eefbbf7");

#[test]
fn the_types_of_a_build_have_the_published_type_hash() {
    let delta = alloy_primitives::Address::repeat_byte(1);
    let typed = json!({
        "types": order_types(),
        "primaryType": "Order",
        "domain": delta_domain(31337, delta),
        "message": {},
    });
    let typed: TypedData = serde_json::from_value(typed).unwrap();
    assert_eq!(keccak256(typed.encode_type().unwrap()), ORDER);
}

#[test]
fn the_struct_of_the_contract_has_the_published_type_hash() {
    assert_eq!(keccak256(Order::eip712_encode_type().as_bytes()), ORDER);
}

#[test]
fn the_contract_asserts_the_published_type_hash_literally() {
    // The contract is not deployed when its own text hashes to anything else.
    let source = include_str!("../../contracts/delta/Orders.sol");
    assert!(source.contains(&format!("ORDER_TYPEHASH = {ORDER};")));
    assert!(source.contains("!= ORDER_TYPEHASH) revert TypeHashDiffers()"));
}

#[test]
fn the_nonce_functions_have_the_published_selectors() {
    assert_eq!(IDelta::isNonceUsedCall::SELECTOR, [0xca, 0xb7, 0xe8, 0xeb]);
    assert_eq!(IDelta::invalidateNonceCall::SELECTOR, [0xb7, 0x0e, 0x36, 0xf0]);
}
