//! The chains and contracts that this package has without a request, and the sources that it trusts for others.
//!
//! Every approval, signature and transaction names one of these contracts, so a liar's address here would undo every
//! other check. The addresses are compiled in, or the application passes them (`contracts`), or, only with
//! `allowServiceContracts`, the service names them; [`Source`] is the one that counted, and the report repeats it.

use crate::domain::input::{self, account, one_of, optional};
use crate::error::{Error, ErrorCode, Result};
use crate::json::JsonAt;
use crate::value::text::{ToText, replace};
use crate::value::visible;
use alloy_primitives::{Address, address};

/// The service's contracts on one chain. The zero address if there is none, or none is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Contracts {
    /// The Delta contract: verifies and settles Delta orders, and is the spender to approve for them.
    pub delta: Address,
    /// The token in which the Delta contract holds a chain's native token for orders that sell it. Not WETH.
    pub wrapped_native: Option<Address>,
    /// The Market router, version 6.2: the target of a Market transaction, and the spender to approve for it.
    pub router: Address,
    /// The RFQ contract: settles OTC orders, and is the spender that maker and taker approve for them.
    pub rfq: Address,
}

/// Reads the contracts that an app states for a chain: `{ delta?, wrappedNative?, router?, rfq? }`.
///
/// ```
/// use verified_swap_verify::internal::{domain::chain::application_contracts, json::{JsonAt, parse}};
/// let given = parse(r#"{ "rfq": "0x00000000000000000000000000000000000000f1" }"#).unwrap();
/// let contracts = application_contracts(&JsonAt::input(&given, "contracts")).unwrap();
/// assert!(contracts.delta.is_zero() && contracts.rfq.ends_with(&[0xf1]));
/// ```
///
/// # Errors
/// INVALID_INPUT with the member that is unknown or no address; with `delta` if no contract is stated.
pub fn application_contracts(at: &JsonAt<'_>) -> Result<Contracts> {
    input::known(at, &["delta", "wrappedNative", "router", "rfq"])?;
    let contract = |name| Ok(optional(&at.get(name), account)?.unwrap_or_default());
    let found = Contracts {
        delta: contract("delta")?,
        wrapped_native: optional(&at.get("wrappedNative"), account)?,
        router: contract("router")?,
        rfq: contract("rfq")?,
    };
    if found == (Contracts { wrapped_native: found.wrapped_native, ..Contracts::default() }) {
        return Err(at.get("delta").fault("the address of a contract (or router, or rfq)"));
    }
    Ok(found)
}

/// One of the three ways to trade. Each has its own contract, so an approval for one is none for another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Protocol {
    /// Gasless orders that the owner signs and solvers settle.
    #[default]
    Delta,
    /// Routes that the owner's own transaction takes through the router.
    Market,
    /// Orders between two parties: a maker signs, a taker fills.
    Otc,
}

impl Protocol {
    /// Every protocol with its name in JavaScript.
    pub const ALL: [(Protocol, &str); 3] =
        [(Protocol::Delta, "delta"), (Protocol::Market, "market"), (Protocol::Otc, "otc")];

    /// The protocol's name in JavaScript: `delta`, `market`, `otc`.
    pub fn label(self) -> &'static str {
        Protocol::ALL.iter().find(|(protocol, _)| *protocol == self).map_or("", |(_, label)| label)
    }

    /// Reads a protocol by its name in JavaScript.
    ///
    /// # Errors
    /// INVALID_INPUT for any other text.
    pub fn read(at: &JsonAt<'_>) -> Result<Protocol> {
        one_of(at, &Protocol::ALL, "delta, market or otc")
    }

    /// The member of an application's `contracts` that has this protocol's contract.
    pub fn member(self) -> &'static str {
        match self {
            Protocol::Delta => "delta",
            Protocol::Market => "router",
            Protocol::Otc => "rfq",
        }
    }

    /// The name of this protocol's contract in errors and reports.
    pub fn name(self) -> &'static str {
        match self {
            Protocol::Delta => "Delta contract",
            Protocol::Market => "Market router",
            Protocol::Otc => "RFQ contract",
        }
    }
}

impl Contracts {
    /// The contract of a protocol; `None` if it is not known.
    pub fn of(&self, protocol: Protocol) -> Option<Address> {
        let found = match protocol {
            Protocol::Delta => self.delta,
            Protocol::Market => self.router,
            Protocol::Otc => self.rfq,
        };
        (!found.is_zero()).then_some(found)
    }
}

/// The source of the addresses of a chain's contracts, which a trade has to trust.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Compiled into this package, from the operator's published list.
    Pinned,
    /// Passed in by the application as `contracts`.
    Application,
    /// Named by the service itself, which the application allowed by `allowServiceContracts`.
    Service,
}

impl Source {
    /// The source in a report's words.
    pub fn name(self) -> &'static str {
        match self {
            Source::Pinned => "pinned in this package",
            Source::Application => "supplied by the application",
            Source::Service => "from the service's contracts resource",
        }
    }

    /// The addition to the sentence before a prompt if only the service vouches for the contract; empty otherwise.
    pub fn caveat(self) -> &'static str {
        if self == Source::Service { "; for a contract that only the service vouches for" } else { "" }
    }
}

/// A chain's contracts, and the source of their addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deployment {
    /// The contracts' addresses on that chain.
    pub contracts: Contracts,
    /// The source of the contracts; one for all of a chain.
    pub source: Source,
}

impl Deployment {
    /// A protocol's contract and its source, in a report's words: `0x... (pinned in this package)`. The zero address if
    /// there is none.
    pub fn describe(&self, protocol: Protocol) -> String {
        [&self.contracts.of(protocol).unwrap_or_default().text(), " (", self.source.name(), ")"].concat()
    }
}

const DELTA: Address = address!("0x0000000000bbf5c5fd284e657f01bd000933c96d");
const WRAPPED_NATIVE: Address = address!("0x0a0d53b6684c7b32b4cbef5fe8483bfcc8406742");
const ROUTER: Address = address!("0x6a000f20005980200259b80c5102003040001068");

/// The pinned chains: id, name, and the RFQ contract, which differs from chain to chain.
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

/// The pinned row of a chain.
fn known(chain_id: u64) -> Option<&'static (u64, &'static str, Address)> {
    KNOWN.iter().find(|(id, ..)| *id == chain_id)
}

/// The contracts of a chain, from the service operator's published list of 2026-06-10; `None` for a chain that it does
/// not have. Delta and router have the same address on every chain that has them; chains 100 and 43114 have no Delta.
///
/// ```
/// use verified_swap_verify::internal::domain::chain::{Protocol, pinned};
/// assert!(pinned(1).unwrap().of(Protocol::Delta).is_some());
/// assert!(pinned(100).unwrap().of(Protocol::Delta).is_none());
/// assert_eq!(pinned(31337), None);
/// ```
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

/// The ids of the pinned chains, in rising order.
pub fn pinned_chains() -> impl Iterator<Item = u64> {
    KNOWN.iter().map(|(id, ..)| *id)
}

/// The contracts of a chain, with that of the protocol: those that the caller `named`, else the pinned ones.
///
/// # Errors
/// UNSUPPORTED_CHAIN as [`unpinned`] if neither has it.
pub fn deployment(chain_id: u64, protocol: Protocol, named: Option<Contracts>) -> Result<Deployment> {
    for (found, source) in [(named, Source::Application), (pinned(chain_id), Source::Pinned)] {
        if let Some(contracts) = found.filter(|found| found.of(protocol).is_some()) {
            return Ok(Deployment { contracts, source });
        }
    }
    Err(unpinned(chain_id, protocol, ""))
}

/// UNSUPPORTED_CHAIN: no trusted source has the protocol's contract on that chain. `other` is what helps in place of
/// `contracts`.
pub fn unpinned(chain_id: u64, protocol: Protocol, other: &str) -> Error {
    let example = contracts_example(chain_id, protocol);
    let message = ["no ", protocol.name(), " is pinned for chain ", &chain_id.text(), ": pass ", &example, other];
    let mut error = Error::new(ErrorCode::UnsupportedChain, &message.concat());
    error.field = Some("contracts".into());
    error.expected = Some(example);
    error
}

/// An example of the option by which an application names a contract itself, for an error's message: `contracts: { 10:
/// { delta: "0x..." } }`.
pub fn contracts_example(chain_id: u64, protocol: Protocol) -> String {
    ["contracts: { ", &chain_id.text(), ": { ", protocol.member(), ": \"0x...\" } }"].concat()
}

/// [`name`]; for a chain that is not pinned the caller's name with its id, because anybody can call a chain anything.
///
/// ```
/// use verified_swap_verify::internal::domain::chain::named;
/// assert_eq!(named(59144, Some("Linea")), "Linea (chain 59144)");
/// assert_eq!(named(1101, Some("Polygon zkEVM")), r#""Polygon zkEVM" (chain 1101)"#);
/// assert_eq!(named(8453, Some("Ethereum")), "Base");
/// // Another chain's name is the app's word alone.
/// assert_eq!(named(31337, Some("ethereum")), r#""ethereum" (chain 31337)"#);
/// ```
pub fn named(chain_id: u64, stated: Option<&str>) -> String {
    match stated.filter(|_| known(chain_id).is_none()) {
        // Blanks are usual in such names, and stay between the quotes.
        Some(stated) => {
            let shown = replace(&visible::name(stated), "\\u{20}", " ");
            let is_anothers = KNOWN.iter().any(|(_, other, _)| other.eq_ignore_ascii_case(stated));
            let quote = if is_anothers && !shown.starts_with('"') { "\"" } else { "" };
            [quote, &shown, quote, " (", &name(chain_id), ")"].concat()
        }
        None => name(chain_id),
    }
}

/// The chain's name in sentences; `chain 31337` for one that is not pinned.
pub fn name(chain_id: u64) -> String {
    known(chain_id).map_or_else(|| ["chain ", &chain_id.text()].concat(), |(_, name, _)| String::from(*name))
}
