//! Permits: a signature in place of an approval, for one spender, used once.
//!
//! `reviewed` is the build that a permit is signed for, `token_answers` the reads of the token, `sign` has the permit
//! signed and simulates it on the chain, `rebuild` builds anew with it; `sealed_permit.rs` passes it through the app. The request
//! for one is in `domain/verify`, the kinds (EIP-2612's and Permit2's) are in `domain/permit`. See "A permit" in
//! docs/verification.md.

mod rebuild;
mod reviewed;
mod sign;
mod token_answers;

pub use rebuild::rebuild;
pub use sign::sign_permit;
