//! Delta orders: the owner signs without paying gas, and an agent of the service fills the order on chain.
//!
//! `quote` and `build` turn the service's answers into verified views for the app; `sealed` opens a build again;
//! `signable` adapts it to `submit`. `existing` and `already_signed` prevent two orders for one trade. `orders`,
//! `reported` and `settled` read orders, and compare them with the signed struct and with the chain.

pub mod already_signed;
pub mod build;
pub mod cancel;
pub mod existing;
pub mod orders;
pub mod pre_sign;
pub mod preflight;
pub mod quote;
pub mod reported;
pub mod sealed;
pub mod settled;
mod signable;
pub mod withdrawal;
