// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

/// The shares of a swap, by its `partnerAndFee`. This is not the layout of Delta's orders: bits 0..13 the fee in bps
/// (above 200 counted as 200), 90 surplus is the user's, 91 the partner is paid at once, 92 surplus is counted up to 1 %
/// of the quote only, 95 the partner takes surplus, 96..255 the partner.
///
/// The operator has 15 % of a fee, none with the Pro methods. Surplus is what the swap is better than quoted: half of
/// it is the operator's, and the other half the partner's where bit 95 is set and there is no fee, else the user's.
/// With the Pro methods the fee comes first, and only what it leaves of the surplus is shared.
library RouterFees {
    uint256 private constant BASE = 10_000;
    uint256 private constant MAX_FEE_BPS = 200;
    uint256 private constant FEE_MASK = 0x3fff;
    uint256 private constant OPERATOR_PERCENT = 15;
    uint256 private constant SURPLUS_CAP_BPS = 100;
    uint256 private constant SURPLUS_TO_USER = 1 << 90;
    uint256 private constant DIRECT_TRANSFER = 1 << 91;
    uint256 private constant CAP_SURPLUS = 1 << 92;
    uint256 private constant TAKE_SURPLUS = 1 << 95;

    struct Split {
        address partner;
        uint256 partnerShare;
        uint256 protocolShare;
        /// The partner's share goes to the partner, not to the fee vault.
        bool isDirect;
    }

    /// On the `received` destination tokens.
    function ofSale(uint256 partnerAndFee, uint256 received, uint256 quoted, bool isPro)
        internal
        pure
        returns (Split memory)
    {
        return _split(partnerAndFee, received, received > quoted ? received - quoted : 0, quoted, isPro);
    }

    /// In the source tokens, on top of what was `spent`.
    function ofPurchase(uint256 partnerAndFee, uint256 spent, uint256 quoted, bool isPro)
        internal
        pure
        returns (Split memory)
    {
        return _split(partnerAndFee, spent, quoted > spent ? quoted - spent : 0, quoted, isPro);
    }

    function _split(uint256 partnerAndFee, uint256 base, uint256 surplus, uint256 quoted, bool isPro)
        private
        pure
        returns (Split memory split)
    {
        split.partner = address(uint160(partnerAndFee >> 96));
        split.isDirect = partnerAndFee & DIRECT_TRANSFER != 0;
        uint256 feeBps = partnerAndFee & FEE_MASK;
        if (feeBps > MAX_FEE_BPS) feeBps = MAX_FEE_BPS;
        if (split.partner != address(0) && feeBps != 0) {
            uint256 fee = (base * feeBps) / BASE;
            if (isPro) surplus = surplus > fee ? surplus - fee : 0;
            else split.protocolShare = (fee * OPERATOR_PERCENT) / 100;
            split.partnerShare = fee - split.protocolShare;
        }
        if (partnerAndFee & SURPLUS_TO_USER != 0) return split;
        if (partnerAndFee & CAP_SURPLUS != 0) {
            uint256 cap = (quoted * SURPLUS_CAP_BPS) / BASE;
            if (surplus > cap) surplus = cap;
        }
        split.protocolShare += surplus / 2;
        if (split.partner != address(0) && feeBps == 0 && partnerAndFee & TAKE_SURPLUS != 0) {
            split.partnerShare = surplus - surplus / 2;
        }
    }
}
