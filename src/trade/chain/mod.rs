//! What several use cases read of a chain: its clock, its contracts, balances, a token's decimals, an owner's funds, and
//! whether a signature is the owner's. A wrong answer of a node can stop a trade here; none lets one through that was
//! not asked for.

pub mod balances;
pub mod clock;
pub mod decimals;
pub mod deployment;
pub mod early;
pub mod funding;
pub mod lens;
pub mod reference;
pub mod signature_check;
