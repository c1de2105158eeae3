//! verified-swap: trades on a gasless intent service, and lets a wallet sign only what the user asked for.
//!
//! The layers from top to bottom. Each imports only those below it, and no file is part of an import circle:
//! `tests/house.rs` fails otherwise.
//!
//! | layer | what it is |
//! |---|---|
//! | `js` | the JavaScript side, on wasm32 only: decodes arguments, makes the call, encodes the answer |
//! | [`trade`] | the use cases: quote, build, approve, submit, follow, cancel |
//! | [`service`], [`wallet`] | requests to the service; prompts, and reads of chains. Neither knows the other |
//! | [`client`] | settings, and a client's memory between calls |
//! | [`host`] | the trait for network, wallets, clocks and randomness; `js` implements it, and so do the tests |
//! | [`wire`] | views on the service's JSON |
//! | [`domain`] | orders, calldata, permits, and in [`domain::verify`] every check; pure |
//! | [`json`], [`error`] | JSON without loss; the failures |
//! | [`value`] | addresses and amounts, and their text forms |
//!
//! docs/architecture.md has the same as a picture, docs/verification.md the checks and their reasons.

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
#![cfg_attr(not(target_arch = "wasm32"), forbid(unsafe_code))]

pub mod client;
pub mod domain;
pub mod error;
pub mod host;
pub mod json;
pub mod service;
pub mod trade;
pub mod value;
pub mod wallet;
pub mod wire;

#[cfg(target_arch = "wasm32")]
#[doc(hidden)]
pub mod js;
