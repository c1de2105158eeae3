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
    bytes internal constant ORDER_FIELDS =
        "(address owner,address beneficiary,address srcToken,address destToken,uint256 srcAmount,uint256 destAmount,uint256 expectedAmount,uint256 deadline,uint8 kind,uint256 nonce,uint256 partnerAndFee,bytes permit,bytes metadata,Bridge bridge)";

    bytes32 internal constant BRIDGE_TYPEHASH = keccak256(BRIDGE_TYPE);
    bytes32 internal constant ORDER_TYPEHASH = 0xc75d848e51cd0f81113e24c5a62c9b8566b0ff0d476245a7882709315eefbbf7;

    /// The same members under a name of their own: an order that may be filled in parts.
    bytes32 internal constant FILLABLE_TYPEHASH = keccak256(bytes.concat("FillableOrder", ORDER_FIELDS, BRIDGE_TYPE));

    error TypeHashDiffers();

    /// Called once, when a contract that signs over these types is deployed.
    function assertTypes() internal pure {
        if (keccak256(bytes.concat("Order", ORDER_FIELDS, BRIDGE_TYPE)) != ORDER_TYPEHASH) revert TypeHashDiffers();
    }

    function hash(Order calldata order) internal pure returns (bytes32) {
        return _hash(order, ORDER_TYPEHASH);
    }

    function hashFillable(Order calldata order) internal pure returns (bytes32) {
        return _hash(order, FILLABLE_TYPEHASH);
    }

    function _hash(Order calldata order, bytes32 typeHash) private pure returns (bytes32) {
        bytes memory head = abi.encode(
            typeHash,
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

    /// Whether it goes on to another chain.
    function isSet(Bridge calldata bridge) internal pure returns (bool) {
        return bridge.destinationChainId != 0 || bridge.outputToken != address(0) || bridge.scalingFactor != 0
            || bridge.protocolSelector != bytes4(0) || bridge.protocolData.length != 0;
    }
}
