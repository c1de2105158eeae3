//! Views on the service's JSON: from its answers to the values that `domain` compares, and the error envelope.
//!
//! Each file reads one kind of answer, and only the members that this package uses; the others reach the application
//! unread. Reading is strict if a value is compared or signed, and lenient if it is only shown. Whether an answer is
//! true is decided in `domain::verify`, not here. docs/coverage.md lists every member.

pub mod contracts;
pub mod failure;
pub mod order;
pub mod otc;
pub mod price_route;
pub mod quote;
pub mod resources;
pub mod to_sign;
