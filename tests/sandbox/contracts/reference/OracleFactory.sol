// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

import {OraclePool} from "./OraclePool.sol";

/// Creates oracle pools at addresses that follow from tokens and fee (CREATE2), as factories of such pools do.
contract OracleFactory {
    struct Parameters {
        address factory;
        address token0;
        address token1;
        uint24 fee;
    }

    /// The account that sets the pools' prices.
    address public immutable keeper;
    /// Those of the pool in the making.
    Parameters public parameters;
    mapping(address => mapping(address => mapping(uint24 => address))) public getPool;

    event PoolCreated(address indexed token0, address indexed token1, uint24 indexed fee, address pool);

    constructor(address whoKeeps) {
        keeper = whoKeeps;
    }

    function createPool(address tokenA, address tokenB, uint24 fee) external returns (address pool) {
        (address token0, address token1) = tokenA < tokenB ? (tokenA, tokenB) : (tokenB, tokenA);
        parameters = Parameters(address(this), token0, token1, fee);
        pool = address(new OraclePool{salt: keccak256(abi.encode(token0, token1, fee))}());
        delete parameters;
        getPool[token0][token1][fee] = pool;
        getPool[token1][token0][fee] = pool;
        emit PoolCreated(token0, token1, fee, pool);
    }
}
