//! /v2/delta/orders: build, post, read (service, 4.4).

use super::call::{Call, call};
use super::query::{escape, query};
use crate::domain::address::checksummed;
use crate::domain::intent::{Intent, Terms};
use crate::domain::text::ToText;
use crate::error::Result;
use crate::host::{Host, Signal};
use crate::json::{At, Json, write_text};
use crate::trade::Shared;
use alloy_primitives::{B256, hex};

const ORDERS: &str = "/v2/delta/orders";

/// Has the service build the typed data. `route` is the quote's, byte for byte.
///
/// # Errors
/// Those of [`call`].
pub async fn build<H: Host>(
    shared: &Shared<H>,
    route: &str,
    intent: &Intent,
    terms: &Terms,
    signal: &H::Signal,
) -> Result<String> {
    let mut members = vec![
        ("owner", Json::text(checksummed(terms.owner))),
        ("beneficiary", Json::text(checksummed(intent.beneficiary.unwrap_or(terms.owner)))),
        ("side", Json::text(intent.side.name())),
        ("deadline", Json::number(terms.deadline)),
        // Always explicit: the service's own default is documented both as 0 and as 1 %.
        ("slippage", Json::number(terms.slippage.get().into())),
        ("partner", Json::text(intent.partner.as_str())),
    ];
    members.extend(terms.nonce.map(|nonce| ("nonce", Json::text(nonce.text()))));
    members.extend(intent.partner_address.map(|partner| ("partnerAddress", Json::text(checksummed(partner)))));
    members.extend(intent.partner_fee_bps.map(|bps| ("partnerFeeBps", Json::number(bps.into()))));
    let body = splice("route", route, members);
    call(shared, Call { name: "build", path: [ORDERS, "/build"].concat(), body: Some(body) }, signal).await
}

/// Posts a signed order. `value` is `toSign.value`, byte for byte; the signature is in compact form.
///
/// # Errors
/// Those of [`call`].
pub async fn post<H: Host>(shared: &Shared<H>, value: &str, intent: &Intent, signature: &[u8]) -> Result<String> {
    let members = vec![
        ("signature", Json::text(hex::encode_prefixed(signature))),
        ("type", Json::text("MARKET")),
        ("chainId", Json::number(intent.chain_id)),
        ("partner", Json::text(intent.partner.as_str())),
    ];
    let body = splice("order", value, members);
    // Once this is on its way it is not called back: an abort could not tell whether it arrived.
    let never = H::Signal::never();
    call(shared, Call { name: "post", path: ORDERS.into(), body: Some(body) }, &never).await
}

/// An object whose first member is raw JSON text.
fn splice(name: &str, raw: &str, members: Vec<(&str, Json)>) -> String {
    let mut out = String::from("{");
    write_text(name, &mut out);
    out.push(':');
    out.push_str(raw);
    for (name, value) in members {
        out.push(',');
        write_text(name, &mut out);
        out.push(':');
        out.push_str(&value.write());
    }
    out.push('}');
    out
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
    /// A text of 0x and 64 hex digits is a hash, any other an id.
    pub fn read(text: &str) -> OrderKey {
        let json = Json::text(text);
        match At::root(&json, "").fixed::<32>() {
            Ok(hash) => OrderKey::Hash(hash.into()),
            Err(_) => OrderKey::Id(text.into()),
        }
    }
}

/// Reads one order.
///
/// # Errors
/// Those of [`call`]; an unknown order is SERVICE_REJECTED with status 404.
pub async fn one<H: Host>(shared: &Shared<H>, key: &OrderKey, signal: &H::Signal) -> Result<String> {
    let (name, path) = match key {
        OrderKey::Id(id) => ("order", [ORDERS, "/", &escape(id)].concat()),
        OrderKey::Hash(hash) => ("orderByHash", [ORDERS, "/hash/", &hash.text()].concat()),
    };
    call(shared, Call { name, path, body: None }, signal).await
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
    call(shared, Call { name: "orders", path: [ORDERS, &query(filter)].concat(), body: None }, signal).await
}
