//! The small reads about Delta: what open orders commit, who solves, what yields.

use alloy_primitives::{Address, U256};
use serde_json::{Map, Value, json};

use super::Refusal;
use super::call::Call;
use crate::app::App;
use crate::chain::{Chain, TokenKind};
use crate::control::KeyCasing;
use crate::json::{Json, read_address};
use crate::solver::{IDLE_AGENT, TRADING_AGENT};

/// GET /v2/delta/orders/fillablebalance/{chainId}/{user}[/{token}]: what the user's open orders that rest may still
/// take, by token.
pub fn fillable_balance(app: &App, call: &Call) -> Result<Json, Refusal> {
    let mut parts = call.subject.as_deref().unwrap_or_default().split('/');
    let chain = chain(app, parts.next())?;
    let account = |text: Option<&str>, name: &str| {
        text.and_then(read_address).ok_or_else(|| Refusal::invalid(format!("Invalid {name}")))
    };
    let owner = account(parts.next(), "userAddress")?;
    let token = parts.next().map(|text| account(Some(text), "tokenAddress")).transpose()?;
    let committed = app.book().committed(chain.id, owner);
    let casing = app.control.settings().fillable_keys;
    let key = |token: Address| match casing {
        KeyCasing::Checksummed => token.to_string(),
        KeyCasing::Lowercase => format!("{token:#x}"),
    };
    let shown: Map<String, Value> = match token {
        None => committed.into_iter().map(|(token, sum)| (key(token), sum.to_string().into())).collect(),
        Some(token) => {
            let sum = committed.into_iter().find(|(known, _)| *known == token).map_or(U256::ZERO, |(_, sum)| sum);
            Map::from_iter([(key(token), sum.to_string().into())])
        }
    };
    Ok(Value::from(shown).into())
}

/// GET /v2/delta/agents/list/{chainId}.
pub fn agents(app: &App, call: &Call) -> Result<Json, Refusal> {
    chain(app, call.subject.as_deref())?;
    Ok(json!([TRADING_AGENT, IDLE_AGENT]).into())
}

/// GET /v2/delta/prices/strategies/{chainId}: by underlying token. The vaults are made up; nothing here invests in them.
pub fn strategies(app: &App, call: &Call) -> Result<Json, Refusal> {
    let chain = chain(app, call.subject.as_deref())?;
    let listed = chain.tokens.iter().filter(|token| !matches!(token.kind, TokenKind::Native | TokenKind::Tax));
    let entry = |token: &crate::chain::Token| {
        // Addresses without a known key, different for each token.
        let made_up = |tag: u8| {
            let mut bytes = token.address.into_array();
            bytes[0] = tag;
            Address::from(bytes)
        };
        let strategies = json!([
            {"vault": made_up(0xa1), "name": format!("Steady {}", token.symbol), "apr": {"gross": "0.052", "net": "0.0468"}},
            {"vault": made_up(0xa2), "name": format!("New {}", token.symbol), "apr": null},
        ]);
        (token.address.to_string(), json!({"address": made_up(0xd0), "strategies": strategies}))
    };
    let map: Map<String, Value> = listed.map(entry).collect();
    Ok(Value::from(map).into())
}

fn chain<'a>(app: &'a App, text: Option<&str>) -> Result<&'a Chain, Refusal> {
    let text = text.unwrap_or_default();
    // A status of these endpoints' own.
    let unsupported = || Refusal { status: 400, ..Refusal::unsupported_chain(text) };
    Ok(text.parse().ok().and_then(|id| app.chain(id)).ok_or_else(unsupported)?)
}
