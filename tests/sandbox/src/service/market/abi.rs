//! The router's interface, version 6.2. Names of arguments are those of `contracts/market/`.

use alloy_sol_types::sol;

sol! {
    #[sol(abi)]
    #[derive(Debug)]
    interface IRouter {
        struct GenericData {
            address srcToken;
            address destToken;
            uint256 fromAmount;
            uint256 toAmount;
            uint256 quotedAmount;
            bytes32 metadata;
            address beneficiary;
        }

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

        struct BalancerV2Data {
            uint256 fromAmount;
            uint256 toAmount;
            uint256 quotedAmount;
            bytes32 metadata;
            uint256 beneficiaryAndApproveFlag;
        }

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

        struct AugustusRFQData {
            uint256 fromAmount;
            uint256 toAmount;
            uint8 wrapApproveDirection;
            bytes32 metadata;
            address beneficiary;
        }

        /// As the RFQ contract takes it.
        struct Order {
            uint256 nonceAndMeta;
            uint128 expiry;
            address makerAsset;
            address takerAsset;
            address maker;
            address taker;
            uint256 makerAmount;
            uint256 takerAmount;
        }

        struct OrderInfo {
            Order order;
            bytes signature;
            uint256 takerTokenFillAmount;
            bytes permitTakerAsset;
            bytes permitMakerAsset;
        }

        error IncorrectEthAmount();
        error InsufficientBalanceToPayFees();
        error InsufficientReturnAmount();
        error InvalidOrdersLength();
        error InvalidPools();
        error InvalidQuotedAmount();
        error InvalidSelector();
        error InvalidToAmount();
        error NativePaymentFailed();
        error PermitFailed();
        error Permit2Failed();
        error TokenTransferFailed(address token);

        function swapExactAmountIn(
            address executor,
            GenericData swapData,
            uint256 partnerAndFee,
            bytes permit,
            bytes executorData
        ) external payable;
        function swapExactAmountOut(
            address executor,
            GenericData swapData,
            uint256 partnerAndFee,
            bytes permit,
            bytes executorData
        ) external payable;
        function swapExactAmountInPro(
            address executor,
            GenericData swapData,
            uint256 partnerAndFee,
            bytes permit,
            bytes executorData
        ) external payable;
        function swapExactAmountOutPro(
            address executor,
            GenericData swapData,
            uint256 partnerAndFee,
            bytes permit,
            bytes executorData
        ) external payable;
        function swapExactAmountInOnUniswapV2(UniData uniData, uint256 partnerAndFee, bytes permit) external payable;
        function swapExactAmountOutOnUniswapV2(UniData uniData, uint256 partnerAndFee, bytes permit) external payable;
        function swapExactAmountInOnUniswapV3(UniData uniData, uint256 partnerAndFee, bytes permit) external payable;
        function swapExactAmountOutOnUniswapV3(UniData uniData, uint256 partnerAndFee, bytes permit) external payable;
        function swapExactAmountInOnCurveV1(CurveV1Data curveV1Data, uint256 partnerAndFee, bytes permit)
            external
            payable;
        function swapExactAmountInOnCurveV2(CurveV2Data curveV2Data, uint256 partnerAndFee, bytes permit)
            external
            payable;
        function swapExactAmountInOnBalancerV2(
            BalancerV2Data balancerData,
            uint256 partnerAndFee,
            bytes permit,
            bytes data
        ) external payable;
        function swapExactAmountOutOnBalancerV2(
            BalancerV2Data balancerData,
            uint256 partnerAndFee,
            bytes permit,
            bytes data
        ) external payable;
        function swapOnAugustusRFQTryBatchFill(AugustusRFQData data, OrderInfo[] orders, bytes permit)
            external
            payable;
        function swapExactAmountInOutOnMakerPSM(MakerPSMData makerPSMData, bytes permit) external;
    }

    /// The request to Balancer's vault, as the router gets it.
    interface IVault {
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

        function swap(SingleSwap singleSwap, FundManagement funds, uint256 limit, uint256 deadline) external payable;
    }
}
