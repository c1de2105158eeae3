//! Checks that a payload from a trading service matches the request of the user, before it is signed.
//!
//! The service of [verified-swap](https://www.npmjs.com/package/verified-swap) writes the order, and the wallet signs what
//! it is given. [`verify_order`] stands between them: it refuses an order whose tokens, amounts, receiver, fee, deadline,
//! contract, chain or hash are not those of the request, and reports the others check by check.
//!
//! Nothing here reads a clock, a network or a random number, and nothing awaits: equal inputs have equal verdicts.
//!
//! The price of a token is not known here: see [`Report::questions`].
//!
//! [`verify_order`], its arguments ([`Request`], [`Quote`], [`Payload`], [`Context`], [`Contracts`]) and its results
//! ([`Report`] with [`Question`] and [`Reason`]; [`Refusal`] with [`ErrorCode`] and [`Facts`]) are the whole public API.
//! `internal` is for the package's own crates, and outside semver. The meaning of a payload without a request is
//! another crate's: `verified-swap-explain`.
//!
//! The minimum supported Rust version is 1.95.

#![forbid(unsafe_code)]

/// The guide's code compiles.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guides/verify-rust.md")]
struct Guide;

#[doc(hidden)]
pub mod internal;
mod order;

use internal::{domain, error, json, value, wire};

pub use domain::chain::Contracts;
pub use domain::verify::question::{Question, Reason};
pub use error::{Error as Refusal, ErrorCode, Facts};
pub use order::{Context, Payload, Quote, Report, Request, verify_order};
