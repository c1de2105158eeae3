//! The trading methods of the Market router, version 6.2, and the properties of their arguments by their names.
//!
//! The signatures are the router's published ABI with its argument names (docs/sandbox.md, "Market"). A method that is
//! not here cannot be read, so it is refused unless the caller vouches for it by `allowSelectors`.

use super::calldata::{Arguments, selector};
use super::pools::UniswapVersion;
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

/// The venue of a method: decides which further arguments can be checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Venue {
    /// An executor, or a pool whose tokens only the chain has. Nothing of it is checked: the router compares what it
    /// received with `toAmount`.
    Opaque,
    /// The pools of Uniswap.
    Pools(UniswapVersion),
    /// Balancer's vault, through which its pools are swapped.
    Vault,
    /// Makers' OTC orders, filled by one call.
    Orders,
    /// A peg stability module of Maker (PSM).
    Psm,
}

/// The side whose amount a method treats as fixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SideRule {
    /// Always this one.
    Is(Side),
    /// By [`ORDERS_BUY_BIT`] of `wrapApproveDirection`.
    OrdersFlag,
    /// By [`PSM_BUY_BIT`] of `beneficiaryAndFlags`.
    PsmFlag,
}

const SELL: SideRule = SideRule::Is(Side::Sell);
const BUY: SideRule = SideRule::Is(Side::Buy);

/// The lowest bits of `wrapApproveDirection`: 1 for a native token that is wrapped to be paid, 2 for one that is
/// unwrapped when received.
pub const ORDERS_WRAP_MASK: u8 = 3;
/// The bit of `wrapApproveDirection` that is set for a purchase. The one below it has the router approve the contract.
const ORDERS_BUY_BIT: usize = 3;
/// How many bits of `wrapApproveDirection` have a meaning.
pub const ORDERS_FLAGS: usize = 4;

/// How many of the low bits of `beneficiaryAndFlags` are the beneficiary's.
pub const BENEFICIARY_BITS: usize = 160;
/// The bit of `beneficiaryAndFlags` that has the router approve the venue.
pub const APPROVE_BIT: usize = 255;
/// The bit of `beneficiaryAndFlags` that is set for a purchase from a stability module; elsewhere it is unknown.
pub const PSM_BUY_BIT: usize = 254;

/// A method that trades.
#[derive(Debug)]
pub struct TradeMethod {
    /// Its signature, with argument names.
    pub signature: &'static str,
    venue: Venue,
    side: SideRule,
}

/// The [`METHODS`] as the types of [`Arguments`].
#[derive(Clone, Copy, Debug)]
pub enum MethodKinds {}

/// The table of methods: signature, venue and side of each.
macro_rules! methods {
    ($($signature:expr, $venue:expr, $side:expr;)*) => {
        /// Every method that trades.
        pub const METHODS: &[TradeMethod] =
            &[$(TradeMethod { signature: $signature, venue: $venue, side: $side }),*];

        impl Kinds for MethodKinds {
            const TYPES: &'static [&'static str] = &[$($signature),*];
        }
    };
}

methods! {
    generic!("swapExactAmountIn"), Venue::Opaque, SELL;
    generic!("swapExactAmountOut"), Venue::Opaque, BUY;
    // The same arguments; fee and surplus are shared in another way.
    generic!("swapExactAmountInPro"), Venue::Opaque, SELL;
    generic!("swapExactAmountOutPro"), Venue::Opaque, BUY;
    pools!("swapExactAmountInOnUniswapV2"), Venue::Pools(UniswapVersion::V2), SELL;
    pools!("swapExactAmountOutOnUniswapV2"), Venue::Pools(UniswapVersion::V2), BUY;
    pools!("swapExactAmountInOnUniswapV3"), Venue::Pools(UniswapVersion::V3), SELL;
    pools!("swapExactAmountOutOnUniswapV3"), Venue::Pools(UniswapVersion::V3), BUY;
    concat!(
        "swapExactAmountInOnCurveV1((uint256 curveData,uint256 curveAssets,",
        trade!(),
        "),uint256 partnerAndFee,bytes permit)"
    ), Venue::Opaque, SELL;
    concat!(
        "swapExactAmountInOnCurveV2((uint256 curveData,uint256 i,uint256 j,address poolAddress,",
        trade!(),
        "),uint256 partnerAndFee,bytes permit)"
    ), Venue::Opaque, SELL;
    vault!("swapExactAmountInOnBalancerV2"), Venue::Vault, SELL;
    vault!("swapExactAmountOutOnBalancerV2"), Venue::Vault, BUY;
    concat!(
        "swapOnAugustusRFQTryBatchFill((uint256 fromAmount,uint256 toAmount,uint8 wrapApproveDirection,bytes32 metadata,",
        "address beneficiary),",
        maker_order!(),
        "[] orders,bytes permit)"
    ), Venue::Orders, SideRule::OrdersFlag;
    concat!(
        "swapExactAmountInOutOnMakerPSM((address srcToken,address destToken,uint256 fromAmount,uint256 toAmount,uint256 toll,",
        "uint256 to18ConversionFactor,address exchange,address gemJoinAddress,bytes32 metadata,",
        "uint256 beneficiaryAndFlags),bytes permit)"
    ), Venue::Psm, SideRule::PsmFlag;
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
    /// The side whose amount the method treats as fixed, by the method or a flag in its arguments.
    pub side: Side,
}

impl<'a> Method<'a> {
    /// Reads calldata. `Ok(None)` for a selector that none of [`METHODS`] has.
    ///
    /// # Errors
    /// The name of the method, if the rest is no encoding of its arguments.
    pub fn read(data: &'a [u8]) -> Result<Option<Method<'a>>, &'static str> {
        let Some((called, data)) = data.split_at_checked(4) else { return Ok(None) };
        let Some(TradeMethod { signature, venue, side }) =
            METHODS.iter().find(|method| selector(method.signature) == *called)
        else {
            return Ok(None);
        };
        let name = signature.split('(').next().unwrap_or_default();
        let arguments = Arguments::read(signature, data).ok_or(name)?;
        let flagged = |flags, bit| match arguments.find(flags).is_some_and(|flags: U256| flags.bit(bit)) {
            true => Side::Buy,
            false => Side::Sell,
        };
        let side = match side {
            SideRule::Is(side) => *side,
            SideRule::OrdersFlag => flagged(member!("wrapApproveDirection"), ORDERS_BUY_BIT),
            SideRule::PsmFlag => flagged(member!("beneficiaryAndFlags"), PSM_BUY_BIT),
        };
        Ok(Some(Method { name, selector: called, arguments, venue: *venue, side }))
    }
}
