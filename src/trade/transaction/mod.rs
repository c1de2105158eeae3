//! Transactions of any purpose: tried, sent once, followed to their end.

pub mod follow;
pub mod send;
