//! The laws of what judges: properties that hold for any value, with values at random.

#![allow(clippy::restriction, clippy::cast_possible_truncation)]

mod address;
mod amount;
mod calldata;
mod decimal;
mod delta;
mod json_tree;
mod name;
mod order_type;
mod otc;
mod reference;
mod renewed;
mod signature;
mod slippage;
