//! The contracts of a chain that may have an allowance.

use crate::client::{Client, Shared};
use crate::flows::chain::deployment::{find_deployment, find_known, known_contracts};
use crate::host::Host;
use alloy_primitives::Address;
use verify::internal::domain::chain::Protocol;
use verify::internal::domain::spenders::old;
use verify::internal::error::Result;
use verify::internal::value::text::ToText;

/// A contract that takes, or took, tokens for the service.
pub struct Spender {
    /// The contract's address.
    pub address: Address,
    /// Its purpose, now or in the past.
    pub protocol: Protocol,
    /// Its name in sentences, behind "the".
    pub name: String,
    /// Whether today's trades need it.
    pub is_current: bool,
}

/// The contracts of a chain: today's, others that the application or this package names, and old ones.
///
/// # Errors
/// Same as [`find_deployment`], if no contract is known.
pub async fn find_spenders<H: Host>(client: &Client<H>, chain_id: u64, signal: &H::Signal) -> Result<Vec<Spender>> {
    let mut found = spenders(&client.shared, chain_id);
    if found.is_empty() {
        find_deployment(&client.shared, chain_id, Protocol::Market, signal).await?;
        found = spenders(&client.shared, chain_id);
    }
    Ok(found)
}

/// [`find_spenders`] without a request: the contracts that are already known.
fn spenders<H: Host>(shared: &Shared<H>, chain_id: u64) -> Vec<Spender> {
    let mut all: Vec<Spender> = Vec::new();
    let mut add = |address: Address, protocol: Protocol, name: String, is_current: bool| {
        if !all.iter().any(|known| known.address == address) {
            all.push(Spender { address, protocol, name, is_current });
        }
    };
    for (protocol, _) in Protocol::ALL {
        if let Some(address) = find_known(shared, chain_id, protocol).and_then(|found| found.contracts.of(protocol)) {
            add(address, protocol, protocol.name().into(), true);
        }
    }
    for (protocol, _) in Protocol::ALL {
        for address in known_contracts(shared, chain_id).iter().filter_map(|contracts| contracts.of(protocol)) {
            add(address, protocol, ["other ", protocol.name()].concat(), false);
        }
    }
    for (address, name) in old(chain_id) {
        add(address, Protocol::Market, ["old Market router (", name, ")"].concat(), false);
    }
    all
}

impl Spender {
    /// Name and address, as sentences have them.
    pub fn text(&self) -> String {
        [&self.name, " ", &self.address.text()].concat()
    }
}
