// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

import {PermitToken} from "./PermitToken.sol";

/// A token whose users give allowances by signature only, and that describes its domain (EIP-5267). Contracts, and
/// its minter, may approve all the same: markets need that.
contract SignOnlyToken is PermitToken {
    error ApproveByPermit();

    constructor(string memory tokenName, string memory tokenSymbol, uint8 tokenDecimals)
        PermitToken(tokenName, tokenSymbol, tokenDecimals)
    {}

    function approve(address spender, uint256 value) external override returns (bool) {
        if (msg.sender != minter && msg.sender.code.length == 0) revert ApproveByPermit();
        _approve(msg.sender, spender, value);
        return true;
    }

    /// The members that are set are bits 0 to 3: name, version, chain id and contract.
    function eip712Domain()
        external
        view
        returns (
            bytes1 fields,
            string memory domainName,
            string memory domainVersion,
            uint256 chainId,
            address verifyingContract,
            bytes32 salt,
            uint256[] memory extensions
        )
    {
        return (hex"0f", name, version(), block.chainid, address(this), bytes32(0), new uint256[](0));
    }
}
