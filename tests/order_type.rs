//! The order's type: the literal that is hashed, the struct that is read, and what the contract was deployed with.

use alloy_primitives::{Address, B256, Bytes, FixedBytes, U256, b256, keccak256};
use alloy_sol_types::{SolStruct, eip712_domain};
use proptest::prelude::*;
use verified_swap::domain::delta::order::{self, Bridge, ORDER_TYPE, Order, components};
use verified_swap::domain::eip712;
use verified_swap::json::parse;

/// `Order`'s type hash, from the service's published contracts.
const TYPE_HASH: B256 = b256!("0xc75d848e51cd0f81113e24c5a62c9b8566b0ff0d476245a7882709315eefbbf7");

#[test]
fn the_literal_is_the_structs_type_and_hashes_to_the_contracts() {
    assert_eq!(Order::eip712_encode_type(), ORDER_TYPE);
    assert_eq!(keccak256(ORDER_TYPE), TYPE_HASH);
}

#[test]
fn components_are_the_types_fields_in_order() {
    let fields: Vec<_> = components("Order").collect();
    assert_eq!(fields.len(), 14);
    assert_eq!(fields[0], ("owner", "address"));
    assert_eq!(fields[13], ("bridge", "Bridge"));
    assert_eq!(components("Bridge").last(), Some(("protocolData", "bytes")));
}

prop_compose! {
    fn any_order()(
        addresses in prop::array::uniform5(any::<[u8; 20]>()),
        numbers in prop::array::uniform7(any::<[u8; 32]>()),
        bytes in prop::array::uniform3(prop::collection::vec(any::<u8>(), 0..80)),
        kind in any::<u8>(),
        selector in any::<[u8; 4]>(),
        scaling in any::<i8>(),
    ) -> Order {
        let [owner, beneficiary, src, dest, output] = addresses.map(Address::from);
        let [a, b, c, deadline, nonce, fee, chain] = numbers.map(U256::from_be_bytes);
        let [permit, metadata, data] = bytes.map(Bytes::from);
        Order {
            owner, beneficiary, srcToken: src, destToken: dest, srcAmount: a, destAmount: b, expectedAmount: c,
            deadline, kind, nonce, partnerAndFee: fee, permit, metadata,
            bridge: Bridge {
                protocolSelector: FixedBytes(selector),
                destinationChainId: chain,
                outputToken: output,
                scalingFactor: scaling,
                protocolData: data,
            },
        }
    }
}

proptest! {
    /// Three ways to one digest: this package's words, alloy's derivation, and the text the wallet is given.
    #[test]
    fn the_digest_is_alloys_and_that_of_the_wallets_text(order in any_order(), chain in 1_u64..1 << 53, delta in any::<[u8; 20]>()) {
        let delta = Address::from(delta);
        let ours = order::digest(&order, chain, delta);
        let domain = eip712_domain! { name: "Portikus", version: "2.0.0", chain_id: chain, verifying_contract: delta, };
        prop_assert_eq!(ours.digest, order.eip712_signing_hash(&domain));
        let text = order::typed_data(&order, chain, delta);
        prop_assert_eq!(eip712::digest(&parse(&text).unwrap()).unwrap(), ours);
    }
}
