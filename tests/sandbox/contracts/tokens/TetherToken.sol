// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

import {Erc20} from "./Erc20.sol";

/// A token like USDT on Ethereum: `approve` and the transfers return nothing, and an allowance that is not zero
/// cannot be changed into another one that is not zero.
contract TetherToken is Erc20 {
    error ResetAllowanceFirst();

    constructor(string memory tokenName, string memory tokenSymbol, uint8 tokenDecimals)
        Erc20(tokenName, tokenSymbol, tokenDecimals)
    {}

    function approve(address spender, uint256 value) external {
        if (value != 0 && allowance[msg.sender][spender] != 0) revert ResetAllowanceFirst();
        _approve(msg.sender, spender, value);
    }

    function transfer(address to, uint256 value) external {
        _transfer(msg.sender, to, value);
    }

    function transferFrom(address from, address to, uint256 value) external {
        _spendAllowance(from, msg.sender, value);
        _transfer(from, to, value);
    }
}
