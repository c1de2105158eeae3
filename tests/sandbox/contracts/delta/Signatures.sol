// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

interface IContractOwner {
    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4);
}

/// Whether the owner signed, in one of three ways. Accounts without code sign in the compact form of ERC-2098: r, then
/// s with the parity of y in its top bit. Accounts with code, delegated ones among them, are asked by EIP-1271 with the
/// bytes as they came. Any account may agree on chain beforehand; the signature is then empty.
abstract contract Signatures {
    /// The upper bound of s (EIP-2): half the order of secp256k1.
    uint256 private constant HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0;

    /// An owner's consent on chain, by the hash of the order.
    mapping(address => mapping(bytes32 => bool)) public isPreSigned;

    event PreSignatureSet(address indexed owner, bytes32 indexed orderHash, bool preSigned);

    error InvalidSignature();

    /// Signs an order on chain, or takes that back.
    function setPreSignature(bytes32 orderHash, bool preSigned) external {
        isPreSigned[msg.sender][orderHash] = preSigned;
        emit PreSignatureSet(msg.sender, orderHash, preSigned);
    }

    function _requireOwner(address owner, bytes32 digest, bytes calldata signature) internal view {
        if (signature.length == 0 && isPreSigned[owner][digest]) return;
        bool signed = owner.code.length == 0 ? _isKeys(owner, digest, signature) : _isContracts(owner, digest, signature);
        if (!signed) revert InvalidSignature();
    }

    function _isKeys(address owner, bytes32 digest, bytes calldata signature) private pure returns (bool) {
        if (signature.length != 64) return false;
        bytes32 r = bytes32(signature[:32]);
        uint256 yParityAndS = uint256(bytes32(signature[32:]));
        uint256 s = yParityAndS & (type(uint256).max >> 1);
        if (s > HALF_ORDER) return false;
        address signer = ecrecover(digest, uint8(yParityAndS >> 255) + 27, r, bytes32(s));
        return signer != address(0) && signer == owner;
    }

    /// Code without an answer to the question means no.
    function _isContracts(address owner, bytes32 digest, bytes calldata signature) private view returns (bool) {
        (bool ok, bytes memory answer) =
            owner.staticcall(abi.encodeCall(IContractOwner.isValidSignature, (digest, signature)));
        return ok && answer.length == 32 && bytes32(answer) == bytes32(IContractOwner.isValidSignature.selector);
    }
}
