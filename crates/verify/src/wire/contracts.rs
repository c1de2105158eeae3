//! The contracts of a chain, in both forms that the service publishes. They count only with `allowServiceContracts`
//! (docs/verification.md, "Limits").

use crate::domain::chain::Contracts;
use crate::json::Json;
use crate::json::JsonAt;
use crate::value::text::ToText;
use alloy_primitives::Address;

/// Reads the answer of GET /adapters/contracts (`{ ParaswapDelta | Portikus, AugustusSwapper, AugustusRFQ }`) or of GET
/// /resources/contracts.json (`{ chains: { "1": { delta, deltaWrappedNative, augustusV6_2, augustusRFQ } } }`). A
/// missing or malformed address is zero, for `wrapped_native` `None`.
///
/// ```
/// use verified_swap_verify::internal::{json::parse, wire::contracts::read_contracts};
/// let answer = parse(r#"{"chains":{"10":{"delta":"0x1111111111111111111111111111111111111111"}}}"#).unwrap();
/// assert_eq!(read_contracts(&answer, 10).delta.as_slice(), [0x11; 20]);
/// assert!(read_contracts(&answer, 1).delta.is_zero());
/// ```
pub fn read_contracts(answer: &Json, chain_id: u64) -> Contracts {
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
