//! Gasless orders: the owner signs, an agent of the service settles.

pub mod again;
pub mod already_signed;
pub mod build;
pub mod cancel;
pub mod orders;
pub mod pre_sign;
pub mod preflight;
pub mod quote;
pub mod reported;
pub mod sealed;
pub mod settled;
mod signable;
pub mod verify_order;
pub mod withdrawal;
