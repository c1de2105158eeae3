//! The trading methods of the Market router, version 6.2, and the properties of their arguments by their names.
//!
//! The signatures are the router's published ABI with its argument names (docs/sandbox.md, "Market"). A method that is
//! not here cannot be read, so it is refused unless the caller vouches for it by `allowSelectors`.

use super::calldata::{Arguments, selector};
use crate::domain::member::{Argument, Kinds, List, Member, Members, member};
use crate::domain::side::Side;
use crate::value::text::ToText;
use alloy_primitives::U256;

/// The tokens and amounts, in the order that most methods have them.
macro_rules! trade {
    () => {
        "address srcToken,address destToken,uint256 fromAmount,uint256 toAmount,uint256 quotedAmount,bytes32 metadata,address beneficiary"
    };
}

/// A method that trades through an executor contract, by data for it.
macro_rules! generic {
    ($name:literal) => {
        concat!($name, "(address executor,(", trade!(), "),uint256 partnerAndFee,bytes permit,bytes executorData)")
    };
}

/// A method that trades directly with Uniswap pools.
macro_rules! pools {
    ($name:literal) => {
        concat!($name, "((", trade!(), ",bytes pools),uint256 partnerAndFee,bytes permit)")
    };
}

/// A method that trades directly with Balancer's vault.
macro_rules! vault {
    ($name:literal) => {
        concat!(
            $name,
            "((uint256 fromAmount,uint256 toAmount,uint256 quotedAmount,bytes32 metadata,uint256 beneficiaryAndFlags),",
            "uint256 partnerAndFee,bytes permit,bytes data)"
        )
    };
}

/// A maker's OTC order, with its signature and the amount to fill.
macro_rules! maker_order {
    () => {
        concat!(
            "((uint256 nonceAndMeta,uint128 expiry,address makerAsset,address takerAsset,address maker,address taker,",
            "uint256 makerAmount,uint256 takerAmount),bytes signature,uint256 takerTokenFillAmount,",
            "bytes permitTakerAsset,bytes permitMakerAsset)"
        )
    };
}

/// Every method that trades, as a signature with argument names.
pub const METHODS: [&str; 14] = [
    generic!("swapExactAmountIn"),
    generic!("swapExactAmountOut"),
    // The same arguments; fee and surplus are shared in another way.
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
        "address beneficiary),",
        maker_order!(),
        "[] orders,bytes permit)"
    ),
    concat!(
        "swapExactAmountInOutOnMakerPSM((address srcToken,address destToken,uint256 fromAmount,uint256 toAmount,uint256 toll,",
        "uint256 to18ConversionFactor,address exchange,address gemJoinAddress,bytes32 metadata,",
        "uint256 beneficiaryAndFlags),bytes permit)"
    ),
];

/// The [`METHODS`] as the types of [`Arguments`].
#[derive(Clone, Copy, Debug)]
pub enum MethodKinds {}

impl Kinds for MethodKinds {
    const TYPES: &'static [&'static str] = &METHODS;
}

impl Members for Arguments<'_> {
    type Kinds = MethodKinds;

    fn at(&self, path: &str) -> Option<Argument<'_>> {
        self.get(path)
    }
}

/// A maker's order inside the arguments.
pub struct MakerOrder<'a> {
    arguments: &'a Arguments<'a>,
    /// Its path in the arguments: `orders.0`.
    pub path: String,
}

/// The makers' orders inside the arguments; empty for a method without them.
pub fn maker_orders<'a>(arguments: &'a Arguments<'a>) -> impl ExactSizeIterator<Item = MakerOrder<'a>> {
    const ORDERS: Member<MethodKinds, List> = Member::of("orders");
    let count = match arguments.get(&[ORDERS.path(), ".length"].concat()) {
        Some(Argument::Word(count)) => usize::try_from(U256::from_be_bytes(count.0)).unwrap_or_default(),
        _ => 0,
    };
    (0..count).map(|index| MakerOrder { arguments, path: [ORDERS.path(), ".", &index.text()].concat() })
}

impl Kinds for MakerOrder<'_> {
    const TYPES: &'static [&'static str] = &[maker_order!()];
}

impl<'a> Members for MakerOrder<'a> {
    type Kinds = MakerOrder<'a>;

    fn at(&self, path: &str) -> Option<Argument<'_>> {
        self.arguments.get(&[&self.path, ".", path].concat())
    }
}

/// The venue of a method, by the end of its name: decides which further arguments can be checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Venue {
    /// An executor, or a pool whose tokens only the chain knows. The router compares what it received with `toAmount`.
    Any,
    /// Uniswap pools; the size of a hop in bytes (64 in version 2, 96 in version 3).
    Pools(usize),
    /// Balancer's vault, through which its pools are swapped.
    Vault,
    /// Makers' OTC orders, filled by one call.
    Orders,
    /// A peg stability module of Maker (PSM).
    Psm,
}

/// A call of one of the [`METHODS`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Method<'a> {
    /// The method's name.
    pub name: &'static str,
    /// The method's selector, 4 bytes.
    pub selector: &'a [u8],
    /// The method's arguments, decoded.
    pub arguments: Arguments<'a>,
    /// The venue that the method calls.
    pub venue: Venue,
    /// The side whose amount the method treats as fixed, by its name or a flag in its arguments.
    pub side: Side,
}

impl<'a> Method<'a> {
    /// Reads calldata. `Ok(None)` for a selector that none of [`METHODS`] has.
    ///
    /// # Errors
    /// The name of the method, if the rest is no encoding of its arguments.
    pub fn read(data: &'a [u8]) -> Result<Option<Method<'a>>, &'static str> {
        let Some((called, data)) = data.split_at_checked(4) else { return Ok(None) };
        let Some(signature) = METHODS.iter().copied().find(|signature| selector(signature) == *called) else {
            return Ok(None);
        };
        let name = signature.split('(').next().unwrap_or_default();
        let arguments = Arguments::read(signature, data).ok_or(name)?;
        let ends = |end: &str| name.ends_with(end);
        let venue = match () {
            () if ends("V2") && arguments.find_bytes(member!("pools")).is_some() => Venue::Pools(64),
            () if ends("V3") => Venue::Pools(96),
            () if ends("BalancerV2") => Venue::Vault,
            () if ends("Fill") => Venue::Orders,
            () if ends("PSM") => Venue::Psm,
            () => Venue::Any,
        };
        let is_set = |flags, bit| arguments.find(flags).is_some_and(|flags: U256| flags.bit(bit));
        let buys = match venue {
            Venue::Orders => is_set(member!("wrapApproveDirection"), 3),
            Venue::Psm => is_set(member!("beneficiaryAndFlags"), 254),
            _ => name.starts_with("swapExactAmountOut"),
        };
        Ok(Some(Method { name, selector: called, arguments, venue, side: if buys { Side::Buy } else { Side::Sell } }))
    }
}
