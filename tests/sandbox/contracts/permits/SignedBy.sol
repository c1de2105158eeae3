// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

interface ISigningAccount {
    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4);
}

/// Whether an account signed, as Permit2 asks: accounts without code by their key, in 65 bytes or 64 (ERC-2098);
/// accounts with code by EIP-1271 alone.
library SignedBy {
    error InvalidSignatureLength();
    error InvalidSignature();
    error InvalidSigner();
    error InvalidContractSignature();

    function requireSigned(bytes calldata signature, bytes32 digest, address owner) internal view {
        if (owner.code.length != 0) {
            bytes4 answer = ISigningAccount(owner).isValidSignature(digest, signature);
            if (answer != ISigningAccount.isValidSignature.selector) revert InvalidContractSignature();
            return;
        }
        bytes32 r;
        bytes32 s;
        uint8 v;
        if (signature.length == 65) {
            (r, s) = abi.decode(signature, (bytes32, bytes32));
            v = uint8(signature[64]);
        } else if (signature.length == 64) {
            bytes32 yParityAndS;
            (r, yParityAndS) = abi.decode(signature, (bytes32, bytes32));
            s = yParityAndS & bytes32(type(uint256).max >> 1);
            v = uint8(uint256(yParityAndS) >> 255) + 27;
        } else {
            revert InvalidSignatureLength();
        }
        address signer = ecrecover(digest, v, r, s);
        if (signer == address(0)) revert InvalidSignature();
        if (signer != owner) revert InvalidSigner();
    }
}
