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
    }

    interface IDelta {
        function setAgent(address agent, bool allowed) external;
        function orderHash(Order order) external view returns (bytes32);
        function invalidateNonce(uint256 nonce) external;
        function isNonceUsed(address owner, uint256 nonce) external view returns (bool);
        function settle(
            Order order,
            bytes signature,
            uint256 spend,
            address executor,
            bytes executorData
        ) external;
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
