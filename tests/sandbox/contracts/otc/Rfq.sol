// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

import {TokenPermits} from "../permits/TokenPermits.sol";
import {MakerSignatures} from "./MakerSignatures.sol";
import {OrderInfo, RfqOrder, RfqOrders} from "./RfqOrders.sol";

/// Fills orders that a maker signed off chain. Both sides have approved their asset to this contract; the taker sends
/// the transaction. Amounts in raw token units. The checks, their order, and the texts, are the deployed one's.
contract Rfq is RfqOrders {
    uint256 private constant UNTOUCHED = 0;
    uint256 private constant GONE = 1;
    string private constant SHORT = "Couldn't swap the requested fill amount";

    /// The rest of the maker's asset: 0 untouched, 1 filled or cancelled, else the amount and one more.
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

    /// Cancels by the sender's own hand only: by a stranger it changes nothing that is read. One that is filled or
    /// cancelled stays so without a word.
    function cancelOrder(bytes32 orderHash) public {
        if (remaining[msg.sender][orderHash] == GONE) return;
        remaining[msg.sender][orderHash] = GONE;
        emit OrderCancelled(orderHash, msg.sender);
    }

    function cancelOrders(bytes32[] calldata orderHashes) external {
        for (uint256 i = 0; i < orderHashes.length; i++) {
            cancelOrder(orderHashes[i]);
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
        fillOrderWithTarget(order, signature, msg.sender);
    }

    function fillOrderWithTarget(RfqOrder calldata order, bytes calldata signature, address target) public {
        require(order.takerAmount != 0 && order.makerAmount != 0, "Invalid amount");
        _fill(order, signature, order.takerAmount, order.makerAmount, target);
    }

    function partialFillOrder(RfqOrder calldata order, bytes calldata signature, uint256 takerTokenFillAmount)
        external
        returns (uint256 makerTokenFilledAmount)
    {
        return partialFillOrderWithTarget(order, signature, takerTokenFillAmount, msg.sender);
    }

    function partialFillOrderWithTarget(
        RfqOrder calldata order,
        bytes calldata signature,
        uint256 takerTokenFillAmount,
        address target
    ) public returns (uint256 makerTokenFilledAmount) {
        makerTokenFilledAmount = _share(order, takerTokenFillAmount);
        _fill(order, signature, takerTokenFillAmount, makerTokenFilledAmount, target);
    }

    function partialFillOrderWithTargetPermit(
        RfqOrder calldata order,
        bytes calldata signature,
        uint256 takerTokenFillAmount,
        address target,
        bytes calldata permitTakerAsset,
        bytes calldata permitMakerAsset
    ) public returns (uint256 makerTokenFilledAmount) {
        makerTokenFilledAmount = _share(order, takerTokenFillAmount);
        _permit(order.takerAsset, permitTakerAsset);
        _permit(order.makerAsset, permitMakerAsset);
        _fill(order, signature, takerTokenFillAmount, makerTokenFilledAmount, target);
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
            if (_try(orderInfos[i], give, target)) takerFillAmount -= give;
        }
        require(takerFillAmount == 0, SHORT);
    }

    /// As many as it takes to get `makerFillAmount`.
    function tryBatchFillOrderMakerAmount(OrderInfo[] calldata orderInfos, uint256 makerFillAmount, address target)
        external
    {
        for (uint256 i = 0; i < orderInfos.length && makerFillAmount != 0; i++) {
            RfqOrder calldata order = orderInfos[i].order;
            uint256 most = (orderInfos[i].takerTokenFillAmount * order.makerAmount) / order.takerAmount;
            uint256 get = _min(most, makerFillAmount);
            uint256 give = (get * order.takerAmount + order.makerAmount - 1) / order.makerAmount;
            if (_try(orderInfos[i], give, target)) makerFillAmount -= get;
        }
        require(makerFillAmount == 0, SHORT);
    }

    /// A fill that may fail alone. The sender stays who it is.
    function _try(OrderInfo calldata info, uint256 give, address target) private returns (bool filled) {
        bytes memory call = abi.encodeCall(
            this.partialFillOrderWithTargetPermit,
            (info.order, info.signature, give, target, info.permitTakerAsset, info.permitMakerAsset)
        );
        (filled,) = address(this).delegatecall(call);
    }

    /// The amount of the maker's asset that goes for `give` of the taker's.
    function _share(RfqOrder calldata order, uint256 give) private pure returns (uint256 get) {
        require(give != 0 && give <= order.takerAmount, "Invalid Taker amount");
        get = (give * order.makerAmount) / order.takerAmount;
        require(get != 0, "Maker token fill amount cannot be 0");
    }

    function _fill(RfqOrder calldata order, bytes calldata signature, uint256 give, uint256 get, address target)
        private
    {
        require(order.expiry == 0 || block.timestamp <= order.expiry, "Order expired");
        require(order.taker == address(0) || order.taker == msg.sender, "Access denied");
        bytes32 orderHash = _hash(order);
        uint256 left = remaining[order.maker][orderHash];
        if (left == UNTOUCHED) {
            require(MakerSignatures.isOf(order.maker, orderHash, signature), "Invalid Signature");
            left = order.makerAmount + 1;
        } else {
            // The signature under this hash was looked at with the first fill.
            require(left > get, "Order already filled or expired");
        }
        remaining[order.maker][orderHash] = left - get;
        _move(order.makerAsset, order.maker, target, get);
        _move(order.takerAsset, msg.sender, order.maker, give);
        emit OrderFilled(orderHash, order.maker, order.makerAsset, get, target, order.takerAsset, give);
    }

    /// Permits of another length than the two are passed over.
    function _permit(address asset, bytes calldata permit) private {
        bool isOne = permit.length == TokenPermits.EIP_2612_LENGTH || permit.length == TokenPermits.DAI_LENGTH;
        require(!isOne || TokenPermits.use(asset, permit), "Permit failed");
    }

    /// A token's own reason of a refusal is passed on. Tokens that return nothing have agreed.
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
