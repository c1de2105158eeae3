//! The service over HTTP: one file per resource, one place where answers become errors.

pub mod building;
mod call;
pub mod contracts;
pub mod market;
pub mod orders;
pub mod otc;
pub mod query;
pub mod quotes;
pub mod resources;

pub use call::{ServiceRequest, call};
