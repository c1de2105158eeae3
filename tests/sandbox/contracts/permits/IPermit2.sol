// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

/// A token and how much of it.
struct TokenPermissions {
    address token;
    uint256 amount;
}

/// One transfer, signed for: `nonce` is used once, in any order; `deadline` in unix seconds.
struct PermitTransferFrom {
    TokenPermissions permitted;
    uint256 nonce;
    uint256 deadline;
}

/// The used part of a signed transfer.
struct SignatureTransferDetails {
    address to;
    uint256 requestedAmount;
}

/// An allowance inside Permit2: `expiration` in unix seconds, `nonce` counts up per owner, token and spender.
struct PermitDetails {
    address token;
    uint160 amount;
    uint48 expiration;
    uint48 nonce;
}

/// An allowance, signed for until `sigDeadline`.
struct PermitSingle {
    PermitDetails details;
    address spender;
    uint256 sigDeadline;
}

/// Permit2, as far as spenders of one token use it.
interface IPermit2 {
    function permitTransferFrom(
        PermitTransferFrom calldata permit,
        SignatureTransferDetails calldata transferDetails,
        address owner,
        bytes calldata signature
    ) external;
    function permit(address owner, PermitSingle calldata permitSingle, bytes calldata signature) external;
    function transferFrom(address from, address to, uint160 amount, address token) external;
}
