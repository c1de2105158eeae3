//! A permit as it travels through the application's state.

use crate::client::Shared;
use crate::domain::permit::Permit;
use crate::error::{Error, Result};
use crate::host::Host;
use crate::json::JsonAt;
use crate::trade::seal::tag;
use alloy_primitives::{B256, keccak256};

/// A permit as JavaScript sees it, sealed: what is passed back is what was signed here.
pub fn write_permit(permit: &Permit, secret: &[u8; 32]) -> String {
    let mut out = permit.open();
    let mark = tag(secret, out.text_so_far());
    out.text("sealed", &mark);
    out.close()
}

/// Reads a permit that the application passes back: unedited, of this client, and not used yet.
///
/// # Errors
/// INVALID_INPUT.
pub fn open_permit<H: Host>(shared: &Shared<H>, at: &JsonAt<'_>) -> Result<Permit> {
    let permit = Permit::read(at)?;
    let seal = at.get("sealed");
    if seal.text()? != tag(&shared.secret, permit.open().text_so_far()) {
        let expected = "the permit as signPermit() returned it, in this client (after a reload, sign another)";
        return Err(Error::input(&at.path(), expected, "an edited one, or one of another client"));
    }
    match shared.user_of(permit.hash()) {
        Some(key) if shared.is_done(key) => Err(used(&at.path())),
        _ => Ok(permit),
    }
}

/// Takes the permit of that hash for the order or transaction that is known by `key`, until that fails: meanwhile it
/// goes out in nothing else. What only points at an allowance is not used up.
///
/// # Errors
/// INVALID_INPUT with that field, where another has it.
pub fn take_permit<H: Host>(shared: &Shared<H>, permit: Option<B256>, key: B256, field: &str) -> Result<()> {
    let Some(permit) = permit.filter(|permit| *permit != keccak256([1])) else { return Ok(()) };
    match shared.user_of(permit) {
        Some(user) if user != key => return Err(used(field)),
        Some(_) => {}
        None => shared.use_permit(permit, key),
    }
    Ok(())
}

fn used(field: &str) -> Error {
    Error::input(field, "a permit that is in nothing else (sign another)", "a used one")
}
