//! Chains, and the contracts this package knows without asking anybody.

use crate::domain::input::one_of;
use crate::domain::text::ToText;
use crate::error::Result;
use crate::json::JsonAt;
use alloy_primitives::{Address, address};

/// The contracts of a chain. The zero address where there is none, or none is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Contracts {
    /// Verifies and settles Delta orders; the spender to approve for them.
    pub delta: Address,
    /// The native coin as a token on Delta.
    pub wrapped_native: Option<Address>,
    /// The Market router, version 6.2: target and spender.
    pub router: Address,
    /// Settles OTC orders; the spender to approve for them.
    pub rfq: Address,
}

/// One of the three ways to trade, each with a contract of its own. Spenders are not interchangeable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Protocol {
    /// Gasless intents.
    #[default]
    Delta,
    /// Routes on chain.
    Market,
    /// Bilateral orders.
    Otc,
}

impl Protocol {
    /// All of them, as JavaScript has them.
    pub const ALL: [(Protocol, &str); 3] =
        [(Protocol::Delta, "delta"), (Protocol::Market, "market"), (Protocol::Otc, "otc")];

    /// As JavaScript has it.
    pub fn label(self) -> &'static str {
        Protocol::ALL.iter().find(|(path, _)| *path == self).map_or("", |(_, label)| label)
    }

    /// Reads one.
    ///
    /// # Errors
    /// None of them.
    pub fn read(at: &JsonAt<'_>) -> Result<Protocol> {
        one_of(at, &Protocol::ALL, "delta, market or otc")
    }

    /// What an application's `contracts` call its contract.
    pub fn member(self) -> &'static str {
        match self {
            Protocol::Delta => "delta",
            Protocol::Market => "router",
            Protocol::Otc => "rfq",
        }
    }

    /// What errors call its contract.
    pub fn name(self) -> &'static str {
        match self {
            Protocol::Delta => "Delta contract",
            Protocol::Market => "Market router",
            Protocol::Otc => "RFQ contract",
        }
    }
}

impl Contracts {
    /// The contract of a path, where it is known.
    pub fn of(&self, path: Protocol) -> Option<Address> {
        let found = match path {
            Protocol::Delta => self.delta,
            Protocol::Market => self.router,
            Protocol::Otc => self.rfq,
        };
        (!found.is_zero()).then_some(found)
    }
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

    /// What a sentence adds where nobody else has said so.
    pub fn caveat(self) -> &'static str {
        if self == Source::Service { "; for a contract that only the service vouches for" } else { "" }
    }
}

/// A chain's contracts, and whose word they rest on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deployment {
    /// The contracts.
    pub contracts: Contracts,
    /// Where their addresses come from.
    pub source: Source,
}

impl Deployment {
    /// A path's contract and where its address comes from, as reports say it; the zero address where there is none.
    pub fn named(&self, path: Protocol) -> String {
        [&self.contracts.of(path).unwrap_or_default().text(), " (", self.source.name(), ")"].concat()
    }
}

const DELTA: Address = address!("0x0000000000bbf5c5fd284e657f01bd000933c96d");
const WRAPPED_NATIVE: Address = address!("0x0a0d53b6684c7b32b4cbef5fe8483bfcc8406742");
const ROUTER: Address = address!("0x6a000f20005980200259b80c5102003040001068");

/// Chains by id: what people call them, and the contract that settles OTC orders there.
const KNOWN: [(u64, &str, Address); 9] = [
    (1, "Ethereum", address!("0xe92b586627ccA7a83dC919cc7127196d70f55a06")),
    (10, "Optimism", address!("0x0927FD43a7a87E3E8b81Df2c44B03C4756849F6D")),
    (56, "BNB Smart Chain", address!("0x8DcDfe88EF0351f27437284D0710cD65b20288bb")),
    (100, "Gnosis", address!("0x92EaD5bACf6F0E995FA46Ad8215A9b11f67ca241")),
    (130, "Unichain", address!("0x92EaD5bACf6F0E995FA46Ad8215A9b11f67ca241")),
    (137, "Polygon", address!("0xF3CD476C3C4D3Ac5cA2724767f269070CA09A043")),
    (8453, "Base", address!("0xa003dFBA51C9e1e56C67ae445b852bdEd7aC5EEd")),
    (42161, "Arbitrum", address!("0x0927FD43a7a87E3E8b81Df2c44B03C4756849F6D")),
    (43114, "Avalanche", address!("0x34302c4267d0dA0A8c65510282Cc22E9e39df51f")),
];

fn known(chain_id: u64) -> Option<&'static (u64, &'static str, Address)> {
    KNOWN.iter().find(|(id, ..)| *id == chain_id)
}

/// The contracts of a chain, from the service operator's published list of 2026-06-10. Delta and router are the same on
/// every chain that has them; chains 100 and 43114 have no Delta.
pub fn pinned(chain_id: u64) -> Option<Contracts> {
    let (_, _, rfq) = known(chain_id)?;
    let market_only = chain_id == 100 || chain_id == 43114;
    Some(Contracts {
        delta: if market_only { Address::ZERO } else { DELTA },
        wrapped_native: (!market_only).then_some(WRAPPED_NATIVE),
        router: ROUTER,
        rfq: *rfq,
    })
}

/// How an application names the contract of a path: `contracts: { 10: { delta: "0x..." } }`.
pub fn to_name(chain_id: u64, path: Protocol) -> String {
    ["contracts: { ", &chain_id.text(), ": { ", path.member(), ": \"0x...\" } }"].concat()
}

/// What people call the chain.
pub fn name(chain_id: u64) -> String {
    known(chain_id).map_or_else(|| ["chain ", &chain_id.text()].concat(), |(_, name, _)| String::from(*name))
}
