// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

/// Handler of an external order, by the interface that is published. Called by the Delta contract when it has
/// `amountOut` of `tokenOut` already; it gives the caller `amountIn` of `tokenIn` before it returns. The owner of
/// these tokens, and the allowance for them, are its own affair.
interface IHandler {
    function execute(
        address user,
        address tokenIn,
        uint256 amountIn,
        address tokenOut,
        uint256 amountOut,
        bytes calldata data
    ) external;
}
