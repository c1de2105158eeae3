//! Trades that the owner's own transaction makes through the router.

pub mod build;
pub mod quote;
mod sealed;
mod swap;

pub use sealed::submit;
pub use swap::swap;
