//! Bridges between the chains: which tokens they carry, their fees, and the relayer.

mod passage;
mod protocol;
mod relayer;
mod scale;

pub use passage::{Passage, arrives_as, passages, same_assets};
pub use protocol::{PROTOCOLS, Protocol};
pub use relayer::run;
pub use scale::{fee_of, scaled, unscaled_up};
