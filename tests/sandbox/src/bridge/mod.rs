//! Bridges between the chains: what they carry, what they take, and the relayer that carries it.

mod passage;
mod protocol;
mod relayer;
mod scale;

pub use passage::{Passage, arrives_as, passages, same_assets};
pub use protocol::{PROTOCOLS, Protocol};
pub use relayer::run;
pub use scale::{fee_of, scaled, unscaled_up};
