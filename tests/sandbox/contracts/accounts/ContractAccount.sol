// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

/// An account with code that one key controls. It knows that key's signatures of 65 bytes, as wallets give them, and
/// those of 64 bytes (ERC-2098) where that is set.
abstract contract ContractAccount {
    bytes4 private constant VALID = 0x1626ba7e;
    bytes4 private constant INVALID = 0xffffffff;

    bool public immutable acceptsCompact;

    error NotSigner();

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
    function execute(address to, uint256 value, bytes calldata data) external returns (bytes memory) {
        if (msg.sender != signer()) revert NotSigner();
        (bool ok, bytes memory answer) = to.call{value: value}(data);
        if (!ok) {
            assembly {
                revert(add(answer, 32), mload(answer))
            }
        }
        return answer;
    }
}
