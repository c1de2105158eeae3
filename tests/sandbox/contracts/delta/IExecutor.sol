// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

/// Code that a solver brings along: it turns the source tokens it was just given into destination tokens, and sends
/// these to the caller.
interface IExecutor {
    function execute(address srcToken, address destToken, bytes calldata data) external;
}

/// The same, where the destination tokens are needed first.
interface ILender {
    /// Lends the caller that much of its own, until the end of the call.
    function lend(address token, uint256 amount) external;
}
