// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

import {IExecutor} from "../delta/IExecutor.sol";
import {Pool} from "../liquidity/Pool.sol";
import {TokenMover} from "../tokens/TokenMover.sol";
import {PoolTrader} from "./PoolTrader.sol";

/// Trades for the router's generic methods: gets the source tokens, has the pool pay the router, and gives back
/// what is left. It owns nothing between calls, so anyone may call it.
contract Executor is IExecutor, PoolTrader {
    using TokenMover for address;

    constructor(Pool liquidity) PoolTrader(liquidity) {}

    /// `data`: the path, and how much of its last token to buy (0: sell all there is).
    function execute(address srcToken, address destToken, bytes calldata data) external {
        (address[] memory path, uint256 wanted) = abi.decode(data, (address[], uint256));
        if (wanted == 0) _sellAlong(path, path[0].held(address(this)), msg.sender);
        else _buyAlong(path, wanted, msg.sender);
        destToken.pay(msg.sender, destToken.held(address(this)));
        srcToken.pay(msg.sender, srcToken.held(address(this)));
    }
}
