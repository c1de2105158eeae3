//! Orders as an application passes them on: those of the service, or of anybody else.

use crate::client::Client;
use crate::domain::chain::{Contracts, Path, Source};
use crate::domain::input::chain_id;
use crate::domain::otc::{calls, order};
use crate::error::Result;
use crate::host::Host;
use crate::json::{At, Json};
use crate::trade::contracts::contracts;
use crate::wire::otc::{Signed, signed};
use alloy_primitives::{Address, B256};

/// The most orders one transaction is about.
const MAX_ORDERS: usize = 100;

/// An order as it was passed.
pub struct One {
    /// How it is called: `order`, `orders.0`.
    pub name: String,
    /// What stands in it.
    pub signed: Signed,
    /// Its hash, from its members.
    pub hash: B256,
    /// Calldata that asks what is left of it.
    pub remaining: Vec<u8>,
}

/// Orders of one chain.
pub struct Passed {
    /// The chain.
    pub chain_id: u64,
    /// The chain's contracts.
    pub known: (Contracts, Source),
    /// The maker's asset, and the taker's, of the first.
    pub pair: (Address, Address),
    /// At least one, no two of them the same.
    pub orders: Vec<One>,
}

/// Reads an order or a list of them; with `one_pair` all of them trade the same two assets.
///
/// # Errors
/// INVALID_INPUT with the member that is missing, does not fit, or is not that of the first; UNSUPPORTED_CHAIN.
pub async fn passed<H: Host>(client: &Client<H>, orders: &Json, one_pair: bool, signal: &H::Signal) -> Result<Passed> {
    let is_list = matches!(orders, Json::Array(_));
    let root = At::input(orders, if is_list { "orders" } else { "order" });
    let all: Vec<At<'_>> = if is_list { root.items()?.collect() } else { vec![root] };
    let Some(first) = all.first().filter(|_| all.len() <= MAX_ORDERS) else {
        return Err(root.fault("1 to 100 orders"));
    };
    let chain_id = chain_id(&first.get("chainId"))?;
    let known = contracts(&client.shared, chain_id, Path::Otc, signal).await?;
    let domain = order::domain(chain_id, known.0.rfq);
    let mut orders: Vec<One> = Vec::new();
    for at in &all {
        let signed = signed(at)?;
        let hash = signed.order.digest(&domain).digest;
        for member in ["chainId", "makerAsset", "takerAsset"] {
            let (here, there) = (at.get(member), first.get(member));
            let same = match member {
                "chainId" => here.integer(u64::MAX)? == chain_id,
                _ if !one_pair => true,
                _ => here.address()? == there.address()?,
            };
            if !same {
                return Err(here.fault("that of the first order"));
            }
        }
        for member in ["makerAmount", "takerAmount"] {
            if signed.order.uint(member).is_zero() {
                return Err(at.get(member).fault("an amount above 0"));
            }
        }
        if orders.iter().any(|other| other.hash == hash) {
            return Err(at.fault("an order that is not passed twice"));
        }
        let remaining = calls::remaining(signed.order.address("maker"), hash);
        orders.push(One { name: at.path(), signed, hash, remaining });
    }
    let pair = (first.get("makerAsset").address()?, first.get("takerAsset").address()?);
    Ok(Passed { chain_id, known, pair, orders })
}
