//! The published type hashes and selectors, against everything here that hashes or encodes.

use alloy_dyn_abi::TypedData;
use alloy_primitives::{B256, b256, keccak256};
use alloy_sol_types::{SolCall, SolStruct};
use sandbox::chain::{ExternalOrder, IDelta, Order, TWAPBuyOrder, TWAPOrder};
use sandbox::order::{OrderKind, cancellation_types, delta_domain, order_types};
use serde_json::{Value, json};

const ORDER: B256 = b256!("c75d848e51cd0f81113e24c5a62c9b8566b0ff0d476245a7882709315eefbbf7");
const EXTERNAL: B256 = b256!("0254756dda5af3a0a67918a5fc37650f1210e94bf58cab8aecf36fd240a131b8");
const TWAP: B256 = b256!("5e34daadd9f596f8e87f967578f77bb4c7300cab4752439916904d044e85d6b9");
const TWAP_BUY: B256 = b256!("46c5b80d6e30aa1ef6ce10eaf2afba9aa53e9f88d6a80fbd49d4dd5ca2f12011");
const CANCELLATIONS: B256 = b256!("43f63d22e1f2516d808508153e00c62b6e2ab72a0ae5735d6c6b3997a4a8cac4");

fn type_hash(types: &Value, primary_type: &str) -> B256 {
    let typed = json!({
        "types": types,
        "primaryType": primary_type,
        "domain": delta_domain(31337, alloy_primitives::Address::repeat_byte(1)),
        "message": {},
    });
    let typed: TypedData = serde_json::from_value(typed).unwrap();
    keccak256(typed.encode_type().unwrap())
}

#[test]
fn the_types_of_a_build_have_the_published_type_hashes() {
    let published = [
        (OrderKind::Order, ORDER),
        (OrderKind::External, EXTERNAL),
        (OrderKind::Twap, TWAP),
        (OrderKind::TwapBuy, TWAP_BUY),
    ];
    for (kind, hash) in published {
        assert_eq!(type_hash(&order_types(kind), kind.text()), hash, "{kind:?}");
    }
    assert_eq!(type_hash(&cancellation_types(), "OrderCancellations"), CANCELLATIONS);
}

#[test]
fn an_order_filled_in_parts_is_an_order_under_another_name() {
    let mut types = order_types(OrderKind::Fillable);
    types["Order"] = types["FillableOrder"].take();
    types.as_object_mut().unwrap().remove("FillableOrder");
    assert_eq!(types, order_types(OrderKind::Order));
}

#[test]
fn the_structs_of_the_contract_have_the_published_type_hashes() {
    assert_eq!(keccak256(Order::eip712_encode_type().as_bytes()), ORDER);
    assert_eq!(keccak256(ExternalOrder::eip712_encode_type().as_bytes()), EXTERNAL);
    assert_eq!(keccak256(TWAPOrder::eip712_encode_type().as_bytes()), TWAP);
    assert_eq!(keccak256(TWAPBuyOrder::eip712_encode_type().as_bytes()), TWAP_BUY);
}

#[test]
fn the_contract_asserts_the_published_type_hashes_literally() {
    // The contract is not deployed when its own text hashes to anything else.
    let source = include_str!("../../contracts/delta/Orders.sol");
    assert!(source.contains(&format!("ORDER_TYPEHASH = {ORDER};")));
    assert!(source.contains("!= ORDER_TYPEHASH) revert TypeHashDiffers()"));
    let source = include_str!("../../contracts/delta/ExternalOrders.sol");
    assert!(source.contains(&format!("EXTERNAL_TYPEHASH = {EXTERNAL};")));
    assert!(source.contains("!= EXTERNAL_TYPEHASH) revert"));
    let source = include_str!("../../contracts/delta/TwapOrders.sol");
    assert!(source.contains(&format!("TWAP_TYPEHASH = {TWAP};")));
    assert!(source.contains(&format!("TWAP_BUY_TYPEHASH = {TWAP_BUY};")));
    assert!(source.contains("sell != TWAP_TYPEHASH || buy != TWAP_BUY_TYPEHASH) revert"));
}

#[test]
fn the_contracts_functions_have_the_published_selectors() {
    assert_eq!(IDelta::isNonceUsedCall::SELECTOR, [0xca, 0xb7, 0xe8, 0xeb]);
    assert_eq!(IDelta::invalidateNonceCall::SELECTOR, [0xb7, 0x0e, 0x36, 0xf0]);
    assert_eq!(IDelta::invalidateNoncesCall::SELECTOR, [0x2e, 0xb4, 0x8a, 0x80]);
    assert_eq!(IDelta::setPreSignatureCall::SELECTOR, [0xeb, 0x8f, 0xb2, 0x68]);
}
