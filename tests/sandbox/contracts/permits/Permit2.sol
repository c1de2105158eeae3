// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

import {
    IPermit2,
    PermitDetails,
    PermitSingle,
    PermitTransferFrom,
    SignatureTransferDetails,
    TokenPermissions
} from "./IPermit2.sol";
import {SignedBy} from "./SignedBy.sol";
import {TokenMover} from "../tokens/TokenMover.sol";

/// Stands in for Permit2, for one token at a time: owners approve this contract once per token, and sign for each use.
/// Two ways: a signed transfer with an unordered nonce, and a signed allowance that is counted here. It is put at
/// Permit2's own address, and has no state of its construction.
contract Permit2 is IPermit2 {
    using SignedBy for bytes;
    using TokenMover for address;

    struct Allowance {
        uint160 amount;
        uint48 expiration;
        uint48 nonce;
    }

    /// By owner, token and spender. `expiration` 0 in a permit means until the end of its block.
    mapping(address => mapping(address => mapping(address => Allowance))) public allowance;
    /// Used nonces of signed transfers: word `nonce / 256`, bit `nonce % 256`.
    mapping(address => mapping(uint256 => uint256)) public nonceBitmap;

    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,uint256 chainId,address verifyingContract)");
    bytes private constant TOKEN_PERMISSIONS = "TokenPermissions(address token,uint256 amount)";
    bytes private constant PERMIT_DETAILS =
        "PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)";

    event Approval(
        address indexed owner, address indexed token, address indexed spender, uint160 amount, uint48 expiration
    );
    event Permit(
        address indexed owner,
        address indexed token,
        address indexed spender,
        uint160 amount,
        uint48 expiration,
        uint48 nonce
    );
    event UnorderedNonceInvalidation(address indexed owner, uint256 word, uint256 mask);

    error InvalidNonce();
    error SignatureExpired(uint256 signatureDeadline);
    error AllowanceExpired(uint256 deadline);
    error InsufficientAllowance(uint256 amount);
    error InvalidAmount(uint256 maxAmount);

    function DOMAIN_SEPARATOR() public view returns (bytes32) {
        return keccak256(abi.encode(DOMAIN_TYPEHASH, keccak256("Permit2"), block.chainid, address(this)));
    }

    /// Moves at most what was signed to where the sender wants: the sender is the spender the owner signed for.
    function permitTransferFrom(
        PermitTransferFrom calldata permitted,
        SignatureTransferDetails calldata transferDetails,
        address owner,
        bytes calldata signature
    ) external {
        if (block.timestamp > permitted.deadline) revert SignatureExpired(permitted.deadline);
        if (transferDetails.requestedAmount > permitted.permitted.amount) {
            revert InvalidAmount(permitted.permitted.amount);
        }
        _useUnordered(owner, permitted.nonce);
        bytes32 permissions = keccak256(
            abi.encode(keccak256(TOKEN_PERMISSIONS), permitted.permitted.token, permitted.permitted.amount)
        );
        bytes32 typeHash = keccak256(
            bytes.concat(
                "PermitTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline)",
                TOKEN_PERMISSIONS
            )
        );
        signature.requireSigned(
            _digest(keccak256(abi.encode(typeHash, permissions, msg.sender, permitted.nonce, permitted.deadline))),
            owner
        );
        permitted.permitted.token.take(owner, transferDetails.to, transferDetails.requestedAmount);
    }

    /// Makes nonces of signed transfers void, before they are used.
    function invalidateUnorderedNonces(uint256 wordPos, uint256 mask) external {
        nonceBitmap[msg.sender][wordPos] |= mask;
        emit UnorderedNonceInvalidation(msg.sender, wordPos, mask);
    }

    /// Sets an allowance by the owner's signature.
    function permit(address owner, PermitSingle calldata single, bytes calldata signature) external {
        if (block.timestamp > single.sigDeadline) revert SignatureExpired(single.sigDeadline);
        PermitDetails calldata details = single.details;
        bytes32 detailsHash = keccak256(
            abi.encode(keccak256(PERMIT_DETAILS), details.token, details.amount, details.expiration, details.nonce)
        );
        bytes32 typeHash = keccak256(
            bytes.concat("PermitSingle(PermitDetails details,address spender,uint256 sigDeadline)", PERMIT_DETAILS)
        );
        signature.requireSigned(
            _digest(keccak256(abi.encode(typeHash, detailsHash, single.spender, single.sigDeadline))), owner
        );
        Allowance storage granted = allowance[owner][details.token][single.spender];
        if (granted.nonce != details.nonce) revert InvalidNonce();
        granted.nonce = details.nonce + 1;
        granted.amount = details.amount;
        granted.expiration = details.expiration == 0 ? uint48(block.timestamp) : details.expiration;
        emit Permit(owner, details.token, single.spender, details.amount, details.expiration, details.nonce);
    }

    /// Sets an allowance by a transaction of its owner.
    function approve(address token, address spender, uint160 amount, uint48 expiration) external {
        Allowance storage granted = allowance[msg.sender][token][spender];
        granted.amount = amount;
        granted.expiration = expiration == 0 ? uint48(block.timestamp) : expiration;
        emit Approval(msg.sender, token, spender, amount, expiration);
    }

    /// Moves tokens against the sender's allowance.
    function transferFrom(address from, address to, uint160 amount, address token) external {
        Allowance storage granted = allowance[from][token][msg.sender];
        if (block.timestamp > granted.expiration) revert AllowanceExpired(granted.expiration);
        if (granted.amount != type(uint160).max) {
            if (amount > granted.amount) revert InsufficientAllowance(granted.amount);
            granted.amount -= amount;
        }
        token.take(from, to, amount);
    }

    function _useUnordered(address owner, uint256 nonce) private {
        uint256 bit = 1 << (nonce & 0xff);
        if (nonceBitmap[owner][nonce >> 8] & bit != 0) revert InvalidNonce();
        nonceBitmap[owner][nonce >> 8] |= bit;
    }

    function _digest(bytes32 structHash) private view returns (bytes32) {
        return keccak256(abi.encodePacked("\x19\x01", DOMAIN_SEPARATOR(), structHash));
    }
}
