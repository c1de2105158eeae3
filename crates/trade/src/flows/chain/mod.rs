//! Reads of a chain that several use cases share: its clock, its contracts, balances, a token's decimals, an owner's
//! funds, and whether a signature is the owner's. A node's wrong answer can stop a trade here; none lets a trade
//! through that was not asked for.

pub mod approval;
pub mod balances;
pub mod clock;
pub mod decimals;
pub mod deployment;
pub mod early;
pub mod funding;
pub mod lens;
pub mod open_orders;
pub mod outcome;
pub mod pending;
pub mod reference;
pub mod signature_check;
