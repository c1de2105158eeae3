// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

import {TokenMover} from "../tokens/TokenMover.sol";

/// Reserves of pairs, traded along x * y = k with a fee of 5 bps on what comes in. The sandbox's only market: quotes
/// are read from it and solvers trade against it, so a trade moves the price of the next one.
contract Pool {
    using TokenMover for address;

    uint256 private constant FEE_BASE = 10_000;
    uint256 public constant FEE_BPS = 5;

    /// `reserve[a][b]` is what the pair of a and b holds of a.
    mapping(address => mapping(address => uint256)) public reserve;

    event Swapped(address indexed srcToken, address indexed destToken, uint256 sold, uint256 bought, address to);

    error NoSuchPair();
    error NotEnoughLiquidity();
    error TooLittleOut();
    error TooMuchIn();

    /// Adds reserves, taking both tokens from the sender.
    function add(address a, address b, uint256 amountA, uint256 amountB) external {
        if (a == b) revert NoSuchPair();
        reserve[a][b] += _receive(a, amountA);
        reserve[b][a] += _receive(b, amountB);
    }

    /// Proceeds of `sold` of `src` now, rounded down.
    function amountOut(address src, address dest, uint256 sold) public view returns (uint256) {
        (uint256 reserveIn, uint256 reserveOut) = _pair(src, dest);
        uint256 netIn = sold * (FEE_BASE - FEE_BPS);
        return (netIn * reserveOut) / (reserveIn * FEE_BASE + netIn);
    }

    /// The amount that has to come in for `wanted` of `dest` to go out now, rounded up.
    function amountIn(address src, address dest, uint256 wanted) public view returns (uint256) {
        (uint256 reserveIn, uint256 reserveOut) = _pair(src, dest);
        if (wanted >= reserveOut) revert NotEnoughLiquidity();
        uint256 denominator = (reserveOut - wanted) * (FEE_BASE - FEE_BPS);
        return (reserveIn * wanted * FEE_BASE + denominator - 1) / denominator;
    }

    /// Trades exactly `amount` of `src`, taken from the sender; what arrives of it counts.
    function swap(address src, address dest, uint256 amount, uint256 minOut, address to) external returns (uint256 out) {
        uint256 received = _receive(src, amount);
        out = amountOut(src, dest, received);
        if (out < minOut) revert TooLittleOut();
        _trade(src, dest, received, out, to);
    }

    /// Trades for exactly `wanted` of `dest`.
    function buy(address src, address dest, uint256 wanted, uint256 maxIn, address to) external returns (uint256 spent) {
        spent = amountIn(src, dest, wanted);
        if (spent > maxIn || _receive(src, spent) != spent) revert TooMuchIn();
        _trade(src, dest, spent, wanted, to);
    }

    function _trade(address src, address dest, uint256 sold, uint256 bought, address to) private {
        reserve[src][dest] += sold;
        reserve[dest][src] -= bought;
        dest.pay(to, bought);
        emit Swapped(src, dest, sold, bought, to);
    }

    /// Takes `amount` from the sender, and returns what arrived.
    function _receive(address token, uint256 amount) private returns (uint256) {
        uint256 before = token.held(address(this));
        token.take(msg.sender, address(this), amount);
        return token.held(address(this)) - before;
    }

    function _pair(address src, address dest) private view returns (uint256 reserveIn, uint256 reserveOut) {
        reserveIn = reserve[src][dest];
        reserveOut = reserve[dest][src];
        if (reserveIn == 0 || reserveOut == 0) revert NoSuchPair();
    }
}
