//! Whose word counts for a chain's contracts: the application's, else what is pinned, else the service's resource.

use crate::client::Shared;
use crate::domain::chain::{Contracts, Path, Source, pinned};
use crate::error::Result;
use crate::host::Host;
use crate::service;

/// The contracts of a chain, the one for that path among them.
///
/// # Errors
/// UNSUPPORTED_CHAIN where nobody knows one, or the service's failure.
pub async fn contracts<H: Host>(
    shared: &Shared<H>,
    chain_id: u64,
    path: Path,
    signal: &H::Signal,
) -> Result<(Contracts, Source)> {
    if let Some(known) = known(shared, chain_id, path) {
        return Ok(known);
    }
    let found = service::contracts::contracts(shared, chain_id, path, signal).await?;
    shared.service_contracts.borrow_mut().push((chain_id, found));
    Ok((found, Source::Service))
}

/// Those that need not be asked for.
fn known<H: Host>(shared: &Shared<H>, chain_id: u64, path: Path) -> Option<(Contracts, Source)> {
    let of = |list: &[(u64, Contracts)], source| {
        let found = list.iter().find(|(id, found)| *id == chain_id && found.of(path).is_some());
        found.map(|(_, found)| (*found, source))
    };
    let pinned = pinned(chain_id).filter(|known| known.of(path).is_some()).map(|known| (known, Source::Pinned));
    let remembered = || of(&shared.service_contracts.borrow(), Source::Service);
    of(&shared.given_contracts, Source::Application).or(pinned).or_else(remembered)
}
