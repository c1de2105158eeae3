// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

import {PlainToken} from "../tokens/PlainToken.sol";
import {TokenMover} from "../tokens/TokenMover.sol";

/// A deposit of another token as a token of its own, one to one; its holder can have it back. (The interest that
/// such tokens bear elsewhere is left out.)
contract InterestToken is PlainToken {
    using TokenMover for address;

    address public immutable underlying;

    constructor(string memory tokenName, string memory tokenSymbol, uint8 tokenDecimals, address deposited)
        PlainToken(tokenName, tokenSymbol, tokenDecimals)
    {
        underlying = deposited;
    }

    function deposit(uint256 amount, address to) external {
        underlying.take(msg.sender, address(this), amount);
        _mint(to, amount);
    }

    function redeem(uint256 amount, address to) external {
        if (balanceOf[msg.sender] < amount) revert TransferExceedsBalance();
        totalSupply -= amount;
        balanceOf[msg.sender] -= amount;
        emit Transfer(msg.sender, address(0), amount);
        underlying.pay(to, amount);
    }
}
