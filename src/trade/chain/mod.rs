//! What several use cases read of a chain: its clock, the contracts there, a token's decimals, what an owner has, whose
//! signature it is.

pub mod clock;
pub mod decimals;
pub mod deployment;
pub mod funding;
pub mod signature_check;
