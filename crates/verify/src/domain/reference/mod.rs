//! What a trade is worth by somebody else than the service: pools and feeds that a chain's node tells of, and what the
//! application says itself (docs/verification.md, "Reference prices").
//!
//! `sources` says who may read_references on a chain, `lens` asks them all in one call, `pools` and `reading` make prices of the
//! answer, and `testimony` is what they say about one trade. `domain/verify/price.rs` judges by it.

pub mod chain_prices;
pub mod lens;
pub mod past;
pub mod pinned;
pub mod pools;
pub mod soft_float;
pub mod sources;
pub mod trade_references;
