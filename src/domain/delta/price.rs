//! A price for a Delta order, as the service states it.

use crate::domain::amount::{div_rem, mul_div};
use crate::domain::bps::Bps;
use crate::domain::decimal::percent_to_bps_ceil;
use crate::domain::member::Kinds;
use crate::domain::product::product;
use crate::domain::side::Side;
use crate::domain::typed_struct::StructOf;
use alloy_primitives::{Address, U256};

/// An amount of a token on a chain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Leg<'a> {
    /// The chain.
    pub chain_id: u64,
    /// The token; the service writes addresses in any casing.
    pub token: Address,
    /// Raw units.
    pub amount: U256,
    /// What the service thinks that is worth, decimal text.
    pub usd: Option<&'a str>,
}

/// How a crosschain order's tokens travel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bridge<'a> {
    /// Which bridge, as the service calls it.
    pub protocol: &'a str,
    /// Milliseconds, as the service estimates.
    pub estimated_time_ms: Option<u64>,
    /// What the service says of it.
    pub tags: Vec<&'a str>,
    /// What goes into the order, where stated.
    pub params: Option<BridgeParams>,
}

/// The kind of [`BridgeParams`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BridgeParamsKind {}

impl Kinds for BridgeParamsKind {
    const TYPES: &'static [&'static str] =
        &["Params(bytes4 protocolSelector,address outputToken,int8 scalingFactor,bytes protocolData)"];
}

/// The members that a route's bridge block shares with the order.
pub type BridgeParams = StructOf<BridgeParamsKind>;

/// `amount x 10^factor`, rounded down: from units of the token that enters the bridge to units of the one that leaves
/// it. `None` above 256 bits.
pub fn scale(amount: U256, factor: i8) -> Option<U256> {
    let (by, over) = if factor < 0 { (1, 10) } else { (10, 1) };
    (0..factor.unsigned_abs()).try_fold(amount, |amount, _| mul_div(amount, by, over).map(|(floor, _)| floor))
}

/// The parts of a price that are held against the request, or shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Price<'a> {
    /// The service's id of it.
    pub id: Option<&'a str>,
    /// The side, where stated.
    pub side: Option<Side>,
    /// `inputToken`, `outputToken`: chain and address, where stated.
    pub input_token: Option<(u64, Address)>,
    /// See `input_token`.
    pub output_token: Option<(u64, Address)>,
    /// What goes into the swap on the source chain.
    pub origin_input: Leg<'a>,
    /// What comes out of it. Order amounts compare with these two.
    pub origin_output: Leg<'a>,
    /// What the bridge takes; on one chain the same as `origin_output`.
    pub destination_input: Leg<'a>,
    /// What arrives. The request compares with this one.
    pub destination_output: Leg<'a>,
    /// The bridge, where there is one.
    pub bridge: Option<Bridge<'a>>,
    /// What the solver pays for gas, taken out of the amounts already.
    pub gas: Option<Leg<'a>>,
    /// What gas and bridge take by the service's word, in dollars, decimal text.
    pub costs_usd: Vec<&'a str>,
    /// The contract to approve.
    pub spender: Address,
    /// The partner's name as the service has it. Shown, never compared.
    pub partner_name: Option<&'a str>,
    /// The fee included, in percent, decimal text.
    pub fee_percent: Option<&'a str>,
}

impl Price<'_> {
    /// What arrives on the other chain where `amount` enters the bridge, at the cost that the quote has for it, rounded
    /// down. Only a bridge that brings the asset that enters it keeps to that.
    pub fn arriving(&self, amount: U256) -> Option<U256> {
        let all = product(&[&amount, &self.destination_output.amount]).number()?;
        div_rem(all, self.origin_output.amount).map(|(floor, _)| floor)
    }

    /// The fee in bps, rounded up; `None` where it is not stated or not a number.
    pub fn fee_bps(&self) -> Option<u16> {
        self.fee_percent.and_then(percent_to_bps_ceil)
    }

    /// The least that may leave the swap for this slippage, before the fee.
    pub fn least_output(&self, side: Side, slippage: Bps) -> U256 {
        match side {
            Side::Sell => slippage.below(self.origin_output.amount),
            Side::Buy => self.origin_output.amount,
        }
    }

    /// The most that may go into the swap for this slippage.
    pub fn most_input(&self, side: Side, slippage: Bps) -> U256 {
        match side {
            Side::Sell => self.origin_input.amount,
            Side::Buy => slippage.above(self.origin_input.amount).unwrap_or(U256::MAX),
        }
    }
}
