//! verified-swap: trades on a gasless intent service, and lets a wallet sign only what the user asked for.
//!
//! The layers from top to bottom. Each imports only those below it, and no file is part of an import circle:
//! `xtask/tests/architecture.rs` fails otherwise.
//!
//! | layer | what it is |
//! |---|---|
//! | [`flows`] | the use cases: quote, build, approve, submit, follow, cancel |
//! | [`service`], [`wallet`] | requests to the service; prompts, and reads of chains. Neither imports the other |
//! | [`client`] | settings, and what a client remembers between calls |
//! | [`host`] | the trait for network, wallets, clocks and randomness; the root package implements it, and so do the tests |
//! | `crates/verify` | what judges: the service's JSON, orders, calldata, permits, every check; pure |
//!
//! docs/architecture.md has the same as a picture, docs/verification.md the checks and their reasons.

#![cfg_attr(not(target_arch = "wasm32"), forbid(unsafe_code))]

pub mod client;
pub mod flows;
pub mod host;
pub mod ledger;
pub mod service;
pub mod wallet;
