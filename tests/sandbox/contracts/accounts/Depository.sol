// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

import {IHandler} from "../delta/IHandler.sol";

/// A handler for external orders: keeps what they bring, for the account that `data` names, else for the order's owner.
contract Depository is IHandler {
    address public immutable delta;
    /// By account and token.
    mapping(address => mapping(address => uint256)) public deposited;

    event Deposited(bytes32 indexed orderHash, address indexed account, address token, uint256 amount);

    error NotDelta();

    constructor(address deltaContract) {
        delta = deltaContract;
    }

    receive() external payable {}

    function onOrderSettled(bytes32 orderHash, address owner, address token, uint256 amount, bytes calldata data)
        external
    {
        if (msg.sender != delta) revert NotDelta();
        address account = data.length == 0 ? owner : abi.decode(data, (address));
        deposited[account][token] += amount;
        emit Deposited(orderHash, account, token, amount);
    }
}
