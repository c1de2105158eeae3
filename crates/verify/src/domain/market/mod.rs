//! Market: routes that the owner's own transaction takes through the router, version 6.2 (docs/verification.md, "A
//! Market route, and the transaction built from it"). The checks themselves are in [`super::verify`].

pub mod calldata;
pub mod method;
pub mod partner_fee;
pub mod pools;
pub mod psm;
pub mod rank;
pub mod route;
pub mod terms;
