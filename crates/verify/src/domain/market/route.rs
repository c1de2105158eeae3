//! A Market price route as the service states it: read, not trusted. [`crate::domain::verify::market_quote`] compares
//! it with the request, and the bounds of the transaction are computed from it.

use crate::domain::bps::Bps;
use crate::domain::decimal::percent_to_bps_ceil;
use crate::domain::intent::Intent;
use crate::domain::side::Side;
use crate::value::amount::mul_div;
use alloy_primitives::{Address, U256};

/// The parts of a route that are compared with the request, or shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PriceRoute<'a> {
    /// The chain id.
    pub network: u64,
    /// The source token.
    pub src_token: Address,
    /// The destination token.
    pub dest_token: Address,
    /// The source amount, raw units; for a BUY the expected one.
    pub src_amount: U256,
    /// The destination amount, raw units; for a SELL the expected one.
    pub dest_amount: U256,
    /// The source amount including the partner's fee, raw units, if stated.
    pub src_with_fee: Option<U256>,
    /// The destination amount after the partner's fee, raw units, if stated.
    pub dest_after_fee: Option<U256>,
    /// The side whose amount is fixed.
    pub side: Side,
    /// The version of the router that the route is for.
    pub version: &'a str,
    /// The router that the service names.
    pub contract: Address,
    /// The contract that takes the tokens, if stated; in this version it must be the router.
    pub proxy: Option<Address>,
    /// The router's method that the service expects to use.
    pub method: &'a str,
    /// The service's estimate of the gas, in units of gas, decimal text.
    pub gas_cost: Option<&'a str>,
    /// The service's estimate of the gas in dollars, decimal text.
    pub gas_cost_usd: Option<&'a str>,
    /// The service's estimate of the source amount in dollars, decimal text.
    pub src_usd: Option<&'a str>,
    /// The service's estimate of the destination amount in dollars, decimal text.
    pub dest_usd: Option<&'a str>,
    /// The partner's name as the service has it. Shown only.
    pub partner: Option<&'a str>,
    /// The partner's fee in percent, decimal text.
    pub partner_fee: Option<&'a str>,
    /// Whether the trade moves the price by more than the limit, according to the service.
    pub max_impact_reached: bool,
}

impl PriceRoute<'_> {
    /// The stated fee in bps, rounded up; `None` if it is absent or no number.
    pub fn fee_bps(&self) -> Option<u16> {
        self.partner_fee.and_then(percent_to_bps_ceil)
    }

    /// The highest fee in bps that the transaction may carry: the stated one, or the requested one if it is higher (a
    /// price does not state a fee that is requested with the transaction only), and never above the intent's limit.
    pub fn most_fee(&self, intent: &Intent) -> u16 {
        self.fee_bps().map_or(u16::MAX, |stated| stated.max(intent.known_fee())).min(intent.max_fee_bps)
    }

    /// The expected output, raw units: the lower of the stated amounts.
    pub fn worse_output(&self) -> U256 {
        self.dest_after_fee.map_or(self.dest_amount, |after| after.min(self.dest_amount))
    }

    /// The expected input, raw units: the higher of the stated amounts.
    pub fn worse_input(&self) -> U256 {
        self.src_with_fee.map_or(self.src_amount, |with_fee| with_fee.max(self.src_amount))
    }

    /// The least that may come out of the router at this slippage, raw units before the fee.
    pub fn least_output(&self, slippage: Bps) -> U256 {
        match self.side {
            Side::Sell => slippage.below(self.worse_output()),
            Side::Buy => self.dest_amount,
        }
    }

    /// The most that may go in at this slippage, raw units.
    pub fn most_input(&self, slippage: Bps) -> U256 {
        match self.side {
            Side::Sell => self.src_amount,
            Side::Buy => slippage.above(self.worse_input()).unwrap_or(U256::MAX),
        }
    }

    /// The least `value` in wei that is accepted for a BUY with the native token whose calldata cannot be read: the
    /// price without the fee, plus slippage, rounded down.
    pub fn least_value(&self, slippage: Bps) -> U256 {
        let floor = mul_div(self.src_amount, Bps::WHOLE.saturating_add(slippage.get()), Bps::WHOLE);
        floor.map_or(U256::MAX, |(floor, _)| floor)
    }
}
