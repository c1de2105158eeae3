// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

/// Where the proceeds of an external order go. It has them when it is called.
interface IHandler {
    function onOrderSettled(bytes32 orderHash, address owner, address token, uint256 amount, bytes calldata data)
        external;
}
