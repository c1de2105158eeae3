//! The kinds of orders, by the name of their struct on chain.

use strum::{EnumString, IntoStaticStr};

/// The kind of an order, by its struct on chain.
#[derive(Clone, Copy, Debug, EnumString, Eq, Hash, IntoStaticStr, PartialEq)]
pub enum OrderKind {
    /// Filled whole or not at all.
    Order,
    /// In parts: the same members under another name.
    #[strum(serialize = "FillableOrder")]
    Fillable,
    /// Filled whole; a handler contract gets the proceeds.
    #[strum(serialize = "ExternalOrder")]
    External,
    /// A sale, slice by slice.
    #[strum(serialize = "TWAPOrder")]
    Twap,
    /// A purchase, slice by slice.
    #[strum(serialize = "TWAPBuyOrder")]
    TwapBuy,
}

impl OrderKind {
    /// `onChainOrderType`, and the name of the EIP-712 type.
    pub fn text(self) -> &'static str {
        self.into()
    }

    /// Whether lists may be asked for a kind of that name; of one there are no orders here.
    pub fn is_known(text: &str) -> bool {
        text == "ProductiveOrder" || text.parse::<Self>().is_ok()
    }

    /// Settles slice by slice.
    pub fn is_twap(self) -> bool {
        matches!(self, Self::Twap | Self::TwapBuy)
    }
}
