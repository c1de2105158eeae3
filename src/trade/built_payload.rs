//! What either path has in hand once the service's answer was verified.

use crate::json::ObjectWriter;
use alloy_primitives::U256;

/// What was built, verified.
pub struct BuiltPayload {
    /// The text to seal, still open.
    pub inside: ObjectWriter,
    /// The build as JavaScript sees it, still open.
    pub view: ObjectWriter,
    /// The most that leaves the owner, raw units.
    pub spent: U256,
}
