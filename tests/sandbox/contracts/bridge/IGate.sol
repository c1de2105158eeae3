// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

import {Bridge} from "../delta/Orders.sol";

/// A settlement's transfer to a bridge: `amount` of `token`, to go on by the order's `bridge`.
struct Passage {
    bytes32 orderHash;
    address owner;
    address beneficiary;
    address token;
    uint256 amount;
    Bridge bridge;
}

/// One end of a bridge, as the Delta contract sees it.
interface IGate {
    /// Called when the gate has the tokens.
    function accept(Passage calldata passage) external;
}
