//! The published type hashes and selectors, against everything here that hashes or encodes.

use alloy_dyn_abi::TypedData;
use alloy_primitives::{B256, b256, hex, keccak256};
use alloy_sol_types::SolCall;
use sandbox::chain::{IDelegatedNative, IDelta};
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
fn the_contracts_functions_have_the_published_selectors() {
    let selectors: [([u8; 4], [u8; 4]); 10] = [
        (IDelta::isNonceUsedCall::SELECTOR, hex!("cab7e8eb")),
        (IDelta::invalidateNonceCall::SELECTOR, hex!("b70e36f0")),
        (IDelta::invalidateNoncesCall::SELECTOR, hex!("2eb48a80")),
        (IDelta::setPreSignatureCall::SELECTOR, hex!("eb8fb268")),
        (IDelta::depositNativeAndPreSignCall::SELECTOR, hex!("a1e77937")),
        (IDelta::cancelAndWithdrawCall::SELECTOR, hex!("0cde75a4")),
        (IDelta::cancelTWAPAndWithdrawCall::SELECTOR, hex!("1a5fd6da")),
        (IDelta::cancelTWAPBuyAndWithdrawCall::SELECTOR, hex!("cf880573")),
        (IDelta::withdrawNativeCall::SELECTOR, hex!("84276d81")),
        (IDelegatedNative::withdrawNativeCall::SELECTOR, hex!("2126e91e")),
    ];
    for (ours, published) in selectors {
        assert_eq!(ours, published);
    }
}
