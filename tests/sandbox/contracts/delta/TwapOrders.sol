// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

import {Bridge, Orders} from "./Orders.sol";

/// Sells `totalSrcAmount` in `numSlices` slices, at most one per `interval` seconds. A slice sells
/// floor(total / numSlices), the last one what is left, and each gives at least `destAmountPerSlice`.
struct TWAPOrder {
    address owner;
    address beneficiary;
    address srcToken;
    address destToken;
    uint256 nonce;
    uint256 partnerAndFee;
    uint64 deadline;
    uint64 interval;
    uint32 numSlices;
    uint256 destAmountPerSlice;
    uint256 totalSrcAmount;
    bytes permit;
    bytes metadata;
    Bridge bridge;
}

/// Buys `totalDestAmount` in slices, each for at most its share of `maxSrcAmount`.
struct TWAPBuyOrder {
    address owner;
    address beneficiary;
    address srcToken;
    address destToken;
    uint256 nonce;
    uint256 partnerAndFee;
    uint64 deadline;
    uint64 interval;
    uint32 numSlices;
    uint256 totalDestAmount;
    uint256 maxSrcAmount;
    bytes permit;
    bytes metadata;
    Bridge bridge;
}

/// EIP-712 struct hashes. Both kinds differ in two members' names only, which the type hash stands for.
library TwapOrders {
    bytes private constant FIELDS =
        "(address owner,address beneficiary,address srcToken,address destToken,uint256 nonce,uint256 partnerAndFee,uint64 deadline,uint64 interval,uint32 numSlices,";
    bytes private constant END = "bytes permit,bytes metadata,Bridge bridge)";
    bytes private constant SELL_AMOUNTS = "uint256 destAmountPerSlice,uint256 totalSrcAmount,";
    bytes private constant BUY_AMOUNTS = "uint256 totalDestAmount,uint256 maxSrcAmount,";

    bytes32 internal constant TWAP_TYPEHASH = 0x5e34daadd9f596f8e87f967578f77bb4c7300cab4752439916904d044e85d6b9;
    bytes32 internal constant TWAP_BUY_TYPEHASH = 0x46c5b80d6e30aa1ef6ce10eaf2afba9aa53e9f88d6a80fbd49d4dd5ca2f12011;

    function assertTypes() internal pure {
        bytes32 sell = keccak256(bytes.concat("TWAPOrder", FIELDS, SELL_AMOUNTS, END, Orders.BRIDGE_TYPE));
        bytes32 buy = keccak256(bytes.concat("TWAPBuyOrder", FIELDS, BUY_AMOUNTS, END, Orders.BRIDGE_TYPE));
        if (sell != TWAP_TYPEHASH || buy != TWAP_BUY_TYPEHASH) revert Orders.TypeHashDiffers();
    }

    function hash(TWAPOrder calldata order) internal pure returns (bytes32) {
        bytes memory head = abi.encode(
            TWAP_TYPEHASH,
            order.owner,
            order.beneficiary,
            order.srcToken,
            order.destToken,
            order.nonce,
            order.partnerAndFee,
            order.deadline
        );
        bytes memory tail = abi.encode(
            order.interval,
            order.numSlices,
            order.destAmountPerSlice,
            order.totalSrcAmount,
            keccak256(order.permit),
            keccak256(order.metadata),
            Orders.hash(order.bridge)
        );
        return keccak256(bytes.concat(head, tail));
    }

    function hash(TWAPBuyOrder calldata order) internal pure returns (bytes32) {
        bytes memory head = abi.encode(
            TWAP_BUY_TYPEHASH,
            order.owner,
            order.beneficiary,
            order.srcToken,
            order.destToken,
            order.nonce,
            order.partnerAndFee,
            order.deadline
        );
        bytes memory tail = abi.encode(
            order.interval,
            order.numSlices,
            order.totalDestAmount,
            order.maxSrcAmount,
            keccak256(order.permit),
            keccak256(order.metadata),
            Orders.hash(order.bridge)
        );
        return keccak256(bytes.concat(head, tail));
    }
}
