//! Which agents may price a trade: GET /v2/delta/prices' own parameters.

use super::{Query, Refusal};
use crate::solver::{IDLE_AGENT, TRADING_AGENT};

/// Reads the parameters that only Delta's prices take.
///
/// # Errors
/// InvalidInput for an agent unknown here or a switch that is neither true nor false, PricingError where the agent that
/// trades is left out.
pub fn require_offered(query: &Query) -> Result<(), Refusal> {
    for name in ["allowBridgeAndSwap", "degenMode"] {
        query.flag(name)?;
    }
    let agents = |name: &str| -> Result<Vec<&str>, Refusal> {
        let names = query.list(name);
        match names.iter().find(|agent| ![TRADING_AGENT, IDLE_AGENT].contains(agent)) {
            Some(unknown) => Err(Refusal::invalid(format!("{name}: {unknown} is not an agent of the chain"))),
            None => Ok(names),
        }
    };
    let (included, excluded) = (agents("includeAgents")?, agents("excludeAgents")?);
    if excluded.contains(&TRADING_AGENT) || !(included.is_empty() || included.contains(&TRADING_AGENT)) {
        return Err(Refusal::pricing("No route"));
    }
    Ok(())
}
