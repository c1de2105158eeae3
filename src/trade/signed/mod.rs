//! What is signed, and then posted: Delta's orders and makers' OTC orders.

pub mod posting;
pub mod pre_sign;
pub mod prepare;
pub mod submission;
pub mod submit;
