// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

import {PlainToken} from "./PlainToken.sol";

/// The native token as an ERC-20 token, one to one.
contract WrappedNative is PlainToken {
    error WithdrawalRefused();

    constructor(string memory tokenName, string memory tokenSymbol) PlainToken(tokenName, tokenSymbol, 18) {}

    receive() external payable {
        _mint(msg.sender, msg.value);
    }

    function deposit() external payable {
        _mint(msg.sender, msg.value);
    }

    function depositTo(address to) external payable {
        _mint(to, msg.value);
    }

    function withdraw(uint256 value) external {
        if (balanceOf[msg.sender] < value) revert TransferExceedsBalance();
        balanceOf[msg.sender] -= value;
        totalSupply -= value;
        emit Transfer(msg.sender, address(0), value);
        (bool paid,) = msg.sender.call{value: value}("");
        if (!paid) revert WithdrawalRefused();
    }

    /// Every unit is backed by the native token, so there is no minting.
    function mint(address, uint256) external pure override {
        revert NotMinter();
    }
}
