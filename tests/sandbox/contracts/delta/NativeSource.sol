// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

import {DelegatedNative} from "../tokens/DelegatedNative.sol";
import {Settlement} from "./Settlement.sol";
import {Signatures} from "./Signatures.sol";

/// Orders that sell the native token: owners deposit it first, as a token this contract may move, and get what was not
/// sold back with the order's end.
abstract contract NativeSource is Signatures, Settlement {
    /// Orders their owner cancelled together with the deposit.
    mapping(bytes32 orderHash => bool) public isCancelled;

    event OrderCancelled(bytes32 indexed orderHash, address indexed owner);

    error NotOrderOwner();
    error NotNativeSource();
    error AlreadyCancelled();

    /// Deposits what is sent along, and signs the order on chain.
    function depositNativeAndPreSign(bytes32 orderHash) external payable {
        delegatedNative.depositNativeFor{value: msg.value}(msg.sender);
        isPreSigned[msg.sender][orderHash] = true;
        emit PreSignatureSet(msg.sender, orderHash, true);
    }

    /// Turns the sender's own deposit back into the native token.
    function withdrawNative(uint256 amount) external {
        delegatedNative.withdrawNative(amount, msg.sender, msg.sender);
    }

    /// Ends an order for its owner, and pays out what is left of its deposit: `left` at most.
    function _cancelAndWithdraw(address owner, address srcToken, bytes32 orderHash, uint256 left) internal {
        if (msg.sender != owner) revert NotOrderOwner();
        if (srcToken != NATIVE && srcToken != address(delegatedNative)) revert NotNativeSource();
        if (isCancelled[orderHash]) revert AlreadyCancelled();
        isCancelled[orderHash] = true;
        isPreSigned[owner][orderHash] = false;
        emit OrderCancelled(orderHash, owner);
        uint256 deposited = delegatedNative.balanceOf(owner);
        delegatedNative.withdrawNative(left < deposited ? left : deposited, owner, owner);
    }
}
