//! The contracts' interfaces, as far as the service calls them.

use alloy_primitives::{Address, FixedBytes, U256};
use alloy_sol_types::sol;

sol! {
    /// See `contracts/delta/Orders.sol`.
    #[derive(Debug, PartialEq, Eq)]
    struct Bridge {
        bytes4 protocolSelector;
        uint256 destinationChainId;
        address outputToken;
        int8 scalingFactor;
        bytes protocolData;
    }

    /// See `contracts/delta/Orders.sol`.
    #[derive(Debug, PartialEq, Eq)]
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

    /// See `contracts/delta/ExternalOrders.sol`.
    #[derive(Debug, PartialEq, Eq)]
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

    /// See `contracts/delta/TwapOrders.sol`.
    #[derive(Debug, PartialEq, Eq)]
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

    /// See `contracts/delta/TwapOrders.sol`.
    #[derive(Debug, PartialEq, Eq)]
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

    /// See `contracts/delta/Settlement.sol`.
    struct Execution {
        uint256 spend;
        address executor;
        bytes data;
    }

    /// See `contracts/delta/Progress.sol`.
    #[derive(Debug)]
    struct Filled {
        uint256 filled;
        uint32 fills;
        uint64 lastAt;
    }

    event OrderSettled(
        bytes32 indexed orderHash,
        address indexed owner,
        address indexed beneficiary,
        uint256 spent,
        uint256 received,
        uint256 partnerShare,
        uint256 protocolShare
    );

    interface IToken {
        function balanceOf(address owner) external view returns (uint256);
        function allowance(address owner, address spender) external view returns (uint256);
        function approve(address spender, uint256 value) external;
        function mint(address to, uint256 value) external;
        function depositTo(address to) external payable;
    }

    interface IPool {
        function reserve(address of, address pairedWith) external view returns (uint256);
        function amountOut(address src, address dest, uint256 sold) external view returns (uint256);
        function amountIn(address src, address dest, uint256 wanted) external view returns (uint256);
        function add(address a, address b, uint256 amountA, uint256 amountB) external;
        function swap(address src, address dest, uint256 amount, uint256 minOut, address to) external;
    }

    interface IDelta {
        function setAgent(address agent, bool allowed) external;
        function setGate(bytes4 selector, address gate) external;
        function noteFillable(bytes32 hash) external;
        function orderHash(Order order) external view returns (bytes32);
        function fillableOrderHash(Order order) external view returns (bytes32);
        function externalOrderHash(ExternalOrder order) external view returns (bytes32);
        function twapOrderHash(TWAPOrder order) external view returns (bytes32);
        function twapBuyOrderHash(TWAPBuyOrder order) external view returns (bytes32);
        function setPreSignature(bytes32 orderHash, bool preSigned) external;
        function depositNativeAndPreSign(bytes32 orderHash) external payable;
        function cancelAndWithdraw(Order order, bool isFillable) external;
        function cancelTWAPAndWithdraw(TWAPOrder order) external;
        function cancelTWAPBuyAndWithdraw(TWAPBuyOrder order) external;
        function withdrawNative(uint256 amount) external;
        function isCancelled(bytes32 orderHash) external view returns (bool);
        function isPreSigned(address owner, bytes32 orderHash) external view returns (bool);
        function invalidateNonce(uint256 nonce) external;
        function invalidateNonces(uint256[] nonces) external;
        function isNonceUsed(address owner, uint256 nonce) external view returns (bool);
        function progress(bytes32 orderHash) external view returns (Filled filled);
        function settle(Order order, bytes signature, Execution execution) external;
        function settleFillable(Order order, bytes signature, uint256 amount, Execution execution) external;
        function settleExternal(ExternalOrder order, bytes signature, Execution execution, uint256 lent) external;
        function settleTWAP(TWAPOrder order, bytes signature, Execution execution) external;
        function settleTWAPBuy(TWAPBuyOrder order, bytes signature, Execution execution) external;
    }

    /// EIP-1271; and what lets the key of an account with code call through it.
    interface IContractAccount {
        function isValidSignature(bytes32 hash, bytes signature) external view returns (bytes4);
    }

    interface ISolver {
        function enable(address token) external;
    }
}

/// The bridge of an order that stays on its chain.
pub const ZERO_BRIDGE: Bridge = Bridge {
    protocolSelector: FixedBytes::ZERO,
    destinationChainId: U256::ZERO,
    outputToken: Address::ZERO,
    scalingFactor: 0,
    protocolData: alloy_primitives::Bytes::new(),
};
