//! The life of an order.

/// The status of an order of which nothing is left to fill.
pub const COMPLETED: &str = "COMPLETED";

/// The statuses after which nothing changes any more. Any other, known or not, is waited on.
pub const TERMINAL: [&str; 5] = [COMPLETED, "FAILED", "EXPIRED", "CANCELLED", "REFUNDED"];

/// What can end a transaction besides: another one took its number, or no node knows it any more.
pub const TERMINAL_SENT: [&str; 2] = ["REPLACED", "DROPPED"];

/// Whether an order or a transaction of this status is at its end.
pub fn is_terminal(status: &str) -> bool {
    TERMINAL.contains(&status) || TERMINAL_SENT.contains(&status)
}
