// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

/// Where a crosschain order goes on to. All zero for an order that stays on its chain.
struct Bridge {
    bytes4 protocolSelector;
    uint256 destinationChainId;
    address outputToken;
    int8 scalingFactor;
    bytes protocolData;
}

/// A whole-or-nothing trade. Amounts in raw token units, `deadline` in unix seconds, `kind` 0 sell and 1 buy.
/// SELL: srcAmount is exact and destAmount the least. BUY: destAmount is exact and srcAmount the most.
struct Order {
    address owner;
    address beneficiary;
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
    Bridge bridge;
}

/// EIP-712 struct hashes. The type hashes are computed from the type's text and asserted against the published
/// values, so that neither a typing error here nor one there goes unnoticed.
library Orders {
    bytes internal constant BRIDGE_TYPE =
        "Bridge(bytes4 protocolSelector,uint256 destinationChainId,address outputToken,int8 scalingFactor,bytes protocolData)";
    bytes internal constant ORDER_TYPE =
        "Order(address owner,address beneficiary,address srcToken,address destToken,uint256 srcAmount,uint256 destAmount,uint256 expectedAmount,uint256 deadline,uint8 kind,uint256 nonce,uint256 partnerAndFee,bytes permit,bytes metadata,Bridge bridge)";

    bytes32 internal constant BRIDGE_TYPEHASH = keccak256(BRIDGE_TYPE);
    bytes32 internal constant ORDER_TYPEHASH = 0xc75d848e51cd0f81113e24c5a62c9b8566b0ff0d476245a7882709315eefbbf7;

    error TypeHashDiffers();

    /// Called once, when a contract that signs over these types is deployed.
    function assertTypes() internal pure {
        if (keccak256(bytes.concat(ORDER_TYPE, BRIDGE_TYPE)) != ORDER_TYPEHASH) revert TypeHashDiffers();
    }

    function hash(Order calldata order) internal pure returns (bytes32) {
        bytes memory head = abi.encode(
            ORDER_TYPEHASH,
            order.owner,
            order.beneficiary,
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
            hash(order.bridge)
        );
        return keccak256(bytes.concat(head, tail));
    }

    function hash(Bridge calldata bridge) internal pure returns (bytes32) {
        return keccak256(
            abi.encode(
                BRIDGE_TYPEHASH,
                bridge.protocolSelector,
                bridge.destinationChainId,
                bridge.outputToken,
                bridge.scalingFactor,
                keccak256(bridge.protocolData)
            )
        );
    }

    function isCrosschain(Order calldata order) internal pure returns (bool) {
        Bridge calldata bridge = order.bridge;
        return bridge.destinationChainId != 0 || bridge.outputToken != address(0) || bridge.scalingFactor != 0
            || bridge.protocolSelector != bytes4(0) || bridge.protocolData.length != 0;
    }
}
