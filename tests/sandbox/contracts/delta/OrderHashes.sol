// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

import {Domain} from "./Domain.sol";
import {ExternalOrder, ExternalOrders} from "./ExternalOrders.sol";
import {Order, Orders} from "./Orders.sol";
import {TWAPBuyOrder, TWAPOrder, TwapOrders} from "./TwapOrders.sol";

/// The hashes owners sign, by kind of order.
abstract contract OrderHashes is Domain {
    using Orders for Order;
    using ExternalOrders for ExternalOrder;
    using TwapOrders for TWAPOrder;
    using TwapOrders for TWAPBuyOrder;

    /// Orders signed under the name `Order` that may be filled in parts all the same, as the service noted when it took
    /// them in.
    mapping(bytes32 => bool) public isFillableByNote;

    constructor() {
        Orders.assertTypes();
        ExternalOrders.assertTypes();
        TwapOrders.assertTypes();
    }

    function orderHash(Order calldata order) public view returns (bytes32) {
        return _digest(order.hash());
    }

    /// For an order that may be filled in parts.
    function fillableOrderHash(Order calldata order) public view returns (bytes32) {
        bytes32 noted = orderHash(order);
        return isFillableByNote[noted] ? noted : _digest(order.hashFillable());
    }

    function externalOrderHash(ExternalOrder calldata order) public view returns (bytes32) {
        return _digest(order.hash());
    }

    function twapOrderHash(TWAPOrder calldata order) public view returns (bytes32) {
        return _digest(order.hash());
    }

    function twapBuyOrderHash(TWAPBuyOrder calldata order) public view returns (bytes32) {
        return _digest(order.hash());
    }
}
