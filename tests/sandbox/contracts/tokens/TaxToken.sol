// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

import {Erc20} from "./Erc20.sol";

/// A token that keeps 1 % of every transfer: who is sent 100 receives 99. The rest is burned.
contract TaxToken is Erc20 {
    uint256 public constant TAX_BPS = 100;

    constructor(string memory tokenName, string memory tokenSymbol, uint8 tokenDecimals)
        Erc20(tokenName, tokenSymbol, tokenDecimals)
    {}

    function approve(address spender, uint256 value) external returns (bool) {
        _approve(msg.sender, spender, value);
        return true;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        _transferTaxed(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        _spendAllowance(from, msg.sender, value);
        _transferTaxed(from, to, value);
        return true;
    }

    function _transferTaxed(address from, address to, uint256 value) private {
        uint256 tax = (value * TAX_BPS) / 10_000;
        _transfer(from, to, value - tax);
        if (balanceOf[from] < tax) revert TransferExceedsBalance();
        balanceOf[from] -= tax;
        totalSupply -= tax;
        emit Transfer(from, address(0), tax);
    }
}
