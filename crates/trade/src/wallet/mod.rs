//! The user's wallet and the chains: prompts, reads, and their failures.
//!
//! Nothing here decides about a trade. `confirm` asks the application first, `prompt` opens a prompt once, however
//! often it is requested; `account` makes sure that it reaches the right account on the right chain; `batch` decides
//! whether the wallet takes several calls in one, and their status; `sending` requests either. `reads` makes sure that
//! an answer has the expected form, `chain` that a node of the right chain gives it, and `quorum` whether another one
//! agrees.

pub mod account;
pub mod add_chain;
pub mod batch;
pub mod chain;
pub mod confirm;
mod failure;
pub mod prompt;
pub mod quorum;
pub mod reads;
pub mod sending;
pub mod signing;
pub mod together;
pub mod transaction;
pub mod unsent;

pub use failure::wallet_error;
