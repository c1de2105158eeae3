// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

interface IBalance {
    function balanceOf(address owner) external view returns (uint256);
}

/// Moves tokens that return a bool, and those that return nothing.
library TokenMover {
    error TokenTransferFailed(address token);

    function pay(address token, address to, uint256 value) internal {
        if (value == 0) return;
        _call(token, abi.encodeWithSignature("transfer(address,uint256)", to, value));
    }

    function take(address token, address from, address to, uint256 value) internal {
        _call(token, abi.encodeWithSignature("transferFrom(address,address,uint256)", from, to, value));
    }

    function held(address token, address owner) internal view returns (uint256) {
        return IBalance(token).balanceOf(owner);
    }

    function _call(address token, bytes memory data) private {
        if (token.code.length == 0) revert TokenTransferFailed(token);
        (bool ok, bytes memory answer) = token.call(data);
        if (!ok || (answer.length != 0 && !abi.decode(answer, (bool)))) revert TokenTransferFailed(token);
    }
}
