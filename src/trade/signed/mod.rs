//! What is signed and then posted: Delta orders and makers' OTC orders.
//!
//! `prepare` opens and verifies what the app passes in, `submit` has it signed, `posting` posts it, `pre_sign` replaces
//! the signature by a transaction. What differs between the two protocols is the trait in `submission`.

pub mod posting;
pub mod pre_sign;
pub mod prepare;
pub mod submission;
pub mod submit;
