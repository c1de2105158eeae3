//! Delta: orders that the owner signs and solvers settle, so that the owner pays no gas. Here is what such orders are;
//! how they are checked against what was asked for is in [`super::verify`].

pub mod bridge_terms;
pub mod calls;
pub mod cancellation;
pub mod limit;
pub mod order;
pub mod partner_fee;
pub mod price;
pub mod status;
pub mod terms;
