//! What either path has in hand once the service's answer was verified.

use crate::json::Out;
use alloy_primitives::U256;

/// What was built, verified.
pub struct BuiltPayload {
    /// The text to seal, still open.
    pub inside: Out,
    /// The build as JavaScript sees it, still open.
    pub view: Out,
    /// The most that leaves the owner, raw units.
    pub spent: U256,
}
