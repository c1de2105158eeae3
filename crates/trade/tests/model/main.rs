//! The ledger's own functions, run by a model checker through every order of events that fits the bounds.
//!
//! The package's code decides: [`step`](verified_swap_trade::ledger::step), the rules of
//! [`second`](verified_swap_trade::ledger::second), and how an entry ends. The model has the world around it: tabs, a storage
//! that they share, wallet, service and chain, each with its faults. Beside safety, one property is of progress: every
//! call ends once all answer at once, and does not go round. That a trade comes to its end is shown by the tests in
//! `crates/trade/tests/flows` and `tests/crash`. docs/hardening.md has the bounds and the counts.

#![allow(clippy::restriction, clippy::cast_possible_truncation)]

mod orders;
mod run;
mod storage;
mod transactions;
