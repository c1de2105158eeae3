//! Transactions of any purpose (trades, fills, cancellations, withdrawals): simulated by `eth_call`, sent once,
//! followed to their end. See "Any transaction, before and after it is sent" in docs/verification.md.

pub mod ask;
pub mod asked_before;
pub mod follow;
pub mod sealed;
pub mod send;
