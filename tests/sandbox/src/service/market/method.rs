//! The router's methods, and which trades each can make.

/// A method of the router's, version 6.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    AmountIn,
    AmountOut,
    InOnUniswapV2,
    OutOnUniswapV2,
    InOnUniswapV3,
    OutOnUniswapV3,
    InOnCurveV1,
    InOnCurveV2,
    InOnBalancerV2,
    OutOnBalancerV2,
    RfqBatchFill,
    MakerPsm,
    AmountInPro,
    AmountOutPro,
}

impl Method {
    /// In the order the service prefers them.
    pub const ALL: [Self; 14] = [
        Self::AmountIn,
        Self::AmountOut,
        Self::InOnUniswapV2,
        Self::OutOnUniswapV2,
        Self::InOnUniswapV3,
        Self::OutOnUniswapV3,
        Self::InOnCurveV1,
        Self::InOnCurveV2,
        Self::InOnBalancerV2,
        Self::OutOnBalancerV2,
        Self::RfqBatchFill,
        Self::MakerPsm,
        Self::AmountInPro,
        Self::AmountOutPro,
    ];

    /// As contract and filters write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::AmountIn => "swapExactAmountIn",
            Self::AmountOut => "swapExactAmountOut",
            Self::InOnUniswapV2 => "swapExactAmountInOnUniswapV2",
            Self::OutOnUniswapV2 => "swapExactAmountOutOnUniswapV2",
            Self::InOnUniswapV3 => "swapExactAmountInOnUniswapV3",
            Self::OutOnUniswapV3 => "swapExactAmountOutOnUniswapV3",
            Self::InOnCurveV1 => "swapExactAmountInOnCurveV1",
            Self::InOnCurveV2 => "swapExactAmountInOnCurveV2",
            Self::InOnBalancerV2 => "swapExactAmountInOnBalancerV2",
            Self::OutOnBalancerV2 => "swapExactAmountOutOnBalancerV2",
            Self::RfqBatchFill => "swapOnAugustusRFQTryBatchFill",
            Self::MakerPsm => "swapExactAmountInOutOnMakerPSM",
            Self::AmountInPro => "swapExactAmountInPro",
            Self::AmountOutPro => "swapExactAmountOutPro",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.name() == name)
    }

    /// Whether it sells (`is_sell`) or buys.
    pub fn serves(self, is_sell: bool) -> bool {
        match self {
            Self::AmountOut
            | Self::AmountOutPro
            | Self::OutOnUniswapV2
            | Self::OutOnUniswapV3
            | Self::OutOnBalancerV2 => !is_sell,
            Self::RfqBatchFill | Self::MakerPsm => true,
            _ => is_sell,
        }
    }

    /// Through an executor, on any exchange.
    pub fn is_generic(self) -> bool {
        matches!(self, Self::AmountIn | Self::AmountOut | Self::AmountInPro | Self::AmountOutPro)
    }

    /// Taken without being asked for by name.
    pub fn is_usual(self) -> bool {
        self.takes_hops() && !matches!(self, Self::AmountInPro | Self::AmountOutPro)
    }

    /// Trades over more than one pool.
    pub fn takes_hops(self) -> bool {
        self.is_generic()
            || matches!(self, Self::InOnUniswapV2 | Self::OutOnUniswapV2 | Self::InOnUniswapV3 | Self::OutOnUniswapV3)
    }

    /// Carries `partnerAndFee`.
    pub fn has_fee_model(self) -> bool {
        !matches!(self, Self::RfqBatchFill | Self::MakerPsm)
    }

    pub fn takes_native(self) -> bool {
        self != Self::MakerPsm
    }

    /// The exchange it is for; of the generic methods, the one they take first.
    pub fn exchange(self) -> &'static str {
        match self {
            Self::AmountIn
            | Self::AmountOut
            | Self::AmountInPro
            | Self::AmountOutPro
            | Self::InOnUniswapV2
            | Self::OutOnUniswapV2 => "UniswapV2",
            Self::InOnUniswapV3 | Self::OutOnUniswapV3 => "UniswapV3",
            Self::InOnCurveV1 => "CurveV1",
            Self::InOnCurveV2 => "CurveV2",
            Self::InOnBalancerV2 | Self::OutOnBalancerV2 => "BalancerV2",
            Self::RfqBatchFill => "AugustusRFQ",
            Self::MakerPsm => "MakerPsm",
        }
    }
}

/// The exchanges that the service lists, in the order it prefers them.
pub const EXCHANGES: [&str; 7] =
    ["UniswapV2", "UniswapV3", "CurveV1", "CurveV2", "BalancerV2", "AugustusRFQ", "MakerPsm"];
