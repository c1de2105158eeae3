//! Orders that are signed and then posted: Delta orders and makers' OTC orders.
//!
//! `prepare` opens and verifies the app's argument, `submit` has it signed, `posting` posts it, `pre_sign` replaces the
//! signature by a transaction, `waiting` waits for the approval that a signed order needs. The trait in `submission.rs` covers the differences between the two protocols.

pub mod posting;
pub mod pre_sign;
pub mod prepare;
pub mod submit;
pub mod waiting;
