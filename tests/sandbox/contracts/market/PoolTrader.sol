// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

import {Pool} from "../liquidity/Pool.sol";
import {TokenMover} from "../tokens/TokenMover.sol";

interface IAllowance {
    function allowance(address owner, address spender) external view returns (uint256);
    function approve(address spender, uint256 value) external;
}

/// Trades what it holds in the pool, along a path of tokens. A path of one token is no trade.
abstract contract PoolTrader {
    using TokenMover for address;

    Pool public immutable pool;

    constructor(Pool liquidity) {
        pool = liquidity;
    }

    /// Sells `amount` of the first token, and what comes out of each hop; the last goes to `to`.
    function _sellAlong(address[] memory path, uint256 amount, address to) internal {
        for (uint256 hop = 0; hop + 1 < path.length; hop++) {
            _allow(path[hop], address(pool));
            address receiver = hop + 2 == path.length ? to : address(this);
            uint256 before = path[hop + 1].held(receiver);
            pool.swap(path[hop], path[hop + 1], amount, 0, receiver);
            amount = path[hop + 1].held(receiver) - before;
        }
    }

    /// Buys exactly `wanted` of the last token, for `to`.
    function _buyAlong(address[] memory path, uint256 wanted, address to) internal {
        uint256[] memory amounts = new uint256[](path.length);
        amounts[path.length - 1] = wanted;
        for (uint256 hop = path.length - 1; hop > 0; hop--) {
            amounts[hop - 1] = pool.amountIn(path[hop - 1], path[hop], amounts[hop]);
        }
        for (uint256 hop = 0; hop + 1 < path.length; hop++) {
            _allow(path[hop], address(pool));
            address receiver = hop + 2 == path.length ? to : address(this);
            pool.buy(path[hop], path[hop + 1], amounts[hop + 1], amounts[hop], receiver);
        }
    }

    function _allow(address token, address spender) internal {
        if (IAllowance(token).allowance(address(this), spender) == 0) {
            IAllowance(token).approve(spender, type(uint256).max);
        }
    }
}
