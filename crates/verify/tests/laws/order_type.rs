//! The orders' types: the literals that are hashed, what is read and written by them, and what the contract was deployed
//! with.

use std::collections::BTreeSet;

use alloy_primitives::{Address, B256, Bytes, FixedBytes, U256, b256, keccak256};
use alloy_sol_types::{SolStruct, eip712_domain};
use delta_abi::{Bridge, ExternalOrder, FillableOrder, Order, TWAPBuyOrder, TWAPOrder};
use proptest::prelude::*;
use verified_swap_verify::internal::domain::delta::cancellation::ORDER_CANCELLATIONS;
use verified_swap_verify::internal::domain::delta::order::{self, DeltaOrder, FILLABLE_ORDER, ORDER, TYPES};
use verified_swap_verify::internal::domain::eip712;
use verified_swap_verify::internal::domain::member::{Member, Members};
use verified_swap_verify::internal::domain::typed_struct::{members, name, part};
use verified_swap_verify::internal::json::{JsonAt, parse};

#[path = "../../../../tests/shared/delta_abi.rs"]
mod delta_abi;

/// The type hashes, from the service's published contracts. That of orders in parts is not public: they have an `Order`'s
/// members under a name of their own.
const TYPE_HASHES: [(&str, B256); 5] = [
    ("Order", b256!("0xc75d848e51cd0f81113e24c5a62c9b8566b0ff0d476245a7882709315eefbbf7")),
    ("ExternalOrder", b256!("0x0254756dda5af3a0a67918a5fc37650f1210e94bf58cab8aecf36fd240a131b8")),
    ("TWAPOrder", b256!("0x5e34daadd9f596f8e87f967578f77bb4c7300cab4752439916904d044e85d6b9")),
    ("TWAPBuyOrder", b256!("0x46c5b80d6e30aa1ef6ce10eaf2afba9aa53e9f88d6a80fbd49d4dd5ca2f12011")),
    ("OrderCancellations", b256!("0x43f63d22e1f2516d808508153e00c62b6e2ab72a0ae5735d6c6b3997a4a8cac4")),
];

#[test]
fn the_literals_hash_to_the_contracts() {
    for (wanted, hash) in TYPE_HASHES {
        let encoded = TYPES.into_iter().chain([ORDER_CANCELLATIONS]).find(|known| name(known) == wanted).unwrap();
        assert_eq!(keccak256(encoded), hash, "{wanted}");
    }
    assert_eq!(FILLABLE_ORDER.strip_prefix("Fillable"), Some(ORDER));
    let derived = [
        Order::eip712_encode_type(),
        FillableOrder::eip712_encode_type(),
        ExternalOrder::eip712_encode_type(),
        TWAPOrder::eip712_encode_type(),
        TWAPBuyOrder::eip712_encode_type(),
    ];
    assert_eq!(BTreeSet::from(derived), TYPES.into_iter().map(Into::into).collect());
}

#[test]
fn members_are_the_types_in_order() {
    let fields: Vec<_> = members(ORDER).collect();
    assert_eq!(fields.len(), 14);
    assert_eq!(fields[0], ("owner", "address"));
    assert_eq!(fields[13], ("bridge", "Bridge"));
    assert_eq!(members(part(ORDER, "Bridge").unwrap()).last(), Some(("protocolData", "bytes")));
    assert_eq!(part(ORDER, "Bridg"), None);
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

/// As the service writes it: lower case, amounts as strings, small integers as numbers.
fn written(order: &Order) -> String {
    let Order { srcAmount, destAmount, expectedAmount, deadline, kind, nonce, partnerAndFee, bridge, .. } = order;
    let [owner, beneficiary, src, dest] =
        [order.owner, order.beneficiary, order.srcToken, order.destToken].map(|address| format!("{address:#x}"));
    let (selector, chain, output) = (bridge.protocolSelector, bridge.destinationChainId, bridge.outputToken);
    format!(
        r#"{{"bridge":{{"scalingFactor":{},"protocolSelector":"{selector}","destinationChainId":{chain},"outputToken":"{output:#x}","protocolData":"{}"}},"owner":"{owner}","beneficiary":"{beneficiary}","srcToken":"{src}","destToken":"{dest}","srcAmount":"{srcAmount}","destAmount":"{destAmount}","expectedAmount":"{expectedAmount}","deadline":{deadline},"kind":{kind},"nonce":"{nonce}","partnerAndFee":"{partnerAndFee}","permit":"{}","metadata":"{}","more":1}}"#,
        bridge.scalingFactor, bridge.protocolData, order.permit, order.metadata,
    )
}

proptest! {
    /// Three ways to one digest: this package's words, alloy's derivation, and the text the wallet is given.
    #[test]
    fn the_digest_is_alloys_and_that_of_the_wallets_text(order in any_order(), chain in 1_u64..1 << 53, delta in any::<[u8; 20]>()) {
        let delta = Address::from(delta);
        let read = DeltaOrder::read(&JsonAt::service(&parse(&written(&order)).unwrap(), "value")).unwrap();
        let domain = order::domain(chain, delta);
        let ours = read.digest(&domain);
        let alloys = eip712_domain! { name: "Portikus", version: "2.0.0", chain_id: chain, verifying_contract: delta, };
        prop_assert_eq!(ours.digest, order.eip712_signing_hash(&alloys));
        let text = parse(&read.typed_data(&domain)).unwrap();
        prop_assert_eq!(eip712::digest(&text).unwrap(), ours);
        let again = DeltaOrder::read(&JsonAt::service(text.get("message").unwrap(), "value")).unwrap();
        prop_assert_eq!(&again, &read);
        prop_assert_eq!(read.find(Member::of("srcAmount")), Some(order.srcAmount));
        prop_assert_eq!(read.find(Member::of("bridge.outputToken")), Some(order.bridge.outputToken));
        prop_assert_eq!(read.text(Member::of("bridge.scalingFactor")), order.bridge.scalingFactor.to_string());
        prop_assert_eq!(read.text(Member::of("bridge.protocolSelector")), order.bridge.protocolSelector.to_string());
    }
}
