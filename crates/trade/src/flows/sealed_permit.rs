//! A permit on its way through the app's state: sealed, and used once. Without the seal a page could pass in a permit
//! that was signed for something else; if it were used twice, the second trade would fail on chain.

use crate::client::Shared;
use crate::flows::seal::{close_sealed, open_sealed};
use crate::host::Host;
use crate::ledger::step::Event;
use alloy_primitives::{B256, keccak256};
use verify::internal::domain::permit::Permit;
use verify::internal::error::{Error, Result};
use verify::internal::json::JsonAt;

/// The `Permit` that the app gets, as JSON text.
pub fn write_permit(permit: &Permit, secret: &[u8; 32]) -> String {
    close_sealed(secret, permit.open())
}

/// Opens a permit that the app passes back. Refuses one that was edited, that another client made (only that one can
/// see whether it is unused), or that was used.
///
/// # Errors
/// INVALID_INPUT with the permit or its member.
pub fn open_permit<H: Host>(shared: &Shared<H>, at: &JsonAt<'_>) -> Result<Permit> {
    let inside = open_sealed(&shared.settings.secret, at)?;
    let permit = Permit::read(&JsonAt::input(&inside, "permit"))?;
    match shared.ledger.permit_carrier(permit.hash()) {
        Some(key) if shared.ledger.is_done(key) => Err(used(&at.path())),
        _ => Ok(permit),
    }
}

/// Takes the permit of that hash for the order or transaction of that `key`, until that fails: meanwhile no other may
/// use it. A `permit2Existing` (its bytes are `01`) only refers to an allowance, and is never used up.
///
/// # Errors
/// INVALID_INPUT with `field` if another order or transaction has it.
pub fn take_permit<H: Host>(shared: &Shared<H>, permit: Option<B256>, key: B256, field: &str) -> Result<()> {
    let Some(permit) = permit.filter(|permit| *permit != keccak256([1])) else { return Ok(()) };
    match shared.ledger.permit_carrier(permit) {
        Some(user) if user != key => return Err(used(field)),
        Some(_) => {}
        None => _ = shared.ledger.record(key, Event::PermitTaken(permit)),
    }
    Ok(())
}

/// The error for a permit that was used, or is in use.
fn used(field: &str) -> Error {
    Error::input(
        field,
        "a permit that no other order or transaction has (wait until that one ends, or approve)",
        "a used one",
    )
}
