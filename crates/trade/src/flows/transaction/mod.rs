//! Transactions of any purpose (trades, fills, cancellations, withdrawals): simulated by `eth_call`, sent once;
//! `chain/pending` follows them. See "Any transaction, before and after it is sent" in docs/verification.md.

pub mod ask;
pub mod asked_before;
pub mod sealed;
pub mod send;
pub mod withdrawal;
