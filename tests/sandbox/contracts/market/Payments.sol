// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

import {Pool} from "../liquidity/Pool.sol";
import {RouterFunding} from "../permits/RouterFunding.sol";
import {TokenMover} from "../tokens/TokenMover.sol";
import {WrappedNative} from "../tokens/WrappedNative.sol";
import {PoolTrader} from "./PoolTrader.sol";
import {RouterFees} from "./RouterFees.sol";

/// Terms of each method, whatever it trades on.
struct Trade {
    address srcToken;
    address destToken;
    uint256 fromAmount;
    uint256 toAmount;
    uint256 quotedAmount;
    address beneficiary;
    uint256 partnerAndFee;
    /// The partner has all of the fee.
    bool isPro;
}

/// The router's own holdings of both before the trade, the native token wrapped.
struct Holdings {
    address src;
    address dest;
    uint256 srcHeld;
    uint256 destHeld;
}

/// How the router takes the sender's tokens, and pays out what the trade brought. The native token is traded wrapped.
abstract contract Payments is PoolTrader {
    using TokenMover for address;

    /// Stands for the native token.
    address internal constant NATIVE = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;

    WrappedNative public immutable wrappedNative;
    address public immutable feeVault;
    /// The vault's part for a partner, per token.
    mapping(address => mapping(address => uint256)) public accrued;

    error IncorrectEthAmount();
    error InsufficientBalanceToPayFees();
    error InsufficientReturnAmount();
    error InvalidQuotedAmount();
    error InvalidToAmount();
    error NativePaymentFailed();

    constructor(Pool liquidity, WrappedNative wrapped, address vault) PoolTrader(liquidity) {
        wrappedNative = wrapped;
        feeVault = vault;
    }

    receive() external payable {}

    /// Moves `fromAmount` from the sender to `to`, by allowance or by a permit. For the native token exactly that much has to
    /// come with the call.
    function _collect(Trade memory trade, bytes calldata permit, address to) internal {
        if (trade.toAmount == 0) revert InvalidToAmount();
        if (trade.quotedAmount == 0) revert InvalidQuotedAmount();
        if (trade.srcToken != NATIVE) {
            if (msg.value != 0) revert IncorrectEthAmount();
            return RouterFunding.take(permit, trade.srcToken, to, trade.fromAmount);
        }
        if (msg.value != trade.fromAmount) revert IncorrectEthAmount();
        wrappedNative.depositTo{value: msg.value}(to);
    }

    /// Pays out what a sale brought. The minimum is one before fees.
    function _closeSale(Trade memory trade, Holdings memory before) internal returns (uint256, uint256, uint256) {
        uint256 received = before.dest.held(address(this)) - before.destHeld;
        if (received < trade.toAmount) revert InsufficientReturnAmount();
        RouterFees.Split memory split = RouterFees.ofSale(trade.partnerAndFee, received, trade.quotedAmount, trade.isPro);
        _share(before.dest, split);
        uint256 paid = received - split.partnerShare - split.protocolShare;
        _pay(trade.destToken, _beneficiary(trade), paid);
        return (paid, split.protocolShare, split.partnerShare);
    }

    /// Pays out what a purchase brought. The source tokens it left pay the fees, and go back to the sender.
    function _closePurchase(Trade memory trade, Holdings memory before)
        internal
        returns (uint256, uint256, uint256, uint256)
    {
        uint256 received = before.dest.held(address(this)) - before.destHeld;
        if (received < trade.toAmount) revert InsufficientReturnAmount();
        uint256 remaining = before.src.held(address(this)) - before.srcHeld;
        // Between the native token and its wrapping, what is wanted and what is left are one token.
        if (before.src == before.dest) (received, remaining) = (trade.toAmount, received - trade.toAmount);
        uint256 spent = trade.fromAmount - remaining;
        RouterFees.Split memory split = RouterFees.ofPurchase(trade.partnerAndFee, spent, trade.quotedAmount, trade.isPro);
        uint256 shares = split.partnerShare + split.protocolShare;
        if (remaining < shares) revert InsufficientBalanceToPayFees();
        _share(before.src, split);
        _pay(trade.srcToken, msg.sender, remaining - shares);
        _pay(trade.destToken, _beneficiary(trade), received);
        return (spent, received, split.protocolShare, split.partnerShare);
    }

    function _holdings(Trade memory trade) internal view returns (Holdings memory before) {
        (before.src, before.dest) = (_asset(trade.srcToken), _asset(trade.destToken));
        (before.srcHeld, before.destHeld) = (before.src.held(address(this)), before.dest.held(address(this)));
    }

    function _asset(address token) internal view returns (address) {
        return token == NATIVE ? address(wrappedNative) : token;
    }

    function _share(address asset, RouterFees.Split memory split) private {
        asset.pay(feeVault, split.protocolShare);
        if (split.isDirect) return asset.pay(split.partner, split.partnerShare);
        asset.pay(feeVault, split.partnerShare);
        accrued[split.partner][asset] += split.partnerShare;
    }

    function _beneficiary(Trade memory trade) private view returns (address) {
        return trade.beneficiary == address(0) ? msg.sender : trade.beneficiary;
    }

    function _pay(address token, address to, uint256 value) internal virtual {
        if (token != NATIVE) return token.pay(to, value);
        wrappedNative.withdraw(value);
        (bool paid,) = to.call{value: value}("");
        if (!paid) revert NativePaymentFailed();
    }
}
