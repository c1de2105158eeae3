//! OTC: a maker signs an order, a taker fills it on chain, whole or in parts.

pub mod calls;
pub mod fill;
pub mod order;
