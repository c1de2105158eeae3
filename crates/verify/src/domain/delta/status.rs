//! The statuses at which following an order or a transaction ends (docs/verification.md, "An order as it is reported").

/// The status of an order that was filled whole.
pub const COMPLETED: &str = "COMPLETED";

/// The service's final statuses of an order. Any other, known or not, is waited on.
pub const TERMINAL: [&str; 5] = [COMPLETED, "FAILED", "EXPIRED", "CANCELLED", "REFUNDED"];

/// A status that the service lists only among the orders that may be cancelled: it may refuse it in a filter.
pub const EXECUTING: &str = "EXECUTING";

/// The known statuses of an order that is still open.
pub const OPEN: [&str; 8] =
    ["PENDING", "AWAITING_SIGNATURE", "ACTIVE", EXECUTING, "SUSPENDED", "CANCELLING", "BRIDGING", "REFUNDING"];

/// The open statuses whose order the contract may still fill.
pub const FILLABLE: [&str; 6] = ["PENDING", "AWAITING_SIGNATURE", "ACTIVE", EXECUTING, "SUSPENDED", "CANCELLING"];

/// The open statuses that lead nowhere once the deadline has passed: nothing is under way.
pub const WAITING: [&str; 4] = ["PENDING", "AWAITING_SIGNATURE", "ACTIVE", "SUSPENDED"];

/// The status of a transaction that the wallet named, and that is another account's, or not the requested one. It ends
/// a wait, and not the trade: only the user can find out what happened to that.
pub const FOREIGN: &str = "FOREIGN";

/// Further final statuses of a transaction: another one has its nonce, no node has it any more, only some of the
/// calls sent together went through, or it is not the requested one.
pub const TERMINAL_SENT: [&str; 4] = ["REPLACED", "DROPPED", "PARTIAL", FOREIGN];

/// Whether a status of an order or a transaction is final. The statuses are the service's: final does not mean that a
/// signature can no longer be used.
///
/// ```
/// use verified_swap_verify::internal::domain::delta::status::is_terminal;
/// assert!(is_terminal("COMPLETED") && is_terminal("DROPPED"));
/// assert!(!is_terminal("SUSPENDED"));
/// ```
pub fn is_terminal(status: &str) -> bool {
    TERMINAL.contains(&status) || TERMINAL_SENT.contains(&status)
}
