//! The service's JSON: views that read only the members this package needs, and the error envelope.

pub mod contracts;
pub mod failure;
pub mod order;
pub mod otc;
pub mod price_route;
pub mod quote;
pub mod resources;
pub mod to_sign;
