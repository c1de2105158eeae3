//! Delta's orders and calls, hashed and encoded by another library.

use alloy_sol_types::sol;

sol! {
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

    function cancelAndWithdraw(Order order, bool isFillable);
    function cancelTWAPAndWithdraw(TWAPOrder order);
    function cancelTWAPBuyAndWithdraw(TWAPBuyOrder order);
    function invalidateNonce(uint256 nonce);
    function withdrawNative(uint256 amount);
}
