//! Delta: orders that the owner signs and solvers settle, so that the owner pays no gas. This module defines such
//! orders; [`super::verify`] checks them against the request.

pub mod bridge_terms;
pub mod calls;
pub mod cancellation;
pub mod limit;
pub mod order;
pub mod partner_fee;
pub mod price;
pub mod status;
pub mod terms;
