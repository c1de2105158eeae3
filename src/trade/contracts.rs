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
    let find = |list: &[(u64, Contracts)]| {
        let found = list.iter().find(|(id, _)| *id == chain_id).map(|(_, found)| *found);
        found.filter(|found| found.of(path).is_some())
    };
    if let Some(given) = find(&shared.given_contracts) {
        return Ok((given, Source::Application));
    }
    if let Some(known) = pinned(chain_id).filter(|known| known.of(path).is_some()) {
        return Ok((known, Source::Pinned));
    }
    let remembered = find(&shared.service_contracts.borrow());
    if let Some(known) = remembered {
        return Ok((known, Source::Service));
    }
    let found = service::contracts::contracts(shared, chain_id, path, signal).await?;
    shared.service_contracts.borrow_mut().push((chain_id, found));
    Ok((found, Source::Service))
}
