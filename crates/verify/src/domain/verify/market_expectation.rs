//! The expected values of a Market transaction.

use crate::domain::chain::Deployment;
use crate::domain::intent::Intent;
use crate::domain::market::route::PriceRoute;
use crate::domain::market::terms::MarketTerms;
use crate::domain::permit::Permit;
use crate::domain::reference::trade_references::PriceReferences;
use alloy_primitives::Address;

/// The expected values of a Market transaction. Only `route` comes from the service, and it was compared with the
/// request.
#[derive(Clone, Copy)]
pub struct MarketExpectation<'a> {
    /// The requested trade.
    pub intent: &'a Intent,
    /// The options of the build.
    pub terms: &'a MarketTerms,
    /// The account that sends and pays.
    pub owner: Address,
    /// The permit that was passed in, which the calldata must carry.
    pub permit: Option<&'a Permit>,
    /// The route that it was built from.
    pub route: &'a PriceRoute<'a>,
    /// The contracts of the chain, and their source.
    pub deployment: &'a Deployment,
    /// The reference prices, from other sources than the service.
    pub reference: &'a PriceReferences,
    /// The time in unix seconds, by the chain's clock if it can be read.
    pub now: u64,
    /// The seconds by which that clock is ahead of the machine's, if the deadline was counted from it; else 0.
    pub ahead: u64,
}
