//! A Delta price as the service states it: read, not trusted. [`crate::domain::verify::delta_quote`] compares it with
//! the request, and the bounds of an order are computed from it.

use crate::domain::bps::Bps;
use crate::domain::decimal::percent_to_bps_ceil;
use crate::domain::member::Kinds;
use crate::domain::product::product;
use crate::domain::side::Side;
use crate::domain::typed_struct::StructOf;
use crate::value::amount::{div_rem, mul_div};
use alloy_primitives::{Address, U256};

/// One step of a price: an amount of a token on a chain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Leg<'a> {
    /// The id of the chain.
    pub chain_id: u64,
    /// The token's address on that leg's chain.
    pub token: Address,
    /// The amount, raw units of the token.
    pub amount: U256,
    /// The service's estimate of its worth in dollars, decimal text.
    pub usd: Option<&'a str>,
}

/// The bridge of a crosschain price, as the service describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bridge<'a> {
    /// The service's name for the bridge.
    pub protocol: &'a str,
    /// The service's estimate of its duration, in milliseconds.
    pub estimated_time_ms: Option<u64>,
    /// The service's labels for it, such as `recommended`. Shown only.
    pub tags: Vec<&'a str>,
    /// The members that the route states for the order's `bridge`; the order must have the same.
    pub params: Option<BridgeParams>,
}

/// The type of [`BridgeParams`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BridgeParamsKind {}

impl Kinds for BridgeParamsKind {
    const TYPES: &'static [&'static str] =
        &["Params(bytes4 protocolSelector,address outputToken,int8 scalingFactor,bytes protocolData)"];
}

/// The members that a route's bridge block shares with the `bridge` of an order.
pub type BridgeParams = StructOf<BridgeParamsKind>;

/// `amount x 10^factor`, rounded down: raw units of the bridge input as raw units of the token that leaves the bridge.
/// `None` above 256 bits.
pub fn scale(amount: U256, factor: i8) -> Option<U256> {
    let (by, over) = if factor < 0 { (1, 10) } else { (10, 1) };
    (0..factor.unsigned_abs()).try_fold(amount, |amount, _| mul_div(amount, by, over).map(|(floor, _)| floor))
}

/// The parts of a price that are compared with the request, or shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Price<'a> {
    /// The service's id of the price.
    pub id: Option<&'a str>,
    /// The side, if the service repeats it.
    pub side: Option<Side>,
    /// `inputToken`: the source chain and token, if the service repeats them.
    pub input_token: Option<(u64, Address)>,
    /// `outputToken`: the destination chain and token, if the service repeats them.
    pub output_token: Option<(u64, Address)>,
    /// The owner's payment to the swap on the source chain.
    pub origin_input: Leg<'a>,
    /// The output of that swap, before the fee. The order's amounts are compared with this and `origin_input`.
    pub origin_output: Leg<'a>,
    /// The input of the last step, on the destination chain; on one chain the same as `origin_output`.
    pub destination_input: Leg<'a>,
    /// The destination amount. The request is compared with this and `origin_input`.
    pub destination_output: Leg<'a>,
    /// The bridge; `None` if no tokens are bridged.
    pub bridge: Option<Bridge<'a>>,
    /// The gas that the solver pays, which is in the other amounts already. It can excuse no more than the current cost
    /// of gas.
    pub gas: Option<Leg<'a>>,
    /// The cost of that gas in dollars as the service states it, decimal text. It can explain a loss, not excuse one.
    pub gas_usd: Option<&'a str>,
    /// The costs of bridges, in the same form.
    pub bridge_usd: Vec<&'a str>,
    /// The contract that the service names for the approval; `None` in a price that another SDK passed on without it.
    pub spender: Option<Address>,
    /// The partner's name as the service has it. Shown only.
    pub partner_name: Option<&'a str>,
    /// The fee in percent, decimal text.
    pub fee_percent: Option<&'a str>,
}

impl<'a> Price<'a> {
    /// The costs of gas and bridge in dollars as the service states them, decimal texts.
    pub fn costs_usd(&self) -> Vec<&'a str> {
        self.gas_usd.iter().chain(&self.bridge_usd).copied().collect()
    }

    /// The destination amount if `amount` enters the bridge, in proportion to the quote, raw units, rounded down.
    /// Meaningful only for a bridge that delivers its own input. `None` if it cannot be computed.
    pub fn arriving(&self, amount: U256) -> Option<U256> {
        let all = product(&[&amount, &self.destination_output.amount]).number()?;
        div_rem(all, self.origin_output.amount).map(|(floor, _)| floor)
    }

    /// The stated fee in bps, rounded up; `None` if it is absent or no number.
    pub fn fee_bps(&self) -> Option<u16> {
        self.fee_percent.and_then(percent_to_bps_ceil)
    }

    /// The least that may come out of the swap at this slippage, raw units before the fee.
    pub fn least_output(&self, side: Side, slippage: Bps) -> U256 {
        match side {
            Side::Sell => slippage.below(self.origin_output.amount),
            Side::Buy => self.origin_output.amount,
        }
    }

    /// The most that may go into the swap at this slippage, raw units.
    pub fn most_input(&self, side: Side, slippage: Bps) -> U256 {
        match side {
            Side::Sell => self.origin_input.amount,
            Side::Buy => slippage.above(self.origin_input.amount).unwrap_or(U256::MAX),
        }
    }
}
