//! The contracts of a chain for which neither this package nor the application names any. Requested only with
//! `allowServiceContracts`, because a service that names the spender could name its own (docs/verification.md,
//! "Limits").

use super::call::{ServiceRequest, call};
use crate::client::Shared;
use crate::host::Host;
use verify::internal::domain::chain::{Contracts, Protocol};
use verify::internal::error::{Error, ErrorCode, Result};
use verify::internal::json::parse;
use verify::internal::value::text::ToText;
use verify::internal::wire;

/// Reads the two places where the service publishes contracts, one after the other, until one names the contract of
/// `protocol`: the adapters endpoint, then the resource keyed by chain id.
///
/// # Errors
/// UNSUPPORTED_CHAIN if both answered and neither names it; ABORTED, RATE_LIMITED; if one of them failed (no answer,
/// none that is JSON, a status of 500 or above) and the other does not name it, that failure.
pub async fn contracts<H: Host>(
    shared: &Shared<H>,
    chain_id: u64,
    protocol: Protocol,
    signal: &H::Signal,
) -> Result<Contracts> {
    let adapters = ["/adapters/contracts?chainId=", &chain_id.text(), "&version=6.2"].concat();
    let places = [("contracts", adapters), ("contractsResource", "/resources/contracts.json".into())];
    let mut unanswered = None;
    for (name, path) in places {
        match call(shared, ServiceRequest { name, path, body: None }, signal).await {
            Ok(text) => {
                let json = parse(&text).map_err(Error::not_json)?;
                let found = wire::contracts::read_contracts(&json, chain_id);
                if found.of(protocol).is_some() {
                    return Ok(found);
                }
            }
            Err(error) if matches!(error.code, ErrorCode::Aborted | ErrorCode::RateLimited) => return Err(error),
            // A refusal of the request means that it names none.
            Err(error) if error.status.is_some_and(|status| status < 500) => {}
            Err(error) => unanswered = Some(error),
        }
    }
    let message = ["no ", protocol.name(), " is known on chain ", &chain_id.text()].concat();
    Err(unanswered.unwrap_or_else(|| Error::new(ErrorCode::UnsupportedChain, &message)))
}
