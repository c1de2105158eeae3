// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

/// A maker's offer. `taker` zero lets anyone fill; `expiry` in unix seconds, zero is never. In `nonceAndMeta` the
/// contract reads nothing: it only makes orders differ.
struct RfqOrder {
    uint256 nonceAndMeta;
    uint128 expiry;
    address makerAsset;
    address takerAsset;
    address maker;
    address taker;
    uint256 makerAmount;
    uint256 takerAmount;
}

/// An order to fill in a batch, how much of its taker asset to give for it, and the permits to use first.
struct OrderInfo {
    RfqOrder order;
    bytes signature;
    uint256 takerTokenFillAmount;
    bytes permitTakerAsset;
    bytes permitMakerAsset;
}

/// The domain that makers sign for: AUGUSTUS RFQ 1, this chain, this contract.
abstract contract RfqOrders {
    bytes private constant ORDER_TYPE =
        "Order(uint256 nonceAndMeta,uint128 expiry,address makerAsset,address takerAsset,address maker,address taker,uint256 makerAmount,uint256 takerAmount)";
    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");

    bytes32 public constant RFQ_LIMIT_ORDER_TYPEHASH =
        0x95afddf5e4bb9f692716b7fdff640e6b8a0d2869597405c6e9d35857ed19a150;

    error TypeHashDiffers();

    constructor() {
        if (keccak256(ORDER_TYPE) != RFQ_LIMIT_ORDER_TYPEHASH) revert TypeHashDiffers();
    }

    function DOMAIN_SEPARATOR() public view returns (bytes32) {
        return keccak256(
            abi.encode(DOMAIN_TYPEHASH, keccak256("AUGUSTUS RFQ"), keccak256("1"), block.chainid, address(this))
        );
    }

    function _hash(RfqOrder calldata order) internal view returns (bytes32) {
        // All members are static: their ABI encoding is the one that is hashed.
        bytes32 structHash = keccak256(abi.encode(RFQ_LIMIT_ORDER_TYPEHASH, order));
        return keccak256(abi.encodePacked("\x19\x01", DOMAIN_SEPARATOR(), structHash));
    }
}
