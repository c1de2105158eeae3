//! Addresses, amounts and their texts: the layer below all code that reads or judges them.

pub mod address;
pub mod amount;
pub mod text;
pub mod visible;
