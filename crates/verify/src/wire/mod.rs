//! Views on the service's JSON: from its answers to the values that `domain` compares, and the error envelope.
//!
//! Each file reads one kind of answer, and only the members that this package acts on; the others reach the application
//! unread. Reading is strict where a value is compared or signed, and lenient where it is only shown. Nothing here says
//! whether an answer is true: `domain::verify` does. docs/coverage.md lists every member.

pub mod contracts;
pub mod failure;
pub mod order;
pub mod otc;
pub mod price_route;
pub mod quote;
pub mod resources;
pub mod to_sign;
