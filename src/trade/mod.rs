//! The use cases: quote, build, approve, submit, follow.

mod approve;
mod build;
mod client;
mod contracts;
mod follow;
mod orders;
mod quote;
mod seal;
mod sealed_build;
mod submit;
mod verify_order;

pub use approve::{ApprovalNeed, ApproveOptions, approve, read_approval};
pub use build::build;
pub use client::{Bound, Client, Shared};
pub use follow::{Follow, FollowPace};
pub use orders::{allowance, balance, order, orders};
pub use quote::{QuoteBound, bound, quote};
pub use sealed_build::{OpenBuild, open_build};
pub use submit::{Progress, Submission, SubmitOptions, prepare, submit};
pub use verify_order::{application_contracts, verify_order};
