//! The members posted beside an order, on how to handle it.

use super::Refusal;
use super::call::Call;
use crate::json::{Json, read_address};
use crate::order::OrderKind;
use crate::solver::{IDLE_AGENT, TRADING_AGENT};

/// `MARKET` or `LIMIT`.
pub fn market_type(body: &Json) -> Result<&'static str, Refusal> {
    match body.get("type").map(Json::as_str) {
        None => Ok("MARKET"),
        Some(Some(kind)) if kind == "MARKET" => Ok("MARKET"),
        Some(Some(kind)) if kind == "LIMIT" => Ok("LIMIT"),
        Some(_) => Err(Refusal::invalid("type must be MARKET or LIMIT")),
    }
}

/// Whether the order may be filled in parts; false if left out.
pub fn is_in_parts(body: &Json) -> Result<bool, Refusal> {
    match body.get("partiallyFillable").map(ToString::to_string).as_deref() {
        None | Some("false") => Ok(false),
        Some("true") => Ok(true),
        Some(_) => Err(Refusal::invalid("partiallyFillable must be true or false")),
    }
}

/// The referrer's address.
pub fn require_referrer(body: &Json) -> Result<(), Refusal> {
    let is_wrong = |value: &Json| value.as_str().and_then(|text| read_address(&text)).is_none();
    if body.get("referrerAddress").is_some_and(is_wrong) {
        return Err(Refusal::invalid("referrerAddress must be an address"));
    }
    Ok(())
}

/// `onChainOrderType`: required for orders in slices, and must be right for all.
pub fn require_kind(body: &Json, call: &Call, kind: OrderKind) -> Result<(), Refusal> {
    let said = body.get("onChainOrderType").map(|value| value.as_str().unwrap_or_default());
    let fits = |said: &str| said == kind.text() || (kind == OrderKind::Fillable && said == "Order");
    match said {
        None if kind.is_twap() => return Err(Refusal::invalid(format!("onChainOrderType must be {}", kind.text()))),
        Some(said) if !fits(&said) => {
            return Err(Refusal::invalid(format!("onChainOrderType: the order is of the type {}", kind.text())));
        }
        _ => {}
    }
    match call.query.get("degenMode") {
        None | Some("false") => Ok(()),
        Some("true") if kind != OrderKind::External => Ok(()),
        Some("true") => Err(Refusal::invalid("degenMode is not for an ExternalOrder")),
        Some(_) => Err(Refusal::invalid("degenMode must be true or false")),
    }
}

/// Whether the agent that trades may take the order.
pub fn is_offered(body: &Json) -> Result<bool, Refusal> {
    let agents = |name: &str| -> Result<Option<Vec<String>>, Refusal> {
        let names = match body.get(name) {
            None => return Ok(None),
            Some(Json::Array(items)) => items.iter().map(Json::as_str).collect::<Option<Vec<_>>>(),
            Some(_) => None,
        };
        let names =
            names.filter(|names| names.iter().all(|agent| [TRADING_AGENT, IDLE_AGENT].contains(&agent.as_str())));
        names.map(Some).ok_or_else(|| Refusal::invalid(format!("{name} must be a list of agents of the chain")))
    };
    let trades = |names: &Vec<String>| names.iter().any(|agent| agent == TRADING_AGENT);
    let included = agents("includeAgents")?.filter(|names| !names.is_empty());
    let excluded = agents("excludeAgents")?;
    Ok(included.is_none_or(|names| trades(&names)) && !excluded.is_some_and(|names| trades(&names)))
}
