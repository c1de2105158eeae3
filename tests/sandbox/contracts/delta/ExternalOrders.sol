// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

import {Orders} from "./Orders.sol";

/// A whole-or-nothing trade whose proceeds go to a contract, the handler, which uses them as `data` directs.
/// Amounts and kind as in an `Order`.
struct ExternalOrder {
    address owner;
    address handler;
    address srcToken;
    address destToken;
    uint256 srcAmount;
    uint256 destAmount;
    uint256 expectedAmount;
    uint256 deadline;
    uint8 kind;
    uint256 nonce;
    uint256 partnerAndFee;
    bytes permit;
    bytes metadata;
    bytes data;
}

/// EIP-712 struct hash.
library ExternalOrders {
    bytes internal constant EXTERNAL_TYPE =
        "ExternalOrder(address owner,address handler,address srcToken,address destToken,uint256 srcAmount,uint256 destAmount,uint256 expectedAmount,uint256 deadline,uint8 kind,uint256 nonce,uint256 partnerAndFee,bytes permit,bytes metadata,bytes data)";
    bytes32 internal constant EXTERNAL_TYPEHASH = 0x0254756dda5af3a0a67918a5fc37650f1210e94bf58cab8aecf36fd240a131b8;

    function assertTypes() internal pure {
        if (keccak256(EXTERNAL_TYPE) != EXTERNAL_TYPEHASH) revert Orders.TypeHashDiffers();
    }

    function hash(ExternalOrder calldata order) internal pure returns (bytes32) {
        bytes memory head = abi.encode(
            EXTERNAL_TYPEHASH,
            order.owner,
            order.handler,
            order.srcToken,
            order.destToken,
            order.srcAmount,
            order.destAmount,
            order.expectedAmount
        );
        bytes memory tail = abi.encode(
            order.deadline,
            order.kind,
            order.nonce,
            order.partnerAndFee,
            keccak256(order.permit),
            keccak256(order.metadata),
            keccak256(order.data)
        );
        return keccak256(bytes.concat(head, tail));
    }
}
