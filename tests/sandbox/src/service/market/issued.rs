//! Price routes that were handed out. They come back byte for byte, and soon, or not at all.

use std::collections::HashMap;

use alloy_primitives::{Address, U256};

use super::method::Method;
use crate::control::RouteReading;
use crate::json::{Json, read_address, read_amount};
use crate::service::{ROUTE_LIFE_SECS, Refusal};

/// Routes much older than their life are forgotten; until then they are called stale, not invalid.
const MEMORY_SECS: u64 = 3_600;

/// The routes handed out, by text: chain, and when by its clock.
#[derive(Debug, Default)]
pub struct PriceRoutes {
    issued: HashMap<String, (u64, u64)>,
}

/// A price route that came back as it went out.
#[derive(Clone, Debug)]
pub struct PriceRoute {
    pub chain_id: u64,
    pub src: Address,
    pub dest: Address,
    pub is_sell: bool,
    pub src_amount: U256,
    pub dest_amount: U256,
    /// The free side with the partner's fee counted in.
    pub after_fee: U256,
    pub path: Vec<Address>,
    pub method: Method,
    issued_at: u64,
}

impl PriceRoutes {
    /// Remembers a route's text.
    pub fn hand_out(&mut self, text: String, chain_id: u64, now: u64) {
        self.issued.retain(|_, (chain, at)| *chain != chain_id || at.saturating_add(MEMORY_SECS) > now);
        self.issued.insert(text, (chain_id, now));
    }

    /// The route of this text.
    ///
    /// # Errors
    /// When no such text was handed out, or no transaction can be made of it.
    pub fn take_back(&self, text: &str, reading: RouteReading) -> Result<PriceRoute, Refusal> {
        let (text, (_, at)) = reading
            .find(&self.issued, text)
            .ok_or_else(|| invalid("it does not fit its hmac; it must come back as it was handed out"))?;
        PriceRoute::read(&Json::parse(text).map_err(|_| invalid("it is not JSON"))?, *at)
    }
}

impl PriceRoute {
    /// # Errors
    /// When no transaction can be made of it.
    pub fn read(json: &Json, issued_at: u64) -> Result<Self, Refusal> {
        if json.get("version").and_then(Json::as_str).as_deref() != Some("6.2") {
            return Err(invalid("only version 6.2 has a router here: ask GET /prices for version=6.2"));
        }
        read(json, issued_at).ok_or_else(|| invalid("a member is missing or has another type"))
    }

    /// # Errors
    /// StalePriceRoute past the route's life.
    pub fn require_fresh(&self, now: u64) -> Result<(), Refusal> {
        if now.saturating_sub(self.issued_at) <= ROUTE_LIFE_SECS {
            return Ok(());
        }
        let details = format!("Stale priceRoute: older than {ROUTE_LIFE_SECS} s, quote again");
        Err(Refusal::new(400, "StalePriceRoute", details))
    }
}

fn invalid(why: &str) -> Refusal {
    Refusal::invalid(format!("Invalid priceRoute: {why}"))
}

fn read(json: &Json, issued_at: u64) -> Option<PriceRoute> {
    let text = |name: &str| json.get(name)?.as_str();
    let is_sell = text("side")? == "SELL";
    let (src_amount, dest_amount) = (read_amount(&text("srcAmount")?)?, read_amount(&text("destAmount")?)?);
    let after_fee = text(if is_sell { "destAmountAfterFee" } else { "srcAmountAfterFee" });
    Some(PriceRoute {
        chain_id: json.get("network")?.as_u64()?,
        src: read_address(&text("srcToken")?)?,
        dest: read_address(&text("destToken")?)?,
        is_sell,
        src_amount,
        dest_amount,
        after_fee: match after_fee {
            Some(text) => read_amount(&text)?,
            None if is_sell => dest_amount,
            None => src_amount,
        },
        path: path(json)?,
        method: Method::named(&text("contractMethod")?)?,
        issued_at,
    })
}

/// The tokens along the swaps.
fn path(json: &Json) -> Option<Vec<Address>> {
    let Json::Array(swaps) = json.at("/bestRoute/0/swaps")? else { return None };
    let token = |swap: &Json, name: &str| read_address(&swap.get(name)?.as_str()?);
    let mut path = vec![token(swaps.first()?, "srcToken")?];
    for swap in swaps {
        path.push(token(swap, "destToken")?);
    }
    path.dedup();
    Some(path)
}
