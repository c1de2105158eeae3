//! The Delta contract as its orders and calls are written in Solidity: hashed and encoded by a library, for the sandbox
//! and for the tests that hold `src` against it. `tests/sandbox/contracts/delta/` has the code.

use alloy_sol_types::sol;

sol! {
    #![sol(all_derives)]

    struct Bridge {
        bytes4 protocolSelector;
        uint256 destinationChainId;
        address outputToken;
        int8 scalingFactor;
        bytes protocolData;
    }

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

    /// An `Order` that may be filled in parts: its name in typed data. In calls it is an `Order`.
    struct FillableOrder {
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

    struct OrderCancellations {
        string[] orderIds;
    }

    struct Execution {
        uint256 spend;
        address executor;
        bytes data;
    }

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
}
