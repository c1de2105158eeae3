//! The expected values of a Delta order, and the comparison of one member.

use crate::domain::chain::Deployment;
use crate::domain::delta::order::{DeltaKinds, DeltaOrder};
use crate::domain::delta::price::Price;
use crate::domain::delta::terms::Terms;
use crate::domain::intent::Intent;
use crate::domain::member::{Any, Member};
use crate::domain::reference::trade_references::TradeReferences;
use crate::domain::verify::report::Checks;
use crate::value::text::ToText;

/// The expected values of a Delta order. Only `price` comes from the service, and it was compared with the request.
#[derive(Clone, Copy)]
pub struct DeltaExpectation<'a> {
    /// The requested trade.
    pub intent: &'a Intent,
    /// The options of the build.
    pub terms: &'a Terms,
    /// The price it was built from.
    pub price: &'a Price<'a>,
    /// The contracts of the source chain, and their source.
    pub deployment: &'a Deployment,
    /// The time in unix seconds, by the chain's clock if it can be read.
    pub now: u64,
    /// The seconds by which that clock is ahead of the machine's, if the deadline was counted from it; else 0.
    pub ahead: u64,
    /// The reference prices, from other sources than the service.
    pub references: &'a TradeReferences,
    /// Whether a bound of the caller holds the order, if the journal noted it before a prompt; `None` if the terms are
    /// the caller's.
    pub bound: Option<bool>,
    /// Whether the order must have `terms.deadline`; otherwise the deadline is only bounded.
    pub deadline_named: bool,
}

/// Checks that a member of the order has exactly the expected value.
pub fn same(checks: &mut Checks, order: &DeltaOrder, member: Member<DeltaKinds, Any>, expected: &dyn ToText) {
    let (expected, actual) = (expected.text(), order.text(member));
    checks.holds(&["order.", member.path()].concat(), expected == actual, &expected, &actual);
}
