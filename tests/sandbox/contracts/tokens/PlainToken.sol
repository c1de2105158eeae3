// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

import {Erc20} from "./Erc20.sol";

/// A token to the letter of ERC-20, and nothing more.
contract PlainToken is Erc20 {
    constructor(string memory tokenName, string memory tokenSymbol, uint8 tokenDecimals)
        Erc20(tokenName, tokenSymbol, tokenDecimals)
    {}

    function approve(address spender, uint256 value) external virtual returns (bool) {
        _approve(msg.sender, spender, value);
        return true;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        _transfer(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        _spendAllowance(from, msg.sender, value);
        _transfer(from, to, value);
        return true;
    }
}
