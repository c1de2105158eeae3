//! Intent against payload. One file per payload; all of them fill a [`Report`].

pub mod delta_order;
pub mod delta_quote;
mod report;

pub use report::{Check, Checks, Mismatch, Report, Verdict};
