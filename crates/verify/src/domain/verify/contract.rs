//! The contract that the service names in a price, a domain or a transaction, against the known one. Refuses the most
//! valuable lie: a spender or target that is the liar's own contract.

use crate::domain::chain::{Deployment, Protocol, Source, contracts_example};
use crate::domain::verify::report::Checks;
use crate::value::text::Concat;
use alloy_primitives::Address;

/// Notes whether `actual` is the protocol's contract on that chain; refuses any other. Contracts do move, so the error
/// explains how an application names a new one, unless only the service vouches for the contract anyway.
pub fn check_contract(
    checks: &mut Checks,
    field: &str,
    chain_id: u64,
    protocol: Protocol,
    deployment: &Deployment,
    actual: &Address,
) {
    let held = checks.all_hold();
    checks.holds(
        field,
        deployment.contracts.of(protocol).as_ref() == Some(actual),
        &deployment.describe(protocol),
        actual,
    );
    if deployment.source != Source::Service {
        let remedy = "the contract has moved, or this is a lie; if the operator's published list says that it has moved, \
                      pass the new one: ";
        checks.remedy(held, &Concat(&[&remedy, &contracts_example(chain_id, protocol)]));
    }
}
