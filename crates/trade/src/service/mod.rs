//! Requests to the service: one file per resource, and `call`, through which every request goes and where refusals
//! become errors. It waits for the rate limit in `queue`, which counts by `token_bucket`; equal reads share one
//! (`in_flight`).
//!
//! A function here turns the package's own values into a path, a query and a body, and returns the answer as text.
//! `verify::internal::wire` reads that text, `domain::verify` judges it. docs/coverage.md lists every endpoint with its
//! parameters, docs/sandbox.md the behaviour of the service.

pub mod building;
mod call;
pub mod contracts;
mod in_flight;
pub mod market;
pub mod orders;
pub mod otc;
pub mod query;
mod queue;
pub mod quotes;
pub mod resources;
pub mod token_bucket;

pub use call::{ServiceRequest, call, call_once, ensure_post_may_leave, limit_ms};
pub use queue::{count_sent, read_rate_limit};
