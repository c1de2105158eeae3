//! Delta orders as the service reports them (docs/coverage.md, "GET /v2/delta/orders/{orderId}").
//! `trade::delta::reported` compares the signed members with the signature's order; the others reach the application
//! unread.

use crate::error::Result;
use crate::json::{Json, JsonAt};
use alloy_primitives::{Address, B256};

/// The members that identify a reported order. They are `None` if missing or malformed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderView<'a> {
    /// The service's order id.
    pub id: Option<&'a str>,
    /// The EIP-712 hash, as the service states it.
    pub hash: Option<B256>,
    /// The account that owns and signed the order, as the service states it.
    pub owner: Option<Address>,
    /// The id of the source chain.
    pub chain_id: Option<u64>,
}

/// The order in an answer, which is the order itself or `{ order: { id, status, ... } }`.
///
/// ```
/// use verified_swap_verify::internal::{json::parse, wire::order::find_order};
/// let answer = parse(r#"{"order": {"id": "7", "status": "ACTIVE"}}"#).unwrap();
/// assert_eq!(Some(find_order(&answer)), answer.get("order"));
/// ```
pub fn find_order(answer: &Json) -> &Json {
    let wrapped = answer.get("order").filter(|inner| inner.get("status").is_some() && answer.get("status").is_none());
    wrapped.unwrap_or(answer)
}

/// Checks that an order has an id and a status, as every order has.
///
/// # Errors
/// SERVICE_MALFORMED with the member that is missing, or with an empty id.
pub fn check_named(at: &JsonAt<'_>) -> Result<()> {
    let id = at.get("id");
    if id.text().ok().is_none_or(str::is_empty) {
        return Err(id.fault("an id"));
    }
    at.get("status").text().map(|_| ())
}

/// Reads the members that identify an order.
pub fn read_order<'a>(at: &JsonAt<'a>) -> OrderView<'a> {
    OrderView {
        id: at.get("id").text().ok(),
        hash: at.get("orderHash").fixed::<32>().ok().map(B256::from),
        owner: at.get("owner").address().ok(),
        chain_id: at.get("input").get("chainId").integer(u64::MAX).ok(),
    }
}
