// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

import {Erc20} from "./Erc20.sol";

/// A token that one account can receive and never send.
contract UnsellableToken is Erc20 {
    address public immutable stuck;

    error Stuck();

    constructor(string memory tokenName, string memory tokenSymbol, uint8 tokenDecimals, address account)
        Erc20(tokenName, tokenSymbol, tokenDecimals)
    {
        stuck = account;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        _approve(msg.sender, spender, value);
        return true;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        _move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        _spendAllowance(from, msg.sender, value);
        _move(from, to, value);
        return true;
    }

    function _move(address from, address to, uint256 value) private {
        if (from == stuck) revert Stuck();
        _transfer(from, to, value);
    }
}
