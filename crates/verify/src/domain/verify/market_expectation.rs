//! What a Market transaction is compared with.

use crate::domain::chain::Deployment;
use crate::domain::intent::Intent;
use crate::domain::market::route::PriceRoute;
use crate::domain::market::terms::MarketTerms;
use crate::domain::permit::Permit;
use crate::domain::reference::trade_references::PriceReferences;
use alloy_primitives::Address;

/// Everything that a Market transaction is compared with. Nothing in it but `route` comes from the service, and that
/// was compared with the request.
#[derive(Clone, Copy)]
pub struct MarketExpectation<'a> {
    /// The trade that was asked for.
    pub intent: &'a Intent,
    /// The options of the build.
    pub terms: &'a MarketTerms,
    /// Who sends and pays.
    pub owner: Address,
    /// The permit that was passed in, which the calldata must carry.
    pub permit: Option<&'a Permit>,
    /// The route that it was built from.
    pub route: &'a PriceRoute<'a>,
    /// The contracts of the chain, and who named them.
    pub deployment: &'a Deployment,
    /// What others than the service say it is worth.
    pub reference: &'a PriceReferences,
    /// Whether a bound that the caller states beside the terms answers a price that nobody judges.
    pub is_bound: bool,
    /// The time in unix seconds, by the chain's clock where it can be read.
    pub now: u64,
    /// By how many seconds that clock is ahead of the machine's, where the deadline was counted from it; else 0.
    pub ahead: u64,
}
