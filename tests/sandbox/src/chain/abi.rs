//! The other contracts' interfaces, as far as the service calls them.

use alloy_sol_types::sol;

sol! {
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

    /// EIP-1271; and what lets the key of an account with code call through it.
    interface IContractAccount {
        function isValidSignature(bytes32 hash, bytes signature) external view returns (bytes4);
    }

    interface ISolver {
        function enable(address token) external;
    }
}
