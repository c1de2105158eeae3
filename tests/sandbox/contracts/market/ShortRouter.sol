// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

import {Pool} from "../liquidity/Pool.sol";
import {Rfq} from "../otc/Rfq.sol";
import {WrappedNative} from "../tokens/WrappedNative.sol";
import {Router} from "./Router.sol";

/// A router that compares what came in with the least amount, and pays one unit less than came in.
contract ShortRouter is Router {
    constructor(Pool liquidity, WrappedNative wrapped, address vault, Rfq rfqContract)
        Router(liquidity, wrapped, vault, rfqContract)
    {}

    function _pay(address token, address to, uint256 value) internal override {
        super._pay(token, to, value - 1);
    }
}
