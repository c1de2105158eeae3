// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

import {IExecutor} from "../delta/IExecutor.sol";
import {Pool} from "../liquidity/Pool.sol";
import {Rfq} from "../otc/Rfq.sol";
import {OrderInfo} from "../otc/RfqOrders.sol";
import {TokenMover} from "../tokens/TokenMover.sol";
import {WrappedNative} from "../tokens/WrappedNative.sol";
import {Hops} from "./Hops.sol";
import {Holdings, Payments, Trade} from "./Payments.sol";
import {
    AugustusRFQData,
    BalancerV2Data,
    CurveV1Data,
    CurveV2Data,
    GenericData,
    MakerPSMData,
    UniData
} from "./Trades.sol";

/// The request to Balancer's vault.
struct SingleSwap {
    bytes32 poolId;
    uint8 kind;
    address assetIn;
    address assetOut;
    uint256 amount;
    bytes userData;
}

struct FundManagement {
    address sender;
    bool fromInternalBalance;
    address recipient;
    bool toInternalBalance;
}

/// The market router, version 6.2 by its interface. Whatever exchange a method names, the sandbox's pool is what it
/// trades on.
contract Router is Payments {
    using TokenMover for address;

    bytes4 private constant VAULT_SWAP = bytes4(
        keccak256("swap((bytes32,uint8,address,address,uint256,bytes),(address,bool,address,bool),uint256,uint256)")
    );

    /// A bit of RouterFees: no share is paid.
    uint256 private constant SURPLUS_TO_USER = 1 << 90;

    Rfq public immutable rfq;

    error InvalidOrdersLength();
    error InvalidSelector();

    constructor(Pool liquidity, WrappedNative wrapped, address vault, Rfq rfqContract)
        Payments(liquidity, wrapped, vault)
    {
        rfq = rfqContract;
    }

    function swapExactAmountIn(
        address executor,
        GenericData calldata swapData,
        uint256 partnerAndFee,
        bytes calldata permit,
        bytes calldata executorData
    ) external payable returns (uint256 receivedAmount, uint256 paraswapShare, uint256 partnerShare) {
        Trade memory trade = _generic(swapData, partnerAndFee);
        return _closeSale(trade, _execute(executor, executorData, trade, permit));
    }

    function swapExactAmountOut(
        address executor,
        GenericData calldata swapData,
        uint256 partnerAndFee,
        bytes calldata permit,
        bytes calldata executorData
    )
        external
        payable
        returns (uint256 spentAmount, uint256 receivedAmount, uint256 paraswapShare, uint256 partnerShare)
    {
        Trade memory trade = _generic(swapData, partnerAndFee);
        return _closePurchase(trade, _execute(executor, executorData, trade, permit));
    }

    /// As `swapExactAmountIn`, with another split of the fee.
    function swapExactAmountInPro(
        address executor,
        GenericData calldata swapData,
        uint256 partnerAndFee,
        bytes calldata permit,
        bytes calldata executorData
    ) external payable returns (uint256 receivedAmount, uint256 paraswapShare, uint256 partnerShare) {
        Trade memory trade = _generic(swapData, partnerAndFee);
        trade.isPro = true;
        return _closeSale(trade, _execute(executor, executorData, trade, permit));
    }

    /// As `swapExactAmountOut`, with another split of the fee.
    function swapExactAmountOutPro(
        address executor,
        GenericData calldata swapData,
        uint256 partnerAndFee,
        bytes calldata permit,
        bytes calldata executorData
    )
        external
        payable
        returns (uint256 spentAmount, uint256 receivedAmount, uint256 paraswapShare, uint256 partnerShare)
    {
        Trade memory trade = _generic(swapData, partnerAndFee);
        trade.isPro = true;
        return _closePurchase(trade, _execute(executor, executorData, trade, permit));
    }

    function swapExactAmountInOnUniswapV2(UniData calldata uniData, uint256 partnerAndFee, bytes calldata permit)
        external
        payable
        returns (uint256 receivedAmount, uint256 paraswapShare, uint256 partnerShare)
    {
        return _sell(_uni(uniData, partnerAndFee), permit, Hops.v2(uniData.pools, false));
    }

    function swapExactAmountOutOnUniswapV2(UniData calldata uniData, uint256 partnerAndFee, bytes calldata permit)
        external
        payable
        returns (uint256 spentAmount, uint256 receivedAmount, uint256 paraswapShare, uint256 partnerShare)
    {
        return _buy(_uni(uniData, partnerAndFee), permit, Hops.v2(uniData.pools, true));
    }

    function swapExactAmountInOnUniswapV3(UniData calldata uniData, uint256 partnerAndFee, bytes calldata permit)
        external
        payable
        returns (uint256 receivedAmount, uint256 paraswapShare, uint256 partnerShare)
    {
        return _sell(_uni(uniData, partnerAndFee), permit, Hops.v3(uniData.pools, false));
    }

    function swapExactAmountOutOnUniswapV3(UniData calldata uniData, uint256 partnerAndFee, bytes calldata permit)
        external
        payable
        returns (uint256 spentAmount, uint256 receivedAmount, uint256 paraswapShare, uint256 partnerShare)
    {
        return _buy(_uni(uniData, partnerAndFee), permit, Hops.v3(uniData.pools, true));
    }

    function swapExactAmountInOnCurveV1(CurveV1Data calldata curveV1Data, uint256 partnerAndFee, bytes calldata permit)
        external
        payable
        returns (uint256 receivedAmount, uint256 paraswapShare, uint256 partnerShare)
    {
        Trade memory trade = Trade(
            curveV1Data.srcToken,
            curveV1Data.destToken,
            curveV1Data.fromAmount,
            curveV1Data.toAmount,
            curveV1Data.quotedAmount,
            curveV1Data.beneficiary,
            partnerAndFee,
            false
        );
        return _sell(trade, permit, _direct(trade));
    }

    function swapExactAmountInOnCurveV2(CurveV2Data calldata curveV2Data, uint256 partnerAndFee, bytes calldata permit)
        external
        payable
        returns (uint256 receivedAmount, uint256 paraswapShare, uint256 partnerShare)
    {
        Trade memory trade = Trade(
            curveV2Data.srcToken,
            curveV2Data.destToken,
            curveV2Data.fromAmount,
            curveV2Data.toAmount,
            curveV2Data.quotedAmount,
            curveV2Data.beneficiary,
            partnerAndFee,
            false
        );
        return _sell(trade, permit, _direct(trade));
    }

    function swapExactAmountInOnBalancerV2(
        BalancerV2Data calldata balancerData,
        uint256 partnerAndFee,
        bytes calldata permit,
        bytes calldata data
    ) external payable returns (uint256 receivedAmount, uint256 paraswapShare, uint256 partnerShare) {
        Trade memory trade = _balancer(balancerData, partnerAndFee, data);
        return _sell(trade, permit, _direct(trade));
    }

    function swapExactAmountOutOnBalancerV2(
        BalancerV2Data calldata balancerData,
        uint256 partnerAndFee,
        bytes calldata permit,
        bytes calldata data
    )
        external
        payable
        returns (uint256 spentAmount, uint256 receivedAmount, uint256 paraswapShare, uint256 partnerShare)
    {
        Trade memory trade = _balancer(balancerData, partnerAndFee, data);
        return _buy(trade, permit, _direct(trade));
    }

    /// Has neither quote nor fee: no share is taken.
    function swapExactAmountInOutOnMakerPSM(MakerPSMData calldata makerPSMData, bytes calldata permit)
        external
        returns (uint256 spentAmount, uint256 receivedAmount)
    {
        uint256 flags = makerPSMData.beneficiaryDirectionApproveFlag;
        bool isPurchase = (flags >> 254) & 1 == 1;
        Trade memory trade = Trade(
            makerPSMData.srcToken,
            makerPSMData.destToken,
            makerPSMData.fromAmount,
            makerPSMData.toAmount,
            isPurchase ? makerPSMData.fromAmount : makerPSMData.toAmount,
            address(uint160(flags)),
            SURPLUS_TO_USER,
            false
        );
        if (isPurchase) {
            (spentAmount, receivedAmount,,) = _buy(trade, permit, _direct(trade));
        } else {
            spentAmount = trade.fromAmount;
            (receivedAmount,,) = _sell(trade, permit, _direct(trade));
        }
    }

    /// Fills makers' orders, of one pair, in the router's name. Has neither quote nor fee.
    function swapOnAugustusRFQTryBatchFill(
        AugustusRFQData calldata data,
        OrderInfo[] calldata orders,
        bytes calldata permit
    ) external payable returns (uint256 spentAmount, uint256 receivedAmount) {
        if (orders.length == 0) revert InvalidOrdersLength();
        bool isPurchase = data.wrapApproveDirection & 8 != 0;
        Trade memory trade;
        trade.srcToken = data.wrapApproveDirection & 3 == 1 ? NATIVE : orders[0].order.takerAsset;
        trade.destToken = data.wrapApproveDirection & 3 == 2 ? NATIVE : orders[0].order.makerAsset;
        trade.fromAmount = data.fromAmount;
        trade.toAmount = data.toAmount;
        trade.quotedAmount = isPurchase ? data.fromAmount : data.toAmount;
        trade.beneficiary = data.beneficiary;
        trade.partnerAndFee = SURPLUS_TO_USER;
        Holdings memory before = _holdings(trade);
        _collect(trade, permit, address(this));
        _allow(before.src, address(rfq));
        if (isPurchase) {
            rfq.tryBatchFillOrderMakerAmount(orders, data.toAmount, address(this));
            (spentAmount, receivedAmount,,) = _closePurchase(trade, before);
        } else {
            rfq.tryBatchFillOrderTakerAmount(orders, data.fromAmount, address(this));
            spentAmount = data.fromAmount;
            (receivedAmount,,) = _closeSale(trade, before);
        }
    }

    function _execute(address executor, bytes calldata data, Trade memory trade, bytes calldata permit)
        private
        returns (Holdings memory before)
    {
        before = _holdings(trade);
        _collect(trade, permit, executor);
        IExecutor(executor).execute(before.src, before.dest, data);
    }

    function _sell(Trade memory trade, bytes calldata permit, address[] memory path)
        private
        returns (uint256, uint256, uint256)
    {
        Holdings memory before = _holdings(trade);
        _requireEnds(before, path);
        _collect(trade, permit, address(this));
        _sellAlong(path, before.src.held(address(this)) - before.srcHeld, address(this));
        return _closeSale(trade, before);
    }

    function _buy(Trade memory trade, bytes calldata permit, address[] memory path)
        private
        returns (uint256, uint256, uint256, uint256)
    {
        Holdings memory before = _holdings(trade);
        _requireEnds(before, path);
        _collect(trade, permit, address(this));
        _buyAlong(path, trade.toAmount, address(this));
        return _closePurchase(trade, before);
    }

    /// The path begins and ends with the trade's own tokens.
    function _requireEnds(Holdings memory before, address[] memory path) private pure {
        if (path[0] != before.src || path[path.length - 1] != before.dest) revert Hops.InvalidPools();
    }

    function _direct(Trade memory trade) private view returns (address[] memory path) {
        path = new address[](2);
        (path[0], path[1]) = (_asset(trade.srcToken), _asset(trade.destToken));
    }

    function _generic(GenericData calldata data, uint256 partnerAndFee) private pure returns (Trade memory) {
        return Trade(
            data.srcToken,
            data.destToken,
            data.fromAmount,
            data.toAmount,
            data.quotedAmount,
            data.beneficiary,
            partnerAndFee,
            false
        );
    }

    function _uni(UniData calldata data, uint256 partnerAndFee) private pure returns (Trade memory) {
        return Trade(
            data.srcToken,
            data.destToken,
            data.fromAmount,
            data.toAmount,
            data.quotedAmount,
            data.beneficiary,
            partnerAndFee,
            false
        );
    }

    /// The vault calls the native token the zero address.
    function _balancer(BalancerV2Data calldata data, uint256 partnerAndFee, bytes calldata vaultCall)
        private
        pure
        returns (Trade memory trade)
    {
        if (vaultCall.length < 4 || bytes4(vaultCall[:4]) != VAULT_SWAP) revert InvalidSelector();
        (SingleSwap memory swap,,,) = abi.decode(vaultCall[4:], (SingleSwap, FundManagement, uint256, uint256));
        trade.srcToken = swap.assetIn == address(0) ? NATIVE : swap.assetIn;
        trade.destToken = swap.assetOut == address(0) ? NATIVE : swap.assetOut;
        trade.fromAmount = data.fromAmount;
        trade.toAmount = data.toAmount;
        trade.quotedAmount = data.quotedAmount;
        trade.beneficiary = address(uint160(data.beneficiaryAndApproveFlag));
        trade.partnerAndFee = partnerAndFee;
    }
}
