//! Which contracts count as a chain's: those of the app, else the pinned ones, else, if the app allows it, the
//! service's.
//!
//! They take the user's tokens, so a service that may name them could name its own. Hence the order, and hence
//! `allowServiceContracts`. See "Limits" in docs/verification.md.

use crate::client::Shared;
use crate::domain::chain::{Contracts, Deployment, Protocol, Source, contracts_example, pinned};
use crate::domain::text::ToText;
use crate::error::{Error, ErrorCode, Result};
use crate::host::Host;
use crate::service;

/// The contracts of a chain; the one of that protocol is among them. The service is asked only if neither the app nor
/// this package knows it and the app allows that; its answer is remembered for the life of the client.
///
/// # Errors
/// UNSUPPORTED_CHAIN if nobody who is believed knows the contract; the service's failure.
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
        let remedy = [
            ": pass ",
            &contracts_example(chain_id, protocol),
            ", or allowServiceContracts: true to trust the service for it",
        ];
        return Err(Error::new(ErrorCode::UnsupportedChain, &[what, remedy.concat()].concat()));
    }
    let contracts = service::contracts::contracts(shared, chain_id, protocol, signal).await?;
    shared.service_contracts.borrow_mut().push((chain_id, contracts));
    Ok(Deployment { contracts, source: Source::Service })
}

/// All contracts of a chain that are known without asking, whoever named them. An order that was signed earlier may be
/// for an address that is no longer in use, and is recognised by any of them.
pub fn known_contracts<H: Host>(shared: &Shared<H>, chain_id: u64) -> Vec<Contracts> {
    let of =
        |list: &[(u64, Contracts)]| list.iter().filter(|(id, _)| *id == chain_id).map(|(_, found)| *found).collect();
    let mut all: Vec<Contracts> = of(&shared.given_contracts);
    all.extend(pinned(chain_id));
    let remembered: Vec<Contracts> = of(&shared.service_contracts.borrow());
    all.extend(remembered);
    all
}

/// The contracts that are known without asking: the app's, else the pinned ones, else what the service named before.
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
