// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

// Arguments of the router. In all of them: SELL gives exactly `fromAmount` for at least `toAmount`, BUY gives at
// most `fromAmount` for exactly `toAmount`; `quotedAmount` is the quote's free side; a zero beneficiary is the sender.

struct GenericData {
    address srcToken;
    address destToken;
    uint256 fromAmount;
    uint256 toAmount;
    uint256 quotedAmount;
    bytes32 metadata;
    address beneficiary;
}

/// `pools`: the hops, see Hops.sol.
struct UniData {
    address srcToken;
    address destToken;
    uint256 fromAmount;
    uint256 toAmount;
    uint256 quotedAmount;
    bytes32 metadata;
    address beneficiary;
    bytes pools;
}

/// `curveData`: bits 0..159 the pool, 160 approve, 161..162 wrapping, from 163 the kind of swap. `curveAssets`: the
/// index of the source token << 128 | that of the destination.
struct CurveV1Data {
    uint256 curveData;
    uint256 curveAssets;
    address srcToken;
    address destToken;
    uint256 fromAmount;
    uint256 toAmount;
    uint256 quotedAmount;
    bytes32 metadata;
    address beneficiary;
}

struct CurveV2Data {
    uint256 curveData;
    uint256 i;
    uint256 j;
    address poolAddress;
    address srcToken;
    address destToken;
    uint256 fromAmount;
    uint256 toAmount;
    uint256 quotedAmount;
    bytes32 metadata;
    address beneficiary;
}

/// The tokens are in the call to the vault that goes along. Bit 255 approve, low 160 the beneficiary.
struct BalancerV2Data {
    uint256 fromAmount;
    uint256 toAmount;
    uint256 quotedAmount;
    bytes32 metadata;
    uint256 beneficiaryAndApproveFlag;
}

/// The tokens are those of the orders. `wrapApproveDirection`: in bits 0..1 the native token, 1 as source, 2 as destination;
/// bit 2 approve, bit 3 BUY.
struct AugustusRFQData {
    uint256 fromAmount;
    uint256 toAmount;
    uint8 wrapApproveDirection;
    bytes32 metadata;
    address beneficiary;
}

/// Bit 255 approve, bit 254 BUY, low 160 the beneficiary.
struct MakerPSMData {
    address srcToken;
    address destToken;
    uint256 fromAmount;
    uint256 toAmount;
    uint256 toll;
    uint256 to18ConversionFactor;
    address exchange;
    address gemJoinAddress;
    bytes32 metadata;
    uint256 beneficiaryDirectionApproveFlag;
}
