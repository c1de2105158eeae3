//! OTC: a maker signs an order, a taker fills it on chain, whole or in parts, at the RFQ contract
//! (docs/verification.md, "An OTC order, and its fill").

pub mod calls;
pub mod fill;
pub mod order;
pub mod request;
