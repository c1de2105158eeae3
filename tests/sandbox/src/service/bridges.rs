//! The bridges and their routes.

use serde_json::{Value, json};

use super::Refusal;
use super::call::Call;
use crate::app::App;
use crate::bridge::{PROTOCOLS, Protocol, arrives_as, passages};
use crate::chain::{Chain, NATIVE};
use crate::json::Json;
use crate::order::Terms;

/// GET /v2/delta/prices/bridge-routes: by pair of chains, the tokens that can be asked for over there. `bridges` leaves
/// the others aside; without `allowBridgeAndSwap` only tokens count that arrive as what they are.
pub fn routes(app: &App, call: &Call) -> Result<Json, Refusal> {
    let bridges = call.query.list("bridges");
    let swaps = call.query.flag("allowBridgeAndSwap")?.unwrap_or(true);
    let takes = |protocol: &Protocol| bridges.is_empty() || bridges.contains(&protocol.slug);
    let mut routes = Vec::new();
    for from in &app.chains {
        for to in app.chains.iter().filter(|to| to.id != from.id) {
            let reaches = |output| !passages(from, to, NATIVE, output, swaps, takes).is_empty();
            let outputs = to.tokens.iter().map(|token| token.address).filter(|output| reaches(*output));
            let tokens: Vec<String> = outputs.map(|output| format!("{output:#x}")).collect();
            if !tokens.is_empty() {
                routes.push(json!({"srcChainId": from.id, "destChainId": to.id, "tokens": tokens}));
            }
        }
    }
    Ok(json!({"routes": routes}).into())
}

/// GET /v2/delta/prices/bridge-protocols.
pub fn protocols() -> Json {
    let protocol = |protocol: &Protocol| {
        json!({
            "protocol": protocol.slug,
            "displayName": protocol.name,
            "icon": format!("https://sandbox.invalid/{}.svg", protocol.slug),
        })
    };
    json!({"bridgeProtocols": PROTOCOLS.iter().map(protocol).collect::<Value>()}).into()
}

/// Whether an order's data for its bridge is what that bridge would be given.
pub fn is_usable(app: &App, from: &Chain, terms: &Terms) -> bool {
    let bridge = &terms.bridge;
    let to = u64::try_from(bridge.destinationChainId).ok().and_then(|id| app.chain(id)).filter(|to| to.id != from.id);
    let Some(passage) = to.and_then(|to| arrives_as(from, to, terms.dest_token, bridge.outputToken)) else {
        return false;
    };
    Protocol::of(bridge.protocolSelector).is_some()
        && passage.factor == bridge.scalingFactor
        && Protocol::read_data(&bridge.protocolData).is_some()
}
