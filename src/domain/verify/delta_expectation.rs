//! What a Delta order is held against.

use crate::domain::chain::Deployment;
use crate::domain::delta::order::{DeltaKinds, DeltaOrder};
use crate::domain::delta::price::Price;
use crate::domain::delta::terms::Terms;
use crate::domain::intent::Intent;
use crate::domain::member::{Any, Member};
use crate::domain::text::ToText;
use crate::domain::verify::report::Checks;

/// Everything a payload is held against.
#[derive(Clone, Copy)]
pub struct DeltaExpectation<'a> {
    /// The trade.
    pub intent: &'a Intent,
    /// The build's options.
    pub terms: &'a Terms,
    /// The price it was built from.
    pub price: &'a Price<'a>,
    /// The chain's contracts, and whose word they rest on.
    pub deployment: &'a Deployment,
    /// Unix seconds, by the chain's clock where it can be read.
    pub now: u64,
    /// By how many seconds that clock is ahead of the machine's, where the deadline was counted from it; else zero.
    pub ahead: u64,
    /// Whether the caller named the deadline in `terms`; otherwise it is only bounded.
    pub deadline_named: bool,
}

/// A member that is as it was asked for: the same text.
pub fn same(checks: &mut Checks, order: &DeltaOrder, member: Member<DeltaKinds, Any>, expected: &dyn ToText) {
    let (expected, actual) = (expected.text(), order.text(member));
    checks.holds(&["order.", member.path()].concat(), expected == actual, &expected, &actual);
}
