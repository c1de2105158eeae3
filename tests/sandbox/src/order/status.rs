//! Where an order is in its life.

use strum::{EnumString, IntoStaticStr};

/// The states of the service.
#[derive(Clone, Copy, Debug, EnumString, Eq, IntoStaticStr, PartialEq)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub enum Status {
    /// Accepted, not yet with the solvers.
    Pending,
    /// Accepted, but the owner's signature on chain is not there yet.
    AwaitingSignature,
    /// With the solvers.
    Active,
    /// Balance or allowance went away from an order that rests; it may come back.
    Suspended,
    /// Cancelled while a fill was under way, which may still land.
    Cancelling,
    /// Settled; what it brought is on its way to the other chain.
    Bridging,
    /// The bridge failed; what it was given is on its way back.
    Refunding,
    Completed,
    Failed,
    Expired,
    Cancelled,
    Refunded,
}

impl Status {
    pub fn text(self) -> &'static str {
        self.into()
    }

    /// Nothing will happen to the order any more.
    pub fn is_final(self) -> bool {
        matches!(self, Self::Completed | Self::Failed | Self::Expired | Self::Cancelled | Self::Refunded)
    }

    /// The owner may cancel it off chain.
    pub fn is_cancellable(self) -> bool {
        matches!(self, Self::Pending | Self::AwaitingSignature | Self::Active | Self::Suspended)
    }
}
