// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

/// Whether the owner signed. Accounts without code sign in the compact form of ERC-2098: r, then s with the parity
/// of y in its top bit.
library Signatures {
    /// The upper bound of s (EIP-2): half the order of secp256k1.
    uint256 private constant HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0;

    error InvalidSignature();
    /// Owners with code answer by EIP-1271, which this contract does not ask for yet.
    error OwnerHasCode();

    function requireOwner(address owner, bytes32 digest, bytes calldata signature) internal view {
        if (owner.code.length != 0) revert OwnerHasCode();
        if (signature.length != 64) revert InvalidSignature();
        bytes32 r = bytes32(signature[:32]);
        uint256 yParityAndS = uint256(bytes32(signature[32:]));
        uint256 s = yParityAndS & (type(uint256).max >> 1);
        if (s > HALF_ORDER) revert InvalidSignature();
        address signer = ecrecover(digest, uint8(yParityAndS >> 255) + 27, r, bytes32(s));
        if (signer == address(0) || signer != owner) revert InvalidSignature();
    }
}
