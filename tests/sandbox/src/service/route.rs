//! Routes that were handed out. They come back byte for byte, and soon, or not at all.

use std::collections::HashMap;

use alloy_primitives::{Address, U256};

use super::Refusal;
use crate::chain::Bridge;
use crate::control::RouteReading;
use crate::json::{Json, read_address, read_amount};

/// How old a route may be, by the chain's clock.
pub const ROUTE_LIFE_SECS: u64 = 30;
/// Routes much older than that are forgotten; until then they are called stale, not unknown.
const MEMORY_SECS: u64 = 3_600;

/// The routes handed out, by text.
#[derive(Debug, Default)]
pub struct Routes {
    issued: HashMap<String, Issue>,
}

#[derive(Clone, Copy, Debug)]
struct Issue {
    chain_id: u64,
    is_sell: bool,
    at: u64,
}

/// A route that came back as it went out.
#[derive(Clone, Debug)]
pub struct Route {
    pub chain_id: u64,
    pub is_sell: bool,
    pub src_token: Address,
    pub dest_token: Address,
    pub src_amount: U256,
    pub dest_amount: U256,
    /// Where the trade goes on to another chain: the order's part for the bridge, and the expected arrival.
    pub bridge: Option<(Bridge, U256)>,
    issued_at: u64,
}

impl Routes {
    /// Remembers a route's text.
    pub fn hand_out(&mut self, text: String, chain_id: u64, is_sell: bool, now: u64) {
        self.issued.retain(|_, issue| issue.chain_id != chain_id || issue.at.saturating_add(MEMORY_SECS) > now);
        self.issued.insert(text, Issue { chain_id, is_sell, at: now });
    }

    /// The route of this text.
    ///
    /// # Errors
    /// When no such text was handed out, or it has no usable trade in it.
    pub fn take_back(&self, text: &str, reading: RouteReading) -> Result<Route, Refusal> {
        let (text, issue) = reading.find(&self.issued, text).ok_or_else(|| {
            Refusal::invalid(
                "route: quote validation failure, it is not one that was handed out; it must come back verbatim",
            )
        })?;
        read(text, *issue).ok_or_else(|| Refusal::invalid("route: its origin step has no tokens or amounts"))
    }
}

impl RouteReading {
    /// The one handed out under that text, with the text that it was handed out as.
    pub fn find<'i, T>(self, issued: &'i HashMap<String, T>, text: &str) -> Option<(&'i str, &'i T)> {
        let exactly = issued.get_key_value(text);
        let alike = || {
            let json = Json::parse(text).ok().filter(|_| self == Self::Json)?;
            issued.iter().find(|(known, _)| Json::parse(known).is_ok_and(|known| known.is_like(&json)))
        };
        exactly.or_else(alike).map(|(known, issue)| (known.as_str(), issue))
    }
}

impl Route {
    /// The bridge's part of an order built from it: nothing where it stays on its chain.
    pub fn bridge(&self) -> Bridge {
        self.bridge.as_ref().map_or(Bridge::default(), |(bridge, _)| bridge.clone())
    }

    /// # Errors
    /// StalePriceRoute past the route's life.
    pub fn require_fresh(&self, now: u64) -> Result<(), Refusal> {
        if now.saturating_sub(self.issued_at) <= ROUTE_LIFE_SECS {
            return Ok(());
        }
        Err(Refusal::new(400, "StalePriceRoute", format!("Stale route: older than {ROUTE_LIFE_SECS} s, quote again")))
    }
}

fn read(text: &str, issue: Issue) -> Option<Route> {
    let json = Json::parse(text).ok()?;
    let text_at = |pointer: &str| json.at(pointer)?.as_str();
    let destination = json.at("/destination/output/token/chainId")?.as_u64()?;
    let bridge = if destination == issue.chain_id { None } else { Some(bridge(&json, destination)?) };
    Some(Route {
        bridge,
        chain_id: issue.chain_id,
        is_sell: issue.is_sell,
        src_token: read_address(&text_at("/origin/input/token/address")?)?,
        dest_token: read_address(&text_at("/origin/output/token/address")?)?,
        src_amount: read_amount(&text_at("/origin/input/amount")?)?,
        dest_amount: read_amount(&text_at("/origin/output/amount")?)?,
        issued_at: issue.at,
    })
}

fn bridge(route: &Json, destination: u64) -> Option<(Bridge, U256)> {
    let params = route.at("/bridge/contractParams")?;
    let text = |name: &str| params.get(name)?.as_str();
    let bridge = Bridge {
        protocolSelector: text("protocolSelector")?.parse().ok()?,
        destinationChainId: U256::from(destination),
        outputToken: read_address(&text("outputToken")?)?,
        scalingFactor: params.get("scalingFactor")?.as_scalar()?,
        protocolData: text("protocolData")?.parse().ok()?,
    };
    Some((bridge, read_amount(&route.at("/destination/output/amount")?.as_str()?)?))
}
