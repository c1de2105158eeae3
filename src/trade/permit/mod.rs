//! Permits in place of approvals: signed once, for one spender, used once.

mod request;
mod sealed;
mod sign;
mod token_answers;

pub use request::PERMIT_OPTIONS;
pub use sealed::{open_permit, take_permit, write_permit};
pub use sign::sign_permit;
