//! Market trades: the owner sends a transaction to the router, which trades at once.
//!
//! `quote` shows a route, `build` has the service write its transaction, `buildMarket` requests both at once, `sealed` opens
//! and verifies a build and sends it. See "A Market route, and the transaction built from it" in docs/verification.md.

pub mod build;
pub mod quote;
pub mod sealed;
mod swap;

pub use sealed::submit;
pub use swap::swap;
