//! `approvals.list` and `approvals.buildRevoke`: the allowances that an account has given the service's contracts, the operator's old
//! ones among them, and the transaction that takes one back.
//!
//! No list of a chain's allowances exists. This reads the tokens that the app names, or those that this package and the
//! journal have, and those for which the chain's logs have an approval. The answer has how far back the logs were
//! read. Anybody can make a token that logs approvals of others. A token that only the logs name is therefore marked,
//! and can hide nothing that is known otherwise.

mod holder;
mod list;
mod logged;
mod queries;
mod revoke;
mod spenders;

pub use list::allowances;
pub use revoke::build_revoke;
