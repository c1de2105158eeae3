//! Permits in place of approvals: signed once, for one spender, used once.

mod sealed;

pub use sealed::{open_permit, used, write_permit};
