//! Where an order is in its life.

/// The states of the service that an order of this sandbox can be in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Accepted, not yet with the solvers.
    Pending,
    /// With the solvers.
    Active,
    Completed,
    Failed,
    Expired,
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
            Self::Active => "ACTIVE",
            Self::Completed => "COMPLETED",
            Self::Failed => "FAILED",
            Self::Expired => "EXPIRED",
        }
    }

    /// Nothing will happen to the order any more.
    pub fn is_final(self) -> bool {
        matches!(self, Self::Completed | Self::Failed | Self::Expired)
    }

    /// Whether `text` is a status of the service.
    pub fn is_known(text: &str) -> bool {
        KNOWN.contains(&text)
    }
}
