//! verified-swap: trades on a gasless intent service, and lets a wallet sign only what the user asked for.
//!
//! The layers, each of which knows only those below it: [`trade`] (the use cases), [`service`] and [`wallet`] (what goes
//! over the network and to the user's wallet), [`client`] (what all of these know and remember), [`wire`] (views on the
//! service's JSON), [`domain`] (the trade's own words, pure), [`json`]. [`host`] is what all of it needs of its
//! surroundings; the browser's is in `js`, the only place that knows JavaScript, which exists on wasm32 only.

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
pub mod wallet;
pub mod wire;

#[cfg(target_arch = "wasm32")]
#[doc(hidden)]
pub mod js;
