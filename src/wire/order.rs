//! Orders as the service reports them (service, 2.4). Only what this package acts on is read; the rest passes through.

use crate::error::Result;
use crate::json::{Json, JsonAt};
use alloy_primitives::{Address, B256};

/// The members this package acts on, where they are stated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderView<'a> {
    /// The service's id.
    pub id: Option<&'a str>,
    /// Its EIP-712 hash.
    pub hash: Option<B256>,
    /// Its owner.
    pub owner: Option<Address>,
    /// The source chain.
    pub chain_id: Option<u64>,
}

/// The order in an answer, bare or wrapped as `{ order: { id, status, ... } }`.
pub fn order(answer: &Json) -> &Json {
    let wrapped = answer.get("order").filter(|inner| inner.get("status").is_some() && answer.get("status").is_none());
    wrapped.unwrap_or(answer)
}

/// Makes sure of what every order has.
///
/// # Errors
/// No id or no status.
pub fn named(at: &JsonAt<'_>) -> Result<()> {
    let id = at.get("id");
    if id.text().ok().is_none_or(str::is_empty) {
        return Err(id.fault("an id"));
    }
    at.get("status").text().map(|_| ())
}

/// Reads the members this package acts on.
pub fn view<'a>(at: &JsonAt<'a>) -> OrderView<'a> {
    OrderView {
        id: at.get("id").text().ok(),
        hash: at.get("orderHash").fixed::<32>().ok().map(B256::from),
        owner: at.get("owner").address().ok(),
        chain_id: at.get("input").get("chainId").integer(u64::MAX).ok(),
    }
}
