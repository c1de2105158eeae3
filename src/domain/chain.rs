//! Chains, and the contracts this package knows without asking anybody.

use crate::domain::text::ToText;
use alloy_primitives::{Address, address};

/// The contracts of a chain that a Delta order concerns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contracts {
    /// Verifies and settles orders; the spender to approve.
    pub delta: Address,
    /// The native coin as a token on Delta.
    pub wrapped_native: Option<Address>,
}

/// Where a contract's address comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Compiled into this package.
    Pinned,
    /// Passed in by the application.
    Application,
    /// Read from the service's contracts resource.
    Service,
}

impl Source {
    /// As the report says it.
    pub fn name(self) -> &'static str {
        match self {
            Source::Pinned => "pinned in this package",
            Source::Application => "supplied by the application",
            Source::Service => "from the service's contracts resource",
        }
    }
}

const DELTA: Address = address!("0x0000000000bbf5c5fd284e657f01bd000933c96d");
const WRAPPED_NATIVE: Address = address!("0x0a0d53b6684c7b32b4cbef5fe8483bfcc8406742");

/// The contracts of a chain, from the service operator's published list of 2026-06-10. The same on every chain that has
/// them; chains 100 and 43114 have none.
pub fn pinned(chain_id: u64) -> Option<Contracts> {
    match chain_id {
        1 | 10 | 56 | 130 | 137 | 8453 | 42161 => {
            Some(Contracts { delta: DELTA, wrapped_native: Some(WRAPPED_NATIVE) })
        }
        _ => None,
    }
}

/// What people call the chain.
pub fn name(chain_id: u64) -> String {
    match chain_id {
        1 => "Ethereum",
        10 => "Optimism",
        56 => "BNB Chain",
        100 => "Gnosis",
        130 => "Unichain",
        137 => "Polygon",
        8453 => "Base",
        42161 => "Arbitrum",
        43114 => "Avalanche",
        other => return ["chain ", &other.text()].concat(),
    }
    .into()
}
