//! The user's wallet and the chains: prompts, reads, and what their failures mean.
//!
//! Nothing is decided here about a trade. `prompt` sees to it that a question is put once, however often it is asked;
//! `account` that it reaches the right account on the right chain; `batch` knows whether the wallet takes several calls
//! in one, and what became of them; `sending` asks for either. `reads` sees to it that an answer is what was asked for,
//! `chain` that a node of the right chain gives it, and `quorum` whether another one says the same.

pub mod account;
pub mod add_chain;
pub mod batch;
pub mod chain;
mod failure;
pub mod prompt;
mod quorum;
pub mod reads;
pub mod sending;
pub mod signing;
pub mod transaction;

pub use failure::wallet_error;
