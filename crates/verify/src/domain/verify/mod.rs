//! The service's answers against the request: every check that can refuse a prompt (docs/verification.md).
//!
//! One file for each payload. A function `check_*` compares with the request; `note_*` judges by data that may be
//! missing, and refuses only contradictions in the data at hand. All of them note into [`Checks`], which keeps the
//! order of the checks for the report and the first failure for the error; no check ends the others. The expected
//! values are in `*_expectation`.
//!
//! A check reads as a sentence: a field such as `order.destAmount`, the value `expected` (by the intent, the terms, or
//! a price that was itself compared with the intent), and the `actual` value in the payload. The price is the only
//! statement of the service that an order is compared with; the caller's own bounds and prices, and `maxLossBps`, bound
//! it.
//!
//! | payload | file |
//! |---|---|
//! | Delta price, Market route | [`delta_quote`], [`market_quote`] |
//! | typed data of a Delta order | [`delta_order`], with [`delta_amounts`], [`delta_attachments`], [`delta_bridge`] |
//! | a Delta order as it is reported | [`delta_reported`] |
//! | a Market transaction | [`market_transaction`], with [`market_venue`] |
//! | a build anew with a permit | [`rebuilt`] |
//! | a build at a newer price, beside the one that the user read | [`renewed`] |
//! | a fill of OTC orders | [`otc_fill`] |
//! | a permit in any of them; the request for one | `permit`; [`permit_request`] |
//! | what it does to balances, when it is tried | [`outcome`] |
//! | the guaranteed amount of any of them, by references | [`price`], with [`question`] if no reference has it |

mod contract;
pub mod delta_amounts;
pub mod delta_attachments;
pub mod delta_bridge;
pub mod delta_expectation;
pub mod delta_order;
pub mod delta_quote;
pub mod delta_reported;
mod distance;
mod fees;
mod loss;
pub mod market_expectation;
pub mod market_quote;
pub mod market_transaction;
pub mod market_venue;
pub mod otc_fill;
pub mod otc_offer;
pub mod outcome;
mod permit;
pub mod permit_request;
pub mod price;
pub mod question;
pub mod rebuilt;
pub mod renewed;
mod report;

pub use report::{Checks, Priced, Verdict, report, report_of_trade};
