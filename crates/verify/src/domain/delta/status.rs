//! The statuses at which following an order or a transaction ends (docs/verification.md, "An order as it is reported").

/// The status of an order that was filled whole.
pub const COMPLETED: &str = "COMPLETED";

/// The service's statuses of an order that are final. With any other, known or not, waiting goes on.
pub const TERMINAL: [&str; 5] = [COMPLETED, "FAILED", "EXPIRED", "CANCELLED", "REFUNDED"];

/// One that the service names where it says which orders may be cancelled, and in no list: it may refuse it in a filter.
pub const EXECUTING: &str = "EXECUTING";

/// Those of an order that is still open, as far as they are known.
pub const OPEN: [&str; 8] =
    ["PENDING", "AWAITING_SIGNATURE", "ACTIVE", EXECUTING, "SUSPENDED", "CANCELLING", "BRIDGING", "REFUNDING"];

/// Of the open ones, those whose order the contract may still fill.
pub const FILLABLE: [&str; 6] = ["PENDING", "AWAITING_SIGNATURE", "ACTIVE", EXECUTING, "SUSPENDED", "CANCELLING"];

/// Of the open ones, those that no longer lead anywhere once the deadline has passed: nothing is under way.
pub const WAITING: [&str; 4] = ["PENDING", "AWAITING_SIGNATURE", "ACTIVE", "SUSPENDED"];

/// The status of a transaction that the wallet named, and that is another account's, or another one than was asked for.
/// It ends a wait, and not the trade: only the user can tell what became of that.
pub const FOREIGN: &str = "FOREIGN";

/// Further final statuses of a transaction: another one has its nonce, no node knows it any more, of calls that were
/// sent together some went through, or it is not what was asked for.
pub const TERMINAL_SENT: [&str; 4] = ["REPLACED", "DROPPED", "PARTIAL", FOREIGN];

/// Whether a status of an order or a transaction is final. The words are the service's: final does not mean that a
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
