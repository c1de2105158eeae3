//! Whose word counts for a chain's contracts: the application's, else what is pinned, else, where the application
//! allows that, the service's resource.

use crate::client::Shared;
use crate::domain::chain::{Contracts, Deployment, Protocol, Source, pinned, to_name};
use crate::domain::text::ToText;
use crate::error::{Error, ErrorCode, Result};
use crate::host::Host;
use crate::service;

/// The contracts of a chain, the one for that protocol among them.
///
/// # Errors
/// UNSUPPORTED_CHAIN where nobody knows one whose word counts, or the service's failure.
pub async fn find_deployment<H: Host>(
    shared: &Shared<H>,
    chain_id: u64,
    protocol: Protocol,
    signal: &H::Signal,
) -> Result<Deployment> {
    if let Some(deployment) = find_known(shared, chain_id, protocol) {
        return Ok(deployment);
    }
    if !shared.allow_service_contracts {
        let what = ["no ", protocol.name(), " is pinned for chain ", &chain_id.text()].concat();
        let remedy =
            [": pass ", &to_name(chain_id, protocol), ", or allowServiceContracts: true to trust the service for it"];
        return Err(Error::new(ErrorCode::UnsupportedChain, &[what, remedy.concat()].concat()));
    }
    let contracts = service::contracts::contracts(shared, chain_id, protocol, signal).await?;
    shared.service_contracts.borrow_mut().push((chain_id, contracts));
    Ok(Deployment { contracts, source: Source::Service })
}

/// All that are known of a chain without asking, whoever named them: an order may be older than the address in use.
pub fn known_contracts<H: Host>(shared: &Shared<H>, chain_id: u64) -> Vec<Contracts> {
    let of =
        |list: &[(u64, Contracts)]| list.iter().filter(|(id, _)| *id == chain_id).map(|(_, found)| *found).collect();
    let mut all: Vec<Contracts> = of(&shared.given_contracts);
    all.extend(pinned(chain_id));
    let remembered: Vec<Contracts> = of(&shared.service_contracts.borrow());
    all.extend(remembered);
    all
}

/// The one that need not be asked for.
fn find_known<H: Host>(shared: &Shared<H>, chain_id: u64, protocol: Protocol) -> Option<Deployment> {
    let of = |list: &[(u64, Contracts)], source| {
        let found = list.iter().find(|(id, found)| *id == chain_id && found.of(protocol).is_some());
        found.map(|(_, found)| Deployment { contracts: *found, source })
    };
    let pinned = pinned(chain_id).filter(|contracts| contracts.of(protocol).is_some());
    let pinned = pinned.map(|contracts| Deployment { contracts, source: Source::Pinned });
    let remembered = || of(&shared.service_contracts.borrow(), Source::Service);
    of(&shared.given_contracts, Source::Application).or(pinned).or_else(remembered)
}
