//! The source of a chain's contracts: the app, else the pinned ones, else, if the app allows it, the service.
//!
//! The contracts take the user's tokens, so a service that may name them could name its own. Hence the order, and hence
//! `allowServiceContracts`. See "Limits" in docs/verification.md.

use crate::client::Shared;
use crate::host::Host;
use crate::service;
use verify::internal::domain::chain::{Contracts, Deployment, Protocol, Source, pinned, unpinned};
use verify::internal::domain::intent::Intent;
use verify::internal::error::Result;
use verify::internal::json::JsonAt;

/// How long a contract named by the service counts before the service is asked anew, in milliseconds: an hour.
const CONTRACTS_LIFE_MS: u64 = 3_600_000;

/// The contracts of a chain; that of the protocol is among them. The service is asked only if neither the app nor this
/// package has it and the app allows that; its answer counts for an hour.
///
/// # Errors
/// UNSUPPORTED_CHAIN if no trusted source has the contract; the service's failure.
pub async fn find_deployment<H: Host>(
    shared: &Shared<H>,
    chain_id: u64,
    protocol: Protocol,
    signal: &H::Signal,
) -> Result<Deployment> {
    if let Some(deployment) = find_known(shared, chain_id, protocol) {
        return Ok(deployment);
    }
    if !shared.settings.allow_service_contracts {
        return Err(unpinned(
            chain_id,
            protocol,
            ", or advanced: { allowServiceContracts: true } to trust the service for it",
        ));
    }
    let contracts = service::contracts::contracts(shared, chain_id, protocol, signal).await?;
    shared.nodes.service_contracts.borrow_mut().push((chain_id, contracts, shared.host.monotonic_ms()));
    Ok(Deployment { contracts, source: Source::Service })
}

/// All contracts of a chain that are known without a request, from any source. An order that was signed earlier may be
/// for an address that is no longer in use, and is recognised by any of them.
pub fn known_contracts<H: Host>(shared: &Shared<H>, chain_id: u64) -> Vec<Contracts> {
    let remembered = shared.nodes.service_contracts.borrow();
    let mut all = Vec::new();
    all.extend(shared.settings.given_contracts.iter().filter(|(id, _)| *id == chain_id).map(|(_, found)| *found));
    all.extend(pinned(chain_id));
    all.extend(remembered.iter().filter(|(id, ..)| *id == chain_id).map(|(_, found, _)| *found));
    all
}

/// The contracts known without a request: the app's, else the pinned ones, else those that the service named before.
pub fn find_known<H: Host>(shared: &Shared<H>, chain_id: u64, protocol: Protocol) -> Option<Deployment> {
    let oldest = shared.host.monotonic_ms().saturating_sub(CONTRACTS_LIFE_MS);
    let remembered = shared.nodes.service_contracts.borrow();
    let given = shared.settings.given_contracts.iter().map(|(id, found)| (*id, *found, Source::Application));
    let pinned = pinned(chain_id).map(|found| (chain_id, found, Source::Pinned));
    let named = remembered.iter().filter(|(.., at)| *at >= oldest).map(|(id, found, _)| (*id, *found, Source::Service));
    let mut all = given.chain(pinned).chain(named);
    let found = all.find(|(id, found, _)| *id == chain_id && found.of(protocol).is_some());
    found.map(|(_, contracts, source)| Deployment { contracts, source })
}

/// Refuses a beneficiary that is the protocol's own contract: tokens sent there are lost.
///
/// # Errors
/// INVALID_INPUT with `beneficiary`.
pub fn check_beneficiary(at: &JsonAt<'_>, intent: &Intent, protocol: Protocol, contracts: &Contracts) -> Result<()> {
    if intent.beneficiary.is_some() && intent.beneficiary == contracts.of(protocol) {
        return Err(at.get("beneficiary").fault("an account that can receive, not the contract that settles"));
    }
    Ok(())
}
