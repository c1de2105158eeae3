//! A price route, as the service states it.

use crate::domain::amount::mul_div;
use crate::domain::bps::Bps;
use crate::domain::decimal::percent_to_bps_ceil;
use crate::domain::intent::Intent;
use crate::domain::side::Side;
use alloy_primitives::{Address, U256};

/// The parts of a route that are held against the request, or shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PriceRoute<'a> {
    /// The chain.
    pub network: u64,
    /// What goes in.
    pub src_token: Address,
    /// What comes out.
    pub dest_token: Address,
    /// Raw units. BUY: what is expected to go in.
    pub src_amount: U256,
    /// Raw units. SELL: what is expected to come out.
    pub dest_amount: U256,
    /// The same with the partner's fee, where stated.
    pub src_after_fee: Option<U256>,
    /// See `src_after_fee`.
    pub dest_after_fee: Option<U256>,
    /// Which of the two is fixed.
    pub side: Side,
    /// Of the router: `6.2`.
    pub version: &'a str,
    /// The router.
    pub contract: Address,
    /// Who takes the tokens, where stated: in this version the router.
    pub proxy: Option<Address>,
    /// The router's method.
    pub method: &'a str,
    /// Gas units and dollars, as the service estimates; decimal text.
    pub gas_cost: Option<&'a str>,
    /// See `gas_cost`.
    pub gas_cost_usd: Option<&'a str>,
    /// What the service thinks the amounts are worth, decimal text.
    pub src_usd: Option<&'a str>,
    /// See `src_usd`.
    pub dest_usd: Option<&'a str>,
    /// The partner's name as the service has it. Shown, never compared.
    pub partner: Option<&'a str>,
    /// The partner's fee in percent, decimal text.
    pub partner_fee: Option<&'a str>,
    /// The price moves the market by more than the limit.
    pub max_impact_reached: bool,
}

impl PriceRoute<'_> {
    /// The fee in bps, rounded up; `None` where it is not stated or not a number.
    pub fn fee_bps(&self) -> Option<u16> {
        self.partner_fee.and_then(percent_to_bps_ceil)
    }

    /// The highest fee that the transaction may carry, in bps: a price that was not asked for with a fee does not state
    /// the one that is asked for with the transaction.
    pub fn most_fee(&self, intent: &Intent) -> u16 {
        self.fee_bps().map_or(u16::MAX, |stated| stated.max(intent.known_fee())).min(intent.max_fee_bps)
    }

    /// What is expected to come out, by the worse of what is stated.
    pub fn worse_output(&self) -> U256 {
        self.dest_after_fee.map_or(self.dest_amount, |after| after.min(self.dest_amount))
    }

    /// What is expected to go in, by the worse of what is stated.
    pub fn worse_input(&self) -> U256 {
        self.src_after_fee.map_or(self.src_amount, |after| after.max(self.src_amount))
    }

    /// The least that may leave the router for this slippage, before the fee.
    pub fn least_output(&self, slippage: Bps) -> U256 {
        match self.side {
            Side::Sell => slippage.below(self.worse_output()),
            Side::Buy => self.dest_amount,
        }
    }

    /// The most that may go in for this slippage.
    pub fn most_input(&self, slippage: Bps) -> U256 {
        match self.side {
            Side::Sell => self.src_amount,
            Side::Buy => slippage.above(self.worse_input()).unwrap_or(U256::MAX),
        }
    }

    /// The least of the native token that a purchase with it brings along: the price without the fee, and slippage,
    /// rounded down.
    pub fn least_value(&self, slippage: Bps) -> U256 {
        let floor = mul_div(self.src_amount, Bps::WHOLE.saturating_add(slippage.get()), Bps::WHOLE);
        floor.map_or(U256::MAX, |(floor, _)| floor)
    }
}
