//! The router's methods, version 6.2, and what their names say of their arguments.

use super::calldata::{Arguments, selector};
use crate::domain::side::Side;

/// Tokens and amounts in the order most methods have them.
macro_rules! trade {
    () => {
        "address srcToken,address destToken,uint256 fromAmount,uint256 toAmount,uint256 quotedAmount,bytes32 metadata,address beneficiary"
    };
}

/// Through an executor, with data for it.
macro_rules! generic {
    ($name:literal) => {
        concat!($name, "(address executor,(", trade!(), "),uint256 partnerAndFee,bytes permit,bytes executorData)")
    };
}

/// Directly through pools.
macro_rules! pools {
    ($name:literal) => {
        concat!($name, "((", trade!(), ",bytes pools),uint256 partnerAndFee,bytes permit)")
    };
}

/// Directly through Balancer's vault.
macro_rules! vault {
    ($name:literal) => {
        concat!(
            $name,
            "((uint256 fromAmount,uint256 toAmount,uint256 quotedAmount,bytes32 metadata,uint256 beneficiaryAndFlags),",
            "uint256 partnerAndFee,bytes permit,bytes data)"
        )
    };
}

/// Every method that trades, as its signature with names.
pub const METHODS: [&str; 14] = [
    generic!("swapExactAmountIn"),
    generic!("swapExactAmountOut"),
    // Only who shares in what is left of the surplus is another.
    generic!("swapExactAmountInPro"),
    generic!("swapExactAmountOutPro"),
    pools!("swapExactAmountInOnUniswapV2"),
    pools!("swapExactAmountOutOnUniswapV2"),
    pools!("swapExactAmountInOnUniswapV3"),
    pools!("swapExactAmountOutOnUniswapV3"),
    concat!(
        "swapExactAmountInOnCurveV1((uint256 curveData,uint256 curveAssets,",
        trade!(),
        "),uint256 partnerAndFee,bytes permit)"
    ),
    concat!(
        "swapExactAmountInOnCurveV2((uint256 curveData,uint256 i,uint256 j,address poolAddress,",
        trade!(),
        "),uint256 partnerAndFee,bytes permit)"
    ),
    vault!("swapExactAmountInOnBalancerV2"),
    vault!("swapExactAmountOutOnBalancerV2"),
    concat!(
        "swapOnAugustusRFQTryBatchFill((uint256 fromAmount,uint256 toAmount,uint8 wrapApproveDirection,bytes32 metadata,",
        "address beneficiary),((uint256 nonceAndMeta,uint128 expiry,address makerAsset,address takerAsset,address maker,",
        "address taker,uint256 makerAmount,uint256 takerAmount),bytes signature,uint256 takerTokenFillAmount,",
        "bytes permitTakerAsset,bytes permitMakerAsset)[] orders,bytes permit)"
    ),
    concat!(
        "swapExactAmountInOutOnMakerPSM((address srcToken,address destToken,uint256 fromAmount,uint256 toAmount,uint256 toll,",
        "uint256 to18ConversionFactor,address exchange,address gemJoinAddress,bytes32 metadata,",
        "uint256 beneficiaryAndFlags),bytes permit)"
    ),
];

/// The rest of a method's name where it does something of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Venue {
    /// An executor, or a pool whose tokens only the chain knows: the router compares its balance with the least amount out.
    Any,
    /// Pools of that many bytes a hop.
    Pools(usize),
    /// Balancer's vault.
    Vault,
    /// Orders of makers, filled in one go.
    Orders,
    /// Maker's stability module.
    Psm,
}

/// A call of the router.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Method<'a> {
    /// The method.
    pub name: &'static str,
    /// Its selector.
    pub selector: &'a [u8],
    /// What it was called with.
    pub arguments: Arguments<'a>,
    /// Where it trades.
    pub venue: Venue,
    /// Which amount is exact.
    pub side: Side,
}

impl<'a> Method<'a> {
    /// Reads calldata. `Ok(None)` for a selector that is none of [`METHODS`].
    ///
    /// # Errors
    /// The method whose arguments these are not.
    pub fn read(data: &'a [u8]) -> Result<Option<Method<'a>>, &'static str> {
        let Some((called, data)) = data.split_at_checked(4) else { return Ok(None) };
        let Some(signature) = METHODS.iter().copied().find(|signature| selector(signature) == *called) else {
            return Ok(None);
        };
        let name = signature.split('(').next().unwrap_or_default();
        let arguments = Arguments::read(signature, data).ok_or(name)?;
        let ends = |end: &str| name.ends_with(end);
        let venue = match () {
            () if ends("V2") && arguments.get("pools").is_some() => Venue::Pools(64),
            () if ends("V3") => Venue::Pools(96),
            () if ends("BalancerV2") => Venue::Vault,
            () if ends("Fill") => Venue::Orders,
            () if ends("PSM") => Venue::Psm,
            () => Venue::Any,
        };
        let buys = match venue {
            Venue::Orders => arguments.uint("wrapApproveDirection").bit(3),
            Venue::Psm => arguments.uint("beneficiaryAndFlags").bit(254),
            _ => name.starts_with("swapExactAmountOut"),
        };
        Ok(Some(Method { name, selector: called, arguments, venue, side: if buys { Side::Buy } else { Side::Sell } }))
    }
}
