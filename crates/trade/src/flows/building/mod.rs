//! The payload for a quote: verified, with its report, the missing approval and its seal.
//!
//! `by_protocol` is the call `build`: it chooses the path by the protocol that answered the quote. `delta` and `market`
//! have the service build the order or the transaction; `preparation` is what both need before and after that.
//! `swap` has price and transaction come at once.

pub mod by_protocol;
pub mod delta;
pub mod market;
pub mod preparation;
mod swap;

pub use swap::swap;
