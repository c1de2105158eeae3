//! The user's wallet and the chain behind it: what is asked of them, and what their failures mean.

pub mod account;
mod failure;
pub mod prompt;
pub mod reads;
pub mod signing;
pub mod transaction;

pub use failure::wallet_error;
