// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

interface IEip1271 {
    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4);
}

/// Whether a maker signed: by a key, in 65 bytes or in 64 (ERC-2098), else by the word of the maker's code (EIP-1271).
library MakerSignatures {
    /// The upper bound of s (EIP-2): half the order of secp256k1.
    uint256 private constant HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0;

    function isOf(address maker, bytes32 digest, bytes calldata signature) internal view returns (bool) {
        address signer = _recover(digest, signature);
        if (signer != address(0) && signer == maker) return true;
        if (maker.code.length == 0) return false;
        (bool answered, bytes memory answer) =
            maker.staticcall(abi.encodeCall(IEip1271.isValidSignature, (digest, signature)));
        return answered && answer.length == 32
            && bytes32(answer) == bytes32(IEip1271.isValidSignature.selector);
    }

    /// Zero where no key made it.
    function _recover(bytes32 digest, bytes calldata signature) private pure returns (address) {
        bytes32 r;
        uint256 s;
        uint8 v;
        if (signature.length == 65) {
            r = bytes32(signature[:32]);
            s = uint256(bytes32(signature[32:64]));
            v = uint8(signature[64]);
        } else if (signature.length == 64) {
            r = bytes32(signature[:32]);
            uint256 yParityAndS = uint256(bytes32(signature[32:]));
            s = yParityAndS & (type(uint256).max >> 1);
            v = uint8(yParityAndS >> 255) + 27;
        } else {
            return address(0);
        }
        return s > HALF_ORDER ? address(0) : ecrecover(digest, v, r, bytes32(s));
    }
}
