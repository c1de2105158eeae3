//! A permit against the payment that it has to cover (docs/verification.md, "A permit").

use super::Checks;
use crate::domain::permit::{Permit, PermitKind, Spending};
use alloy_primitives::U256;

impl Permit {
    /// [`Permit::verify`] for a contract that takes only permits that the token itself verifies.
    pub fn verify_by_token(&self, checks: &mut Checks, spending: &Spending) {
        let by_token = !self.grant.kind.by_permit2();
        checks.holds("permit.kind", by_token, &"eip2612", &self.grant.kind.label());
        self.verify(checks, spending);
    }

    /// Notes whether the permit covers the payment. Refuses one for another chain, token, owner or spender, of too
    /// small an amount, or that ends before the order does.
    pub fn verify(&self, checks: &mut Checks, spending: &Spending) {
        let grant = &self.grant;
        checks.same("permit.chainId", &spending.chain_id, &grant.chain_id);
        checks.same("permit.token", &spending.token, &grant.token);
        checks.same("permit.owner", &spending.owner, &grant.owner);
        checks.same("permit.spender", &spending.spender, &grant.spender);
        match &spending.deadline {
            // The contract rebuilds the signed struct from the order: any other amount or deadline is another message.
            Some(deadline) if grant.kind == PermitKind::Permit2Transfer => {
                checks.same("permit.amount", &spending.amount, &grant.amount);
                checks.same("permit.deadline", deadline, &grant.deadline);
            }
            _ => checks.at_least("permit.amount", &spending.amount, &grant.amount),
        }
        // An order is filled up to its last second, and its permit with it.
        let needed = spending.deadline.unwrap_or(spending.now);
        checks.at_least("permit.deadline", &U256::from(needed), &U256::from(grant.deadline));
    }
}
