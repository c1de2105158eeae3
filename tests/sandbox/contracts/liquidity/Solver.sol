// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

import {IExecutor, ILender} from "../delta/IExecutor.sol";
import {TokenMover} from "../tokens/TokenMover.sol";
import {Pool} from "./Pool.sol";

interface IApprove {
    function approve(address spender, uint256 value) external;
}

/// The solver's hands on chain: gets an order's source tokens from the Delta contract, trades them in the pool, hands
/// over what it promised and keeps the difference, which pays for its gas.
contract Solver is IExecutor, ILender {
    using TokenMover for address;

    address public immutable delta;
    Pool public immutable pool;
    address private immutable operator = msg.sender;

    error NotDelta();
    error NotOperator();

    constructor(address deltaContract, Pool liquidity) {
        delta = deltaContract;
        pool = liquidity;
    }

    /// Lets the pool take `token`; once per token, by its deployer.
    function enable(address token) external {
        if (msg.sender != operator) revert NotOperator();
        IApprove(token).approve(address(pool), type(uint256).max);
    }

    /// Out of what it holds: an external order is paid out before it pays.
    function lend(address token, uint256 amount) external {
        if (msg.sender != delta) revert NotDelta();
        token.pay(delta, amount);
    }

    /// `data`: (how much of the received tokens to trade, how much to hand over).
    function execute(address srcToken, address destToken, bytes calldata data) external {
        if (msg.sender != delta) revert NotDelta();
        (uint256 tradeIn, uint256 promised) = abi.decode(data, (uint256, uint256));
        if (srcToken != destToken) pool.swap(srcToken, destToken, tradeIn, promised, address(this));
        destToken.pay(delta, promised);
    }
}
