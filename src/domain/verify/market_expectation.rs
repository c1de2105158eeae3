//! What a Market transaction is held against.

use crate::domain::chain::Deployment;
use crate::domain::intent::Intent;
use crate::domain::market::route::PriceRoute;
use crate::domain::market::terms::MarketTerms;
use crate::domain::permit::Permit;
use alloy_primitives::Address;

/// Everything a transaction is held against.
#[derive(Clone, Copy)]
pub struct MarketExpectation<'a> {
    /// The trade.
    pub intent: &'a Intent,
    /// The build's options.
    pub terms: &'a MarketTerms,
    /// Who sends and pays.
    pub owner: Address,
    /// The permit that was passed in.
    pub permit: Option<&'a Permit>,
    /// The route it was built from.
    pub route: &'a PriceRoute<'a>,
    /// The chain's contracts, and whose word they rest on.
    pub deployment: &'a Deployment,
    /// Unix seconds, by the chain's clock where it can be read.
    pub now: u64,
    /// By how many seconds that clock is ahead of the machine's, where the deadline was counted from it; else zero.
    pub ahead: u64,
}
