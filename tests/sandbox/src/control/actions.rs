//! The control surface's actions on the chains.

use std::sync::Arc;

use alloy_primitives::{Address, U256};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::app::App;
use crate::bridge::{Protocol, same_assets};
use crate::chain::{
    BLOCKS_BACK, Chain, FEED_DECIMALS, Feed, Gate, HEARTBEAT_SECS, NATIVE, NATIVE_TEXT, PERMIT2, Token,
};
use crate::service::{ROUTE_LIFE_SECS, Refusal};

/// An amount in raw units, as a decimal string.
#[derive(Debug, Deserialize)]
#[serde(transparent)]
pub struct Amount(String);

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Faucet {
    chain_id: u64,
    address: Address,
    token: Address,
    amount: Amount,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Approve {
    chain_id: u64,
    token: Address,
    owner: Address,
    /// Default: the Delta contract.
    spender: Option<Address>,
    amount: Amount,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Time {
    advance_secs: u64,
    chain_id: Option<u64>,
}

impl Amount {
    pub(super) fn read(&self) -> Result<U256, Refusal> {
        let digits = Some(&self.0).filter(|text| !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit()));
        let amount = digits.and_then(|digits| U256::from_str_radix(digits, 10).ok());
        amount.ok_or_else(|| Refusal::invalid("amount must be a decimal string of raw units"))
    }
}

/// Where everything is; `origin` is the URL that the sandbox is asked at.
pub fn config(app: &App, origin: &str) -> Value {
    let first = app.chains.first();
    json!({
        "chains": app.chains.iter().map(|chain| chain_json(chain)).collect::<Vec<_>>(),
        "accounts": first.map(|chain| chain.users().iter().map(ToString::to_string).collect::<Vec<_>>()),
        "keys": first.map(|chain| chain.user_keys()),
        "routeLifeSecs": ROUTE_LIFE_SECS,
        "bridgeTokens": bridge_tokens(app),
        "clientOptions": client_options(app, origin),
    })
}

/// Options of `createClient` to trade here.
fn client_options(app: &App, origin: &str) -> Value {
    let of_chains = |of: &dyn Fn(&Chain) -> Value| -> Value {
        app.chains.iter().map(|chain| (chain.id.to_string(), of(chain))).collect::<serde_json::Map<_, _>>().into()
    };
    json!({
        "baseUrl": origin,
        "rpc": of_chains(&|chain| json!(format!("{origin}/rpc/{}", chain.id))),
        "contracts": of_chains(&|chain| json!({
            "delta": chain.delta.to_string(),
            "wrappedNative": chain.delegated_native.to_string(),
            "router": chain.router.to_string(),
            "rfq": chain.rfq.to_string(),
        })),
        "advanced": {
            "references": of_chains(&references),
            "bridgeTokens": bridge_tokens(app),
            // More than a test needs: the sandbox has no limit, unless one is set.
            "rateLimit": {"perSecond": 1_000, "burst": 1_000, "perDay": 1_000_000},
        },
    })
}

/// Which tokens of two chains are one asset, in the form of the client's option.
fn bridge_tokens(app: &App) -> Vec<Value> {
    let ways = app.chains.iter().flat_map(|from| app.chains.iter().map(move |to| (from, to)));
    let between = ways.filter(|(from, to)| from.id != to.id).flat_map(|(from, to)| {
        let place = |chain: &Chain, token: &Token| json!({"chainId": chain.id, "token": token.address.to_string()});
        same_assets(from, to).map(move |(token, output)| json!({"from": place(from, token), "to": place(to, output)}))
    });
    between.collect()
}

fn chain_json(chain: &Chain) -> Value {
    let tokens = chain.tokens.iter().map(|token| {
        let address = if token.address == NATIVE { NATIVE_TEXT.to_owned() } else { token.address.to_string() };
        json!({
            "symbol": token.symbol,
            "name": token.name,
            "address": address,
            "decimals": token.decimals,
            "kind": token.kind.text(),
        })
    });
    let deposits = chain.lending.deposits.iter().map(|token| {
        json!({
            "symbol": token.symbol,
            "address": token.address.to_string(),
            "decimals": token.decimals,
            "underlying": token.underlying.to_string(),
        })
    });
    json!({
        "chainId": chain.id,
        "name": chain.name,
        "rpc": format!("/rpc/{}", chain.id),
        "delta": chain.delta.to_string(),
        "wrappedNative": chain.delegated_native.to_string(),
        "weth": chain.wrapped_native.to_string(),
        "pool": chain.pool.to_string(),
        "rfq": chain.rfq.to_string(),
        "permit2": PERMIT2.to_string(),
        "solver": chain.solver().to_string(),
        "executor": chain.executor.to_string(),
        "depository": chain.depository.to_string(),
        "lending": {
            "handler": chain.lending.handler.to_string(),
            "tokens": deposits.collect::<Vec<_>>(),
        },
        "delegates": [chain.account_code.delegate.to_string(), chain.account_code.compact_delegate.to_string()],
        "router": chain.router.to_string(),
        "marketExecutor": chain.market_executor.to_string(),
        "gates": chain.gates.iter().map(gate_json).collect::<Vec<_>>(),
        "relayer": chain.relayer().to_string(),
        "references": references(chain),
        "tokens": tokens.collect::<Vec<_>>(),
    })
}

/// The oracles, in the form of the client's `references`.
fn references(chain: &Chain) -> Value {
    let dollar = |token: &Token| json!({"address": token.address.to_string(), "decimals": token.decimals});
    let feed = |feed: &Feed| {
        json!({
            "token": if feed.token == NATIVE { NATIVE_TEXT.to_owned() } else { feed.token.to_string() },
            "feed": feed.address.to_string(),
            "decimals": FEED_DECIMALS,
            "heartbeatSecs": HEARTBEAT_SECS,
        })
    };
    json!({
        "factory": chain.oracles.factory.to_string(),
        "initCodeHash": chain.oracles.init_code_hash,
        "wrappedNative": chain.wrapped_native.to_string(),
        "dollars": chain.dollars().map(dollar).collect::<Vec<_>>(),
        "feeds": chain.oracles.feeds.iter().map(feed).collect::<Vec<_>>(),
        "blocksBack": BLOCKS_BACK,
    })
}

fn gate_json(gate: &Gate) -> Value {
    json!({
        "protocol": Protocol::of(gate.selector).map(|protocol| protocol.slug),
        "selector": gate.selector,
        "address": gate.address.to_string(),
    })
}

/// Mints, or sets the native balance.
pub async fn faucet(app: &App, faucet: Faucet) -> Result<Value, Refusal> {
    let chain = chain(app, faucet.chain_id)?;
    known_token(chain, faucet.token)?;
    chain.give(faucet.token, faucet.address, faucet.amount.read()?).await?;
    Ok(json!({"balance": chain.balance(faucet.token, faucet.address).await?.to_string()}))
}

/// Sets an allowance.
pub async fn approve(app: &App, approve: Approve) -> Result<Value, Refusal> {
    let chain = chain(app, approve.chain_id)?;
    known_token(chain, approve.token)?;
    if approve.token == NATIVE {
        return Err(Refusal::invalid("token: the native token needs no allowance"));
    }
    let spender = approve.spender.unwrap_or(chain.delta);
    chain.approve(approve.token, approve.owner, spender, approve.amount.read()?).await?;
    Ok(json!({"allowance": chain.allowance_for(approve.token, approve.owner, spender).await?.to_string()}))
}

/// Moves the clocks.
pub async fn time(app: &App, time: Time) -> Result<Value, Refusal> {
    let chains: Vec<&Arc<Chain>> = match time.chain_id {
        Some(id) => vec![chain(app, id)?],
        None => app.chains.iter().collect(),
    };
    let mut now = serde_json::Map::new();
    for chain in chains {
        chain.advance(time.advance_secs).await?;
        now.insert(chain.id.to_string(), chain.now().await?.into());
    }
    Ok(json!({"now": now}))
}

pub(super) fn chain(app: &App, id: u64) -> Result<&Arc<Chain>, Refusal> {
    app.chain(id).ok_or_else(|| Refusal::unsupported_chain(id))
}

pub(super) fn known_token(chain: &Chain, token: Address) -> Result<(), Refusal> {
    chain.token(token).map(drop).ok_or_else(|| Refusal::invalid(format!("token {token} is not one of the chain's")))
}
