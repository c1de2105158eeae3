//! The trade in the trade's own words. Pure: no clock, no network, no randomness, no JavaScript.

pub mod abi;
pub mod address;
pub mod amount;
pub mod bps;
pub mod chain;
pub mod decimal;
pub mod delta;
pub mod eip712;
pub mod endpoint;
pub mod erc20;
pub mod fee;
pub mod input;
pub mod intent;
pub mod market;
pub mod otc;
pub mod permit;
pub mod pricing;
pub mod product;
pub mod revert;
pub mod sentence;
pub mod side;
pub mod signature;
pub mod text;
pub mod token;
pub mod typed_struct;
pub mod verify;
