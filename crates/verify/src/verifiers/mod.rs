//! The verifiers of `verified-swap/verify`, by name: JSON in, a report as JSON out.
//!
//! Each compares a payload from another source with the user's request, by the rules of the client. None reads a
//! chain: what a reading would judge is `unknown` in the report, or named in its `unread`, unless the caller brings
//! the reading.
//!
//! | file | contents |
//! |---|---|
//! | `given` | the input that all of them have: request, contracts, time, readings, reference prices |
//! | `typed_data` | typed data in any library's form, and its comparison with a struct |
//! | `order`, `otc`, `permit`, `cancellation` | what is signed |
//! | `transaction` | what is sent |
//! | `orders`, `fill` | OTC orders as they are passed in, and a taker's fill of them |

mod cancellation;
pub mod fill;
mod given;
mod order;
pub mod orders;
mod otc;
mod permit;
mod transaction;
mod typed_data;

use crate::error::Result;
use crate::json::Json;
pub use transaction::market_report;

/// A verifier of its input, with the time by this machine's clock, unix seconds.
pub type Verifier = fn(&Json, u64) -> Result<String>;

/// Every verifier with its name in JavaScript.
pub const VERIFIERS: [(&str, Verifier); 6] = [
    ("verifyOrder", order::verify_order),
    ("verifyTransaction", transaction::verify_transaction),
    ("verifyOtc", otc::verify_otc),
    ("verifyFill", fill::verify_fill),
    ("verifyPermit", permit::verify_permit),
    ("verifyCancellation", cancellation::verify_cancellation),
];
