//! What either path has in hand once the service's answer was verified.

use crate::json::Out;
use alloy_primitives::U256;

/// What was built, verified.
pub(super) struct BuiltPayload {
    /// The text to seal, still open.
    pub(super) inside: Out,
    /// The build as JavaScript sees it, still open.
    pub(super) view: Out,
    /// The most that leaves the owner, raw units.
    pub(super) spent: U256,
}
