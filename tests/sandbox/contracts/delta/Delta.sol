// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

import {TokenMover} from "../tokens/TokenMover.sol";
import {WrappedNative} from "../tokens/WrappedNative.sol";
import {Domain} from "./Domain.sol";
import {Fees} from "./Fees.sol";
import {IExecutor} from "./IExecutor.sol";
import {Nonces} from "./Nonces.sol";
import {Order, Orders} from "./Orders.sol";
import {Signatures} from "./Signatures.sol";

/// Settles signed orders. An agent (solver) brings an order, its signature and an executor; the owner only signed, and
/// pays no gas. Whatever the agent does, the owner gives at most what was signed and the beneficiary gets at least
/// that, or nothing happens at all.
contract Delta is Domain, Nonces {
    using Orders for Order;
    using TokenMover for address;

    /// Stands for the native coin in `destToken`.
    address public constant NATIVE = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;

    WrappedNative public immutable wrappedNative;
    /// Receives the protocol's half of surplus.
    address public immutable feeVault;
    address private immutable _admin = msg.sender;
    mapping(address => bool) public isAgent;
    bool private _settling;

    /// `spent`: all that left the owner. `received`: all that reached the beneficiary.
    event OrderSettled(
        bytes32 indexed orderHash,
        address indexed owner,
        address indexed beneficiary,
        uint256 spent,
        uint256 received,
        uint256 partnerShare,
        uint256 protocolShare
    );

    error NotAdmin();
    error NotAgent();
    error Reentered();
    error OrderExpired();
    error UnknownKind();
    error PermitNotSupported();
    error CrosschainNotSupported();
    error NativeSourceNotSupported();
    error ZeroBeneficiary();
    error SpendDiffersFromOrder();
    error SpendAboveMaximum();
    error ReceivedBelowMinimum();
    error NativePaymentFailed();

    constructor(WrappedNative wrapped, address vault) {
        Orders.assertTypes();
        wrappedNative = wrapped;
        feeVault = vault;
    }

    receive() external payable {}

    function setAgent(address agent, bool allowed) external {
        if (msg.sender != _admin) revert NotAdmin();
        isAgent[agent] = allowed;
    }

    /// The hash the owner signs.
    function orderHash(Order calldata order) public view returns (bytes32) {
        return _digest(order.hash());
    }

    /// Settles a whole order. `spend` goes to the executor (SELL: exactly srcAmount); fees of a BUY come on top and
    /// stay within srcAmount.
    function settle(
        Order calldata order,
        bytes calldata signature,
        uint256 spend,
        IExecutor executor,
        bytes calldata executorData
    ) external {
        if (!isAgent[msg.sender]) revert NotAgent();
        if (_settling) revert Reentered();
        _settling = true;
        bytes32 digest = orderHash(order);
        Signatures.requireOwner(order.owner, digest, signature);
        _requireSettleable(order);
        _use(order.owner, order.nonce);
        if (order.kind == 0) _sell(order, digest, spend, executor, executorData);
        else _buy(order, digest, spend, executor, executorData);
        _settling = false;
    }

    function _requireSettleable(Order calldata order) private view {
        if (block.timestamp > order.deadline) revert OrderExpired();
        if (order.kind > 1) revert UnknownKind();
        if (order.permit.length != 0) revert PermitNotSupported();
        if (order.isCrosschain()) revert CrosschainNotSupported();
        if (order.srcToken == NATIVE) revert NativeSourceNotSupported();
        if (order.beneficiary == address(0)) revert ZeroBeneficiary();
    }

    function _sell(Order calldata order, bytes32 digest, uint256 spend, IExecutor executor, bytes calldata data) private {
        if (spend != order.srcAmount) revert SpendDiffersFromOrder();
        uint256 received = _execute(order, spend, executor, data);
        if (received < order.destAmount) revert ReceivedBelowMinimum();
        Fees.Split memory split = Fees.ofSale(order.partnerAndFee, received, order.expectedAmount);
        address asset = _asset(order.destToken);
        asset.pay(split.partner, split.partnerShare);
        asset.pay(feeVault, split.protocolShare);
        uint256 paid = received - split.partnerShare - split.protocolShare;
        _pay(order, paid);
        _report(order, digest, spend, paid, split);
    }

    function _buy(Order calldata order, bytes32 digest, uint256 spend, IExecutor executor, bytes calldata data) private {
        Fees.Split memory split = Fees.ofPurchase(order.partnerAndFee, spend, order.expectedAmount);
        uint256 total = spend + split.partnerShare + split.protocolShare;
        if (total > order.srcAmount) revert SpendAboveMaximum();
        if (split.partnerShare != 0) order.srcToken.take(order.owner, split.partner, split.partnerShare);
        if (split.protocolShare != 0) order.srcToken.take(order.owner, feeVault, split.protocolShare);
        uint256 received = _execute(order, spend, executor, data);
        if (received < order.destAmount) revert ReceivedBelowMinimum();
        _pay(order, order.destAmount);
        _asset(order.destToken).pay(feeVault, received - order.destAmount);
        _report(order, digest, total, order.destAmount, split);
    }

    /// Hands `spend` to the executor and counts what it brings back.
    function _execute(Order calldata order, uint256 spend, IExecutor executor, bytes calldata data)
        private
        returns (uint256)
    {
        address asset = _asset(order.destToken);
        uint256 before = asset.held(address(this));
        order.srcToken.take(order.owner, address(executor), spend);
        executor.execute(order.srcToken, asset, data);
        return asset.held(address(this)) - before;
    }

    function _asset(address token) private view returns (address) {
        return token == NATIVE ? address(wrappedNative) : token;
    }

    function _pay(Order calldata order, uint256 value) private {
        if (order.destToken != NATIVE) return order.destToken.pay(order.beneficiary, value);
        wrappedNative.withdraw(value);
        (bool paid,) = order.beneficiary.call{value: value}("");
        if (!paid) revert NativePaymentFailed();
    }

    function _report(Order calldata order, bytes32 digest, uint256 spent, uint256 received, Fees.Split memory split)
        private
    {
        emit OrderSettled(
            digest, order.owner, order.beneficiary, spent, received, split.partnerShare, split.protocolShare
        );
    }
}
