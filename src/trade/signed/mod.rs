//! What is signed, and then posted: Delta's orders and makers' OTC orders.

pub mod posting;
pub mod submission;
pub mod submit;
