//! The use cases: quote, permit, build, approve, submit, follow, cancel; orders, OTC, the service's lists.
//!
//! Each use case takes a [`Client`] and a [`CallArgs`] and returns JSON text. The service's answers are verified by
//! `domain::verify` before they are shown or signed. The wallet is reached only through `wallet`, and nothing here
//! uses JavaScript: tests run every flow natively. docs/architecture.md has the picture, docs/verification.md the
//! checks.

mod allowances;
mod approve;
mod argument_kind;
mod building;
mod call;
mod calls;
mod chain;
mod delta;
mod follow;
mod journal;
mod market;
mod otc;
mod page;
mod parts;
mod permit;
mod pure;
mod quote;
mod request;
mod resources;
mod restated_bounds;
mod resume;
mod seal;
mod sealed_permit;
mod signed;
mod submission;
mod transaction;

pub use crate::client::{Client, Shared, WalletBinding};
pub use crate::wallet::batch::never_batches;
pub use crate::wallet::confirm::PromptGate;
pub use call::{CallArgs, Progress, Work};
pub use calls::{Method, WAIT, take_request_options};
pub use chain::pending::learn_number;
pub use follow::{FOLLOW_OPTIONS, Follow, Following};
pub use parts::{Parts, Rest, Trade};
pub use pure::{FUNCTIONS, OF_PRICES, compute, compute_early};
pub use quote::bound::{QuoteBound, bound};
pub use quote::withdraw::withdraw;
pub use sealed_permit::write_permit;
