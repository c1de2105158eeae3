//! Delta orders: the owner signs without paying gas, and an agent of the service fills the order on chain.
//!
//! `sealed` opens a build; `signable` adapts it to `submit`. `existing` and `already_signed` prevent two orders for one
//! trade. `orders`, `reported` and `settled` read orders, and compare them with the signed struct and with the chain;
//! `learn` remembers those that the service has, if the journal was lost.

pub mod already_signed;
pub mod cancel;
pub mod existing;
pub mod learn;
pub mod orders;
pub mod pre_sign;
pub mod preflight;
pub mod reported;
pub mod sealed;
pub mod settled;
mod signable;
