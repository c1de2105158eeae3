//! Which amount of a trade is fixed.

use crate::error::Result;
use crate::json::JsonAt;

/// The side of a trade.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Side {
    /// The source amount is fixed; the destination amount is at least a minimum.
    #[default]
    Sell,
    /// The destination amount is fixed; the source amount is at most a maximum.
    Buy,
}

impl Side {
    /// As the service writes it.
    pub fn name(self) -> &'static str {
        match self {
            Side::Sell => "SELL",
            Side::Buy => "BUY",
        }
    }

    /// The side of that name, upper case as the service has it, lower case as people write it.
    pub fn from_name(name: &str) -> Option<Side> {
        match name {
            "SELL" | "sell" => Some(Side::Sell),
            "BUY" | "buy" => Some(Side::Buy),
            _ => None,
        }
    }

    /// Reads one.
    ///
    /// # Errors
    /// Neither of the two.
    pub fn read(at: &JsonAt<'_>) -> Result<Side> {
        Side::from_name(at.text()?).ok_or_else(|| at.fault("SELL or BUY"))
    }

    /// The order's `kind`: 0 for SELL, 1 for BUY.
    pub fn kind(self) -> u8 {
        match self {
            Side::Sell => 0,
            Side::Buy => 1,
        }
    }
}
