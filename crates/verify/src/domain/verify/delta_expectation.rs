//! What a Delta order is compared with, and the comparison of one member.

use crate::domain::chain::Deployment;
use crate::domain::delta::order::{DeltaKinds, DeltaOrder};
use crate::domain::delta::price::Price;
use crate::domain::delta::terms::Terms;
use crate::domain::intent::Intent;
use crate::domain::member::{Any, Member};
use crate::domain::reference::trade_references::TradeReferences;
use crate::domain::verify::report::Checks;
use crate::value::text::ToText;

/// Everything that a Delta order is compared with. Nothing in it but `price` comes from the service, and that was
/// compared with the request.
#[derive(Clone, Copy)]
pub struct DeltaExpectation<'a> {
    /// The trade that was asked for.
    pub intent: &'a Intent,
    /// The options of the build.
    pub terms: &'a Terms,
    /// The price it was built from.
    pub price: &'a Price<'a>,
    /// The contracts of the source chain, and who named them.
    pub deployment: &'a Deployment,
    /// The time in unix seconds, by the chain's clock where it can be read.
    pub now: u64,
    /// By how many seconds that clock is ahead of the machine's, where the deadline was counted from it; else 0.
    pub ahead: u64,
    /// What others than the service say it is worth.
    pub references: &'a TradeReferences,
    /// Whether a bound of the caller's holds the order, where the terms are another client's; `None`: they are the caller's.
    pub bound: Option<bool>,
    /// Whether `terms.deadline` is the one that the order must have; otherwise it is only bounded.
    pub deadline_named: bool,
}

/// Checks that a member of the order has exactly the expected value.
pub fn same(checks: &mut Checks, order: &DeltaOrder, member: Member<DeltaKinds, Any>, expected: &dyn ToText) {
    let (expected, actual) = (expected.text(), order.text(member));
    checks.holds(&["order.", member.path()].concat(), expected == actual, &expected, &actual);
}
