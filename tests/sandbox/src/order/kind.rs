//! The kinds of orders, by the name of their struct on chain.

/// What an order is on chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OrderKind {
    /// Whole or not at all.
    Order,
    /// In parts: the same members under another name.
    Fillable,
    /// Whole, its proceeds go to a contract.
    External,
    /// A sale, slice by slice.
    Twap,
    /// A purchase, slice by slice.
    TwapBuy,
}

impl OrderKind {
    pub const ALL: [Self; 5] = [Self::Order, Self::Fillable, Self::External, Self::Twap, Self::TwapBuy];

    /// `onChainOrderType`, and the name of the EIP-712 type.
    pub fn text(self) -> &'static str {
        match self {
            Self::Order => "Order",
            Self::Fillable => "FillableOrder",
            Self::External => "ExternalOrder",
            Self::Twap => "TWAPOrder",
            Self::TwapBuy => "TWAPBuyOrder",
        }
    }

    /// Whether lists may be asked for a kind of that name; of one there are no orders here.
    pub fn is_known(text: &str) -> bool {
        text == "ProductiveOrder" || Self::ALL.into_iter().any(|kind| kind.text() == text)
    }

    /// Settles slice by slice.
    pub fn is_twap(self) -> bool {
        matches!(self, Self::Twap | Self::TwapBuy)
    }
}
