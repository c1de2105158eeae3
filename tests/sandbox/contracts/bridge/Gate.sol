// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

import {TokenMover} from "../tokens/TokenMover.sol";
import {WrappedNative} from "../tokens/WrappedNative.sol";
import {IGate, Passage} from "./IGate.sol";

interface IMarket {
    function swap(address src, address dest, uint256 amount, uint256 minOut, address to) external returns (uint256);
}

interface ISpend {
    function approve(address spender, uint256 value) external;
}

/// One end of a bridge. On the chain a passage begins, it keeps the tokens until the relayer reports that they arrived
/// (then they are the relayer's) or that they will not (then the order's owner has them back). On the chain it ends, it
/// pays out what the relayer put there.
contract Gate is IGate {
    using TokenMover for address;

    enum State {
        None,
        Waiting,
        Claimed,
        Refunded
    }

    struct Kept {
        State state;
        address owner;
        address token;
        uint256 amount;
        bytes32 orderHash;
    }

    address public constant NATIVE = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;
    address public immutable delta;
    address public immutable relayer;
    IMarket public immutable market;
    WrappedNative public immutable wrappedNative;

    /// Passages that began here, from 1.
    uint256 public count;
    mapping(uint256 id => Kept) public kept;
    /// Whether a passage that ends here was paid out.
    mapping(bytes32 key => bool) public isDelivered;

    event Sent(
        uint256 indexed id,
        bytes32 indexed orderHash,
        address token,
        uint256 amount,
        uint256 destinationChainId,
        address outputToken,
        int8 scalingFactor,
        address beneficiary,
        bytes protocolData
    );
    event Refunded(uint256 indexed id, bytes32 indexed orderHash, address owner, address token, uint256 amount);
    event Delivered(bytes32 indexed key, address token, uint256 amount, address beneficiary);

    error NotDelta();
    error NotRelayer();
    error NotWaiting();
    error DeliveredBefore();
    error NativePaymentFailed();

    modifier byRelayer() {
        if (msg.sender != relayer) revert NotRelayer();
        _;
    }

    constructor(address deltaContract, address operator, IMarket pool, WrappedNative wrapped) {
        delta = deltaContract;
        relayer = operator;
        market = pool;
        wrappedNative = wrapped;
    }

    receive() external payable {}

    function accept(Passage calldata passage) external {
        if (msg.sender != delta) revert NotDelta();
        kept[++count] = Kept(State.Waiting, passage.owner, passage.token, passage.amount, passage.orderHash);
        emit Sent(
            count,
            passage.orderHash,
            passage.token,
            passage.amount,
            passage.bridge.destinationChainId,
            passage.bridge.outputToken,
            passage.bridge.scalingFactor,
            passage.beneficiary,
            passage.bridge.protocolData
        );
    }

    /// Tokens paid elsewhere are the relayer's here.
    function claim(uint256 id) external byRelayer {
        Kept memory passage = _end(id, State.Claimed);
        passage.token.pay(relayer, passage.amount);
    }

    /// Tokens that will not arrive go back, all of them.
    function refund(uint256 id) external byRelayer {
        Kept memory passage = _end(id, State.Refunded);
        passage.token.pay(passage.owner, passage.amount);
        emit Refunded(id, passage.orderHash, passage.owner, passage.token, passage.amount);
    }

    /// Pays out a passage that began on another chain.
    function deliver(bytes32 key, address token, uint256 amount, address to) external byRelayer {
        _once(key);
        if (token == NATIVE) {
            wrappedNative.withdraw(amount);
            (bool paid,) = to.call{value: amount}("");
            if (!paid) revert NativePaymentFailed();
        } else {
            token.pay(to, amount);
        }
        emit Delivered(key, token, amount, to);
    }

    /// The same with what `arrived` buys of another token.
    function deliverSwapped(bytes32 key, address arrived, uint256 amount, address token, uint256 minOut, address to)
        external
        byRelayer
    {
        _once(key);
        ISpend(arrived).approve(address(market), amount);
        uint256 bought = market.swap(arrived, token, amount, minOut, to);
        emit Delivered(key, token, bought, to);
    }

    function _once(bytes32 key) private {
        if (isDelivered[key]) revert DeliveredBefore();
        isDelivered[key] = true;
    }

    function _end(uint256 id, State state) private returns (Kept memory passage) {
        passage = kept[id];
        if (passage.state != State.Waiting) revert NotWaiting();
        kept[id].state = state;
    }
}
