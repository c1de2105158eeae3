// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

import {IGate} from "../bridge/IGate.sol";
import {Funding} from "../permits/Funding.sol";
import {DelegatedNative} from "../tokens/DelegatedNative.sol";
import {WrappedNative} from "../tokens/WrappedNative.sol";
import {ExternalOrder} from "./ExternalOrders.sol";
import {IHandler} from "./IHandler.sol";
import {NativeSource} from "./NativeSource.sol";
import {Nonces} from "./Nonces.sol";
import {OrderHashes} from "./OrderHashes.sol";
import {Bridge, Order, Orders} from "./Orders.sol";
import {Progress} from "./Progress.sol";
import {Execution, Fill, Settlement} from "./Settlement.sol";
import {Signatures} from "./Signatures.sol";
import {TWAPBuyOrder, TWAPOrder} from "./TwapOrders.sol";

/// Settles signed orders. An agent (solver) brings an order, its signature and an execution; the owner only signed, and
/// pays no gas. Every kind of order comes down to a `Fill`.
contract Delta is OrderHashes, Nonces, Signatures, Progress, Settlement, NativeSource {
    using Orders for Bridge;

    address private immutable _admin = msg.sender;
    mapping(address => bool) public isAgent;
    bool private _settling;

    error NotAdmin();
    error NotAgent();
    error Reentered();
    error OrderExpired();
    error UnknownKind();
    error UnknownBridge();
    error ZeroBeneficiary();

    modifier byAdmin() {
        if (msg.sender != _admin) revert NotAdmin();
        _;
    }

    modifier byAgent() {
        if (!isAgent[msg.sender]) revert NotAgent();
        if (_settling) revert Reentered();
        _settling = true;
        _;
        _settling = false;
    }

    constructor(WrappedNative wrapped, DelegatedNative delegated, address vault)
        Settlement(wrapped, delegated, vault)
    {}

    function setAgent(address agent, bool allowed) external byAdmin {
        isAgent[agent] = allowed;
    }

    function setGate(bytes4 selector, IGate gate) external byAdmin {
        gates[selector] = gate;
    }

    function noteFillable(bytes32 hash) external byAdmin {
        isFillableByNote[hash] = true;
    }

    /// Ends an order that sells the native token, and gives what was not sold of it back. `isFillable`: it may have been
    /// filled in parts.
    function cancelAndWithdraw(Order calldata order, bool isFillable) external {
        bytes32 digest = isFillable ? fillableOrderHash(order) : orderHash(order);
        if (!isFillable) _use(order.owner, order.nonce);
        uint256 total = order.kind == 0 ? order.srcAmount : order.destAmount;
        uint256 left = (order.srcAmount * (total - progress[digest].filled)) / total;
        _cancelAndWithdraw(order.owner, order.srcToken, digest, left);
    }

    function cancelTWAPAndWithdraw(TWAPOrder calldata order) external {
        bytes32 digest = twapOrderHash(order);
        _use(order.owner, order.nonce);
        _cancelAndWithdraw(order.owner, order.srcToken, digest, order.totalSrcAmount - progress[digest].filled);
    }

    /// The part that slices to come could take.
    function cancelTWAPBuyAndWithdraw(TWAPBuyOrder calldata order) external {
        bytes32 digest = twapBuyOrderHash(order);
        _use(order.owner, order.nonce);
        uint256 gone = (order.maxSrcAmount / order.numSlices) * progress[digest].fills;
        _cancelAndWithdraw(order.owner, order.srcToken, digest, order.maxSrcAmount - gone);
    }

    /// Settles a whole order. `spend` goes to the executor (SELL: exactly srcAmount); fees of a BUY come on top and
    /// stay within srcAmount.
    function settle(Order calldata order, bytes calldata signature, Execution calldata execution) external byAgent {
        bytes32 digest = orderHash(order);
        _requireOwner(order.owner, digest, signature);
        _requireSettleable(order.beneficiary, order.deadline, order.kind);
        _requireBridge(order.bridge);
        _use(order.owner, order.nonce);
        uint256 total = order.kind == 0 ? order.srcAmount : order.destAmount;
        _advance(digest, total, total);
        Fill memory fill = _part(order, digest, total, total);
        fill.bridge = order.bridge;
        _fund(fill, order.permit, order.srcAmount, order.deadline, true);
        _fill(fill, execution);
    }

    /// Settles `amount` (SELL: of srcAmount, BUY: of destAmount) of an order that may be filled in parts, at its price
    /// or a better one. The filled amount is counted by the order's hash, not by its nonce.
    function settleFillable(
        Order calldata order,
        bytes calldata signature,
        uint256 amount,
        Execution calldata execution
    ) external byAgent {
        bytes32 digest = fillableOrderHash(order);
        // The nonce of these orders stays free.
        if (isCancelled[digest]) revert AlreadyCancelled();
        _requireOwner(order.owner, digest, signature);
        _requireSettleable(order.beneficiary, order.deadline, order.kind);
        _requireBridge(order.bridge);
        uint256 total = order.kind == 0 ? order.srcAmount : order.destAmount;
        _advance(digest, amount, total);
        Fill memory fill = _part(order, digest, amount, total);
        fill.bridge = order.bridge;
        _fund(fill, order.permit, order.srcAmount, order.deadline, false);
        _fill(fill, execution);
    }

    /// Settles a whole order by its handler, which gets the proceeds first, and then pays for them: what lets it do so is
    /// between it and the owner. `lent` is what the executor brings forward for that.
    function settleExternal(
        ExternalOrder calldata order,
        bytes calldata signature,
        Execution calldata execution,
        uint256 lent
    ) external byAgent {
        Fill memory fill;
        fill.orderHash = externalOrderHash(order);
        _requireOwner(order.owner, fill.orderHash, signature);
        _requireSettleable(order.handler, order.deadline, order.kind);
        _use(order.owner, order.nonce);
        fill.owner = order.owner;
        fill.beneficiary = order.handler;
        fill.srcToken = order.srcToken;
        fill.destToken = order.destToken;
        fill.srcAmount = order.srcAmount;
        fill.destAmount = order.destAmount;
        fill.expected = order.expectedAmount;
        fill.partnerAndFee = order.partnerAndFee;
        fill.isBuy = order.kind == 1;
        fill.sharesSurplus = true;
        uint256 total = fill.isBuy ? fill.destAmount : fill.srcAmount;
        _advance(fill.orderHash, total, total);
        fill.handler = IHandler(order.handler);
        fill.data = order.data;
        fill.lent = lent;
        _fill(fill, execution);
    }

    /// Settles the next slice of a sale.
    function settleTWAP(TWAPOrder calldata order, bytes calldata signature, Execution calldata execution)
        external
        byAgent
    {
        Fill memory fill;
        fill.orderHash = twapOrderHash(order);
        _requireOwner(order.owner, fill.orderHash, signature);
        _requireSettleable(order.beneficiary, order.deadline, 0);
        _requireBridge(order.bridge);
        uint32 index = _requireDue(fill.orderHash, order.interval);
        fill.owner = order.owner;
        fill.beneficiary = order.beneficiary;
        fill.srcToken = order.srcToken;
        fill.destToken = order.destToken;
        fill.srcAmount = _slice(order.totalSrcAmount, index, order.numSlices);
        fill.destAmount = order.destAmountPerSlice;
        fill.partnerAndFee = order.partnerAndFee;
        _advanceSlice(order.owner, order.nonce, fill.orderHash, fill.srcAmount, order.totalSrcAmount);
        fill.bridge = order.bridge;
        _fund(fill, order.permit, order.totalSrcAmount, order.deadline, false);
        _fill(fill, execution);
    }

    /// Settles the next slice of a purchase.
    function settleTWAPBuy(TWAPBuyOrder calldata order, bytes calldata signature, Execution calldata execution)
        external
        byAgent
    {
        Fill memory fill;
        fill.orderHash = twapBuyOrderHash(order);
        _requireOwner(order.owner, fill.orderHash, signature);
        _requireSettleable(order.beneficiary, order.deadline, 1);
        _requireBridge(order.bridge);
        uint32 index = _requireDue(fill.orderHash, order.interval);
        fill.owner = order.owner;
        fill.beneficiary = order.beneficiary;
        fill.srcToken = order.srcToken;
        fill.destToken = order.destToken;
        fill.srcAmount = _slice(order.maxSrcAmount, index, order.numSlices);
        fill.destAmount = _slice(order.totalDestAmount, index, order.numSlices);
        fill.partnerAndFee = order.partnerAndFee;
        fill.isBuy = true;
        _advanceSlice(order.owner, order.nonce, fill.orderHash, fill.destAmount, order.totalDestAmount);
        fill.bridge = order.bridge;
        _fund(fill, order.permit, order.maxSrcAmount, order.deadline, false);
        _fill(fill, execution);
    }

    function _requireSettleable(
        address receiver,
        uint256 deadline,
        uint8 kind
    ) private view {
        if (block.timestamp > deadline) revert OrderExpired();
        if (kind > 1) revert UnknownKind();
        if (receiver == address(0)) revert ZeroBeneficiary();
    }

    /// All zero, or one of the bridges to another chain.
    function _requireBridge(Bridge calldata bridge) private view {
        if (!bridge.isSet()) return;
        bool isKnown = address(gates[bridge.protocolSelector]) != address(0) && bridge.outputToken != address(0);
        if (!isKnown || bridge.destinationChainId == 0 || bridge.destinationChainId == block.chainid) {
            revert UnknownBridge();
        }
    }

    /// Makes use of the order's permit, after the fill was counted. `isWhole`: nothing of the order is left for later.
    function _fund(Fill memory fill, bytes calldata permit, uint256 signedAmount, uint256 deadline, bool isWhole)
        private
    {
        Funding.prepare(permit, fill.srcToken, fill.owner, isWhole, progress[fill.orderHash].fills == 1);
        fill.permit = permit;
        fill.signedAmount = signedAmount;
        fill.deadline = deadline;
    }

    /// Between slices the nonce stays free: the owner can cancel what is left by it.
    function _advanceSlice(address owner, uint256 nonce, bytes32 digest, uint256 amount, uint256 total) private {
        if (isNonceUsed(owner, nonce)) revert InvalidNonce();
        if (_advance(digest, amount, total) == 0) _use(owner, nonce);
    }

    /// `amount` of `total` of an order, the other amounts in proportion: the least rounded up, the most down.
    function _part(Order calldata order, bytes32 digest, uint256 amount, uint256 total)
        private
        pure
        returns (Fill memory fill)
    {
        fill.orderHash = digest;
        fill.owner = order.owner;
        fill.beneficiary = order.beneficiary;
        fill.srcToken = order.srcToken;
        fill.destToken = order.destToken;
        fill.isBuy = order.kind == 1;
        fill.srcAmount = fill.isBuy ? (order.srcAmount * amount) / total : amount;
        fill.destAmount = fill.isBuy ? amount : (order.destAmount * amount + total - 1) / total;
        fill.expected = (order.expectedAmount * amount) / total;
        fill.partnerAndFee = order.partnerAndFee;
        fill.sharesSurplus = true;
    }
}
