//! Where an order is in its life.

/// The states of the service that an order of this sandbox can be in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// Every status the service knows, for filters.
const KNOWN: [&str; 12] = [
    "PENDING",
    "AWAITING_SIGNATURE",
    "ACTIVE",
    "SUSPENDED",
    "CANCELLING",
    "BRIDGING",
    "COMPLETED",
    "FAILED",
    "EXPIRED",
    "REFUNDING",
    "CANCELLED",
    "REFUNDED",
];

impl Status {
    pub fn text(self) -> &'static str {
        match self {
            Self::Pending => "PENDING",
            Self::AwaitingSignature => "AWAITING_SIGNATURE",
            Self::Active => "ACTIVE",
            Self::Suspended => "SUSPENDED",
            Self::Cancelling => "CANCELLING",
            Self::Bridging => "BRIDGING",
            Self::Refunding => "REFUNDING",
            Self::Refunded => "REFUNDED",
            Self::Completed => "COMPLETED",
            Self::Failed => "FAILED",
            Self::Expired => "EXPIRED",
            Self::Cancelled => "CANCELLED",
        }
    }

    /// Nothing will happen to the order any more.
    pub fn is_final(self) -> bool {
        matches!(self, Self::Completed | Self::Failed | Self::Expired | Self::Cancelled | Self::Refunded)
    }

    /// The owner may cancel it off chain.
    pub fn is_cancellable(self) -> bool {
        matches!(self, Self::Pending | Self::AwaitingSignature | Self::Active | Self::Suspended)
    }

    /// Whether `text` is a status of the service.
    pub fn is_known(text: &str) -> bool {
        KNOWN.contains(&text)
    }
}
