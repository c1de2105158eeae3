// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

import {IHandler} from "../delta/IHandler.sol";
import {TokenMover} from "../tokens/TokenMover.sol";
import {InterestToken} from "./InterestToken.sol";

/// A handler as a lending market has one: changes what an account has deposited there from one token to another. It
/// deposits the proceeds for the user, takes the user's deposit of the other token by the user's allowance of the deposit's
/// token, and pays with what that is. The user need not hold a unit of either token. `data`: one word, 0.
contract CollateralSwap is IHandler {
    using TokenMover for address;

    address public immutable delta;
    /// By what is deposited.
    mapping(address underlying => InterestToken) public deposits;

    error NotDelta();
    error UnknownOperation();
    error UnknownReserve();

    constructor(address deltaContract, InterestToken[] memory tokens) {
        delta = deltaContract;
        for (uint256 i = 0; i < tokens.length; i++) {
            address underlying = tokens[i].underlying();
            deposits[underlying] = tokens[i];
            InterestToken(underlying).approve(address(tokens[i]), type(uint256).max);
        }
    }

    function execute(
        address user,
        address tokenIn,
        uint256 amountIn,
        address tokenOut,
        uint256 amountOut,
        bytes calldata data
    ) external {
        if (msg.sender != delta) revert NotDelta();
        if (data.length != 32 || bytes32(data) != 0) revert UnknownOperation();
        (InterestToken given, InterestToken wanted) = (deposits[tokenIn], deposits[tokenOut]);
        if (address(given) == address(0) || address(wanted) == address(0)) revert UnknownReserve();
        wanted.deposit(amountOut, user);
        address(given).take(user, address(this), amountIn);
        given.redeem(amountIn, delta);
    }
}
