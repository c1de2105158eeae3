//! The router's methods, and which trades each can make.

use strum::{EnumString, IntoStaticStr, VariantArray};

/// A method of the router's, version 6.2, by the name that contract and filters have; in the order the service prefers
/// them.
#[derive(Clone, Copy, Debug, EnumString, Eq, IntoStaticStr, PartialEq, VariantArray)]
pub enum Method {
    #[strum(serialize = "swapExactAmountIn")]
    AmountIn,
    #[strum(serialize = "swapExactAmountOut")]
    AmountOut,
    #[strum(serialize = "swapExactAmountInOnUniswapV2")]
    InOnUniswapV2,
    #[strum(serialize = "swapExactAmountOutOnUniswapV2")]
    OutOnUniswapV2,
    #[strum(serialize = "swapExactAmountInOnUniswapV3")]
    InOnUniswapV3,
    #[strum(serialize = "swapExactAmountOutOnUniswapV3")]
    OutOnUniswapV3,
    #[strum(serialize = "swapExactAmountInOnCurveV1")]
    InOnCurveV1,
    #[strum(serialize = "swapExactAmountInOnCurveV2")]
    InOnCurveV2,
    #[strum(serialize = "swapExactAmountInOnBalancerV2")]
    InOnBalancerV2,
    #[strum(serialize = "swapExactAmountOutOnBalancerV2")]
    OutOnBalancerV2,
    #[strum(serialize = "swapOnAugustusRFQTryBatchFill")]
    RfqBatchFill,
    #[strum(serialize = "swapExactAmountInOutOnMakerPSM")]
    MakerPsm,
    #[strum(serialize = "swapExactAmountInPro")]
    AmountInPro,
    #[strum(serialize = "swapExactAmountOutPro")]
    AmountOutPro,
}

impl Method {
    pub fn name(self) -> &'static str {
        self.into()
    }

    pub fn named(name: &str) -> Option<Self> {
        name.parse().ok()
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
