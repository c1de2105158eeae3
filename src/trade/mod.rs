//! The use cases: quote, build, approve, submit, follow.

mod approve;
mod build;
mod calls;
mod client;
mod contracts;
mod follow;
mod follow_transaction;
mod orders;
mod owner;
mod permit;
mod posting;
mod preflight;
mod presign;
mod pure;
mod quote;
mod resources;
mod seal;
mod sealed_build;
mod submit;
mod transaction;
mod verify_order;

pub use crate::domain::delta::terms::BUILD_OPTIONS;
pub use approve::{ApproveOptions, approve};
pub use build::build;
pub use calls::{CALLS, Call, call};
pub use client::{Bound, Client, Shared};
pub use follow::{Follow, FollowPace};
pub use orders::{allowance, balance, order, orders};
pub use permit::{open_permit, used, write_permit};
pub use pure::compute;
pub use quote::{QuoteBound, bound, quote};
pub use resources::{allowance_needed, resource};
pub use submit::{Progress, SUBMIT_OPTIONS, Submission, SubmitOptions, prepare, submit};
pub use transaction::{Payment, Transaction, transaction_build};
pub use verify_order::{application_contracts, verify_order};
