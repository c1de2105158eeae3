//! Permits: a signature in place of an approval, for one spender, used once.
//!
//! `reviewed` is the build that a permit is signed for, `request` the permit to be signed, `token_answers` the token's
//! statements about itself, `sign` has it signed and simulates it on the chain, `sealed` passes it through the app,
//! `rebuild` builds anew with it. The kinds are EIP-2612's, DAI's and Permit2's (`domain/permit`). See "A permit" in
//! docs/verification.md.

mod rebuild;
mod request;
mod reviewed;
mod sealed;
mod sign;
mod token_answers;

pub use rebuild::rebuild;
pub use request::PERMIT_OPTIONS;
pub use sealed::{open_permit, take_permit, write_permit};
pub use sign::sign_permit;
