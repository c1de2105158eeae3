//! The contracts of a chain that may have been allowed something.

use crate::client::{Client, Shared};
use crate::domain::chain::Protocol;
use crate::domain::spenders::old;
use crate::error::Result;
use crate::host::Host;
use crate::trade::chain::deployment::{find_deployment, find_known, known_contracts};
use crate::value::text::ToText;
use alloy_primitives::Address;

/// A contract that takes, or took, tokens for the service.
pub struct Spender {
    /// The contract's address.
    pub address: Address,
    /// What it is for, or was.
    pub protocol: Protocol,
    /// What sentences call it, behind "the".
    pub name: String,
    /// Whether trades of today need it.
    pub is_current: bool,
}

/// The contracts of a chain: those of today, others that the application or this package names, old ones.
///
/// # Errors
/// Those of [`find_deployment`], if none is known.
pub async fn find_spenders<H: Host>(client: &Client<H>, chain_id: u64, signal: &H::Signal) -> Result<Vec<Spender>> {
    let mut found = spenders(&client.shared, chain_id);
    if found.is_empty() {
        find_deployment(&client.shared, chain_id, Protocol::Market, signal).await?;
        found = spenders(&client.shared, chain_id);
    }
    Ok(found)
}

/// As [`find_spenders`], of what is known without asking.
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
