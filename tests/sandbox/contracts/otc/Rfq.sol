// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

import {TokenPermits} from "../permits/TokenPermits.sol";
import {MakerSignatures} from "./MakerSignatures.sol";
import {OrderInfo, RfqOrder, RfqOrders} from "./RfqOrders.sol";

/// Fills orders that a maker signed off chain. Both sides have approved their asset to this contract; the taker sends
/// the transaction. Amounts in raw token units.
contract Rfq is RfqOrders {
    /// What is left, of the maker's asset: 0 untouched, 1 filled or cancelled, else the amount and one more.
    mapping(address maker => mapping(bytes32 orderHash => uint256)) public remaining;

    event OrderFilled(
        bytes32 indexed orderHash,
        address indexed maker,
        address makerAsset,
        uint256 makerAmount,
        address indexed taker,
        address takerAsset,
        uint256 takerAmount
    );
    event OrderCancelled(bytes32 indexed orderHash, address indexed maker);

    /// Cancels by the sender's own hand only: of a stranger it changes nothing that anybody reads.
    function cancelOrder(bytes32 orderHash) external {
        _cancel(orderHash);
    }

    function cancelOrders(bytes32[] calldata orderHashes) external {
        for (uint256 i = 0; i < orderHashes.length; i++) {
            _cancel(orderHashes[i]);
        }
    }

    /// `remaining` of many orders of one maker, as it is stored.
    function getRemainingOrderBalance(address maker, bytes32[] calldata orderHashes)
        external
        view
        returns (uint256[] memory balances)
    {
        balances = new uint256[](orderHashes.length);
        for (uint256 i = 0; i < orderHashes.length; i++) {
            balances[i] = remaining[maker][orderHashes[i]];
        }
    }

    /// A whole order, to the sender.
    function fillOrder(RfqOrder calldata order, bytes calldata signature) external {
        _fill(order, signature, order.takerAmount, msg.sender);
    }

    function fillOrderWithTarget(RfqOrder calldata order, bytes calldata signature, address target) external {
        _fill(order, signature, order.takerAmount, target);
    }

    function partialFillOrder(RfqOrder calldata order, bytes calldata signature, uint256 takerTokenFillAmount)
        external
        returns (uint256 makerTokenFilledAmount)
    {
        return _fill(order, signature, takerTokenFillAmount, msg.sender);
    }

    function partialFillOrderWithTarget(
        RfqOrder calldata order,
        bytes calldata signature,
        uint256 takerTokenFillAmount,
        address target
    ) external returns (uint256 makerTokenFilledAmount) {
        return _fill(order, signature, takerTokenFillAmount, target);
    }

    function partialFillOrderWithTargetPermit(
        RfqOrder calldata order,
        bytes calldata signature,
        uint256 takerTokenFillAmount,
        address target,
        bytes calldata permitTakerAsset,
        bytes calldata permitMakerAsset
    ) public returns (uint256 makerTokenFilledAmount) {
        _permit(order.takerAsset, permitTakerAsset);
        _permit(order.makerAsset, permitMakerAsset);
        return _fill(order, signature, takerTokenFillAmount, target);
    }

    /// All of them, or none.
    function batchFillOrderWithTarget(OrderInfo[] calldata orderInfos, address target) external {
        for (uint256 i = 0; i < orderInfos.length; i++) {
            OrderInfo calldata info = orderInfos[i];
            partialFillOrderWithTargetPermit(
                info.order,
                info.signature,
                info.takerTokenFillAmount,
                target,
                info.permitTakerAsset,
                info.permitMakerAsset
            );
        }
    }

    /// As many as it takes to give `takerFillAmount`, one after the other; those that cannot be filled are left out.
    function tryBatchFillOrderTakerAmount(OrderInfo[] calldata orderInfos, uint256 takerFillAmount, address target)
        external
    {
        for (uint256 i = 0; i < orderInfos.length && takerFillAmount != 0; i++) {
            uint256 give = _min(orderInfos[i].takerTokenFillAmount, takerFillAmount);
            (bool filled,) = _try(orderInfos[i], give, target);
            if (filled) takerFillAmount -= give;
        }
        require(takerFillAmount == 0, "Fill amount not reached");
    }

    /// As many as it takes to get `makerFillAmount`.
    function tryBatchFillOrderMakerAmount(OrderInfo[] calldata orderInfos, uint256 makerFillAmount, address target)
        external
    {
        for (uint256 i = 0; i < orderInfos.length && makerFillAmount != 0; i++) {
            RfqOrder calldata order = orderInfos[i].order;
            if (order.makerAmount == 0) continue;
            uint256 forRest = (makerFillAmount * order.takerAmount + order.makerAmount - 1) / order.makerAmount;
            (bool filled, uint256 got) =
                _try(orderInfos[i], _min(orderInfos[i].takerTokenFillAmount, forRest), target);
            if (filled) makerFillAmount -= _min(got, makerFillAmount);
        }
        require(makerFillAmount == 0, "Fill amount not reached");
    }

    /// A fill that may fail alone. The sender stays who it is.
    function _try(OrderInfo calldata info, uint256 give, address target) private returns (bool filled, uint256 got) {
        bytes memory call = abi.encodeCall(
            this.partialFillOrderWithTargetPermit,
            (info.order, info.signature, give, target, info.permitTakerAsset, info.permitMakerAsset)
        );
        bytes memory answer;
        (filled, answer) = address(this).delegatecall(call);
        if (filled) got = abi.decode(answer, (uint256));
    }

    function _fill(RfqOrder calldata order, bytes calldata signature, uint256 give, address target)
        private
        returns (uint256 get)
    {
        require(order.taker == address(0) || order.taker == msg.sender, "Access denied");
        require(order.expiry == 0 || block.timestamp <= order.expiry, "Order expired");
        bytes32 orderHash = _hash(order);
        uint256 left = remaining[order.maker][orderHash];
        require(left != 1, "Order already filled or expired");
        left = left == 0 ? order.makerAmount : left - 1;
        get = give == order.takerAmount ? order.makerAmount : (give * order.makerAmount) / order.takerAmount;
        require(get <= left, "Order already filled or expired");
        require(MakerSignatures.isOf(order.maker, orderHash, signature), "Invalid Signature");
        remaining[order.maker][orderHash] = left - get + 1;
        _move(order.takerAsset, msg.sender, order.maker, give);
        _move(order.makerAsset, order.maker, target, get);
        emit OrderFilled(orderHash, order.maker, order.makerAsset, get, msg.sender, order.takerAsset, give);
    }

    function _cancel(bytes32 orderHash) private {
        remaining[msg.sender][orderHash] = 1;
        emit OrderCancelled(orderHash, msg.sender);
    }

    function _permit(address asset, bytes calldata permit) private {
        require(permit.length == 0 || TokenPermits.use(asset, permit), "Permit failed");
    }

    /// A token's own reason of a refusal is passed on. Tokens that return nothing have said yes.
    function _move(address token, address from, address to, uint256 value) private {
        require(token.code.length != 0, "Not a token");
        (bool moved, bytes memory answer) =
            token.call(abi.encodeWithSignature("transferFrom(address,address,uint256)", from, to, value));
        if (!moved) {
            assembly ("memory-safe") {
                revert(add(answer, 32), mload(answer))
            }
        }
        require(answer.length == 0 || abi.decode(answer, (bool)), "Token transfer failed");
    }

    function _min(uint256 a, uint256 b) private pure returns (uint256) {
        return a < b ? a : b;
    }
}
