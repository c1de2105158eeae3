//! Whether what a server built says what the user asked for: orders as typed data, transactions, permits.
//!
//! Nothing here reads a clock, a network or a random number, and nothing awaits: the same inputs give the same verdict.
//!
//! What [`internal`] has is for the client's flows, and outside semver.

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        clippy::float_arithmetic,
        clippy::cast_possible_truncation
    )
)]
#![forbid(unsafe_code)]

#[doc(hidden)]
pub mod domain;
#[doc(hidden)]
pub mod error;
#[doc(hidden)]
pub mod json;
#[doc(hidden)]
pub mod value;
#[doc(hidden)]
pub mod wire;

/// The parts, for the client's flows: outside semver.
#[doc(hidden)]
pub mod internal {
    pub use crate::{domain, error, json, value, wire};
}
