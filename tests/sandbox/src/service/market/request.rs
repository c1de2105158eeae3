//! The request for a price.

use std::sync::Arc;

use alloy_primitives::{Address, U256};

use super::choice::{Choice, Filters, Needs};
use super::method::Method;
use super::taxes::Taxes;
use crate::app::App;
use crate::chain::{Chain, Token};
use crate::json::read_address;
use crate::order::{ANON, MAX_FEE_BPS, PartnerFee};
use crate::service::{Query, Refusal, Trade};

/// Tokens a `route` may have.
const MOST_TOKENS: usize = 4;
/// How far a trade may move the price unless the request sets another limit, in percent.
pub const MAX_IMPACT_PERCENT: f64 = 15.0;

/// A trade to price, and how.
pub struct PriceRequest {
    pub chain: Arc<Chain>,
    pub src: Address,
    pub dest: Address,
    pub is_sell: bool,
    pub amount: U256,
    /// The assets it is traded along; one alone between the native token and its wrapping.
    pub path: Vec<Address>,
    pub fee: PartnerFee,
    pub taxes: Taxes,
    pub choice: Choice,
    pub version: &'static str,
    pub max_impact: f64,
    pub max_usd_impact: Option<f64>,
    /// The exchanges to show beside the route.
    pub others: Vec<&'static str>,
}

impl PriceRequest {
    /// The parameters of GET /prices; `is_fused`: of GET /swap, which leaves makers' orders out.
    ///
    /// # Errors
    /// InvalidInput by the parameter's name, UnsupportedChain and UnsupportedToken (422), PricingError where the filters
    /// leave nothing.
    pub fn read(app: &App, query: &Query, is_fused: bool) -> Result<Self, Refusal> {
        let chain = chain(app, query)?;
        let (src, dest) = (listed(&chain, query, "srcToken")?, listed(&chain, query, "destToken")?);
        let amount = query.amount("amount")?;
        for (token, symbol, decimals) in [(src, "srcToken", "srcDecimals"), (dest, "destToken", "destDecimals")] {
            let by_symbol = !query.get(symbol).is_some_and(|text| text.starts_with("0x"));
            match query.number(decimals, 0, 255)? {
                None if !by_symbol => return Err(Refusal::invalid(format!("{decimals} is required with an address"))),
                Some(number) if number != u64::from(token.decimals) => {
                    return Err(Refusal::invalid(format!("{decimals} of {} is {}", token.symbol, token.decimals)));
                }
                _ => {}
            }
        }
        let is_sell = side(query)?;
        let version = match query.get("version") {
            None | Some("5") => "5",
            Some("6.2") => "6.2",
            Some(_) => return Err(Refusal::invalid("version must be 5 or 6.2")),
        };
        query.account("userAddress")?;
        query.account("receiver")?;
        query.flag("ignoreBadUsdPrice")?;
        let taxes = Taxes::read(query)?;
        if !taxes.is_zero() && !is_sell {
            return Err(Refusal::invalid("side: transfer fees are supported for SELL only"));
        }
        let path = path(&chain, query, src, dest)?;
        let pool = chain.pool.to_string();
        if query.list("excludePools").iter().any(|name| name.eq_ignore_ascii_case(&pool)) {
            return Err(Refusal::pricing("No routes found with enough liquidity"));
        }
        let filters = if is_fused { Filters::read(query)?.without_rfq() } else { Filters::read(query)? };
        let needs = Needs { is_sell, hops: path.len() - 1, is_native: src.is_native() || dest.is_native() };
        let choice = choose(app, &filters, needs)?;
        let with_others = query.flag("otherExchangePrices")?.unwrap_or(false);
        let others =
            super::method::EXCHANGES.into_iter().filter(|name| filters.admits(name) && *name != choice.exchange);
        Ok(Self {
            src: src.address,
            dest: dest.address,
            is_sell,
            amount,
            path,
            fee: fee(app, query)?,
            taxes,
            choice,
            version,
            max_impact: query.percent("maxImpact")?.unwrap_or(MAX_IMPACT_PERCENT),
            max_usd_impact: query.dollars("maxUSDImpact")?,
            others: if with_others { others.collect() } else { Vec::new() },
            chain,
        })
    }

    /// The market's side of GET /v2/quote, whose parameters were read before.
    ///
    /// # Errors
    /// PricingError where no method serves the trade.
    pub fn of_quote(app: &App, query: &Query, chain: &Arc<Chain>, trade: Trade) -> Result<Self, Refusal> {
        let token = |address| chain.token(address).ok_or_else(unsupported_token);
        let (src, dest) = (token(trade.src)?, token(trade.dest)?);
        let taxes = Taxes::known(src.kind, dest.kind);
        if !taxes.is_zero() && !trade.is_sell {
            return Err(Refusal::pricing("No purchase of or with a taxed token"));
        }
        let path = direct(chain, src, dest);
        let unfiltered = Query::parse("");
        let filters = Filters::read(&unfiltered)?;
        let is_native = src.is_native() || dest.is_native();
        let choice = choose(app, &filters, Needs { is_sell: trade.is_sell, hops: path.len() - 1, is_native })?;
        Ok(Self {
            chain: Arc::clone(chain),
            src: trade.src,
            dest: trade.dest,
            is_sell: trade.is_sell,
            amount: trade.amount,
            path,
            fee: fee(app, query)?,
            taxes,
            choice,
            version: "6.2",
            max_impact: query.percent("maxImpact")?.unwrap_or(MAX_IMPACT_PERCENT),
            max_usd_impact: query.dollars("maxUSDImpact")?,
            others: Vec::new(),
        })
    }
}

/// By `network`, or as newer clients call it, `chainId`; 1 where neither is given.
fn chain(app: &App, query: &Query) -> Result<Arc<Chain>, Refusal> {
    let network = query.number("network", 0, u64::MAX)?;
    let chain_id = query.number("chainId", 0, u64::MAX)?;
    if let (Some(network), Some(chain_id)) = (network, chain_id)
        && network != chain_id
    {
        return Err(Refusal::invalid("network and chainId differ"));
    }
    let id = network.or(chain_id).unwrap_or(1);
    app.chain(id).cloned().ok_or_else(|| Refusal::unsupported_chain(id))
}

fn listed<'c>(chain: &'c Chain, query: &Query, name: &str) -> Result<&'c Token, Refusal> {
    let text = query.required(name)?;
    if text.starts_with("0x") {
        chain.token(query.token(name)?).ok_or_else(unsupported_token)
    } else {
        chain.tokens.iter().find(|token| token.symbol.eq_ignore_ascii_case(text)).ok_or_else(unsupported_token)
    }
}

fn unsupported_token() -> Refusal {
    Refusal::new(422, "UnsupportedToken", "Token not supported")
}

fn side(query: &Query) -> Result<bool, Refusal> {
    match query.get("side") {
        None | Some("SELL") => Ok(true),
        Some("BUY") => Ok(false),
        Some(_) => Err(Refusal::invalid("side must be SELL or BUY")),
    }
}

/// The `route` asked for, else the pair itself.
fn path(chain: &Chain, query: &Query, src: &Token, dest: &Token) -> Result<Vec<Address>, Refusal> {
    if src.address == dest.address {
        return Err(Refusal::invalid("srcToken and destToken must differ"));
    }
    let Some(route) = query.get("route") else { return Ok(direct(chain, src, dest)) };
    let wrong = |why: &str| Refusal::invalid(format!("route: {why}"));
    let known = |text: &str| {
        let by_address = read_address(text).and_then(|address| chain.token(address));
        by_address.or_else(|| chain.tokens.iter().find(|token| token.symbol.eq_ignore_ascii_case(text)))
    };
    let tokens: Option<Vec<&Token>> = route.split('-').map(known).collect();
    let tokens = tokens.ok_or_else(|| wrong("a token is not one of the chain's"))?;
    if !(2..=MOST_TOKENS).contains(&tokens.len()) {
        return Err(wrong("it has 2 to 4 tokens"));
    }
    let path: Vec<Address> = tokens.into_iter().map(|token| chain.asset(token.address)).collect();
    if path.first() != Some(&chain.asset(src.address)) || path.last() != Some(&chain.asset(dest.address)) {
        return Err(wrong("it goes from srcToken to destToken"));
    }
    if path.iter().enumerate().any(|(index, token)| path[..index].contains(token)) {
        return Err(wrong("a token is in it twice"));
    }
    Ok(path)
}

fn direct(chain: &Chain, src: &Token, dest: &Token) -> Vec<Address> {
    let mut path = vec![chain.asset(src.address), chain.asset(dest.address)];
    path.dedup();
    path
}

fn choose(app: &App, filters: &Filters<'_>, needs: Needs) -> Result<Choice, Refusal> {
    let wanted = app.control.settings().contract_method;
    let choice = filters.choose(needs, Method::named(&wanted));
    choice.ok_or_else(|| Refusal::pricing("No routes found with enough liquidity"))
}

fn fee(app: &App, query: &Query) -> Result<PartnerFee, Refusal> {
    let bps = query.number("partnerFeeBps", 0, MAX_FEE_BPS)?.unwrap_or_default();
    PartnerFee::new(query.get("partner").unwrap_or(ANON), bps, app.control.settings().fee_bps).map_err(Refusal::invalid)
}
