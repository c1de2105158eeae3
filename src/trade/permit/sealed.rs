//! A permit as it travels through the application's state.

use crate::client::Shared;
use crate::domain::permit::Permit;
use crate::error::{Error, Result};
use crate::host::Host;
use crate::json::At;
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
pub fn open_permit<H: Host>(shared: &Shared<H>, at: &At<'_>) -> Result<Permit> {
    let permit = Permit::read(at)?;
    let seal = at.get("sealed");
    if seal.text()? != tag(&shared.secret, permit.open().text_so_far()) {
        let expected = "the permit as signPermit() returned it, in this client (after a reload, sign another)";
        return Err(Error::input(&at.path(), expected, "an edited one, or one of another client"));
    }
    unused(shared, &permit.hash(), &at.path())?;
    Ok(permit)
}

/// Refuses the permit of that hash if it went out in an order or a transaction: it is good for no other. What only points
/// at an allowance is not used up.
///
/// # Errors
/// INVALID_INPUT with that field.
pub fn unused<H: Host>(shared: &Shared<H>, permit: &B256, field: &str) -> Result<()> {
    let is_signed = *permit != keccak256([1]);
    if is_signed && shared.used_permits.borrow().contains(permit) {
        return Err(Error::input(field, "a permit that is in no order yet (sign another)", "a used one"));
    }
    Ok(())
}
