//! The contracts of a chain, in either form the service publishes them.

use crate::domain::chain::Contracts;
use crate::domain::text::ToText;
use crate::json::At;
use crate::json::Json;

/// Reads GET /adapters/contracts (`{ ParaswapDelta | Portikus }`) or the resource keyed by chain id
/// (`{ chains: { "1": { delta, deltaWrappedNative } } }`). `None` where that chain has no Delta contract in it.
pub fn contracts(answer: &Json, chain_id: u64) -> Option<Contracts> {
    let root = At::service(answer, "");
    let id = chain_id.text();
    let by_chain = root.get("chains").get(&id);
    let keyed = root.get(&id);
    let candidates = [
        by_chain.get("delta"),
        keyed.get("delta"),
        keyed.get("ParaswapDelta"),
        root.get("ParaswapDelta"),
        root.get("Portikus"),
    ];
    let delta = candidates.iter().find_map(|at| at.address().ok())?;
    let wrapped = [by_chain.get("deltaWrappedNative"), keyed.get("deltaWrappedNative")];
    Some(Contracts { delta, wrapped_native: wrapped.iter().find_map(|at| at.address().ok()) })
}
