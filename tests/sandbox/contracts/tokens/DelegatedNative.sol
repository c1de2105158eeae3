// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

import {PlainToken} from "./PlainToken.sol";

/// The native token as Delta holds it for its owners, one to one. One contract, the delegate, moves it and turns it back
/// for its owners without an allowance.
contract DelegatedNative is PlainToken {
    address public delegate;

    error NotOwner();
    error DelegateIsSet();
    error WithdrawalRefused();

    constructor(string memory tokenName, string memory tokenSymbol) PlainToken(tokenName, tokenSymbol, 18) {}

    receive() external payable {
        _mint(msg.sender, msg.value);
    }

    /// Once, by the token's deployer.
    function setDelegate(address contractWithAccess) external {
        if (msg.sender != minter) revert NotMinter();
        if (delegate != address(0)) revert DelegateIsSet();
        delegate = contractWithAccess;
    }

    function depositNative() external payable {
        _mint(msg.sender, msg.value);
    }

    function depositNativeFor(address owner) external payable {
        _mint(owner, msg.value);
    }

    /// Turns `amount` of the owner's back into the native token, for the owner itself or the delegate.
    function withdrawNative(uint256 amount, address owner, address receiver) external {
        if (msg.sender != owner && msg.sender != delegate) revert NotOwner();
        if (balanceOf[owner] < amount) revert TransferExceedsBalance();
        balanceOf[owner] -= amount;
        totalSupply -= amount;
        emit Transfer(owner, address(0), amount);
        (bool paid,) = receiver.call{value: amount}("");
        if (!paid) revert WithdrawalRefused();
    }

    /// Every unit is backed by the native token, so there is no minting.
    function mint(address, uint256) external pure override {
        revert NotMinter();
    }

    function _spendAllowance(address owner, address spender, uint256 value) internal override {
        if (spender != delegate) super._spendAllowance(owner, spender, value);
    }
}
