//! Intent against payload. One file per payload; all of them note [`Checks`].

mod contract;
pub mod delta_amounts;
pub mod delta_attachments;
pub mod delta_bridge;
pub mod delta_expectation;
pub mod delta_order;
pub mod delta_quote;
pub mod delta_reported;
mod distance;
mod fees;
mod loss;
pub mod market_expectation;
pub mod market_quote;
pub mod market_transaction;
pub mod market_venue;
pub mod otc_fill;
mod report;

pub use report::{Checks, Verdict, report, report_of_trade};
