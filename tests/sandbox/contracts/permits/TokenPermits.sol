// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

/// Permits that a token takes itself, recognised by length: the ABI words of its `permit`, without the selector.
library TokenPermits {
    /// owner, spender, value, deadline, v, r, s.
    uint256 internal constant EIP_2612_LENGTH = 7 * 32;
    /// holder, spender, nonce, expiry, allowed, v, r, s.
    uint256 internal constant DAI_LENGTH = 8 * 32;

    bytes4 private constant EIP_2612_SELECTOR =
        bytes4(keccak256("permit(address,address,uint256,uint256,uint8,bytes32,bytes32)"));
    bytes4 private constant DAI_SELECTOR =
        bytes4(keccak256("permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)"));

    /// Whether the token took it. Lengths of neither kind are not taken.
    function use(address token, bytes calldata permit) internal returns (bool taken) {
        bytes4 selector;
        if (permit.length == EIP_2612_LENGTH) selector = EIP_2612_SELECTOR;
        else if (permit.length == DAI_LENGTH) selector = DAI_SELECTOR;
        else return false;
        if (token.code.length == 0) return false;
        (taken,) = token.call(bytes.concat(selector, permit));
    }
}
