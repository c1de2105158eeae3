//! Orders as the service reports them (service, 2.4). Only what this package acts on is read; the rest passes through.

use crate::error::Result;
use crate::json::{At, Json};
use alloy_primitives::{Address, B256};

/// The members this package acts on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderView {
    /// The service's id.
    pub id: String,
    /// Where the order stands. Open set.
    pub status: String,
    /// Its EIP-712 hash, where stated.
    pub order_hash: Option<B256>,
    /// Its owner, where stated.
    pub owner: Option<Address>,
}

/// Reads an order, bare or wrapped as `{ order: { id, status, ... } }`; returns it with its view.
///
/// # Errors
/// No id or no status.
pub fn order(answer: &Json) -> Result<(&Json, OrderView)> {
    let wrapped = answer.get("order").filter(|inner| inner.get("status").is_some() && answer.get("status").is_none());
    let json = wrapped.unwrap_or(answer);
    let at = At::service(json, "order");
    let view = OrderView {
        id: at.get("id").text().ok().filter(|id| !id.is_empty()).ok_or_else(|| at.get("id").fault("an id"))?.into(),
        status: at.get("status").text()?.into(),
        order_hash: at.get("orderHash").fixed::<32>().ok().map(B256::from),
        owner: at.get("owner").address().ok(),
    };
    Ok((json, view))
}
