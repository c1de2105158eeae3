//! Permits in place of approvals: signed once, for one spender, used once.

mod sealed;
mod sign;
mod subject;
mod told;

pub use sealed::{open_permit, take_permit, write_permit};
pub use sign::sign_permit;
pub use subject::PERMIT_OPTIONS;
