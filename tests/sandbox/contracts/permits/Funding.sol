// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

import {TokenMover} from "../tokens/TokenMover.sol";
import {
    IPermit2,
    PermitDetails,
    PermitSingle,
    PermitTransferFrom,
    SignatureTransferDetails,
    TokenPermissions
} from "./IPermit2.sol";
import {TokenPermits} from "./TokenPermits.sol";

/// How an order's source tokens are taken from its owner, by the length of the order's `permit`:
/// 0 by allowance; 1 (0x01) by an allowance in Permit2; 96 by a transfer signed for Permit2 (nonce, compact signature);
/// 192 by an allowance signed for Permit2 (amount, nonce, expiration, deadline, compact signature); 224 by an allowance
/// signed for the token (EIP-2612).
library Funding {
    using TokenMover for address;

    IPermit2 internal constant PERMIT2 = IPermit2(0x000000000022D473030F116dDEE9F6B43aC78BA3);
    uint256 private constant EXISTING = 1;
    uint256 private constant TRANSFER = 96;
    uint256 private constant ALLOWANCE = 192;

    error PermitFailed();

    /// Makes use of a permit that sets an allowance; `isFirst` at the first fill of an order, later ones find it set.
    /// Orders that are filled in parts cannot carry a transfer, which happens once.
    function prepare(bytes calldata permit, address token, address owner, bool isWhole, bool isFirst) internal {
        uint256 length = permit.length;
        if (length == 0) return;
        if (length == EXISTING) {
            if (permit[0] != 0x01) revert PermitFailed();
        } else if (length == TRANSFER) {
            if (!isWhole) revert PermitFailed();
        } else if (length == ALLOWANCE) {
            if (isFirst) _allow(permit, token, owner);
        } else if (length == TokenPermits.EIP_2612_LENGTH) {
            if (isFirst && !TokenPermits.use(token, permit)) revert PermitFailed();
        } else {
            revert PermitFailed();
        }
    }

    /// Whether the tokens come by Permit2 in place of an allowance of the token.
    function isByPermit2(bytes calldata permit) internal pure returns (bool) {
        return permit.length == EXISTING || permit.length == TRANSFER || permit.length == ALLOWANCE;
    }

    /// Takes `value` into this contract. `signedAmount` and `deadline` are the order's: a signed transfer is over them.
    function pull(
        bytes memory permit,
        address token,
        address owner,
        uint256 value,
        uint256 signedAmount,
        uint256 deadline
    ) internal {
        if (permit.length == EXISTING || permit.length == ALLOWANCE) {
            if (value > type(uint160).max) revert PermitFailed();
            PERMIT2.transferFrom(owner, address(this), uint160(value), token);
        } else if (permit.length == TRANSFER) {
            (uint256 nonce, bytes32 r, bytes32 yParityAndS) = abi.decode(permit, (uint256, bytes32, bytes32));
            try PERMIT2.permitTransferFrom(
                PermitTransferFrom(TokenPermissions(token, signedAmount), nonce, deadline),
                SignatureTransferDetails(address(this), value),
                owner,
                bytes.concat(r, yParityAndS)
            ) {} catch {
                revert PermitFailed();
            }
        } else {
            token.take(owner, address(this), value);
        }
    }

    function _allow(bytes calldata permit, address token, address owner) private {
        (uint256 amount, uint256 nonce, uint256 expiration, uint256 sigDeadline) =
            abi.decode(permit, (uint256, uint256, uint256, uint256));
        if (amount > type(uint160).max || nonce > type(uint48).max || expiration > type(uint48).max) {
            revert PermitFailed();
        }
        PermitDetails memory details = PermitDetails(token, uint160(amount), uint48(expiration), uint48(nonce));
        try PERMIT2.permit(owner, PermitSingle(details, address(this), sigDeadline), permit[128:192]) {}
        catch {
            revert PermitFailed();
        }
    }
}
