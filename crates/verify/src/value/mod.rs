//! Addresses and amounts, and how they are written as text: below everything that reads or judges them.

pub mod address;
pub mod amount;
pub mod text;
