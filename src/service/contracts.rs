//! The contracts of a chain that is not pinned.

use super::call::{ServiceRequest, call};
use crate::client::Shared;
use crate::domain::chain::{Contracts, Protocol};
use crate::domain::text::ToText;
use crate::error::{Error, ErrorCode, Result};
use crate::host::Host;
use crate::json::parse;
use crate::wire;

/// Asks both places the service publishes contracts in: the adapters endpoint, and the resource keyed by chain id.
///
/// # Errors
/// UNSUPPORTED_CHAIN where neither names a contract of that path; NETWORK and the like where neither could be asked.
pub async fn contracts<H: Host>(
    shared: &Shared<H>,
    chain_id: u64,
    path: Protocol,
    signal: &H::Signal,
) -> Result<Contracts> {
    let adapters = ["/adapters/contracts?chainId=", &chain_id.text(), "&version=6.2"].concat();
    let places = [("contracts", adapters), ("contractsResource", "/resources/contracts.json".into())];
    let mut unanswered = None;
    for (name, place) in places {
        match call(shared, ServiceRequest { name, path: place, body: None }, signal).await {
            Ok(text) => {
                let json = parse(&text).map_err(Error::not_json)?;
                let found = wire::contracts::contracts(&json, chain_id);
                if found.of(path).is_some() {
                    return Ok(found);
                }
            }
            Err(error) if matches!(error.code, ErrorCode::Aborted | ErrorCode::RateLimited) => return Err(error),
            Err(error) if error.status.is_none() => unanswered = Some(error),
            Err(_) => {}
        }
    }
    let message = ["no ", path.name(), " is known on chain ", &chain_id.text()].concat();
    Err(unanswered.unwrap_or_else(|| Error::new(ErrorCode::UnsupportedChain, &message)))
}
