//! The side of a trade: one of its two amounts is fixed, the other is bounded by slippage.

use super::input::one_of;
use crate::error::Result;
use crate::json::JsonAt;

/// SELL or BUY. SELL is the default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Side {
    /// The source amount is fixed; the destination amount has a minimum.
    #[default]
    Sell,
    /// The destination amount is fixed; the source amount has a maximum.
    Buy,
}

impl Side {
    /// The name in the service's API: `SELL` or `BUY`.
    pub fn name(self) -> &'static str {
        match self {
            Side::Sell => "SELL",
            Side::Buy => "BUY",
        }
    }

    /// The side that the service names, in upper case as it is documented, or in lower case; `None` for any other text.
    pub fn from_name(name: &str) -> Option<Side> {
        match name {
            "SELL" | "sell" => Some(Side::Sell),
            "BUY" | "buy" => Some(Side::Buy),
            _ => None,
        }
    }

    /// Reads a side as the caller writes it.
    ///
    /// # Errors
    /// A fault at that place if it is neither of the two.
    pub fn read(at: &JsonAt<'_>) -> Result<Side> {
        one_of(at, &[Side::Sell, Side::Buy].map(|side| (side, side.name())), "SELL or BUY")
    }

    /// Reads a side as the service writes it ([`Side::from_name`]).
    ///
    /// # Errors
    /// A fault at that place if it is neither of the two.
    pub fn read_reported(at: &JsonAt<'_>) -> Result<Side> {
        Side::from_name(at.text()?).ok_or_else(|| at.fault("SELL or BUY"))
    }

    /// The value of a Delta order's member `kind`: 0 for SELL, 1 for BUY.
    pub fn kind(self) -> u8 {
        match self {
            Side::Sell => 0,
            Side::Buy => 1,
        }
    }
}
