//! A build anew with a permit against the reviewed one: nothing else may differ.
//!
//! Both were compared with the request already. But the user agreed to the first, not to whatever else the request and
//! the price allow.

use crate::domain::delta::order::DeltaOrder;
use crate::domain::market::method::{Method, MethodKinds};
use crate::domain::member::{Any, Argument, Member};
use crate::domain::transaction::Transaction;
use crate::domain::verify::report::Checks;
use crate::error::Result;
use crate::value::text::ToText;
use alloy_primitives::hex;

/// The router's arguments for source, destination, beneficiary and fee. The others name venues, whose makers may sign
/// anew for each build; these bound the effect of all of them.
const BOUND: [Member<MethodKinds, Any>; 8] = [
    Member::of("srcToken"),
    Member::of("destToken"),
    Member::of("fromAmount"),
    Member::of("toAmount"),
    Member::of("quotedAmount"),
    Member::of("beneficiary"),
    Member::of("beneficiaryAndFlags"),
    Member::of("partnerAndFee"),
];

/// Refuses an order that differs from the reviewed one in more than its permit.
///
/// # Errors
/// VERIFY_MISMATCH with the first member that differs.
pub fn check_order(reviewed: &DeltaOrder, built: &DeltaOrder) -> Result<()> {
    let mut checks = Checks::unwritten();
    checks.same("types", &reviewed.encoded(), &built.encoded());
    checks.set_prefix("order.");
    for ((name, expected), (_, actual)) in reviewed.texts().zip(built.texts()) {
        if name != "permit" {
            checks.same(name, &expected, &actual);
        }
    }
    checks.finish().map(|_| ())
}

/// Refuses a transaction that differs from the reviewed one in its target, value or method, or in one of the arguments
/// that bound its effect; for an unknown method (`allowSelectors`), in the selector.
///
/// # Errors
/// VERIFY_MISMATCH with the first that differs.
pub fn check_transaction(reviewed: &Transaction, built: &Transaction) -> Result<()> {
    let mut checks = Checks::unwritten();
    checks.set_prefix("transaction.");
    checks.same("from", &reviewed.owner, &built.owner);
    checks.same("to", &reviewed.to, &built.to);
    checks.same("value", &reviewed.value, &built.value);
    checks.set_prefix("transaction.data.");
    let selector = |transaction: &Transaction| hex::encode_prefixed(transaction.data.get(..4).unwrap_or_default());
    checks.same("method", &selector(reviewed), &selector(built));
    if let (Ok(Some(reviewed)), Ok(Some(built))) = (Method::read(&reviewed.data), Method::read(&built.data)) {
        for member in BOUND {
            let text = |method: &Method<'_>| match method.arguments.get(member.path()) {
                Some(Argument::Word(word)) => word.text(),
                _ => "none".into(),
            };
            checks.same(member.path(), &text(&reviewed), &text(&built));
        }
    }
    checks.finish().map(|_| ())
}
