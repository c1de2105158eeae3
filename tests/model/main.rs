//! The ledger's own functions, run by a model checker through every order of events that fits the bounds.
//!
//! What decides is the package's code: [`step`](verified_swap::ledger::step), the rules of
//! [`second`](verified_swap::ledger::second), and how an entry ends. The model has the world around it: tabs, a storage
//! that they share, wallet, service and chain, each with its faults. Only safety is checked: that something happens in
//! the end is what the tests in `tests/trade` and `tests/crash` show. docs/hardening.md has the bounds and the counts.

mod orders;
mod run;
mod storage;
mod transactions;
