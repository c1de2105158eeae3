// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

/// The shares of a fill, by the order's `partnerAndFee`: bits 0..7 the fee in bps (at most 200), bit 8 the partner
/// takes surplus, bit 9 surplus is counted up to 1 % of the expected amount only, bits 96..255 the partner.
///
/// Surplus is what the fill is better than the expected amount. Half of it is the protocol's; the other half is the
/// partner's where bit 8 is set and there is no fee, else the user's.
library Fees {
    uint256 private constant BASE = 10_000;
    uint256 internal constant MAX_FEE_BPS = 200;
    uint256 private constant SURPLUS_CAP_BPS = 100;
    uint256 private constant TAKE_SURPLUS = 1 << 8;
    uint256 private constant CAP_SURPLUS = 1 << 9;

    error FeeTooHigh();

    struct Split {
        address partner;
        uint256 partnerShare;
        uint256 protocolShare;
    }

    /// On `received` destination tokens.
    function ofSale(uint256 partnerAndFee, uint256 received, uint256 expected) internal pure returns (Split memory) {
        uint256 surplus = received > expected ? received - expected : 0;
        return _split(partnerAndFee, received, surplus, expected);
    }

    /// On top of the `spent` source tokens which the solver asks for. Shares of the surplus are reckoned so that the
    /// owner never pays more than expected on their account.
    function ofPurchase(uint256 partnerAndFee, uint256 spent, uint256 expected) internal pure returns (Split memory) {
        uint256 withFee = spent + (spent * _feeBps(partnerAndFee)) / BASE;
        uint256 surplus = expected > withFee ? expected - withFee : 0;
        return _split(partnerAndFee, spent, surplus, expected);
    }

    function _split(uint256 partnerAndFee, uint256 base, uint256 surplus, uint256 expected)
        private
        pure
        returns (Split memory split)
    {
        uint256 feeBps = _feeBps(partnerAndFee);
        split.partner = address(uint160(partnerAndFee >> 96));
        if (partnerAndFee & CAP_SURPLUS != 0) {
            uint256 cap = (expected * SURPLUS_CAP_BPS) / BASE;
            if (surplus > cap) surplus = cap;
        }
        split.protocolShare = surplus / 2;
        if (feeBps != 0) split.partnerShare = (base * feeBps) / BASE;
        else if (split.partner != address(0) && partnerAndFee & TAKE_SURPLUS != 0) split.partnerShare = surplus - split.protocolShare;
    }

    /// Without a partner there is none to pay.
    function _feeBps(uint256 partnerAndFee) private pure returns (uint256 feeBps) {
        feeBps = partnerAndFee & 0xff;
        if (feeBps > MAX_FEE_BPS) revert FeeTooHigh();
        if (partnerAndFee >> 96 == 0) feeBps = 0;
    }
}
