// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

import {IHandler} from "../delta/IHandler.sol";
import {TokenMover} from "../tokens/TokenMover.sol";

/// A handler for external orders: keeps what they bring, for the account that `data` names, else for the order's owner,
/// whose allowance to this contract it pays by.
contract Depository is IHandler {
    using TokenMover for address;

    address private constant NATIVE = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;

    address public immutable delta;
    /// By account and token.
    mapping(address => mapping(address => uint256)) public deposited;

    event Deposited(address indexed user, address indexed account, address token, uint256 amount);

    error NotDelta();

    constructor(address deltaContract) {
        delta = deltaContract;
    }

    receive() external payable {}

    function execute(
        address user,
        address tokenIn,
        uint256 amountIn,
        address tokenOut,
        uint256 amountOut,
        bytes calldata data
    ) external {
        if (msg.sender != delta) revert NotDelta();
        address account = data.length == 0 ? user : abi.decode(data, (address));
        deposited[account][tokenOut] += amountOut;
        emit Deposited(user, account, tokenOut, amountOut);
        if (tokenIn != NATIVE) tokenIn.take(user, delta, amountIn);
    }
}
