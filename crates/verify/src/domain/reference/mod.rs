//! The value of a trade by other sources than the service: pools and feeds read from a chain's node, and the
//! application's own price (docs/verification.md, "Reference prices").
//!
//! `sources` defines the references of a chain, `lens` reads them in one call, `pools` and `chain_prices` compute
//! prices from the answer, and `trade_references` applies them to one trade. `domain/verify/price.rs` judges by them.

pub mod chain_prices;
pub mod lens;
pub mod past;
pub mod pinned;
pub mod pools;
pub mod price_float;
pub mod sources;
pub mod trade_references;
