//! /v2/delta/orders: posts, cancels and reads Delta orders (docs/coverage.md has each parameter; docs/sandbox.md, "The
//! service", the rules of a post).

use super::call::{ServiceRequest, call};
use super::query::{escape, query};
use crate::client::Shared;
use crate::host::{Host, Signal};
use alloy_primitives::{B256, hex};
use verify::internal::domain::delta::order::kind_name;
use verify::internal::domain::delta::status::EXECUTING;
use verify::internal::domain::delta::terms::Terms;
use verify::internal::domain::intent::Intent;
use verify::internal::error::Result;
use verify::internal::json::{Json, JsonAt, ObjectWriter};
use verify::internal::value::text::{ToText, joined};

const ORDERS: &str = "/v2/delta/orders";

/// The request that posts a signed order. `value` is `toSign.value` as the service built it, byte for byte. `signature`
/// is compact (EIP-2098) if an account's own key made it, whatever the owner's contract takes otherwise, and empty for
/// an order that is signed on chain.
pub fn post_request(value: &str, intent: &Intent, terms: &Terms, signature: &[u8]) -> ServiceRequest {
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
    // The service refuses that mode for external orders.
    let degen = option("degenMode") == Some(&Json::Bool(true)) && terms.external.is_none();
    let path = [ORDERS, if degen { "?degenMode=true" } else { "" }].concat();
    ServiceRequest { name: "post", path, body: Some(out.close()) }
}

/// Cancels orders off chain; returns the answer's text. `ids` is a JSON array of the service's ids, `signature` the
/// owner's over them.
///
/// # Errors
/// The errors of [`call`].
pub async fn cancel<H: Host>(shared: &Shared<H>, ids: &str, signature: &[u8]) -> Result<String> {
    let mut out = ObjectWriter::object();
    out.raw("orderIds", ids);
    out.bytes("signature", signature);
    let request = ServiceRequest { name: "cancel", path: [ORDERS, "/cancel"].concat(), body: Some(out.close()) };
    call(shared, request, &H::Signal::never()).await
}

/// The key by which an order is looked up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OrderKey {
    /// The service's id.
    Id(String),
    /// The EIP-712 hash, which is known before the order is posted.
    Hash(B256),
}

impl OrderKey {
    /// Reads an id, even one that looks like a hash.
    ///
    /// # Errors
    /// INVALID_INPUT if it is no text, or one that at the end of a path would name the list of orders.
    pub fn id(at: &JsonAt<'_>) -> Result<OrderKey> {
        let text = at.text()?;
        if ["", ".", ".."].contains(&text) {
            Err(at.fault("an order's id or hash"))
        } else {
            Ok(OrderKey::Id(text.into()))
        }
    }

    /// Reads a key: `0x` and 64 hex digits are a hash, any other text is an id.
    ///
    /// # Errors
    /// The errors of [`OrderKey::id`].
    ///
    /// ```
    /// use verified_swap_trade::service::orders::OrderKey;
    /// use verify::internal::json::{Json, JsonAt};
    /// let key = Json::String("b34e9d2c".into());
    /// assert_eq!(OrderKey::read(&JsonAt::input(&key, "order")).unwrap(), OrderKey::Id("b34e9d2c".into()));
    /// ```
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

/// Reads one order; returns the answer's text.
///
/// # Errors
/// The errors of [`call`]; an unknown order is SERVICE_REJECTED with status 404.
pub async fn read<H: Host>(shared: &Shared<H>, key: &OrderKey, signal: &H::Signal) -> Result<String> {
    call(shared, read_request(key), signal).await
}

/// The request that reads one order.
pub fn read_request(key: &OrderKey) -> ServiceRequest {
    let (name, path) = match key {
        OrderKey::Id(id) => ("order", [ORDERS, "/", &escape(id)].concat()),
        OrderKey::Hash(hash) => ("orderByHash", [ORDERS, "/hash/", &hash.text()].concat()),
    };
    ServiceRequest { name, path, body: None }
}

/// Reads one page of a list of orders; returns the answer's text. `filter` are members of the query.
///
/// # Errors
/// The errors of [`call`].
pub async fn list<H: Host>(
    shared: &Shared<H>,
    filter: &[(&str, Option<String>)],
    signal: &H::Signal,
) -> Result<String> {
    call(shared, ServiceRequest { name: "orders", path: [ORDERS, &query(filter)].concat(), body: None }, signal).await
}

/// [`list`] for the orders with one of these statuses. A service that does not support [`EXECUTING`] is asked once
/// more, and from then on, without it.
///
/// # Errors
/// The errors of [`call`].
pub async fn list_with<H: Host>(
    shared: &Shared<H>,
    filter: &[(&str, Option<String>)],
    statuses: &[&str],
    signal: &H::Signal,
) -> Result<String> {
    let ask = async |is_known: bool| {
        let known = statuses.iter().filter(|status| is_known || **status != EXECUTING);
        let status = ("status", Some(joined(&known.collect::<Vec<_>>(), ",")));
        list(shared, &[filter, &[status]].concat(), signal).await
    };
    let is_known = !shared.service.refuses_executing.get();
    match ask(is_known).await {
        Err(error) if is_known && error.status == Some(400) && statuses.contains(&EXECUTING) => {
            let answer = ask(false).await?;
            shared.service.refuses_executing.set(true);
            Ok(answer)
        }
        answer => answer,
    }
}
