//! The small reads: contracts, chains, tokens.

use serde_json::{Map, Value, json};

use super::Refusal;
use super::call::Call;
use crate::app::App;
use crate::chain::{Chain, FEE_VAULT, Token, TokenKind};
use crate::json::{Json, read_address};

/// GET /adapters/contracts. Version 6.2 of the router is its own token transfer proxy.
pub fn contracts(app: &App, call: &Call) -> Result<Json, Refusal> {
    call.query.required("chainId")?;
    let id = call.query.number("chainId", 0, u64::MAX)?.unwrap_or_default();
    let chain = app.chain(id).ok_or_else(|| Refusal::unsupported_chain(id))?;
    let members = json!({
        "AugustusSwapper": chain.router,
        "TokenTransferProxy": chain.router,
        "Executors": {"Executor1": chain.market_executor},
        "AugustusRFQ": chain.rfq,
        "ParaswapDelta": chain.delta,
    });
    Ok(members.into())
}

/// GET /resources/contracts.json, keyed by chain id.
pub fn contracts_resource(app: &App) -> Result<Json, Refusal> {
    if !app.control.settings().contracts_resource {
        return Err(Refusal::not_found("Resource"));
    }
    let entry = |chain: &Chain| {
        json!({
            "name": chain.name,
            "augustusV6_2": chain.router,
            "delta": chain.delta,
            "deltaWrappedNative": chain.delegated_native,
            "augustusRFQ": chain.rfq,
            "feeClaimer": FEE_VAULT,
        })
    };
    let chains: Map<String, Value> = app.chains.iter().map(|chain| (chain.id.to_string(), entry(chain))).collect();
    Ok(json!({"_meta": {"description": "Contracts of the sandbox, by chain id"}, "chains": chains}).into())
}

/// GET /chains.
pub fn chains(app: &App) -> Json {
    let chains: Value = app.chains.iter().map(|chain| json!({"chainId": chain.id, "name": chain.name})).collect();
    chains.into()
}

/// Categories of tokens: id and name.
const CATEGORIES: [(&str, &str); 3] =
    [("stablecoins", "Stablecoins"), ("native", "Native tokens"), ("other", "Others")];

fn category(token: &Token) -> &'static str {
    match token.kind {
        TokenKind::Native => "native",
        TokenKind::Tax => "other",
        _ if token.symbol == "WETH" => "native",
        _ => "stablecoins",
    }
}

/// GET /fiat/tokens/{chainId|all}: with a logo and tags where there are some.
pub fn fiat_tokens(app: &App, call: &Call) -> Result<Json, Refusal> {
    if !app.control.settings().fiat_tokens {
        return Err(Refusal::not_found("Endpoint"));
    }
    let text = call.subject.as_deref().unwrap_or_default();
    let chosen = |chain: &&std::sync::Arc<Chain>| text == "all" || chain.id.to_string() == text;
    let chains: Vec<_> = app.chains.iter().filter(chosen).collect();
    if chains.is_empty() {
        return Err(Refusal::unsupported_chain(text));
    }
    let wanted = call.query.get("category");
    let mut tokens = Vec::new();
    for chain in chains {
        for token in chain.tokens.iter().filter(|token| wanted.is_none_or(|wanted| wanted == category(token))) {
            let mut entry = json!({
                "chainId": chain.id,
                "address": format!("{:#x}", token.address),
                "name": token.name,
                "decimals": token.decimals,
                "symbol": token.symbol,
                "sources": ["sandbox"],
                "categories": [category(token)],
            });
            if category(token) == "stablecoins" {
                entry["logoURI"] = json!(format!("https://logos.invalid/{}.png", token.symbol.to_lowercase()));
                entry["tags"] = json!(["dollar"]);
            }
            tokens.push(entry);
        }
    }
    Ok(json!({"tokens": tokens}).into())
}

/// GET /fiat/tokens/categories.
pub fn token_categories(app: &App) -> Result<Json, Refusal> {
    if !app.control.settings().fiat_tokens {
        return Err(Refusal::not_found("Endpoint"));
    }
    let categories: Value = CATEGORIES.iter().map(|(id, name)| json!({"id": id, "name": name})).collect();
    Ok(json!({"categories": categories}).into())
}

/// GET /tokens/{chainId}: the older list.
pub fn tokens(app: &App, call: &Call) -> Result<Json, Refusal> {
    let text = call.subject.as_deref().unwrap_or_default();
    let chain = text.parse().ok().and_then(|id| app.chain(id)).ok_or_else(|| Refusal::unsupported_chain(text))?;
    let tokens = chain.tokens.iter().map(|token| {
        json!({
            "symbol": token.symbol,
            "address": format!("{:#x}", token.address),
            "decimals": token.decimals,
            "img": "",
            "network": chain.id,
        })
    });
    Ok(json!({"tokens": tokens.collect::<Value>()}).into())
}

/// GET /v2/delta/prices/is-token-supported.
pub fn is_token_supported(app: &App, call: &Call) -> Result<Json, Refusal> {
    call.query.required("chainId")?;
    let id = call.query.number("chainId", 0, u64::MAX)?.unwrap_or_default();
    let chain = app.chain(id).ok_or_else(|| Refusal::unsupported_chain(id))?;
    let token = read_address(call.query.required("token")?).ok_or_else(|| Refusal::invalid("Invalid token"))?;
    Ok(json!({"supported": chain.delta_token(token).is_some()}).into())
}
