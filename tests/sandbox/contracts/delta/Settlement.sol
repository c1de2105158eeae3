// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

import {IGate, Passage} from "../bridge/IGate.sol";
import {Funding} from "../permits/Funding.sol";
import {DelegatedNative} from "../tokens/DelegatedNative.sol";
import {TokenMover} from "../tokens/TokenMover.sol";
import {WrappedNative} from "../tokens/WrappedNative.sol";
import {Fees} from "./Fees.sol";
import {IExecutor, ILender} from "./IExecutor.sol";
import {IHandler} from "./IHandler.sol";
import {Bridge} from "./Orders.sol";

/// One settlement's tokens: a whole order, a slice of one, or a part. SELL: srcAmount is exact and destAmount the
/// least. BUY: destAmount is exact and srcAmount the most. Only where `sharesSurplus` is set does `expected` count.
struct Fill {
    bytes32 orderHash;
    address owner;
    address beneficiary;
    address srcToken;
    address destToken;
    uint256 srcAmount;
    uint256 destAmount;
    uint256 expected;
    uint256 partnerAndFee;
    bool isBuy;
    bool sharesSurplus;
    /// How the source tokens are taken, the order's own amount and its deadline: see `Funding`.
    bytes permit;
    uint256 signedAmount;
    uint256 deadline;
    /// Where it goes on to; no destination chain where it stays.
    Bridge bridge;
    /// The payer in the owner's place, its data, and what the solver lends for it; none where the owner pays.
    IHandler handler;
    bytes data;
    uint256 lent;
}

/// The agent's part: how many source tokens it asks for, and code that turns them into destination tokens.
struct Execution {
    uint256 spend;
    IExecutor executor;
    bytes data;
}

/// Moves the tokens of a fill. Whatever the agent does, the owner gives at most what the fill states and the
/// beneficiary gets at least that, or nothing happens at all.
abstract contract Settlement {
    using TokenMover for address;

    /// Stands for the native token.
    address public constant NATIVE = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;

    /// The native token of owners who sell it, moved without an allowance.
    DelegatedNative public immutable delegatedNative;
    /// The native token where it is traded and paid out.
    WrappedNative public immutable wrappedNative;
    /// Receives the protocol's half of surplus.
    address public immutable feeVault;
    /// The bridges, by how orders name them.
    mapping(bytes4 selector => IGate) public gates;

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

    error SpendDiffersFromOrder();
    error SpendAboveMaximum();
    error ReceivedBelowMinimum();
    error NativePaymentFailed();
    error HandlerPaidTooLittle();
    error LoanNotCovered();

    constructor(WrappedNative wrapped, DelegatedNative delegated, address vault) {
        delegatedNative = delegated;
        wrappedNative = wrapped;
        feeVault = vault;
    }

    receive() external payable {}

    /// Returns what reached the beneficiary.
    function _fill(Fill memory fill, Execution calldata execution) internal returns (uint256) {
        return fill.isBuy ? _buy(fill, execution) : _sell(fill, execution);
    }

    function _sell(Fill memory fill, Execution calldata execution) private returns (uint256 paid) {
        if (execution.spend != fill.srcAmount) revert SpendDiffersFromOrder();
        if (address(fill.handler) != address(0)) return _sellHandled(fill, execution);
        _pull(fill, execution.spend);
        uint256 received = _execute(fill, execution);
        if (received < fill.destAmount) revert ReceivedBelowMinimum();
        uint256 expected = fill.sharesSurplus ? fill.expected : received;
        Fees.Split memory split = Fees.ofSale(fill.partnerAndFee, received, expected);
        address asset = _asset(fill.destToken);
        asset.pay(split.partner, split.partnerShare);
        asset.pay(feeVault, split.protocolShare);
        paid = received - split.partnerShare - split.protocolShare;
        _pay(fill, paid);
        _report(fill, execution.spend, paid, split);
    }

    function _buy(Fill memory fill, Execution calldata execution) private returns (uint256) {
        uint256 expected = fill.sharesSurplus ? fill.expected : 0;
        Fees.Split memory split = Fees.ofPurchase(fill.partnerAndFee, execution.spend, expected);
        uint256 total = execution.spend + split.partnerShare + split.protocolShare;
        if (total > fill.srcAmount) revert SpendAboveMaximum();
        if (address(fill.handler) != address(0)) {
            if (fill.lent < fill.destAmount) revert ReceivedBelowMinimum();
            _handle(fill, execution.executor, total, fill.destAmount);
        } else {
            _pull(fill, total);
        }
        fill.srcToken.pay(split.partner, split.partnerShare);
        fill.srcToken.pay(feeVault, split.protocolShare);
        uint256 received = _execute(fill, execution);
        if (received < fill.destAmount) revert ReceivedBelowMinimum();
        if (address(fill.handler) != address(0)) received = _repay(fill, execution.executor, received);
        else _pay(fill, fill.destAmount);
        _asset(fill.destToken).pay(feeVault, received - fill.destAmount);
        _report(fill, total, fill.destAmount, split);
        return fill.destAmount;
    }

    /// As a sale whose owner pays, but that what is received is lent first.
    function _sellHandled(Fill memory fill, Execution calldata execution) private returns (uint256 paid) {
        if (fill.lent < fill.destAmount) revert ReceivedBelowMinimum();
        Fees.Split memory split = Fees.ofSale(fill.partnerAndFee, fill.lent, fill.expected);
        paid = fill.lent - split.partnerShare - split.protocolShare;
        _handle(fill, execution.executor, execution.spend, paid);
        address asset = _asset(fill.destToken);
        uint256 received = _repay(fill, execution.executor, _execute(fill, execution));
        asset.pay(split.partner, split.partnerShare);
        asset.pay(feeVault, split.protocolShare + received - fill.lent);
        _report(fill, execution.spend, paid, split);
    }

    /// Has the handler do its work: it gets `paid`, out of the loan, and gives `due` of the source token. The native token is never
    /// its own to give: they come out of the owner's deposit.
    function _handle(Fill memory fill, IExecutor executor, uint256 due, uint256 paid) private {
        ILender(address(executor)).lend(_asset(fill.destToken), fill.lent);
        _pay(fill, paid);
        bool isNative = fill.srcToken == NATIVE || fill.srcToken == address(delegatedNative);
        uint256 before = isNative ? 0 : fill.srcToken.held(address(this));
        fill.handler.execute(fill.owner, isNative ? NATIVE : fill.srcToken, due, fill.destToken, paid, fill.data);
        if (isNative) _pullNative(fill, due);
        else if (fill.srcToken.held(address(this)) - before < due) revert HandlerPaidTooLittle();
    }

    /// Gives the loan back out of what the executor brought; what stays here of both.
    function _repay(Fill memory fill, IExecutor executor, uint256 received) private returns (uint256) {
        if (received < fill.lent) revert LoanNotCovered();
        _asset(fill.destToken).pay(address(executor), fill.lent);
        return received;
    }

    /// Takes all that the owner gives, at once: some permits are good for one transfer only.
    function _pull(Fill memory fill, uint256 value) private {
        if (fill.srcToken == NATIVE || fill.srcToken == address(delegatedNative)) return _pullNative(fill, value);
        Funding.pull(fill.permit, fill.srcToken, fill.owner, value, fill.signedAmount, fill.deadline);
    }

    /// Takes of the owner's deposit; from here on the source token is the wrapped one.
    function _pullNative(Fill memory fill, uint256 value) private {
        delegatedNative.withdrawNative(value, fill.owner, address(this));
        wrappedNative.deposit{value: value}();
        fill.srcToken = address(wrappedNative);
    }

    /// Hands `spend` to the executor and counts what it brings back.
    function _execute(Fill memory fill, Execution calldata execution) private returns (uint256) {
        fill.srcToken.pay(address(execution.executor), execution.spend);
        address asset = _asset(fill.destToken);
        uint256 before = asset.held(address(this));
        execution.executor.execute(fill.srcToken, asset, execution.data);
        return asset.held(address(this)) - before;
    }

    function _asset(address token) private view returns (address) {
        return token == NATIVE ? address(wrappedNative) : token;
    }

    function _pay(Fill memory fill, uint256 value) private {
        if (fill.bridge.destinationChainId != 0) return _send(fill, value);
        if (fill.destToken != NATIVE) return fill.destToken.pay(fill.beneficiary, value);
        wrappedNative.withdraw(value);
        (bool paid,) = fill.beneficiary.call{value: value}("");
        if (!paid) revert NativePaymentFailed();
    }

    /// Hands what the beneficiary is to get over to the order's bridge.
    function _send(Fill memory fill, uint256 value) private {
        IGate gate = gates[fill.bridge.protocolSelector];
        address asset = _asset(fill.destToken);
        asset.pay(address(gate), value);
        gate.accept(Passage(fill.orderHash, fill.owner, fill.beneficiary, asset, value, fill.bridge));
    }

    function _report(Fill memory fill, uint256 spent, uint256 received, Fees.Split memory split) private {
        emit OrderSettled(
            fill.orderHash,
            fill.owner,
            fill.beneficiary,
            spent,
            received,
            split.partnerShare,
            split.protocolShare
        );
    }
}
