//! verified-swap: trades on a gasless intent service, and lets a wallet sign only what the user asked for.
//!
//! The layers, each of which knows only those below it: [`trade`] (the use cases), [`service`] and [`wallet`] (ports and
//! what goes through them), [`wire`] (views on the service's JSON), [`domain`] (the trade's own words, pure), [`json`].
//! JavaScript lives in `js`, which exists on wasm32 only.

#![forbid(unsafe_op_in_unsafe_fn)]
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

pub mod domain;
pub mod error;
pub mod json;
pub mod wire;
