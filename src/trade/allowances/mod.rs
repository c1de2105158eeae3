//! `approvals.list` and `approvals.buildRevoke`: what an account has allowed the service's contracts to take, the
//! operator's old ones among them, and the transaction that takes one back.
//!
//! There is no list of a chain's allowances. What is read is what somebody knows to look for: the tokens that the app
//! names, or those that this package and the journal know, and those for which the chain's logs have an approval. The
//! answer says how far back the logs were read. Anybody can make a token that logs approvals of others. What only logs
//! name is therefore marked, and can hide nothing that is known otherwise.

mod holder;
mod list;
mod logged;
mod revoke;
mod spenders;
mod wanted;

pub use list::allowances;
pub use revoke::build_revoke;
