//! /v2/delta/orders: build, post, read (service, 4.4).

use super::call::{ServiceRequest, call};
use super::query::{escape, query};
use crate::client::Shared;
use crate::domain::delta::order::kind_name;
use crate::domain::delta::terms::Terms;
use crate::domain::intent::Intent;
use crate::domain::text::ToText;
use crate::error::Result;
use crate::host::{Host, Signal};
use crate::json::{Json, JsonAt, ObjectWriter};
use alloy_primitives::{B256, hex};

const ORDERS: &str = "/v2/delta/orders";

/// The post of a signed order. `value` is `toSign.value`, byte for byte; the signature is in compact form.
pub fn posting(value: &str, intent: &Intent, terms: &Terms, signature: &[u8]) -> ServiceRequest {
    let mut out = ObjectWriter::object();
    out.raw("order", value);
    out.bytes("signature", signature);
    out.text("type", terms.type_name());
    out.number("chainId", intent.chain_id);
    out.text("partner", &intent.partner);
    if terms.partially_fillable {
        out.raw("partiallyFillable", "true");
    }
    out.maybe("referrerAddress", &terms.referrer);
    if intent.twap.is_some() {
        out.text("onChainOrderType", kind_name(intent, terms));
    }
    let options = intent.pricing.delta.as_ref();
    let option = |name: &str| options.and_then(|options| options.get(name)).filter(|value| **value != Json::Null);
    for name in &["includeAgents", "excludeAgents"] {
        if let Some(agents) = option(name) {
            out.raw(name, &agents.write());
        }
    }
    // An order for another contract has no such mode.
    let degen = option("degenMode") == Some(&Json::Bool(true)) && terms.external.is_none();
    let path = [ORDERS, if degen { "?degenMode=true" } else { "" }].concat();
    ServiceRequest { name: "post", path, body: Some(out.close()) }
}

/// Cancels orders. `ids` is a JSON array.
///
/// # Errors
/// Those of [`call`].
pub async fn cancel<H: Host>(shared: &Shared<H>, ids: &str, signature: &[u8]) -> Result<String> {
    let mut out = ObjectWriter::object();
    out.raw("orderIds", ids);
    out.bytes("signature", signature);
    let request = ServiceRequest { name: "cancel", path: [ORDERS, "/cancel"].concat(), body: Some(out.close()) };
    call(shared, request, &H::Signal::never()).await
}

/// How an order is named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OrderKey {
    /// By the service's id.
    Id(String),
    /// By its EIP-712 hash, which is known before the id.
    Hash(B256),
}

impl OrderKey {
    /// Reads an id.
    ///
    /// # Errors
    /// INVALID_INPUT.
    pub fn id(at: &JsonAt<'_>) -> Result<OrderKey> {
        let text = at.text()?;
        // As the end of a path these name the list.
        if ["", ".", ".."].contains(&text) {
            Err(at.fault("an order's id or hash"))
        } else {
            Ok(OrderKey::Id(text.into()))
        }
    }

    /// A text of 0x and 64 hex digits is a hash, any other an id.
    ///
    /// # Errors
    /// INVALID_INPUT.
    pub fn read(at: &JsonAt<'_>) -> Result<OrderKey> {
        let text = at.text()?;
        let mut hash = B256::ZERO;
        let digits = text.strip_prefix("0x").filter(|digits| digits.len() == 64);
        match digits.map(|digits| hex::decode_to_slice(digits, &mut hash.0)) {
            Some(Ok(())) => Ok(OrderKey::Hash(hash)),
            _ => OrderKey::id(at),
        }
    }
}

/// Reads one order.
///
/// # Errors
/// Those of [`call`]; an unknown order is SERVICE_REJECTED with status 404.
pub async fn one<H: Host>(shared: &Shared<H>, key: &OrderKey, signal: &H::Signal) -> Result<String> {
    call(shared, reading(key), signal).await
}

/// The question for one order.
pub fn reading(key: &OrderKey) -> ServiceRequest {
    let (name, path) = match key {
        OrderKey::Id(id) => ("order", [ORDERS, "/", &escape(id)].concat()),
        OrderKey::Hash(hash) => ("orderByHash", [ORDERS, "/hash/", &hash.text()].concat()),
    };
    ServiceRequest { name, path, body: None }
}

/// Reads a page of orders; `filter` are query members.
///
/// # Errors
/// Those of [`call`].
pub async fn page<H: Host>(
    shared: &Shared<H>,
    filter: &[(&str, Option<String>)],
    signal: &H::Signal,
) -> Result<String> {
    call(shared, ServiceRequest { name: "orders", path: [ORDERS, &query(filter)].concat(), body: None }, signal).await
}
