// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

/// An account with code that one key controls. It accepts that key's signatures of 65 bytes, as wallets give them, and
/// those of 64 bytes (ERC-2098) where that is set.
abstract contract ContractAccount {
    bytes4 private constant VALID = 0x1626ba7e;
    bytes4 private constant INVALID = 0xffffffff;

    struct Call {
        address to;
        uint256 value;
        bytes data;
    }

    bool public immutable acceptsCompact;

    error NotSigner();

    modifier onlySigner() {
        if (msg.sender != signer()) revert NotSigner();
        _;
    }

    constructor(bool compact) {
        acceptsCompact = compact;
    }

    receive() external payable {}

    /// The key that controls the account.
    function signer() public view virtual returns (address);

    /// EIP-1271.
    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        uint8 v;
        bytes32 s;
        if (signature.length == 65) {
            s = bytes32(signature[32:64]);
            v = uint8(signature[64]);
        } else if (signature.length == 64 && acceptsCompact) {
            uint256 yParityAndS = uint256(bytes32(signature[32:]));
            s = bytes32(yParityAndS & (type(uint256).max >> 1));
            v = uint8(yParityAndS >> 255) + 27;
        } else {
            return INVALID;
        }
        address recovered = ecrecover(hash, v, bytes32(signature[:32]), s);
        return recovered != address(0) && recovered == signer() ? VALID : INVALID;
    }

    /// Makes the account call something.
    function execute(address to, uint256 value, bytes calldata data) external onlySigner returns (bytes memory) {
        return _call(to, value, data);
    }

    /// Makes the account call all of them, one after the other. If one reverts, none was made.
    function executeBatch(Call[] calldata calls) external onlySigner {
        for (uint256 i = 0; i < calls.length; i++) _call(calls[i].to, calls[i].value, calls[i].data);
    }

    /// Reverts as what was called did.
    function _call(address to, uint256 value, bytes calldata data) private returns (bytes memory) {
        (bool ok, bytes memory answer) = to.call{value: value}(data);
        if (!ok) {
            assembly {
                revert(add(answer, 32), mload(answer))
            }
        }
        return answer;
    }
}
