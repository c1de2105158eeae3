// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

/// Unordered nonces, one bit each: word `nonce / 256`, bit `nonce % 256` of the owner's map.
abstract contract Nonces {
    mapping(address => mapping(uint256 => uint256)) private _used;

    event NonceInvalidated(address indexed owner, uint256 nonce);

    error InvalidNonce();

    function isNonceUsed(address owner, uint256 nonce) public view returns (bool) {
        return _used[owner][nonce >> 8] & (1 << (nonce & 0xff)) != 0;
    }

    /// The owner's way to cancel on chain whatever was signed with this nonce.
    function invalidateNonce(uint256 nonce) public {
        _use(msg.sender, nonce);
        emit NonceInvalidated(msg.sender, nonce);
    }

    function invalidateNonces(uint256[] calldata nonces) external {
        for (uint256 i = 0; i < nonces.length; i++) {
            invalidateNonce(nonces[i]);
        }
    }

    function _use(address owner, uint256 nonce) internal {
        if (isNonceUsed(owner, nonce)) revert InvalidNonce();
        _used[owner][nonce >> 8] |= 1 << (nonce & 0xff);
    }
}
