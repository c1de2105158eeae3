//! The contracts of a chain, in either form the service publishes them.

use crate::domain::chain::Contracts;
use crate::domain::text::ToText;
use crate::json::Json;
use crate::json::JsonAt;
use alloy_primitives::Address;

/// Reads GET /adapters/contracts (`{ ParaswapDelta | Portikus, AugustusSwapper, AugustusRFQ }`) or the resource keyed by
/// chain id (`{ chains: { "1": { delta, deltaWrappedNative, augustusV6_2, augustusRFQ } } }`).
pub fn contracts(answer: &Json, chain_id: u64) -> Contracts {
    let root = JsonAt::service(answer, "");
    let id = chain_id.text();
    let places = [root.get("chains").get(&id), root.get(&id), root];
    let first = |names: &[&'static str]| -> Option<Address> {
        for place in &places {
            for name in names {
                if let Ok(address) = place.get(name).address() {
                    return Some(address);
                }
            }
        }
        None
    };
    Contracts {
        delta: first(&["delta", "ParaswapDelta", "Portikus"]).unwrap_or_default(),
        wrapped_native: first(&["deltaWrappedNative"]),
        router: first(&["augustusV6_2", "AugustusSwapper"]).unwrap_or_default(),
        rfq: first(&["augustusRFQ", "AugustusRFQ"]).unwrap_or_default(),
    }
}
