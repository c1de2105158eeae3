// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

import {TokenMover} from "../tokens/TokenMover.sol";
import {IPermit2} from "./IPermit2.sol";
import {TokenPermits} from "./TokenPermits.sol";

/// How the router takes the sender's tokens, by the length of the call's `permit`: 0 by allowance; 224 by an allowance
/// signed for the token (EIP-2612), which the transfer does without where it fails; more than 256 by a transfer signed for
/// Permit2, the arguments of `permitTransferFrom`. No other length is one.
library RouterFunding {
    using TokenMover for address;

    address private constant PERMIT2 = 0x000000000022D473030F116dDEE9F6B43aC78BA3;
    /// The arguments token, amount, nonce and deadline in front of what the router writes, which is three words.
    uint256 private constant OWN_WORDS = 4 * 32;
    uint256 private constant OWN_WORDS_END = 7 * 32;

    error PermitFailed();
    error Permit2Failed();

    /// Moves `value` from the sender to `to`.
    function take(bytes calldata permit, address token, address to, uint256 value) internal {
        uint256 length = permit.length;
        if (length > TokenPermits.DAI_LENGTH) return _takeByPermit2(permit, to, value);
        if (length == TokenPermits.EIP_2612_LENGTH) {
            TokenPermits.use(token, permit);
        } else if (length != 0) {
            revert PermitFailed();
        }
        token.take(msg.sender, to, value);
    }

    function _takeByPermit2(bytes calldata permit, address to, uint256 value) private {
        bytes memory own = abi.encode(to, value, msg.sender);
        (bool taken,) = PERMIT2.call(
            bytes.concat(IPermit2.permitTransferFrom.selector, permit[:OWN_WORDS], own, permit[OWN_WORDS_END:])
        );
        if (!taken) revert Permit2Failed();
    }
}
