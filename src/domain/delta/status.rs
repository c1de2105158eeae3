//! The life of an order.

/// The statuses after which nothing changes any more. Any other, known or not, is waited on.
pub const TERMINAL: [&str; 5] = ["COMPLETED", "FAILED", "EXPIRED", "CANCELLED", "REFUNDED"];

/// Whether an order of this status is at its end.
pub fn is_terminal(status: &str) -> bool {
    TERMINAL.contains(&status)
}
