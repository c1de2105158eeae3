// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

interface IPool {
    function token0() external view returns (address);
    function token1() external view returns (address);
    function mint(address recipient, int24 lower, int24 upper, uint128 amount, bytes calldata data)
        external
        returns (uint256, uint256);
    function swap(address recipient, bool zeroForOne, int256 amount, uint160 limit, bytes calldata data)
        external
        returns (int256, int256);
}

interface IToken {
    function transfer(address to, uint256 amount) external returns (bool);
}

/// Puts liquidity into pools of Uniswap V3, out of what it holds. Anybody may have it do so.
contract Minter {
    function mint(IPool pool, int24 lower, int24 upper, uint128 amount) external {
        pool.mint(address(this), lower, upper, amount, "");
    }

    /// Moves the price to `limit`, and puts liquidity around it in the same block.
    function shift(IPool pool, bool zeroForOne, uint160 limit, int24 lower, int24 upper, uint128 amount) external {
        pool.swap(address(this), zeroForOne, type(int128).max, limit, "");
        pool.mint(address(this), lower, upper, amount, "");
    }

    function uniswapV3SwapCallback(int256 owed0, int256 owed1, bytes calldata) external {
        if (owed0 > 0) _pay(IPool(msg.sender).token0(), uint256(owed0));
        if (owed1 > 0) _pay(IPool(msg.sender).token1(), uint256(owed1));
    }

    /// The same amount in each of many ranges, one beside the other, so that each of their ends is in use.
    function fill(IPool pool, int24 lower, int24 spacing, uint256 count, uint128 amount) external {
        for (uint256 i = 0; i < count; i++) {
            pool.mint(address(this), lower, lower + spacing, amount, "");
            lower += spacing;
        }
    }

    function uniswapV3MintCallback(uint256 owed0, uint256 owed1, bytes calldata) external {
        if (owed0 > 0) _pay(IPool(msg.sender).token0(), owed0);
        if (owed1 > 0) _pay(IPool(msg.sender).token1(), owed1);
    }

    /// Some tokens return nothing.
    function _pay(address token, uint256 amount) private {
        (bool went,) = token.call(abi.encodeCall(IToken.transfer, (msg.sender, amount)));
        require(went);
    }
}
