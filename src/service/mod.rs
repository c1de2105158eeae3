//! Requests to the service: one file per resource, and `call`, the one place where refusals become errors.
//!
//! A function here turns the package's own values into a path, a query and a body, and returns the answer as text.
//! `crate::wire` reads that text, `domain::verify` judges it. docs/coverage.md lists every endpoint with its
//! parameters, docs/sandbox.md says how the service behaves.

pub mod building;
mod call;
pub mod contracts;
pub mod market;
pub mod orders;
pub mod otc;
pub mod query;
pub mod quotes;
pub mod resources;

pub use call::{ServiceRequest, call};
