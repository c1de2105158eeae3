//! Quotes: compared with their request and shown, and opened again when the app passes them back to `build`. Each
//! protocol has a view of its own (`delta`, `market`).

pub mod bound;
mod delta;
pub mod fields;
mod market;
pub mod opened;
pub mod withdraw;
